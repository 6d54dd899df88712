"""How diagonals and bands of matrices are lowered for the engine.

One diagonal is a view, or a choice by row and column.  Of a band, which lies in memory in rows that are padded, the places of its elements
in the matrix are a table, as large as one matrix, made by the kernel itself out of a matrix of places.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ir.op import Kernel
from .array import sizes

_FIRST = 1


def band_part(steps: Any, input: Any, num_lower: Any, num_upper: Any) -> Any:
    """MatrixBandPart: zeros where a row and a column are too far apart."""
    rank = len(input.dims)
    row, column = (steps.iota(input.dims, rank - k, np.int64) for k in (2, 1))
    lower, upper = (steps.cast(t, np.int64) for t in (num_lower, num_upper))
    steps.check(steps.compare("gt", lower, input.dims[-2]) | steps.compare("gt", upper, input.dims[-1]))
    near = steps.compare("lt", lower, 0) | steps.compare("le", row - column, lower)
    near = near & (steps.compare("lt", upper, 0) | steps.compare("le", column - row, upper))
    return steps.select(near, input, 0)


def diag(steps: Any, diagonal: Any) -> Any:
    """Diag: the elements where both halves of the axes agree."""
    n = diagonal.size
    square = (n, n)
    flat = steps.affine(steps.reshape(diagonal, (n,)), square, ((0, ((0, 1),)),))
    there = steps.compare("eq", steps.iota(square, 0, np.int32), steps.iota(square, 1, np.int32))
    return steps.reshape(steps.select(there, flat, 0), diagonal.dims * 2)


def _ends(steps: Any, k: Any) -> tuple[int, int]:
    found = sizes(steps, k)
    return found[0], found[-1]


def _spread(steps: Any, diagonal: Any, dims: tuple[int, ...], d: int) -> tuple[Any, Any]:
    """Diagonal d of matrices at each row and column, and where it is."""
    rank = len(dims)
    row, column = (steps.iota(dims, rank - k, np.int32) for k in (2, 1))
    rows = (*((0, ((i, 1),)) for i in range(rank - 2)), (-max(-d, 0), ((rank - 2, 1),)))
    return steps.affine(diagonal, dims, rows, 0), steps.compare("eq", column - row, d)


def _places(steps: Any, places: np.ndarray, band: Any, lead: tuple[int, ...]) -> tuple[Any, Any]:
    """The elements of `band`, whose last two axes are one here, at a table of places; and where there is one (others are 0)."""
    flat = steps.reshape(band, (*lead, math.prod(band.dims[len(lead) :])))
    dims = (*lead, *places.shape)
    table = steps.constant(np.ascontiguousarray(places, np.int32))
    at = steps.affine(table, dims, tuple((0, ((len(lead) + i, 1),)) for i in range(places.ndim)))
    rows = (*((0, ((i, 1),)) for i in range(len(lead))), (0, ()))
    there = steps.compare("ge", at, _FIRST)
    taken = steps.gather(flat, dims, rows, (*(None,) * len(lead), steps.max(at - _FIRST, 0)))
    return taken, there


def _numbered(shape: tuple[int, ...]) -> np.ndarray:
    return np.arange(_FIRST, _FIRST + math.prod(shape), dtype=np.int32).reshape(shape)


def matrix_diag(
    kernel: Kernel, steps: Any, diagonal: Any, k: Any, num_rows: Any, num_cols: Any, padding_value: Any, *, align: str = "RIGHT_LEFT"
) -> Any:
    """MatrixDiagV3; kernel: its own, which says what stands where."""
    low, high = _ends(steps, k)
    band = diagonal.dims[-1:] if low == high else diagonal.dims[-2:]
    lead = diagonal.dims[: len(diagonal.dims) - len(band)]
    given = [steps.known(t) for t in (k, num_rows, num_cols)]
    places = kernel(_numbered(band), *given, np.zeros((), np.int32), align=align)
    if low != high:
        taken, there = _places(steps, places, diagonal, lead)
    else:
        taken, there = _spread(steps, diagonal, (*lead, *places.shape), low)
        there = there & steps.compare("lt", steps.iota(there.dims, len(lead), np.int32), band[0] + max(-low, 0))
    return steps.select(there, taken, padding_value)


def diag_part(kernel: Kernel, steps: Any, input: Any, k: Any, padding_value: Any, *, align: str = "RIGHT_LEFT") -> Any:
    """MatrixDiagPartV3; kernel: its own."""
    low, high = _ends(steps, k)
    lead, matrix = input.dims[:-2], input.dims[-2:]
    places = kernel(_numbered(matrix), steps.known(k), np.zeros((), np.int32), align=align)
    if low == high:
        rank = len(lead)
        rows = (*((0, ((i, 1),)) for i in range(rank)), (max(-low, 0), ((rank, 1),)), (max(low, 0), ((rank, 1),)))
        return steps.affine(input, (*lead, *places.shape), rows)
    taken, there = _places(steps, places, input, lead)
    return steps.select(there, taken, padding_value)


def set_diag(kernel: Kernel, steps: Any, input: Any, diagonal: Any, k: Any, *, align: str = "RIGHT_LEFT") -> Any:
    """MatrixSetDiagV3; kernel: its own."""
    low, high = _ends(steps, k)
    lead = input.dims[:-2]
    if low == high:
        taken, there = _spread(steps, diagonal, input.dims, low)
    else:
        empty = np.zeros(input.dims[-2:], np.int32)
        places = kernel(empty, _numbered(diagonal.dims[-2:]), steps.known(k), align=align)
        taken, there = _places(steps, places, diagonal, lead)
    return steps.select(there, taken, input)


def cross(steps: Any, a: Any, b: Any) -> Any:
    """Cross: each component a difference of products, chosen by its number."""
    last = len(a.dims) - 1

    def part(x: Any, i: int) -> Any:
        return steps.affine(x, x.dims, (*((0, ((j, 1),)) for j in range(last)), (i, ())))

    first, second, third = (part(a, i) * part(b, j) - part(a, j) * part(b, i) for i, j in ((1, 2), (2, 0), (0, 1)))
    at = steps.iota(a.dims, last, np.int32)
    return steps.select(steps.compare("eq", at, 0), first, steps.select(steps.compare("eq", at, 1), second, third))
