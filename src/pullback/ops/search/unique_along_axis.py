"""Distinct slices along an axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX, DType, int32
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError
from ...ir.op import define
from ...ir.tensor import TensorType
from ...kernels.native_loops import run_natively
from ..array.type_rules import Array, invalid_argument, known_value, match_dims
from . import entry_loops
from .search import distinct


def _places(x: Array, axis: Array) -> tuple[Array, Array, Array, int]:
    """The first place of each distinct slice, the number of each slice among them, their counts, and the axis."""
    if axis.ndim != 1 or axis.size > 1:
        raise invalid_argument(f"axis expects a 0D or 1D vector of at most one element, not one of shape {show_dims(axis.shape)}")
    if not axis.size and x.ndim != 1:
        raise invalid_argument(f"unique expects a 1D vector where no axis is given, got shape {show_dims(x.shape)}")
    at = int(axis[0]) if axis.size else 0
    if not -x.ndim <= at < x.ndim:
        raise invalid_argument(f"axis has to be in [0, {x.ndim}), got {at}")
    at %= x.ndim
    if x.ndim == 1:
        _, number, counts = distinct(x)
    else:
        slices = np.ascontiguousarray(np.moveaxis(x, at, 0))
        rows = slices.reshape(x.shape[at], math.prod(slices.shape[1:]))
        found = _run_native(rows)
        if found is not None:
            return *found, at
        _, number, counts = distinct(_keys(rows))
    first = np.full(len(counts), len(number))
    np.minimum.at(first, number, np.arange(len(number)))
    return first, number, counts, at


def _run_native(rows: Array) -> tuple[Array, Array, Array] | None:
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
    at = known_value(axis)
    if at is not None and at.ndim != 1:
        raise ShapeError("axis expects a 1D vector.", "axis expects a 1D vector.")
    if at is not None and at.size > 1:
        raise ShapeError("axis does not support input tensors larger than 1 elements.", "axis expects a 1D vector.")
    if at is not None and not at.size:
        match_dims("_", x)
    return TensorType(None if x.dims is None else (None,) * len(x.dims), x.dtype), TensorType((None,), out_idx)


def _unique(x: Array, axis: Array, *, out_idx: DType = int32) -> tuple[Array, Array]:
    first, number, _, at = _places(x, axis)
    return np.take(x, first, at), number.astype(out_idx.numpy_dtype)


def _counted_type(x: Any, axis: Any, *, out_idx: DType = int32) -> tuple[TensorType, ...]:
    return (*_unique_type(x, axis, out_idx=out_idx), TensorType((None,), out_idx))


def _count_rows(x: Array, axis: Array, *, out_idx: DType = int32) -> tuple[Array, Array, Array]:
    first, number, counts, at = _places(x, axis)
    return np.take(x, first, at), number.astype(out_idx.numpy_dtype), counts.astype(out_idx.numpy_dtype)


_KINDS = {"T": ANY, "Taxis": INDEX}
UNIQUE_V2 = define(
    "UniqueV2", "x axis:Taxis=int64", _unique_type, _unique, None, outputs="y idx", dtypes=_KINDS, batch="shape depends on values"
)
UNIQUE_WITH_COUNTS_V2 = define(
    "UniqueWithCountsV2", "x axis:Taxis=int64", _counted_type, _count_rows, None, outputs="y idx count", dtypes=_KINDS,
    batch="shape depends on values",
)
