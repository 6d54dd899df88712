"""The error function and its complement.

erfc(x) = exp(-x^2) g(t) / (1 + 2 x) for x >= 0, with g smooth in t = (x - 4) / (x + 4); x^2 is taken to twice the precision, for its
rounding alone would cost hundreds of ulps.  erf is a polynomial below 0.92 and 1 - erfc above; float32 gets erfc there as the
exponential of a polynomial, which is shorter and precise enough for a difference from 1.
"""

from __future__ import annotations

from .vector_code import Code, Number
from .vector_coefficients import ERF_LESS_1, ERFCX, MINUS_LOG_ERFC
from .vector_exp_log import exp_not_above

_CENTRE = 4.0
# Beyond these erf is 1 and erfc is 0.
_ERF_HIGH, _ERFC_HIGH = {32: 4.0, 64: 6.0}, {32: 10.1, 64: 27.3}


def _complement(c: Code, x: Number, exact: bool) -> Number:
    """erfc(x) for x from 0 to _ERFC_HIGH; inexact: to the last places of 1."""
    square = x * x
    lost = c.fma(x, x, -square) if exact else None
    t = (x - _CENTRE) / (x + _CENTRE)
    factor = c.polynomial(t, ERFCX[c.bits]) / c.fma(x, 2.0, 1.0)
    return exp_not_above(c, -square, None if lost is None else -lost, factor)


def _near_zero(c: Code, x: Number) -> Number:
    """erf(x) for |x| below 0.92."""
    return c.fma(c.polynomial(x * x, ERF_LESS_1[c.bits]), x, x)


def erf(c: Code, x: Number) -> Number:
    """The error function."""
    size = c.abs(x)
    bounded = c.at_most(size, _ERF_HIGH[c.bits])
    if c.bits == 32:
        rest = exp_not_above(c, -c.polynomial(bounded, MINUS_LOG_ERFC[32]))
    else:
        rest = _complement(c, bounded, exact=False)
    return c.copysign(c.select(size < 0.92, _near_zero(c, size), 1.0 - rest), x)


def erfc(c: Code, x: Number) -> Number:
    """1 less the error function: in so many words for x below 3/4, where it is no less exact."""
    size = c.abs(x)
    answer = _complement(c, c.at_most(size, _ERFC_HIGH[c.bits]), exact=True)
    answer = c.select(x < 0.0, 2.0 - answer, answer)
    return c.select(size < 0.75, 1.0 - _near_zero(c, x), answer)
