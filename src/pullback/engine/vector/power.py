"""x to the power y: 2^(y log2 |x|) and the cases of C's pow.

y takes the logarithm to as much as 2^10 (2^7 in float32), and its error with it.  float32 is computed in float64, with shorter
polynomials, right to 2^-34.  float64 has the logarithm as a sum of two numbers: with s = f / (2 + f) and z = s^2,
log(1 + f) = 2 s (1 + z / 3 + z^2 p(z)), where the last term is small enough for plain arithmetic.
"""

from __future__ import annotations

import math

from .code import Code, Number
from .coefficients import ATANH_REST, EXP2, EXP2_OF_FLOAT, LOG2_OF_FLOAT
from .exp_log import split

_THIRD = (0.3333333333333333, 1.850371707708594e-17)
_TWICE_LOG2E = (2.8853900817779268, 4.0710547481862066e-17)


def power(c: Code, x: Number, y: Number) -> Number:
    """x^y, as C's pow."""
    size = c.abs(x)
    return _cases(c, x, y, _power_of_float(c, size, y) if c.bits == 32 else _power_of_double(c, size, y))


def _power_of_double(c: Code, x: Number, y: Number) -> Number:
    """x^y for x >= 0 where neither is special."""
    high, low = _log2_twice(c, x)
    product = y * high
    rest = c.fma(y, high, -product) + y * low
    bounded = c.at_most(c.at_least(product, -1080.0), 1030.0)
    rest = c.select(product.equals(bounded), rest, 0.0)
    shifted = bounded + c.magic
    n = shifted - c.magic
    r = (bounded - n) + rest
    return c.scale_by_power(c.fma(c.polynomial(r, EXP2[64][1:]), r, 1.0), n, shifted)


def _log2_twice(c: Code, x: Number) -> tuple[Number, Number]:
    """log2(x) as a sum."""
    e, f = split(c, x)
    below = f + 2.0
    inverse = 1.0 / below
    s = f * inverse
    s_low = (c.fma(-s, below, f) - s * (f - (below - 2.0))) * inverse
    z = s * s
    z_low = c.fma(s + s, s_low, c.fma(s, s, -z))
    third = z * _THIRD[0]
    third_low = c.fma(z, _THIRD[0], -third) + c.fma(z_low, _THIRD[0], z * _THIRD[1])
    more = z * z * c.polynomial(z, ATANH_REST[64])
    factor = third + more
    factor_low = (more - (factor - third)) + third_low
    part = s * factor
    part_low = c.fma(s, factor, -part) + c.fma(s, factor_low, s_low * factor)
    half = s + part
    half_low = (part - (half - s)) + (s_low + part_low)
    fraction = half * _TWICE_LOG2E[0]
    fraction_low = c.fma(half, _TWICE_LOG2E[0], -fraction) + c.fma(half, _TWICE_LOG2E[1], half_low * _TWICE_LOG2E[0])
    total = e + fraction
    return total, (fraction - (total - e)) + fraction_low


def _power_of_float(c: Code, x: Number, y: Number) -> Number:
    """x^y for x >= 0 where neither is special."""
    d = c.with_bits(64)
    wide = c.widen(x)
    raw = d.bits_of(wide)
    exponent = (raw - d.integer(d.pattern(0.75))) >> d.mantissa
    f = d.real_of(raw - (exponent << d.mantissa)) - 1.0
    log2 = d.fma(f, d.polynomial(f, LOG2_OF_FLOAT[64]), d.to_real(exponent))
    t = d.at_most(d.at_least(log2 * c.widen(y), -160.0), 160.0)
    shifted = t + d.magic
    part = d.polynomial(t - (shifted - d.magic), EXP2_OF_FLOAT[64])
    return c.narrow(part * d.power_of_two(shifted))


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
