"""The logarithm of the gamma function and its like, in float64.

lgamma of x > 0: its roots 1 and 2, or the second, times polynomials up to 8; from there on Stirling's series; below 3/4
lgamma(1 + x) - log(x).  Of negative numbers, where there is a root beside every pole, the C library's.
"""

from __future__ import annotations

import math

from . import tables as tables
from .calls import call_by_lane
from .code import Code, Number
from .exp_log import exp, log
from .power import power
from .wide import compute_in_double, evaluate_table, where_any

_HALF_LOG_2_PI = 0.5 * math.log(2 * math.pi)


def lgamma_of_positive(c: Code, bits: int, x: Number) -> Number:
    """lgamma of x > 0."""
    small = x < 0.75
    near = c.select(small, x, x - 1.0)
    value = lgamma1p(c, bits, near)
    value = where_any(c, x > 1.75, lambda: (x - 2.0) * evaluate_table(c, bits, x, tables.LGAMMA_2), value)
    value = where_any(c, x > 3.5, lambda: (x - 2.0) * evaluate_table(c, bits, x, tables.LGAMMA_4), value)
    logarithm = log(c, x)
    value = c.select(small, value - logarithm, value)

    def evaluate_far() -> Number:
        u = 1.0 / x
        rest = c.fma(u, evaluate_table(c, bits, u * u, tables.LGAMMA_8), _HALF_LOG_2_PI - 0.5)
        return c.fma(x - 0.5, logarithm - 1.0, rest)

    return where_any(c, x > 8.0, evaluate_far, value)


def _lgamma(c: Code, bits: int, x: Number) -> Number:
    bounded = c.select(x < 0.0, 1.0, x)
    return call_by_lane(c, "lgamma", [x], lgamma_of_positive(c, bits, bounded), x < 0.0)


lgamma = compute_in_double(_lgamma)


def lgamma1p(c: Code, bits: int, x: Number) -> Number:
    """lgamma(1 + x) for x from -1/4 to 3/4, right to its own last places."""
    return x * (x - 1.0) * evaluate_table(c, bits, x + 1.0, tables.LGAMMA_1)


# ---- x^a exp(-x) / Gamma(a + 1)

_SMALL = 8.0  # up to this order by powers and a product, beyond by Stirling's formula around x = a
_LARGE = 200.0  # beyond this order by its logarithm after all, which is the greater part of what is lost then
_LARGEST = 600.0  # up to here exp(-x) does not vanish before the density does


def inverse_gamma(c: Code, bits: int, x: Number, steps: int) -> Number:
    """1 / Gamma(1 + x) for x from 0 to so many steps and one: 1 / (x (x - 1) ... ) from a number between 1 and 2."""
    product, rest = c.real(1.0), x
    for _ in range(steps):
        above = rest >= 1.0
        product = c.select(above, product * rest, product)
        rest = c.select(above, rest - 1.0, rest)
    return evaluate_table(c, bits, rest + 1.0, tables.INVERSE_GAMMA) / product


def density(c: Code, bits: int, a: Number, x: Number) -> Number:
    """x^a exp(-x) / Gamma(a + 1) for a > 0 and x >= 0; where float64 is wanted and it is no extreme, without its logarithm's rounding."""
    if bits == 32:
        value = _density_by_logarithm(c, bits, a, x)
        return where_any(c, a > _LARGE, lambda: _density_of_large(c, bits, c.at_least(a, _LARGE), x), value)
    small = a < _SMALL
    bounded = c.at_most(a, _SMALL)
    value = power(c, x, bounded) * exp(c, -x) * inverse_gamma(c, bits, bounded, 8)
    value = where_any(c, ~small, lambda: _density_around_order(c, bits, c.at_least(a, _SMALL), x), value)
    extreme = (value < 1e-200) | (x > _LARGEST)
    value = where_any(c, extreme, lambda: _density_by_logarithm(c, bits, a, x), value)
    return where_any(c, a > _LARGE, lambda: _density_of_large(c, bits, c.at_least(a, _LARGE), x), value)


def _density_of_large(c: Code, bits: int, a: Number, x: Number) -> Number:
    """The same by exp(-a (m - log(1 + m))) with m = (x - a) / a."""
    m = (x - a) / a
    s = m / (m + 2.0)
    z = c.at_most(s * s, 0.1112)
    near = s * (m - 2.0 * (z * evaluate_table(c, bits, z, tables.ATANH_REST)))
    apart = c.select((m > -0.5) & (m < 0.5), near, m - log(c, x / a))
    u = 1.0 / a
    stirling = u * evaluate_table(c, bits, u * u, tables.LGAMMA_8)
    return exp(c, -c.fma(a, apart, stirling)) / c.sqrt(a * (2 * math.pi))


def _density_by_logarithm(c: Code, bits: int, a: Number, x: Number) -> Number:
    return exp(c, a * log(c, x) - x - lgamma_of_positive(c, bits, a + 1.0))


def _density_around_order(c: Code, bits: int, a: Number, x: Number) -> Number:
    """(x / a)^a exp(a - x) over Stirling's formula, with what the quotient and the difference round off; 0 where a power vanishes."""
    ratio = x / a
    lost = c.fma(-ratio, a, x) / x  # of a (x / a) by x: the quotient's relative error
    apart = a - x
    back = apart + x
    rest = (a - back) + ((back - apart) - x)
    u = 1.0 / a
    stirling = u * evaluate_table(c, bits, u * u, tables.LGAMMA_8)
    raised = power(c, ratio, a)
    value = raised * exp(c, apart) * (1.0 + c.fma(a, lost, rest)) * exp(c, -stirling) / c.sqrt(a * (2 * math.pi))
    return c.select(raised > 1e-280, value, 0.0)
