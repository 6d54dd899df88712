"""Batching rules of ops that put values where numbers say: segments, stitched pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ir.tensor import Tensor
from ..array.basic import identity, reshape
from ..array.where import where
from ..batching import Batched, batches
from ..math.arithmetic import ADD as ADD_V2, multiply
from ..primitives.compare import less
from ..search.partition import PARALLEL_STITCH, STITCH
from ..segment.dense import (
    SEGMENT_MAX,
    SEGMENT_MEAN,
    SEGMENT_MIN,
    SEGMENT_PROD,
    SEGMENT_SUM,
    UNSORTED_MAX,
    UNSORTED_MIN,
    UNSORTED_PROD,
    UNSORTED_SUM,
)
from .base import Rows, cast, cut_start, join_vectors, sizes, times


@batches(SEGMENT_SUM, SEGMENT_MEAN, SEGMENT_PROD, SEGMENT_MAX, SEGMENT_MIN)
def sorted_segments(rows: Rows, data: Tensor, segment_ids: Tensor) -> Batched:
    """Rows become a further axis of what is in the segments, which all rows share."""
    if rows.has(segment_ids):
        return NotImplemented
    return rows.swap_axes(rows.op(rows.swap_axes(data), segment_ids))


@batches(UNSORTED_SUM, UNSORTED_PROD, UNSORTED_MAX, UNSORTED_MIN)
def unsorted_segments(rows: Rows, data: Tensor, segment_ids: Tensor, num_segments: Tensor, **attrs: Any) -> Batched:
    """As `sorted_segments`; where rows have ids of their own, each row has its own numbers of segments."""
    if rows.has(num_segments):
        return NotImplemented
    if not rows.has(segment_ids):
        if segment_ids.dims is None:
            return NotImplemented
        return rows.swap_axes(rows.op(rows.move_axis(data, 0, len(segment_ids.dims)), segment_ids, num_segments, **attrs))
    number = cast(num_segments, segment_ids.dtype)
    first = multiply(rows.numbers(segment_ids), number)
    first = rows.widen(rows.mark(identity(first)), rows.widest([segment_ids]))
    total = times(rows.count(), num_segments)
    fits = less(segment_ids, number)
    ids = where(fits, ADD_V2(segment_ids, first), cast(total, segment_ids.dtype))
    ids = where(less(segment_ids, np.zeros((), segment_ids.dtype.numpy_dtype)), segment_ids, ids)
    found = rows.op(rows.stack(data), ids, cast(total, num_segments.dtype), **attrs)
    return reshape(found, rows.before(join_vectors([num_segments], cut_start(sizes(found), 1))))


@batches(STITCH, PARALLEL_STITCH)
def dynamic_stitch(rows: Rows, indices: Sequence[Any], data: Sequence[Any]) -> Batched:
    """Rows become a further axis of the pieces, whose places all rows share."""
    if rows.has(*indices) or any(t.dims is None for t in indices):
        return NotImplemented
    pieces = [rows.move_axis(rows.stack(d), 0, len(i.dims)) for i, d in zip(indices, data, strict=True)]
    return rows.swap_axes(rows.op(list(indices), pieces))
