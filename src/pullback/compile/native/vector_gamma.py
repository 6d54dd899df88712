"""The digamma function.

Below S, psi(x) = psi(x + S) - 1/x - 1/(x + 1) - ..., the sum after its first term as one quotient of polynomials with whole
coefficients; from S on the asymptotic series; from 1 to 2, around the root, a polynomial times the distance from it; below 0
psi(1 - x) - pi cot(pi x).
"""

from __future__ import annotations

import math
from functools import cache

from .vector_code import Code, Number
from .vector_coefficients import DIGAMMA, SIN
from .vector_exp_log import log

# From here the asymptotic series of so many terms is enough.
_START, _TERMS = {32: 5, 64: 10}, {32: 4, 64: 8}
# B_2k / 2k.
_SERIES = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12, -3617 / 8160)
_ROOT = {32: (1.4616321325302124, 1.2438149938918909e-08), 64: (1.4616321449683622, 9.549995429965697e-17)}


@cache
def _reciprocals(count: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The polynomials p and q, lowest power first, of 1 / (x + 1) + ... + 1 / (x + count - 1) = p(x) / q(x)."""
    product = [1]
    for k in range(1, count):
        product = [k * low + high for low, high in zip([*product, 0], [0, *product], strict=True)]
    return tuple(float(k * c) for k, c in enumerate(product) if k), tuple(map(float, product))


def digamma(c: Code, x: Number) -> Number:
    """The derivative of lgamma; NaN at its poles."""
    reflected = c.select(x <= 0.0, 1.0 - x, x)
    answer = _positive(c, reflected)
    # What is left of x after a whole number is exact, and so is 1/2 less that, near enough.
    fraction = x - c.rint(x)
    size = c.abs(fraction)
    cotangent = c.copysign(_sine_of_pi(c, 0.5 - size) / _sine_of_pi(c, size), fraction)
    below = c.select(fraction.equals(0.0), math.nan, answer - math.pi * cotangent)
    return c.select(x <= 0.0, below, answer)


def _sine_of_pi(c: Code, x: Number) -> Number:
    """sin(pi x) for x from 0 to 1/2."""
    r = x * math.pi
    z = r * r
    return c.fma(c.polynomial(z, SIN[c.bits][1:]), z * r, r)


def _positive(c: Code, x: Number) -> Number:
    """digamma of x > 0."""
    start = float(_START[c.bits])
    near = x < start
    y = c.select(near, x + start, x)
    inverse = 1.0 / y
    u = inverse * inverse
    series = u * c.polynomial(u, _SERIES[: _TERMS[c.bits]])
    far = log(c, y) - c.fma(inverse, 0.5, series)
    p, q = _reciprocals(_START[c.bits])
    bounded = c.select(near, x, 1.0)
    steps = 1.0 / x + c.polynomial(bounded, p) / c.polynomial(bounded, q)
    answer = c.select(near, far - steps, far)
    high, low = _ROOT[c.bits]
    around = ((x - high) - low) * c.polynomial(x - 1.5, DIGAMMA[c.bits])
    return c.select((x >= 1.0) & (x <= 2.0), around, answer)
