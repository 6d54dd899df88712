"""Non-maximum suppression: of boxes that overlap, those with the best scores.  `suppression_loops` chooses them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import float16, float32, int32
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import Dims, TensorType
from ...ops.array.type_rules import Array, invalid_argument, known_int, require_equal, require_rank, scalar_size
from ...ops.batching import fold_rows
from . import suppression_loops

FLOAT = np.float32
_FLOATS = {"T": {float16, float32}, "T_threshold": {float16, float32}}


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


def _type_of(array: Array) -> TensorType:
    return TensorType(np.shape(array), float32)


def _number(value: Array, name: str) -> float:
    if np.ndim(value):
        raise invalid_argument(f"{name} must be 0-D, got shape {show(np.shape(value))}")
    return float(value)


def _count(max_output_size: Array) -> int:
    count = int(_number(max_output_size, "max_output_size"))
    if count < 0:
        raise invalid_argument(f"output size must be non-negative: {count}")
    return count


def _share(iou_threshold: Any) -> float:
    share = _number(iou_threshold, "iou_threshold")
    if not 0 <= share <= 1:
        raise invalid_argument(f"iou_threshold must be in [0, 1], not {share:g}")
    return share


def _suppress_boxes(
    boxes: Array, scores: Array, max_output_size: Array, iou_threshold: Any, score_threshold: Any = -np.inf, sigma: Any = 0.0
) -> tuple[Array, Array]:
    _check_types(_type_of(boxes), _type_of(scores))
    count, share = _count(max_output_size), _share(iou_threshold)
    least, softness = _number(score_threshold, "score_threshold"), _number(sigma, "soft_nms_sigma")
    if softness < 0:
        raise invalid_argument(f"soft_nms_sigma_val must be non-negative, not {softness:g}")
    narrow = scores.dtype == np.float16
    boxes, scores = boxes.astype(FLOAT, copy=False), scores.astype(FLOAT, copy=False)
    return suppression_loops.choose_boxes(boxes, scores, count, share, least, softness, narrow)


def _pad_found(found: Array, count: int) -> Array:
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
    lambda boxes, scores, max_output_size, *, iou_threshold=0.5: _suppress_boxes(boxes, scores, max_output_size, iou_threshold)[0],
    {},
    batch="shape depends on values",
)
NMS_V2 = define(
    "NonMaxSuppressionV2",
    "boxes:T=float32 scores max_output_size:int32 iou_threshold:T_threshold",
    _indices_type,
    lambda *inputs: _suppress_boxes(*inputs)[0],
    {},
    dtypes=_FLOATS,
    batch="shape depends on values",
)
NMS_V3 = define(
    "NonMaxSuppressionV3",
    "boxes:T=float32 scores max_output_size:int32 iou_threshold:T_threshold score_threshold:T_threshold",
    _indices_type,
    lambda *inputs: _suppress_boxes(*inputs)[0],
    {},
    dtypes=_FLOATS,
    batch="shape depends on values",
)


def _padded_dims(max_output_size: Any, pad_to_max_output_size: bool) -> Dims:
    return (scalar_size(max_output_size, 2) if pad_to_max_output_size else None,)


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
    found, _ = _suppress_boxes(*inputs)
    return (_pad_found(found, int(inputs[2])) if pad_to_max_output_size else found), np.array(len(found), np.int32)


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
    found, scores = _suppress_boxes(*inputs)
    valid = np.array(len(found), np.int32)
    scores = scores.astype(inputs[1].dtype)
    if pad_to_max_output_size:
        found, scores = (_pad_found(t, int(inputs[2])) for t in (found, scores))
    return found, scores, valid


NMS_V4 = define(
    "NonMaxSuppressionV4",
    "boxes:T=float32 scores max_output_size:int32 iou_threshold:T_threshold score_threshold:T_threshold",
    _v4_type,
    _v4,
    {},
    outputs="selected_indices valid_outputs",
    dtypes=_FLOATS,
    batch="shape depends on values",
)
NMS_V5 = define(
    "NonMaxSuppressionV5",
    "boxes:T=float32 scores max_output_size:int32 iou_threshold score_threshold soft_nms_sigma",
    _v5_type,
    _v5,
    {},
    outputs="selected_indices selected_scores valid_outputs",
    dtypes={"T": {float16, float32}},
    batch="shape depends on values",
)


def _suppress_by_overlaps(
    overlaps: Array, scores: Array, max_output_size: Array, overlap_threshold: Array, score_threshold: Array
) -> Array:
    _overlaps_type(*map(_type_of, (overlaps, scores, max_output_size, overlap_threshold, score_threshold)))
    thresholds, wanted = (float(overlap_threshold), float(score_threshold)), _count(max_output_size)
    return suppression_loops.choose_by_overlaps(overlaps, scores, wanted, *thresholds)


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
    _suppress_by_overlaps,
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
    **_: Any,
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


def _suppress_by_class(
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
    _combined_type(*map(_type_of_known, (boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold)))
    per_class, total = (int(size) for size in (max_output_size_per_class, max_total_size))
    for name, size in (("max_size_per_class", per_class), ("max_total_size", total)):
        if size <= 0:
            raise invalid_argument(f"{name} must be positive, not {size}")
    share, least = _share(iou_threshold), float(score_threshold)
    batch, _, classes = scores.shape
    room = _total(per_class, total, classes, pad_per_class)
    assert room is not None
    out = np.zeros((batch, room, 4), FLOAT), np.zeros((batch, room), FLOAT), np.zeros((batch, room), FLOAT), np.zeros(batch, np.int32)
    suppression_loops.choose_by_class(boxes, scores, per_class, share, least, clip_boxes, out)
    return out


def _type_of_known(array: Array) -> TensorType:
    return TensorType(np.shape(array), float32, array if not np.ndim(array) else None)


COMBINED_NMS: Op = define(
    "CombinedNonMaxSuppression",
    "boxes:float32 scores:float32 max_output_size_per_class:int32 max_total_size:int32 iou_threshold:float32 score_threshold:float32",
    _combined_type,
    _suppress_by_class,
    {},
    outputs="nmsed_boxes nmsed_scores nmsed_classes valid_detections",
    batch=fold_rows("boxes", "scores"),
)
