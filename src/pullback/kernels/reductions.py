"""Sums, norms, products and extremes along axes, by ways around NumPy's slow loops.

What is slow there, measured on a million float32: a reduction along a short last axis starts a loop for each row (4 ms for rows of 10;
column by column 0.5), a sum along a long one is no vector loop (0.14 ms; as a product with ones 0.03), nor is one along an axis between
others (0.17 ms; as products 0.05), and a maximum of rows of 1000 takes half as long again as the search for its position.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from . import gemm
from .blocked import LARGE, SHARED

Array = np.ndarray[Any, Any]

_ROW = 512  # numbers of a row that one product with ones adds up: in vectors of 16, so with less rounding than pairs of 128
_PRODUCT = 96 * 96  # numbers of one such product, beyond which NumPy's library would use threads of its own
_SHORT, _LONG = 128, 4096  # numbers of a row from which a search for the largest float, and then NumPy's way, is the quickest


def _columns(x: Array, combine: np.ufunc) -> Array:
    """A reduction along the last axis, column by column, a few thousand rows at a time."""
    out = np.empty(len(x), x.dtype)
    for start in range(0, len(x), 4096):
        part = x[start : start + 4096]
        best = out[start : start + 4096]
        combine(part[:, 0], part[:, 1], out=best)
        for j in range(2, part.shape[1]):
            combine(best, part[:, j], out=best)
    return out


def _fold_columns(x: Array, combine: np.ufunc) -> Array:
    """A reduction along the last axis: the right half into the left one, until few columns are left."""
    while x.shape[1] > 32:
        half, odd = divmod(x.shape[1], 2)
        left = combine(x[:, :half], x[:, half : 2 * half])
        if odd:
            combine(left[:, 0], x[:, -1], out=left[:, 0])
        x = left
    return _columns(x, combine)


@functools.lru_cache(maxsize=256)
def _part(length: int, least: int, most: int) -> int:
    """The largest divisor of `length` between two numbers; 0 where there is none."""
    return next((n for n in range(min(most, length), least - 1, -1) if length % n == 0), 0)


def spans_of(x: Array, axes: tuple[int, ...]) -> tuple[int, int, int] | None:
    """Sizes before, along and behind `axes`, where these lie side by side; None otherwise, where one is not there and for small arrays."""
    return _spans(x.shape, axes) if x.size >= LARGE and x.flags.c_contiguous else None


@functools.lru_cache(maxsize=1024)
def _spans(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, int, int] | None:
    rank = len(shape)
    found = sorted(axis % rank for axis in axes) if all(-rank <= axis < rank for axis in axes) else []
    if not found or found[-1] - found[0] != len(found) - 1 or len(set(found)) < len(found):
        return None
    return math.prod(shape[: found[0]]), math.prod(shape[found[0] : found[-1] + 1]), math.prod(shape[found[-1] + 1 :])


def shape_without(x: Array, axes: tuple[int, ...], keep_dims: bool) -> tuple[int, ...]:
    """The shape that is left without `axes`."""
    return _shape(x.shape, axes, keep_dims)


@functools.lru_cache(maxsize=1024)
def _shape(shape: tuple[int, ...], axes: tuple[int, ...], keep_dims: bool) -> tuple[int, ...]:
    gone = {axis % len(shape) for axis in axes}
    return tuple(1 if i in gone else n for i, n in enumerate(shape) if keep_dims or i not in gone)


@functools.lru_cache(maxsize=64)
def _ones(length: int, dtype: np.dtype[Any]) -> Array:
    """A column of ones, to be read only."""
    ones = np.ones((length, 1), dtype)
    ones.setflags(write=False)
    return ones


def _row_sums(x: Array) -> Array:
    """The sums of the rows of a matrix of float32 or float64."""
    rows, length = x.shape
    if length <= 2 * _ROW:
        return gemm.matmul(x, _ones(length, x.dtype))[:, 0]
    if part := _part(length, _ROW // 2, _ROW):
        return _row_sums(gemm.matmul(x.reshape(-1, part), _ones(part, x.dtype)).reshape(rows, -1))
    whole = length // _ROW * _ROW
    parts = np.ascontiguousarray(x[:, :whole]).reshape(-1, _ROW)
    total = _row_sums(gemm.matmul(parts, _ones(_ROW, x.dtype)).reshape(rows, -1))
    return np.asarray(total + np.add.reduce(x[:, whole:], axis=1))


def _middle_sums(x: Array) -> Array | None:
    """The sums along the second of three axes, as products of rows of ones with matrices; None where those would be thin."""
    outer, length, inner = x.shape
    part = _part(length, 4, max(min(_PRODUCT // inner, _ROW), 4)) if 2 <= inner < _ROW else 0
    if not part:
        return None
    parts = np.matmul(np.ones((1, part), x.dtype), x.reshape(-1, part, inner)).reshape(outer, -1, inner)
    return parts[:, 0] if parts.shape[1] == 1 else np.asarray(np.add.reduce(parts, axis=1))


def squares(x: Array, axes: tuple[int, ...], keep_dims: bool) -> Array | None:
    """The sum of squares along `axes` without an array of squares; None where that is no quicker."""
    spans = spans_of(x, axes) if x.dtype.char in "fd" else None
    if spans is None:
        return None
    outer, along, inner = spans
    part = along if along <= 2 * _ROW else _part(along, _ROW // 2, 2 * _ROW)
    if inner == 1 and part >= 32:
        parts = x.reshape(-1, part)
        found = np.vecdot(parts, parts).reshape(outer, -1)
        return np.asarray(found[:, 0] if part == along else np.add.reduce(found, axis=1)).reshape(shape_without(x, axes, keep_dims))
    if outer == 1 and inner >= 32:
        rows = x.reshape(along, inner)
        return np.asarray(np.einsum("ij,ij->j", rows, rows)).reshape(shape_without(x, axes, keep_dims))
    return None


def _reduce_leading(x: Array, combine: np.ufunc) -> Array:
    """A reduction along the first axis of a matrix with short rows: of several rows side by side, then of these."""
    rows, length = x.shape
    side = max(1024 // length, 1)
    whole = rows // side * side
    if side == 1 or not whole:
        return np.asarray(combine.reduce(x, axis=0))
    out = combine.reduce(combine.reduce(x[:whole].reshape(-1, side * length), axis=0).reshape(side, length), axis=0)
    return np.asarray(out if whole == rows else combine(out, combine.reduce(x[whole:], axis=0)))


def column_sums(x: Array) -> Array:
    """The sum of each column of a matrix."""
    return _reduce_leading(x, np.add) if x.size >= LARGE else np.asarray(np.add.reduce(x, axis=0))


def total(x: Array, axes: tuple[int, ...], keep_dims: bool) -> Array | None:
    """The sum along `axes`, in an order of its own that rounds no more than NumPy's; None where NumPy's way is as good."""
    spans = spans_of(x, axes) if x.dtype.char in "fd" else None
    if spans is None:
        return None
    outer, along, inner = spans
    if inner == 1 and along >= 4 and (along < 128 or x.size >= SHARED):
        return _row_sums(x.reshape(outer, along)).reshape(shape_without(x, axes, keep_dims))
    if outer == 1 and inner < 512 and along > 1:
        return _reduce_leading(x.reshape(along, inner), np.add).reshape(shape_without(x, axes, keep_dims))
    found = _middle_sums(x.reshape(spans)) if outer > 1 and inner > 1 else None
    return None if found is None else found.reshape(shape_without(x, axes, keep_dims))


def _find_extreme(x: Array, combine: np.ufunc) -> Array:
    """The largest (or smallest) number of each row of a matrix, by its position: the first NaN where there is one."""
    at = x.argmax(axis=1) if combine is np.maximum else x.argmin(axis=1)
    at += np.arange(0, x.size, x.shape[1])
    return np.asarray(x.reshape(-1).take(at))


def extreme(x: Array, axes: tuple[int, ...], keep_dims: bool, combine: np.ufunc) -> Array | None:
    """The maximum, minimum or product along `axes`; None where NumPy's way is as good."""
    spans = spans_of(x, axes) if x.dtype.kind in "fiu" else None
    if spans is None:
        return None
    outer, along, inner = spans
    if inner == outer == 1:
        found = _reduce_leading(x.reshape(-1, 1), combine) if combine is np.multiply else combine.reduce(x.reshape(-1))
        return np.asarray(found).reshape(shape_without(x, axes, keep_dims))
    if inner == 1 and 1 < along <= (4096 if combine is np.multiply else _SHORT if x.dtype.kind == "f" else 32):
        return _fold_columns(x.reshape(outer, along), combine).reshape(shape_without(x, axes, keep_dims))
    if inner == 1 and along < _LONG and combine is not np.multiply and x.dtype.char in "fd":
        return _find_extreme(x.reshape(outer, along), combine).reshape(shape_without(x, axes, keep_dims))
    if outer == 1 and inner < 512 and along > 1:
        return _reduce_leading(x.reshape(along, inner), combine).reshape(shape_without(x, axes, keep_dims))
    return None


def row_max(x: Array) -> Array:
    """The largest number of each row of a matrix, as a column; minus infinity for rows without any."""
    found = extreme(x, (1,), True, np.maximum)
    return np.asarray(np.maximum.reduce(x, axis=1, keepdims=True, initial=-np.inf)) if found is None else found


def row_sum(x: Array) -> Array:
    """The sum of each row of a matrix, as a column."""
    found = total(x, (1,), True)
    return np.asarray(np.add.reduce(x, axis=1, keepdims=True)) if found is None else found
