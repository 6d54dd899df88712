"""Hyperbolic sine and cosine, and the inverses of the trigonometric and hyperbolic functions.

The arc tangent is reduced with tan(pi/8) and tan(3 pi/8), one division for all cases; the arc sine beyond 1/2 by
asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)).  The inverse hyperbolic functions are log1p of what grows from 0 with the result.
"""

from __future__ import annotations

import math

from .code import Code, Number
from .coefficients import ASIN, ATAN
from .exp_log import exp_of, expm1_of, log1p_of, reduce_argument

_LN2 = math.log(2)
_QUARTER_PI = {32: (0.7853981852531433, -2.1855694143368964e-08), 64: (0.7853981633974483, 3.061616997868383e-17)}
_TAN_EIGHTH, _TAN_THREE_EIGHTHS = 0.41421356237309503, 2.414213562373095


# ---- hyperbolic functions

# Beyond this they are infinite.
_SINH_HIGH = {32: 89.5, 64: 710.5}


def sinh(c: Code, x: Number) -> Number:
    """With h = expm1(|x|) / 2: h + h / (2 h + 1)."""
    r, _, shifted = reduce_argument(c, c.at_most(c.abs(x), _SINH_HIGH[c.bits]))
    # A quarter first: 2^n alone would overflow before the result does.
    power = c.power_of_two(shifted, -2)
    quarter = c.fma(power, expm1_of(c, r), power - 0.25)
    half = quarter + quarter
    return c.copysign(half + quarter / (half + 0.5), x)


def cosh(c: Code, x: Number) -> Number:
    """With h = exp(|x|) / 2: h + 1 / (4 h)."""
    r, _, shifted = reduce_argument(c, c.at_most(c.abs(x), _SINH_HIGH[c.bits]))
    quarter = exp_of(c, r) * c.power_of_two(shifted, -2)
    half = quarter + quarter
    return half + 0.25 / half


# Beyond this the square of x adds nothing to 1.
_BIG = {32: 2.0**28, 64: 2.0**56}


def _log_or_log_twice(c: Code, u: Number, x: Number) -> Number:
    """log1p(u), or log(2 x) where x is big; x where that is inf or NaN."""
    big = x > _BIG[c.bits]
    answer = log1p_of(c, c.select(big, x, u)) + c.select(big, c.real(_LN2), 0.0)
    return c.select(x < math.inf, answer, x)


def asinh(c: Code, x: Number) -> Number:
    """log1p(t + t^2 / (1 + sqrt(1 + t^2))), t = |x|."""
    t = c.abs(x)
    square = t * t
    u = c.fma(t, t / (1.0 + c.sqrt(square + 1.0)), t)
    return c.copysign(_log_or_log_twice(c, u, t), x)


def acosh(c: Code, x: Number) -> Number:
    """log1p(t + sqrt(2 t + t^2)), t = x - 1; NaN below 1."""
    t = x - 1.0
    u = t + c.sqrt(c.fma(t, t, t + t))
    return c.select(t < 0.0, math.nan, _log_or_log_twice(c, u, x))


def atanh(c: Code, x: Number) -> Number:
    """log1p(2 t / (1 - t)) / 2, t = |x|; infinite at 1, NaN beyond."""
    t = c.abs(x)
    answer = log1p_of(c, (t + t) / (1.0 - t)) * 0.5
    answer = c.select(t < 1.0, answer, c.select(t.equals(1.0), c.real(math.inf), math.nan))
    return c.copysign(answer, x)


# ---- inverse trigonometric functions


def _atan_of(c: Code, z: Number, eighths: Number) -> Number:
    """atan(z) and so many quarters of pi, for |z| up to tan(pi/8)."""
    square = z * z
    part = c.fma(c.polynomial(square, ATAN[c.bits][1:]), square * z, z)
    high, low = _QUARTER_PI[c.bits]
    return c.fma(eighths, high, c.fma(eighths, low, part))


def atan(c: Code, x: Number) -> Number:
    """The arc tangent."""
    t = c.abs(x)
    middle, large = t > _TAN_EIGHTH, t > _TAN_THREE_EIGHTHS
    above = c.select(large, c.real(-1.0), c.select(middle, t - 1.0, t))
    below = c.select(large, t, c.select(middle, t + 1.0, c.real(1.0)))
    quarters = c.select(large, c.real(2.0), c.select(middle, c.real(1.0), 0.0))
    return c.copysign(_atan_of(c, above / below, quarters), x)


def atan2(c: Code, y: Number, x: Number) -> Number:
    """The angle of the point (x, y), from -pi to pi; zeros and infinities have the angles that C gives them."""
    a, b = c.abs(y), c.abs(x)
    steep = a > b
    less, more = c.select(steep, b, a), c.select(steep, a, b)
    # Their sum must not overflow.
    scale = c.select(more > 2.0 ** (c.bias - 2), c.real(0.25), 1.0)
    middle = less > more * _TAN_EIGHTH
    above = c.select(middle, less * scale - more * scale, less)
    below = c.select(middle, less * scale + more * scale, more)
    z = above / below
    z = c.select(less.equals(more), c.select(more.equals(0.0) | more.equals(math.inf), c.real(0.0), z), z)
    diagonal = middle | (less.equals(more) & more.equals(math.inf))
    # The angle in the octant is z's and a quarter of pi or none; then pi/2 or pi less that.
    flip = c.copysign(c.real(1.0), x) < 0.0
    quarters = c.select(diagonal, c.real(1.0), 0.0)
    quarters = c.select(steep, 2.0 - quarters, quarters)
    quarters = c.select(flip, 4.0 - quarters, quarters)
    turned = c.real_of(c.bits_of(z) ^ c.select(steep ^ flip, c.integer(-1 << (c.bits - 1)), c.integer(0)))
    answer = _atan_of(c, turned, quarters)
    return c.copysign(c.select(x.is_nan() | y.is_nan(), math.nan, answer), y)


def _asin_of(c: Code, s: Number, z: Number) -> Number:
    """asin(s) for s up to 1/2, z = s^2."""
    return c.fma(c.polynomial(z, ASIN[c.bits][1:]), s * z, s)


def _asin_parts(c: Code, x: Number) -> tuple[Number, Number, Number]:
    """|x|, whether it is beyond 1/2, and the arc sine of it or of sqrt((1 - |x|) / 2); NaN beyond 1."""
    t = c.abs(x)
    large = t > 0.5
    z = c.select(large, c.fma(t, -0.5, 0.5), t * t)
    s = c.select(large, c.sqrt(z), t)
    return t, large, _asin_of(c, s, z)


def asin(c: Code, x: Number) -> Number:
    """The arc sine; NaN beyond 1."""
    _, large, part = _asin_parts(c, x)
    high, low = (2 * p for p in _QUARTER_PI[c.bits])
    rest = high - (part + part - low)
    return c.copysign(c.select(large, rest, part), x)


def acos(c: Code, x: Number) -> Number:
    """The arc cosine; NaN beyond 1."""
    _, large, part = _asin_parts(c, x)
    high, low = (2 * p for p in _QUARTER_PI[c.bits])
    signed = c.copysign(part, x)
    near = high - (signed - low)
    twice = part + part
    far = c.select(x < 0.0, 2 * high - (twice - 2 * low), twice)
    return c.select(large, far, near)
