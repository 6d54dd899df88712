"""x to the power y: 2^(y log2 |x|) and the cases of C's pow.

float32 is computed in float64, with shorter polynomials: the logarithm is right to 2^-34, which y takes to at most 2^-26.
"""

from __future__ import annotations

import math

from .vector_calls import called
from .vector_code import Code, Number
from .vector_coefficients import EXP2_OF_FLOAT, LOG2_OF_FLOAT


def power(c: Code, x: Number, y: Number) -> Number:
    """x^y, as C's pow."""
    if c.bits == 64:
        return called(c, "pow", x, y)
    return _cases(c, x, y, _of_float(c, c.abs(x), y))


def _of_float(c: Code, x: Number, y: Number) -> Number:
    """x^y for x >= 0 where neither is special."""
    d = c.with_bits(64)
    wide = c.widened(x)
    raw = d.bits_of(wide)
    exponent = (raw - d.integer(d.pattern(0.75))) >> d.mantissa
    f = d.real_of(raw - (exponent << d.mantissa)) - 1.0
    log2 = d.fma(f, d.polynomial(f, LOG2_OF_FLOAT[64]), d.to_real(exponent))
    t = d.at_most(d.at_least(log2 * c.widened(y), -160.0), 160.0)
    shifted = t + d.magic
    part = d.polynomial(t - (shifted - d.magic), EXP2_OF_FLOAT[64])
    return c.narrowed(part * d.power_of_two(shifted))


def _cases(c: Code, x: Number, y: Number, size: Number) -> Number:
    """x^y of |x|^y where that is neither 0, 1 nor infinite for x or y."""
    one, infinite = c.real(1.0), c.real(math.inf)
    base, order = c.abs(x), c.abs(y)
    # 0 and infinity to a power, and anything to an infinite power: 0, 1 or infinity.
    grows = ~((base > 1.0) ^ (y > 0.0))
    extreme = c.select(grows, infinite, 0.0)
    special = base.equals(0.0) | base.equals(math.inf) | order.equals(math.inf)
    size = c.select(special, extreme, size)
    whole = c.rint(y).equals(y)
    half = y * 0.5
    odd = whole & ~c.rint(half).equals(half)
    size = c.select(odd, c.copysign(size, x), size)
    size = c.select((x < 0.0) & ~whole & (base < math.inf) & (order < math.inf), math.nan, size)
    size = c.select(x.is_nan() | y.is_nan(), math.nan, size)
    unit = x.equals(1.0) | y.equals(0.0) | (base.equals(1.0) & order.equals(math.inf))
    return c.select(unit, one, size)
