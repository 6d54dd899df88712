"""Derivatives of functions whose closed form is 0 / 0 at a point: near it a power series stands in, so that every order is right there.

TensorFlow puts the value of the derivative at the point alone, whose own derivative is then 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..array.basic import ones_of
from ..array.where import where
from ..math.arithmetic import multiply, square, subtract
from ..math.magnitude import abs as absolute
from ..primitives.compare import less

if TYPE_CHECKING:
    from ...ir.tensor import Tensor


def horner(x: Tensor, coefficients: Sequence[float]) -> Any:
    """The polynomial with these coefficients, the constant one first."""
    total = multiply(ones_of(x), coefficients[-1])
    for c in reversed(coefficients[:-1]):
        total = multiply(total, x) + c
    return total


def expand_near(x: Tensor, centre: float, radius: float, series: Callable[[Any], Any], elsewhere: Callable[[Any], Any]) -> Any:
    """`series(x - centre)` within `radius` of `centre`, else `elsewhere(x)`, which is not asked about points inside."""
    away = subtract(x, centre) if centre else x
    inside = less(absolute(away), radius)
    safe = where(inside, multiply(ones_of(x), centre + 2.0), x)
    return where(inside, series(away), elsewhere(safe))


def even_series(coefficients: Sequence[float]) -> Callable[[Any], Any]:
    """A power series in x^2."""
    return lambda x: horner(square(x), coefficients)
