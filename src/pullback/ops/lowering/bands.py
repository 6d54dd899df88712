"""How diagonals and bands of matrices are lowered for the engine.

One diagonal is a view, or a choice by row and column.  Of a band, which lies in memory in rows that are padded, the places of its elements
in the matrix are a table, as large as one matrix, made by the kernel itself out of a matrix of places.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir.op import Kernel
from .array import sizes

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

_FIRST = 1


def band_part(builder: Builder, input: IndexExpr, num_lower: IndexExpr, num_upper: IndexExpr) -> IndexExpr:
    """MatrixBandPart: zeros where a row and a column are too far apart."""
    rank = len(input.dims)
    row, column = (builder.iota(input.dims, rank - k, np.int64) for k in (2, 1))
    lower, upper = (builder.cast(t, np.int64) for t in (num_lower, num_upper))
    builder.check(builder.compare("gt", lower, input.dims[-2]) | builder.compare("gt", upper, input.dims[-1]))
    near = builder.compare("lt", lower, 0) | builder.compare("le", row - column, lower)
    near = near & (builder.compare("lt", upper, 0) | builder.compare("le", column - row, upper))
    return builder.select(near, input, 0)


def diag(builder: Builder, diagonal: IndexExpr) -> IndexExpr:
    """Diag: the elements where both halves of the axes agree."""
    n = diagonal.size
    square = (n, n)
    flat = builder.affine(builder.reshape(diagonal, (n,)), square, ((0, ((0, 1),)),))
    there = builder.compare("eq", builder.iota(square, 0, np.int32), builder.iota(square, 1, np.int32))
    return builder.reshape(builder.select(there, flat, 0), diagonal.dims * 2)


def _ends(builder: Builder, k: Any) -> tuple[int, int]:
    found = sizes(builder, k)
    return found[0], found[-1]


def _spread(builder: Builder, diagonal: Any, dims: tuple[int, ...], d: int) -> tuple[Any, Any]:
    """Diagonal d of matrices at each row and column, and where it is."""
    rank = len(dims)
    row, column = (builder.iota(dims, rank - k, np.int32) for k in (2, 1))
    rows = (*((0, ((i, 1),)) for i in range(rank - 2)), (-max(-d, 0), ((rank - 2, 1),)))
    return builder.affine(diagonal, dims, rows, 0), builder.compare("eq", column - row, d)


def _places(builder: Builder, places: np.ndarray, band: Any, lead: tuple[int, ...]) -> tuple[Any, Any]:
    """The elements of `band`, whose last two axes are one here, at a table of places; and where there is one (others are 0)."""
    flat = builder.reshape(band, (*lead, math.prod(band.dims[len(lead) :])))
    dims = (*lead, *places.shape)
    table = builder.constant(np.ascontiguousarray(places, np.int32))
    at = builder.affine(table, dims, tuple((0, ((len(lead) + i, 1),)) for i in range(places.ndim)))
    rows = (*((0, ((i, 1),)) for i in range(len(lead))), (0, ()))
    there = builder.compare("ge", at, _FIRST)
    taken = builder.gather(flat, dims, rows, (*(None,) * len(lead), builder.max(at - _FIRST, 0)))
    return taken, there


def _number_places(shape: tuple[int, ...]) -> np.ndarray:
    return np.arange(_FIRST, _FIRST + math.prod(shape), dtype=np.int32).reshape(shape)


def matrix_diag(
    kernel: Kernel, builder: Any, diagonal: Any, k: Any, num_rows: Any, num_cols: Any, padding_value: Any, *, align: str = "RIGHT_LEFT"
) -> IndexExpr:
    """MatrixDiagV3; kernel: its own, which says what stands where."""
    low, high = _ends(builder, k)
    band = diagonal.dims[-1:] if low == high else diagonal.dims[-2:]
    lead = diagonal.dims[: len(diagonal.dims) - len(band)]
    given = [builder.get_constant(t) for t in (k, num_rows, num_cols)]
    places = kernel(_number_places(band), *given, np.zeros((), np.int32), align=align)
    if low != high:
        taken, there = _places(builder, places, diagonal, lead)
    else:
        taken, there = _spread(builder, diagonal, (*lead, *places.shape), low)
        there = there & builder.compare("lt", builder.iota(there.dims, len(lead), np.int32), band[0] + max(-low, 0))
    return builder.select(there, taken, padding_value)


def diag_part(kernel: Kernel, builder: Any, input: Any, k: Any, padding_value: Any, *, align: str = "RIGHT_LEFT") -> IndexExpr:
    """MatrixDiagPartV3; kernel: its own."""
    low, high = _ends(builder, k)
    lead, matrix = input.dims[:-2], input.dims[-2:]
    places = kernel(_number_places(matrix), builder.get_constant(k), np.zeros((), np.int32), align=align)
    if low == high:
        rank = len(lead)
        rows = (*((0, ((i, 1),)) for i in range(rank)), (max(-low, 0), ((rank, 1),)), (max(low, 0), ((rank, 1),)))
        return builder.affine(input, (*lead, *places.shape), rows)
    taken, there = _places(builder, places, input, lead)
    return builder.select(there, taken, padding_value)


def set_diag(kernel: Kernel, builder: Any, input: Any, diagonal: Any, k: Any, *, align: str = "RIGHT_LEFT") -> IndexExpr:
    """MatrixSetDiagV3; kernel: its own."""
    low, high = _ends(builder, k)
    lead = input.dims[:-2]
    if low == high:
        taken, there = _spread(builder, diagonal, input.dims, low)
    else:
        empty = np.zeros(input.dims[-2:], np.int32)
        places = kernel(empty, _number_places(diagonal.dims[-2:]), builder.get_constant(k), align=align)
        taken, there = _places(builder, places, diagonal, lead)
    return builder.select(there, taken, input)


def cross(builder: Builder, a: IndexExpr, b: IndexExpr) -> IndexExpr:
    """Cross: each component a difference of products, chosen by its number."""
    last = len(a.dims) - 1

    def part(x: Any, i: int) -> Any:
        return builder.affine(x, x.dims, (*((0, ((j, 1),)) for j in range(last)), (i, ())))

    first, second, third = (part(a, i) * part(b, j) - part(a, j) * part(b, i) for i, j in ((1, 2), (2, 0), (0, 1)))
    at = builder.iota(a.dims, last, np.int32)
    return builder.select(builder.compare("eq", at, 0), first, builder.select(builder.compare("eq", at, 1), second, third))
