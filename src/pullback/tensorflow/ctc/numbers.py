"""Numbers with infinitesimal parts, for derivatives along several directions at once: arithmetic on NumPy arrays.

A number is an array, or a pair of numbers (a, b) that stands for a + b e with e e = 0, so with n nested pairs there are n independent
directions e_1 ... e_n.  Evaluating f at x + v_1 e_1 + ... + v_n e_n gives the n-th derivative of f along v_1, ..., v_n as the
coefficient of e_1 ... e_n.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Number = Any  # an array, or a pair of numbers


def perturb_along(x: Array, directions: Sequence[Array]) -> Number:
    """x + v_1 e_1 + ... + v_n e_n."""
    found: Number = x
    for v in directions:
        found = (found, _lift_array(v, found))
    return found


def _lift_array(v: Array, like: Number) -> Number:
    """A plain array as a number with as many directions as another."""
    return (_lift_array(v, like[0]), zeros(like[1])) if isinstance(like, tuple) else v


def zeros(like: Number) -> Number:
    """Zero, with the directions and shapes of another number."""
    return map_coefficients(np.zeros_like, like)


def real_part(x: Number) -> Array:
    """The part without infinitesimals."""
    while isinstance(x, tuple):
        x = x[0]
    return x


def last_coefficient(x: Number) -> Array:
    """The coefficient of all infinitesimals."""
    while isinstance(x, tuple):
        x = x[1]
    return x


def map_coefficients(f: Callable[[Array], Array], x: Number) -> Number:
    """A linear function of arrays, of every coefficient."""
    return (map_coefficients(f, x[0]), map_coefficients(f, x[1])) if isinstance(x, tuple) else f(x)


def map_real(f: Callable[[Array], Array], x: Number) -> Number:
    """A function of the real part; the others stay."""
    return (map_real(f, x[0]), x[1]) if isinstance(x, tuple) else f(x)


def join_numbers(parts: Sequence[Number]) -> Number:
    """Numbers one above the other along a new first axis."""
    if isinstance(parts[0], tuple):
        return join_numbers([p[0] for p in parts]), join_numbers([p[1] for p in parts])
    return np.stack(parts)


def add(a: Number, b: Number) -> Number:
    """a + b."""
    return (add(a[0], b[0]), add(a[1], b[1])) if isinstance(a, tuple) else a + b


def subtract(a: Number, b: Number) -> Number:
    """a - b."""
    return (subtract(a[0], b[0]), subtract(a[1], b[1])) if isinstance(a, tuple) else a - b


def multiply(a: Number, b: Number) -> Number:
    """a * b."""
    if not isinstance(a, tuple):
        return a * b
    return multiply(a[0], b[0]), add(multiply(a[0], b[1]), multiply(a[1], b[0]))


def exp(x: Number) -> Number:
    """e to the power of x."""
    if not isinstance(x, tuple):
        return np.exp(x)
    whole = exp(x[0])
    return whole, multiply(whole, x[1])


def _reciprocal(x: Number) -> Number:
    """Of a sum of exponentials: one where all of them are zero, and then so are its other coefficients."""
    if not isinstance(x, tuple):
        return 1.0 / np.where(x > 0, x, 1.0)
    whole = _reciprocal(x[0])
    return whole, map_coefficients(np.negative, multiply(multiply(whole, whole), x[1]))


def log(x: Number) -> Number:
    """Of a sum of exponentials."""
    return (log(x[0]), multiply(x[1], _reciprocal(x[0]))) if isinstance(x, tuple) else np.log(x)
