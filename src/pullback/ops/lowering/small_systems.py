"""Inverses, determinants and solutions for stacks of very small matrices: elimination with pivots, written out, a matrix in each lane.

A call of LAPACK takes 200 ns for a matrix of 3 x 3, whose elimination is some sixty operations.  As plain expressions they share a loop
with what is done to the matrices before and after, and fill vectors.  As LAPACK does, each step takes the largest element that is left of
a column; rows that are not taken stand in another order, which changes no number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .array import join_values

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

#: The largest matrices, and the fewest of them; the most columns on the right.
_SIDE, _STACK, _RIGHT = 4, 64, 4

Rows = list[list[Any]]


def suits(matrix: Any, columns: int = 0) -> bool:
    """Whether matrices are so small, and so many, that elimination is written out for them."""
    return 1 < matrix.dims[-1] <= _SIDE and math.prod(matrix.dims[:-2]) >= _STACK and matrix.dtype.kind == "f" and columns <= _RIGHT


def invert(builder: Builder, matrix: IndexExpr, adjoint: bool) -> IndexExpr:
    """The inverses; a fault where there is none."""
    rows, n = _take_apart(builder, matrix), matrix.dims[-1]
    unit = [[builder.scalar(float(i == j), rows[0][0]) for j in range(n)] for i in range(n)]
    found = _substitute_back(*_eliminate(builder, rows, unit)[:2])
    return _put_together(builder, [list(row) for row in zip(*found, strict=True)] if adjoint else found, matrix.dims)


def solve(builder: Builder, matrix: IndexExpr, right: IndexExpr, adjoint: bool) -> IndexExpr:
    """What multiplied by the matrices gives the right sides; a fault where there is nothing."""
    rows = _take_apart(builder, matrix)
    rows = [list(row) for row in zip(*rows, strict=True)] if adjoint else rows
    found = _substitute_back(*_eliminate(builder, rows, _take_apart(builder, right))[:2])
    return _put_together(builder, found, right.dims)


def determinant(builder: Builder, matrix: IndexExpr) -> IndexExpr:
    """The product of the pivots, with the sign of the order of rows."""
    rows, _, swaps = _eliminate(builder, _take_apart(builder, matrix), [[] for _ in range(matrix.dims[-1])], is_fault=False)
    product = rows[0][0]
    for i in range(1, len(rows)):
        product = product * rows[i][i]
    for swapped in swaps:
        product = builder.select(swapped, builder.neg(product), product)
    return product


def _eliminate(builder: Builder, rows: Rows, right: Rows, is_fault: bool = True) -> tuple[Rows, Rows, list[Any]]:
    """Upper triangles with their right sides, and the conditions on which rows changed places.

    is_fault: whether a matrix without an inverse is one; else its triangle ends with zeros.
    """
    n, swaps = len(rows), []
    both = [[*row, *beside] for row, beside in zip(rows, right, strict=True)]
    for k in range(n):
        for r in range(k + 1, n):
            larger = builder.compare("gt", builder.pointwise("abs", both[r][k]), builder.pointwise("abs", both[k][k]))
            swaps.append(larger)
            for c in range(k, len(both[0])):
                x, y = both[k][c], both[r][c]
                both[k][c], both[r][c] = builder.select(larger, y, x), builder.select(larger, x, y)
        none = builder.compare("eq", both[k][k], 0)
        if is_fault:
            builder.check(none)
        for r in range(k + 1, n):
            factor = both[r][k] / (both[k][k] if is_fault else builder.select(none, builder.scalar(1.0, both[k][k]), both[k][k]))
            for c in range(k + 1, len(both[0])):
                both[r][c] = both[r][c] - factor * both[k][c]
    return [row[:n] for row in both], [row[n:] for row in both], swaps


def _substitute_back(rows: Rows, right: Rows) -> Rows:
    """What the triangles multiplied with give the right sides."""
    found: Rows = [[] for _ in rows]
    for k in reversed(range(len(rows))):
        for c, value in enumerate(right[k]):
            for j in range(k + 1, len(rows)):
                value = value - rows[k][j] * found[j][c]
            found[k].append(value / rows[k][k])
    return found


def _take_apart(builder: Builder, matrix: Any) -> Rows:
    """The elements of matrices, each a stack of numbers."""
    rank = len(matrix.dims) - 2
    lead = tuple((0, ((i, 1),)) for i in range(rank))
    rows, columns = (range(n) for n in matrix.dims[-2:])
    return [[builder.affine(matrix, matrix.dims[:-2], (*lead, (i, ()), (j, ()))) for j in columns] for i in rows]


def _put_together(builder: Builder, rows: Sequence[Sequence[Any]], dims: tuple[int, ...]) -> IndexExpr:
    flat = [builder.reshape(value, (*dims[:-2], 1)) for row in rows for value in row]
    return builder.reshape(join_values(builder, flat, len(dims) - 2), dims)
