"""Batching rules of sparse and ragged operations whose rows share their places: values of all rows stand side by side in one call."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import int64
from ..ir.op import OPS
from .rows import Rows, Same


def side_by_side(rows: Rows, values: Any, *places: Any, **attrs: Any) -> Any:
    """For an op that moves whole items of its first input: rows become a second axis of them."""
    if rows.has(*places):
        return NotImplemented
    return rows.swapped(rows.op(rows.swapped(rows.stacked(values)), *places, **attrs))


def ragged_gather(rows: Rows, params_nested_splits: Any, params_dense_values: Any, indices: Any, **attrs: Any) -> Any:
    """The rows gathered are the same ones of every row, and so are their splits."""
    if rows.has(*params_nested_splits, indices):
        return NotImplemented
    *splits, values = rows.op(list(params_nested_splits), rows.swapped(rows.stacked(params_dense_values)), indices, **attrs)
    return (*(Same(s) for s in splits), rows.swapped(values))


def ragged_to_tensor(rows: Rows, shape: Any, values: Any, default_value: Any, row_partition_tensors: Any, **attrs: Any) -> Any:
    """Padded once, with rows as the first axis of an item; a shape that is asked for has no place for them."""
    if rows.has(shape, default_value, *row_partition_tensors) or default_value.dims != () or shape.dims != ():
        return NotImplemented
    levels = len(rows.node.outputs[0].dims or ()) - (rows.rank(values) or 0)
    if rows.node.outputs[0].dims is None:
        return NotImplemented
    padded = rows.op(shape, rows.swapped(rows.stacked(values)), default_value, list(row_partition_tensors), **attrs)
    return rows.moved(padded, levels + 1, 0)


def cwise(rows: Rows, sp_indices: Any, sp_values: Any, sp_shape: Any, dense: Any) -> Any:
    """The elements that the entries meet, gathered for all rows, then the op on dense tensors."""
    of_dense = {"SparseDenseCwiseAdd": "AddV2", "SparseDenseCwiseMul": "Mul", "SparseDenseCwiseDiv": "RealDiv"}
    op = of_dense[rows.op.name]
    if rows.has(sp_indices, sp_shape) or (op == "RealDiv" and sp_values.dtype.is_integer):
        return NotImplemented
    if not rows.has(dense):
        places = OPS["SparseBroadcastPlaces"](sp_indices, sp_shape, OPS["Shape"](dense, out_type=int64))
        met = OPS["SparseTaken"](OPS["Reshape"](dense, [-1]), places)
    else:
        one = rows.dims(dense)
        if one is None or None in one:
            return NotImplemented
        places = OPS["SparseBroadcastPlaces"](sp_indices, sp_shape, np.array(one, np.int64))
        flat = OPS["Reshape"](dense, rows.before(np.array([int(np.prod(one))], np.int32)))
        met = rows.swapped(OPS["SparseTaken"](rows.swapped(flat), places))
    return OPS[op](sp_values, met)


def reduce_sum(rows: Rows, input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any, *, keep_dims: bool) -> Any:
    """Entries of all rows summed at the place in the result that each goes to."""
    dims = rows.node.outputs[0].dims
    if rows.has(input_indices, input_shape, reduction_axes) or dims is None or None in dims:
        return NotImplemented
    places = OPS["SparseKeptPlaces"](input_indices, input_shape, reduction_axes)
    cells = np.int32(np.prod(dims))
    total = rows.swapped(OPS["UnsortedSegmentSum"](rows.swapped(rows.stacked(input_values)), places, cells))
    return OPS["Reshape"](total, rows.before(np.array(dims, np.int32)))
