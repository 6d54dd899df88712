"""Batching rules of ops that put entries into another order, and of numbers of entries."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.tensor import Tensor
from ..array.basic import identity, reshape
from ..array.create import RANGE
from ..array.gather_nd import SCATTER_ND
from ..array.order import INVERT_PERMUTATION, REVERSE_SEQUENCE
from ..array.shape import expand_dims
from ..batching import Batched, batches, content
from ..search.search import UNRAVEL_INDEX
from .base import Rows, cast, join_vectors, sizes
from .index import number_rows


@batches(UNRAVEL_INDEX)
def unravel_index(rows: Rows, indices: Tensor, dims: Tensor) -> Batched:
    """The index vectors of all rows are columns, which then get the rows' axes."""
    if rows.has(dims):
        return NotImplemented
    found = UNRAVEL_INDEX(reshape(indices, np.array([-1], np.int32)), dims)
    return rows.swap_axes(reshape(found, join_vectors(sizes(dims), sizes(indices))))


@batches(REVERSE_SEQUENCE)
def reverse_sequence(rows: Rows, input: Tensor, seq_lengths: Tensor, *, seq_dim: int, batch_dim: int) -> Tensor:
    """Rows become more of the batch."""
    found = rows.op(rows.merge(input, batch_dim), rows.merge(seq_lengths, 0), seq_dim=seq_dim, batch_dim=batch_dim)
    return rows.unmerge(found, batch_dim, _known_size(rows, batch_dim))


def _known_size(rows: Rows, axis: int) -> Any:
    """The size of an axis of a row of the node's output, where it is known."""
    dims = rows.node.outputs[0].dims
    return None if dims is None else dims[axis]


@batches(INVERT_PERMUTATION)
def invert_permutation(rows: Rows, x: Tensor) -> Tensor:
    """Each place written where the permutation of its row sends it."""
    length = rows.shape(x)[0]
    known = content(length)
    places = np.arange(int(known), dtype=x.dtype.numpy_dtype) if known is not None else cast(RANGE(0, length, 1), x.dtype)
    numbers = rows.stack(identity(places))
    return SCATTER_ND(number_rows(rows, rows.mark(expand_dims(x, -1))), numbers, cast(sizes(x), x.dtype))
