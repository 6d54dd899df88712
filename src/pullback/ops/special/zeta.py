"""NumPy kernels of the digamma function, its derivatives, and Hurwitz's zeta function, where SciPy's lose digits.

zeta(x, q), the sum of (q + n)^-x: ten terms, with what q + n rounds off, and what remains by Euler and Maclaurin's formula (NIST DLMF
25.11.5).
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from ..math.kernels import block_costly, define_special
from .arrays import Arrays, chebyshev
from .coefficients import COTANGENT
from .pairs import two_sum

Array = np.ndarray[Any, Any]
_DIRECT = 10
_GREATEST = 1e4
# B_2k / (2k)!, of Bernoulli's numbers
_FORMULA = (
    0.08333333333333333, -0.001388888888888889, 3.306878306878307e-05, -8.267195767195768e-07, 2.08767569878681e-08,
    -5.284190138687493e-10, 1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15, -2.174868698558062e-16,
    5.5090028283602295e-18, -1.3954464685812522e-19,
)  # fmt: skip
_FACTORIALS = np.array([float(factorial(n)) for n in range(171)])
_DIGAMMA, _ZETA = define_special("digamma"), define_special("zeta")


def _reflect_digamma(x: Array) -> Array:
    """digamma of 1 - x less pi cot(pi x): the reciprocal of x less the nearest whole number, and a series."""
    fraction = x - np.rint(x)
    inverse = 1.0 / fraction
    back, lost = Arrays.product(inverse, fraction)
    rest = fraction * chebyshev(COTANGENT, fraction * fraction) - ((1.0 - back) - lost) * inverse
    return np.asarray((_DIGAMMA(1.0 - x) - inverse) + rest)


@block_costly
def digamma(x: Array) -> np.ndarray:
    """The derivative of log Gamma; NaN at its poles 0, -1, -2, ...

    SciPy's loses digits where x is negative, but for the place beside its root there.
    """
    found = _DIGAMMA(x)
    if x.dtype == np.float64:
        ours = (x > -1e15) & ((x < -0.6) | ((x > -0.45) & (x < -1e-290)))
        if ours.any():
            with np.errstate(all="ignore"):
                found = np.where(ours, _reflect_digamma(np.where(ours, x, -0.25)), found)
    return np.where((x <= 0) & (x == np.floor(x)), x.dtype.type(np.nan), found)


def _sum(s: Array, q: Array) -> Array:
    """zeta(s, q) for s from 1 to `_GREATEST` and q > 0."""

    def raise_power(n: float) -> Array:
        base, lost = two_sum(q, n)
        value = base**-s
        return np.asarray(value - value * (s * lost / base))

    total = raise_power(_DIRECT - 1.0)
    for n in range(_DIRECT - 2, -1, -1):  # the least ones first
        total += raise_power(float(n))
    w = q + float(_DIRECT)
    last, inverse = raise_power(float(_DIRECT)), 1.0 / w
    product, rest = s * inverse, np.full_like(w, 0.5)
    for k, factor in enumerate(_FORMULA):
        rest += factor * product
        product = product * ((s + (2.0 * k + 1.0)) * (s + (2.0 * k + 2.0)) * (inverse * inverse))
    return np.where(last > 0.0, total + last * (w / (s - 1.0) + rest), total)


@block_costly
def zeta(x: Array, q: Array) -> np.ndarray:
    """The sum of (q + n)^-x; at the poles q = 0, -1, ... infinite where x is even, NaN elsewhere."""
    pole = (q <= 0) & (q == np.floor(q)) & (x > 1)
    found = np.asarray(np.where(pole & (np.mod(x, 2) != 0), x.dtype.type(np.nan), _ZETA(x, q)))
    s, at = np.broadcast_arrays(x, q)
    inside = (s > 1) & (s <= _GREATEST) & (at > 0) & (at < 1e100)
    if x.dtype == np.float64 and inside.any():
        with np.errstate(all="ignore"):
            found[inside] = _sum(s[inside], at[inside])
    return found


@block_costly
def polygamma(a: Array, x: Array) -> np.ndarray:
    """The derivative of order a of the digamma function: (-1)^(a+1) a! zeta(a + 1, x); NaN for what is no order."""
    order, at = np.asarray(a, np.float64), np.asarray(x, np.float64)
    is_order = (order >= 0) & (order == np.floor(order))
    sign = np.where(order % 2 == 0, -1.0, 1.0)
    whole = np.where(is_order & (order <= 170), order, 0).astype(np.intp)
    size = np.where(order <= 170, _FACTORIALS[whole], np.inf)
    higher = sign * size * zeta(order + 1, at)
    return np.where(is_order, np.where(order == 0, digamma(at), higher), np.nan).astype(x.dtype)
