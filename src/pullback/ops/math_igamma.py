"""The derivative of the regularised incomplete gamma function with respect to its order.

P(a, x) = x^a e^-x / Gamma(a + 1) * sum of x^n / ((a + 1) ... (a + n)), whose terms are differentiated one by one; all are positive,
but where x is well above a the sum and its derivative nearly cancel.  There the complement Q(a, x) is differentiated instead,
through its continued fraction (NIST DLMF 8.9.2), by the recurrence of its convergents and the derivative of that recurrence.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
_STEPS = 20_000
_TINY = 1e-17
_ROUNDING = 1e-15
_BIG = 2.0**52


def igamma_grad_a(a: Array, x: Array) -> Array:
    """dP(a, x)/da for a > 0, x >= 0, broadcast; NaN elsewhere."""
    dtype = a.dtype
    order, at = (v.copy() for v in np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64)))
    out = np.full(order.shape, np.nan)
    inside = (order > 0) & (at >= 0)
    ends = inside & ((at == 0) | np.isinf(at))
    upper = inside & ~ends & (at > 1) & (at > order)
    lower = inside & ~ends & ~upper
    out[ends] = 0.0
    out[lower] = _by_series(order[lower], at[lower])
    out[upper] = -_by_fraction(order[upper], at[upper])
    return out.astype(dtype)


def _by_series(a: Array, x: Array) -> Array:
    import scipy.special

    term, d_term = np.ones_like(a), np.zeros_like(a)
    total, d_total = term.copy(), d_term.copy()
    for n in range(1, _STEPS):
        ratio = x / (a + n)
        d_term = d_term * ratio - term * ratio / (a + n)
        term = term * ratio
        total += term
        d_total += d_term
        if np.all((term <= _TINY * total) & (np.abs(d_term) <= _TINY * np.abs(d_total))):
            break
    scale = np.exp(a * np.log(x) - x - scipy.special.gammaln(a + 1))
    found: Array = scale * ((np.log(x) - scipy.special.digamma(a + 1)) * total + d_total)
    return found


def _by_fraction(a: Array, x: Array) -> Array:
    """dQ/da.  p/q are the convergents, d_p and d_q their derivatives by a; (old, now) are the last two of each."""
    import scipy.special

    y, z = 1.0 - a, x - a + 2.0
    p_old, q_old, p, q = np.ones_like(x), x.copy(), x + 1.0, z * x
    d_p_old, d_q_old, d_p, d_q = np.zeros_like(x), np.zeros_like(x), np.zeros_like(x), -x
    value, d_value = p / q, -p * d_q / (q * q)
    for n in range(1, _STEPS):
        y, z = y + 1.0, z + 2.0
        yn = y * n
        p_old, p, d_p_old, d_p = p, p * z - p_old * yn, d_p, d_p * z - p - d_p_old * yn + p_old * n
        q_old, q, d_q_old, d_q = q, q * z - q_old * yn, d_q, d_q * z - q - d_q_old * yn + q_old * n
        before, d_before = value, d_value
        value = p / q
        d_value = (d_p - value * d_q) / q
        change = np.abs(value - before) + np.abs(d_value - d_before)
        if np.all(change <= _ROUNDING * (np.abs(value) + np.abs(d_value))):
            break
        shrink = np.where(np.abs(p) > _BIG, 1.0 / _BIG, 1.0)
        p_old, p, d_p_old, d_p = p_old * shrink, p * shrink, d_p_old * shrink, d_p * shrink
        q_old, q, d_q_old, d_q = q_old * shrink, q * shrink, d_q_old * shrink, d_q * shrink
    scale = np.exp(a * np.log(x) - x - scipy.special.gammaln(a))
    found: Array = scale * ((np.log(x) - scipy.special.digamma(a)) * value + d_value)
    return found
