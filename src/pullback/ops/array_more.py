"""Distinct slices along an axis, buckets, and where the parts of a concatenation begin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtypes import ANY, INDEX, DType, float32, float64, int32, int64
from ..base.shapes import show as show_dims
from ..ir.apply import ShapeError, convert_to_tensor
from ..ir.context import executing_eagerly
from ..ir.op import OPS, define
from ..ir.tensor import TensorType
from . import native_search
from .array_search import distinct
from .array_types import Array, invalid
from .older import PARALLEL_CONCAT
from .rows import alike
from .scopes import scope

# ---- distinct slices


def _places(x: Array, axis: Array) -> tuple[Array, Array, Array, int]:
    """The first place of each distinct slice, the number of each slice among them, their counts, and the axis."""
    if axis.ndim != 1 or axis.size > 1:
        raise invalid(f"axis expects a 0D or 1D vector of at most one element, not one of shape {show_dims(axis.shape)}")
    if not axis.size and x.ndim != 1:
        raise invalid(f"unique expects a 1D vector where no axis is given, got shape {show_dims(x.shape)}")
    at = int(axis[0]) if axis.size else 0
    if not -x.ndim <= at < x.ndim:
        raise invalid(f"axis has to be in [0, {x.ndim}), got {at}")
    at %= x.ndim
    if x.ndim == 1:
        _, number, counts = distinct(x)
    else:
        rows = np.ascontiguousarray(np.moveaxis(x, at, 0)).reshape(x.shape[at], -1)
        _, number, counts = distinct(_keys(rows))
    first = np.full(len(counts), len(number))
    np.minimum.at(first, number, np.arange(len(number)))
    return first, number, counts, at


def _keys(rows: Array) -> Array:
    """A number for each row, equal where the rows are."""
    if rows.dtype == object:
        names = {row: i for i, row in enumerate(dict.fromkeys(map(tuple, rows.tolist())))}
        return np.array([names[row] for row in map(tuple, rows.tolist())], np.int64)
    if not rows.shape[1]:
        return np.zeros(len(rows), np.int64)
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)


def _unique_type(x: Any, axis: Any, *, out_idx: DType = int32) -> tuple[TensorType, TensorType]:
    if axis.dims is not None and len(axis.dims) != 1:
        raise ShapeError(f"Shape must be rank 1 but is rank {len(axis.dims)}", "axis expects a 1D vector.")
    return TensorType(None if x.dims is None else (None,) * len(x.dims), x.dtype), TensorType((None,), out_idx)


def _unique(x: Array, axis: Array, *, out_idx: DType = int32) -> tuple[Array, Array]:
    first, number, _, at = _places(x, axis)
    return np.take(x, first, at), number.astype(out_idx.numpy)


def _counted_type(x: Any, axis: Any, *, out_idx: DType = int32) -> tuple[TensorType, ...]:
    return (*_unique_type(x, axis, out_idx=out_idx), TensorType((None,), out_idx))


def _counted(x: Array, axis: Array, *, out_idx: DType = int32) -> tuple[Array, Array, Array]:
    first, number, counts, at = _places(x, axis)
    return np.take(x, first, at), number.astype(out_idx.numpy), counts.astype(out_idx.numpy)


_KINDS = {"T": ANY, "Taxis": INDEX}
UNIQUE_V2 = define("UniqueV2", "x axis:Taxis", _unique_type, _unique, None, outputs="y idx", dtypes=_KINDS)
UNIQUE_WITH_COUNTS_V2 = define("UniqueWithCountsV2", "x axis:Taxis", _counted_type, _counted, None, outputs="y idx count", dtypes=_KINDS)

# ---- buckets


def _bucket_type(input: Any, *, boundaries: Sequence[float]) -> TensorType:
    return TensorType(input.dims, int32)


def _bucketize(input: Array, *, boundaries: Sequence[float]) -> Array:
    edges = np.asarray(boundaries, np.float32)
    if (edges[1:] < edges[:-1]).any():
        raise invalid("Expected sorted boundaries")
    return np.asarray(np.searchsorted(edges, input, side="right")).astype(np.int32)


BUCKETIZE = define(
    "Bucketize", "input", _bucket_type, _bucketize, {}, dtypes={int32, int64, float32, float64}, batch=alike(), lower=native_search.bucketize
)

# ---- concatenation


def _offset_type(concat_dim: Any, shape: Any) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, t.dtype) for t in shape)


def _offsets(concat_dim: Array, shape: Sequence[Array]) -> list[Array]:
    axis, first = int(concat_dim), shape[0]
    if not -len(first) <= axis < len(first):
        raise invalid(f"Concat dim is out of range: {axis} vs. {len(first)}")
    axis %= len(first)
    found, total = [], 0
    for i, sizes in enumerate(shape):
        if len(sizes) != len(first) or (np.delete(sizes, axis) != np.delete(first, axis)).any():
            raise invalid(f"All dimensions except {axis} must match. Input {i} has shape {sizes}, input 0 has shape {first}")
        offset = np.zeros_like(sizes)
        offset[axis], total = total, total + int(sizes[axis])
        found.append(offset)
    return found


CONCAT_OFFSET = define(
    "ConcatOffset", "concat_dim:int32 *shape:shape_type", _offset_type, _offsets, {}, outputs="*offset", dtypes={"shape_type": INDEX}
)


def parallel_stack(values: Any, name: str = "parallel_stack") -> Any:
    """Tensors of one known shape, put side by side along a new first axis.  As in TensorFlow, for graphs: eagerly a RuntimeError.

    >>> import pullback as tf
    >>> stacked = tf.function(lambda x, y: tf.parallel_stack([x, y]))
    >>> stacked(tf.constant([1, 2]), tf.constant([3, 4])).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    if executing_eagerly():
        raise RuntimeError("tf.parallel_stack() is not compatible with eager execution; use tf.stack")
    with scope(name, "parallel_stack"):
        given = [convert_to_tensor(v) for v in values]
        dims = given[0].dims
        if dims is None or None in dims:
            raise ValueError(f"parallel_stack needs values of known shape, not {show_dims(dims)}")
        rows = [OPS["ExpandDims"].call(v, 0) for v in given]
        return PARALLEL_CONCAT(rows, shape=(len(rows), *dims))
