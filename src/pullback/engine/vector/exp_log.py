"""Exponentials and logarithms, and what is made of them, without branches.

exp(x) = 2^n exp(r) with n = rint(x / ln 2); expm1, tanh and sinh keep r + r^2 q(r), the polynomial without its 1, so that nothing is
lost near 0.  log(x) = e ln 2 + log(1 + f) with 1 + f from 3/4 to 3/2; float32 takes a polynomial in f, float64 one in
(f / (2 + f))^2, half as long.  log1p finds e from 1 + x and f from x itself, exactly.
Bounds are chosen so that what lies beyond them has the same answer: no result is replaced afterwards where that can be had.
"""

from __future__ import annotations

import math

from .code import Code, Number
from .coefficients import ATANH, EXP, EXP2, LOG1P

_LOG2E = 1 / math.log(2)
# Constants in two parts.
_LN2_HIGH = {32: 0.693147182464599609375, 64: float.fromhex("0x1.62e42fefa39efp-1")}
_LN2_LOW = {32: -1.90465429995776804525e-09, 64: float.fromhex("0x1.abc9e3b39803fp-56")}
_LOG2E_PARTS = {32: (1.4426950216293335, 1.9259629911266175e-08), 64: (1.4426950408889634, 2.0355273740931033e-17)}
_LOG10E_PARTS = {32: (0.4342944920063019, -1.0103050052231683e-08), 64: (0.4342944819032518, 1.098319650216765e-17)}
_LOG10_2_PARTS = {32: (0.3010300099849701, -1.4320988897559699e-08), 64: (0.3010299956639812, -2.8037281277851704e-18)}


def reduce_argument(c: Code, x: Number) -> tuple[Number, Number, Number]:
    """x - n ln 2, n, and n in the bits of a real."""
    n, shifted = c.nearest(x, _LOG2E)
    r = c.fma(n, -_LN2_HIGH[c.bits], x)
    return c.fma(n, -_LN2_LOW[c.bits], r), n, shifted


# Beyond these exp is 0 (the first rounds to it, half the least denormal) or infinite.
_EXP_LOW, _EXP_HIGH = {32: -104.0, 64: -745.2}, {32: 89.0, 64: 709.9}


def exp(c: Code, x: Number) -> Number:
    """exp(x)."""
    return exp_not_above(c, c.at_most(x, _EXP_HIGH[c.bits]))


def exp_not_above(c: Code, x: Number, rest: Number | None = None, factor: Number | None = None) -> Number:
    """exp(x), times a factor near 1, for x that does not overflow by far; rest: what is to be added to x, below its last place."""
    r, n, shifted = reduce_argument(c, c.at_least(x, _EXP_LOW[c.bits]))
    r = r if rest is None else r + rest
    if factor is not None and c.bits == 64:
        return c.scale_by_power(c.fma(expm1_of(c, r), factor, factor), n, shifted)
    value = exp_of(c, r)
    return c.scale_by_power(value if factor is None else value * factor, n, shifted)


def exp_times(c: Code, x: Number, factor: Number) -> Number:
    """exp(x) times a factor, in float64, rounded once, where the product may be finite though exp(x) is not; beyond 740
    it is infinite, and NaN where the factor is 0.
    """
    return c.select(x < 740.0, exp_not_above(c, c.at_most(x, 740.0), factor=factor), factor * math.inf)


def exp_of(c: Code, r: Number) -> Number:
    """exp(r) for |r| below ln 2 / 2."""
    return c.horner(r, EXP[32]) if c.bits == 32 else expm1_of(c, r) + 1.0


def exp2(c: Code, x: Number) -> Number:
    """2^x."""
    x = c.at_most(c.at_least(x, {32: -151.0, 64: -1076.0}[c.bits]), {32: 128.5, 64: 1024.5}[c.bits])
    shifted = x + c.magic
    n = shifted - c.magic
    return c.scale_by_power(c.polynomial(x - n, EXP2[c.bits]), n, shifted)


def expm1_of(c: Code, r: Number) -> Number:
    """expm1(r) for |r| below ln 2 / 2."""
    square = r * r
    return c.fma(c.polynomial(r, EXP[c.bits][2:], square), square, r)


def expm1(c: Code, x: Number) -> Number:
    """exp(x) - 1."""
    y = c.at_most(c.at_least(x, {32: -18.0, 64: -38.0}[c.bits]), _EXP_HIGH[c.bits])
    r, _, shifted = reduce_argument(c, y)
    # Half of the result, so that 2^n does not overflow before the result does.
    half = c.power_of_two(shifted, -1)
    answer = c.fma(half, expm1_of(c, r), half - 0.5)
    return c.copysign(answer + answer, x)


def tanh(c: Code, x: Number) -> Number:
    """m / (m + 2) with m = exp(2 |x|) - 1, and the sign of x."""
    size = c.abs(x)
    twice = c.at_most(size + size, {32: 18.2, 64: 38.2}[c.bits])
    n, shifted = c.nearest(twice, _LOG2E)
    power = c.power_of_two(shifted)
    m = c.fma(power, expm1_of(c, c.fma(n, -_LN2_HIGH[c.bits], twice)), power - 1.0)
    return c.copysign(m / (m + 2.0), x)


def sigmoid(c: Code, x: Number) -> Number:
    """1 / (1 + exp(-x)); of negative x exp(x) / (1 + exp(x)), so that it vanishes no earlier than it does."""
    shrunk = exp_not_above(c, -c.abs(x))
    return c.select(x < 0.0, shrunk, 1.0) / (1.0 + shrunk)


# ---- logarithms


def _log_of(c: Code, f: Number) -> Number:
    """log(1 + f) for f from -1/4 to 1/2."""
    if c.bits == 32:
        square = f * f
        return c.fma(c.polynomial(f, LOG1P[32][1:], square), square, f)
    # With s = f / (2 + f): 2 atanh(s) = f - s (f - 2 s^2 (q - 1) / ...), arranged so that f itself is the leading term.
    s = f / (f + 2.0)
    z = s * s
    tail = z * c.polynomial(z, ATANH[64][1:])  # atanh(s) / s - 1
    half = 0.5 * (f * f)
    return f - (half - s * (half + (tail + tail)))


def split(c: Code, x: Number) -> tuple[Number, Number]:
    """The exponent e, and m - 1, of x = 2^e m with m from 3/4 to 3/2."""
    if c.is_avx512:
        e, m = c.exponent_and_mantissa(x)
        return e, m - 1.0
    tiny = x < 2.0 ** (1 - c.bias)
    shift = float(c.mantissa + 1)
    x = c.select(tiny, x * 2.0 ** (c.mantissa + 1), x)
    raw = c.bits_of(x)
    exponent = (raw - c.integer(c.pattern(0.75))) >> c.mantissa
    m = c.real_of(raw - (exponent << c.mantissa))
    e = c.to_real(exponent)
    return c.select(tiny, e - shift, e), m - 1.0


def _domain(c: Code, x: Number, answer: Number, at: float = 0.0) -> Number:
    """The answer where x is above `at` and finite; -inf at it, NaN below, x where that is inf or NaN."""
    if c.is_avx512:
        return c.replace_special(answer, x if at == 0.0 else x - at)
    answer = c.select(x < math.inf, answer, x)
    answer = c.select(x < at, math.nan, answer)
    return c.select(x.equals(at), -math.inf, answer)


def log(c: Code, x: Number) -> Number:
    """The natural logarithm."""
    e, f = split(c, x)
    return _domain(c, x, _add_exponent(c, e, _log_of(c, f)))


def _add_exponent(c: Code, e: Number, part: Number) -> Number:
    """part + e ln 2."""
    if c.bits == 32:
        return c.fma(e, _LN2_HIGH[32], part)
    return c.fma(e, _LN2_HIGH[64], c.fma(e, _LN2_LOW[64], part))


def log2(c: Code, x: Number) -> Number:
    """The logarithm to the base 2."""
    e, f = split(c, x)
    part = _log_of(c, f)
    high, low = _LOG2E_PARTS[c.bits]
    return _domain(c, x, c.fma(part, high, c.fma(part, low, e)))


def log10(c: Code, x: Number) -> Number:
    """The logarithm to the base 10."""
    e, f = split(c, x)
    part = _log_of(c, f)
    (high, low), (high_2, low_2) = _LOG10E_PARTS[c.bits], _LOG10_2_PARTS[c.bits]
    rest = c.fma(e, low_2, part * low)
    return _domain(c, x, c.fma(e, high_2, c.fma(part, high, rest)))


def log1p(c: Code, x: Number) -> Number:
    """log(1 + x), without the rounding of 1 + x."""
    return _domain(c, x, c.copysign(log1p_of(c, x), x), -1.0)


def log1p_of(c: Code, x: Number) -> Number:
    """log(1 + x) for finite x above -1."""
    raw = c.bits_of(x + 1.0) - c.integer(c.pattern(0.75))
    exponent = raw & c.integer(-1 << c.mantissa)
    scale = c.real_of(c.integer(c.pattern(4.0)) - exponent)  # 4 over 2^e: that is normal for every e
    f = c.real_of(c.bits_of(x) - exponent) + c.fma(scale, 0.25, -1.0)
    return _add_exponent(c, c.to_real(exponent >> c.mantissa), _log_of(c, f))


def softplus(c: Code, x: Number) -> Number:
    """log(1 + exp(x)) = max(x, 0) + log1p(exp(-|x|))."""
    return c.select(x < 0.0, 0.0, x) + log1p_of(c, exp_not_above(c, -c.abs(x)))
