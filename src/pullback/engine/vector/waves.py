"""Bessel functions of the first and second kind, of the orders 0 and 1.

Up to 2 they are polynomials of x^2, those of the second kind with log(x) times the first kind beside them; up to 4 polynomials of x.
Beyond, with t = x - pi / 4 or x - 3 pi / 4, J = A (P cos t - Q sin t) and Y = A (P sin t + Q cos t), A = sqrt(2 / (pi x)), with P and x Q
polynomials of 1 / x^2.  Nothing is taken from x before its sine and cosine: the sums that t would give are written out.  Around the root
of Y0 below 1 a polynomial times the distance from it keeps all digits; around other roots the digits are those of the amplitude.
"""

from __future__ import annotations

import math

from . import tables as tables
from .code import Code, Number
from .exp_log import log
from .trig import cos, sin
from .wide import Build, compute_in_double, evaluate_table, where_any

_NEAR, _MIDDLE = 2.0, 4.0


def _evaluate_far(c: Code, bits: int, x: Number, order: int, second: bool) -> Number:
    """J or Y for x of at least `_MIDDLE`."""
    u = 1.0 / x
    w = u * u
    p, q = (tables.P1, tables.Q1) if order else (tables.P0, tables.Q0)
    even, odd = evaluate_table(c, bits, w, p), evaluate_table(c, bits, w, q) * u
    # By sqrt(2) A: J0 and -Y1 are (P + Q) a + (P - Q) b with a, b the cosine and sine; Y0 and J1 have the sine and minus the cosine.
    size = c.sqrt(u * (1 / math.pi))
    sine, cosine = sin(c, x), cos(c, x)
    with_sine, with_cosine = (even + odd, odd - even) if order != second else (even - odd, even + odd)
    value = c.fma(with_sine, sine, with_cosine * cosine)
    if order and second:
        value = -value
    return value * size


def _define_first(order: int) -> Build:
    middle = tables.J1_MIDDLE if order else tables.J0_MIDDLE

    def build(c: Code, bits: int, x: Number) -> Number:
        size = c.abs(x)
        small = c.at_most(size, _NEAR)
        value = (
            evaluate_table(c, bits, small * small, tables.J1_NEAR) * small
            if order
            else evaluate_table(c, bits, small * small, tables.J0_NEAR)
        )
        value = where_any(c, size > _NEAR, lambda: evaluate_table(c, bits, size, middle), value)
        value = where_any(c, size > _MIDDLE, lambda: _evaluate_far(c, bits, c.at_least(size, _MIDDLE), order, False), value)
        return c.real_of(c.bits_of(value) ^ (c.bits_of(x) & c.integer(-1 << 63))) if order else value  # odd, or even

    return build


def _second(order: int) -> Build:
    middle = tables.Y1_MIDDLE if order else tables.Y0_MIDDLE

    def build(c: Code, bits: int, x: Number) -> Number:
        small = c.at_most(x, _NEAR)
        z, logarithm = small * small, log(c, small)
        if order:
            pole = logarithm * (evaluate_table(c, bits, z, tables.J1_NEAR) * small) - 1.0 / small
            value = c.fma(evaluate_table(c, bits, z, tables.Y1_NEAR), small, pole * (2 / math.pi))
        else:
            value = c.fma(logarithm * evaluate_table(c, bits, z, tables.J0_NEAR), 2 / math.pi, evaluate_table(c, bits, z, tables.Y0_NEAR))
            high, low = tables.Y0_ROOT
            value = c.select((x > 0.6) & (x < 1.2), ((x - high) - low) * evaluate_table(c, bits, x, tables.Y0_ROUND), value)
        value = where_any(c, x > _NEAR, lambda: evaluate_table(c, bits, x, middle), value)
        return where_any(c, x > _MIDDLE, lambda: _evaluate_far(c, bits, c.at_least(x, _MIDDLE), order, True), value)

    return build


#: By SciPy's names; Y for positive x.
WAVES = {f"j{order}": compute_in_double(_define_first(order)) for order in (0, 1)} | {
    f"y{order}": compute_in_double(_second(order)) for order in (0, 1)
}
