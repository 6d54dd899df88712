"""Proposals of regions from anchors (Ren et al., "Faster R-CNN", 2015): anchors moved by what a network predicts, the best of them kept.

TensorFlow has this for GPUs only; here it runs anywhere.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...base.dtypes import float32
from ...base.export import export
from ...base.shapes import show
from ...ir.op import define
from ...ir.tensor import Tensor, TensorLike, TensorType
from ...ops.array.type_rules import Array, invalid_argument, require_rank
from ...ops.batching import fold_rows
from .suppression_loops import choose_boxes

_MOST_GROWTH = math.log(1000.0 / 16.0)  # an anchor grows at most so many powers of e


def _type(
    scores: Any,
    bbox_deltas: Any,
    image_info: Any,
    anchors: Any,
    nms_threshold: Any,
    pre_nms_topn: Any,
    min_size: Any,
    *,
    post_nms_topn: int = 300,
) -> tuple[TensorType, TensorType]:
    for name, t, rank in (("scores", scores, 4), ("bbox_deltas", bbox_deltas, 4), ("image_info", image_info, 2)):
        require_rank(t, rank, f"{name} must be {rank}-D, got shape {show(t.dims)}")
    for name, t in (("nms_threshold", nms_threshold), ("pre_nms_topn", pre_nms_topn), ("min_size", min_size)):
        require_rank(t, 0, f"{name} must be a scalar, got shape {show(t.dims)}")
    batch = None if scores.dims is None else scores.dims[0]
    return TensorType((batch, post_nms_topn, 4), float32), TensorType((batch, post_nms_topn), float32)


def _move_anchors(anchors: Array, deltas: Array, height: float, width: float) -> Array:
    """Anchors y1, x1, y2, x2 moved and resized by deltas dy, dx, dh, dw, and cut to the image."""
    sizes = anchors[:, 2:] - anchors[:, :2]
    centres = anchors[:, :2] + 0.5 * sizes + deltas[:, :2] * sizes
    grown = np.exp(np.minimum(deltas[:, 2:], _MOST_GROWTH)) * sizes
    corners = np.concatenate([centres - 0.5 * grown, centres + 0.5 * grown], axis=1)
    cut: Array = np.clip(corners, 0, np.array([height, width, height, width], np.float32))
    return cut


def _proposals(
    scores: Array,
    bbox_deltas: Array,
    image_info: Array,
    anchors: Array,
    nms_threshold: Array,
    pre_nms_topn: Array,
    min_size: Array,
    *,
    post_nms_topn: int = 300,
) -> tuple[Array, Array]:
    if pre_nms_topn <= 0 or post_nms_topn <= 0:
        raise invalid_argument(f"pre_nms_topn and post_nms_topn must be positive, not {int(pre_nms_topn)} and {post_nms_topn}")
    batch, height, width, kinds = scores.shape
    if bbox_deltas.shape != (batch, height, width, 4 * kinds):
        raise invalid_argument(f"bbox_deltas must be of shape {[batch, height, width, 4 * kinds]}, not {show(bbox_deltas.shape)}")
    if image_info.ndim != 2 or len(image_info) != batch or image_info.shape[1] < 3:
        raise invalid_argument(f"image_info must be of shape [{batch}, 5], not {show(image_info.shape)}")
    places = anchors.reshape(-1, 4)
    if len(places) != height * width * kinds:
        raise invalid_argument(f"anchors must be {height * width * kinds} boxes, one for each score, not {len(places)}")
    rois = np.zeros((batch, post_nms_topn, 4), np.float32)
    chances = np.zeros((batch, post_nms_topn), np.float32)
    for i in range(batch):
        likely = scores[i].ravel()
        best = np.argsort(-likely, kind="stable")[: int(pre_nms_topn)]
        rows, columns, scale = image_info[i, :3]
        boxes = _move_anchors(places[best], bbox_deltas[i].reshape(-1, 4)[best], rows, columns)
        large = (boxes[:, 2:] - boxes[:, :2] >= min_size * scale).all(axis=1)
        boxes, own = boxes[large], likely[best][large]
        found, _ = choose_boxes(boxes, own, post_nms_topn, float(nms_threshold), -np.inf)
        rois[i, : len(found)], chances[i, : len(found)] = boxes[found], own[found]
    return rois, chances


GENERATE_PROPOSALS = define(
    "GenerateBoundingBoxProposals",
    "scores:float32 bbox_deltas:float32 image_info:float32 anchors:float32 nms_threshold:float32 pre_nms_topn:int32 min_size:float32",
    _type,
    _proposals,
    {},
    outputs="rois roi_probabilities",
    batch=fold_rows("scores", "bbox_deltas", "image_info"),
)


@export("image.generate_bounding_box_proposals")
def generate_bounding_box_proposals(
    scores: TensorLike,
    bbox_deltas: Any,
    image_info: Any,
    anchors: Any,
    nms_threshold: Any = 0.7,
    pre_nms_topn: Any = 6000,
    min_size: Any = 16,
    post_nms_topn: int = 300,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The most likely regions of images: (rois, roi_probabilities).

    scores: [batch, height, width, kinds], float32.  bbox_deltas: [batch, height, width, 4 * kinds]: dy, dx, dh, dw of each anchor.
    image_info: [batch, 5]: height, width and scale of each image first.  anchors: a box y1, x1, y2, x2 for each score.  Boxes smaller
    than min_size * scale go; of those that overlap by more than nms_threshold the best stays.  Returns [batch, post_nms_topn, 4] and
    [batch, post_nms_topn], zeros where there are fewer.  Not differentiable.  Raises InvalidArgumentError (in graphs ValueError) for
    shapes that do not fit.

    >>> anchors = [[0.0, 0.0, 10.0, 10.0], [0.0, 1.0, 10.0, 10.0], [10.0, 10.0, 30.0, 30.0]]
    >>> scores, deltas = tf.reshape([0.9, 0.8, 0.7], [1, 1, 1, 3]), tf.zeros([1, 1, 1, 12])
    >>> info = [[32.0, 32.0, 1.0, 32.0, 32.0]]
    >>> tf.image.generate_bounding_box_proposals(scores, deltas, info, anchors, min_size=4, post_nms_topn=2)[1].numpy().round(1).tolist()
    [[0.8999999761581421, 0.699999988079071]]
    """
    limits = float(nms_threshold), pre_nms_topn, float(min_size)
    return GENERATE_PROPOSALS(scores, bbox_deltas, image_info, anchors, *limits, post_nms_topn=post_nms_topn, name=name)
