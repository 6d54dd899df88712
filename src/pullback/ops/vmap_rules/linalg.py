"""Batching rules of solutions, contractions and matrices made of vectors."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import DType
from ..aliases.products import BATCH_MATMUL_V3, XLA_EINSUM
from ..array.basic import reshape
from ..batching import Batched, batches, broadcast_rows, content
from ..linalg.bands import MATRIX_DIAG, MATRIX_DIAG_PART
from ..linalg.diag import DIAG, DIAG_PART
from ..linalg.einsum import EINSUM
from ..linalg.factor import SOLVE, TRIANGULAR_SOLVE
from ..linalg.products import BATCH_MATMUL
from ..linalg.tridiagonal import BANDED_SOLVE
from ..primitives.cast import CAST
from ..reduce.reductions import PROD
from .base import Rows, join_vectors
from .products import batch_matmul

if TYPE_CHECKING:
    from ...ir.tensor import Tensor


@batches(SOLVE, TRIANGULAR_SOLVE, BANDED_SOLVE)
def solve(rows: Rows, matrix: Tensor, rhs: Tensor, **attrs: Any) -> Batched:
    """Where rows share one matrix, their right-hand sides are more columns of one system; else a stack of systems."""
    if not rows.has(matrix) and rows.rank(matrix) == 2 and rows.rank(rhs) == 2:
        return rows.unmerge(rows.op(matrix, rows.merge(rhs, 1), **attrs), 1, rows.node.outputs[0].dims[1])
    if rows.op.broadcasts:
        return broadcast_rows(rows, matrix, rhs, **attrs)
    return rows.op(rows.stack(matrix), rows.stack(rhs), **attrs)


@batches(EINSUM)
def einsum(rows: Rows, inputs: Sequence[Any], *, equation: str, stretch: str) -> Batched:
    """The axis of rows is a label more, of the output and of the factors that are stacked."""
    left, right = equation.split("->")
    label = next((c for c in string.ascii_letters if c not in equation and c not in stretch), None)
    if label is None:
        return NotImplemented
    terms = [f"{label}{term}" if rows.has(t) else term for term, t in zip(left.split(","), inputs, strict=True)]
    return EINSUM(list(inputs), equation=f"{','.join(terms)}->{label}{right}", stretch=stretch)


@batches(DIAG)
def diag(rows: Rows, diagonal: Tensor) -> Batched:
    """The elements of each row on the diagonal of a matrix, which then gets its axes."""
    own = rows.shape(diagonal)
    vectors = reshape(diagonal, rows.before([rows.element_count(diagonal)]))
    zero = np.zeros((), diagonal.dtype.numpy_dtype)
    matrices = MATRIX_DIAG(vectors, np.int32(0), np.int32(-1), np.int32(-1), zero, align="RIGHT_LEFT")
    return reshape(matrices, rows.before(join_vectors(own, own)))


@batches(DIAG_PART)
def diag_part(rows: Rows, input: Tensor) -> Batched:
    """Each row as a matrix, and its diagonal."""
    rank = rows.rank(input)
    if rank is None:
        return NotImplemented
    half = rows.shape(input)[: rank // 2]
    known = content(half)
    count = np.int32(np.prod(known, dtype=np.int64)) if known is not None else PROD(half, [0])
    matrices = reshape(input, rows.before([count, count]))
    found = MATRIX_DIAG_PART(matrices, np.int32(0), np.zeros((), input.dtype.numpy_dtype), align="RIGHT_LEFT")
    return reshape(found, rows.before(half))


@batches(BATCH_MATMUL_V3)
def batch_matmul_of_dtypes(rows: Rows, x: Tensor, y: Tensor, *, Tout: DType, adj_x: bool, adj_y: bool) -> Batched:
    """As `batch_matmul`, of factors in the dtype of the product."""
    rows.op = BATCH_MATMUL
    x, y = (t if t.dtype is Tout else (rows.mark if rows.has(t) else lambda c: c)(CAST(t, DstT=Tout)) for t in (x, y))
    return batch_matmul(rows, x, y, adj_x=adj_x, adj_y=adj_y)


@batches(XLA_EINSUM)
def einsum_of_two(rows: Rows, a: Tensor, b: Tensor, *, equation: str) -> Batched:
    """As `einsum`."""
    return einsum(rows, [a, b], equation=equation, stretch="")
