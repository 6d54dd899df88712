"""Cases: crops, flips, turns, margins, projective transforms, patches and dilation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

X = floats(2, 5, 6, 2)
BOXES = np.float32([[0.1, 0.2, 0.72, 0.93], [0.81, 0.1, -0.33, 1.4], [0, 0, 1, 1], [0.3, 0.42, 0.3, 0.42]])
INSIDE = floats(3, 4, low=0.06, high=0.93, seed=5)


def crop(size: list[int], index: list[int], **options: Any) -> Callable[..., Any]:
    return lambda tf, x, b: tf.image.crop_and_resize(x, b, index, size, **options)


CASES: list[Case] = [
    *(case("CropAndResize", f"bilinear {s}", crop(s, [0, 1, 1, 0]), X, BOXES, smooth=False) for s in ([3, 4], [1, 2], [1, 1], [7, 1])),
    *(case("CropAndResize", f"nearest {s}", crop(s, [0, 1, 1, 0], method="nearest"), X, BOXES, smooth=False) for s in ([3, 4], [1, 1])),
    case("CropAndResize", "between pixels", crop([2, 3], [1, 0, 1]), X, INSIDE),
    case("CropAndResize", "extrapolated", crop([4, 3], [0, 1, 1, 0], extrapolation_value=7.5), X, BOXES, smooth=False),
    case("CropAndResize", "no boxes", crop([2, 2], []), X, np.zeros((0, 4), np.float32), smooth=False),
    *(
        case(
            "CropAndResize",
            f"{d} image",
            lambda tf, x: tf.image.crop_and_resize(x, BOXES[:1], [0], [3, 3]),
            ints(1, 5, 5, 1, dtype=d),
            smooth=False,
        )
        for d in ("uint8", "int32")
    ),
    case(
        "CropAndResize",
        "float64 image",
        lambda tf, x: tf.image.crop_and_resize(x, INSIDE, [0, 0, 0], [3, 3]),
        floats(1, 5, 5, 1, dtype="float64"),
        smooth=False,
        rtol=2e-6,
    ),
    case(
        "CropAndResize",
        "version 1",
        lambda tf, x, b: tf.image.crop_and_resize(x, b, box_ind=[1, 0, 0], crop_size=[2, 2]),
        X,
        INSIDE,
        face="v1",
        smooth=False,
    ),
    case(
        "CropAndResizeGradImage",
        "values",
        lambda tf, g, b: tf.stop_gradient(
            tf.raw_ops.CropAndResizeGradImage(grads=g, boxes=b, box_ind=[0, 1, 1], image_size=[2, 5, 6, 2], T=tf.float32)
        ),
        floats(3, 2, 3, 2),
        INSIDE,
        smooth=False,
    ),
    case(
        "CropAndResizeGradBoxes",
        "values",
        lambda tf, g, x, b: tf.stop_gradient(tf.raw_ops.CropAndResizeGradBoxes(grads=g, image=x, boxes=b, box_ind=[0, 1, 1])),
        floats(3, 2, 3, 2),
        X,
        INSIDE,
        smooth=False,
    ),
]

TURNS = np.float32([[1, 0, 1, 0, 1, 2, 0, 0], [0.8, -0.3, 1.2, 0.4, 0.9, -1.1, 0, 0], [1.3, 0.2, -9.5, 0.1, 1.2, 8.7, 0.01, 0.02]])


def project(transforms: Any, mode: str, reading: str, size: list[int] | None = None, fill: float | None = None) -> Callable[..., Any]:
    def call(tf: Any, x: Any) -> Any:
        options = {"transforms": transforms, "output_shape": size or [5, 6], "fill_mode": mode, "interpolation": reading}
        if fill is None:
            return tf.raw_ops.ImageProjectiveTransformV2(images=x, **options)
        return tf.raw_ops.ImageProjectiveTransformV3(images=x, fill_value=fill, **options)

    return call


def value(f: Callable[..., Any]) -> Callable[..., Any]:
    """Without gradients: TensorFlow's warps back instead of taking the adjoint, or there is none."""
    return lambda tf, *xs: f(tf, *(tf.stop_gradient(x) if x.dtype.is_floating else x for x in xs))


MODES = ("REFLECT", "WRAP", "CONSTANT", "NEAREST")
Y = floats(3, 5, 6, 2, seed=9)
CASES += [
    *(
        case("ImageProjectiveTransformV3", f"{mode} {reading}", value(project(TURNS, mode, reading, fill=1.5)), Y, smooth=False)
        for mode in MODES
        for reading in ("NEAREST", "BILINEAR")
    ),
    *(
        case("ImageProjectiveTransformV2", f"{mode}, one for all", value(project(TURNS[1:2], mode, "BILINEAR", [4, 7])), Y, smooth=False)
        for mode in MODES
    ),
    *(
        case("ImageProjectiveTransformV2", f"{d}", value(project(TURNS, "CONSTANT", "NEAREST")), ints(3, 5, 6, 2, dtype=d), smooth=False)
        for d in ("uint8", "int32", "int64")
    ),
    case(
        "ImageProjectiveTransformV2",
        "float16",
        value(project(TURNS, "CONSTANT", "BILINEAR")),
        Y.astype(np.float16),
        smooth=False,
        rtol=5e-3,
    ),
    # The shares are computed in float32 whatever the image is.
    case(
        "ImageProjectiveTransformV2",
        "float64",
        value(project(TURNS, "REFLECT", "BILINEAR")),
        Y.astype(np.float64),
        smooth=False,
        rtol=2e-6,
        atol=1e-6,
    ),
    case("ImageProjectiveTransformV2", "a shift, with its gradient", project(TURNS[:1], "CONSTANT", "BILINEAR"), Y, smooth=False),
    case("ImageProjectiveTransformV3", "a shift, with its gradient", project(TURNS[:1], "CONSTANT", "NEAREST", fill=0.0), Y),
    case(
        "ImageProjectiveTransformV2",
        "nowhere",
        value(project(np.float32([[1, 0, 0, 0, 1, 0, -0.5, 0]]), "CONSTANT", "NEAREST")),
        Y,
        smooth=False,
    ),
]

PICTURE = floats(2, 4, 5, 3)
WHOLE = ints(4, 5, 3, dtype="uint8")
CASES += [
    *(
        case("Flip", f"{name}, {label}", lambda tf, x, n=name: getattr(tf.image, n)(x), x, smooth=x.dtype.kind == "f")
        for name in ("flip_left_right", "flip_up_down", "transpose")
        for label, x in (("batch", PICTURE), ("one", PICTURE[0]), ("uint8", WHOLE))
    ),
    *(case("Rot90", f"{k} times", lambda tf, x, k=k: tf.image.rot90(x, k), PICTURE) for k in range(-1, 4)),
    case("Rot90", "one image", lambda tf, x: tf.image.rot90(x), PICTURE[0]),
    case("Rot90", "a tensor of times", lambda tf, x, k: tf.image.rot90(x, k), floats(4, 4, 3), 3),
    *(case("CentralCrop", f"{f}", lambda tf, x, f=f: tf.image.central_crop(x, f), floats(2, 7, 5, 1)) for f in (0.3, 0.5, 0.99, 1.0)),
    case("CentralCrop", "one image", lambda tf, x: tf.image.central_crop(x, 0.5), floats(6, 5, 1)),
    case("CropToBoundingBox", "batch", lambda tf, x: tf.image.crop_to_bounding_box(x, 1, 2, 2, 3), PICTURE),
    case("CropToBoundingBox", "one image", lambda tf, x: tf.image.crop_to_bounding_box(x, 0, 0, 4, 1), PICTURE[0]),
    case("CropToBoundingBox", "places that are tensors", lambda tf, x, n: tf.image.crop_to_bounding_box(x, n, n, 2, n + 1), PICTURE, 1),
    case("PadToBoundingBox", "batch", lambda tf, x: tf.image.pad_to_bounding_box(x, 1, 2, 7, 8), PICTURE),
    case("PadToBoundingBox", "one image", lambda tf, x: tf.image.pad_to_bounding_box(x, 0, 0, 4, 6), WHOLE, smooth=False),
    *(
        case("ResizeWithCropOrPad", f"{size}", lambda tf, x, s=size: tf.image.resize_with_crop_or_pad(x, *s), PICTURE)
        for size in ((2, 3), (7, 8), (3, 8), (7, 2), (4, 5))
    ),
    case(
        "ResizeWithCropOrPad", "one image, version 1", lambda tf, x: tf.image.resize_image_with_crop_or_pad(x, 5, 2), PICTURE[0], face="v1"
    ),
]


def patches(size: list[int], strides: list[int], rates: list[int], padding: str) -> Callable[..., Any]:
    return lambda tf, x: tf.image.extract_patches(x, size, strides, rates, padding)


ONE = [1, 1, 1, 1]
CASES += [
    *(
        case("ExtractImagePatches", f"{size[1:3]} by {steps[1:3]} rates {rates[1:3]} {padding}", patches(size, steps, rates, padding), X)
        for size, steps, rates in (([1, 2, 3, 1], ONE, ONE), ([1, 3, 2, 1], [1, 2, 3, 1], [1, 2, 1, 1]), (ONE, ONE, ONE))
        for padding in ("SAME", "VALID")
    ),
    *(
        case("ExtractImagePatches", d, patches([1, 2, 2, 1], ONE, ONE, "SAME"), ints(1, 3, 3, 1, dtype=d), smooth=False)
        for d in ("int32", "uint8")
    ),
    case("ExtractImagePatches", "float64", patches([1, 2, 2, 1], ONE, ONE, "SAME"), floats(1, 3, 3, 1, dtype="float64")),
    case("ExtractImagePatches", "empty batch", patches([1, 2, 2, 1], ONE, ONE, "SAME"), floats(0, 3, 3, 1), smooth=False),
    case("ExtractImagePatches", "version 1", lambda tf, x: tf.extract_image_patches(x, [1, 2, 2, 1], ONE, ONE, "VALID"), X, face="v1"),
    *(
        case(
            "ExtractVolumePatches",
            f"{size[1:4]} by {steps[1:4]} {padding}",
            lambda tf, x, s=size, t=steps, p=padding: tf.extract_volume_patches(x, s, t, p),
            floats(1, 3, 4, 3, 2),
        )
        for size, steps in (([1, 1, 2, 2, 1], [1, 1, 2, 1, 1]), ([1] * 5, [1, 2, 1, 1, 1]))
        for padding in ("SAME", "VALID")
    ),
]


def dilate(strides: list[int], rates: list[int], padding: str) -> Callable[..., Any]:
    return lambda tf, x, w: tf.nn.dilation2d(x, w, strides, padding, "NHWC", rates)


CASES += [
    *(
        case(
            "Dilation2D",
            f"{steps[1:3]} rates {rates[1:3]} {padding}",
            dilate(steps, rates, padding),
            floats(1, 5, 5, 2),
            floats(2, 3, 2, seed=3),
            smooth=False,
        )
        for steps, rates in ((ONE, ONE), ([1, 2, 3, 1], [1, 2, 1, 1]))
        for padding in ("SAME", "VALID")
    ),
    case(
        "Dilation2D", "smooth", dilate(ONE, ONE, "VALID"), 3 * floats(1, 3, 4, 1, dtype="float64"), floats(2, 2, 1, seed=3, dtype="float64")
    ),
    case("Dilation2D", "ties", dilate(ONE, ONE, "SAME"), np.zeros((1, 3, 3, 1), np.float32), np.zeros((2, 2, 1), np.float32), smooth=False),
    case("Dilation2D", "uint8", dilate(ONE, ONE, "SAME"), ints(1, 3, 3, 1, dtype="uint8"), ints(2, 2, 1, dtype="uint8"), smooth=False),
    case(
        "Erosion2D",
        "float32",
        lambda tf, x, w: tf.nn.erosion2d(x, w, ONE, "SAME", "NHWC", ONE),
        floats(1, 5, 5, 2),
        floats(2, 3, 2, seed=3),
        smooth=False,
    ),
    case(
        "Dilation2D",
        "version 1",
        lambda tf, x, w: tf.nn.dilation2d(x, w, ONE, ONE, "SAME"),
        floats(1, 4, 4, 1),
        floats(2, 2, 1),
        face="v1",
        smooth=False,
    ),
    case(
        "Erosion2D",
        "version 1",
        lambda tf, x, w: tf.nn.erosion2d(x, w, ONE, ONE, "SAME"),
        floats(1, 4, 4, 1),
        floats(2, 2, 1),
        face="v1",
        smooth=False,
    ),
]

ERRORS: list[ErrorCase] = [
    error("CropAndResize: no such image", crop([2, 2], [0, 9, 0, 0]), X, BOXES),
    error("CropAndResize: fewer indices", crop([2, 2], [0, 0]), X, BOXES),
    error("CropAndResize: boxes of three", crop([2, 2], [0, 0, 0, 0]), X, BOXES[:, :3]),
    error("CropAndResize: boxes of three", crop([2, 2], [0, 0, 0, 0]), X, BOXES[:, :3], mode="graph"),
    error("CropAndResize: size of three", crop([2, 2, 2], [0, 0, 0, 0]), X, BOXES),
    error("CropAndResize: size 0", crop([0, 2], [0, 0, 0, 0]), X, BOXES),
    error("CropAndResize: rank 3", crop([2, 2], [0, 0, 0, 0]), X[0], BOXES),
    error("CropAndResize: no such method", crop([2, 2], [0, 0, 0, 0], method="cubic"), X, BOXES),
    error("ImageProjectiveTransformV2: nine numbers", project(np.zeros((1, 9), np.float32), "CONSTANT", "NEAREST"), Y),
    error("ImageProjectiveTransformV2: other batch", project(TURNS[:2], "CONSTANT", "NEAREST"), Y),
    error("ImageProjectiveTransformV2: size 0", project(TURNS[:1], "CONSTANT", "NEAREST", [0, 2]), Y),
    error("ExtractImagePatches: over channels", patches([1, 2, 2, 2], ONE, ONE, "SAME"), X),
    error("ExtractImagePatches: stride 0", patches([1, 2, 2, 1], [1, 0, 1, 1], ONE, "SAME"), X),
    error("ExtractImagePatches: three sizes", patches([1, 2, 2], ONE, ONE, "SAME"), X),
    error("ExtractImagePatches: rank 3", patches([1, 2, 2, 1], ONE, ONE, "SAME"), X[0]),
    error("ExtractImagePatches: rank 3", patches([1, 2, 2, 1], ONE, ONE, "SAME"), X[0], mode="graph"),
    error("Dilation2D: other depth", dilate(ONE, ONE, "SAME"), floats(1, 3, 3, 2), floats(2, 2, 3)),
    error("Dilation2D: other depth", dilate(ONE, ONE, "SAME"), floats(1, 3, 3, 2), floats(2, 2, 3), mode="graph"),
    error(
        "Dilation2D: channels first", lambda tf, x, w: tf.nn.dilation2d(x, w, ONE, "SAME", "NCHW", ONE), floats(1, 3, 3, 2), floats(2, 2, 2)
    ),
    error("Flip: rank 2", lambda tf, x: tf.image.flip_left_right(x), floats(3, 3)),
    error("Flip: rank 5", lambda tf, x: tf.image.flip_left_right(x), floats(1, 1, 2, 2, 2)),
    error("Flip: nothing", lambda tf, x: tf.image.flip_up_down(x), floats(0, 3, 3)),
    error("CentralCrop: nothing", lambda tf, x: tf.image.central_crop(x, 0.0), PICTURE),
    error("CentralCrop: more than all", lambda tf, x: tf.image.central_crop(x, 1.5), PICTURE),
    error("CropToBoundingBox: beyond", lambda tf, x: tf.image.crop_to_bounding_box(x, 3, 0, 2, 2), PICTURE),
    error("CropToBoundingBox: negative", lambda tf, x: tf.image.crop_to_bounding_box(x, -1, 0, 2, 2), PICTURE),
    error(
        "CropToBoundingBox: beyond, at run time", lambda tf, x, n: tf.image.crop_to_bounding_box(x, n, 0, 2, 2), PICTURE, 3, mode="graph"
    ),
    error("PadToBoundingBox: too small", lambda tf, x: tf.image.pad_to_bounding_box(x, 0, 0, 2, 2), PICTURE),
    error("ResizeWithCropOrPad: size 0", lambda tf, x: tf.image.resize_with_crop_or_pad(x, 0, 2), PICTURE),
]
