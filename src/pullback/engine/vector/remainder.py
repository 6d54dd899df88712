"""Remainders of division, exact: one division and a fused multiply-add, and the C library's fmod where the quotient is huge."""

from __future__ import annotations

import math

from .calls import call_by_lane
from .code import Code, Number


def fmod(c: Code, x: Number, y: Number) -> Number:
    """What is left of x after the quotient rounded towards zero times y; it has x's sign."""
    a, b = c.abs(x), c.abs(y)
    quotient = c.intrinsic("trunc", a / b)
    # Exact, for what is left is a number of the format; where the division has rounded up to a whole number it is negative.
    left = c.fma(-quotient, b, a)
    left = c.select(left < 0.0, left + b, left)
    left = c.select(b.equals(math.inf), a, left)
    huge = ~(quotient < 2.0 ** (c.mantissa - 1))
    return call_by_lane(c, "fmod", [x, y], c.copysign(left, x), huge)


def floormod(c: Code, x: Number, y: Number) -> Number:
    """What is left of x after the quotient rounded down times y; it has y's sign."""
    left = fmod(c, x, y)
    nought = left.equals(0.0)
    apart = (left < 0.0) ^ (y < 0.0)
    left = c.select(apart & ~nought, left + y, left)
    return c.select(nought, c.copysign(left, y), left)
