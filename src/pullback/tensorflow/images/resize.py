"""Resizing images: the operations behind `tf.image.resize`, and their adjoints as operations of their own.

A result is float32 whatever the image's dtype, except of the nearest pixel.  `ResizeAreaGrad` is ours: TensorFlow has no gradient for
areas, though they are as linear as the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import FLOATING, bfloat16, float16, float32, float64, int8, int16, int32, int64, uint8, uint16
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import Dims, Tensor, TensorType
from ...ops.array.basic import shape_of, zeros_of
from ...ops.array.type_rules import Array, invalid_argument, made_sizes
from ...ops.batching import fold_rows
from ...ops.primitives.cast import cast
from . import resize_lowering, taps as taps
from .taps import Taps, resample_images

PIXELS = frozenset({int8, uint8, int16, uint16, int32, int64, float16, bfloat16, float32, float64})
_IMAGES = {"T": PIXELS}


def check_images(dims: Dims, what: str = "input") -> None:
    """Refuse what is no batch of images."""
    if dims is not None and len(dims) != 4:
        raise ShapeError(f"Shape must be rank 4 but is rank {len(dims)}", f"{what} must be 4-dimensional{show(dims)}")


def resized_dims(images: Dims, size: Tensor) -> Dims:
    """The dims of a batch of images resized to `size`, a vector of two."""
    check_images(images)
    if size.dims is not None and len(size.dims) != 1:
        raise ShapeError(f"Shape must be rank 1 but is rank {len(size.dims)}", f"size must be 1-dimensional{show(size.dims)}")
    if size.dims is not None and size.dims[0] not in (2, None):
        raise ShapeError(f"Dimension must be 2 but is {size.dims[0]}", f"size must have two elements{show(size.dims)}")
    batch, depth = (images[0], images[3]) if images is not None else (None, None)
    height, width = made_sizes(size, 2)
    return (batch, height, width, depth)


def check_sizes(images: Array, size: Array, align_corners: bool = False, half_pixel_centers: bool = False) -> tuple[int, int]:
    """For kernels: height and width of the result."""
    check_images(images.shape)
    if size.shape != (2,):
        raise invalid_argument(f"size must have two elements{show(size.shape)}")
    if align_corners and half_pixel_centers:
        raise invalid_argument("If half_pixel_centers is True, align_corners must be False.")
    height, width = int(size[0]), int(size[1])
    if height <= 0 or width <= 0:
        raise invalid_argument(f"output dimensions must be positive, not {height} x {width}")
    if images.shape[1] <= 0 or images.shape[2] <= 0:
        raise invalid_argument(f"input image must be of non-zero size: {show(images.shape)}")
    return height, width


def check_grad(grads: Array, shape: tuple[int, ...], align_corners: bool = False, half_pixel_centers: bool = False) -> None:
    """For kernels of adjoints: refuse a gradient that is of no resized image."""
    check_images(grads.shape, "input_grad")
    check_images(shape, "original_image")
    if align_corners and half_pixel_centers:
        raise invalid_argument("If half_pixel_centers is True, align_corners must be False.")
    if grads.shape[0] != shape[0] or grads.shape[3] != shape[3]:
        raise invalid_argument(f"gradients and original image must have the same batch and depth: {show(grads.shape)} vs. {show(shape)}")
    if 0 in (*grads.shape[1:3], *shape[1:3]):
        raise invalid_argument(f"gradients and original image must be of non-zero size: {show(grads.shape)} vs. {show(shape)}")


def _sizes(images_type: Any) -> Any:
    return shape_of(images_type)[1:3]


def _resized_type(images: Any, size: Any, *, align_corners: bool = False, half_pixel_centers: bool = False) -> TensorType:
    return TensorType(resized_dims(images.dims, size), float32)


def _grad_type(grads: Any, original_image: Any, *, align_corners: bool = False, half_pixel_centers: bool = False) -> TensorType:
    return TensorType(original_image.dims, original_image.dtype)


def _interpolation(name: str, table: Any, grad_dtypes: Any) -> tuple[Op, Op]:
    """A way of resizing with taps `table(size, out, align_corners, half_pixel_centers)`, and its adjoint."""

    def make_tables(shape: tuple[int, ...], height: int, width: int, align_corners: bool, half_pixel_centers: bool) -> tuple[Taps, Taps]:
        options = align_corners, half_pixel_centers
        return table(shape[1], height, *options), table(shape[2], width, *options)

    def kernel(images: Array, size: Array, *, align_corners: bool = False, half_pixel_centers: bool = False) -> Array:
        height, width = check_sizes(images, size, align_corners, half_pixel_centers)
        return resample_images(
            images.astype(np.float32, copy=False), *make_tables(images.shape, height, width, align_corners, half_pixel_centers)
        )

    def grad_kernel(grads: Array, original_image: Array, *, align_corners: bool = False, half_pixel_centers: bool = False) -> Array:
        shape = original_image.shape
        check_grad(grads, shape, align_corners, half_pixel_centers)
        rows, columns = make_tables(shape, grads.shape[1], grads.shape[2], align_corners, half_pixel_centers)
        return resample_images(grads, rows.turned, columns.turned).astype(original_image.dtype, copy=False)

    forward: Op = define(
        name,
        "images size:int32",
        _resized_type,
        kernel,
        {"images": lambda g, images_type, attrs: back(g, zeros_of(images_type), **attrs)},
        dtypes=_IMAGES,
        batch=fold_rows("images"),
        lower=resize_lowering.resize(table),
    )
    back: Op = define(
        f"{name}Grad",
        "grads:float32 original_image",
        _grad_type,
        grad_kernel,
        {"grads": lambda g, grads_type, attrs: forward(g, _sizes(grads_type), **attrs)},
        dtypes={"T": grad_dtypes},
        batch=fold_rows("grads", "original_image"),
    )
    return forward, back


RESIZE_BILINEAR, RESIZE_BILINEAR_GRAD = _interpolation("ResizeBilinear", taps.bilinear, FLOATING)
RESIZE_BICUBIC, RESIZE_BICUBIC_GRAD = _interpolation("ResizeBicubic", taps.bicubic, FLOATING)


def _nearest_type(images: Any, size: Any, *, align_corners: bool = False, half_pixel_centers: bool = False) -> TensorType:
    return TensorType(resized_dims(images.dims, size), images.dtype)


def _resize_nearest(images: Array, size: Array, *, align_corners: bool = False, half_pixel_centers: bool = False) -> Array:
    height, width = check_sizes(images, size, align_corners, half_pixel_centers)
    rows = taps.nearest(images.shape[1], height, align_corners, half_pixel_centers).at[:, 0]
    columns = taps.nearest(images.shape[2], width, align_corners, half_pixel_centers).at[:, 0]
    if height <= images.shape[1]:
        return images.take(rows, axis=1).take(columns, axis=2)
    return images.take(columns, axis=2).take(rows, axis=1)


def _nearest_grad(grads: Array, size: Array, *, align_corners: bool = False, half_pixel_centers: bool = False) -> Array:
    check_images(grads.shape, "input")
    height, width = check_sizes(grads, size, align_corners, half_pixel_centers)
    rows = taps.nearest(height, grads.shape[1], align_corners, half_pixel_centers)
    columns = taps.nearest(width, grads.shape[2], align_corners, half_pixel_centers)
    return resample_images(grads, rows.turned, columns.turned)


RESIZE_NEAREST: Op = define(
    "ResizeNearestNeighbor",
    "images size:int32",
    _nearest_type,
    _resize_nearest,
    {"images": lambda g, images_type, attrs: RESIZE_NEAREST_GRAD(g, _sizes(images_type), **attrs)},
    dtypes=_IMAGES,
    batch=fold_rows("images"),
)
RESIZE_NEAREST_GRAD: Op = define(
    "ResizeNearestNeighborGrad",
    "grads size:int32",
    lambda grads, size, *, align_corners=False, half_pixel_centers=False: TensorType(resized_dims(grads.dims, size), grads.dtype),
    _nearest_grad,
    {"grads": lambda g, grads_type, attrs: RESIZE_NEAREST(g, _sizes(grads_type), **attrs)},
    dtypes={"T": FLOATING | {uint8, int8, int32}},
    batch=fold_rows("grads"),
)


def _area(images: Array, size: Array, *, align_corners: bool = False) -> Array:
    height, width = check_sizes(images, size, align_corners)
    rows, columns = taps.area(images.shape[1], height, align_corners), taps.area(images.shape[2], width, align_corners)
    return resample_images(images.astype(np.float32, copy=False), rows, columns)


def _area_grad(grads: Array, original_image: Array, *, align_corners: bool = False) -> Array:
    shape = original_image.shape
    check_grad(grads, shape)
    rows, columns = taps.area(shape[1], grads.shape[1], align_corners), taps.area(shape[2], grads.shape[2], align_corners)
    return resample_images(grads, rows.turned, columns.turned).astype(original_image.dtype, copy=False)


RESIZE_AREA: Op = define(
    "ResizeArea",
    "images size:int32",
    lambda images, size, *, align_corners=False: TensorType(resized_dims(images.dims, size), float32),
    _area,
    {"images": lambda g, images_type, align_corners: RESIZE_AREA_GRAD(g, zeros_of(images_type), align_corners=align_corners)},
    dtypes=_IMAGES,
    batch=fold_rows("images"),
)
RESIZE_AREA_GRAD: Op = define(
    "ResizeAreaGrad",
    "grads:float32 original_image",
    lambda grads, original_image, *, align_corners=False: TensorType(original_image.dims, original_image.dtype),
    _area_grad,
    {"grads": lambda g, grads_type, align_corners: RESIZE_AREA(g, _sizes(grads_type), align_corners=align_corners)},
    dtypes={"T": FLOATING},
    batch=fold_rows("grads", "original_image"),
)


def _pair(value: Array, name: str) -> tuple[float, float]:
    if value.shape != (2,):
        raise invalid_argument(f"{name} must have two elements{show(value.shape)}")
    return float(value[0]), float(value[1])


def _scaled_taps(shape: Any, out: Any, scale: Array, translation: Array, kernel_type: str, antialias: bool) -> tuple[Taps, Taps]:
    if kernel_type not in taps.KERNELS:
        raise invalid_argument(f"Unrecognized kernel type: {kernel_type}; there are {', '.join(taps.KERNELS)}")
    factors, shifts = _pair(scale, "scale"), _pair(translation, "translation")
    if not all(f > 0 for f in factors):
        raise invalid_argument(f"scale must be greater than zero, not {list(factors)}")
    rows, columns = (
        taps.scaled_taps(n, m, s, t, kernel_type, antialias) for n, m, s, t in zip(shape[1:3], out, factors, shifts, strict=True)
    )
    return rows, columns


def _resample_scaled(images: Array, size: Array, scale: Array, translation: Array, *, kernel_type: str, antialias: bool) -> Array:
    out = check_sizes(images, size)
    return resample_images(
        images.astype(np.float32, copy=False), *_scaled_taps(images.shape, out, scale, translation, kernel_type, antialias)
    )


def _scaled_grad(grads: Array, original_image: Array, scale: Array, translation: Array, *, kernel_type: str, antialias: bool) -> Array:
    shape = original_image.shape
    check_grad(grads, shape)
    rows, columns = _scaled_taps(shape, grads.shape[1:3], scale, translation, kernel_type, antialias)
    return resample_images(grads, rows.turned, columns.turned)


def _scaled_type(
    images: Any, size: Any, scale: Any, translation: Any, *, kernel_type: str = "lanczos3", antialias: bool = True
) -> TensorType:
    return TensorType(resized_dims(images.dims, size), float32)


def _scaled_grad_type(
    grads: Any, original_image: Any, scale: Any, translation: Any, *, kernel_type: str = "lanczos3", antialias: bool = True
) -> TensorType:
    return TensorType(original_image.dims, original_image.dtype)


def _adjoint(g: Any, images_type: Any, scale: Any, translation: Any, kernel_type: str, antialias: bool) -> Any:
    like = cast(zeros_of(images_type), float32)
    found = SCALE_AND_TRANSLATE_GRAD(g, like, scale, translation, kernel_type=kernel_type, antialias=antialias)
    return cast(found, images_type.dtype)


SCALE_AND_TRANSLATE: Op = define(
    "ScaleAndTranslate",
    "images size:int32 scale:float32 translation:float32",
    _scaled_type,
    _resample_scaled,
    {"images": _adjoint},
    dtypes=_IMAGES,
    batch=fold_rows("images"),
)
SCALE_AND_TRANSLATE_GRAD: Op = define(
    "ScaleAndTranslateGrad",
    "grads original_image scale:float32 translation:float32",
    _scaled_grad_type,
    _scaled_grad,
    {"grads": lambda g, grads_type, scale, translation, attrs: SCALE_AND_TRANSLATE(g, _sizes(grads_type), scale, translation, **attrs)},
    dtypes={float32},
    batch=fold_rows("grads", "original_image"),
)
