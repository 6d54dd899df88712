"""`tf.image.non_max_suppression` and its like."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...base.dtypes import as_dtype, float32, int32
from ...base.export import export
from ...base.shapes import are_compatible, show
from ...ir.apply import convert_to_tensor
from ...ir.attributes import as_flag
from ...ir.context import scope
from ...ir.tensor import IntLike, NumberLike, Tensor, TensorLike
from .boxes import COMBINED_NMS, NMS_V3, NMS_V5, NMS_WITH_OVERLAPS
from .suppression import SUPPRESS_PADDED

_NEVER = float("-inf")


@export("image.non_max_suppression")
def non_max_suppression(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: IntLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = _NEVER,
    name: str | None = None,
) -> Tensor:
    """The indices of the best boxes, without those that overlap a better one by more than iou_threshold.

    boxes: [count, 4], float16 or float32: y1, x1, y2, x2 of two opposite corners.  scores: [count].  max_output_size: an int32 scalar.
    score_threshold: only boxes with a higher score count.  Returns at most max_output_size indices, the best first.  Not differentiable.
    Raises InvalidArgumentError (in graphs ValueError) for shapes that do not fit and thresholds outside [0, 1].

    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [0.0, 2.0, 1.0, 3.0]]
    >>> tf.image.non_max_suppression(boxes, [0.9, 0.8, 0.7], 2).numpy().tolist()
    [0, 2]
    """
    with scope(name, "non_max_suppression"):
        return NMS_V3(boxes, scores, max_output_size, iou_threshold, score_threshold)


@export("image.non_max_suppression_with_scores")
def non_max_suppression_with_scores(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: IntLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = _NEVER,
    soft_nms_sigma: NumberLike = 0.0,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """As `non_max_suppression`, with the scores; a soft_nms_sigma > 0 lowers the scores of boxes that overlap instead of dropping them.

    Each better box multiplies the score of another by exp(-overlap**2 / (2 * soft_nms_sigma)) (Bodla et al., "Soft-NMS", 2017).  Returns
    (selected_indices, selected_scores).

    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]]
    >>> found, scores = tf.image.non_max_suppression_with_scores(boxes, [1.0, 0.8], 2, soft_nms_sigma=0.5)
    >>> found.numpy().tolist(), scores.numpy().round(3).tolist()
    ([0, 1], [1.0, 0.2939999997615814])
    """
    with scope(name, "non_max_suppression_with_scores"):
        options = iou_threshold, score_threshold, soft_nms_sigma
        found, best, _ = NMS_V5(boxes, scores, max_output_size, *options, pad_to_max_output_size=False)
        return found, best


@export("image.non_max_suppression_overlaps")
def non_max_suppression_overlaps(
    overlaps: NumberLike,
    scores: TensorLike,
    max_output_size: IntLike,
    overlap_threshold: NumberLike = 0.5,
    score_threshold: TensorLike = _NEVER,
    name: str | None = None,
) -> Tensor:
    """As `non_max_suppression`, where how much boxes overlap is given.

    overlaps: [count, count], float32.  scores: [count], float32.

    >>> tf.image.non_max_suppression_overlaps([[1.0, 0.9], [0.9, 1.0]], [0.5, 0.6], 2).numpy().tolist()
    [1]
    """
    with scope(name, "non_max_suppression_overlaps"):
        return NMS_WITH_OVERLAPS(overlaps, scores, max_output_size, overlap_threshold, score_threshold)


class CombinedSuppression(NamedTuple):
    """The best boxes of each image, their scores and classes, and how many there are."""

    nmsed_boxes: Tensor
    nmsed_scores: Tensor
    nmsed_classes: Tensor
    valid_detections: Tensor


@export("image.combined_non_max_suppression")
def combined_non_max_suppression(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size_per_class: IntLike,
    max_total_size: IntLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = _NEVER,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: str | None = None,
) -> CombinedSuppression:
    """Non-maximum suppression class by class, for several images: (boxes, scores, classes, valid_detections).

    boxes: [batch, count, 1 or classes, 4], float32.  scores: [batch, count, classes].  max_output_size_per_class, max_total_size: int32
    scalars.  pad_per_class: room for no more than max_output_size_per_class * classes.  clip_boxes: cut boxes to [0, 1].  Returns the best
    of each image, [batch, total, 4], [batch, total] and [batch, total], zeros after the first valid_detections, [batch].  Raises
    InvalidArgumentError (in graphs ValueError) for shapes that do not fit.

    >>> found = tf.image.combined_non_max_suppression([[[[0.0, 0.0, 1.0, 1.0]]]], [[[0.3, 0.6]]], 1, 2)
    >>> found[1].numpy().round(1).tolist(), found[2].numpy().tolist()
    ([[0.6000000238418579, 0.30000001192092896]], [[1.0, 0.0]])
    """
    with scope(name, "combined_non_max_suppression"):
        limits = max_output_size_per_class, max_total_size, iou_threshold, score_threshold
        return CombinedSuppression(*COMBINED_NMS(boxes, scores, *limits, pad_per_class=pad_per_class, clip_boxes=clip_boxes))


@export("image.non_max_suppression_padded")
def non_max_suppression_padded(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: IntLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = _NEVER,
    pad_to_max_output_size: bool = False,
    name: str | None = None,
    sorted_input: bool = False,
    canonicalized_coordinates: bool = False,
    tile_size: int = 512,
) -> tuple[Tensor, Tensor]:
    """As `non_max_suppression`, for several images at once, with zeros up to max_output_size: (indices, num_valid).

    boxes: [..., count, 4].  scores: [..., count].  pad_to_max_output_size: needed where there are several images.  sorted_input: scores
    fall already.  canonicalized_coordinates: corners are y_min, x_min, y_max, x_max.  tile_size: not used;
    TensorFlow works in tiles.  Raises ValueError for several images without padding.

    >>> boxes = [[[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [0.0, 2.0, 1.0, 3.0]]]
    >>> found, valid = tf.image.non_max_suppression_padded(boxes, [[0.9, 0.8, 0.7]], 3, pad_to_max_output_size=True)
    >>> found.numpy().tolist(), valid.numpy().tolist()
    ([[0, 2, 0]], [2])
    """
    with scope(name, "non_max_suppression_padded"):
        boxes = convert_to_tensor(boxes)
        single = boxes.dims is not None and len(boxes.dims) == 2
        if not pad_to_max_output_size and not single:
            raise ValueError(f"'pad_to_max_output_size' (value {pad_to_max_output_size}) must be True for batched input")
        scores = convert_to_tensor(scores)
        if boxes.dims and scores.dims and len(scores.dims) == len(boxes.dims) - 1 and not are_compatible(scores.dims, boxes.dims[:-1]):
            raise ValueError(f"non_max_suppression_padded: there is a score for each box, not {show(scores.dims)} for {show(boxes.dims)}")
        options: dict[str, Any] = {"sorted_input": sorted_input, "canonicalized_coordinates": canonicalized_coordinates}
        for flag, value in options.items():
            convert_to_tensor(value)  # which refuses None, as TensorFlow does in a branch on it
            as_flag(flag, value)
        for value, wanted in ((max_output_size, int32), (iou_threshold, float32), (score_threshold, float32)):
            if hasattr(value, "dtype") and as_dtype(value.dtype) is not wanted:
                raise TypeError(f"non_max_suppression_padded: a tensor of {wanted.name} is needed, not of {as_dtype(value.dtype).name}")
        found, valid = SUPPRESS_PADDED(boxes, scores, max_output_size, iou_threshold, score_threshold, **options)
        return (found if pad_to_max_output_size else found[:valid]), valid
