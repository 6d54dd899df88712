"""Sums of two numbers, high and low, that hold twice the digits of float64: their arithmetic, logarithm and exponential.

The formulas are written once, for arrays (`arrays.Arrays`) and for the engine's vectors (`engine.vector.formulas.Words`): `w` stands
for either.  What needs the exact error of a product asks `w.product`, as only one of them has fused multiply-adds.  Sums and products are
Dekker's and Knuth's; logarithm and exponential are right to about 2^-67.
"""

from __future__ import annotations

from math import factorial
from typing import Any

Pair = tuple[Any, Any]


LN_2: Pair = (0.6931471805599453, 2.3190468138462996e-17)
EULER: Pair = (0.5772156649015329, -4.942915152430645e-18)
HALF_LOG_2_PI: Pair = (0.9189385332046728, -3.8782941580672414e-17)
_FURTHEST = 2000.0  # exponents beyond give 0 or infinity whatever they are multiplied with
_THIRD: Pair = (0.3333333333333333, 1.850371707708594e-17)
_FIFTH: Pair = (0.2, -1.1102230246251566e-17)
_SIXTH: Pair = (0.16666666666666666, 9.25185853854297e-18)
_24TH: Pair = (0.041666666666666664, 2.3129646346357427e-18)
_ATANH = tuple(1.0 / k for k in range(7, 31, 2))  # from s^6 on
_EXP = tuple(1.0 / factorial(k) for k in range(5, 17))  # from r^5 on


def two_sum(x: Any, y: Any) -> Pair:
    """x + y, and what it rounds off."""
    total = x + y
    back = total - x
    return total, (x - (total - back)) + (y - back)


def renew_pair(high: Any, low: Any) -> Pair:
    """The same sum, with nothing in the low part that fits the high one; it is the lesser one."""
    total = high + low
    return total, low - (total - high)


def add(x: Pair, y: Pair) -> Pair:
    """x + y."""
    high, low = two_sum(x[0], y[0])
    return renew_pair(high, low + (x[1] + y[1]))


def plus(x: Pair, y: object) -> Pair:
    """x + y for a plain y."""
    high, low = two_sum(x[0], y)
    return renew_pair(high, low + x[1])


def negative(x: Pair) -> Pair:
    """-x."""
    return -x[0], -x[1]


def multiply(w: Any, x: Pair, y: Pair) -> Pair:
    """x y."""
    high, low = w.product(x[0], y[0])
    return renew_pair(high, low + (x[0] * y[1] + x[1] * y[0]))


def times(w: Any, x: Pair, y: Any) -> Pair:
    """x y for a plain y."""
    high, low = w.product(x[0], y)
    return renew_pair(high, low + x[1] * y)


def divide(w: Any, x: Pair, y: Pair) -> Pair:
    """x / y."""
    over = 1.0 / y[0]
    quotient = x[0] * over
    back, lost = w.product(quotient, y[0])
    return renew_pair(quotient, ((x[0] - back) - lost + (x[1] - quotient * y[1])) * over)


def root(w: Any, x: Pair) -> Pair:
    """The square root of x > 0."""
    high = w.sqrt(x[0])
    back, lost = w.product(high, high)
    return renew_pair(high, ((x[0] - back) - lost + x[1]) * 0.5 / high)


def log1p(w: Any, u: Pair) -> Pair:
    """log(1 + u) for u from -1/4 to 1/2: with s = u / (2 + u) twice the series of atanh(s)."""
    s = divide(w, u, plus(u, 2.0))
    z = multiply(w, s, s)
    inner = plus(_FIFTH, z[0] * w.polynomial(z[0], _ATANH))
    inner = add(_THIRD, multiply(w, z, inner))
    value = add(s, multiply(w, multiply(w, s, z), inner))
    return value[0] + value[0], value[1] + value[1]


def log(w: Any, x: Pair) -> Pair:
    """The logarithm of x > 0 (of 0 that of the least number): e ln 2 and that of m from 3/4 to 3/2 for x = 2^e m."""
    e, f = w.split(w.maximum(x[0], 5e-324))
    return add(times(w, LN_2, e), log1p(w, two_sum(f, w.scale_by_power(x[1], -e))))


def _expm1_near(w: Any, r: Pair) -> Pair:
    inner = plus(_24TH, r[0] * w.polynomial(r[0], _EXP))
    inner = add(_SIXTH, multiply(w, r, inner))
    inner = plus(multiply(w, r, inner), 0.5)
    return add(r, multiply(w, multiply(w, r, r), inner))


def _reduce_argument(w: Any, x: Pair) -> tuple[Any, Pair]:
    """n and r = x - n ln 2, |r| at most about ln 2 / 2."""
    n = w.rint(x[0] * (1.0 / LN_2[0]))
    return n, add(x, negative(times(w, LN_2, n)))


def exp(w: Any, x: Pair) -> tuple[Pair, Any]:
    """exp(x) as a pair near 1 and the power of two that it is to be multiplied with."""
    bounded = w.minimum(w.maximum(x[0], -_FURTHEST), _FURTHEST)
    n, r = _reduce_argument(w, (bounded, w.select(w.abs(x[0]) < _FURTHEST, x[1], 0.0)))
    return plus(_expm1_near(w, r), 1.0), n


def expm1(w: Any, x: Pair) -> Pair:
    """exp(x) - 1, for x from -1000 to 700."""
    n, r = _reduce_argument(w, x)
    near = _expm1_near(w, r)
    return add((w.scale_by_power(near[0], n), w.scale_by_power(near[1], n)), two_sum(w.scale_by_power(1.0, n), -1.0))
