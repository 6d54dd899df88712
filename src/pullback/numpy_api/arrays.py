"""From whatever NumPy takes for an array to a tensor, and several of them to one dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.dtypes import DType
from ..base.export import export
from ..compat import v2 as tf
from ..ir.tensor import DTypeLike, Tensor, TensorLike
from .dtypes import asked_dtype, default_float, is_inexact, numpy_type, result_type, type_of

_MOST_DIMENSIONS = 32


def convert_array(a: TensorLike, dtype: DType | None = None) -> Any:
    """A tensor of `dtype`, None for the dtype that the value has by NumPy's reading; values are cast, not refused."""
    if isinstance(a, tf.Tensor):
        return a if dtype is None or a.dtype == dtype else tf.cast(a, dtype)
    wanted = type_of(a, dtype)
    made = tf.convert_to_tensor(a, dtype_hint=wanted)
    return made if made.dtype == wanted else tf.cast(made, wanted)


@export(v2="experimental.numpy.array")
def array(val: TensorLike, dtype: DTypeLike | None = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """A tensor from numbers, sequences, arrays or tensors; integers are int64 and floats float64 if nothing else is said.

    Args:
        val: what to make it of.
        dtype: the dtype of the elements, to which they are cast.
        copy: accepted; nobody can tell, as tensors do not change.
        ndmin: leading dimensions of size 1 are added up to this rank, at most 32.

    >>> tf.experimental.numpy.array([1, 2], ndmin=2)
    <tf.Tensor: shape=(1, 2), dtype=int64, numpy=array([[1, 2]])>
    """
    made = convert_array(val, asked_dtype(dtype))
    if copy:
        made = tf.identity(made)
    if ndmin > _MOST_DIMENSIONS:
        raise ValueError(f"ndmin bigger than allowable number of dimensions: {_MOST_DIMENSIONS}. array got ndmin={ndmin}.")
    return expand_rank(made, ndmin)


@export(v2="experimental.numpy.asarray")
def asarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """`a` as a tensor; tensors of the dtype asked for are handed on.

    >>> tf.experimental.numpy.asarray([1.0, 2.0]).dtype
    tf.float64
    """
    return convert_array(a, asked_dtype(dtype))


@export(v2="experimental.numpy.asanyarray")
def asanyarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """As `asarray`.

    >>> tf.experimental.numpy.asanyarray(1).dtype
    tf.int64
    """
    return asarray(a, dtype)


@export(v2="experimental.numpy.ascontiguousarray")
def ascontiguousarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """`a` as a tensor of at least one dimension.

    >>> tf.experimental.numpy.ascontiguousarray(1).shape
    TensorShape([1])
    """
    return array(a, dtype, ndmin=1)


@export(v2="experimental.numpy.copy")
def copy(a: TensorLike) -> Tensor:
    """`a` as a tensor of its own.

    >>> tf.experimental.numpy.copy([1, 2]).numpy().tolist()
    [1, 2]
    """
    return array(a)


def promote_arrays(*arrays: Any) -> list[Any]:
    """Arrays and numbers as tensors of the dtype they come to."""
    if all(isinstance(a, tf.Tensor) for a in arrays) and len({a.dtype for a in arrays}) == 1:
        return list(arrays)
    dtype = result_type(*arrays)
    return [convert_array(a, dtype) for a in arrays]


def promote_pair(x1: TensorLike, x2: TensorLike) -> list[Any]:
    """The same of two operands, which come to what NumPy says whatever the conversion mode, unless one is a sequence."""
    dtype = (result_type if isinstance(x1, (list, tuple)) or isinstance(x2, (list, tuple)) else numpy_type)(x1, x2)
    return [convert_array(x1, dtype), convert_array(x2, dtype)]


def to_floating(x: Any) -> Any:
    """`x` as a tensor of floats: integers and truth values become the default float dtype."""
    made = asarray(x)
    return made if is_inexact(made) else tf.cast(made, default_float())


def invalid_argument(said: str) -> Exception:
    """TensorFlow's InvalidArgumentError."""
    return tf.errors.InvalidArgumentError(None, None, said)


def number(value: Any, dtype: DType) -> Any:
    """A scalar of `dtype`."""
    return tf.cast(tf.constant(value), dtype)


def rank_of(x: Any, who: str) -> int:
    """The rank of `x`; a ValueError where it is unknown."""
    rank = x.shape.rank
    if rank is None:
        raise ValueError(f"{who} needs to know the rank of its argument, which is unknown while this graph is built. Use set_shape first.")
    return int(rank)


def axis_of(axis: int, rank: int, who: str, error: Callable[[str], Exception] = invalid_argument) -> int:
    """`axis` counted from the front; an InvalidArgumentError, or another, if there is none."""
    if not -rank <= axis < rank:
        raise error(f"{who}: axis {axis} is out of bounds for an array of rank {rank}; axes are -{rank} to {rank - 1}.")
    return axis % rank


def known_dims(x: Any) -> tuple[int, ...] | None:
    """The shape, None unless all of it is known."""
    return tuple(x.shape.as_list()) if x.shape.is_fully_defined() else None


def extents(x: Tensor) -> Any:
    """The shape: numbers where they are known, else a tensor."""
    known = known_dims(x)
    return tf.shape(x) if known is None else known


def expand_rank(x: Any, least: int) -> Any:
    """`x` with leading dimensions of size 1 up to a rank."""
    missing = least - rank_of(x, "array") if least else 0
    if missing <= 0:
        return x
    known = known_dims(x)
    return tf.reshape(x, tf.concat([[1] * missing, tf.shape(x)], 0) if known is None else (1,) * missing + known)


def spread(*arrays: Any) -> list[Any]:
    """Tensors broadcast to the shape they have together."""
    if len(arrays) < 2:
        return list(arrays)
    shape = tf.shape(arrays[0])
    for a in arrays[1:]:
        shape = tf.broadcast_dynamic_shape(shape, tf.shape(a))
    return [tf.broadcast_to(a, shape) for a in arrays]
