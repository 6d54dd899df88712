"""Batching rules of operations on row splits: the splits of all rows become those of one long tensor, which no row's reach beyond.

Row r's splits stand behind those of row r - 1, moved by the values before them.  What a kernel refuses of one row it refuses of all: rows
never fall, and their ends are compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import int64
from ...ops.array.basic import broadcast_to, identity, reshape
from ...ops.array.join import CONCAT
from ...ops.array.shape import expand_dims
from ...ops.array.slice import slice
from ...ops.batching import Batched, Same, batches
from ...ops.math.arithmetic import ADD, maximum, multiply, subtract
from ...ops.reduce.reductions import MAX, SUM
from ...ops.sparse.count import RAGGED_BINCOUNT
from ...ops.vmap_rules import places, sparse
from ...ops.vmap_rules.base import Rows, cast
from ..strings.unicode import UNICODE_ENCODE
from .dense import TO_TENSOR
from .items import COLUMNS, SAME_SPLITS, SPARSE_ROWS
from .ops import FILL_ROWS, FILL_ROWS_GRAD, GATHER

if TYPE_CHECKING:
    from ...ir.tensor import Tensor


def _move_splits(rows: Rows, splits: Any, count: Any) -> Any:
    """Splits of each row behind `count` values for each row before it."""
    by = multiply(cast(identity(rows.numbers(splits)), splits.dtype), cast(count, splits.dtype))
    return ADD(splits, expand_dims(by, np.int32(1)))


def _column(rows: Rows, value: Any, dtype: Any) -> Any:
    """A number for all rows as a column."""
    return broadcast_to(cast(value, dtype), rows.before(np.array([1], np.int32)))


def _count(rows: Rows, values: Any) -> Any:
    """How many values a row has."""
    return rows.shape(values, int64)[0]


def _height(rows: Rows, splits: Any) -> int | None:
    dims = rows.dims(splits)
    return dims[0] if dims is not None and len(dims) == 1 and dims[0] else None


@batches(RAGGED_BINCOUNT)
def bincount(rows: Rows, splits: Tensor, values: Tensor, size: Tensor, weights: Tensor, *, binary_output: bool) -> Batched:
    """The counts of more rows of values."""
    height = _height(rows, splits)
    if rows.has(size) or height is None or rows.rank(values) != 1 or weights.dims is None:
        return NotImplemented
    count, own = _count(rows, values), rows.stack(splits)
    ends = slice(own, np.array([0, height - 1], np.int32), np.array([-1, 1], np.int32))
    starts = slice(own, np.zeros(2, np.int32), np.array([-1, 1], np.int32))
    ends = SAME_SPLITS(ends, _column(rows, count, splits.dtype))
    starts = SAME_SPLITS(starts, _column(rows, np.int64(0), splits.dtype))
    inner = slice(own, np.array([0, min(1, height - 1)], np.int32), np.array([-1, max(height - 2, 0)], np.int32))
    first = CONCAT([starts, inner], np.int32(1)) if height > 1 else inner
    whole = CONCAT([rows.fold(rows.mark(_move_splits(rows, first, count))), SUM(ends, [0], keep_dims=False)], np.int32(0))
    given = rows.fold(weights) if rows.dims(weights) != (0,) else reshape(weights, np.array([-1], np.int32))
    return rows.unfold(rows.op(whole, rows.fold(values), size, given, binary_output=binary_output), height - 1)


@batches(UNICODE_ENCODE)
def encode(rows: Rows, input_values: Tensor, input_splits: Tensor, **attrs: Any) -> Batched:
    """Each row's splits between its first value and its last, so that none reaches into another row; texts at the edges are left out."""
    height = _height(rows, input_splits)
    if height is None:
        return NotImplemented
    count, dtype = _count(rows, input_values), input_splits.dtype
    framed = CONCAT([_column(rows, np.int64(0), dtype), rows.stack(input_splits), _column(rows, count, dtype)], np.int32(1))
    whole = CONCAT([np.zeros(1, dtype.numpy_dtype), rows.fold(rows.mark(_move_splits(rows, framed, count)))], np.int32(0))
    texts = rows.unfold(rows.op(rows.fold(input_values), whole, **attrs), height + 2)
    return slice(texts, np.array([0, 2], np.int32), np.array([-1, height - 1], np.int32))


@batches(COLUMNS)
def columns(rows: Rows, splits: Tensor, columns: Tensor) -> Batched:
    """The columns of all rows, of the same splits."""
    if rows.has(splits):
        return NotImplemented
    dims = rows.dims(columns)
    return rows.unmerge(rows.op(splits, rows.fold(columns)), 1, None if dims is None else dims[0])


@batches(SPARSE_ROWS)
def sparse_rows(rows: Rows, indices: Tensor) -> Batched:
    """Each row's numbers beyond those of the rows before it."""
    largest = MAX(slice(indices, np.zeros(3, np.int32), np.array([-1, -1, 1], np.int32)), [0, 1, 2], keep_dims=False)
    step = ADD(maximum(largest, np.int64(0)), np.int64(1))
    by = multiply(identity(rows.numbers(indices)), step)
    by = reshape(by, rows.before(np.array([1, 1], np.int32)))
    moved = ADD(indices, multiply(by, np.array([1, 0], np.int64)))
    dims = rows.dims(indices)
    found = rows.unfold(rows.op(rows.fold(rows.mark(moved))), None if dims is None else dims[0])
    return subtract(found, reshape(by, rows.before(np.array([1], np.int32))))


@batches(GATHER)
def gather(rows: Rows, params_nested_splits: Any, params_dense_values: Tensor, indices: Tensor, **attrs: Any) -> Batched:
    """The rows gathered are the same ones of every row, and so are their splits."""
    if rows.has(*params_nested_splits, indices):
        return NotImplemented
    *splits, values = rows.op(list(params_nested_splits), rows.swap_axes(rows.stack(params_dense_values)), indices, **attrs)
    return (*(Same(s) for s in splits), rows.swap_axes(values))


@batches(TO_TENSOR)
def to_tensor(rows: Rows, shape: Tensor, values: Tensor, default_value: Tensor, row_partition_tensors: Any, **attrs: Any) -> Batched:
    """Padded once, with rows as the first axis of an item; a shape that is asked for has no place for them."""
    if rows.has(shape, default_value, *row_partition_tensors) or default_value.dims != () or shape.dims != ():
        return NotImplemented
    levels = len(rows.node.outputs[0].dims or ()) - (rows.rank(values) or 0)
    if rows.node.outputs[0].dims is None:
        return NotImplemented
    padded = rows.op(shape, rows.swap_axes(rows.stack(values)), default_value, list(row_partition_tensors), **attrs)
    return rows.move_axis(padded, levels + 1, 0)


batches(FILL_ROWS)(places.fill_rows)
batches(FILL_ROWS_GRAD)(sparse.fill_grad)
