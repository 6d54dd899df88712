"""Element-wise functions that TensorFlow 1 has and TensorFlow 2 dropped, or has with another signature."""

from __future__ import annotations

from typing import Any

from ...base.dtypes import bfloat16, complex64, complex128, float32, float64, int32, int64
from ...base.export import export
from ...base.renamed_arguments import resolve_renamed
from ...ir.tensor import NumberLike, Tensor, TensorLike
from ...ops.array.where import select, where as where_v2
from ...ops.effects.checks import assert_all_finite
from ...ops.math.division import FLOOR_DIV
from ...ops.nn.clip import clip_by_average_norm
from ...ops.primitives.cast import cast

__all__ = [
    "clip_by_average_norm", "floor_div", "to_bfloat16", "to_complex64", "to_complex128", "to_double", "to_float",
    "to_int32", "to_int64", "verify_tensor_all_finite", "where", "where_v2",
]  # fmt: skip


@export(v1="floor_div")
def floor_div(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The quotient rounded down; dtypes, shapes and errors as `floordiv`.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.floor_div([7, -7], 2)).tolist()
    [3, -4]
    """
    return FLOOR_DIV.call(x, y, name)


@export(v1="where")
def where(condition: NumberLike, x: TensorLike | None = None, y: TensorLike | None = None, name: str | None = None) -> Tensor:
    """x where `condition` is true, y where it is not; without x and y the places where it is true.

    x, y: of one shape and dtype.  condition: bool of that shape, a scalar, or a vector that chooses rows.  Raises ValueError where
    only one of x and y is given, InvalidArgumentError (in graphs ValueError) where the shapes do not fit.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.where([True, False], [[1, 1], [2, 2]], [[3, 3], [4, 4]])).tolist()
    [[1, 1], [4, 4]]
    """
    if x is None or y is None:
        return where_v2(condition, x, y, name)
    return select(condition, x, y, name)


@export(v1="to_float")
def to_float(x: TensorLike, name: str = "ToFloat") -> Tensor:
    """`cast` to float32; x: a numeric tensor or an IndexedSlices.

    >>> tf1.to_float(tf1.constant([1, 2])).dtype
    tf.float32
    """
    return cast(x, float32, name)


@export(v1="to_double")
def to_double(x: TensorLike, name: str = "ToDouble") -> Tensor:
    """`cast` to float64; x: a numeric tensor or an IndexedSlices.

    >>> tf.compat.v1.to_double([1, 2]).numpy()
    array([1., 2.])
    """
    return cast(x, float64, name)


@export(v1="to_int32")
def to_int32(x: TensorLike, name: str = "ToInt32") -> Tensor:
    """`cast` to int32, towards zero; x: a numeric tensor or an IndexedSlices.

    >>> tf.compat.v1.to_int32([1.9, -1.9]).numpy()
    array([ 1, -1], dtype=int32)
    """
    return cast(x, int32, name)


@export(v1="to_int64")
def to_int64(x: TensorLike, name: str = "ToInt64") -> Tensor:
    """`cast` to int64, towards zero; x: a numeric tensor or an IndexedSlices.

    >>> tf.compat.v1.to_int64([1.9, -1.9]).numpy()
    array([ 1, -1])
    """
    return cast(x, int64, name)


@export(v1="to_bfloat16")
def to_bfloat16(x: TensorLike, name: str = "ToBFloat16") -> Tensor:
    """`cast` to bfloat16; x: a numeric tensor or an IndexedSlices.

    >>> tf.compat.v1.to_bfloat16([1.0, 2.5]).dtype
    tf.bfloat16
    """
    return cast(x, bfloat16, name)


@export(v1="to_complex64")
def to_complex64(x: TensorLike, name: str = "ToComplex64") -> Tensor:
    """`cast` to complex64; x: a numeric tensor or an IndexedSlices.

    >>> tf.compat.v1.to_complex64([1.0, 2.5]).numpy()
    array([1. +0.j, 2.5+0.j], dtype=complex64)
    """
    return cast(x, complex64, name)


@export(v1="to_complex128")
def to_complex128(x: TensorLike, name: str = "ToComplex128") -> Tensor:
    """`cast` to complex128; x: a numeric tensor or an IndexedSlices.

    >>> tf.compat.v1.to_complex128([1.0, 2.5]).numpy()
    array([1. +0.j, 2.5+0.j])
    """
    return cast(x, complex128, name)


@export(v1=("verify_tensor_all_finite", "debugging.assert_all_finite"))
def verify_tensor_all_finite(t: Any = None, msg: Any = None, name: str | None = None, x: Any = None, message: str | None = None) -> Tensor:
    """`t` (or `x`) itself; an InvalidArgumentError that begins with `msg` (or `message`) where an element is infinite or NaN.

    Raises ValueError where both names of an argument are given or neither.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.verify_tensor_all_finite(tf1.constant([1.0]), "loss")).tolist()
    [1.0]
    """
    return assert_all_finite(_choose_one("x", x, "t", t), resolve_renamed("message", message, "msg", msg), name)


def _choose_one(new: str, value: Any, old: str, old_value: Any) -> Tensor:
    if (value is None) is (old_value is None):
        raise ValueError(f"Specify exactly one of '{old}' and '{new}'.")
    return old_value if value is None else value
