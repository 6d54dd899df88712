"""Derivatives of the regularised incomplete gamma function with respect to its order, of any degree.

P(a, x) = x^a e^-x / Gamma(a + 1) * sum of x^n / ((a + 1) ... (a + n)), whose terms are differentiated one by one; all are positive,
but where x is well above a the sum and its derivatives nearly cancel.  There the complement Q(a, x) is differentiated instead,
through its continued fraction (NIST DLMF 8.9.2), by the recurrence of its convergents.

Both go by Taylor polynomials in the order, [degree + 1, elements]: products with and quotients by something linear in the order are
few operations on them.  Each element stops when its value has settled: going on would only gather rounding.  What is computed is
the derivative divided by the density dP/dx, because that neither overflows nor underflows.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from .kernels import block_costly

Array = np.ndarray[Any, Any]
FEW = 64  # elements from which native code pays
_STEPS = 20_000
_TINY = 1e-17
_ROUNDING = 1e-15
_NEAR = 1e-10  # changes below which all that remains may be rounding: they fall until then
_BIG = 2.0**52
_LARGE, _HUGE = 200.0, 3e6  # orders from which the density loses digits as a power, and from which the sums are too long
_LEAST = 1e-290  # orders below this one have its derivative; their reciprocals are infinite


@partial(block_costly, least=FEW)
def igamma_grad_a(a: Array, x: Array) -> Array:
    """dP(a, x)/da for a > 0, x >= 0, broadcast; NaN elsewhere."""
    order, at = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    order = np.where(order > 0, np.maximum(order, _LEAST), order)
    ratio = igamma_orders(order, at)
    density = _density(order, at)
    vanishes = (ratio == 0) | ((density == 0) & ~np.isnan(ratio))
    return np.asarray(np.where(vanishes, 0.0, ratio / at * density)).astype(a.dtype)


def _density(a: Array, x: Array) -> Array:
    """x^a exp(-x) / Gamma(a); of a large order by exp(-a (m - log(1 + m))) with m = (x - a) / a, and Stirling's formula."""
    import scipy.special

    found = np.exp(scipy.special.xlogy(a, x) - x - scipy.special.gammaln(a))
    large = (a > _LARGE) & (x > 0) & np.isfinite(x)
    if not large.any():
        return np.asarray(found)
    order, at = a[large], x[large]
    m = (at - order) / order
    s = m / (m + 2)
    z = s * s
    near = s * (m - 2 * z * np.polynomial.polynomial.polyval(np.minimum(z, 0.12), [1 / (2 * k + 3) for k in range(16)]))
    apart = np.where(np.abs(m) < 0.5, near, m - np.log(at / order))
    stirling = 1 / (12 * order) - 1 / (360 * order**3) + 1 / (1260 * order**5)
    found[large] = np.exp(-(order * apart + stirling)) * np.sqrt(order / (2 * np.pi))
    return np.asarray(found)


def igamma_orders(a: Array, x: Array, *, degree: int = 1) -> Array:
    """The derivative of P(a, x) by a of some degree, divided by the density; a > 0 and x >= 0 broadcast, NaN elsewhere.

    0 where x is 0 or infinite: of no use divided by the density, but zero times it.
    """
    order, at = (v.copy() for v in np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64)))
    out = np.full(order.shape, np.nan)
    inside = (order > 0) & (at >= 0)
    ends = inside & ((at == 0) | np.isinf(at))
    upper = inside & ~ends & (at > 1) & (at > order)
    lower = inside & ~ends & ~upper
    out[ends] = 0.0
    if degree == 1 and (huge := inside & ~ends & (order > _HUGE)).any():
        out[huge] = _derivative_of_huge(order[huge], at[huge])
        lower, upper = lower & ~huge, upper & ~huge
    for places, values in ((lower, _sum_series), (upper, _evaluate_fraction)):
        if places.any():
            out[places] = values(order[places], at[places], degree)
    return out.astype(np.result_type(a, x))


def _derivative_of_huge(a: Array, x: Array) -> Array:
    """The first derivative over the density is -dx/da at a fixed P: by the expansion of Cornish and Fisher about x = a."""
    m = (x - a) / a
    return np.asarray(-(1 + 0.5 * m - (m * m - 1 / a) / 6))


def _powers(a: Array, x: Array, degree: int) -> Array:
    """The polynomial of x^a / Gamma(a), divided by its value."""
    import scipy.special

    slopes = [np.log(x) - scipy.special.digamma(a)]
    slopes += [-scipy.special.polygamma(m - 1, a) / math.factorial(m) for m in range(2, degree + 1)]
    found = [np.ones_like(a)]
    for m in range(1, degree + 1):  # m f_m = sum of k s_k f_(m-k), for the exponential f of s
        found.append(np.add.reduce([k * slopes[k - 1] * found[m - k] for k in range(1, m + 1)]) / m)
    return np.array(found)


def _coefficient(one: Array, other: Array) -> Array:
    """The derivative of a product, of the degree that the polynomials have."""
    degree = len(one) - 1
    return np.asarray(math.factorial(degree) * (one * other[::-1]).sum(axis=0))


class _Lanes:
    """Elements whose recurrences go on, each until it has settled; the others are left behind once they are many."""

    def __init__(self, a: Array, x: Array, degree: int) -> None:
        self.a, self.x = a, x
        self.out = np.zeros((degree + 1, len(a)))
        self._places = np.arange(len(a))
        self._going = np.ones(len(a), bool)

    def settle(self, value: Array, settled: Array) -> Array | None:
        """Note the values that have settled.  Returns what to keep of each element, where some are left behind."""
        new = self._going & settled
        if not new.any():
            return None
        self.out[:, self._places[new]] = value[:, new]
        self._going &= ~new
        if 4 * np.count_nonzero(self._going) > 3 * len(self._going):
            return None
        keep = self._going
        self.a, self.x, self._places = self.a[keep], self.x[keep], self._places[keep]
        self._going = np.ones(len(self.a), bool)
        return keep

    def give_up(self, value: Array) -> None:
        """Note the values of those that never settled."""
        self.out[:, self._places[self._going]] = value[:, self._going]


def _sum_series(a: Array, x: Array, degree: int) -> Array:
    lanes = _Lanes(a, x, degree)
    total = np.zeros((degree + 1, len(a)))
    total[0] = 1.0
    term = total.copy()
    for n in range(1, _STEPS):
        over = 1.0 / (lanes.a + n)
        term *= lanes.x
        for m in range(1, degree + 1):
            term[m] -= term[m - 1] * over
        term *= over
        total += term
        keep = lanes.settle(total, np.all(np.abs(term) <= _TINY * np.abs(total), axis=0))
        if keep is not None:
            term, total = term[:, keep], total[:, keep]
            if not total.size:
                break
    lanes.give_up(total)
    return x / a * _coefficient(_powers(a + 1.0, x, degree), lanes.out)


def _advance_convergent(now: Array, old: Array, z: Array, y: Array, n: int) -> Array:
    """now * (z - t) - old * n * (y - t), in the powers of t."""
    found = now * z - old * (y * n)
    found[1:] += old[:-1] * n - now[:-1]
    return np.asarray(found)


def _quotient(p: Array, q: Array) -> Array:
    found = np.empty_like(p)
    for m in range(len(p)):
        left = p[m]
        for k in range(m):
            left = left - found[k] * q[m - k]
        found[m] = left / q[0]
    return found


def _evaluate_fraction(a: Array, x: Array, degree: int) -> Array:
    """p/q are the convergents; (old, now) are the last two of each."""
    lanes = _Lanes(a, x, degree)
    y, z = 1.0 - a, x - a + 2.0  # both fall with the order, at slope one
    p_old, q_old, p, q = (np.zeros((degree + 1, len(a))) for _ in range(4))
    p_old[0], q_old[0], p[0], q[0] = 1.0, x, x + 1.0, z * x
    q[1] = -x
    value, change = _quotient(p, q), np.full(len(a), np.inf)
    for n in range(1, _STEPS):
        y, z = y + 1.0, z + 2.0
        p_old, p = p, _advance_convergent(p, p_old, z, y, n)
        q_old, q = q, _advance_convergent(q, q_old, z, y, n)
        before, value = value, _quotient(p, q)
        last, change = change, np.abs(value - before).sum(axis=0) / np.abs(value).sum(axis=0)
        keep = lanes.settle(value, (change <= _ROUNDING) | ((change <= _NEAR) & (change >= last)))
        if keep is not None:
            p_old, p, q_old, q, value = (part[:, keep] for part in (p_old, p, q_old, q, value))
            y, z, change = y[keep], z[keep], change[keep]
            if not value.size:
                break
        if np.abs(p[0]).max() > _BIG:
            shrink = np.where(np.abs(p[0]) > _BIG, 1.0 / _BIG, 1.0)
            p_old, p, q_old, q = p_old * shrink, p * shrink, q_old * shrink, q * shrink
    lanes.give_up(value)
    return -x * _coefficient(_powers(a, x, degree), lanes.out)
