"""Batching rules of products, solutions and matrices made of vectors."""

from __future__ import annotations

from typing import Any

from ..ir.op import OPS
from .rows import Rows, broadcasting, cut, joined, times


def matmul(rows: Rows, a: Any, b: Any, *, transpose_a: bool, transpose_b: bool) -> Any:
    """A product of stacks of matrices; one product of matrices where the right factor is the same for every row."""
    if not rows.has(b) and not transpose_a:
        shape = rows.shape(a)
        tall = OPS["Reshape"](a, joined([times(rows.count(), shape[0])], cut(shape, 1)))
        product = OPS["MatMul"](tall, b, transpose_a=False, transpose_b=transpose_b)
        return OPS["Reshape"](product, rows.before([shape[0], rows.shape(b)[0 if transpose_b else 1]]))
    if a.dtype.is_complex:
        a, b = (OPS["Conj"](t) if flag else t for t, flag in ((a, transpose_a), (b, transpose_b)))
    return OPS["BatchMatMulV2"](a, b, adj_x=transpose_a, adj_y=transpose_b)


def batch_matmul(rows: Rows, x: Any, y: Any, *, adj_x: bool, adj_y: bool) -> Any:
    """As `matmul` where the left rows are matrices and the right factor is one matrix for all; else a product of larger stacks."""
    if rows.rank(x) == 2 and rows.rank(y) == 2 and not rows.has(y) and not adj_x and not (adj_y and y.dtype.is_complex):
        return matmul(rows, x, y, transpose_a=False, transpose_b=adj_y)
    return broadcasting(rows, x, y, adj_x=adj_x, adj_y=adj_y)
