"""Sums, extremes and other summaries; searching, sorting, and sets of distinct values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..base.dtypes import as_dtype, int32, int64, uint32
from ..compat import v2 as tf
from ..ir.tensor import DTypeLike, EagerTensor, Tensor
from ._dtypes import kind_of, promote_arrays
from ._manipulation import axes_of, concat, normalize_axis


def _widen_for_sum(x: Tensor, dtype: DTypeLike | None) -> Tensor:
    """`x` in the dtype that its sum has: small integers in the default one."""
    if dtype is not None:
        return tf.cast(x, as_dtype(dtype))
    if kind_of(x.dtype) == "integral" and x.dtype.size < 4:
        return tf.cast(x, uint32 if x.dtype.numpy_dtype.kind == "u" else int32)
    return tf.cast(x, int32) if kind_of(x.dtype) == "bool" else x


def sum(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, dtype: DTypeLike | None = None, keepdims: bool = False) -> Tensor:
    """The sum over axes, over all where None; integers smaller than the default one (int32) are summed in it.

    >>> xp.sum(xp.asarray([[1.0, 2.0], [3.0, 4.0]]), axis=0).numpy().tolist()
    [4.0, 6.0]
    """
    return tf.reduce_sum(_widen_for_sum(x, dtype), axes_of(axis, len(x.shape), "sum"), keepdims)


def prod(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, dtype: DTypeLike | None = None, keepdims: bool = False) -> Tensor:
    """The product over axes; dtypes as `sum` has them.

    >>> xp.prod(xp.asarray([2, 3, 4])).numpy().item()
    24
    """
    return tf.reduce_prod(_widen_for_sum(x, dtype), axes_of(axis, len(x.shape), "prod"), keepdims)


def max(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    """The largest element over axes; NaN where there is one.

    >>> xp.max(xp.asarray([[1, 9], [5, 2]]), axis=0).numpy().tolist()
    [5, 9]
    """
    return tf.reduce_max(_require_elements(x, axis, "max"), axes_of(axis, len(x.shape), "max"), keepdims)


def min(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    """The smallest element over axes; NaN where there is one.

    >>> xp.min(xp.asarray([[1, 9], [5, 2]]), axis=0).numpy().tolist()
    [1, 2]
    """
    return tf.reduce_min(_require_elements(x, axis, "min"), axes_of(axis, len(x.shape), "min"), keepdims)


def _require_elements(x: Tensor, axis: int | tuple[int, ...] | None, name: str) -> Tensor:
    if 0 in (x.shape[a] for a in axes_of(axis, len(x.shape), name)):
        raise ValueError(f"{name}: no element of shape {tuple(x.shape)} along axis {axis}")
    return x


def mean(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    """The average over axes.

    >>> xp.mean(xp.asarray([[1.0, 2.0], [3.0, 6.0]]), axis=1).numpy().tolist()
    [1.5, 4.5]
    """
    return tf.reduce_mean(x, axes_of(axis, len(x.shape), "mean"), keepdims)


def var(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, correction: float = 0.0, keepdims: bool = False) -> Tensor:
    """The variance over axes: squares of differences from the mean, divided by their number less `correction`.

    >>> xp.var(xp.asarray([1.0, 5.0]), correction=1).numpy().item()
    8.0
    """
    axes = axes_of(axis, len(x.shape), "var")
    count = math.prod(x.shape[a] for a in axes)
    squares = tf.square(x - tf.reduce_mean(x, axes, True))
    return tf.reduce_sum(squares, axes, keepdims) / tf.constant(np.maximum(count - correction, 0), x.dtype)


def std(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, correction: float = 0.0, keepdims: bool = False) -> Tensor:
    """The standard deviation over axes, the root of `var`.

    >>> xp.std(xp.asarray([1.0, 5.0])).numpy().item()
    2.0
    """
    return tf.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def _resolve_axis(x: Any, axis: int | None, name: str) -> int:
    if axis is None:
        if len(x.shape) != 1:
            raise ValueError(f"{name}: an array of {len(x.shape)} axes needs `axis`")
        return 0
    return normalize_axis(axis, len(x.shape), name)


def cumulative_sum(x: Tensor, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False) -> Tensor:
    """The sums of the elements up to each one along an axis; with `include_initial`, 0 before them.

    >>> xp.cumulative_sum(xp.asarray([2, 3, 4]), include_initial=True).numpy().tolist()
    [0, 2, 5, 9]
    """
    at = _resolve_axis(x, axis, "cumulative_sum")
    found = tf.cumsum(_widen_for_sum(x, dtype), at)
    return _put_in_front(found, at, 0) if include_initial else found


def cumulative_prod(x: Tensor, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False) -> Tensor:
    """The products of the elements up to each one along an axis; with `include_initial`, 1 before them.

    >>> xp.cumulative_prod(xp.asarray([2, 3, 4])).numpy().tolist()
    [2, 6, 24]
    """
    at = _resolve_axis(x, axis, "cumulative_prod")
    found = tf.math.cumprod(_widen_for_sum(x, dtype), at)
    return _put_in_front(found, at, 1) if include_initial else found


def _put_in_front(found: Any, axis: int, value: int) -> Any:
    shape = [1 if a == axis else n for a, n in enumerate(found.shape)]
    return tf.concat([tf.cast(tf.fill(shape, value), found.dtype), found], axis)


def all(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    """Whether all elements over axes are true, that is not zero.

    >>> xp.all(xp.asarray([[True, False], [True, True]]), axis=1).numpy().tolist()
    [False, True]
    """
    return tf.reduce_all(x != 0 if kind_of(x.dtype) != "bool" else x, axes_of(axis, len(x.shape), "all"), keepdims)


def any(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    """Whether any element over axes is true, that is not zero.

    >>> xp.any(xp.asarray([[True, False], [False, False]]), axis=1).numpy().tolist()
    [True, False]
    """
    return tf.reduce_any(x != 0 if kind_of(x.dtype) != "bool" else x, axes_of(axis, len(x.shape), "any"), keepdims)


def diff(x: Tensor, /, *, axis: int = -1, n: int = 1, prepend: Tensor | None = None, append: Tensor | None = None) -> Tensor:
    """The differences of neighbours along an axis, `n` times.

    >>> xp.diff(xp.asarray([1, 4, 9, 16])).numpy().tolist(), xp.diff(xp.asarray([1, 4, 9, 16]), n=2).numpy().tolist()
    ([3, 5, 7], [2, 2])
    """
    axis = normalize_axis(axis, len(x.shape), "diff")
    parts = [p for p in (prepend, x, append) if p is not None]
    x = concat(parts, axis=axis) if len(parts) > 1 else tf.identity(x)
    for _ in range(n):
        size = x.shape[axis]
        after, before = tf.gather(x, tf.range(1, size), axis=axis), tf.gather(x, tf.range(size - 1), axis=axis)
        x = after - before if kind_of(x.dtype) != "bool" else after != before
    return x


# ---- searching


def argmax(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Where the largest element along an axis is, the first one; axis None: in `x` made flat.

    >>> xp.argmax(xp.asarray([[1, 9, 9], [5, 2, 3]]), axis=1).numpy().tolist()
    [1, 0]
    """
    return _position(tf.argmax, x, axis, keepdims)


def argmin(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Where the smallest element along an axis is, the first one; axis None: in `x` made flat.

    >>> xp.argmin(xp.asarray([[1, 9, 9], [5, 2, 3]]), axis=1, keepdims=True).numpy().tolist()
    [[0], [1]]
    """
    return _position(tf.argmin, x, axis, keepdims)


def _position(find: Callable[..., Tensor], x: Tensor, axis: int | None, keepdims: bool) -> Tensor:
    if axis is None:
        found = find(tf.reshape(x, [-1]), 0)
        return tf.reshape(found, [1] * len(x.shape)) if keepdims else found
    axis = normalize_axis(axis, len(x.shape), find.__name__)
    return tf.expand_dims(find(x, axis), axis) if keepdims else find(x, axis)


def count_nonzero(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    """How many elements over axes are not zero.

    >>> xp.count_nonzero(xp.asarray([[0, 3], [4, 5]]), axis=1).numpy().tolist()
    [1, 2]
    """
    return tf.reduce_sum(tf.cast(x != tf.zeros_like(x), int64), axes_of(axis, len(x.shape), "count_nonzero"), keepdims)


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """Where elements are not zero: a vector of indices for each axis.

    >>> [places.numpy().tolist() for places in xp.nonzero(xp.asarray([[0, 3], [4, 0]]))]
    [[0, 1], [1, 0]]
    """
    if not len(x.shape):
        raise ValueError("nonzero: an array without axes has no indices")
    return tuple(tf.unstack(tf.where(x != tf.zeros_like(x)), num=len(x.shape), axis=1))


def searchsorted(x1: Tensor, x2: Tensor, /, *, side: str = "left", sorter: Tensor | None = None) -> Tensor:
    """Where in the sorted vector `x1` each of `x2` would go, before equals ("left") or after them ("right").

    >>> xp.searchsorted(xp.asarray([1, 3, 5]), xp.asarray([0, 3, 9]), side="right").numpy().tolist()
    [0, 2, 3]
    """
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side is 'left' or 'right', not {side!r}")
    x1, x2 = promote_arrays(x1, x2)
    if sorter is not None:
        x1 = tf.gather(x1, sorter)
    return tf.reshape(tf.searchsorted(x1, tf.reshape(x2, [-1]), side=side, out_type=int64), tf.shape(x2))


def where(condition: Tensor, x1: Tensor | complex, x2: Tensor | complex, /) -> Tensor:
    """Elements of `x1` where `condition` holds, of `x2` elsewhere.

    >>> xp.where(xp.asarray([True, False]), xp.asarray([1, 2]), xp.asarray([10, 20])).numpy().tolist()
    [1, 20]
    """
    x1, x2 = promote_arrays(x1, x2)
    return tf.where(condition, x1, x2)


# ---- sorting


def argsort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The order that sorts `x` along an axis; equal elements keep theirs.

    >>> xp.argsort(xp.asarray([3, 1, 2]), descending=True).numpy().tolist()
    [0, 2, 1]
    """
    axis = normalize_axis(axis, len(x.shape), "argsort")
    return tf.cast(tf.argsort(x, axis, "DESCENDING" if descending else "ASCENDING", stable=True), int64)


def sort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The elements of `x` in order along an axis; gradients follow them.

    >>> xp.sort(xp.asarray([3, 1, 2]), descending=True).numpy().tolist()
    [3, 2, 1]
    """
    axis = normalize_axis(axis, len(x.shape), "sort")
    return tf.sort(x, axis, "DESCENDING" if descending else "ASCENDING")


# ---- sets


class UniqueAll(NamedTuple):
    """What `unique_all` gives."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    """What `unique_counts` gives."""

    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    """What `unique_inverse` gives."""

    values: Tensor
    inverse_indices: Tensor


def unique_all(x: Tensor, /) -> UniqueAll:
    """The distinct elements in order, where each first is, which one each element is, and how often each comes; every NaN is its own.

    >>> [part.numpy().tolist() for part in xp.unique_all(xp.asarray([3, 1, 3]))]
    [[1, 3], [1, 0], [1, 0, 1], [1, 2]]
    """
    array = _known_value(x, "unique_all").reshape(-1)
    _, first, inverse, counts = np.unique(array, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)
    found = tf.gather(tf.reshape(x, [-1]), EagerTensor(first.astype(np.int64)))
    return UniqueAll(found, *(EagerTensor(a.astype(np.int64)) for a in (first, inverse.reshape(tuple(x.shape)), counts)))


def unique_counts(x: Tensor, /) -> UniqueCounts:
    """The distinct elements, and how often each comes.

    >>> xp.unique_counts(xp.asarray([3, 1, 3])).counts.numpy().tolist()
    [1, 2]
    """
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: Tensor, /) -> UniqueInverse:
    """The distinct elements, and which of them each element is.

    >>> xp.unique_inverse(xp.asarray([3, 1, 3])).inverse_indices.numpy().tolist()
    [1, 0, 1]
    """
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: Tensor, /) -> Tensor:
    """The distinct elements.

    >>> xp.unique_values(xp.asarray([3, 1, 3])).numpy().tolist()
    [1, 3]
    """
    return unique_all(x).values


def _known_value(x: Tensor, name: str) -> np.ndarray:
    if not isinstance(x, EagerTensor):
        raise NotImplementedError(f"{name}: the number of results depends on values, which a graph does not know; use tf.unique there")
    return x.value


STATISTICS = ["sum", "prod", "max", "min", "mean", "var", "std", "cumulative_sum", "cumulative_prod", "all", "any", "diff"]
SEARCHING = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where", "argsort", "sort"]
SETS = ["unique_all", "unique_counts", "unique_inverse", "unique_values"]

__all__ = [*STATISTICS, *SEARCHING, *SETS]  # noqa: PLE0604  # lists of names
