"""Distinct slices along an axis, buckets, and where the parts of a concatenation begin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import ANY, INDEX, DType, as_dtype, float32, float64, int32, int64
from ...base.export import export
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.context import executing_eagerly
from ...ir.op import define, is_known
from ...ir.tensor import IndexedSlices, Tensor, TensorType
from ...ir.tracebacks import trims_errors
from ...kernels.native_loops import LEAST_ENTRIES, run_natively
from ..aliases.math import PARALLEL_CONCAT
from ..array.gather import gather
from ..array.shape import expand_dims
from ..array.type_rules import Array, invalid
from ..batching import alike
from ..lowering import search as native_search
from ..scopes import scope
from . import entry_loops
from .search import distinct

if TYPE_CHECKING:
    from ..vmap_rules.base import Rows

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
        found = _walked(rows)
        if found is not None:
            return *found, at
        _, number, counts = distinct(_keys(rows))
    first = np.full(len(counts), len(number))
    np.minimum.at(first, number, np.arange(len(number)))
    return first, number, counts, at


def _walked(rows: Array) -> tuple[Array, Array, Array] | None:
    """The same of the rows of integers, found natively; None where there is no code for it."""
    if rows.dtype.kind not in "iub" or not rows.shape[1]:
        return None
    count, size = rows.shape
    number, first, counts = (np.empty(count, np.int64) for _ in range(3))
    table = np.full(1 << (2 * count).bit_length(), -1)
    known = run_natively(entry_loops.distinct_rows, rows.size, number, first, counts, table, rows.reshape(-1), count, size, len(table) - 1)
    return None if known is None else (first[:known], number, counts[:known])


def _keys(rows: Array) -> Array:
    """A number for each row, equal where the rows are."""
    if rows.dtype == object:
        names = {row: i for i, row in enumerate(dict.fromkeys(map(tuple, rows.tolist())))}
        return np.array([names[row] for row in map(tuple, rows.tolist())], np.int64)
    if not rows.shape[1]:
        return np.zeros(len(rows), np.int64)
    if rows.dtype.kind in "iub" and len(rows):
        low, high = ([int(n) for n in ends] for ends in (rows.min(axis=0), rows.max(axis=0)))
        if math.prod(b - a + 1 for a, b in zip(low, high, strict=True)) < 1 << 62:
            wide: Any = np.uint64 if rows.dtype.kind == "u" else np.int64
            found = np.zeros(len(rows), np.int64)  # the columns as the digits of one number
            for column, a, b in zip(rows.T, low, high, strict=True):
                found = found * (b - a + 1) + (column.astype(wide) - wide(a)).astype(np.int64)
            return found
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
UNIQUE_V2 = define(
    "UniqueV2", "x axis:Taxis=int64", _unique_type, _unique, None, outputs="y idx", dtypes=_KINDS, batch="shape depends on values"
)
UNIQUE_WITH_COUNTS_V2 = define(
    "UniqueWithCountsV2", "x axis:Taxis=int64", _counted_type, _counted, None, outputs="y idx count", dtypes=_KINDS,
    batch="shape depends on values",
)

# ---- buckets


def _bucket_type(input: Any, *, boundaries: Sequence[float]) -> TensorType:
    return TensorType(input.dims, int32)


def _bucketize(input: Array, *, boundaries: Sequence[float]) -> Array:
    edges = np.asarray(boundaries, np.float32)
    if (edges[1:] < edges[:-1]).any():
        raise invalid("Expected sorted boundaries")
    if edges.size and input.size >= LEAST_ENTRIES:
        found = np.empty(input.shape, np.int32)
        given = input.reshape(-1), edges if input.dtype == np.float32 else edges.astype(np.float64)
        if run_natively(entry_loops.upper_bounds, input.size, found.reshape(-1), *given, input.size, edges.size) is not None:
            return found
    return np.asarray(np.searchsorted(edges, input, side="right")).astype(np.int32)


BUCKETIZE = define(
    "Bucketize", "input", _bucket_type, _bucketize, {}, dtypes={int32, int64, float32, float64}, batch=alike(),
    lower=native_search.bucketize,
)  # fmt: skip

# ---- concatenation


def _offset_type(concat_dim: Any, shape: Any) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, t.dtype) for t in shape)


def _offsets(concat_dim: Array, shape: Sequence[Array]) -> list[Array]:
    axis, first = int(concat_dim), shape[0]
    if not -len(first) <= axis < len(first):
        raise invalid(f"Concat dim is out of range: {axis} vs. {len(first)}")
    axis %= len(first)
    found, total, wanted = [], 0, first.tolist()
    for i, sizes in enumerate(shape):
        mine = sizes.tolist()
        wanted[axis] = mine[axis] if len(mine) == len(wanted) else None
        if mine != wanted:
            raise invalid(f"All dimensions except {axis} must match. Input {i} has shape {sizes}, input 0 has shape {first}")
        found.append(np.array([0] * axis + [total] + [0] * (len(mine) - axis - 1), sizes.dtype))
        total += mine[axis]
    return found


CONCAT_OFFSET = define(
    "ConcatOffset", "concat_dim:int32 *shape:shape_type", _offset_type, _offsets, {}, outputs="*offset", dtypes={"shape_type": INDEX},
    batch="a few sizes, checked together",
)


# ---- orders of an image's dimensions


def _format_type(x: Any, *, src_format: str = "NHWC", dst_format: str = "NCHW") -> TensorType:
    for which, given in (("Source", src_format), ("Destination", dst_format)):
        if len(given) not in (4, 5):
            text = f"{which} format must be of length 4 or 5, received {given!r}"
            raise ShapeError(text, text)
    if sorted(src_format) != sorted(dst_format):
        text = f"Destination and source format must determine a permutation, got {src_format} and {dst_format}"
        raise ShapeError(text, text)
    return TensorType(x.dims, x.dtype)


def _dim_map(x: Array, *, src_format: str = "NHWC", dst_format: str = "NCHW") -> Array:
    if ((x < -len(src_format)) | (x >= len(src_format))).any():
        raise invalid(f"axes must be in [-{len(src_format)}, {len(src_format)})")
    places = np.array([dst_format.index(letter) for letter in src_format], x.dtype)
    return places[x]


def _vec_permute(x: Array, *, src_format: str = "NHWC", dst_format: str = "NCHW") -> Array:
    """For a vector shorter by two, without the letters N and C."""
    if not 1 <= x.ndim <= 2:
        raise invalid(f"input must be a vector or 2D tensor, but got shape {show_dims(x.shape)}")
    if len(x) == len(src_format) - 2:
        src_format, dst_format = (f.replace("N", "").replace("C", "") for f in (src_format, dst_format))
    if len(x) != len(src_format):
        raise invalid(f"the first dimension of the input must be of size {len(src_format)}, but got shape {show_dims(x.shape)}")
    return x[[src_format.index(letter) for letter in dst_format]]


def _vec_rows(rows: Rows, x: Any, **attrs: Any) -> Any:
    """Entries are taken in the order in which their numbers are."""
    count = (rows.dims(x) or (None,))[0]
    if count is None:
        return NotImplemented
    return gather(x, rows.op(np.arange(count, dtype=np.int32), **attrs), axis=1, batch_dims=0)


DATA_FORMAT_DIM_MAP = define("DataFormatDimMap", "x:T=int32", _format_type, _dim_map, None, dtypes=INDEX, batch=alike())
DATA_FORMAT_VEC_PERMUTE = define("DataFormatVecPermute", "x:T=int32", _format_type, _vec_permute, None, dtypes=INDEX, batch=_vec_rows)


@export("get_static_value")
def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """What a tensor is known to hold before anything runs, as an array; None where nothing is known.

    partial: also an array of objects, None for the elements that are not known.

    >>> import pullback as tf
    >>> tf.get_static_value(tf.constant([1, 2])).tolist()
    [1, 2]
    """
    if not isinstance(tensor, Tensor):
        return tensor if not hasattr(tensor, "handle") else None
    found = tensor.constant
    if found is None or is_known(found):
        return found
    return found if partial else None


@export(v1="convert_to_tensor_or_indexed_slices")
def convert_to_tensor_or_indexed_slices(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`value` as a tensor, unless it is an `IndexedSlices`, which stays; a ValueError for one of another dtype than asked for.

    >>> import pullback as tf
    >>> tf.compat.v1.convert_to_tensor_or_indexed_slices([1, 2]).numpy().tolist()
    [1, 2]
    """
    if isinstance(value, IndexedSlices):
        if dtype is not None and as_dtype(dtype) is not value.dtype:
            raise ValueError(f"Tensor conversion requested dtype {as_dtype(dtype).name} for slices of dtype {value.dtype.name}")
        return value
    return convert_to_tensor(value, dtype=dtype, name=name)


@export(v1="batch_scatter_update")
def batch_scatter_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """Replaces the rows `indices` of each matrix of the variable `ref` with `updates`; gives the new value.

    indices: their leading dimensions are those of the variable.  Raises ValueError where their shape is not known.

    >>> import pullback as tf
    >>> v = tf.Variable([[1, 2], [3, 4]])
    >>> tf.compat.v1.batch_scatter_update(v, [[0], [1]], [[7], [8]]).numpy().tolist()
    [[7, 2], [3, 8]]
    """
    places = convert_to_tensor(indices)
    return ref.batch_scatter_update(IndexedSlices(convert_to_tensor(updates, dtype=ref.dtype.base_dtype), places), use_locking, name)


@export(v2="parallel_stack")
@trims_errors
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
        rows = [expand_dims(v, 0) for v in given]
        return PARALLEL_CONCAT(rows, shape=(len(rows), *dims))
