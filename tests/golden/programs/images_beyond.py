"""Images and dilation where TensorFlow has no gradient, or no kernel: derivatives held against differences, by Pullback alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tests.cases.case import floats
from tests.golden.programs.kit import Answers, ours, raised, raises

FACE = "v2"


def _weighted(tf: Any, f: Callable[..., Any], xs: Sequence[Any], weights: Any) -> Any:
    return tf.reduce_sum(tf.cast(f(*xs), tf.float32) * weights)


def _gradients(tf: Any, f: Callable[..., Any], xs: Sequence[Any]) -> list[Any]:
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = f(*xs)
    found: list[Any] = tape.gradient(y, xs)
    return found


def _agrees(tf: Any, f: Callable[..., Any], xs: Sequence[Any], eps: float) -> bool:
    """Whether the gradients of a scalar function are its slopes along random directions, to three digits."""
    found = _gradients(tf, f, xs)
    for i, x in enumerate(xs):
        way = floats(*x.shape, low=-1.0, high=1.0, seed=50 + i)
        there = [f(*(t + sign * eps * way if j == i else t for j, t in enumerate(xs))) for sign in (1, -1)]
        slope = float(there[0] - there[1]) / (2 * eps)
        told = 0.0 if found[i] is None else float(tf.reduce_sum(found[i] * way))
        if abs(slope - told) > 5e-3 * max(1.0, abs(slope)):
            return False
    return True


def twice(tf: Any, f: Callable[..., Any], *arrays: Any, eps: float = 1e-3) -> Callable[[], bool]:
    """An answer: whether first and second derivatives by all arrays agree with differences."""

    def answer() -> bool:
        xs = [tf.constant(a) for a in arrays]
        weights = floats(*f(*xs).shape, seed=70)
        ways = [floats(*a.shape, seed=80 + i) for i, a in enumerate(arrays)]

        def once(*ts: Any) -> Any:
            return _weighted(tf, f, ts, weights)

        def slope(*ts: Any) -> Any:
            pairs = zip(_gradients(tf, once, ts), ways, strict=True)
            return sum((tf.reduce_sum(g * way) for g, way in pairs if g is not None), tf.constant(0.0))

        return _agrees(tf, once, xs, eps) and _agrees(tf, slope, xs, eps)

    return answer


IMAGE = floats(2, 5, 6, 2)
COLOURS = floats(2, 3, 3, 3, low=0.1, high=0.9)


def crops(tf: Any) -> Answers:
    """Crops by image and boxes, and what their gradients are made of."""
    raw = tf.raw_ops
    boxes = np.float32([[0.13, 0.21, 0.71, 0.93], [0.77, 0.12, 0.24, 0.64], [0.08, 0.33, 0.86, 0.55]])
    index, grads = [0, 1, 1], floats(3, 3, 4, 2, seed=4)
    image = {"image_size": [2, 5, 6, 2], "T": tf.float32}
    return {
        "crops": ours(True, twice(tf, lambda x, b: raw.CropAndResize(image=x, boxes=b, box_ind=index, crop_size=[3, 4]), IMAGE, boxes)),
        "by boxes": ours(
            True, twice(tf, lambda g, x, b: raw.CropAndResizeGradBoxes(grads=g, image=x, boxes=b, box_ind=index), grads, IMAGE, boxes)
        ),
        "by image": ours(True, twice(tf, lambda g, b: raw.CropAndResizeGradImage(grads=g, boxes=b, box_ind=index, **image), grads, boxes)),
    }


def warps(tf: Any) -> Answers:
    """Projective transforms by image, transforms and what is filled in: an adjoint, not a warp back."""
    # No point comes near a whole coordinate, where slopes jump; the second image is read beyond its edge.
    turns = np.float32([[0.41, 0.03, 0.3, 0.05, 0.55, 0.2, 0, 0], [0.38, -0.04, 4.45, -0.03, 0.52, 0.33, 0.004, 0.003]])

    def warp(mode: str) -> Callable[..., Any]:
        options = {"output_shape": [3, 4], "interpolation": "BILINEAR", "fill_mode": mode}
        return lambda x, t, f: tf.raw_ops.ImageProjectiveTransformV3(images=x, transforms=t, fill_value=f, **options)

    return {mode: ours(True, twice(tf, warp(mode), IMAGE, turns, np.float32(0.7))) for mode in ("REFLECT", "CONSTANT", "NEAREST")}


def colours(tf: Any) -> Answers:
    """Adjusted colours, by colours and by how much."""
    raw = tf.raw_ops
    return {
        "hsv": ours(True, twice(tf, lambda x: raw.HSVToRGB(images=x), COLOURS, eps=1e-4)),
        "hue": ours(True, twice(tf, lambda x, d: raw.AdjustHue(images=x, delta=d), COLOURS, np.float32(0.37), eps=1e-4)),
        "saturation": ours(True, twice(tf, lambda x, s: raw.AdjustSaturation(images=x, scale=s), COLOURS, np.float32(0.6), eps=1e-3)),
        "contrast": ours(True, twice(tf, lambda x, c: raw.AdjustContrastv2(images=x, contrast_factor=c), COLOURS, np.float32(1.7))),
    }


def others(tf: Any) -> Answers:
    """Areas, dilation, glimpses, drawn boxes."""
    raw = tf.raw_ops
    steps = {"strides": [1, 1, 2, 1], "rates": [1, 2, 1, 1], "padding": "SAME"}
    glimpse = {"size": [3, 9], "offsets": [[0.3, -0.2], [0.0, 1.0]], "noise": "zero", "uniform_noise": False}
    boxes = np.float32([[[0.1, 0.2, 0.7, 0.8]], [[0.0, 0.0, 0.5, 1.0]]])
    return {
        "area": ours(True, twice(tf, lambda x: raw.ResizeArea(images=x, size=[3, 7]) ** 2, IMAGE)),
        "dilation": ours(True, twice(tf, lambda x, w: raw.Dilation2D(input=x, filter=w, **steps) ** 2, 3 * IMAGE, floats(2, 2, 2, seed=3))),
        "glimpse": ours(True, twice(tf, lambda x: raw.ExtractGlimpse(input=x, **glimpse) ** 2, IMAGE)),
        "second glimpse": ours(True, twice(tf, lambda x: raw.ExtractGlimpseV2(input=x, **glimpse) ** 2, IMAGE)),
        "drawn in turn": ours(True, twice(tf, lambda x: raw.DrawBoundingBoxes(images=x, boxes=boxes) ** 2, COLOURS)),
        "drawn": ours(True, twice(tf, lambda x: tf.image.draw_bounding_boxes(x, boxes, [[0.5, 0.1, 0.9]]) ** 2, COLOURS)),
    }


def without_kernel(tf: Any) -> Answers:
    """What TensorFlow has for other machines, or has no more."""
    raw = tf.raw_ops
    anchors = np.float32([[0, 0, 10, 10], [0, 1, 10, 10], [10, 10, 30, 30], [2, 2, 3, 3]]).reshape(1, 1, 4, 4)
    scores = np.float32([0.9, 0.8, 0.7, 0.95]).reshape(1, 1, 1, 4)
    deltas = np.zeros((1, 1, 1, 16), np.float32)
    deltas[0, 0, 0, 8:12] = [0.1, -0.1, np.log(0.5), 0.0]
    info = np.float32([[32, 28, 1, 32, 28]])

    def proposed() -> Any:
        rois, chances = tf.image.generate_bounding_box_proposals(scores, deltas, info, anchors, min_size=4, post_nms_topn=3)
        return [rois.numpy().round(3), chances.numpy().round(3)]

    expected = [np.float32([[[0, 0, 10, 10], [17, 8, 27, 28], [0, 0, 0, 0]]]), np.float32([[0.9, 0.7, 0.0]])]
    crop = {"image": np.arange(60).reshape(5, 6, 2), "seed": 5, "seed2": 7}
    return {
        "proposals": ours(expected, proposed),
        "random crop": ours([3, 4, 2], lambda: list(raw.RandomCrop(size=np.array([3, 4]), **crop).shape)),
        "random crop, whole": ours(True, lambda: bool(tf.reduce_all(raw.RandomCrop(size=np.array([5, 6]), **crop) == crop["image"]))),
        "random crop, too large": ours(raised("FailedPreconditionError"), raises(lambda: raw.RandomCrop(size=np.array([9, 4]), **crop))),
        "WebP": ours([2, 3, 3], lambda: list(tf.image.decode_webp(tf.image.encode_png(tf.zeros([2, 3, 3], tf.uint8))).shape)),
        "JPEG XL": ours(raised("UnimplementedError", says=("Pillow",)), raises(lambda: tf.image.decode_jxl(b""))),
    }
