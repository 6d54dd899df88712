"""Batching rules of products, solutions and matrices made of vectors."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import DType, float32
from ..aliases.products import BATCH_MATMUL_V3, XLA_EINSUM
from ..array.basic import reshape
from ..batching import batches, broadcasting, content
from ..linalg.bands import MATRIX_DIAG, MATRIX_DIAG_PART
from ..linalg.diag import DIAG, DIAG_PART
from ..linalg.einsum import EINSUM
from ..linalg.factor import SOLVE, TRIANGULAR_SOLVE
from ..linalg.products import BATCH_MATMUL, MATMUL, SPARSE_MATMUL
from ..linalg.tridiagonal import BANDED_SOLVE
from ..math.arithmetic import CONJ
from ..primitives.cast import CAST
from ..reduce.reductions import PROD
from .base import Rows, cut, joined, times


@batches(MATMUL)
def matmul(rows: Rows, a: Any, b: Any, *, transpose_a: bool, transpose_b: bool) -> Any:
    """A product of stacks of matrices; one product of matrices where the right factor is the same for every row."""
    if not rows.has(b) and not transpose_a:
        shape = rows.shape(a)
        tall = reshape(a, joined([times(rows.count(), shape[0])], cut(shape, 1)))
        product = MATMUL(tall, b, transpose_a=False, transpose_b=transpose_b)
        return reshape(product, rows.before([shape[0], rows.shape(b)[0 if transpose_b else 1]]))
    if a.dtype.is_complex:
        a, b = (CONJ(t) if flag else t for t, flag in ((a, transpose_a), (b, transpose_b)))
    return BATCH_MATMUL(a, b, adj_x=transpose_a, adj_y=transpose_b)


@batches(BATCH_MATMUL)
def batch_matmul(rows: Rows, x: Any, y: Any, *, adj_x: bool, adj_y: bool) -> Any:
    """As `matmul` where the left rows are matrices and the right factor is one matrix for all; else a product of larger stacks."""
    if rows.rank(x) == 2 and rows.rank(y) == 2 and not rows.has(y) and not adj_x and not (adj_y and y.dtype.is_complex):
        return matmul(rows, x, y, transpose_a=False, transpose_b=adj_y)
    return broadcasting(rows, x, y, adj_x=adj_x, adj_y=adj_y)


@batches(SPARSE_MATMUL)
def sparse_matmul(
    rows: Rows, a: Any, b: Any, *, transpose_a: bool, transpose_b: bool, a_is_sparse: bool, b_is_sparse: bool
) -> Any:  # fmt: skip
    """As `matmul` in float32; that zeros are many is a hint only."""
    a, b = ((rows.mark(CAST(t, DstT=float32)) if rows.has(t) else CAST(t, DstT=float32)) for t in (a, b))
    return matmul(rows, a, b, transpose_a=transpose_a, transpose_b=transpose_b)


@batches(SOLVE, TRIANGULAR_SOLVE, BANDED_SOLVE)
def solve(rows: Rows, matrix: Any, rhs: Any, **attrs: Any) -> Any:
    """Where rows share one matrix, their right-hand sides are more columns of one system; else a stack of systems."""
    if not rows.has(matrix) and rows.rank(matrix) == 2 and rows.rank(rhs) == 2:
        return rows.parted(rows.op(matrix, rows.merged(rhs, 1), **attrs), 1, rows.node.outputs[0].dims[1])
    if rows.op.broadcasts:
        return broadcasting(rows, matrix, rhs, **attrs)
    return rows.op(rows.stacked(matrix), rows.stacked(rhs), **attrs)


@batches(EINSUM)
def einsum(rows: Rows, inputs: Sequence[Any], *, equation: str, stretch: str) -> Any:
    """The axis of rows is a label more, of the output and of the factors that are stacked."""
    left, right = equation.split("->")
    label = next((c for c in string.ascii_letters if c not in equation and c not in stretch), None)
    if label is None:
        return NotImplemented
    terms = [f"{label}{term}" if rows.has(t) else term for term, t in zip(left.split(","), inputs, strict=True)]
    return EINSUM(list(inputs), equation=f"{','.join(terms)}->{label}{right}", stretch=stretch)


@batches(DIAG)
def diag(rows: Rows, diagonal: Any) -> Any:
    """The elements of each row on the diagonal of a matrix, which then gets its axes."""
    own = rows.shape(diagonal)
    vectors = reshape(diagonal, rows.before([rows.element_count(diagonal)]))
    zero = np.zeros((), diagonal.dtype.numpy)
    matrices = MATRIX_DIAG(vectors, np.int32(0), np.int32(-1), np.int32(-1), zero, align="RIGHT_LEFT")
    return reshape(matrices, rows.before(joined(own, own)))


@batches(DIAG_PART)
def diag_part(rows: Rows, input: Any) -> Any:
    """Each row as a matrix, and its diagonal."""
    rank = rows.rank(input)
    if rank is None:
        return NotImplemented
    half = rows.shape(input)[: rank // 2]
    known = content(half)
    count = np.int32(np.prod(known, dtype=np.int64)) if known is not None else PROD(half, [0])
    matrices = reshape(input, rows.before([count, count]))
    found = MATRIX_DIAG_PART(matrices, np.int32(0), np.zeros((), input.dtype.numpy), align="RIGHT_LEFT")
    return reshape(found, rows.before(half))


@batches(BATCH_MATMUL_V3)
def batch_matmul_of_dtypes(rows: Rows, x: Any, y: Any, *, Tout: DType, adj_x: bool, adj_y: bool) -> Any:
    """As `batch_matmul`, of factors in the dtype of the product."""
    rows.op = BATCH_MATMUL
    x, y = (t if t.dtype is Tout else (rows.mark if rows.has(t) else lambda c: c)(CAST(t, DstT=Tout)) for t in (x, y))
    return batch_matmul(rows, x, y, adj_x=adj_x, adj_y=adj_y)


@batches(XLA_EINSUM)
def einsum_of_two(rows: Rows, a: Any, b: Any, *, equation: str) -> Any:
    """As `einsum`."""
    return einsum(rows, [a, b], equation=equation, stretch="")
