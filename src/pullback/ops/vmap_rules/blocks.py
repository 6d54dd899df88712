"""Batching rules of blocks of images and of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.dtypes import int32
from ..array.basic import reshape
from ..array.blocks import BATCH_TO_SPACE_ND, SPACE_TO_BATCH_ND
from ..batching import Batched, batches
from ..math.division import FLOOR_DIV
from ..primitives.cast import CAST
from ..reduce.reductions import PROD
from ..search.counting import DENSE_BINCOUNT
from .base import Rows, cut_start, join_vectors, sizes, times
from .nn import output_dim

if TYPE_CHECKING:
    from ...ir.tensor import Tensor


@batches(SPACE_TO_BATCH_ND)
def space_to_batch(rows: Rows, input: Tensor, block_shape: Tensor, paddings: Tensor) -> Batched:
    """Places in a block come before rows: these are brought to the front."""
    if rows.has(block_shape, paddings):
        return NotImplemented
    batch = rows.shape(input)[0]
    found = rows.op(rows.fold(input), block_shape, paddings)
    places = CAST(PROD(block_shape, [0]), DstT=int32)
    rest = cut_start(sizes(found), 1)
    found = rows.move_axis(reshape(found, join_vectors([places, rows.count(), batch], rest)), 1, 0)
    return reshape(found, rows.before(join_vectors([times(places, batch)], rest)))


@batches(BATCH_TO_SPACE_ND)
def batch_to_space(rows: Rows, input: Tensor, block_shape: Tensor, crops: Tensor) -> Tensor:
    """The undoing of `space_to_batch`."""
    if rows.has(block_shape, crops):
        return NotImplemented
    places = CAST(PROD(block_shape, [0]), DstT=int32)
    whole = rows.shape(input)
    batch = FLOOR_DIV(whole[0], places)
    parts = rows.move_axis(reshape(rows.stack(input), join_vectors([rows.count(), places, batch], cut_start(whole, 1))), 0, 1)
    found = rows.op(reshape(parts, join_vectors([times(places, times(rows.count(), batch))], cut_start(whole, 1))), block_shape, crops)
    return reshape(found, rows.before(join_vectors([batch], cut_start(sizes(found), 1))))


@batches(DENSE_BINCOUNT)
def bincount(rows: Rows, input: Tensor, size: Tensor, weights: Tensor, *, binary_output: bool) -> Batched:
    """Vectors become the rows of a matrix, matrices one taller matrix; weights, where there are any, with them."""
    rank = rows.rank(input)
    if rows.has(size) or rank not in (1, 2) or weights.dims is None:
        return NotImplemented
    weighted = rows.has(weights) or weights.dims != (0,)
    if rank == 1:
        return rows.op(rows.stack(input), size, rows.stack(weights) if weighted else weights, binary_output=binary_output)
    found = rows.op(rows.fold(input), size, rows.fold(weights) if weighted else weights, binary_output=binary_output)
    return rows.unfold(found, output_dim(rows, 0))
