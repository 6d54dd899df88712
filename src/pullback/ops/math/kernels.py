"""NumPy kernels of element-wise ops that NumPy has no single function for.

All take and give arrays of TensorFlow's dtypes.  float16 and bfloat16 are computed in their own dtype where NumPy and ml_dtypes do
(both go through float32 inside); SciPy's functions know neither, so those kernels widen to float32 and come back.
SciPy is imported at the first call: nobody who does not use a special function waits for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from ...base.errors import InvalidArgumentError
from ...kernels import blocked

Array = np.ndarray[Any, Any]
_NARROW = (np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16))


@cache
def _number(value: float, dtype: np.dtype[Any]) -> Array:
    """A number as an array of `dtype`: Python's own would widen a bfloat16, and arrays are the quickest operands."""
    return np.array(value, dtype)


def one_like(x: Array) -> Array:
    """1 of x's dtype."""
    return _number(1.0, x.dtype)


@blocked.block_kernel
def rsqrt(x: Array) -> Any:
    """1 / sqrt(x)."""
    return one_like(x) / np.sqrt(x)


def reciprocal(x: Array) -> Any:
    """1 / x."""
    return one_like(x) / x


@blocked.block_kernel
def sigmoid(x: Array) -> np.ndarray:
    """1 / (1 + exp(-x)), exact to rounding everywhere: exp overflows only where the result rounds to 0, and never for complex numbers."""
    unit = one_like(x)
    if x.dtype.kind == "c":
        is_left = x.real < 0
        power = np.exp(np.where(is_left, x, -x))
        return np.asarray(np.where(is_left, power, unit) / (unit + power))
    return unit / (unit + np.exp(-x))


# ---- gradients that TensorFlow has as ops of their own; y is the function's result, dy the cotangent


@blocked.block_kernel
def tanh_grad(y: Array, dy: Array) -> np.ndarray:
    """dy (1 - y^2)."""
    return dy * (one_like(y) - y * y)


@blocked.block_kernel
def sigmoid_grad(y: Array, dy: Array) -> Any:
    """dy y (1 - y)."""
    return dy * y * (one_like(y) - y)


@blocked.block_kernel
def sqrt_grad(y: Array, dy: Array) -> np.ndarray:
    """dy / (2 y), and 0 where dy is 0 even if y is: a masked square root keeps a finite gradient."""
    half = _number(0.5, y.dtype)
    return blocked.select(dy == _number(0.0, dy.dtype), dy, half * dy / y)


@blocked.block_kernel
def rsqrt_grad(y: Array, dy: Array) -> np.ndarray:
    """-dy y^3 / 2, and 0 where dy is 0 even if y is infinite."""
    return blocked.select(dy == _number(0.0, dy.dtype), dy, _number(-0.5, y.dtype) * dy * (y * y * y))


@blocked.block_kernel
def reciprocal_grad(y: Array, dy: Array) -> Any:
    """-dy y^2, and 0 where dy is 0 even if y is infinite."""
    return blocked.select(dy == _number(0.0, dy.dtype), dy, -dy * (y * y))


# ---- division

ZERO_DIVISOR = "Integer division by zero"


def _check_divisor(x: Array, y: Array) -> None:
    if y.dtype.kind in "iu" and x.size and not np.all(y):
        raise InvalidArgumentError(None, None, ZERO_DIVISOR)


def _divides(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A division in blocks, whose native code comes after a look for zeros among divisors that are whole numbers."""
    return blocked.block_kernel(kernel, check=_check_divisor)


@_divides
def floor_div(x: Array, y: Array) -> Any:
    """The quotient rounded down; floating numbers as floor(x / y)."""
    if y.dtype.kind in "iu":
        _check_divisor(x, y)
        return np.floor_divide(x, y)
    return np.floor(x / y)


@_divides
def floor_mod(x: Array, y: Array) -> Any:
    """What `floor_div` leaves; it has y's sign."""
    if y.dtype.kind in "iu":
        _check_divisor(x, y)
    return np.mod(x, y)


@_divides
def truncate_div(x: Array, y: Array) -> Any:
    """The quotient rounded towards zero, as C divides."""
    if y.dtype.kind in "iu":
        _check_divisor(x, y)
        quotient = np.floor_divide(x, y)
        inexact_negative = (quotient * y != x) & ((x < 0) != (y < 0))
        return quotient + inexact_negative.astype(quotient.dtype)
    return np.trunc(x / y)


@_divides
def truncate_mod(x: Array, y: Array) -> Any:
    """What `truncate_div` leaves; it has x's sign."""
    if y.dtype.kind in "iu":
        _check_divisor(x, y)
    return np.fmod(x, y)


@blocked.block_kernel
def div_no_nan(x: Array, y: Array) -> np.ndarray:
    """x / y, and 0 where y is 0."""
    return blocked.select(y == _number(0.0, y.dtype), _number(0.0, y.dtype), x / y)


@blocked.block_kernel
def mul_no_nan(x: Array, y: Array) -> Any:
    """x y, and 0 where y is 0 whatever x is."""
    return blocked.select(y == _number(0.0, y.dtype), _number(0.0, y.dtype), x * y)


@blocked.block_kernel
def power(x: Array, y: Array) -> Any:
    """x to the power y; whole numbers have no negative powers."""
    if y.dtype.kind == "i" and (y < 0).any():
        raise InvalidArgumentError(None, None, "Integers to negative integer powers are not allowed")
    if not y.ndim and y.dtype.kind in "fc":  # C's pow is many times slower than a product
        if y == 2:
            return np.square(x)
        if y == 1:
            return x
        if y == 3:
            return x * x * x
        if y == 0.5 and x.dtype.kind == "f":  # NumPy takes the root, which is another number at -0 and at -infinity
            infinite = _number(np.inf, x.dtype)
            return blocked.select(x == -infinite, infinite, np.sqrt(x + _number(0.0, x.dtype)))
    return np.power(x, y)


@blocked.block_kernel
def squared_difference(x: Array, y: Array) -> np.ndarray:
    """(x - y)^2; of complex numbers the square of the modulus."""
    difference = x - y
    return np.conj(difference) * difference if difference.dtype.kind == "c" else difference * difference


# ---- products with x that are 0 where x is


@blocked.block_kernel
def xlogy(x: Array, y: Array) -> np.ndarray:
    """x log(y)."""
    return blocked.select(x == _number(0.0, x.dtype), _number(0.0, x.dtype), x * np.log(y))


@blocked.block_kernel
def xlog1py(x: Array, y: Array) -> Any:
    """x log(1 + y)."""
    return blocked.select(x == _number(0.0, x.dtype), _number(0.0, x.dtype), x * np.log1p(y))


@blocked.block_kernel
def xdivy(x: Array, y: Array) -> np.ndarray:
    """x / y."""
    return blocked.select(x == _number(0.0, x.dtype), _number(0.0, x.dtype), x / y)


# ---- SciPy's special functions


def define_special(name: str, which: int | None = None) -> Callable[..., Any]:
    """A kernel that calls `scipy.special.<name>`; which: the one it gives, of several results."""

    @cache
    def function() -> Callable[..., Any]:
        import scipy.special

        found = getattr(scipy.special, name)
        return found if which is None else lambda *arrays: found(*arrays)[which]

    def kernel(*arrays: Array) -> Any:
        dtype = arrays[0].dtype
        if dtype in _NARROW:
            return np.asarray(function()(*(a.astype(np.float32) for a in arrays))).astype(dtype)
        return np.asarray(function()(*arrays)).astype(dtype, copy=False)

    kernel.__name__ = name
    return block_costly(kernel)


def block_costly(kernel: Callable[..., Any], least: int = blocked.COSTLY) -> Callable[..., Any]:
    """A special function's kernel, in blocks: native code pays for small arrays already, of so many elements."""
    return blocked.block_kernel(kernel, least=least)


def block_function(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A plain function's kernel, in blocks, from so many elements on that native code pays even where NumPy has vectors of 512 bits."""
    return block_costly(kernel, blocked.LARGE)
