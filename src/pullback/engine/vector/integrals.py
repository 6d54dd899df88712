"""Integrals with names: Dawson's, the exponential integral, Fresnel's two and Spence's, in float64, by the tables' pieces.

Dawson's: x times a polynomial of x^2, polynomials of x, then 1 / (2 x) times polynomials of 1 / x^2.
Ei, where TensorFlow has it, from 0 on and below infinity: up to 6, log(x / r) plus (x - r) times a series without cancellation, r its root;
beyond, exp(x) / x times polynomials of 1 / x.
Fresnel's: up to 5/4 polynomials of x^4; beyond, 1/2 with f and g by sine and cosine of pi x^2 / 2, x^2 taken to twice the precision.
Spence's: with y = min(x, 1 / x), (1 - y) times one polynomial from 0.3 on, and by the reflection log(y) log(1 - y) below; for x above 1
less log(x)^2 / 2.
"""

from __future__ import annotations

import math
from functools import partial

from . import tables as tables
from .code import Code, Number
from .exp_log import exp_times, log, log1p_of
from .trig import cos, sin
from .wide import Build, compute_in_double, evaluate_table, where_any


def dawsn(c: Code, bits: int, x: Number) -> Number:
    """exp(-x^2) times the integral of exp(t^2) from 0 to x."""
    size = c.abs(x)
    small = c.at_most(size, 1.0)
    value = evaluate_table(c, bits, small * small, tables.DAWSN_0) * small
    value = where_any(c, size > 1.0, lambda: evaluate_table(c, bits, size, tables.DAWSN_1), value)
    value = where_any(c, size > 2.0, lambda: evaluate_table(c, bits, size, tables.DAWSN_2), value)

    def evaluate_far() -> Number:
        u = 1.0 / c.at_least(size, 3.0)
        w = u * u
        middle = evaluate_table(c, bits, w, tables.DAWSN_3)
        return c.select(size > 6.0, evaluate_table(c, bits, w, tables.DAWSN_6), middle) * (0.5 * u)

    return c.copysign(where_any(c, size > 3.0, evaluate_far, value), x)


# ---- the exponential integral


def _ei_near(c: Code, bits: int, x: Number) -> Number:
    """Ei for x from 0 to 6."""
    high, low = tables.EI_ROOT
    apart = (x - high) - low
    tiny = x < 1e-290
    quotient = c.select(tiny, x, x * (1 / high))
    logarithm = log(c, quotient) - c.select(tiny, math.log(high), c.real(0.0))
    if bits == 64:  # next to the root, what the quotient rounds off is as large as the logarithm
        lost = apart * (1 / high) - (quotient - 1.0)
        logarithm = logarithm + c.select((quotient > 0.5) & (quotient < 2.0), lost, 0.0)
    return c.fma(apart, evaluate_table(c, bits, x, tables.EI_NEAR), logarithm)


def _ei_far(c: Code, bits: int, x: Number) -> Number:
    """Ei for x from 6 on."""
    u = 1.0 / x
    value = evaluate_table(c, bits, u, tables.EI_6)
    for start, table in ((10.0, tables.EI_10), (20.0, tables.EI_20), (40.0, tables.EI_40)):
        value = where_any(c, x > start, partial(evaluate_table, c, bits, u, table), value)
    return exp_times(c, x, u * value)


def expint(c: Code, bits: int, x: Number) -> Number:
    """Ei(x); -inf at 0; NaN for negative x and infinity, as TensorFlow."""
    value = _ei_near(c, bits, c.at_most(x, 6.0))
    value = where_any(c, x > 6.0, lambda: _ei_far(c, bits, c.at_most(c.at_least(x, 6.0), 1000.0)), value)
    return c.select(x < math.inf, value, math.nan)


# ---- Fresnel's integrals


def _quarter_turns(c: Code, x: Number) -> Number:
    """x^2 less a multiple of 4, from -2 to 2, without the rounding of x^2."""
    square = x * x
    lost = c.fma(x, x, -square)
    return c.fma(c.rint(square * 0.25), -4.0, square) + lost


def _fresnel(cosine: bool) -> Build:
    near_table = tables.FRESNEL_C if cosine else tables.FRESNEL_S

    def evaluate_far(c: Code, bits: int, x: Number) -> Number:
        u = 1.0 / x
        w = u * u
        f, g = evaluate_table(c, bits, w, tables.FRESNEL_F_1), evaluate_table(c, bits, w, tables.FRESNEL_G_1)
        for start, of_f, of_g in ((2.5, tables.FRESNEL_F_2, tables.FRESNEL_G_2), (5.0, tables.FRESNEL_F_5, tables.FRESNEL_G_5)):
            beyond = x > start
            f, g = c.select(beyond, evaluate_table(c, bits, w, of_f), f), c.select(beyond, evaluate_table(c, bits, w, of_g), g)
        angle = _quarter_turns(c, c.at_most(x, 1e150)) * (math.pi / 2)
        sine, cosine_ = sin(c, angle), cos(c, angle)
        f, g = f * u, g * (u * w)
        return 0.5 + (f * sine - g * cosine_) if cosine else 0.5 - (f * cosine_ + g * sine)

    def build(c: Code, bits: int, x: Number) -> Number:
        size = c.abs(x)
        small = c.at_most(size, 1.25)
        square = small * small
        near = evaluate_table(c, bits, square * square, near_table) * small
        value = where_any(c, size > 1.25, lambda: evaluate_far(c, bits, c.at_least(size, 1.25)), near if cosine else near * square)
        return c.copysign(value, x) + 0.0  # no negative zero, as SciPy

    return build


# ---- Spence's integral


def spence(c: Code, bits: int, x: Number) -> Number:
    """The integral of log(t) / (1 - t) from 1 to x; NaN for negative x."""
    above = x > 1.0
    inverse = 1.0 / x
    y = c.select(above, inverse, x)
    rest = c.select(above, (x - 1.0) * inverse, 1.0 - x)  # 1 - y, without the rounding of y
    low = y < 0.3
    value = c.select(low, y, rest) * evaluate_table(c, bits, c.select(low, rest, y), tables.SPENCE)
    logarithm = log(c, x)

    def evaluate_reflected() -> Number:
        other = c.select(above, -logarithm, logarithm) * log1p_of(c, -c.at_most(y, 0.3))
        return c.select(y.equals(0.0), 0.0, -other) + (math.pi**2 / 6 - value)

    value = where_any(c, low, evaluate_reflected, value)
    return c.select(above, -0.5 * (logarithm * logarithm) - value, c.select(x < 0.0, math.nan, value))


INTEGRALS = {
    "dawsn": compute_in_double(dawsn),
    "expint": compute_in_double(expint),
    "fresnel_cos": compute_in_double(_fresnel(True)),
    "fresnel_sin": compute_in_double(_fresnel(False)),
    "spence": compute_in_double(spence),
}
