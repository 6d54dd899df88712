"""Sparse segment reductions: rows of a tensor chosen by number, then reduced by the segment each choice belongs to.

`out[s] = scale(s) * sum(data[indices[i]] for i where segment_ids[i] == s)`: a product with a sparse matrix that has a row for each
segment.  So the rows chosen are never put together in memory where SciPy multiplies (float32, float64), and the gradient is the
product with the transpose.  scale: 1 (Sum), 1 over the number of choices (Mean), 1 over its root (SqrtN).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import FLOATING, INDEX, REAL
from ...base.export import export
from ...base.shapes import num_elements, show as show_dims
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.op import OPS, Op, define
from ...ir.tensor import IndexedSlices, NumberLike, Tensor, TensorType
from ...kernels import blocked
from ..array.basic import shape_of
from ..array.shape import expand_dims, squeeze
from ..array.type_rules import invalid_argument, known_size, known_value
from ..batching import Batched, content
from ..lowering import segment as native_segment
from ..reduce.reductions import is_narrow
from ..search.search import LOWER_BOUND

if TYPE_CHECKING:
    from ..vmap_rules.base import Rows

Array = np.ndarray[Any, Any]


# ---- types


def _rows_type(data: Any, count: int | None) -> TensorType:
    if data.dims is None:
        return TensorType(None, data.dtype)
    if not data.dims:
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "Shape must be at least rank 1")
    return TensorType((count, *data.dims[1:]), data.dtype)


def _check_vectors(indices: Any, segment_ids: Any) -> None:
    for name, t in (("indices", indices), ("segment_ids", segment_ids)):
        if t.dims is not None and len(t.dims) != 1:
            raise ShapeError(f"Shape must be rank 1 but is rank {len(t.dims)}", f"{name} should be a vector.")
    m, n = (num_elements(t.dims) for t in (indices, segment_ids))
    if m is not None and n is not None and m != n:
        raise ShapeError(f"Dimension 0 in both shapes must be equal, but are {m} and {n}", "segment_ids and indices should have same size.")


def _refuse_below_zero(name: str, count: int | None) -> None:
    if count is not None and count < 0:
        raise ShapeError(f"Cannot specify a negative value for {name}", "segment ids must be >= 0")


def _type(data: Any, indices: Any, segment_ids: Any, *, sparse_gradient: bool = False) -> TensorType:
    _check_vectors(indices, segment_ids)
    ids = known_value(segment_ids)
    return _rows_type(data, None if ids is None else int(ids[-1]) + 1 if len(ids) else 0)


def _numbered_type(data: Any, indices: Any, segment_ids: Any, num_segments: Any, *, sparse_gradient: bool = False) -> TensorType:
    _check_vectors(indices, segment_ids)
    count = known_size(num_segments, f"num_segments should be a scalar, not shape {show_dims(num_segments.dims)}")
    _refuse_below_zero("num_segments", count)
    return _rows_type(data, count)


def _back_type(grad: Any, indices: Any, segment_ids: Any, output_dim0: Any) -> TensorType:
    _check_vectors(indices, segment_ids)
    count = known_size(output_dim0, f"output_dim0 should be a scalar, not shape {show_dims(output_dim0.dims)}")
    _refuse_below_zero("output_dim0", count)
    return _rows_type(grad, count)


def _rows_back_type(grad: Any, indices: Any, segment_ids: Any, dense_output_dim0: Any) -> tuple[TensorType, TensorType]:
    _check_vectors(indices, segment_ids)
    known_size(dense_output_dim0, f"dense_output_dim0 should be a scalar, not shape {show_dims(dense_output_dim0.dims)}")
    rows = known_value(indices)
    count = None if rows is None else len(np.unique(rows))
    return _rows_type(grad, count), TensorType((count,), indices.dtype)


# ---- kernels


def _scales(how: str, ids: Array, count: int, dtype: Any) -> Array | None:
    """What each choice is multiplied by; None for 1."""
    if how == "Sum":
        return None
    number = np.bincount(ids, minlength=count).astype(dtype)
    return np.asarray((1.0 / (number if how == "Mean" else np.sqrt(number))[ids]).astype(dtype))


def _product(rows: Array, chosen: Array, ids: Array, count: int, scales: Array | None) -> Array:
    """`out[ids[i]] += scales[i] * rows[chosen[i]]`, `count` rows."""
    dtype = rows.dtype
    if is_narrow(rows):
        rows = rows.astype(np.float32)
    width = int(np.prod(rows.shape[1:]))
    if rows.dtype.char in "fd" and len(ids) * width >= blocked.LARGE:
        from scipy.sparse import coo_matrix, csr_matrix

        weights = np.ones(len(ids), rows.dtype) if scales is None else scales.astype(rows.dtype, copy=False)
        if (ids[1:] >= ids[:-1]).all():
            matrix = csr_matrix((weights, chosen, np.searchsorted(ids, np.arange(count + 1))), shape=(count, len(rows)))
        else:
            matrix = coo_matrix((weights, (ids, chosen)), shape=(count, len(rows))).tocsr()
        out = matrix @ rows.reshape(len(rows), width)
        return np.asarray(out.reshape(count, *rows.shape[1:]).astype(dtype, copy=False))
    out = np.zeros((count, *rows.shape[1:]), rows.dtype)
    if len(ids):
        taken = rows[chosen]
        if scales is not None:
            taken = taken * scales.reshape(-1, *(1,) * (rows.ndim - 1)).astype(rows.dtype, copy=False)
        found_ids, found = blocked.combine_rows(np.add, taken, ids)
        out[found_ids] = found
    return out.astype(dtype, copy=False)


def _check(indices: Array, segment_ids: Array, size: int, rank: int) -> None:
    if not rank or indices.ndim != 1 or segment_ids.shape != indices.shape:
        raise ValueError("the ids do not fit")  # the type rule finds the words
    if not len(segment_ids):
        return
    wrong = (indices < 0) | (indices >= size)
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise invalid_argument(f"Bad: indices[{at}] == {indices[at]} out of range [0, {size})")
    if segment_ids[0] < 0:
        raise invalid_argument(
            f"Segment id {segment_ids[0]} out of range [0, {segment_ids[-1] + 1}), possibly because 'segment_ids' input is not sorted."
        )
    if (segment_ids[1:] < segment_ids[:-1]).any():
        raise invalid_argument("segment ids are not increasing")


def _kernel(how: str, data: Array, indices: Array, segment_ids: Array, num_segments: Any = None, *, sparse_gradient: bool = False) -> Array:
    _check(indices, segment_ids, len(data) if data.ndim else 0, data.ndim)
    last = int(segment_ids[-1]) if len(segment_ids) else -1
    count = last + 1
    if num_segments is not None:
        count = int(num_segments)
        if count < 0:
            raise invalid_argument("segment ids must be >= 0")
        if last >= count:
            raise invalid_argument("segment ids must be < num_segments")
    narrow = np.float32 if is_narrow(data) else data.dtype
    return _product(data, indices, segment_ids, count, _scales(how, segment_ids, count, narrow))


def _pull_back(how: str, grad: Array, indices: Array, segment_ids: Array, output_dim0: Any) -> Array:
    size = int(output_dim0)
    if indices.shape != segment_ids.shape:
        raise invalid_argument(f"segment_ids and indices should have same size, got {segment_ids.size} and {indices.size}")
    _check(indices, np.zeros_like(indices), size, grad.ndim)
    wrong = (segment_ids < 0) | (segment_ids >= len(grad))
    if wrong.any():
        raise invalid_argument(
            f"Segment id {segment_ids[wrong][0]} out of range [0, {len(grad)}), possibly because 'segment_ids' input is not sorted."
        )
    narrow = np.float32 if is_narrow(grad) else grad.dtype
    return _product(grad, segment_ids, indices, size, _scales(how, segment_ids, len(grad), narrow))


def _rows_back(how: str, grad: Array, indices: Array, segment_ids: Array, dense_output_dim0: Any) -> tuple[Array, Array]:
    _check(indices, np.zeros_like(indices), int(dense_output_dim0), grad.ndim)
    if indices.shape != segment_ids.shape:
        raise invalid_argument(f"segment_ids and indices should have same size, got {segment_ids.size} and {indices.size}")
    rows, places = np.unique(indices, return_inverse=True)
    return _pull_back(how, grad, places.reshape(-1), segment_ids, len(rows)), rows


# ---- rules


def _pull_rule(how: str) -> Callable[..., Any]:
    def data(g: Any, data_type: Any, indices: Any, segment_ids: Any, sparse_gradient: bool) -> Any:
        sizes = shape_of(data_type)
        if not sparse_gradient:
            return OPS[f"SparseSegment{how}Grad"].call(g, indices, segment_ids, sizes[0])
        rows, numbers = OPS[f"SparseSegment{how}GradV2"].call(g, indices, segment_ids, sizes[0])
        return IndexedSlices(rows, numbers, convert_to_tensor(sizes))

    return data


def _push_rule(how: str) -> Callable[..., Any]:
    def grad(g: Any, grad_type: Any, indices: Any, segment_ids: Any) -> Any:
        return OPS[f"SparseSegment{how}WithNumSegments"].call(g, indices, segment_ids, shape_of(grad_type)[0])

    return grad


def _push_rows(how: str) -> Callable[..., Any]:
    def grad(g_output: Any, grad_type: Any, indices: Any, segment_ids: Any, sorted_unique_indices: Any) -> Any:
        places = LOWER_BOUND.call(expand_dims(sorted_unique_indices, 0), expand_dims(indices, 0))
        places = squeeze(places, axis=(0,))
        return OPS[f"SparseSegment{how}WithNumSegments"].call(g_output, places, segment_ids, shape_of(grad_type)[0])

    return grad


def _columns(rows: Rows, first: Any, *others: Any, **attrs: Any) -> Batched:
    """Rows become a second axis of the tensor whose first axis is reduced; choices and ids are the same for all rows."""
    if rows.has(*others):
        return NotImplemented
    answer = rows.op(rows.swap_axes(rows.stack(first)), *(t if content(t) is None else content(t) for t in others), **attrs)
    return rows.swap_axes(answer)


# ---- records


def _define(how: str) -> Op:
    """The operations of a kind, of which the last is given back."""
    dtypes = REAL if how == "Sum" else FLOATING
    ids = "indices:Tidx segment_ids:Tsegmentids"
    kinds = {"T": dtypes, "Tidx": INDEX, "Tsegmentids": INDEX, "Tnumsegments": INDEX}
    kernel, back = partial(_kernel, how), partial(_pull_back, how)
    forward, backward = native_segment.sparse_segments(how), native_segment.sparse_segments_grad(how)
    define(f"SparseSegment{how}", f"data {ids}", _type, kernel, {"data": _pull_rule(how)}, dtypes=kinds, batch=_columns, lower=forward)
    define(
        f"SparseSegment{how}WithNumSegments",
        f"data {ids} num_segments:Tnumsegments",
        _numbered_type,
        kernel,
        {"data": _pull_rule(how)},
        dtypes=kinds,
        batch=_columns,
        lower=forward,
    )
    kinds = {"T": FLOATING, "Tidx": INDEX, "Tsegmentids": INDEX}
    define(
        f"SparseSegment{how}Grad",
        f"grad {ids} output_dim0:int32",
        _back_type,
        back,
        {"grad": _push_rule(how)},
        dtypes=kinds,
        batch=_columns,
        lower=backward,
    )
    return define(
        f"SparseSegment{how}GradV2",
        f"grad {ids} dense_output_dim0:int32",
        _rows_back_type,
        partial(_rows_back, how),
        {"grad": _push_rows(how)},
        outputs="output sorted_unique_indices",
        dtypes=kinds,
    )


ROWS_GRADS = tuple(_define(how) for how in ("Sum", "Mean", "SqrtN"))


# ---- functions


def _reduce_segments(
    how: str, data: Any, indices: Any, segment_ids: Any, num_segments: Any, sparse_gradient: bool, name: str | None
) -> Tensor:
    if num_segments is None:
        return _op(how)(data, indices, segment_ids, sparse_gradient=sparse_gradient, name=name)
    return _op(f"{how}WithNumSegments")(data, indices, segment_ids, num_segments, sparse_gradient=sparse_gradient, name=name)


def _op(how: str) -> Op:
    return OPS[f"SparseSegment{how}"]


@export(v2="sparse.segment_sum")
def segment_sum(
    data: NumberLike,
    indices: NumberLike,
    segment_ids: NumberLike,
    num_segments: NumberLike | None = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """The sum, for each segment, of the rows of `data` that its indices name.

    data: real, rank 1 or more.  indices: numbers of rows.  segment_ids: the segment of each index, from 0, never falling.
    num_segments: the number of rows of the result; by default the last id and one.  sparse_gradient: whether data's gradient is an
    `IndexedSlices` of the rows that were named.  Raises InvalidArgumentError for an index or id out of range, ids that fall or do not
    match the indices.

    >>> tf.sparse.segment_sum([1.0, 2.0, 4.0], [0, 2, 2], [0, 0, 1]).numpy().tolist()
    [5.0, 4.0]
    """
    return _reduce_segments("Sum", data, indices, segment_ids, num_segments, sparse_gradient, name)


@export(v2="sparse.segment_mean")
def segment_mean(
    data: NumberLike,
    indices: NumberLike,
    segment_ids: NumberLike,
    num_segments: NumberLike | None = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """The mean, for each segment, of the rows that its indices name, 0 of none; floating, the rest as `segment_sum`.

    >>> tf.sparse.segment_mean([1.0, 2.0, 4.0], [0, 2, 2], [0, 0, 1]).numpy().tolist()
    [2.5, 4.0]
    """
    return _reduce_segments("Mean", data, indices, segment_ids, num_segments, sparse_gradient, name)


@export(v2="sparse.segment_sqrt_n")
def segment_sqrt_n(
    data: NumberLike,
    indices: NumberLike,
    segment_ids: NumberLike,
    num_segments: NumberLike | None = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """The sum of the rows that each segment's indices name over the root of their number; floating, the rest as `segment_sum`.

    >>> tf.sparse.segment_sqrt_n([1.0, 2.0, 4.0], [0, 0, 0, 0], [0, 0, 0, 0]).numpy().tolist()
    [2.0]
    """
    return _reduce_segments("SqrtN", data, indices, segment_ids, num_segments, sparse_gradient, name)
