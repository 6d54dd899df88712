"""Batching rules of operations on row splits: the splits of all rows become those of one long tensor, which no row's reach beyond.

Row r's splits stand behind those of row r - 1, moved by the values before them.  What a kernel refuses of one row it refuses of all: rows
never fall, and their ends are compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import int64
from ...ir.op import OPS
from .kinds import Rows, cast


def _moved(rows: Rows, splits: Any, count: Any) -> Any:
    """Splits of each row behind `count` values for each row before it."""
    by = OPS["Mul"](cast(OPS["Identity"](rows.numbers(splits)), splits.dtype), cast(count, splits.dtype))
    return OPS["AddV2"](splits, OPS["ExpandDims"](by, np.int32(1)))


def _column(rows: Rows, value: Any, dtype: Any) -> Any:
    """A number for all rows as a column."""
    return OPS["BroadcastTo"](cast(value, dtype), rows.before(np.array([1], np.int32)))


def _count(rows: Rows, values: Any) -> Any:
    """How many values a row has."""
    return rows.shape(values, int64)[0]


def _height(rows: Rows, splits: Any) -> int | None:
    dims = rows.dims(splits)
    return dims[0] if dims is not None and len(dims) == 1 and dims[0] else None


def bincount(rows: Rows, splits: Any, values: Any, size: Any, weights: Any, *, binary_output: bool) -> Any:
    """The counts of more rows of values."""
    height = _height(rows, splits)
    if rows.has(size) or height is None or rows.rank(values) != 1 or weights.dims is None:
        return NotImplemented
    count, own = _count(rows, values), rows.stacked(splits)
    ends = OPS["Slice"](own, np.array([0, height - 1], np.int32), np.array([-1, 1], np.int32))
    starts = OPS["Slice"](own, np.zeros(2, np.int32), np.array([-1, 1], np.int32))
    ends = OPS["RaggedSameSplits"](ends, _column(rows, count, splits.dtype))
    starts = OPS["RaggedSameSplits"](starts, _column(rows, np.int64(0), splits.dtype))
    inner = OPS["Slice"](own, np.array([0, min(1, height - 1)], np.int32), np.array([-1, max(height - 2, 0)], np.int32))
    first = OPS["ConcatV2"]([starts, inner], np.int32(1)) if height > 1 else inner
    whole = OPS["ConcatV2"]([rows.fold(rows.mark(_moved(rows, first, count))), OPS["Sum"](ends, [0], keep_dims=False)], np.int32(0))
    given = rows.fold(weights) if rows.dims(weights) != (0,) else OPS["Reshape"](weights, np.array([-1], np.int32))
    return rows.unfold(rows.op(whole, rows.fold(values), size, given, binary_output=binary_output), height - 1)


def encode(rows: Rows, input_values: Any, input_splits: Any, **attrs: Any) -> Any:
    """Each row's splits between its first value and its last, so that none reaches into another row; texts at the edges are left out."""
    height = _height(rows, input_splits)
    if height is None:
        return NotImplemented
    count, dtype = _count(rows, input_values), input_splits.dtype
    framed = OPS["ConcatV2"]([_column(rows, np.int64(0), dtype), rows.stacked(input_splits), _column(rows, count, dtype)], np.int32(1))
    whole = OPS["ConcatV2"]([np.zeros(1, dtype.numpy), rows.fold(rows.mark(_moved(rows, framed, count)))], np.int32(0))
    texts = rows.unfold(rows.op(rows.fold(input_values), whole, **attrs), height + 2)
    return OPS["Slice"](texts, np.array([0, 2], np.int32), np.array([-1, height - 1], np.int32))


def columns(rows: Rows, splits: Any, columns: Any) -> Any:
    """The columns of all rows, of the same splits."""
    if rows.has(splits):
        return NotImplemented
    dims = rows.dims(columns)
    return rows.parted(rows.op(splits, rows.fold(columns)), 1, None if dims is None else dims[0])


def sparse_rows(rows: Rows, indices: Any) -> Any:
    """Each row's numbers beyond those of the rows before it."""
    largest = OPS["Max"](OPS["Slice"](indices, np.zeros(3, np.int32), np.array([-1, -1, 1], np.int32)), [0, 1, 2], keep_dims=False)
    step = OPS["AddV2"](OPS["Maximum"](largest, np.int64(0)), np.int64(1))
    by = OPS["Mul"](OPS["Identity"](rows.numbers(indices)), step)
    by = OPS["Reshape"](by, rows.before(np.array([1, 1], np.int32)))
    moved = OPS["AddV2"](indices, OPS["Mul"](by, np.array([1, 0], np.int64)))
    dims = rows.dims(indices)
    found = rows.unfold(rows.op(rows.fold(rows.mark(moved))), None if dims is None else dims[0])
    return OPS["Sub"](found, OPS["Reshape"](by, rows.before(np.array([1], np.int32))))


__all__ = ["bincount", "columns", "encode", "sparse_rows"]
