"""Colours and brightness: images of other dtypes, contrasts, hues and colour spaces."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import as_dtype, float16, float32, int32
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import convert_to_tensor, tensor_with
from ...ir.attributes import refused_value
from ...ir.composite import works_on_items
from ...ir.context import executing_eagerly, scope
from ...ir.tensor import DTypeLike, NumberLike, Tensor
from ...ops.array.basic import identity, shape_of
from ...ops.array.create import ones
from ...ops.array.join import concat
from ...ops.array.shape import ensure_shape, rank
from ...ops.array.tile import tile
from ...ops.effects.asserts import wait_for
from ...ops.linalg.products import matmul
from ...ops.math.arithmetic import add, maximum, multiply
from ...ops.math.division import divide, floordiv
from ...ops.math.functions import rsqrt
from ...ops.math.saturate import saturate_cast
from ...ops.primitives.cast import cast
from ...ops.reduce.composed import reduce_std
from ...ops.reduce.reductions import reduce_mean, reduce_prod
from .checks import require, set_sizes, static_value, to_image
from .colour import ADJUST_CONTRAST, ADJUST_HUE, ADJUST_SATURATION


@export("image.convert_image_dtype")
@works_on_items
def convert_image_dtype(image: NumberLike, dtype: DTypeLike, saturate: bool = False, name: str | None = None) -> Tensor:
    """An image in another dtype, its values scaled so that floats run from 0 to 1 and integers from 0 to their maximum.

    image: floating or integer.  dtype: floating or integer.  saturate: values that do not fit become the nearest that does.  Raises
    AttributeError for other dtypes.

    >>> tf.image.convert_image_dtype(tf.constant([0, 51, 255], tf.uint8), tf.float32).numpy().round(3).tolist()
    [0.0, 0.20000000298023224, 1.0]
    """
    image = convert_to_tensor(image, name="image")
    dtype, own = as_dtype(dtype), image.dtype
    for kind, what in ((dtype, "dtype"), (own, "image dtype")):
        if not kind.is_floating and not kind.is_integer:
            raise AttributeError(f"{what} must be either floating point or integer")
    if dtype is own:
        return identity(image, name=name)
    with scope(name, "convert_image") as full:
        if own.is_integer and dtype.is_integer:
            return _convert_integers(image, dtype, saturate, full)
        if own.is_floating and dtype.is_floating:
            return cast(image, dtype, name=full)
        if own.is_integer:
            return multiply(cast(image, dtype), 1.0 / own.max, name=full)
        scaled = multiply(image, float(dtype.max) + 0.5)
        return saturate_cast(scaled, dtype, name=full) if saturate else cast(scaled, dtype, name=full)


def _convert_integers(image: Any, dtype: Any, saturate: bool, name: str) -> Any:
    most, room = int(image.dtype.max), int(dtype.max)
    to = saturate_cast if saturate else cast
    if most > room:
        return to(floordiv(image, (most + 1) // (room + 1)), dtype, name=name)
    return multiply(to(image, dtype), (room + 1) // (most + 1), name=name)


def _as_float(image: Any, name: str) -> tuple[Any, Any]:
    """The image as floats that the adjustments take, and the dtype it had."""
    image = convert_to_tensor(image, name=name)
    return (image if image.dtype in (float16, float32) else convert_image_dtype(image, float32)), image.dtype


@export("image.adjust_brightness")
@works_on_items
def adjust_brightness(image: NumberLike, delta: NumberLike) -> Tensor:
    """An image with delta added to all its values, computed as floats from 0 to 1.

    image: floating or integer.  delta: a scalar, usually in (-1, 1).  Integers saturate.

    >>> tf.image.adjust_brightness([[[0.25, 0.5]]], 0.5).numpy().tolist()
    [[[0.75, 1.0]]]
    """
    with scope(None, "adjust_brightness") as full:
        values, dtype = _as_float(image, "image")
        return convert_image_dtype(add(values, cast(delta, values.dtype), name=full), dtype, saturate=True)


@export("image.adjust_contrast")
def adjust_contrast(images: NumberLike, contrast_factor: NumberLike) -> Tensor:
    """Images whose values are contrast_factor times as far from their mean, channel by channel.

    images: [..., height, width, channels].  contrast_factor: a float32 scalar.  Integers are computed as floats from 0 to 1 and saturate.
    Differentiable, which TensorFlow's is not.  Raises InvalidArgumentError for fewer than three dimensions.

    >>> tf.image.adjust_contrast([[[1.0], [3.0]]], 2.0).numpy().ravel().tolist()
    [0.0, 4.0]
    """
    with scope(None, "adjust_contrast") as full:
        values, dtype = _as_float(images, "images")
        return convert_image_dtype(ADJUST_CONTRAST(values, contrast_factor, name=full or None), dtype, saturate=True)


@export("image.adjust_gamma")
@works_on_items
def adjust_gamma(image: NumberLike, gamma: NumberLike = 1, gain: Any = 1) -> Tensor:
    """gain * image ** gamma, computed as floats from 0 to 1 (Poynton, "Digital Video and HDTV", 2003).

    image: floating or integer.  gamma: not negative.  Integers saturate.  Raises ValueError for a negative gamma, InvalidArgumentError
    when that shows only at run time.

    >>> tf.image.adjust_gamma([[[0.25]]], 0.5).numpy().ravel().tolist()
    [0.5]
    """
    with scope(None, "adjust_gamma"):
        values, dtype = _as_float(image, "image")
        checks = require(static_value(gamma) >= 0, "Gamma should be a non-negative real number.")
        gamma = wait_for(checks, gamma) if checks else gamma
        return convert_image_dtype(gain * values**gamma, dtype, saturate=True)


@export("image.adjust_hue")
def adjust_hue(image: NumberLike, delta: NumberLike, name: str | None = None) -> Tensor:
    """Colours with their hues turned by delta, 1 being the whole circle.

    image: [..., 3].  delta: a float32 scalar in [-1, 1].  Differentiable, which TensorFlow's is not.  Raises ValueError (eagerly) for
    another delta, InvalidArgumentError for other shapes.

    >>> tf.image.adjust_hue([[[1.0, 0.0, 0.0]]], 1 / 3).numpy().round(2).tolist()
    [[[0.0, 1.0, 0.0]]]
    """
    with scope(name, "adjust_hue"):
        if executing_eagerly() and not -1 <= float(static_value(delta)) <= 1:
            raise ValueError("delta must be in the interval [-1, 1]")
        values, dtype = _as_float(image, "image")
        return convert_image_dtype(ADJUST_HUE(values, delta), dtype)


@export("image.adjust_saturation")
def adjust_saturation(image: NumberLike, saturation_factor: NumberLike, name: str | None = None) -> Tensor:
    """Colours with their saturations multiplied, and held to [0, 1].

    image: [..., 3].  saturation_factor: a float32 scalar.  Differentiable, which TensorFlow's is not.  Raises InvalidArgumentError for
    other shapes.

    >>> tf.image.adjust_saturation([[[1.0, 0.5, 0.5]]], 2.0).numpy().tolist()
    [[[1.0, 0.0, 0.0]]]
    """
    with scope(name, "adjust_saturation"):
        values, dtype = _as_float(image, "image")
        return convert_image_dtype(ADJUST_SATURATION(values, saturation_factor), dtype)


@export("image.per_image_standardization")
def per_image_standardization(image: NumberLike) -> Tensor:
    """Images with mean 0 and variance 1 each; one of a single value becomes 0.

    image: [..., height, width, channels].  Returns float32: (x - mean) / max(stddev, 1 / sqrt(number of values)).  Raises ValueError for
    fewer dimensions.

    >>> tf.image.per_image_standardization([[[1.0], [3.0]]]).numpy().ravel().tolist()
    [-1.0, 1.0]
    """
    with scope(None, "per_image_standardization") as full:
        image = cast(to_image(image), float32)
        count = cast(reduce_prod(convert_to_tensor(shape_of(image))[-3:]), float32)
        mean = reduce_mean(image, [-1, -2, -3], keepdims=True)
        spread = maximum(reduce_std(image, [-1, -2, -3], keepdims=True), rsqrt(count))
        return divide(image - mean, spread, name=full)


# ---- colour spaces


@export("image.rgb_to_grayscale")
def rgb_to_grayscale(images: NumberLike, name: str | None = None) -> Tensor:
    """The brightness of colours: 0.2989 red + 0.587 green + 0.114 blue.

    images: [..., 3].  Returns [..., 1].  Integers are computed as floats from 0 to 1.  Raises InvalidArgumentError (in graphs ValueError)
    where the last axis is not 3.

    >>> tf.image.rgb_to_grayscale([[[1.0, 0.0, 0.0]]]).numpy().round(4).tolist()
    [[[0.2989000082015991]]]
    """
    with scope(name, "rgb_to_grayscale") as full:
        images = convert_to_tensor(images, name="images")
        values = convert_image_dtype(images, float32)
        _require_channels(images, 3)
        return convert_image_dtype(_mix_channels(values, [[0.2989], [0.587], [0.114]]), images.dtype, name=full)


def _require_channels(images: Any, count: int) -> None:
    if images.dims is not None and (not images.dims or images.dims[-1] not in (count, None)):
        raise refused_value(f"images must have {count} channels in their last dimension, not shape {show(images.dims)}")


@export("image.grayscale_to_rgb")
def grayscale_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Grey images as colours: the one channel three times.

    images: [..., 1].  Returns [..., 3].  Raises ValueError where the last axis is not 1.

    >>> tf.image.grayscale_to_rgb([[[0.5]]]).numpy().tolist()
    [[[0.5, 0.5, 0.5]]]
    """
    with scope(name, "grayscale_to_rgb"):
        images = tensor_with(images, "get_shape", "images")
        if images.dims is None:
            return tile(images, concat([ones([rank(images) - 1], int32), [3]], 0))
        if len(images.dims) < 2:
            raise ValueError(f"A grayscale image (shape {show(images.dims)}) must be at least two-dimensional.")
        if images.dims[-1] not in (1, None):
            raise ValueError("Last dimension of a grayscale image should be size 1.")
        if images.dims[-1] is None:
            images = ensure_shape(images, [*images.dims[:-1], 1])
        return set_sizes(tile(images, np.array([1] * (len(images.dims) - 1) + [3], np.int32)), *images.dims[:-1], 3)


# Rows of red, green and blue (or of the other space): coefficients of the ITU-R BT.601 and the FCC NTSC standards, as TensorFlow has them.
_TO_YIQ = [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]]
_FROM_YIQ = [[1, 1, 1], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]]
_TO_YUV = [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]]
_FROM_YUV = [[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]]


def _mix_channels(images: Any, rows: Any) -> Tensor:
    images = convert_to_tensor(images, name="images")
    if images.dims == () and images.dtype.is_floating:
        raise IndexError("list index out of range: a scalar has no channels")
    matrix = convert_to_tensor(rows, dtype=images.dtype, name="kernel")
    if images.dims is not None and len(images.dims) == 1:
        return matmul(images[None], matrix)[0]
    return matmul(images, matrix)


@export("image.rgb_to_yiq")
def rgb_to_yiq(images: NumberLike) -> Tensor:
    """Luma and the two chromas of the American television standard.

    images: [..., 3], floating, red, green and blue.  Raises InvalidArgumentError where the last axis is not 3.

    >>> tf.image.rgb_to_yiq([[1.0, 1.0, 1.0]]).numpy().round(3).tolist()[0][0]
    1.0
    """
    return _mix_channels(images, _TO_YIQ)


@export("image.yiq_to_rgb")
def yiq_to_rgb(images: NumberLike) -> Tensor:
    """What `rgb_to_yiq` undoes.

    images: [..., 3], floating.  Raises InvalidArgumentError where the last axis is not 3.

    >>> tf.image.yiq_to_rgb([[0.5, 0.0, 0.0]]).numpy().tolist()
    [[0.5, 0.5, 0.5]]
    """
    return _mix_channels(images, _FROM_YIQ)


@export("image.rgb_to_yuv")
def rgb_to_yuv(images: NumberLike) -> Tensor:
    """Luma and the two chromas of the European television standard.

    images: [..., 3], floating, red, green and blue.  Raises InvalidArgumentError where the last axis is not 3.

    >>> tf.image.rgb_to_yuv([[1.0, 1.0, 1.0]]).numpy().round(3).tolist()[0][0]
    1.0
    """
    return _mix_channels(images, _TO_YUV)


@export("image.yuv_to_rgb")
def yuv_to_rgb(images: NumberLike) -> Tensor:
    """What `rgb_to_yuv` undoes.

    images: [..., 3], floating.  Raises InvalidArgumentError where the last axis is not 3.

    >>> tf.image.yuv_to_rgb([[0.5, 0.0, 0.0]]).numpy().tolist()
    [[0.5, 0.5, 0.5]]
    """
    return _mix_channels(images, _FROM_YUV)
