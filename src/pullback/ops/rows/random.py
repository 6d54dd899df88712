"""Batching rules of random ops that remember: an independent draw for each row, all from the one stream of the op."""

from __future__ import annotations

from typing import Any

from .kinds import Rows


def draw(rows: Rows, shape: Any, *parameters: Any, **attrs: Any) -> Any:
    """Of a distribution whose parameters all rows share: one draw of a larger shape."""
    if rows.has(shape, *parameters):
        return NotImplemented
    return rows.op(rows.before(shape, shape.dtype), *parameters, **attrs)


def draw_for_each(rows: Rows, shape: Any, parameter: Any, **attrs: Any) -> Any:
    """Of a distribution with samples for each entry of a parameter, which stand behind the shape that is drawn."""
    if rows.has(shape):
        return NotImplemented
    if not rows.has(parameter):
        return rows.op(rows.before(shape, shape.dtype), parameter, **attrs)
    if shape.dims is None or shape.dims[0] is None:
        return NotImplemented
    return rows.moved(rows.op(shape, parameter, **attrs), shape.dims[0], 0)


def classes(rows: Rows, logits: Any, num_samples: Any, **attrs: Any) -> Any:
    """Rows are more of the batch."""
    if rows.has(num_samples):
        return NotImplemented
    dims = rows.node.outputs[0].dims
    return rows.unfold(rows.op(rows.fold(logits), num_samples, **attrs), None if dims is None else dims[0])
