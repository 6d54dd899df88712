"""Non-maximum suppression of several images at once, into places of a fixed number (`NonMaxSuppressionPadded`, an operation of our own).

TensorFlow composes it of loops over tiles.  What differs from the other operations is kept: a box goes that overlaps a better one by the
threshold or more, all boxes turn their corners as the first one does, and one without a positive coordinate does not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import FLOATING, int32
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import define
from ...ir.tensor import TensorType
from ...kernels import blocked
from ...ops.array.type_rules import Array, invalid_argument, known_int, read_whole
from ...ops.batching import Batched, stack_rows
from .suppression_loops import choose_in_order

if TYPE_CHECKING:
    from ...ops.vmap_rules.base import Rows


def _type(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any, score_threshold: Any, **_: Any
) -> tuple[TensorType, TensorType]:
    if boxes.dims is None:
        return TensorType(None, int32), TensorType(None, int32)
    if len(boxes.dims) < 2 or boxes.dims[-1] not in (4, None):
        text = f"boxes must be of shape [..., count, 4], not {show(boxes.dims)}"
        raise ShapeError(text, text)
    batch = boxes.dims[:-2]
    return TensorType((*batch, known_int(max_output_size)), int32), TensorType(batch, int32)


def _suppress_padded(
    boxes: Array,
    scores: Array,
    max_output_size: Array,
    iou_threshold: Array,
    score_threshold: Array,
    *,
    sorted_input: bool = False,
    canonicalized_coordinates: bool = False,
) -> tuple[Array, Array]:
    if boxes.ndim < 2 or boxes.shape[-1] != 4 or scores.shape != boxes.shape[:-1]:
        raise invalid_argument(f"boxes must be of shape [..., count, 4] and scores [..., count]: {show(boxes.shape)}, {show(scores.shape)}")
    room, batch = read_whole(max_output_size, f"max_output_size must be 0-D, got shape {show(max_output_size.shape)}"), boxes.shape[:-2]
    if iou_threshold.ndim:
        raise invalid_argument(f"Incompatible shapes: iou_threshold must be 0-D, got shape {show(iou_threshold.shape)}")
    if room < 0:
        raise invalid_argument(f"output size must be non-negative: {room}")
    corners = boxes.reshape(-1, *boxes.shape[-2:]).astype(np.float32)
    levels = scores.reshape(-1, scores.shape[-1]).astype(np.float32)
    if score_threshold != -np.inf:
        counted = levels > score_threshold
        levels, corners = levels * counted, corners * counted[..., None]
    if not canonicalized_coordinates and corners.size:
        corners = _order_corners(corners)
    found, valid = np.zeros((len(corners), room), np.int32), np.zeros(len(corners), np.int32)
    for i, (own, level) in enumerate(zip(corners, levels, strict=True)):
        order = np.arange(len(level)) if sorted_input else blocked.order(-level)
        kept = choose_in_order(own, order, room, float(iou_threshold))
        found[i, : len(kept)], valid[i] = kept, len(kept)
    return found.reshape(*batch, room), valid.reshape(batch)


def _order_corners(corners: Array) -> Array:
    """Boxes as y_min, x_min, y_max, x_max, if the first is a guide to all."""
    y1, x1, y2, x2 = corners[0, 0]
    rows, columns = ((0, 2) if y1 <= y2 else (2, 0)), ((1, 3) if x1 <= x2 else (3, 1))
    return corners[..., [rows[0], columns[0], rows[1], columns[1]]]


_BATCH = stack_rows("boxes", "scores")


def _rows(rows: Rows, *inputs: Any, canonicalized_coordinates: bool, **attrs: Any) -> Batched:
    """Leading axes are a batch, unless its first box is a guide to all of it."""
    if not canonicalized_coordinates:
        return NotImplemented
    return _BATCH(rows, *inputs, canonicalized_coordinates=True, **attrs)


SUPPRESS_PADDED = define(
    "NonMaxSuppressionPadded",
    "boxes scores:Tscores max_output_size:int32 iou_threshold:float32 score_threshold:float32",
    _type,
    _suppress_padded,
    {},
    outputs="indices num_valid",
    batch=_rows,
    dtypes={"T": FLOATING, "Tscores": FLOATING},
)
