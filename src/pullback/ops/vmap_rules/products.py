"""Batching rules of products of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...base.dtypes import float32
from ..array.basic import reshape
from ..batching import Batched, batches, broadcast_rows
from ..linalg.products import BATCH_MATMUL, MATMUL, SPARSE_MATMUL
from ..math.arithmetic import CONJ
from ..primitives.cast import CAST
from .base import Rows, cut_start, join_vectors, times

if TYPE_CHECKING:
    from ...ir.tensor import Tensor


@batches(MATMUL)
def matmul(rows: Rows, a: Any, b: Any, *, transpose_a: bool, transpose_b: bool) -> Batched:
    """A product of stacks of matrices; one product of matrices where the right factor is the same for every row."""
    if not rows.has(b) and not transpose_a:
        shape = rows.shape(a)
        tall = reshape(a, join_vectors([times(rows.count(), shape[0])], cut_start(shape, 1)))
        product = MATMUL(tall, b, transpose_a=False, transpose_b=transpose_b)
        return reshape(product, rows.before([shape[0], rows.shape(b)[0 if transpose_b else 1]]))
    if a.dtype.is_complex:
        a, b = (CONJ(t) if flag else t for t, flag in ((a, transpose_a), (b, transpose_b)))
    return BATCH_MATMUL(a, b, adj_x=transpose_a, adj_y=transpose_b)


@batches(BATCH_MATMUL)
def batch_matmul(rows: Rows, x: Tensor, y: Tensor, *, adj_x: bool, adj_y: bool) -> Batched:
    """As `matmul` where the left rows are matrices and the right factor is one matrix for all; else a product of larger stacks."""
    if rows.rank(x) == 2 and rows.rank(y) == 2 and not rows.has(y) and not adj_x and not (adj_y and y.dtype.is_complex):
        return matmul(rows, x, y, transpose_a=False, transpose_b=adj_y)
    return broadcast_rows(rows, x, y, adj_x=adj_x, adj_y=adj_y)


@batches(SPARSE_MATMUL)
def sparse_matmul(
    rows: Rows, a: Any, b: Any, *, transpose_a: bool, transpose_b: bool, a_is_sparse: bool, b_is_sparse: bool
) -> Batched:  # fmt: skip
    """As `matmul` in float32; that zeros are many is a hint only."""
    a, b = ((rows.mark(CAST(t, DstT=float32)) if rows.has(t) else CAST(t, DstT=float32)) for t in (a, b))
    return matmul(rows, a, b, transpose_a=transpose_a, transpose_b=transpose_b)
