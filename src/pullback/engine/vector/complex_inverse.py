"""Inverse functions of complex numbers as pairs of reals, by Kahan's formulas ("Branch cuts for complex elementary functions", 1987).

Products of square roots of 1 - z and 1 + z, whose parts add up with equal signs, keep all digits; which side of a cut a number is on,
the sign of a zero says.  Numbers of single precision are worked out in double, where nothing overflows on the way.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps

from .code import Code
from .complex import Pair, sqrt_of_pair
from .exp_log import log1p
from .inverse import asinh, atan2

_FAR = 2.0**60  # from where the inverse hyperbolic tangent is a quarter turn, to rounding


def _widen_to_double(function: Callable[[Code, Pair], Pair]) -> Callable[[Code, Pair], Pair]:
    @wraps(function)
    def build(c: Code, x: Pair) -> Pair:
        if c.bits == 64:
            return function(c, x)
        real, imaginary = function(c.with_bits(64), (c.widen(x[0]), c.widen(x[1])))
        return c.narrow(real), c.narrow(imaginary)

    return build


def _roots(c: Code, x: Pair) -> tuple[Pair, Pair]:
    """The square roots of 1 - z and 1 + z."""
    return sqrt_of_pair(c, (1.0 - x[0], -x[1])), sqrt_of_pair(c, (x[0] + 1.0, x[1]))


@_widen_to_double
def asin_of_pair(c: Code, x: Pair) -> Pair:
    """The inverse sine."""
    below, above = _roots(c, x)
    return atan2(c, x[0], below[0] * above[0] - below[1] * above[1]), asinh(c, below[0] * above[1] - below[1] * above[0])


@_widen_to_double
def acos_of_pair(c: Code, x: Pair) -> Pair:
    """The inverse cosine."""
    below, above = _roots(c, x)
    return atan2(c, below[0], above[0]) * 2.0, asinh(c, above[0] * below[1] - above[1] * below[0])


@_widen_to_double
def acosh_of_pair(c: Code, x: Pair) -> Pair:
    """The inverse hyperbolic cosine."""
    below, above = sqrt_of_pair(c, (x[0] - 1.0, x[1])), sqrt_of_pair(c, (x[0] + 1.0, x[1]))
    return asinh(c, below[0] * above[0] + below[1] * above[1]), atan2(c, below[1], above[0]) * 2.0


@_widen_to_double
def atanh_of_pair(c: Code, x: Pair) -> Pair:
    """The inverse hyperbolic tangent."""
    size = c.abs(x[0])
    left = 1.0 - size
    square = x[1] * x[1]
    real = log1p(c, size * 4.0 / (left * left + square)) * 0.25
    turn = atan2(c, x[1] * 2.0, left * (size + 1.0) - square) * 0.5
    far = (size > _FAR) | (c.abs(x[1]) > _FAR)
    return c.copysign(real, x[0]), c.select(far, c.copysign(c.real(math.pi / 2), x[1]), turn)


def asinh_of_pair(c: Code, x: Pair) -> Pair:
    """The inverse hyperbolic sine, i asin(-i z)."""
    real, imaginary = asin_of_pair(c, (x[1], -x[0]))
    return -imaginary, real


def atan_of_pair(c: Code, x: Pair) -> Pair:
    """The inverse tangent, -i atanh(i z)."""
    real, imaginary = atanh_of_pair(c, (-x[1], x[0]))
    return imaginary, -real
