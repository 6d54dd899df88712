"""Batching rules of sparse and ragged operations whose rows share their places: values of all rows stand side by side in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import int32, int64
from ..array.basic import ONES_LIKE, RESHAPE, ZEROS_LIKE, identity, shape
from ..array.shape import expand_dims
from ..array.slice import slice
from ..array.where import where
from ..batching import Batched, Same, batches, next_axis
from ..math.arithmetic import ADD, MUL, multiply, negative, subtract
from ..math.division import REAL_DIV
from ..primitives.compare import greater
from ..reduce.reductions import SUM
from ..search.sort import TOP_K
from ..segment.dense import unsorted_segment_sum
from ..sparse.count import SPARSE_BINCOUNT
from ..sparse.dense import BROADCAST_PLACES, CWISE_ADD, CWISE_DIV, CWISE_MUL, SOFTMAX, TENSOR_ADD, TO_DENSE
from ..sparse.empty_rows import FILL_ROWS_GRAD
from ..sparse.indices import REORDER, RESHAPE as SPARSE_RESHAPE, SLICE_GRAD, TAKEN
from ..sparse.join import CONCAT, CONCAT_PLACES, SPLIT_PLACES
from ..sparse.sums import ADD_GRAD, KEPT_PLACES, REDUCE_MAX, REDUCE_SUM
from .base import Rows, cast, cut_start, join_vectors, sizes, times
from .index import number_rows, offset_ids

if TYPE_CHECKING:
    from ...ir.tensor import Tensor


@batches(TAKEN)
def batch_items(rows: Rows, values: Tensor, *places: Any, **attrs: Any) -> Batched:
    """For an op that moves whole items of its first input: rows become a second axis of them."""
    if rows.has(*places):
        return NotImplemented
    return rows.swap_axes(rows.op(rows.swap_axes(rows.stack(values)), *places, **attrs))


@batches(CWISE_ADD, CWISE_MUL, CWISE_DIV)
def cwise(rows: Rows, sp_indices: Tensor, sp_values: Tensor, sp_shape: Tensor, dense: Tensor) -> Batched:
    """The elements that the entries meet, gathered for all rows, then the op on dense tensors."""
    op = {CWISE_ADD: ADD, CWISE_MUL: MUL, CWISE_DIV: REAL_DIV}[rows.op]
    if rows.has(sp_indices, sp_shape) or (op is REAL_DIV and sp_values.dtype.is_integer):
        return NotImplemented
    if not rows.has(dense):
        places = BROADCAST_PLACES(sp_indices, sp_shape, shape(dense, out_type=int64))
        met = TAKEN(RESHAPE(dense, [-1]), places)
    else:
        one = rows.dims(dense)
        if one is None or None in one:
            return NotImplemented
        places = BROADCAST_PLACES(sp_indices, sp_shape, np.array(one, np.int64))
        flat = RESHAPE(dense, rows.before(np.array([int(np.prod(one))], np.int32)))
        met = rows.swap_axes(TAKEN(rows.swap_axes(flat), places))
    return op(sp_values, met)


@batches(REDUCE_SUM)
def reduce_sum(
    rows: Rows, input_indices: Tensor, input_values: Tensor, input_shape: Tensor, reduction_axes: Tensor, *, keep_dims: bool
) -> Batched:
    """Entries of all rows summed at the place in the result that each goes to."""
    dims = rows.node.outputs[0].dims
    if rows.has(input_indices, input_shape, reduction_axes) or dims is None or None in dims:
        return NotImplemented
    places = KEPT_PLACES(input_indices, input_shape, reduction_axes)
    cells = np.int32(np.prod(dims))
    total = rows.swap_axes(unsorted_segment_sum(rows.swap_axes(rows.stack(input_values)), places, cells))
    return RESHAPE(total, rows.before(np.array(dims, np.int32)))


# ---- entries of all rows in one sparse tensor, whose first dimension is the rows


def _entries(rows: Rows, indices: Any) -> Any:
    """The index vectors of all rows, one row's after the other's, each with the number of its row in front."""
    return rows.fold(rows.mark(number_rows(rows, indices)))


def _count(rows: Rows, output: int = 0) -> Any:
    """How many entries one row of an output has, where that is known."""
    dims = rows.node.outputs[output].dims
    return None if dims is None else dims[0]


@batches(TO_DENSE)
def to_dense(
    rows: Rows, sparse_indices: Tensor, output_shape: Tensor, sparse_values: Tensor, default_value: Tensor, **attrs: Any
) -> Batched:
    """Index vectors name their row; a value that all entries share stays one."""
    rank, scalar = rows.rank(sparse_indices), rows.rank(sparse_values) == 0
    if rows.has(output_shape, default_value) or rank is None or (scalar and rows.has(sparse_values)) or sparse_values.dims is None:
        return NotImplemented
    if rank < 2:
        column = join_vectors(rows.shape(sparse_indices) if rank else [1], [1])
        sparse_indices = rows.mark(RESHAPE(rows.stack(sparse_indices), rows.before(column)))
    values = sparse_values if scalar else rows.fold(sparse_values)
    return rows.op(_entries(rows, sparse_indices), rows.before(output_shape, output_shape.dtype), values, default_value, **attrs)


@batches(TENSOR_ADD)
def dense_add(rows: Rows, a_indices: Tensor, a_values: Tensor, a_shape: Tensor, b: Tensor) -> Batched:
    """One sum of larger tensors."""
    if rows.has(a_shape):
        return NotImplemented
    return rows.op(_entries(rows, a_indices), rows.fold(a_values), rows.before(a_shape, a_shape.dtype), rows.stack(b))


@batches(SOFTMAX)
def softmax(rows: Rows, sp_indices: Tensor, sp_values: Tensor, sp_shape: Tensor) -> Batched:
    """Groups of entries are of one row each."""
    if rows.has(sp_shape):
        return NotImplemented
    return rows.unfold(rows.op(_entries(rows, sp_indices), rows.fold(sp_values), rows.before(sp_shape, int64)), _count(rows))


@batches(REORDER)
def reorder(rows: Rows, input_indices: Tensor, input_values: Tensor, input_shape: Tensor) -> Batched:
    """Entries stay with their row, which comes first in the order."""
    if rows.has(input_shape):
        return NotImplemented
    indices, values = rows.op(_entries(rows, input_indices), rows.fold(input_values), rows.before(input_shape, int64))
    indices = rows.unfold(indices, _count(rows))
    return slice(indices, np.array([0, 0, 1], np.int32), np.full(3, -1, np.int32)), rows.unfold(values, _count(rows, 1))


@batches(REDUCE_MAX)
def reduce_dense(
    rows: Rows, input_indices: Tensor, input_values: Tensor, input_shape: Tensor, reduction_axes: Tensor, *, keep_dims: bool
) -> Batched:
    """Axes are those after the rows'."""
    if rows.has(input_shape, reduction_axes):
        return NotImplemented
    whole = rows.before(input_shape, int64)
    return rows.op(_entries(rows, input_indices), rows.fold(input_values), whole, rows.later(reduction_axes), keep_dims=keep_dims)


@batches(ADD_GRAD)
def entries_grad(rows: Rows, backprop_val_grad: Tensor, *indices: Any) -> Batched:
    """Cotangents go to the entries of the same row."""
    found = rows.op(rows.fold(backprop_val_grad), *(_entries(rows, i) for i in indices))
    return tuple(rows.unfold(t, _count(rows, i)) for i, t in enumerate(found))


@batches(SLICE_GRAD)
def slice_grad(rows: Rows, backprop_val_grad: Tensor, input_indices: Tensor, input_start: Tensor, output_indices: Tensor) -> Batched:
    """The slice of all rows begins at the first."""
    if rows.has(input_start):
        return NotImplemented
    places = _entries(rows, input_indices), join_vectors([0], input_start, int64), _entries(rows, output_indices)
    return rows.unfold(rows.op(rows.fold(backprop_val_grad), *places), _count(rows))


@batches(FILL_ROWS_GRAD)
def fill_grad(rows: Rows, reverse_index_map: Tensor, grad_values: Tensor) -> Batched:
    """One gather for the values; what it leaves in a row is summed for the default."""
    count = rows.shape(grad_values, int64)[0]
    places, grads = rows.fold(offset_ids(rows, reverse_index_map, count)), rows.stack(grad_values)
    values, _ = rows.op(places, rows.fold(grad_values))
    met = unsorted_segment_sum(ONES_LIKE(places), places, times(count, cast(rows.count(), int64)))
    taken = greater(RESHAPE(met, sizes(grads)), np.zeros((), np.int64))
    left = where(taken, ZEROS_LIKE(grads), grads)
    return rows.unfold(values, _count(rows)), SUM(left, np.array([1], np.int32), keep_dims=False)


@batches(SPARSE_RESHAPE)
def reshape(rows: Rows, input_indices: Tensor, input_shape: Tensor, new_shape: Tensor) -> Batched:
    """Places are told from shapes alone: entries of all rows are entries of one."""
    if rows.has(input_shape, new_shape):
        return NotImplemented
    indices, shape = rows.op(rows.fold(input_indices), input_shape, new_shape)
    return rows.unfold(indices, _count(rows)), Same(shape)


def batch_sets(rows: Rows, *parts: Any, **attrs: Any) -> Batched:
    """For an op that takes one or two sparse tensors and gives a number for each set or sequence along their last dimension."""
    if rows.has(*parts[2::3]):
        return NotImplemented
    given = []
    for indices, values, whole in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        given += [_entries(rows, indices), rows.fold(values), rows.before(whole, int64)]
    return rows.op(*given, **attrs)


@batches(CONCAT)
def concat(rows: Rows, indices: Any, values: Any, shapes: Any, *, concat_dim: int) -> Batched:
    """Entries of all rows, one row's after the other's, along a later dimension."""
    if rows.has(*shapes):
        return NotImplemented
    places, shape = [_entries(rows, i) for i in indices], [rows.before(s, int64) for s in shapes]
    found, merged, whole = rows.op(places, [rows.fold(v) for v in values], shape, concat_dim=next_axis(concat_dim))
    found = slice(rows.unfold(found, _count(rows)), np.array([0, 0, 1], np.int32), np.full(3, -1, np.int32))
    return found, rows.unfold(merged, _count(rows, 1)), Same(cut_start(whole, 1))


@batches(CONCAT_PLACES)
def concat_places(rows: Rows, indices: Any, shapes: Any, *, concat_dim: int) -> Batched:
    """Where `concat` puts the entries of a row, counted from the row's first."""
    if rows.has(*shapes):
        return NotImplemented
    whole = [rows.before(s, int64) for s in shapes]
    found = rows.op([_entries(rows, i) for i in indices], whole, concat_dim=next_axis(concat_dim))
    counts = [rows.shape(i, int64)[0] for i in indices]
    total = cast(counts[0], int64)
    for n in counts[1:]:
        total = ADD(total, cast(n, int64))
    before = expand_dims(multiply(identity(rows.numbers(found[0])), total), np.int32(1))
    return [subtract(rows.unfold(t, _count(rows, i)), before) for i, t in enumerate(found)]


@batches(SPLIT_PLACES)
def split_places(rows: Rows, split_dim: Tensor, indices: Tensor, shape: Tensor, *, num_split: int) -> Batched:
    """Where the entries of all rows go tells by its order where those of one go."""
    if rows.has(split_dim, shape):
        return NotImplemented
    found = rows.unfold(rows.op(split_dim, rows.fold(indices), shape, num_split=num_split), _count(rows))
    count = cast(rows.shape(indices)[0], int32)
    order = TOP_K(negative(found), count, sorted=True)[1]
    return cast(TOP_K(negative(order), count, sorted=True)[1], int64)


@batches(SPARSE_BINCOUNT)
def bincount(
    rows: Rows, indices: Tensor, values: Tensor, dense_shape: Tensor, size: Tensor, weights: Tensor, *, binary_output: bool
) -> Batched:
    """The values of vectors become those of the rows of a matrix; weights, where there are any, with them."""
    if rows.has(dense_shape, size) or dense_shape.dims != (1,) or weights.dims is None:
        return NotImplemented
    given = rows.fold(weights) if rows.dims(weights) != (0,) else RESHAPE(weights, [-1])
    whole = rows.before(dense_shape, int64)
    return rows.op(_entries(rows, indices), rows.fold(values), whole, size, given, binary_output=binary_output)
