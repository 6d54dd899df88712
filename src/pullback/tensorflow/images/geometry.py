"""Images turned, mirrored, cropped and padded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.dtypes import float64, int32
from ...base.export import export
from ...control.cond import switch_case
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import IntLike, Tensor, TensorLike
from ...ops.array.join import stack
from ...ops.array.order import reverse
from ...ops.array.pad import pad
from ...ops.array.slice import slice as _slice
from ...ops.array.transpose import transpose as _transpose
from ...ops.effects.asserts import wait_for
from ...ops.math.division import floormod
from ...ops.primitives.cast import cast
from .checks import (
    as_batch,
    by_rank,
    choose_larger,
    choose_smaller,
    require,
    require_whole,
    set_sizes,
    sizes,
    static_value,
    three_or_four,
    to_image,
    undo_batch,
)


@export("image.flip_left_right")
def flip_left_right(image: TensorLike) -> Tensor:
    """An image, or a batch of them, mirrored left to right.

    image: [height, width, channels] or [batch, height, width, channels].  Raises ValueError for another rank.

    >>> tf.image.flip_left_right([[[1], [2], [3]]]).numpy().ravel().tolist()
    [3, 2, 1]
    """
    with scope(None, "flip_left_right"):
        return reverse(three_or_four(image), [-2])


@export("image.flip_up_down")
def flip_up_down(image: TensorLike) -> Tensor:
    """An image, or a batch of them, turned upside down.

    image: [height, width, channels] or [batch, height, width, channels].  Raises ValueError for another rank.

    >>> tf.image.flip_up_down([[[1]], [[2]], [[3]]]).numpy().ravel().tolist()
    [3, 2, 1]
    """
    with scope(None, "flip_up_down"):
        return reverse(three_or_four(image), [-3])


@export("image.transpose", v1="image.transpose_image")
def transpose(image: TensorLike, name: str | None = None) -> Tensor:
    """An image, or a batch of them, with height and width exchanged.

    image: [height, width, channels] or [batch, height, width, channels].  Raises ValueError for another or an unknown rank.

    >>> tf.image.transpose([[[1], [2], [3]]]).shape
    TensorShape([3, 1, 1])
    """
    with scope(name, "transpose"):
        image = three_or_four(image)
        return _exchange_sides(image)


def _exchange_sides(image: Any) -> Any:
    return by_rank(image, lambda: _transpose(image, [1, 0, 2]), lambda: _transpose(image, [0, 2, 1, 3]))


@export("image.rot90")
def rot90(image: TensorLike, k: TensorLike = 1, name: str | None = None) -> Tensor:
    """An image, or a batch of them, turned k times by a quarter, counter-clockwise.

    image: [height, width, channels] or [batch, height, width, channels].  k: an integer or an int32 scalar.  Raises ValueError for
    another rank.

    >>> tf.image.rot90([[[1], [2]], [[3], [4]]]).numpy()[:, :, 0].tolist()
    [[2, 4], [1, 3]]
    """
    with scope(name, "rot90"):
        image = three_or_four(image)
        turns: list[Callable[[], Any]] = [
            lambda: image,
            lambda: _exchange_sides(reverse(image, [-2])),
            lambda: reverse(image, [-3, -2]),
            lambda: reverse(_exchange_sides(image), [-2]),
        ]
        k = convert_to_tensor(k, int32, name="k")
        if k.dims is not None and k.dims != ():
            raise ValueError(f"k must be a scalar, not of shape {list(k.dims)}")
        known = static_value(k)
        return turns[known % 4]() if isinstance(known, int) else switch_case(floormod(k, 4), turns)


@export("image.central_crop")
def central_crop(image: Any, central_fraction: Any) -> Tensor:
    """The middle of an image, or of a batch of them.

    image: [height, width, channels] or [batch, height, width, channels].  central_fraction: what is left of each side, in (0, 1].  Raises
    ValueError for another rank or fraction.

    >>> tf.image.central_crop(tf.reshape(tf.range(16), [4, 4, 1]), 0.5).numpy().ravel().tolist()
    [5, 6, 9, 10]
    """
    with scope(None, "central_crop"):
        image = convert_to_tensor(image, name="image")
        fraction = static_value(central_fraction)
        checks = require((fraction > 0.0) & (fraction <= 1.0), "central_fraction must be within (0, 1]")
        if isinstance(fraction, (int, float)) and fraction == 1.0:
            return image
        image = wait_for(checks, to_image(image))
        rank = None if image.dims is None else len(image.dims)
        if rank not in (3, 4):
            raise ValueError(f"`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {rank}.")
        height, width = sizes(image, rank)[-3:-1]
        top, left = _margin(height, fraction), _margin(width, fraction)
        outer = [0] * (rank - 3)
        begin = stack([*outer, top, left, 0])
        return _slice(image, begin, stack([*([-1] * (rank - 3)), height - 2 * top, width - 2 * left, -1]))


def _margin(length: Any, fraction: Any) -> Any:
    """What is cut from one end."""
    if isinstance(length, int) and isinstance(fraction, (int, float)):
        return int((length - length * fraction) / 2)
    whole = cast(length, float64)
    return cast((whole - whole * cast(fraction, float64)) / 2.0, int32)


@export("image.crop_to_bounding_box")
def crop_to_bounding_box(
    image: TensorLike, offset_height: IntLike, offset_width: IntLike, target_height: IntLike, target_width: IntLike
) -> Tensor:
    """A window of an image, or of each of a batch.

    image: [height, width, channels] or [batch, height, width, channels].  offset_height, offset_width: its upper left corner.
    target_height, target_width: its size.  All may be int32 scalars.  Raises ValueError for what does not fit, InvalidArgumentError when
    that shows only at run time.

    >>> tf.image.crop_to_bounding_box(tf.reshape(tf.range(9), [3, 3, 1]), 1, 0, 2, 2).numpy().ravel().tolist()
    [3, 4, 6, 7]
    """
    with scope(None, "crop_to_bounding_box"):
        images, is_batch = as_batch(image)
        to_image(images)
        top, left, high, wide = (static_value(n) for n in (offset_height, offset_width, target_height, target_width))
        batch, height, width, depth = sizes(images)
        checks = [
            *require(left >= 0, "offset_width must be >= 0."),
            *require(top >= 0, "offset_height must be >= 0."),
            *require(wide > 0, "target_width must be > 0."),
            *require(high > 0, "target_height must be > 0."),
            *require(width >= wide + left, "width must be >= target + offset."),
            *require(height >= high + top, "height must be >= target + offset."),
        ]
        require_whole(high, wide)
        cropped = _slice(wait_for(checks, images), stack([0, top, left, 0]), stack([-1, high, wide, -1]))
        return undo_batch(set_sizes(cropped, batch, high, wide, depth), is_batch)


@export("image.pad_to_bounding_box")
def pad_to_bounding_box(
    image: TensorLike, offset_height: IntLike, offset_width: IntLike, target_height: IntLike, target_width: IntLike
) -> Tensor:
    """An image, or each of a batch, with zeros around it.

    image: [height, width, channels] or [batch, height, width, channels].  offset_height, offset_width: the zeros above and to the left.
    target_height, target_width: the size of the result.  All may be int32 scalars.  Raises ValueError for what does not fit,
    InvalidArgumentError when that shows only at run time.

    >>> tf.image.pad_to_bounding_box([[[7]]], 0, 1, 2, 2).numpy().ravel().tolist()
    [0, 7, 0, 0]
    """
    with scope(None, "pad_to_bounding_box"):
        images, is_batch = as_batch(image)
        to_image(images)
        top, left, high, wide = (static_value(n) for n in (offset_height, offset_width, target_height, target_width))
        batch, height, width, depth = sizes(images)
        below, right = high - top - height, wide - left - width
        checks = [
            *require(top >= 0, "offset_height must be >= 0"),
            *require(left >= 0, "offset_width must be >= 0"),
            *require(right >= 0, "width must be <= target - offset"),
            *require(below >= 0, "height must be <= target - offset"),
        ]
        margins = [stack([n, m]) for n, m in ((0, 0), (top, below), (left, right), (0, 0))]
        padded = pad(wait_for(checks, images), stack(margins))
        return undo_batch(set_sizes(padded, batch, high, wide, depth), is_batch)


@export("image.resize_with_crop_or_pad", v1="image.resize_image_with_crop_or_pad")
def resize_with_crop_or_pad(image: TensorLike, target_height: IntLike, target_width: IntLike) -> Tensor:
    """An image, or each of a batch, cut to a size around its middle, or padded with zeros to it.

    image: [height, width, channels] or [batch, height, width, channels].  target_height, target_width: integers or int32 scalars.  Raises
    ValueError for another rank and for sizes that are not positive.

    >>> tf.image.resize_with_crop_or_pad([[[1], [2], [3]]], 2, 1).numpy().ravel().tolist()
    [2, 0]
    """
    with scope(None, "resize_image_with_crop_or_pad"):
        images, is_batch = as_batch(image)
        to_image(images)
        high, wide = static_value(target_height), static_value(target_width)
        checks = [*require(wide > 0, "target_width must be > 0."), *require(high > 0, "target_height must be > 0.")]
        images = wait_for(checks, images)
        _, height, width, _ = sizes(images)
        down, across = high - height, wide - width
        cropped = crop_to_bounding_box(
            images, choose_larger(-down // 2, 0), choose_larger(-across // 2, 0), choose_smaller(high, height), choose_smaller(wide, width)
        )
        return undo_batch(pad_to_bounding_box(cropped, choose_larger(down // 2, 0), choose_larger(across // 2, 0), high, wide), is_batch)
