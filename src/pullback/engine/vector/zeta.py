"""Hurwitz's zeta function, and the gamma function of small whole numbers, in float64.

zeta(x, q), the sum of (q + n)^-x: so many terms, and what remains by Euler and Maclaurin's formula (NIST DLMF 25.11.5).  Where x is not
above 1, q not above 0, or one is huge, SciPy's; of other numbers the gamma function is SciPy's too.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from ...ops.special.pairs import two_sum
from .code import Code, Number
from .exp_log import exp, log
from .power import power
from .special_calls import fall_back_on_scipy
from .wide import repeat_while

# How many terms are added one by one, and how many of the formula's, by the bits of the result.
_DIRECT, _FORMULA = {32: 6, 64: 10}, {32: 6, 64: 12}
_GREATEST_X, _GREATEST_Q = 500.0, 1e9
_GREATEST = 170.0  # whose factorial is finite


@cache
def _factors(count: int) -> tuple[float, ...]:
    """B_2k / (2k)! for k from 1 on."""
    numbers = [Fraction(1)]  # B_n / n!, by the recurrence of x / (exp(x) - 1)
    for n in range(1, 2 * count + 1):
        total, factorial = Fraction(0), 1
        for k in range(n - 1, -1, -1):
            factorial *= n - k + 1
            total += numbers[k] / factorial
        numbers.append(-total)
    return tuple(float(numbers[2 * k]) for k in range(1, count + 1))


def _zeta(c: Code, bits: int, x: Number, q: Number) -> tuple[Number, Number]:
    inside = (x > 1.0) & (x <= _GREATEST_X) & (q > 0.0) & (q <= _GREATEST_Q)
    s, at = c.select(inside, x, 2.0), c.select(inside, q, 1.0)

    def raise_power(start: Number, n: float) -> Number:
        base = start + n
        if bits == 32:
            return exp(c, -s * log(c, base))
        _, lost = two_sum(start, n)
        value = power(c, base, -s)
        return c.fma(value, -s * lost / base, value)

    total = raise_power(at, _DIRECT[bits] - 1.0)
    for n in range(_DIRECT[bits] - 2, -1, -1):  # the least ones first
        total = total + raise_power(at, float(n))
    w = at + float(_DIRECT[bits])
    last = raise_power(at, float(_DIRECT[bits]))
    inverse = 1.0 / w
    square = inverse * inverse
    product, rest = s * inverse, c.real(0.0)
    for k, factor in enumerate(_factors(_FORMULA[bits])):
        rest = c.fma(product, factor, rest)
        product = product * ((s + (2.0 * k + 1.0)) * (s + (2.0 * k + 2.0)) * square)
    total = total + last * (w / (s - 1.0) + (rest + 0.5))
    return total, inside


def _gamma(c: Code, bits: int, x: Number) -> tuple[Number, Number]:
    """Gamma of a whole number."""
    n = x - 1.0
    above = (n >= 2.0) & (n <= _GREATEST)

    def step(k: Number, product: Number, low: Number) -> tuple[Number, list[Number]]:
        following = product * (k + 1.0)
        return (k + 1.0) < n, [following, c.fma(low, k + 1.0, c.fma(product, k + 1.0, -following))]

    product, low = repeat_while(c, above, [c.real(1.0), c.real(0.0)], step, int(_GREATEST))
    return product + low, (n >= 0.0) & (n <= _GREATEST) & n.equals(c.floor(n))


zeta, gamma = fall_back_on_scipy("zeta", _zeta), fall_back_on_scipy("gamma", _gamma)
