"""Elements by place, by condition and by rank."""

from __future__ import annotations

from typing import Any

from ..base.export import export
from ..compat import v2 as tf
from ..ir.tensor import IntLike, Tensor, TensorLike
from .arrays import array, asarray, axis_of, invalid_argument, promote_arrays, rank_of
from .creation import zeros
from .dtypes import default_int
from .shapes import atleast_1d, moveaxis, ravel, swapaxes


@export(v2="experimental.numpy.take")
def take(a: TensorLike, indices: TensorLike, axis: IntLike | None = None, out: object = None, mode: str = "clip") -> Tensor:
    """Elements at places along an axis, of the flattened array by default.

    Args:
        a: where to take from.
        indices: the places; the result has their shape in place of the axis.
        axis: the axis.
        out: must be None.
        mode: "clip" moves places into the axis, "wrap" counts round it; "raise" is refused.

    >>> tf.experimental.numpy.take([10, 20, 30], [0, 5]).numpy().tolist()
    [10, 30]
    """
    if out is not None:
        raise ValueError("out argument is not supported in take.")
    if mode not in ("clip", "wrap"):
        raise ValueError("The 'raise' mode to take is not supported." if mode == "raise" else f"Invalid mode '{mode}' for take")
    a, indices = asarray(a), asarray(indices)
    if axis is None:
        a, axis = tf.reshape(a, [-1]), 0
    size = tf.shape(a, out_type=indices.dtype)[axis]
    inside = tf.clip_by_value(indices, 0, size - 1) if mode == "clip" else tf.math.floormod(indices, size)
    return tf.gather(a, inside, axis=axis)


@export(v2="experimental.numpy.take_along_axis")
def take_along_axis(arr: TensorLike, indices: TensorLike, axis: int | None) -> Tensor:
    """For every row along an axis, its elements at the places of the same row of `indices`; other axes broadcast.

    >>> tf.experimental.numpy.take_along_axis([[10, 20], [30, 40]], [[1], [0]], axis=1).numpy().tolist()
    [[20], [30]]
    """
    arr, indices = asarray(arr), asarray(indices)
    if axis is None:
        return take_along_axis(ravel(arr), indices, 0)
    rank = rank_of(arr, "take_along_axis")
    at = axis_of(axis, rank, "take_along_axis")
    if rank_of(indices, "take_along_axis") != rank:
        raise invalid_argument(f"take_along_axis: the array has shape {arr.shape}, the indices {indices.shape}; they need as many axes.")
    arr, indices = (swapaxes(t, at, rank - 1) for t in (arr, indices))
    others = tf.broadcast_dynamic_shape(tf.shape(arr)[:-1], tf.shape(indices)[:-1])
    arr, indices = (tf.broadcast_to(t, tf.concat([others, tf.shape(t)[-1:]], 0)) for t in (arr, indices))
    size = tf.shape(arr, out_type=indices.dtype)[-1]
    found = tf.gather(arr, tf.where(indices < 0, indices + size, indices), batch_dims=rank - 1)
    return swapaxes(found, at, rank - 1)


@export(v2="experimental.numpy.compress")
def compress(condition: TensorLike, a: TensorLike, axis: int | None = None) -> Tensor:
    """The slices along an axis for which a vector of truth values is true; it may be shorter than the axis.

    >>> tf.experimental.numpy.compress([True, False, True], [1, 2, 3, 4]).numpy().tolist()
    [1, 3]
    """
    condition, a = asarray(condition, bool), atleast_1d(a)
    if rank_of(condition, "compress") != 1:
        raise ValueError(f"condition must be a 1-d array; compress got shape {condition.shape}.")
    if axis is None:
        a, axis = ravel(a), 0
    at = axis_of(axis, rank_of(a, "compress"), "compress")
    missing = tf.maximum(tf.shape(a)[at] - tf.shape(condition)[0], 0)
    return tf.boolean_mask(a, tf.concat([condition, tf.zeros([missing], tf.bool)], 0), axis=at)


@export(v2="experimental.numpy.nonzero")
def nonzero(a: TensorLike) -> list[Tensor]:
    """The places of elements that are not 0: a list with a vector of indices for each axis.

    >>> [t.numpy().tolist() for t in tf.experimental.numpy.nonzero([[0, 5], [6, 0]])]
    [[0, 1], [1, 0]]
    """
    a = atleast_1d(a)
    rank = rank_of(a, "nonzero")
    return tf.unstack(tf.where(tf.cast(a, tf.bool)), rank, axis=1)


@export(v2="experimental.numpy.where")
def where(condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None) -> Tensor | list[Tensor]:
    """The elements of `x` where a condition holds and of `y` elsewhere, or without both, the places where it holds.

    >>> tf.experimental.numpy.where([True, False], 1, 2.5).numpy().tolist()
    [1.0, 2.5]
    """
    condition = asarray(condition, bool)
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("Both x and y must be ndarrays, or both must be None.")
    return tf.where(condition, *promote_arrays(x, y))


@export(v2="experimental.numpy.select")
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Tensor:
    """The elements of the first choice whose condition holds, `default` where none does.

    >>> tf.experimental.numpy.select([[True, False], [True, True]], [[1, 2], [3, 4]]).numpy().tolist()
    [1, 4]
    """
    if len(condlist) != len(choicelist):
        raise ValueError(f"condlist must have length equal to choicelist ({len(condlist)} vs {len(choicelist)})")
    if not condlist:
        raise ValueError("condlist must be non-empty")
    found, *choices = promote_arrays(default, *choicelist)
    for condition, choice in zip(condlist[::-1], choices[::-1], strict=True):
        found = where(condition, choice, found)
    return found


@export(v2="experimental.numpy.ix_")
def ix_(*args: Any) -> list[Tensor]:
    """Vectors of indices, each along an axis of its own, so that together they stand for a grid; masks become places.

    >>> [t.shape.as_list() for t in tf.experimental.numpy.ix_([0, 1], [True, False, True])]
    [[2, 1], [1, 2]]
    """
    found = []
    for i, arg in enumerate(args):
        a = asarray(arg)
        if rank_of(a, "ix_") != 1:
            raise ValueError(f"Arguments must be 1-d, got arg {i} of rank {a.shape.rank}")
        if not (a.dtype.is_bool or a.dtype.is_integer):
            raise ValueError(f"Only integer and bool dtypes are supported, got {a.dtype}")
        places = nonzero(a)[0] if a.dtype.is_bool else a
        found.append(tf.reshape(places, [-1 if j == i else 1 for j in range(len(args))]))
    return found


@export(v2="experimental.numpy.diag")
def diag(v: TensorLike, k: int = 0) -> Tensor:
    """The matrix with a vector on its k-th diagonal, or the k-th diagonal of a matrix.

    >>> tf.experimental.numpy.diag([1, 2]).numpy().tolist()
    [[1, 0], [0, 2]]
    """
    v = asarray(v)
    if v.shape.rank == 1:
        if v.shape.as_list() == [0]:
            return zeros([abs(k), abs(k)], v.dtype)
        return tf.linalg.diag(v, k=k)
    if v.shape.rank != 2:
        raise ValueError(f"diag takes a vector or a matrix; this array has shape {v.shape}.")
    return diagonal(v, k)


@export(v2="experimental.numpy.diagflat")
def diagflat(v: TensorLike, k: int = 0) -> Tensor:
    """The matrix with all elements on its k-th diagonal.

    >>> tf.experimental.numpy.diagflat([[1], [2]]).numpy().tolist()
    [[1, 0], [0, 2]]
    """
    return diag(ravel(v), k)


@export(v2="experimental.numpy.diagonal")
def diagonal(a: TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonals of matrices along two axes, `offset` places right of the main one; empty beyond the last.

    >>> tf.experimental.numpy.diagonal([[1, 2], [3, 4]], 1).numpy().tolist()
    [2]
    """
    a = moveaxis(a, (axis1, axis2), (-2, -1))
    rows, columns = a.shape.as_list()[-2:]
    if (rows is not None and offset <= -rows) or (columns is not None and offset >= columns):
        return zeros(tf.concat([tf.shape(a)[:-2], [0]], 0), a.dtype)
    return tf.linalg.diag_part(a, k=offset)


def _refuse_order(who: str, order: Any) -> None:
    if order is not None:
        raise ValueError(f"The `order` argument is not supported. Pass order=None; {who} sorts numbers, not records.")


@export(v2="experimental.numpy.argsort")
def argsort(a: TensorLike, axis: int | None = -1, kind: str = "quicksort", order: object = None) -> Tensor:
    """The places of the elements along an axis from the smallest to the largest; equal ones stay in order.

    >>> tf.experimental.numpy.argsort([3, 1, 2]).numpy().tolist()
    [1, 2, 0]
    """
    if kind not in ("quicksort", "stable"):
        raise ValueError(f"argsort: kind is 'quicksort' or 'stable', got {kind!r}.")
    _refuse_order("argsort", order)
    a = array(a)
    if a.dtype.is_complex:
        raise TypeError(f"argsort does not support complex64/complex128 dtypes, which have no order. Received dtype: {a.dtype}")
    if a.shape.rank == 0:
        return tf.constant([0], default_int())
    found = tf.argsort(tf.reshape(a, [-1]) if axis is None else a, 0 if axis is None else axis, stable=kind == "stable")
    return tf.cast(found, default_int())


@export(v2="experimental.numpy.sort")
def sort(a: TensorLike, axis: int | None = -1, kind: str = "quicksort", order: object = None) -> Tensor:
    """The elements along an axis from the smallest to the largest.

    >>> tf.experimental.numpy.sort([3, 1, 2]).numpy().tolist()
    [1, 2, 3]
    """
    if kind != "quicksort":
        raise ValueError(f'Invalid value for argument `kind`. Only kind="quicksort" is supported. Received: kind={kind}')
    _refuse_order("sort", order)
    a = array(a)
    return tf.sort(tf.reshape(a, [-1]), 0) if axis is None else tf.sort(a, axis)


@export(v2="experimental.numpy.argmax")
def argmax(a: TensorLike, axis: int | None = None) -> Tensor:
    """The place of the first largest element along an axis, of the flattened array by default.

    >>> int(tf.experimental.numpy.argmax([1, 3, 2]))
    1
    """
    return tf.argmax(ravel(a), 0) if axis is None else tf.argmax(atleast_1d(a), axis)


@export(v2="experimental.numpy.argmin")
def argmin(a: TensorLike, axis: int | None = None) -> Tensor:
    """The place of the first smallest element along an axis, of the flattened array by default.

    >>> int(tf.experimental.numpy.argmin([2, 1, 3]))
    1
    """
    return tf.argmin(ravel(a), 0) if axis is None else tf.argmin(atleast_1d(a), axis)
