"""The incomplete gamma functions, of float64 as `ops.special.incomplete_gamma` has them, and their derivative by the order.

float32 needs less, in float64: with D = x^a exp(-x) / Gamma(a + 1), P = D times the sum of x^n / ((a + 1) ... (a + n)); Q = a D times a
continued fraction (NIST DLMF 8.9.2), by Steed's recurrence; where x is small, Q = 1 - x^a / Gamma(a + 1) times an alternating sum, whose
1 and first term are one expm1.  Each is taken where it converges and loses nothing.  The derivative by a differentiates sum and fraction
term by term, up to `_HUGE`.  P and Q of orders beyond `_GREATEST` in float32, and what is outside the domain, are SciPy's.
"""

from __future__ import annotations

import math
from typing import Any

from ...ops.special.incomplete_gamma import evaluate_incomplete
from .code import Code, Number
from .exp_log import exp, expm1, log
from .formulas import Words
from .gamma import digamma_of
from .lgamma import density, lgamma1p
from .special_calls import fall_back_on_scipy
from .wide import Build, compute_in_double, repeat_while, where_any

_GREATEST = 200.0
_STEPS = 19_999
_HUGE = 3e6  # beyond this order the derivative's sums are too long
# Terms below this part of the sum are left out, for the derivative by the bits of the result.
_LEAST = 2.0**-32
_LEAST_OF_SLOPE = {32: 2.0**-40, 64: 2.0**-55}
_BEYOND = 5.0  # by how much x is beyond a where P is 1 less the fraction


def _sum(c: Code, a: Number, x: Number, active: Number) -> Number:
    """The sum of x^n / ((a + 1) ... (a + n)) from n = 0 on."""

    def step(n: Number, term: Number, total: Number) -> tuple[Number, list[Number]]:
        term = term * (x / (a + n))
        total = total + term
        return term > total * _LEAST, [term, total]

    return repeat_while(c, active, [c.real(1.0), c.real(1.0)], step, _STEPS)[1]


def _fraction(c: Code, a: Number, x: Number, active: Number) -> Number:
    """Q Gamma(a) / (x^a exp(-x))."""
    first = 1.0 / (x + 1.0 - a)

    def step(n: Number, d: Number, change: Number, total: Number) -> tuple[Number, list[Number]]:
        b = x + 1.0 - a + (n + n)
        d = 1.0 / c.fma(n * (a - n), d, b)
        change = (b * d - 1.0) * change
        total = total + change
        return c.abs(change) > c.abs(total) * _LEAST, [d, change, total]

    return repeat_while(c, active, [first, first, first], step, _STEPS)[2]


def _complement_of_small(c: Code, bits: int, a: Number, x: Number, active: Number) -> Number:
    """Q where x and a are small."""

    def step(n: Number, power_: Number, total: Number) -> tuple[Number, list[Number]]:
        power_ = power_ * (-x / n)
        term = power_ / (a + n)
        total = total + term
        return c.abs(term) > c.abs(total) * _LEAST, [power_, total]

    rest = repeat_while(c, active, [c.real(1.0), c.real(0.0)], step, _STEPS)[1]
    small = a * log(c, x)
    logarithm = small - lgamma1p(c, bits, c.at_most(a, 0.75))
    return -expm1(c, logarithm) - exp(c, small - lgamma1p(c, bits, c.at_most(a, 0.75))) * (a * rest)


def _clamp_inside(c: Code, a: Number, x: Number) -> tuple[Number, Number, Number]:
    """Where a and x are ours, and both there; 1 elsewhere."""
    inside = (a >= 1e-6) & (a <= _GREATEST) & ((x >= 1e-300) | x.equals(0.0)) & (x < math.inf)
    return inside, c.select(inside, a, 1.0), c.select(inside, x, 1.0)


def _igamma(c: Code, bits: int, a: Number, x: Number) -> tuple[Number, Number]:
    if bits == 64:
        return evaluate_incomplete(Words(c), False, a, x)
    inside, order, place = _clamp_inside(c, a, x)
    above = (place > 1.0) & (place > order + _BEYOND)
    scale = density(c, bits, order, place)
    value = scale * _sum(c, order, place, ~above)
    value = where_any(c, above, lambda: 1.0 - scale * order * _fraction(c, order, place, above), value)
    return value, inside


def _igammac(c: Code, bits: int, a: Number, x: Number) -> tuple[Number, Number]:
    if bits == 64:
        return evaluate_incomplete(Words(c), True, a, x)
    inside, order, place = _clamp_inside(c, a, x)
    above = (place > 1.1) & (place > order)
    scale = density(c, bits, order, place)
    small = (place <= 1.1) & (order < 0.75) & (place * 1.1 > order) & ((place > 0.5) | (order * log(c, place) > -0.4))
    value = 1.0 - scale * _sum(c, order, place, ~(above | small))
    value = where_any(c, small, lambda: _complement_of_small(c, bits, order, place, small), value)
    value = where_any(c, above, lambda: scale * order * _fraction(c, order, place, above), value)
    return value, inside


# ---- the derivative by the order, over the sum or the fraction's factor


def _slope_of_sum(c: Code, bits: int, a: Number, x: Number, active: Number) -> Number:
    """(dP / da) / D."""
    least = _LEAST_OF_SLOPE[bits]

    def step(n: Number, term: Number, total: Number, slope: Number, slopes: Number) -> tuple[Number, list[Number]]:
        over = 1.0 / (a + n)
        slope = c.fma(-term, over, slope) * (x * over)
        term = term * (x * over)
        total, slopes = total + term, slopes + slope
        return (term > total * least) | (c.abs(slope) > c.abs(slopes) * least), [term, total, slope, slopes]

    one, nought = c.real(1.0), c.real(0.0)
    _, total, _, slopes = repeat_while(c, active, [one, one, nought, nought], step, _STEPS)
    return c.fma(log(c, x) - digamma_of(c, bits, a + 1.0), total, slopes)


def _slope_of_fraction(c: Code, bits: int, a: Number, x: Number, active: Number) -> Number:
    """(dQ / da) / (a D)."""
    least = _LEAST_OF_SLOPE[bits]
    first = 1.0 / (x + 1.0 - a)

    def step(n: Number, d: Number, slope: Number, change: Number, turn: Number, total: Number, slopes: Number) -> Any:
        b = x + 1.0 - a + (n + n)
        of = n * (a - n)
        found = 1.0 / c.fma(of, d, b)
        slope = -(found * found) * (c.fma(n, d, of * slope) - 1.0)
        factor = c.fma(b, found, -1.0)
        turn = c.fma(c.fma(b, slope, -found), change, factor * turn)
        change = factor * change
        total, slopes = total + change, slopes + turn
        going = (c.abs(change) > c.abs(total) * least) | (c.abs(turn) > c.abs(slopes) * least)
        return going, [found, slope, change, turn, total, slopes]

    square = first * first
    *_, total, slopes = repeat_while(c, active, [first, square, first, square, first, square], step, _STEPS)
    return c.fma(log(c, x) - digamma_of(c, bits, a), total, slopes)


def _draw_of_huge(c: Code, a: Number, x: Number) -> Number:
    """dx / da at a fixed P, by the expansion of Cornish and Fisher about x = a."""
    m = (x - a) / a
    return 1.0 + 0.5 * m - (m * m - 1.0 / a) * (1 / 6)


def _derivative(random: bool) -> Build:
    """dP / da; random: divided by -dP / dx, as the derivative of a gamma draw by its shape."""

    def build(c: Code, bits: int, a: Number, x: Number) -> Number:
        allowed = (a > 0.0) & (x >= 0.0)
        inside = allowed & (x > 0.0) & (x < math.inf)
        order, place = c.select(inside, a if random else c.at_least(a, 1e-290), 1.0), c.select(inside, x, 1.0)
        huge = order > _HUGE
        active = inside & ~huge
        above = (place > 1.0) & (place > order)
        if random:
            by_sum, by_fraction, by_draw = place / order, -place, c.real(-1.0)
        else:
            by_sum = density(c, bits, order, place)
            by_fraction = -(by_sum * order)
            by_draw = by_fraction / place
        value = by_sum * _slope_of_sum(c, bits, order, place, active & ~above)
        value = where_any(c, above, lambda: by_fraction * _slope_of_fraction(c, bits, order, place, active & above), value)
        value = where_any(c, huge, lambda: by_draw * _draw_of_huge(c, order, place), value)
        value = c.select(inside, -value if random else value, 0.0)
        return c.select(allowed, value, math.nan)

    return build


#: By our names: what gives each for a and x of either format.
INCOMPLETE = {
    "igamma": fall_back_on_scipy("gammainc", _igamma),
    "igammac": fall_back_on_scipy("gammaincc", _igammac),
}
BY_ORDER = {
    "igamma_grad_a": compute_in_double(_derivative(False)),
    "random_gamma_grad": compute_in_double(_derivative(True)),
}
