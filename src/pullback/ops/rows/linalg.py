"""Batching rules of products, solutions and matrices made of vectors."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import float32
from ...ir.op import OPS
from .kinds import Rows, broadcasting, content, cut, joined, times
from .shape import element_count


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


def sparse_matmul(
    rows: Rows, a: Any, b: Any, *, transpose_a: bool, transpose_b: bool, a_is_sparse: bool, b_is_sparse: bool
) -> Any:  # fmt: skip
    """As `matmul` in float32; that zeros are many is a hint only."""
    a, b = ((rows.mark(OPS["Cast"](t, DstT=float32)) if rows.has(t) else OPS["Cast"](t, DstT=float32)) for t in (a, b))
    return matmul(rows, a, b, transpose_a=transpose_a, transpose_b=transpose_b)


def solve(rows: Rows, matrix: Any, rhs: Any, **attrs: Any) -> Any:
    """Where rows share one matrix, their right-hand sides are more columns of one system; else a stack of systems."""
    if not rows.has(matrix) and rows.rank(matrix) == 2 and rows.rank(rhs) == 2:
        return rows.parted(rows.op(matrix, rows.merged(rhs, 1), **attrs), 1, rows.node.outputs[0].dims[1])
    if rows.op.broadcasts:
        return broadcasting(rows, matrix, rhs, **attrs)
    return rows.op(rows.stacked(matrix), rows.stacked(rhs), **attrs)


def einsum(rows: Rows, inputs: Sequence[Any], *, equation: str, stretch: str) -> Any:
    """The axis of rows is a label more, of the output and of the factors that are stacked."""
    left, right = equation.split("->")
    label = next((c for c in string.ascii_letters if c not in equation and c not in stretch), None)
    if label is None:
        return NotImplemented
    terms = [f"{label}{term}" if rows.has(t) else term for term, t in zip(left.split(","), inputs, strict=True)]
    return OPS["Einsum"](list(inputs), equation=f"{','.join(terms)}->{label}{right}", stretch=stretch)


def diag(rows: Rows, diagonal: Any) -> Any:
    """The elements of each row on the diagonal of a matrix, which then gets its axes."""
    own = rows.shape(diagonal)
    vectors = OPS["Reshape"](diagonal, rows.before([element_count(rows, diagonal)]))
    zero = np.zeros((), diagonal.dtype.numpy)
    matrices = OPS["MatrixDiagV3"](vectors, np.int32(0), np.int32(-1), np.int32(-1), zero, align="RIGHT_LEFT")
    return OPS["Reshape"](matrices, rows.before(joined(own, own)))


def diag_part(rows: Rows, input: Any) -> Any:
    """Each row as a matrix, and its diagonal."""
    rank = rows.rank(input)
    if rank is None:
        return NotImplemented
    half = rows.shape(input)[: rank // 2]
    known = content(half)
    count = np.int32(np.prod(known, dtype=np.int64)) if known is not None else OPS["Prod"](half, [0])
    matrices = OPS["Reshape"](input, rows.before([count, count]))
    found = OPS["MatrixDiagPartV3"](matrices, np.int32(0), np.zeros((), input.dtype.numpy), align="RIGHT_LEFT")
    return OPS["Reshape"](found, rows.before(half))
