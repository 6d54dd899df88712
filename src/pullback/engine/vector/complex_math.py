"""The functions of complex numbers there is code for: loaded when a program has complex numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import complex as z, complex_inverse as zi

#: By name: what builds it, and how many numbers it takes.
COMPLEX: dict[str, tuple[Callable[..., Any], int]] = {
    "mul": (z.multiply, 2),
    "div": (z.divide, 2),
    "square": (z.square, 1),
    "reciprocal": (z.reciprocal, 1),
    "abs": (z.absolute, 1),
    "angle": (z.angle, 1),
    "exp": (z.exp_of_pair, 1),
    "log": (z.log_of_pair, 1),
    "sqrt": (z.sqrt_of_pair, 1),
    "sin": (z.sin_of_pair, 1),
    "cos": (z.cos_of_pair, 1),
    "tan": (z.tan_of_pair, 1),
    "sinh": (z.sinh_of_pair, 1),
    "cosh": (z.cosh_of_pair, 1),
    "tanh": (z.tanh_of_pair, 1),
    "sigmoid": (z.sigmoid_of_pair, 1),
    "asin": (zi.asin_of_pair, 1),
    "acos": (zi.acos_of_pair, 1),
    "atan": (zi.atan_of_pair, 1),
    "asinh": (zi.asinh_of_pair, 1),
    "acosh": (zi.acosh_of_pair, 1),
    "atanh": (zi.atanh_of_pair, 1),
}
