"""Images changed at random, by TensorFlow's own numbers: drawn anew by each call, or from a seed that makes the same change always."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.dtypes import int32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import works_on_items
from ...ir.context import scope
from ...ir.tensor import IntLike, NumberLike, Tensor, TensorLike
from ...ops.array.basic import reshape, shape_of
from ...ops.array.order import reverse
from ...ops.array.slice import slice as _slice
from ...ops.array.where import where
from ...ops.effects.asserts import wait_for
from ...ops.math.division import floormod
from ...ops.random.functions import uniform
from ...ops.random.seed import get_seed
from ...ops.random.stateless_draws import stateless_uniform
from ...ops.reduce.reductions import reduce_all
from .adjust import adjust_brightness, adjust_contrast, adjust_hue, adjust_saturation
from .checks import by_rank, require, three_or_four
from .coding import adjust_jpeg_quality
from .distort import SAMPLE_BOX_V2, DistortedBox, sampling_attributes

Draw = Callable[..., Any]


def _make_draw(seed: Any) -> Draw:
    return lambda shape, low, high, dtype=None: uniform(shape, low, high, seed=seed, **({} if dtype is None else {"dtype": dtype}))


def _make_stateless_draw(seed: Any) -> Draw:
    return lambda shape, low, high, dtype=None: stateless_uniform(
        shape, seed, minval=low, maxval=high, **({} if dtype is None else {"dtype": dtype})
    )


def _flip_half(image: Any, axis: int, draw: Draw, name: str) -> Any:
    """An image mirrored half of the time, each image of a batch by itself."""
    with scope(None, name):
        image = three_or_four(image)
        mirrored = reverse(image, [axis])

        def draw_each() -> Tensor:
            drawn = draw(convert_to_tensor(shape_of(image))[:1], 0, 1.0)
            return where(reshape(drawn, [-1, 1, 1, 1]) > 0.5, mirrored, image)

        return by_rank(image, lambda: where(draw([], 0, 1.0) < 0.5, mirrored, image), draw_each)


@export("image.random_flip_left_right")
def random_flip_left_right(image: NumberLike, seed: IntLike | None = None) -> Tensor:
    """An image mirrored left to right with a chance of one half, each image of a batch by itself.

    image: [height, width, channels] or [batch, height, width, channels].  Raises ValueError for another rank.

    >>> tf.image.random_flip_left_right([[[1], [2]]], seed=1).shape
    TensorShape([1, 2, 1])
    """
    return _flip_half(image, -2, _make_draw(seed), "random_flip_left_right")


@export("image.random_flip_up_down")
def random_flip_up_down(image: NumberLike, seed: IntLike | None = None) -> Tensor:
    """An image turned upside down with a chance of one half, each image of a batch by itself.

    image: [height, width, channels] or [batch, height, width, channels].  Raises ValueError for another rank.

    >>> tf.image.random_flip_up_down([[[1]], [[2]]], seed=1).shape
    TensorShape([2, 1, 1])
    """
    return _flip_half(image, -3, _make_draw(seed), "random_flip_up_down")


@export(v2="image.stateless_random_flip_left_right")
def stateless_random_flip_left_right(image: NumberLike, seed: IntLike) -> Tensor:
    """As `random_flip_left_right`, the same for the same seed.

    seed: [2], integers.

    >>> tf.image.stateless_random_flip_left_right([[[1], [2]]], seed=[2, 3]).numpy().ravel().tolist()
    [2, 1]
    """
    return _flip_half(image, -2, _make_stateless_draw(seed), "stateless_random_flip_left_right")


@export(v2="image.stateless_random_flip_up_down")
def stateless_random_flip_up_down(image: NumberLike, seed: IntLike) -> Tensor:
    """As `random_flip_up_down`, the same for the same seed.

    seed: [2], integers.

    >>> tf.image.stateless_random_flip_up_down([[[1]], [[2]]], seed=[2, 3]).numpy().ravel().tolist()
    [2, 1]
    """
    return _flip_half(image, -3, _make_stateless_draw(seed), "stateless_random_flip_up_down")


def _check_range(lower: Any, upper: Any) -> None:
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")


def _check_delta(max_delta: Any, most: float = float("inf")) -> None:
    if max_delta > most:
        raise ValueError(f"max_delta must be <= {most}.")
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")


@export("image.random_brightness")
@works_on_items
def random_brightness(image: NumberLike, max_delta: Any, seed: IntLike | None = None) -> Tensor:
    """`adjust_brightness` by a number drawn from [-max_delta, max_delta).

    Raises ValueError for a negative max_delta.

    >>> tf.image.random_brightness(tf.zeros([1, 1, 3]), 0.2, seed=1).shape
    TensorShape([1, 1, 3])
    """
    _check_delta(max_delta)
    return adjust_brightness(image, _make_draw(seed)([], -max_delta, max_delta))


@export(v2="image.stateless_random_brightness")
@works_on_items
def stateless_random_brightness(image: NumberLike, max_delta: Any, seed: IntLike) -> Tensor:
    """As `random_brightness`, the same for the same seed.

    seed: [2], integers.

    >>> tf.image.stateless_random_brightness(tf.zeros([1, 1, 1]), 0.2, seed=[1, 2]).numpy().round(4).item()
    0.13760000467300415
    """
    _check_delta(max_delta)
    return adjust_brightness(image, _make_stateless_draw(seed)([], -max_delta, max_delta))


@export("image.random_contrast")
def random_contrast(image: NumberLike, lower: NumberLike, upper: NumberLike, seed: IntLike | None = None) -> Tensor:
    """`adjust_contrast` by a factor drawn from [lower, upper).

    Raises ValueError unless 0 <= lower < upper.

    >>> tf.image.random_contrast(tf.zeros([1, 1, 3]), 0.2, 0.5, seed=1).shape
    TensorShape([1, 1, 3])
    """
    _check_range(lower, upper)
    return adjust_contrast(image, _make_draw(seed)([], lower, upper))


@export(v2="image.stateless_random_contrast")
def stateless_random_contrast(image: NumberLike, lower: NumberLike, upper: NumberLike, seed: IntLike) -> Tensor:
    """As `random_contrast`, the same for the same seed.

    seed: [2], integers.

    >>> tf.image.stateless_random_contrast(tf.zeros([1, 1, 3]), 0.2, 0.5, seed=[1, 2]).shape
    TensorShape([1, 1, 3])
    """
    _check_range(lower, upper)
    return adjust_contrast(image, _make_stateless_draw(seed)([], lower, upper))


@export("image.random_hue")
def random_hue(image: NumberLike, max_delta: Any, seed: IntLike | None = None) -> Tensor:
    """`adjust_hue` by a number drawn from [-max_delta, max_delta).

    Raises ValueError unless 0 <= max_delta <= 0.5.

    >>> tf.image.random_hue(tf.zeros([1, 1, 3]), 0.2, seed=1).shape
    TensorShape([1, 1, 3])
    """
    _check_delta(max_delta, 0.5)
    return adjust_hue(image, _make_draw(seed)([], -max_delta, max_delta))


@export(v2="image.stateless_random_hue")
def stateless_random_hue(image: NumberLike, max_delta: Any, seed: IntLike) -> Tensor:
    """As `random_hue`, the same for the same seed.

    seed: [2], integers.

    >>> tf.image.stateless_random_hue(tf.zeros([1, 1, 3]), 0.2, seed=[1, 2]).shape
    TensorShape([1, 1, 3])
    """
    _check_delta(max_delta, 0.5)
    return adjust_hue(image, _make_stateless_draw(seed)([], -max_delta, max_delta))


@export("image.random_saturation")
def random_saturation(image: NumberLike, lower: NumberLike, upper: NumberLike, seed: IntLike | None = None) -> Tensor:
    """`adjust_saturation` by a factor drawn from [lower, upper).

    Raises ValueError unless 0 <= lower < upper.

    >>> tf.image.random_saturation(tf.zeros([1, 1, 3]), 0.2, 0.5, seed=1).shape
    TensorShape([1, 1, 3])
    """
    _check_range(lower, upper)
    return adjust_saturation(image, _make_draw(seed)([], lower, upper))


@export(v2="image.stateless_random_saturation")
def stateless_random_saturation(image: NumberLike, lower: NumberLike, upper: NumberLike, seed: IntLike | None = None) -> Tensor:
    """As `random_saturation`, the same for the same seed.

    seed: [2], integers.

    >>> tf.image.stateless_random_saturation(tf.zeros([1, 1, 3]), 0.2, 0.5, seed=[1, 2]).shape
    TensorShape([1, 1, 3])
    """
    _check_range(lower, upper)
    return adjust_saturation(image, _make_stateless_draw(seed)([], lower, upper))


def _qualities(low: Any, high: Any) -> None:
    if not 0 <= low <= 100 or not 0 <= high <= 100:
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if low >= high:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")


@export("image.random_jpeg_quality")
def random_jpeg_quality(image: NumberLike, min_jpeg_quality: IntLike, max_jpeg_quality: IntLike, seed: IntLike | None = None) -> Tensor:
    """`adjust_jpeg_quality` by a quality drawn from [min_jpeg_quality, max_jpeg_quality).

    Raises ValueError for qualities outside [0, 100] or none between them, ImportError where Pillow is not installed.

    >>> tf.image.random_jpeg_quality(tf.zeros([8, 8, 3], tf.uint8), 75, 95, seed=1).shape
    TensorShape([8, 8, 3])
    """
    _qualities(min_jpeg_quality, max_jpeg_quality)
    return adjust_jpeg_quality(image, _make_draw(seed)([], min_jpeg_quality, max_jpeg_quality, int32))


@export(v2="image.stateless_random_jpeg_quality")
def stateless_random_jpeg_quality(image: NumberLike, min_jpeg_quality: IntLike, max_jpeg_quality: IntLike, seed: IntLike) -> Tensor:
    """As `random_jpeg_quality`, the same for the same seed.

    seed: [2], integers.

    >>> tf.image.stateless_random_jpeg_quality(tf.zeros([8, 8, 3], tf.uint8), 75, 95, seed=[1, 2]).shape
    TensorShape([8, 8, 3])
    """
    _qualities(min_jpeg_quality, max_jpeg_quality)
    return adjust_jpeg_quality(image, _make_stateless_draw(seed)([], min_jpeg_quality, max_jpeg_quality, int32))


def _crop_value(value: Any, size: Any, draw: Draw, name: str | None, default: str) -> Any:
    with scope(name, default) as full:
        value, size = convert_to_tensor(value, name="value"), convert_to_tensor(size, int32, name="size")
        shape = convert_to_tensor(shape_of(value))
        limit = wait_for(require(reduce_all(shape >= size), "Need value.shape >= size"), shape) - size + 1
        offset = floormod(draw(convert_to_tensor(shape_of(shape)), 0, np.iinfo(np.int32).max, int32), limit)
        return _slice(value, offset, size, name=full)


@export("image.random_crop", v1="random_crop")
def random_crop(value: NumberLike, size: IntLike, seed: IntLike | None = None, name: str | None = None) -> Tensor:
    """A window of `value` at a place drawn at random.

    value: any tensor.  size: a vector with an entry for each of its axes.  Raises ValueError where value is smaller.

    >>> tf.image.random_crop(tf.zeros([4, 4, 3]), [2, 2, 3], seed=1).shape
    TensorShape([2, 2, 3])
    """
    return _crop_value(value, size, _make_draw(seed), name, "random_crop")


@export(v2="image.stateless_random_crop")
def stateless_random_crop(value: NumberLike, size: IntLike, seed: IntLike, name: str | None = None) -> Tensor:
    """As `random_crop`, the same for the same seed.

    seed: [2], integers.

    >>> tf.image.stateless_random_crop(tf.range(5), [2], seed=[1, 2]).numpy().tolist()
    [0, 1]
    """
    return _crop_value(value, size, _make_stateless_draw(seed), name, "random_crop")


@export(v2="image.sample_distorted_bounding_box")
def sample_distorted_bounding_box(
    image_size: IntLike,
    bounding_boxes: NumberLike,
    seed: int = 0,
    min_object_covered: NumberLike = 0.1,
    aspect_ratio_range: TensorLike | None = None,
    area_range: TensorLike | None = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> DistortedBox:
    """As `stateless_sample_distorted_bounding_box`, drawn anew by each call; seed: 0 for a fresh one.

    >>> begin, size, box = tf.image.sample_distorted_bounding_box([20, 30, 3], [[[0.1, 0.2, 0.6, 0.9]]], seed=1)
    >>> box.shape
    TensorShape([1, 1, 4])
    """
    first, second = get_seed(seed) if seed else (0, 0)
    options = sampling_attributes(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes)
    seeds = {"seed": first or 0, "seed2": second or 0}
    return DistortedBox(*SAMPLE_BOX_V2(image_size, bounding_boxes, min_object_covered, name=name, **seeds, **options))


@export(v1="image.sample_distorted_bounding_box")
def sample_distorted_bounding_box_v1(
    image_size: IntLike,
    bounding_boxes: NumberLike,
    seed: int | None = None,
    seed2: int | None = None,
    min_object_covered: NumberLike = 0.1,
    aspect_ratio_range: TensorLike | None = None,
    area_range: TensorLike | None = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> DistortedBox:
    """TensorFlow 1's `sample_distorted_bounding_box`, which takes both numbers of a seed.

    >>> tf1.image.sample_distorted_bounding_box([20, 30, 3], [[[0.1, 0.2, 0.6, 0.9]]], seed=1)[0].shape.as_list()
    [3]
    """
    options = sampling_attributes(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes)
    seeds = {"seed": seed or 0, "seed2": seed2 or 0}
    return DistortedBox(*SAMPLE_BOX_V2(image_size, bounding_boxes, min_object_covered, name=name, **seeds, **options))
