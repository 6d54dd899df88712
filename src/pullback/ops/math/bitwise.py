"""Bits of integers, and the operators & | ^ ~ that mean bits for integers and logic for truth values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.dtypes import INTEGER
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.convert import is_tensor_like
from ...ir.tensor import LATE_BOUND, NumberLike, Tensor
from ...kernels import blocked
from ..families import elementwise
from ..lowering import math as native_math
from ..primitives.compare import logical_and, logical_not, logical_or, logical_xor


def _shift(shift: Callable[..., Any]) -> Callable[..., Any]:
    """A shift by a number of bits kept within the width of the dtype, beyond which C and NumPy differ."""

    def kernel(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> Any:
        return shift(x, np.clip(y, 0, 8 * x.dtype.itemsize - 1).astype(x.dtype))

    return blocked.block_kernel(kernel)


BITWISE_AND = elementwise("BitwiseAnd", "x y", np.bitwise_and, {}, dtypes=INTEGER, lower="and")
BITWISE_OR = elementwise("BitwiseOr", "x y", np.bitwise_or, {}, dtypes=INTEGER, lower="or")
BITWISE_XOR = elementwise("BitwiseXor", "x y", np.bitwise_xor, {}, dtypes=INTEGER, lower="xor")
LEFT_SHIFT = elementwise("LeftShift", "x y", _shift(np.left_shift), None, dtypes=INTEGER, lower=native_math.shift("shl"))
RIGHT_SHIFT = elementwise("RightShift", "x y", _shift(np.right_shift), None, dtypes=INTEGER, lower=native_math.shift("shr"))
INVERT = elementwise("Invert", "x", np.invert, {}, dtypes=INTEGER, lower="not")


@export("bitwise.bitwise_and")
def bitwise_and(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """The bits that x and y have in common.

    x, y: integers of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for other dtypes.

    >>> tf.bitwise.bitwise_and([6], [3]).numpy().tolist()
    [2]
    """
    return BITWISE_AND.call(x, y, name)


@export("bitwise.bitwise_or")
def bitwise_or(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """The bits that x or y has.

    x, y: integers of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for other dtypes.

    >>> tf.bitwise.bitwise_or([6], [3]).numpy().tolist()
    [7]
    """
    return BITWISE_OR.call(x, y, name)


@export("bitwise.bitwise_xor")
def bitwise_xor(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """The bits that only one of x and y has.

    x, y: integers of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for other dtypes.

    >>> tf.bitwise.bitwise_xor([6], [3]).numpy().tolist()
    [5]
    """
    return BITWISE_XOR.call(x, y, name)


@export("bitwise.left_shift")
def left_shift(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x with its bits moved up by y places; y is brought into [0, width of the dtype).

    x, y: integers of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for other dtypes.

    >>> tf.bitwise.left_shift([6], [3]).numpy().tolist()
    [48]
    """
    return LEFT_SHIFT.call(x, y, name)


@export("bitwise.right_shift")
def right_shift(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x with its bits moved down by y places, the sign repeated; y is brought into [0, width of the dtype).

    x, y: integers of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for other dtypes.

    >>> tf.bitwise.right_shift([6], [3]).numpy().tolist()
    [0]
    """
    return RIGHT_SHIFT.call(x, y, name)


@export("bitwise.invert")
def invert(x: NumberLike, name: str | None = None) -> Tensor:
    """x with every bit flipped; x: integers.  Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.bitwise.invert([0, 5]).numpy().tolist()
    [-1, -6]
    """
    return INVERT.call(x, name)


def _dispatch_dtype(logical: Callable[..., Any], bits: Callable[..., Any]) -> Callable[..., Any]:
    def operator(x: Any, y: Any, name: str | None = None) -> Tensor:
        tensor = x if is_tensor_like(x) else y
        with scope(name, "bits") as full:
            return logical(x, y, full or None) if tensor.dtype.is_bool else bits(x, y)

    return operator


def _invert(x: Any) -> Tensor:
    x = convert_to_tensor(x)
    return logical_not(x) if x.dtype.is_bool else invert(x)


LATE_BOUND.update(
    {
        "and": _dispatch_dtype(logical_and, bitwise_and),
        "or": _dispatch_dtype(logical_or, bitwise_or),
        "xor": _dispatch_dtype(logical_xor, bitwise_xor),
        "invert": _invert,
        "lshift": left_shift,
        "rshift": right_shift,
    }
)
