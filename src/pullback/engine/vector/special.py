"""The error function, its complement, and their inverses.

erfc(x) = exp(-x^2) g(t) / (1 + 2 x) for x >= 0, with g smooth in t = (x - 4) / (x + 4); x^2 is taken to twice the precision, for its
rounding alone would cost hundreds of ulps: of float32 all is in float64.  erf is a polynomial below 0.92 and 1 - erfc above; float32 gets
erfc there as the exponential of a polynomial, which is shorter and precise enough for a difference from 1.
"""

from __future__ import annotations

import math

from .code import Code, Number
from .coefficients import ERF_LESS_1, ERFCX, ERFINV_FAR, ERFINV_FARTHER, ERFINV_FARTHEST, ERFINV_NEAR, MINUS_LOG_ERFC
from .exp_log import exp_not_above, log
from .wide import compute_in_double

_CENTRE = 4.0
# Beyond these erf is 1 and erfc is 0.
_ERF_HIGH, _ERFC_HIGH = {32: 4.0, 64: 6.0}, {32: 10.1, 64: 27.3}


def _complement(c: Code, bits: int, x: Number, exact: bool) -> Number:
    """erfc(x) for x from 0 to _ERFC_HIGH; inexact: to the last places of 1.  bits: of the result."""
    square = x * x
    lost = c.fma(x, x, -square) if exact else None
    t = (x - _CENTRE) / (x + _CENTRE)
    factor = c.polynomial(t, ERFCX[bits]) / c.fma(x, 2.0, 1.0)
    return exp_not_above(c, -square, None if lost is None else -lost, factor)


def _erf_near_zero(c: Code, bits: int, x: Number) -> Number:
    """erf(x) for |x| below 0.92."""
    return c.fma(c.polynomial(x * x, ERF_LESS_1[bits]), x, x)


def erf(c: Code, x: Number) -> Number:
    """The error function."""
    size = c.abs(x)
    bounded = c.at_most(size, _ERF_HIGH[c.bits])
    if c.bits == 32:
        rest = exp_not_above(c, -c.polynomial(bounded, MINUS_LOG_ERFC[32]))
    else:
        rest = _complement(c, 64, bounded, exact=False)
    return c.copysign(c.select(size < 0.92, _erf_near_zero(c, c.bits, size), 1.0 - rest), x)


def _erfc(c: Code, bits: int, x: Number) -> Number:
    """1 less the error function: in so many words for x below 3/4, where it is no less exact."""
    size = c.abs(x)
    answer = _complement(c, bits, c.at_most(size, _ERFC_HIGH[bits]), exact=bits == 64)
    answer = c.select(x < 0.0, 2.0 - answer, answer)
    return c.select(size < 0.75, 1.0 - _erf_near_zero(c, bits, x), answer)


erfc = compute_in_double(_erfc)


# ---- inverses: erfinv(x) / x is smooth in w = -log(1 - x^2) near 0 and in its root beyond; in pieces, each a polynomial

_SECOND, _THIRD, _FOURTH = 6.0**0.5, 5.0, 11.0  # where the pieces begin, in terms of the root


def _quotient(c: Code, w: Number, to_denormals: bool) -> Number:
    """erfinv(x) / x of w; to_denormals: for 1 - x^2 down to the least numbers, else to the last place of 1."""
    root = c.sqrt(w)
    answer = c.polynomial(w - 3.0, ERFINV_NEAR[c.bits])
    answer = c.select(root > _SECOND, c.polynomial(root - 3.5, ERFINV_FAR[c.bits]), answer)
    if to_denormals or c.bits == 64:
        answer = c.select(root > _THIRD, c.polynomial(root - 8.0, ERFINV_FARTHER[c.bits]), answer)
    if to_denormals and c.bits == 64:
        answer = c.select(root > _FOURTH, c.polynomial(root - 19.0, ERFINV_FARTHEST[c.bits]), answer)
    return answer


def erfinv(c: Code, x: Number) -> Number:
    """The inverse of erf; infinite at -1 and 1, NaN beyond."""
    rest = c.fma(-x, x, 1.0)
    answer = x * _quotient(c, -log(c, rest), to_denormals=False) + 0.0  # no negative zero, as SciPy
    return c.select(rest.equals(0.0), c.copysign(c.real(math.inf), x), answer)


def _ndtri(c: Code, bits: int, p: Number) -> Number:
    """Where the normal distribution reaches p: sqrt(2) erfinv(2 p - 1), by way of the lesser of p and 1 - p."""
    upper = p >= 0.5
    tail = c.select(upper, 1.0 - p, p)
    # 1 - x^2 = 4 q (1 - q) for x = 1 - 2 q; its logarithm term by term, so that denormals stay whole.
    minus_w = log(c, tail) + log(c, c.fma(tail, -4.0, 4.0))
    x = c.fma(tail, -2.0, 1.0)
    size = x * (_quotient(c, c.at_least(-minus_w, 0.0), to_denormals=True) * math.sqrt(2.0))
    size = c.select(tail.equals(0.0), math.inf, size)
    return c.select(upper, size, -size)


ndtri = compute_in_double(_ndtri)
