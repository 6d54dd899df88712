"""Sine, cosine and tangent: x less a multiple of pi, in three parts, then a polynomial; the C library's functions for huge arguments.

Sine and cosine take multiples of pi, whole ones and halves of odd ones: one polynomial on [-pi/2, pi/2] serves every quadrant.
The parts of pi are rounded down, so that 0 keeps its sign.
"""

from __future__ import annotations

import math

from .calls import call_by_lane
from .code import Code, Number
from .coefficients import COS, SIN

_PI = {
    32: (3.141592502593994, 1.5099578831723193e-07, 1.078060505991553e-14),
    64: (3.141592653589793, 1.224646799147353e-16, 2.1657133478438278e-32),
}
# Up to here the parts of pi are enough: what is left of x is right to its last bit but one, even next to a multiple of pi.
_LIMIT = {32: 60000.0, 64: 1e8}


def _subtract_turns(c: Code, x: Number, n: Number, unit: float = 1.0) -> Number:
    """x - n pi, or so many parts of pi."""
    for part in _PI[c.bits]:
        x = c.fma(n, -part * unit, x)
    return x


def _sine_of(c: Code, r: Number) -> Number:
    z = r * r
    return c.fma(c.polynomial(z, SIN[c.bits][1:]), z * r, r)


def _apply_sign(c: Code, size: Number, r: Number, shifted: Number) -> Number:
    """The value with the sign of r, or the opposite where the whole number in the low bits is odd."""
    sign = c.real_of(c.bits_of(r) ^ (c.bits_of(shifted) << (c.bits - 1)))
    return c.copysign(size, sign)


def _correct_by_library(c: Code, name: str, x: Number, answer: Number) -> Number:
    """The answer, or the C library's where |x| is beyond the limit."""
    huge = c.abs(x) > _LIMIT[c.bits]
    return call_by_lane(c, name, [x], answer, huge)


def sin(c: Code, x: Number) -> Number:
    """The sine."""
    n, shifted = c.nearest(x, 1 / math.pi)
    r = _subtract_turns(c, x, n)
    return _correct_by_library(c, "sin", x, _apply_sign(c, _sine_of(c, r), r, shifted))


def cos(c: Code, x: Number) -> Number:
    """The cosine: minus the sine of x - (n + 1/2) pi, for odd n plus."""
    below, shifted = c.nearest(c.fma(x, 1 / math.pi, -0.5), 1.0)
    r = _subtract_turns(c, x, below + 0.5)
    return _correct_by_library(c, "cos", x, -_apply_sign(c, _sine_of(c, r), r, shifted))


def tan(c: Code, x: Number) -> Number:
    """The tangent: sine by cosine of what is left of multiples of pi / 2, or minus cosine by sine."""
    n, shifted = c.nearest(x, 2 / math.pi)
    r = _subtract_turns(c, x, n, 0.5)
    z = r * r
    sine, cosine = _sine_of(c, r), c.polynomial(z, COS[c.bits])
    odd = (c.bits_of(shifted) & 1).equals(1)
    above, below = c.select(odd, cosine, sine), c.select(odd, sine, cosine)
    return _correct_by_library(c, "tan", x, _apply_sign(c, above / below, r, shifted))
