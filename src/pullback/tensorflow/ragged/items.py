"""Operations of our own on the rows of ragged tensors: which items meet, which a slice or a column takes, and what rows must be.

They work on row splits and numbers alone and give numbers, by which values are gathered; so none of them has a gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import INDEX, int64
from ...ir.op import define
from ...ir.tensor import TensorType
from ...ops.array.type_rules import invalid_argument, known_value
from ...ops.batching import fold_rows, stack_rows
from ...ops.sparse.indices import entries
from .ops import constants, infer_exactly, ranges, splits_of

Array = np.ndarray[Any, Any]


# ---- broadcasting


def _step(own: Array, rows: Array) -> tuple[Array, Array, bool]:
    """Where the items of each of these rows begin and how many they are, and whether every row of the axis has just one by its kind."""
    if own.ndim:
        return own[rows], own[rows + 1] - own[rows], False
    return rows * int(own), np.full(len(rows), int(own), np.int64), int(own) == 1


def _broadcast(x_parts: list[Array], y_parts: list[Array]) -> list[Array]:
    """Two shapes, an entry for each axis (a size, or row splits), to the items of each and the splits of the common shape."""
    counts = [int(p[0]) for p in (x_parts, y_parts)]
    count = max(counts) if 1 in counts and 0 not in counts else counts[0] if counts[0] == counts[1] or counts[1] == 1 else counts[1]
    if any(n not in (1, count) for n in counts):
        raise invalid_argument(f"Incompatible shapes: {counts[0]} rows and {counts[1]} rows")
    items: list[Array] = [np.arange(count) if n == count else np.zeros(count, np.int64) for n in counts]
    out = []
    for axis, pair in enumerate(zip(x_parts[1:], y_parts[1:], strict=True), 1):
        (xs, xn, x_one), (ys, yn, y_one) = (_step(p, i) for p, i in zip(pair, items, strict=True))
        lengths = yn if x_one else xn
        if not x_one and not y_one and (xn != yn).any():
            at = int(np.flatnonzero(xn != yn)[0])
            raise invalid_argument(
                f"Incompatible shapes: along axis {axis} row {at} has {xn[at]} items on one side and {yn[at]} on the other"
            )
        within = ranges(np.zeros(len(lengths), np.int64), lengths)
        items = [np.repeat(start, lengths) + (0 if one and not (x_one and y_one) else within) for start, one in ((xs, x_one), (ys, y_one))]
        out.append(splits_of(lengths))
    return [*items, *out]


def _broadcast_type(x_parts: Any, y_parts: Any) -> tuple[TensorType, ...]:
    given = constants(*x_parts, *y_parts)
    if given is not None:
        return infer_exactly(*_broadcast(given[: len(x_parts)], given[len(x_parts) :]))
    counts = [None if (n := known_value(p[0])) is None else int(n) for p in (x_parts, y_parts)]
    rows = None if None in counts else max(counts)  # type: ignore[type-var]  # both are known
    first = TensorType((None if rows is None else rows + 1,), int64)
    return (*(TensorType((None,), int64),) * 2, first, *(TensorType((None,), int64),) * (len(x_parts) - 2))


BROADCAST = define(
    "RaggedBroadcast", "*x_parts:int64 *y_parts:int64", _broadcast_type, _broadcast, {}, outputs="*items",
    batch="shape depends on values",
)


def _require_same_splits(a: Array, b: Array) -> Array:
    if not np.array_equal(a, b):
        raise invalid_argument(f"The ragged tensors have different row_splits: {a.tolist()} and {b.tolist()}")
    return a


#: Row splits as they are, refused where others are not the same.
SAME_SPLITS = define(
    "RaggedSameSplits",
    "a b",
    lambda a, b: TensorType(a.dims, a.dtype, a.constant),
    _require_same_splits,
    {},
    dtypes=INDEX,
    batch=stack_rows(),
)


def _sparse_rows(indices: Array) -> Array:
    rows = indices[:, 0]
    if len(rows):
        first = np.ones(len(rows), bool)
        first[1:] = rows[1:] != rows[:-1]
        starts = np.flatnonzero(first)
        within = np.arange(len(rows)) - np.repeat(starts, np.diff(np.append(starts, len(rows))))
        if (rows[1:] < rows[:-1]).any() or (indices[:, 1] != within).any():
            raise invalid_argument(f"SparseTensor is not right-ragged: SparseTensor.indices = {indices.tolist()}")
    return rows


#: The row of each entry of a sparse matrix, refused where the entries of a row do not stand at its beginning.
SPARSE_ROWS = define(
    "RaggedSparseRows", "indices:int64", lambda indices: TensorType((entries(indices),), int64), _sparse_rows, {},
)


# ---- slices of rows


def _slices(splits: Array, start: Array, stop: Array, step: Array) -> tuple[Array, Array]:
    """The splits of a slice of each row, as Python slices a list, and the items taken."""
    lengths = np.diff(splits)
    by = int(step[0]) if len(step) else 1
    if not by:
        raise invalid_argument("slice step cannot be zero")
    least, most = (np.zeros_like(lengths), lengths) if by > 0 else (np.full_like(lengths, -1), lengths - 1)

    def clip_bound(given: Array, otherwise: Array) -> Array:
        if not len(given):
            return otherwise
        at = int(given[0])
        return np.clip(np.full_like(lengths, at) if at >= 0 else lengths + at, least, most)

    low, high = (clip_bound(start, least), clip_bound(stop, most)) if by > 0 else (clip_bound(start, most), clip_bound(stop, least))
    counts = np.maximum(-((low - high) // by) if by > 0 else -((high - low) // -by), 0)
    within = ranges(np.zeros(len(counts), np.int64), counts)
    items = np.repeat(splits[:-1] + low, counts) + within * by
    return splits_of(counts, splits.dtype), items.astype(splits.dtype)


def _slices_type(splits: Any, start: Any, stop: Any, step: Any) -> tuple[TensorType, ...]:
    given = constants(splits, start, stop, step)
    return (
        infer_exactly(*_slices(*given)) if given is not None else (TensorType(splits.dims, splits.dtype), TensorType((None,), splits.dtype))
    )


SLICES = define(
    "RaggedSlices",
    "splits start:int64 stop:int64 step:int64",
    _slices_type,
    _slices,
    {},
    outputs="out_splits items",
    dtypes=INDEX,
    batch="shape depends on values",
)


# ---- columns of rows


def _columns(splits: Array, columns: Array) -> Array:
    lengths = np.diff(splits)
    if len(columns) and len(lengths) and (columns.min() < 0 or columns.max() >= lengths.min()):
        raise invalid_argument(f"indices {columns.tolist()} are not all in [0, {lengths.min()}), the length of the shortest row")
    return splits[:-1, None] + columns


#: The items at the same columns of each row.
COLUMNS = define(
    "RaggedColumns",
    "splits columns",
    lambda splits, columns: TensorType(
        (None if not splits.dims or splits.dims[0] is None else splits.dims[0] - 1, entries(columns)), splits.dtype
    ),
    _columns,
    {},
    dtypes=INDEX,
)


def _check_columns(columns: Array, starts: Array, limits: Array) -> Array:
    if columns.size and ((columns < 0) | (columns >= limits - starts)).any():
        at = int(np.flatnonzero((columns < 0) | (columns >= limits - starts))[0])
        raise invalid_argument(f"indices[{at}] = {columns[at]} is not in [0, {limits[at] - starts[at]}), the length of its row")
    return starts + columns


#: The item at a column of each of some rows.
WITHIN = define(
    "RaggedWithin",
    "columns starts limits",
    lambda columns, starts, limits: TensorType((entries(columns, starts),), columns.dtype),
    _check_columns,
    {},
    dtypes=INDEX,
    batch=fold_rows("columns", "starts", "limits"),
)


# ---- partitions


def _stable_order(partitions: Array, count: Array) -> Array:
    if partitions.size and not 0 <= partitions.min() <= partitions.max() < count:
        raise invalid_argument(f"partitions must be in [0, {count}), got {partitions.tolist()}")
    return np.argsort(partitions, kind="stable")


#: The items in the order of their partitions, those of one in the order they had.
STABLE_ORDER = define(
    "RaggedStableOrder",
    "partitions:int32 count:int32",
    lambda partitions, count: TensorType(partitions.dims, int64),
    _stable_order,
    {},
    batch=stack_rows("partitions"),
)
