"""Cases: images of another size, by every method, and the adjoints as operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

X = floats(2, 5, 4, 3)
SIZES = ([3, 7], [9, 4], [1, 1])
METHODS = ("bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic")


def by(method: str, size: list[int], **options: Any) -> Callable[..., Any]:
    """`tf.image.resize`; TensorFlow has no gradient for areas."""
    if method == "area":
        return lambda tf, x: tf.image.resize(tf.stop_gradient(x), size, method, **options)
    return lambda tf, x: tf.image.resize(x, size, method, **options)


def raw(op: str, size: list[int], **options: Any) -> Callable[..., Any]:
    return lambda tf, x: getattr(tf.raw_ops, op)(images=x, size=size, **options)


CASES: list[Case] = [
    *(case("Resize", f"{m} to {s}", by(m, s), X, smooth=m != "area") for m in METHODS for s in SIZES),
    *(case("Resize", f"{m}, antialias", by(m, [3, 2], antialias=True), X) for m in METHODS if m not in ("nearest", "area")),
    *(case("Resize", f"{m}, one image", by(m, [7, 6]), X[0], smooth=m != "area") for m in METHODS[:4]),
    case("Resize", "in proportion", by("bilinear", [7, 6], preserve_aspect_ratio=True), X),
    case("Resize", "the same size", by("bicubic", [5, 4]), X),
    case("Resize", "one pixel", by("bicubic", [2, 3]), floats(1, 1, 1, 2)),
    case("Resize", "empty batch", by("bilinear", [2, 3]), floats(0, 4, 4, 1), smooth=False),
    case(
        "Resize",
        "infinity beside numbers",
        by("nearest", [4, 4]),
        np.array([np.inf, 1, np.nan, 2], np.float32).reshape(1, 2, 2, 1),
        smooth=False,
    ),
]
for dtype in ("float64", "float16", "bfloat16"):
    rtol = {"bfloat16": 4e-2, "float16": 5e-3, "float64": 2e-6}[dtype]  # of the eight bits, of halves, and of shares in single precision
    CASES += [
        case("Resize", f"{m}, {dtype}", by(m, [3, 6]), floats(1, 4, 4, 1, dtype=dtype), smooth=dtype == "float64", rtol=rtol)
        for m in ("bilinear", "nearest")
    ]
CASES += [
    case("Resize", f"{m}, {d}", by(m, [3, 6]), ints(1, 4, 4, 1, dtype=d), smooth=False) for m in METHODS[:5] for d in ("uint8", "int32")
]
CASES += [
    case(
        op,
        f"{size}, {'corners' if corners else 'half pixels' if half_pixels else 'points'}",
        raw(op, list(size), align_corners=corners, half_pixel_centers=half_pixels),
        X,
    )
    for op in ("ResizeBilinear", "ResizeBicubic", "ResizeNearestNeighbor")
    for size in ((3, 7), (10, 4), (1, 1))
    for corners, half_pixels in ((False, False), (True, False), (False, True))
]
CASES += [
    *(
        case(
            "ResizeArea",
            f"{size}, corners {corners}",
            lambda tf, x, s=size, c=corners: raw("ResizeArea", s, align_corners=c)(tf, tf.stop_gradient(x)),
            X,
            smooth=False,
        )
        for size in SIZES
        for corners in (False, True)
    ),
    *(
        case(
            "ScaleAndTranslate",
            f"{kernel}, antialias {antialias}",
            lambda tf, x, k=kernel, a=antialias: tf.raw_ops.ScaleAndTranslate(
                images=x, size=[4, 3], scale=[0.6, 0.8], translation=[0.7, -0.4], kernel_type=k, antialias=a
            ),
            X,
        )
        for kernel in ("lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic")
        for antialias in (True, False)
    ),
    case("Resize", "version 1, by number", lambda tf, x: tf.image.resize(x, [3, 6], tf.image.ResizeMethod.BICUBIC), X, face="v1"),
    case("Resize", "version 1, corners", lambda tf, x: tf.image.resize_images(x, [3, 6], align_corners=True), X, face="v1"),
    case("Resize", "version 1, same size", lambda tf, x: tf.image.resize_images(x, [5, 4]), X, face="v1"),
    case("Resize", "version 1, bicubic", lambda tf, x: tf.image.resize_bicubic(x, [3, 6], half_pixel_centers=True), X, face="v1"),
    case("Resize", "version 1, bilinear", lambda tf, x: tf.image.resize_bilinear(x, [3, 6], align_corners=True), X, face="v1"),
    case("Resize", "version 1, nearest", lambda tf, x: tf.image.resize_nearest_neighbor(x, [3, 6]), X, face="v1"),
    case("Resize", "version 1, area", lambda tf, x: tf.image.resize_area(tf.stop_gradient(x), [3, 6]), X, face="v1", smooth=False),
    case("Resize", "with pad", lambda tf, x: tf.image.resize_with_pad(x, 7, 7), X),
    case("Resize", "with pad, wide", lambda tf, x: tf.image.resize_with_pad(x, 3, 9, method="nearest"), X[0]),
    case("Resize", "version 1, with pad", lambda tf, x: tf.image.resize_image_with_pad(x, 7, 7), X, face="v1"),
    case(
        "ResizeBilinearGrad",
        "values",
        lambda tf, g, x: tf.stop_gradient(tf.raw_ops.ResizeBilinearGrad(grads=g, original_image=x)),
        floats(1, 7, 3, 2),
        floats(1, 4, 5, 2),
        smooth=False,
    ),
    case(
        "ResizeBicubicGrad",
        "values",
        lambda tf, g, x: tf.stop_gradient(tf.raw_ops.ResizeBicubicGrad(grads=g, original_image=x)),
        floats(1, 7, 3, 2),
        floats(1, 4, 5, 2),
        smooth=False,
    ),
    case(
        "ResizeNearestNeighborGrad",
        "values",
        lambda tf, g: tf.stop_gradient(tf.raw_ops.ResizeNearestNeighborGrad(grads=g, size=[4, 5])),
        floats(1, 7, 3, 2),
        smooth=False,
    ),
    case(
        "ResizeNearestNeighborGrad",
        "int32",
        lambda tf, g: tf.raw_ops.ResizeNearestNeighborGrad(grads=g, size=[4, 5]),
        ints(1, 7, 3, 2),
        smooth=False,
    ),
    case(
        "ScaleAndTranslateGrad",
        "values",
        lambda tf, g, x: tf.stop_gradient(
            tf.raw_ops.ScaleAndTranslateGrad(grads=g, original_image=x, scale=[1.5, 0.5], translation=[0.0, 0.3], kernel_type="triangle")
        ),
        floats(1, 7, 3, 2),
        floats(1, 4, 5, 2),
        smooth=False,
    ),
]

ERRORS: list[ErrorCase] = [
    error("ResizeBilinear: size 0", raw("ResizeBilinear", [0, 3]), X),
    error("ResizeBilinear: size of three", raw("ResizeBilinear", [1, 2, 3]), X),
    error("ResizeBilinear: size of three", raw("ResizeBilinear", [1, 2, 3]), X, mode="graph"),
    error("ResizeBilinear: rank 3", raw("ResizeBilinear", [2, 3]), X[0]),
    error("ResizeBilinear: rank 3", raw("ResizeBilinear", [2, 3]), X[0], mode="graph"),
    error("ResizeBilinear: empty image", raw("ResizeBilinear", [2, 3]), floats(1, 0, 4, 1)),
    error("ResizeBicubic: corners and half pixels", raw("ResizeBicubic", [2, 3], align_corners=True, half_pixel_centers=True), X),
    error("ResizeArea: size negative", raw("ResizeArea", [-1, 3]), X),
    error("ResizeNearestNeighbor: complex", raw("ResizeNearestNeighbor", [2, 3]), floats(1, 2, 2, 1, dtype="complex64")),
    error("Resize: unknown method", lambda tf, x: tf.image.resize(x, [2, 3], "cubist"), X),
    error("Resize: rank 2", lambda tf, x: tf.image.resize(x, [2, 3]), floats(3, 4)),
    error("Resize: size of one", lambda tf, x: tf.image.resize(x, [2]), X),
    error(
        "ScaleAndTranslate: no such kernel",
        lambda tf, x: tf.raw_ops.ScaleAndTranslate(images=x, size=[2, 2], scale=[1.0, 1.0], translation=[0.0, 0.0], kernel_type="round"),
        X,
    ),
    error("Resize: with pad to nothing", lambda tf, x: tf.image.resize_with_pad(x, 0, 3), X),
]
