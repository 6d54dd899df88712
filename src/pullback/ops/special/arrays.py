"""Arrays of float64 as what formulas for NumPy and for the engine's vectors are written with: see `pairs`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .quadrature import NODES, WEIGHTS

Array = np.ndarray[Any, Any]
_SPLITTER = 134217729.0  # 2^27 + 1


def _halves(x: Any) -> tuple[Any, Any]:
    """x as a sum of two numbers of 26 bits, whose products are exact."""
    big = x * _SPLITTER
    high = big - (big - x)
    return high, x - high


class Arrays:
    """The functions of arrays; each has the same name and meaning in the engine."""

    abs, sqrt, rint, floor, log1p, expm1 = np.abs, np.sqrt, np.rint, np.floor, np.log1p, np.expm1
    exp, log, select, maximum, minimum = np.exp, np.log, np.where, np.maximum, np.minimum

    @staticmethod
    def product(x: Any, y: Any) -> tuple[Any, Any]:
        """x y, and what it rounds off, by Dekker's product."""
        value = x * y
        (a, b), (c, d) = _halves(x), _halves(y)
        return value, ((a * c - value) + a * d + b * c) + b * d

    @staticmethod
    def split(x: Array) -> tuple[Array, Array]:
        """e and m - 1 of x = 2^e m with m from 3/4 to 3/2."""
        m, e = np.frexp(x)
        below = m < 0.75
        return e - below.astype(np.float64), np.where(below, m + m, m) - 1.0

    @staticmethod
    def scale_by_power(x: Any, n: Array) -> Any:
        """x 2^n."""
        return np.ldexp(x, np.clip(n, -4000, 4000).astype(np.intc))

    @staticmethod
    def polynomial(x: Array, coefficients: Sequence[float]) -> Array:
        """c0 + c1 x + c2 x^2 + ..."""
        total = x * coefficients[-1]
        for c in coefficients[-2:0:-1]:
            total += c
            total *= x
        total += coefficients[0]
        return total

    @staticmethod
    def down(count: Array, stop: int, start: Sequence[Any], step: Callable[..., Sequence[Any]]) -> Sequence[Any]:
        """Steps n = count, count - 1, ..., stop + 1, each from n and the values so far to new ones; more than asked for do no harm."""
        values = start
        for n in range(int(count.max(initial=0)), stop, -1):
            values = step(float(n), *values)
        return values

    @staticmethod
    def mean(f: Callable[[Any], Any], end: Array) -> Array:
        """The mean of f from 0 to `end`, by Gauss and Legendre's rule."""
        found = WEIGHTS[:, None] * f(NODES[:, None] * end)
        while len(found) > 1:
            half = len(found) // 2
            found = np.concatenate([found[:half] + found[half : 2 * half], found[2 * half :]])
        return np.asarray(found[0])

    @staticmethod
    def pieces(answer: Any, choices: Sequence[tuple[Array, Callable[..., Any], Sequence[float]]], *args: Array) -> Any:
        """The answer, but where a mask holds what its function gives of `args` there.

        The numbers beside them are arguments that the function knows, for lanes of a vector where the mask does not hold.
        """
        for mask, f, _ in choices:
            if mask.any():
                answer[mask] = f(*(a[mask] for a in args))
        return answer


def chebyshev(table: tuple[float, float, list[float]], x: Array) -> Array:
    """The series of a table at `x`, by Clenshaw's recurrence."""
    low, high, coefficients = table
    twice = (4.0 * x - 2.0 * (low + high)) / (high - low)
    before, last, spare = np.zeros_like(twice), np.full_like(twice, coefficients[-1]), np.empty_like(twice)
    for c in reversed(coefficients[1:-1]):
        np.multiply(twice, last, out=spare)
        spare -= before
        spare += c
        before, last, spare = last, spare, before
    return np.asarray(0.5 * twice * last - before + coefficients[0])
