"""Batching rules of random ops that remember: an independent draw for each row, all from the one stream of the op."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array.basic import broadcast_to, reshape
from ..batching import Batched, content
from .base import Rows, join_vectors, times


def draw(rows: Rows, shape: Any, *parameters: Any, **attrs: Any) -> Batched:
    """Of a distribution whose parameters all rows share: one draw of a larger shape."""
    if rows.has(shape, *parameters):
        return NotImplemented
    return rows.op(rows.before(shape, shape.dtype), *parameters, **attrs)


def draw_for_each(rows: Rows, shape: Any, parameter: Any, **attrs: Any) -> Batched:
    """Of a distribution with samples for each entry of a parameter, which stand behind the shape that is drawn."""
    if rows.has(shape):
        return NotImplemented
    if not rows.has(parameter):
        return rows.op(rows.before(shape, shape.dtype), parameter, **attrs)
    if shape.dims is None or shape.dims[0] is None:
        return NotImplemented
    return rows.move_axis(rows.op(shape, parameter, **attrs), shape.dims[0], 0)


def classes(rows: Rows, logits: Any, num_samples: Any, **attrs: Any) -> Batched:
    """Rows are more of the batch."""
    if rows.has(num_samples):
        return NotImplemented
    dims = rows.node.outputs[0].dims
    return rows.unfold(rows.op(rows.fold(logits), num_samples, **attrs), None if dims is None else dims[0])


def draw_for_batches(rows: Rows, shape: Any, *parameters: Any, **attrs: Any) -> Batched:
    """Of a distribution with samples for each entry of parameters, which stand behind a first axis: rows are more of that."""
    sizes = content(shape)
    if rows.has(shape) or sizes is None or not len(sizes):
        return NotImplemented
    given = []
    for t in parameters:
        dims = rows.dims(t)
        if dims is None or None in dims:
            return NotImplemented
        if not rows.has(t) and np.prod(dims) == 1:
            given.append(t)
        else:
            each = reshape(rows.stack(t), rows.before(np.array([-1], np.int32)))
            given.append(rows.fold(rows.mark(broadcast_to(each, rows.before(sizes[:1])))))
    whole = join_vectors([times(rows.count(), sizes[0])], sizes[1:], shape.dtype)
    return rows.unfold(rows.op(whole, *given, **attrs), int(sizes[0]))


def index_shuffle(rows: Rows, index: object, seed: object, max_index: object, *, rounds: int) -> Batched:
    """Indices, limits and seeds of all rows, one after the other."""
    dims = rows.node.outputs[0].dims
    if dims is None or None in dims or (len(dims) == 1 and not dims[0]):
        return NotImplemented
    wide = rows.before(np.array(dims or (1,), np.int32))

    def spread(t: Any, behind: tuple[int, ...]) -> Any:
        own = rows.dims(t)
        ones = (1,) * (1 + len(behind) - len(own))
        each = reshape(rows.stack(t), rows.before(np.array((*ones, *own), np.int32)))
        return rows.fold(rows.mark(broadcast_to(each, join_vectors(wide, behind))))

    found = rows.op(spread(index, ()), spread(seed, (3,)), spread(max_index, ()), rounds=rounds)
    return reshape(found, rows.before(np.array(dims, np.int32)))
