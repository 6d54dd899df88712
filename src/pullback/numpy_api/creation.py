"""Arrays from nothing: constants, ranges, triangles, grids."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import DType
from ..base.export import export
from ..compat import v2 as tf
from ..ir.tensor import DTypeLike, ShapeLike, Tensor, TensorLike
from .arrays import array, asarray, expand_rank, invalid_argument, rank_of
from .binary import power
from .dtypes import default_float, fill_float, result_type, type_of
from .shapes import moveaxis
from .unary import log10, real, sign


@export(v2="experimental.numpy.zeros")
def zeros(shape: ShapeLike, dtype: Any = float) -> Tensor:
    """An array of zeros, float64 by default.

    >>> tf.experimental.numpy.zeros([2]).dtype
    tf.float64
    """
    return tf.zeros(shape, fill_float() if dtype is None else result_type(dtype))


@export(v2="experimental.numpy.ones")
def ones(shape: ShapeLike, dtype: Any = float) -> Tensor:
    """An array of ones, float64 by default.

    >>> tf.experimental.numpy.ones([2], dtype=tf.int32).numpy().tolist()
    [1, 1]
    """
    return tf.ones(shape, fill_float() if dtype is None else result_type(dtype))


@export(v2="experimental.numpy.empty")
def empty(shape: ShapeLike, dtype: DTypeLike | None = float) -> Tensor:
    """As `zeros`.

    >>> tf.experimental.numpy.empty([2]).shape
    TensorShape([2])
    """
    return zeros(shape, dtype)


@export(v2="experimental.numpy.zeros_like")
def zeros_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Zeros in the shape of `a`, of its dtype by default.

    >>> tf.experimental.numpy.zeros_like([1.5, 2.5]).numpy().tolist()
    [0.0, 0.0]
    """
    return tf.zeros_like(asarray(a), type_of(a, dtype))


@export(v2="experimental.numpy.ones_like")
def ones_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Ones in the shape of `a`, of its dtype by default.

    >>> tf.experimental.numpy.ones_like([1.5, 2.5]).numpy().tolist()
    [1.0, 1.0]
    """
    return tf.ones_like(asarray(a), type_of(a, dtype))


@export(v2="experimental.numpy.empty_like")
def empty_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """As `zeros_like`.

    >>> tf.experimental.numpy.empty_like([1, 2]).shape
    TensorShape([2])
    """
    return zeros_like(a, dtype)


@export(v2="experimental.numpy.full")
def full(shape: ShapeLike, fill_value: Any, dtype: Any = None) -> Tensor:
    """`fill_value`, broadcast to `shape`.

    >>> tf.experimental.numpy.full([2], 7).numpy().tolist()
    [7, 7]
    """
    dims = shape if isinstance(shape, tf.Tensor) else tf.convert_to_tensor(shape, dtype_hint=tf.int32)
    return tf.broadcast_to(asarray(fill_value, dtype), expand_rank(dims, 1))


@export(v2="experimental.numpy.full_like")
def full_like(
    a: TensorLike, fill_value: Any, dtype: DTypeLike | None = None, order: str = "K", subok: bool = True, shape: ShapeLike | None = None
) -> Tensor:
    """`fill_value` in the shape of `a`, of its dtype by default; `order`, `subok` and `shape` cannot be changed.

    >>> tf.experimental.numpy.full_like([1, 2], 7).numpy().tolist()
    [7, 7]
    """
    if order != "K" or not subok or shape:
        raise ValueError("full_like: order must be 'K', subok True and shape None; use full for another shape.")
    like = asarray(a)
    return tf.broadcast_to(asarray(fill_value, like.dtype if dtype is None else dtype), tf.shape(like))


@export(v2="experimental.numpy.eye")
def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = float) -> Tensor:
    """Ones on the k-th diagonal of an N x M matrix of zeros.

    >>> tf.experimental.numpy.eye(2, 3, 1).numpy().tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    rows, columns, k = int(N), int(M or N), int(k)
    wanted = fill_float() if dtype is None else result_type(dtype)
    _require_not_negative("eye", rows, columns)
    return tf.constant(np.eye(rows, columns, k, dtype=wanted.as_numpy_dtype))


def _require_not_negative(who: str, rows: int, columns: int) -> None:
    if rows < 0 or columns < 0:
        raise invalid_argument(f"{who}: a matrix cannot have {rows} rows and {columns} columns.")


@export(v2="experimental.numpy.identity")
def identity(n: TensorLike | None, dtype: DTypeLike | None = float) -> Tensor:
    """The identity matrix.

    >>> tf.experimental.numpy.identity(2).numpy().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return eye(n, n, dtype=dtype)


@export(v2="experimental.numpy.arange")
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Tensor:
    """Numbers from `start` to below `stop`, or from 0 to below `start`; a ValueError if `step` is 0.

    >>> tf.experimental.numpy.arange(1, 7, 2).numpy().tolist()
    [1, 3, 5]
    """
    if not step:
        raise ValueError("step must be non-zero.")
    given = (start, step) if stop is None else (start, step, stop)
    wanted = result_type(*given) if dtype is None else result_type(dtype)
    first, end = (0, start) if stop is None else (start, stop)
    if (end - first) * (1 if step > 0 else -1) < 0:
        return array([], dtype=wanted)
    return tf.cast(tf.range(first, end, step), wanted)


@export(v2="experimental.numpy.linspace")
def linspace(
    start: TensorLike,
    stop: TensorLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike | None = float,
    axis: int = 0,
) -> Any:
    """`num` numbers at equal distances from `start` to `stop`.

    Args:
        start: the first number, or an array of them.
        stop: the last one.
        num: how many; a ValueError for a negative number.
        endpoint: whether `stop` is the last one, or the one after it.
        retstep: whether to return the distance as well.
        dtype: whatever it says, the result has the float dtype that `start` and `stop` come to; None: that of TensorFlow's own.
        axis: the new axis.

    >>> tf.experimental.numpy.linspace(0.0, 1.0, 3).numpy().tolist()
    [0.0, 0.5, 1.0]
    """
    if num < 0:
        raise ValueError(f"linspace: num must not be negative, got num={num}.")
    wanted = _common_type(start, stop) if dtype else None
    first, last = array(start, wanted), array(stop, wanted)
    step = tf.constant(float("nan"))
    parts = num - 1 if endpoint else num
    if parts > 0:
        step = (last - first) / parts
    if not endpoint and num > 1:
        last = tf.cast(last, step.dtype) - step
        first = tf.cast(first, last.dtype)
    found = tf.linspace(first, last, num, axis=axis)
    found = found if wanted is None else tf.cast(found, wanted)
    return (found, step) if retstep else found


def _common_type(start: Any, stop: Any) -> DType:
    return result_type(start, stop, 1.0)


@export(v2="experimental.numpy.logspace")
def logspace(
    start: TensorLike,
    stop: TensorLike,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Tensor:
    """Powers of `base` with exponents at equal distances; the dtype is the float dtype that `start` and `stop` come to.

    >>> tf.experimental.numpy.logspace(0, 2, 3).numpy().tolist()
    [1.0, 10.0, 100.0]
    """
    wanted = _common_type(start, stop)
    exponents = linspace(start, stop, num=num, endpoint=endpoint, dtype=wanted, axis=axis)
    return tf.cast(tf.pow(tf.cast(base, exponents.dtype), exponents), wanted)


@export(v2="experimental.numpy.geomspace")
def geomspace(start: TensorLike, stop: TensorLike, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Tensor:
    """Numbers from `start` to `stop` that each are the same multiple of the one before; both ends of one sign.

    >>> [round(v, 6) for v in tf.experimental.numpy.geomspace(1, 8, 4).numpy().tolist()]
    [1.0, 2.0, 4.0, 8.0]
    """
    wanted = result_type(start, stop, float(num), zeros((), dtype)) if dtype is None else tf.as_dtype(dtype)
    inside = tf.as_dtype(np.promote_types(wanted.as_numpy_dtype, np.float32))
    first, last = asarray(start, inside), asarray(stop, inside)
    flip = 1 - (1 - sign(real(first))) * (1 - sign(real(last))) // 2
    flip = tf.cast(flip, inside)
    found = flip * logspace(log10(flip * first), log10(flip * last), num, endpoint=endpoint, axis=0)
    return tf.cast(moveaxis(found, 0, axis) if axis else found, wanted)


@export(v2="experimental.numpy.tri")
def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """Ones on and below the k-th diagonal of an N x M matrix of zeros.

    >>> tf.experimental.numpy.tri(2, 3).numpy().tolist()
    [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]
    """
    columns = N if M is None else M
    _require_not_negative("tri", N, columns)
    return tf.cast(tf.constant(_mask_below(N, columns, k)), default_float() if dtype is None else result_type(dtype))


def _mask_below(rows: int, columns: int, k: int) -> np.ndarray[Any, Any]:
    return np.greater_equal.outer(np.arange(rows, dtype=np.int32), np.arange(-k, columns - k, dtype=np.int32))


def _matrix_sizes(m: Tensor, who: str) -> tuple[int, int]:
    if rank_of(m, who) < 2:
        raise ValueError(f"Argument to {who} must have rank at least 2; this one has shape {m.shape}.")
    rows, columns = m.shape.as_list()[-2:]
    if rows is None or columns is None:
        raise ValueError(f"{who} needs to know the last two dimensions of {m.shape} while a graph is built. Use set_shape first.")
    return rows, columns


@export(v2="experimental.numpy.tril")
def tril(m: TensorLike, k: int = 0) -> Tensor:
    """Matrices with zeros above the k-th diagonal.

    >>> tf.experimental.numpy.tril([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 0], [3, 4]]
    """
    m = asarray(m)
    return tf.where(tf.constant(_mask_below(*_matrix_sizes(m, "tril"), k)), m, tf.zeros([], m.dtype))


@export(v2="experimental.numpy.triu")
def triu(m: TensorLike, k: int = 0) -> Tensor:
    """Matrices with zeros below the k-th diagonal.

    >>> tf.experimental.numpy.triu([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 2], [0, 4]]
    """
    m = asarray(m)
    return tf.where(tf.constant(_mask_below(*_matrix_sizes(m, "triu"), k - 1)), tf.zeros([], m.dtype), m)


@export(v2="experimental.numpy.vander")
def vander(x: TensorLike, N: Any = None, increasing: bool = False) -> Tensor:
    """Powers of the elements of a vector, a row for each: N of them, the highest first unless `increasing`.

    >>> tf.experimental.numpy.vander([2, 3], 3).numpy().tolist()
    [[4, 2, 1], [9, 3, 1]]
    """
    x = asarray(x)
    if rank_of(x, "vander") != 1:
        raise ValueError(f"x must be a one-dimensional array; vander got shape {x.shape}.")
    count = tf.shape(x)[0] if N is None else N
    if not isinstance(count, tf.Tensor) and count < 0:
        raise ValueError(f"N must be nonnegative; vander got N={count}.")
    powers = tf.range(count)
    return power(tf.expand_dims(x, -1), tf.cast(powers if increasing else tf.reverse(powers, [0]), x.dtype))


@export(v2="experimental.numpy.diag_indices")
def diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """The places on the diagonal of an array of n in each of `ndim` dimensions: a tensor of indices for each.

    >>> [t.numpy().tolist() for t in tf.experimental.numpy.diag_indices(2)]
    [[0, 1], [0, 1]]
    """
    if n < 0 or ndim < 0:
        raise ValueError(f"diag_indices: n and ndim must not be negative, got n={n} and ndim={ndim}.")
    return (tf.range(n),) * ndim


@export(v2="experimental.numpy.meshgrid")
def meshgrid(*xi: Any, **kwargs: Any) -> list[Tensor]:
    """Coordinates of a grid from those of its axes: one array for each axis.

    Args:
        *xi: vectors of coordinates.
        **kwargs: `indexing`, "xy" (columns first) or "ij"; `sparse` must be False and `copy` True.

    >>> [t.numpy().tolist() for t in tf.experimental.numpy.meshgrid([1, 2], [3])]
    [[[1, 2]], [[3, 3]]]
    """
    if kwargs.get("sparse", False) or not kwargs.get("copy", True):
        raise ValueError("meshgrid only supports sparse=False and copy=True.")
    axes = [tf.reshape(asarray(x), [-1]) for x in xi]
    places = tf.meshgrid(*(tf.range(tf.size(x)) for x in axes), indexing=kwargs.get("indexing", "xy"))
    return [tf.gather(x, at) for x, at in zip(axes, places, strict=True)]
