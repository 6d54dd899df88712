"""Batching rules of operations whose results have a shape that depends on places: rules as long as rows share these.

Where the values alone differ, numbers in their place tell where each value goes, once for all rows, and the values follow by a gather.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import int64
from ...ir.op import Op
from ..array.basic import ZEROS_LIKE, shape
from ..array.create import RANGE
from ..array.gather import gather
from ..array.join import CONCAT
from ..array.shape import expand_dims
from ..batching import Batched, Same, batches
from ..math.arithmetic import ADD
from ..search.partition import PARTITION
from ..segment.dense import UNSORTED_MAX, UNSORTED_SUM
from ..segment.sparse import ROWS_GRADS
from ..sparse.empty_rows import FILL_ROWS
from ..sparse.indices import FOUND, SLICE
from ..sparse.join import SPLIT
from ..sparse.sums import KEPT, REDUCE_MAX_SPARSE, REDUCE_SUM_SPARSE
from .base import Rows, cast

if TYPE_CHECKING:
    from ...ir.tensor import Tensor


def _numbers(rows: Rows, values: Any) -> Any:
    return RANGE(np.int64(0), cast(rows.shape(values, int64)[0], int64), np.int64(1))


def _take_numbers(values: Any, numbers: Any) -> Any:
    return gather(values, numbers, axis=1, batch_dims=0)


@batches(SLICE)
def slices(rows: Rows, indices: Tensor, values: Tensor, shape: Tensor, start: Tensor, size: Tensor) -> Batched:
    """A slice of a sparse tensor."""
    if rows.has(indices, shape, start, size):
        return NotImplemented
    places, numbers, whole = rows.op(indices, _numbers(rows, values), shape, start, size)
    return Same(places), _take_numbers(values, numbers), Same(whole)


@batches(SPLIT)
def split(rows: Rows, split_dim: Tensor, indices: Tensor, values: Tensor, shape: Tensor, *, num_split: int) -> Batched:
    """The pieces of a sparse tensor."""
    if rows.has(split_dim, indices, shape):
        return NotImplemented
    found = rows.op(split_dim, indices, _numbers(rows, values), shape, num_split=num_split)
    pieces = [_take_numbers(values, n) for n in found[num_split : 2 * num_split]]
    return (*(Same(t) for t in found[:num_split]), *pieces, *(Same(t) for t in found[2 * num_split :]))


@batches(FILL_ROWS)
def fill_rows(rows: Rows, indices: Tensor, values: Tensor, count: Tensor, default_value: Tensor) -> Batched:
    """Rows of a sparse or ragged tensor that are empty get a value; count: of the rows, or the shape."""
    if rows.has(indices, count) or rows.rank(values) != 1:
        return NotImplemented
    places, numbers, *rest = rows.op(indices, _numbers(rows, values), count, np.int64(-1))
    default = expand_dims(rows.stack(default_value), 1)
    found = _take_numbers(CONCAT([default, rows.stack(values)], 1), ADD(numbers, np.int64(1)))
    return Same(places), found, *(Same(t) for t in rest)


def _define_reduction(segments: Op) -> Any:
    """The sums or maxima of a sparse tensor, as one; segments: the op that reduces values by their places."""

    def rule(rows: Rows, input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any, *, keep_dims: bool) -> Batched:
        if rows.has(input_indices, input_shape, reduction_axes):
            return NotImplemented
        values = rows.swap_axes(rows.stack(input_values))
        zeros = ZEROS_LIKE(cast(_numbers(rows, input_values), input_values.dtype))
        kept, _, whole = rows.op(input_indices, zeros, input_shape, reduction_axes, keep_dims=keep_dims)
        places = FOUND(KEPT(input_indices, reduction_axes, keep_dims=keep_dims), kept)
        found = segments(values, places, shape(kept, out_type=int64)[0])
        return Same(kept), rows.swap_axes(found), Same(whole)

    return rule


@batches(PARTITION)
def partition(rows: Rows, data: Tensor, partitions: Tensor, *, num_partitions: int) -> Batched:
    """Rows become an axis of what is sent to each partition."""
    if rows.has(partitions) or partitions.dims is None:
        return NotImplemented
    found = rows.op(rows.move_axis(data, 0, len(partitions.dims)), partitions, num_partitions=num_partitions)
    return tuple(rows.swap_axes(t) for t in found)


@batches(*ROWS_GRADS)
def segments_grad(rows: Rows, grad: Tensor, *places: Any) -> Batched:
    """The items of all rows stand side by side; which items have a gradient is the same for all."""
    if rows.has(*places):
        return NotImplemented
    found, numbers = rows.op(rows.swap_axes(grad), *places)
    return rows.swap_axes(found), Same(numbers)


batches(REDUCE_SUM_SPARSE)(_define_reduction(UNSORTED_SUM))
batches(REDUCE_MAX_SPARSE)(_define_reduction(UNSORTED_MAX))
