"""Segment reductions: rows of a tensor reduced by the segment each belongs to.

Sorted segments (`SegmentSum`...) have ids that never fall, one for each row, and end with the last id.  Unsorted ones have ids in
any order, of any rank, a number of segments of their own, and drop rows with negative ids.
Both kernels bring rows of one segment together and reduce each run at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtypes import INDEX, NUMERIC, REAL, int16, int32
from ..ir.apply import ShapeError
from ..ir.graph import show_dims
from ..ir.op import OPS, Op, define
from ..ir.tensor import METHODS, TensorType
from .array_basic import reshape, shape_of
from .array_types import invalid, known, known_int
from .reduce import is_narrow
from .scopes import scope

Array = np.ndarray[Any, Any]


# ---- types


def _sorted_type(data: Any, segment_ids: Any) -> TensorType:
    if segment_ids.dims is not None and len(segment_ids.dims) != 1:
        raise ShapeError(f"Shape must be rank 1 but is rank {len(segment_ids.dims)}", "segment_ids should be a vector.")
    if data.dims is None:
        return TensorType(None, data.dtype)
    if not data.dims:
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "input must be at least rank 1")
    rows, number = data.dims[0], None if segment_ids.dims is None else segment_ids.dims[0]
    if rows is not None and number is not None and rows != number:
        text = "segment_ids should be the same size as dimension 0 of input."
        raise ShapeError(f"Dimensions must be equal, but are {rows} and {number}", text)
    ids = known(segment_ids)
    return TensorType((None if ids is None else int(ids[-1]) + 1 if len(ids) else 0, *data.dims[1:]), data.dtype)


def _unsorted_type(data: Any, segment_ids: Any, num_segments: Any) -> TensorType:
    number = known_int(num_segments)
    if number is not None and number < 0:
        raise ShapeError(f"Dimension size, given by scalar input 2 must be non-negative but is {number}", f"Input num_segments == {number} must not be negative.")
    if data.dims is None or segment_ids.dims is None:
        return TensorType(None, data.dtype)
    rank = len(segment_ids.dims)
    fits = len(data.dims) >= rank and all(m is None or n is None or m == n for m, n in zip(data.dims, segment_ids.dims, strict=False))
    if not fits:
        text = f"data.shape = {show_dims(data.dims)} does not start with segment_ids.shape = {show_dims(segment_ids.dims)}"
        raise ShapeError(f"Dimensions must be equal: {text}", text)
    return TensorType((number, *data.dims[rank:]), data.dtype)


# ---- kernels


def _runs(reduce_runs: Callable[..., Any], rows: Array, ids: Array, count: int, empty: Any) -> Array:
    """Rows (in the order of their ids) reduced by id; `empty` where an id has no rows."""
    out = np.full((count, *rows.shape[1:]), empty, rows.dtype)
    if len(ids):
        starts = np.flatnonzero(np.r_[True, ids[1:] != ids[:-1]])
        if is_narrow(rows):
            out[ids[starts]] = reduce_runs(rows.astype(np.float32), starts, axis=0).astype(rows.dtype)
        else:
            out[ids[starts]] = reduce_runs(rows, starts, axis=0, dtype=rows.dtype)
    return out


def _check_sorted(data: Array, segment_ids: Array) -> None:
    if segment_ids.ndim != 1 or not data.ndim or len(segment_ids) != len(data):
        raise ValueError("the ids do not fit")  # the type rule finds the words
    if len(segment_ids) and segment_ids[0] < 0:
        raise invalid(f"Segment id {segment_ids[0]} out of range, segment_ids must not be negative")
    if (segment_ids[1:] < segment_ids[:-1]).any():
        raise invalid("segment ids are not increasing")


def _sorted_kernel(reduce_runs: Callable[..., Any], empty: float) -> Callable[..., Array]:
    def kernel(data: Array, segment_ids: Array) -> Array:
        _check_sorted(data, segment_ids)
        return _runs(reduce_runs, data, segment_ids, int(segment_ids[-1]) + 1 if len(segment_ids) else 0, empty)

    return kernel


def _mean(data: Array, segment_ids: Array) -> Array:
    total = _sorted_kernel(np.add.reduceat, 0)(data, segment_ids)
    number = np.bincount(segment_ids, minlength=len(total)).reshape(-1, *(1,) * (data.ndim - 1))
    if data.dtype.kind in "iu":
        return (np.sign(total) * (np.abs(total) // np.maximum(number, 1))).astype(data.dtype)
    return total / np.maximum(number, 1).astype(data.dtype)


def _empty_of(kind: str, dtype: np.dtype[Any]) -> Any:
    """What a segment without rows holds."""
    if kind in ("Sum", "Prod"):
        return kind == "Prod"
    info = np.iinfo(dtype) if dtype.kind in "iu" else METHODS["finfo"](dtype)
    return info.min if kind == "Max" else info.max


def _unsorted_kernel(reduce_runs: Callable[..., Any], kind: str) -> Callable[..., Array]:
    def kernel(data: Array, segment_ids: Array, num_segments: Array) -> Array:
        count, rank = int(num_segments), segment_ids.ndim
        if count < 0 or data.shape[:rank] != segment_ids.shape:
            raise ValueError("the ids do not fit")  # the type rule finds the words
        ids = segment_ids.ravel()
        if (ids >= count).any():
            at = int(np.flatnonzero(ids >= count)[0])
            place = ",".join(map(str, np.unravel_index(at, segment_ids.shape)))
            raise invalid(f"segment_ids[{place}] = {ids[at]} is out of range [0, {count})")
        order = np.argsort(ids, kind="stable")[np.count_nonzero(ids < 0) :]
        rows = data.reshape(-1, *data.shape[rank:])[order] if data.size else np.zeros((len(order), *data.shape[rank:]), data.dtype)
        return _runs(reduce_runs, rows, ids[order], count, _empty_of(kind, data.dtype))

    return kernel
