"""Non-maximum suppression: of boxes that overlap, those with the best scores.

Boxes are taken from the best score down.  Each lowers the scores of all others by how much they overlap it: to nothing beyond a threshold,
or little by little ("soft", Bodla et al., 2017).  All others are compared with a box at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...base import quick
from ...base.dtypes import float16, float32, int32
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import Dims, TensorType
from ..array.types import Array, invalid, known_int, require_equal, require_rank
from ..rows.kinds import folded

FLOAT = np.float32
_FLOATS = {"T": {float16, float32}, "T_threshold": {float16, float32}}


_BLOCK, _FEW = 128, 8  # boxes that are compared with each other at once, at most and beyond twice as many as are wanted


class Overlaps:
    """How much boxes overlap: intersection over union; their corners may come in any order."""

    def __init__(self, boxes: Array) -> None:
        corners = np.ascontiguousarray(boxes.astype(FLOAT).T)
        self.low = [np.minimum(corners[i], corners[i + 2]) for i in (0, 1)]
        self.high = [np.maximum(corners[i], corners[i + 2]) for i in (0, 1)]
        self.areas = (self.high[0] - self.low[0]) * (self.high[1] - self.low[1])
        self.all_there = bool((self.areas > 0).all())

    def __call__(self, rows: Any, columns: Any) -> Array:
        """The overlaps of boxes with boxes."""
        shared: Any = None
        for low, high in zip(self.low, self.high, strict=True):
            side = np.minimum(high[rows][:, None], high[columns])
            side -= np.maximum(low[rows][:, None], low[columns])
            np.maximum(side, FLOAT(0), out=side)
            shared = side if shared is None else np.multiply(shared, side, out=shared)
        first, second = self.areas[rows][:, None], self.areas[columns]
        if self.all_there:
            whole = first + second
            whole -= shared
            return np.divide(shared, whole, out=shared)  # type: ignore[no-any-return]  # an array, as shared is
        there = (first > 0) & (second > 0)
        overlaps: Array = np.where(there, shared / np.where(there, first + second - shared, FLOAT(1)), FLOAT(0))
        return overlaps


def select(
    overlaps: Callable[[Any, Any], Array], scores: Array, count: int, overlap_threshold: float, score_threshold: float, sigma: float = 0.0
) -> tuple[Array, Array]:
    """The indices of the boxes selected, at most `count`, and their scores when they were."""
    scores = scores.astype(FLOAT)
    if sigma > 0:
        return _softly(overlaps, scores, count, score_threshold, sigma)
    order = quick.order(-scores)
    order = order[: np.count_nonzero(scores > score_threshold)]
    chosen: list[int] = []
    start = 0
    while start < len(order) and len(chosen) < count:
        block = order[start : start + min(_BLOCK, 2 * (count - len(chosen)) + _FEW)]
        start += len(block)
        if chosen:
            block = block[~(overlaps(np.array(chosen), block) > overlap_threshold).any(axis=0)]
        chosen += [int(block[i]) for i in _alive(overlaps(block, block) > overlap_threshold, count - len(chosen))]
    found = np.array(chosen, np.int32)
    return found, scores[found]


def _alive(suppressed: Array, count: int) -> Iterator[int]:
    """The first `count` of some boxes that none of those before suppresses; sets of boxes are the bits of integers."""
    rows = np.packbits(suppressed, axis=1, bitorder="little")
    every, width = rows.tobytes(), rows.shape[1]
    alive = (1 << len(suppressed)) - 1
    while alive and count:
        i = (alive & -alive).bit_length() - 1
        yield i
        count -= 1
        alive &= ~(int.from_bytes(every[i * width : (i + 1) * width], "little") | (1 << i))


def _softly(
    overlaps: Callable[[Any, Any], Array], scores: Array, count: int, score_threshold: float, sigma: float
) -> tuple[Array, Array]:
    """As `select`, where boxes that overlap lose a part of their scores."""
    alive = scores > score_threshold
    every = np.arange(len(scores))
    chosen: list[int] = []
    found: list[float] = []
    while len(chosen) < count and alive.any():
        best = int(np.argmax(np.where(alive, scores, -np.inf)))
        chosen.append(best)
        found.append(float(scores[best]))
        alive[best] = False
        shared = overlaps(np.array([best]), every)[0]
        scores = scores * np.exp(FLOAT(-0.5 / sigma) * shared * shared)
        alive &= scores > score_threshold
    return np.array(chosen, np.int32), np.array(found, FLOAT)


# ---- checks


def _check_types(boxes: Any, scores: Any, width: int = 4) -> int | None:
    require_rank(boxes, 2, f"boxes must be 2-D, got shape {show(boxes.dims)}")
    require_rank(scores, 1, f"scores must be 1-D, got shape {show(scores.dims)}")
    count, columns = (None, None) if boxes.dims is None else boxes.dims
    if columns not in (width, None):
        raise ShapeError(f"Dimension must be {width} but is {columns}", f"boxes must have {width} columns")
    own = None if scores.dims is None else scores.dims[0]
    require_equal(count, own, "scores has incompatible shape")
    return count if own is None else own


def _scalars(**inputs: Any) -> None:
    for name, t in inputs.items():
        require_rank(t, 0, f"{name} must be 0-D, got shape {show(t.dims)}")


def _typed(array: Array) -> TensorType:
    return TensorType(np.shape(array), float32)


def _number(value: Array, name: str) -> float:
    if np.ndim(value):
        raise invalid(f"{name} must be 0-D, got shape {show(np.shape(value))}")
    return float(value)


def _count(max_output_size: Array) -> int:
    count = int(_number(max_output_size, "max_output_size"))
    if count < 0:
        raise invalid(f"output size must be non-negative: {count}")
    return count


def _share(iou_threshold: Any) -> float:
    share = _number(iou_threshold, "iou_threshold")
    if not 0 <= share <= 1:
        raise invalid(f"iou_threshold must be in [0, 1], not {share:g}")
    return share


def _suppressed(
    boxes: Array, scores: Array, max_output_size: Array, iou_threshold: Any, score_threshold: Any = -np.inf, sigma: Any = 0.0
) -> tuple[Array, Array]:
    _check_types(_typed(boxes), _typed(scores))
    count, share = _count(max_output_size), _share(iou_threshold)
    least, softness = _number(score_threshold, "score_threshold"), _number(sigma, "soft_nms_sigma")
    if softness < 0:
        raise invalid(f"soft_nms_sigma_val must be non-negative, not {softness:g}")
    return select(Overlaps(boxes), scores, count, share, least, softness)


def _padded(found: Array, count: int) -> Array:
    out = np.zeros(count, found.dtype)
    out[: len(found)] = found
    return out


# ---- the operations, version by version


def _indices_type(boxes: Any, scores: Any, *scalars: Any) -> TensorType:
    _check_types(boxes, scores)
    for t in scalars:
        require_rank(t, 0, f"a threshold or size must be 0-D, got shape {show(t.dims)}")
    return TensorType((None,), int32)


NMS = define(
    "NonMaxSuppression",
    "boxes:float32 scores:float32 max_output_size:int32",
    lambda boxes, scores, max_output_size, *, iou_threshold=0.5: _indices_type(boxes, scores, max_output_size),
    lambda boxes, scores, max_output_size, *, iou_threshold=0.5: _suppressed(boxes, scores, max_output_size, iou_threshold)[0],
    {},
    batch="shape depends on values",
)
NMS_V2 = define(
    "NonMaxSuppressionV2",
    "boxes scores max_output_size:int32 iou_threshold:T_threshold",
    _indices_type,
    lambda *inputs: _suppressed(*inputs)[0],
    {},
    dtypes=_FLOATS,
    batch="shape depends on values",
)
NMS_V3 = define(
    "NonMaxSuppressionV3",
    "boxes scores max_output_size:int32 iou_threshold:T_threshold score_threshold:T_threshold",
    _indices_type,
    lambda *inputs: _suppressed(*inputs)[0],
    {},
    dtypes=_FLOATS,
    batch="shape depends on values",
)


def _padded_dims(max_output_size: Any, pad_to_max_output_size: bool) -> Dims:
    return (known_int(max_output_size),) if pad_to_max_output_size else (None,)


def _v4_type(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any,
    score_threshold: Any,
    *,
    pad_to_max_output_size: bool = False,
) -> tuple[TensorType, TensorType]:
    _indices_type(boxes, scores, max_output_size, iou_threshold, score_threshold)
    return TensorType(_padded_dims(max_output_size, pad_to_max_output_size), int32), TensorType((), int32)


def _v4(*inputs: Array, pad_to_max_output_size: bool = False) -> tuple[Array, Array]:
    found, _ = _suppressed(*inputs)
    return (_padded(found, int(inputs[2])) if pad_to_max_output_size else found), np.array(len(found), np.int32)


def _v5_type(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any,
    score_threshold: Any,
    soft_nms_sigma: Any,
    *,
    pad_to_max_output_size: bool = False,
) -> tuple[TensorType, TensorType, TensorType]:
    _indices_type(boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma)
    dims = _padded_dims(max_output_size, pad_to_max_output_size)
    return TensorType(dims, int32), TensorType(dims, boxes.dtype), TensorType((), int32)


def _v5(*inputs: Array, pad_to_max_output_size: bool = False) -> tuple[Array, Array, Array]:
    found, scores = _suppressed(*inputs)
    valid = np.array(len(found), np.int32)
    scores = scores.astype(inputs[1].dtype)
    if pad_to_max_output_size:
        found, scores = (_padded(t, int(inputs[2])) for t in (found, scores))
    return found, scores, valid


NMS_V4 = define(
    "NonMaxSuppressionV4",
    "boxes scores max_output_size:int32 iou_threshold:T_threshold score_threshold:T_threshold",
    _v4_type,
    _v4,
    {},
    outputs="selected_indices valid_outputs",
    dtypes=_FLOATS,
)
NMS_V5 = define(
    "NonMaxSuppressionV5",
    "boxes scores max_output_size:int32 iou_threshold score_threshold soft_nms_sigma",
    _v5_type,
    _v5,
    {},
    outputs="selected_indices selected_scores valid_outputs",
    dtypes={"T": {float16, float32}},
)


def _with_overlaps(overlaps: Array, scores: Array, max_output_size: Array, overlap_threshold: Array, score_threshold: Array) -> Array:
    _overlaps_type(*map(_typed, (overlaps, scores, max_output_size, overlap_threshold, score_threshold)))
    thresholds = float(overlap_threshold), float(score_threshold)
    return select(lambda rows, columns: overlaps[np.ix_(columns, rows)].T, scores, _count(max_output_size), *thresholds)[0]


def _overlaps_type(overlaps: Any, scores: Any, max_output_size: Any, overlap_threshold: Any, score_threshold: Any) -> TensorType:
    require_rank(overlaps, 2, f"overlaps must be 2-D, got shape {show(overlaps.dims)}")
    require_rank(scores, 1, f"scores must be 1-D, got shape {show(scores.dims)}")
    _scalars(max_output_size=max_output_size, overlap_threshold=overlap_threshold, score_threshold=score_threshold)
    if overlaps.dims is not None:
        require_equal(overlaps.dims[0], overlaps.dims[1], f"overlaps must be square: {show(overlaps.dims)}")
        require_equal(overlaps.dims[0], None if scores.dims is None else scores.dims[0], "scores has incompatible shape")
    return TensorType((None,), int32)


NMS_WITH_OVERLAPS = define(
    "NonMaxSuppressionWithOverlaps",
    "overlaps:float32 scores:float32 max_output_size:int32 overlap_threshold:float32 score_threshold:float32",
    _overlaps_type,
    _with_overlaps,
    {},
    batch="shape depends on values",
)


# ---- several images and classes at once


def _total(per_class: int | None, total: int | None, classes: int | None, pad_per_class: bool) -> int | None:
    if not pad_per_class:
        return total
    return None if per_class is None or total is None or classes is None else min(total, per_class * classes)


def _combined_type(
    boxes: Any,
    scores: Any,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: Any,
    score_threshold: Any,
    *,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
) -> tuple[TensorType, TensorType, TensorType, TensorType]:
    require_rank(boxes, 4, f"boxes must be 4-D, got shape {show(boxes.dims)}")
    require_rank(scores, 3, f"scores must be 3-D, got shape {show(scores.dims)}")
    _scalars(
        max_output_size_per_class=max_output_size_per_class,
        max_total_size=max_total_size,
        iou_threshold=iou_threshold,
        score_threshold=score_threshold,
    )
    batch, count, groups, columns = boxes.dims or (None,) * 4
    own, number, classes = scores.dims or (None,) * 3
    require_equal(batch, own, f"boxes and scores must have same batch size, got {batch} and {own}")
    require_equal(count, number, "scores has incompatible shape")
    require_equal(columns, 4, "boxes must have 4 columns")
    if groups not in (1, None) and classes is not None and groups != classes:
        text = f"third dimension of boxes must be either 1 or num classes, got {groups} and {classes}"
        raise ShapeError(text, text)
    batch = own if batch is None else batch
    room = _total(known_int(max_output_size_per_class), known_int(max_total_size), classes, pad_per_class)
    dims = (batch, room)
    return TensorType((*dims, 4), float32), TensorType(dims, float32), TensorType(dims, float32), TensorType((batch,), int32)


def _combined(
    boxes: Array,
    scores: Array,
    max_output_size_per_class: Array,
    max_total_size: Array,
    iou_threshold: Array,
    score_threshold: Array,
    *,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
) -> tuple[Array, Array, Array, Array]:
    _combined_type(*map(_typed_known, (boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold)))
    per_class, total = (int(size) for size in (max_output_size_per_class, max_total_size))
    for name, size in (("max_size_per_class", per_class), ("max_total_size", total)):
        if size <= 0:
            raise invalid(f"{name} must be positive, not {size}")
    share, least = _share(iou_threshold), float(score_threshold)
    batch, _, classes = scores.shape
    room = _total(per_class, total, classes, pad_per_class)
    assert room is not None
    out = np.zeros((batch, room, 4), FLOAT), np.zeros((batch, room), FLOAT), np.zeros((batch, room), FLOAT), np.zeros(batch, np.int32)
    for image in range(batch):
        groups = [boxes[image][:, g] for g in range(boxes.shape[2])]
        compared = [Overlaps(group) for group in groups]
        mine = [min(c, len(groups) - 1) for c in range(classes)]  # one group of boxes serves all classes
        levels = np.ascontiguousarray(scores[image].T)
        held = [_of_class(groups[g], compared[g], levels[c], c, per_class, share, least) for c, g in enumerate(mine)]
        found = [np.concatenate(parts) for parts in zip(*held, strict=True)] if held else []
        if not found:
            continue
        order = np.argsort(-found[1], kind="stable")[:room]
        out[3][image] = count = len(order)
        corners = found[0][order]
        out[0][image, :count] = np.clip(corners, 0, 1) if clip_boxes else corners
        out[1][image, :count], out[2][image, :count] = found[1][order], found[2][order]
    return out


def _of_class(
    boxes: Array, overlaps: Overlaps, scores: Array, number: int, per_class: int, share: float, least: float
) -> tuple[Array, Array, Array]:
    """What is selected of one class in one image: boxes, scores and the class."""
    found, best = select(overlaps, scores, per_class, share, least)
    return boxes[found], best, np.full(len(found), number, FLOAT)


def _typed_known(array: Array) -> TensorType:
    return TensorType(np.shape(array), float32, array if not np.ndim(array) else None)


COMBINED_NMS: Op = define(
    "CombinedNonMaxSuppression",
    "boxes:float32 scores:float32 max_output_size_per_class:int32 max_total_size:int32 iou_threshold:float32 score_threshold:float32",
    _combined_type,
    _combined,
    {},
    outputs="nmsed_boxes nmsed_scores nmsed_classes valid_detections",
    batch=folded("boxes", "scores"),
)
