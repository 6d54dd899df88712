"""Random crops: boxes drawn at random that cover enough of given ones, from the Philox streams that TensorFlow draws them from.

Numbers are drawn one at a time, and how many depends on what they are; so the words of a stream are read as an iterator.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, NUMERIC, float32, int8, int16, int32, int64, uint8
from ...base.errors import FailedPreconditionError
from ...base.export import export
from ...base.shapes import show
from ...ir.op import define
from ...ir.tensor import IntLike, Tensor, TensorLike, TensorType
from ...ops.array.type_rules import Array, dims_in, invalid, require_rank
from ...ops.random.operations import next_stream
from ...ops.random.philox import Philox, from_key, scramble
from . import distort_loops

FLOAT = np.float32
_SIZES = frozenset({uint8, int8, int16, int32, int64})


class Draws:
    """The words of a stream, one after another, and numbers made of them."""

    def __init__(self, stream: Philox) -> None:
        self.words = self._words(stream)

    @staticmethod
    def _words(stream: Philox) -> Iterator[int]:
        while True:
            yield from (int(w) for w in stream.words(4))
            stream = stream.skip(1)

    def unit(self) -> Any:
        """A float in [0, 1), of 23 bits."""
        return FLOAT((next(self.words) & 0x7FFFFF) / 2.0**23)

    def below(self, n: int) -> int:
        """An integer in [0, n), all equally likely."""
        word = next(self.words)
        if n & (n - 1) == 0:
            return word & (n - 1)
        least = 0xFFFFFFFF % n + 1
        while word < least:
            word = next(self.words)
        return word % n


@dataclass(frozen=True)
class _Box:
    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self) -> int:
        return max(self.right - self.left, 0) * max(self.bottom - self.top, 0)

    def shared(self, other: _Box) -> int:
        corners = max(self.left, other.left), max(self.top, other.top), min(self.right, other.right), min(self.bottom, other.bottom)
        return _Box(*corners).area


def _nearest(x: Any) -> int:
    return int(np.rint(FLOAT(x)))


def _tallest(largest: Any, ratio: Any, height: int, width: int) -> int:
    """The greatest height of a crop of an area and a ratio of width to height that the image holds."""
    most = _nearest(math.sqrt(FLOAT(largest / ratio)))
    if _nearest(most * ratio) > width:
        most = int((width + 0.5 - 0.0000001) / float(ratio))
        if _nearest(most * ratio) > width:
            most -= 1
    return min(most, height)


def _crop(draws: Draws, height: int, width: int, area_range: tuple[float, float], ratio: Any) -> _Box | None:
    """A crop at random; None where rounding leaves none of these areas and this ratio."""
    if area_range[1] <= 0 or ratio <= 0 or width <= 0 or height <= 0 or area_range[0] > area_range[1]:
        return None
    smallest, largest = (FLOAT(share) * FLOAT(width) * FLOAT(height) for share in area_range)
    most = _tallest(largest, ratio, height, width)
    tall = min(_nearest(math.sqrt(FLOAT(smallest / ratio))), most)
    if tall < most:
        tall += draws.below(most - tall + 1)
    wide = _nearest(tall * ratio)
    for step in (1, -1):  # rounding may have left it too small, then too large
        area = FLOAT(wide * tall)
        if (area < smallest) if step == 1 else (area > largest):
            tall += step
            wide = _nearest(tall * ratio)
    if not smallest <= wide * tall <= largest or not 0 < wide <= width or not 0 < tall <= height:
        return None
    top = draws.below(height - tall) if tall < height else 0
    left = draws.below(width - wide) if wide < width else 0
    return _Box(left, top, left + wide, top + tall)


def _covers(crop: _Box, least: float, boxes: list[_Box]) -> bool:
    return crop.area >= 1 and any(box.area >= 1 and FLOAT(crop.shared(box)) / FLOAT(box.area) >= least for box in boxes)


def _boxes(bounding_boxes: Array, height: int, width: int, use_image: bool) -> list[_Box]:
    if bounding_boxes.ndim not in (2, 3) or bounding_boxes.shape[-1] != 4:
        raise invalid(f"input boxes must be 3-dimensional [batch, num_boxes, coords]: {show(bounding_boxes.shape)}")
    flat = bounding_boxes.reshape(-1, 4)
    if not np.all((flat >= 0) & (flat <= 1)):
        raise invalid("All bounding box coordinates must be in [0.0, 1.0]")
    if not len(flat):
        if not use_image:
            raise invalid("No bounding boxes provided as input. use_image_if_no_bounding_boxes makes the whole image one.")
        return [_Box(0, 0, width, height)]
    if np.any(flat[:, :2] >= flat[:, 2:]):
        raise invalid("Each bounding box must have y_min < y_max and x_min < x_max")
    scaled = (flat * np.array([height, width, height, width], FLOAT)).astype(np.int64).tolist()
    return [_Box(left, top, right, bottom) for top, left, bottom, right in scaled]


def _sampled(
    stream: Philox,
    image_size: Array,
    bounding_boxes: Array,
    min_object_covered: float,
    aspect_ratio_range: Any,
    area_range: Any,
    max_attempts: int,
    use_image: bool,
) -> tuple[Array, Array, Array]:
    if image_size.shape != (3,):
        raise invalid(f"image_size must contain 3 elements and be 1-dimensional: {show(image_size.shape)}")
    ratios, areas = _interval(aspect_ratio_range, "aspect_ratio_range"), _interval(area_range, "area_range")
    if max_attempts <= 0:
        raise invalid(f"Max attempts must be non-negative: {max_attempts}")
    if not 0 <= min_object_covered <= 1:
        raise invalid(f"min_object_covered must be in [0.0, 1.0]: {min_object_covered:g}")
    height, width = int(image_size[0]), int(image_size[1])
    if height <= 0 or width <= 0:
        raise invalid(f"image height and width must be positive, got {height} and {width}")
    found = None
    if bounding_boxes.ndim in (2, 3) and bounding_boxes.shape[-1] == 4 and bounding_boxes.size:
        flat = bounding_boxes.reshape(-1, 4)
        found = distort_loops.sampled(stream, flat, (height, width), min_object_covered, ratios, areas, max_attempts)
    if found is None:
        boxes = _boxes(bounding_boxes, height, width, use_image)
        found = _searched(Draws(stream), boxes, (height, width), min_object_covered, ratios, areas, max_attempts)
    top, left, bottom, right = found
    begin = np.array([top, left, 0], image_size.dtype)
    size = np.array([bottom - top, right - left, -1]).astype(image_size.dtype)
    corners = np.array([[found]], FLOAT) / np.array([height, width, height, width], FLOAT)
    return begin, size, corners


def _searched(
    draws: Draws,
    boxes: list[_Box],
    size: tuple[int, int],
    least: float,
    ratios: tuple[float, float],
    areas: tuple[float, float],
    attempts: int,
) -> list[int]:
    """Top, left, bottom and right of a crop that covers enough, or of the image."""
    for _ in range(attempts):
        ratio = draws.unit() * (FLOAT(ratios[1]) - FLOAT(ratios[0])) + FLOAT(ratios[0])
        crop = _crop(draws, *size, areas, ratio)
        if crop is not None and _covers(crop, least, boxes):
            return [crop.top, crop.left, crop.bottom, crop.right]
    return [0, 0, *size]


def _interval(values: Any, name: str) -> tuple[float, float]:
    if len(values) != 2 or min(values) <= 0:
        raise invalid(f"{name} field must be of 2 positive numbers, got {list(values)}")
    return float(values[0]), float(values[1])


def _sample_type(image_size: Any, bounding_boxes: Any) -> tuple[TensorType, TensorType, TensorType]:
    require_rank(image_size, 1, f"image_size must be 1-dimensional: {show(image_size.dims)}")
    return TensorType((3,), image_size.dtype), TensorType((3,), image_size.dtype), TensorType((1, 1, 4), float32)


_RATIOS, _AREAS = (0.75, 1.33), (0.05, 1.0)


def _v1_type(
    image_size: Any,
    bounding_boxes: Any,
    *,
    seed: int = 0,
    seed2: int = 0,
    min_object_covered: float = 0.1,
    aspect_ratio_range: Any = _RATIOS,
    area_range: Any = _AREAS,
    max_attempts: int = 100,
    use_image_if_no_bounding_boxes: bool = False,
) -> tuple[TensorType, TensorType, TensorType]:
    return _sample_type(image_size, bounding_boxes)


def _v2_type(
    image_size: Any,
    bounding_boxes: Any,
    min_object_covered: Any,
    *,
    seed: int = 0,
    seed2: int = 0,
    aspect_ratio_range: Any = _RATIOS,
    area_range: Any = _AREAS,
    max_attempts: int = 100,
    use_image_if_no_bounding_boxes: bool = False,
) -> tuple[TensorType, TensorType, TensorType]:
    return _sample_type(image_size, bounding_boxes)


def _stateless_type(
    image_size: Any,
    bounding_boxes: Any,
    min_object_covered: Any,
    seed: Any,
    *,
    aspect_ratio_range: Any = _RATIOS,
    area_range: Any = _AREAS,
    max_attempts: int = 100,
    use_image_if_no_bounding_boxes: bool = False,
) -> tuple[TensorType, TensorType, TensorType]:
    return _sample_type(image_size, bounding_boxes)


def _seeded(
    op: str,
    image_size: Array,
    bounding_boxes: Array,
    min_object_covered: Any,
    *,
    site: Any,
    seed: int = 0,
    seed2: int = 0,
    aspect_ratio_range: Any = _RATIOS,
    area_range: Any = _AREAS,
    max_attempts: int = 100,
    use_image_if_no_bounding_boxes: bool = False,
) -> tuple[Array, Array, Array]:
    key = image_size.dtype, tuple(aspect_ratio_range), tuple(area_range), max_attempts, bool(use_image_if_no_bounding_boxes)
    stream = next_stream(site, op, seed, seed2, key, 4 * max_attempts)
    options = aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes
    return _sampled(stream, image_size, bounding_boxes, float(min_object_covered), *options)


def _stateless(
    image_size: Array,
    bounding_boxes: Array,
    min_object_covered: Array,
    seed: Array,
    *,
    aspect_ratio_range: Any = _RATIOS,
    area_range: Any = _AREAS,
    max_attempts: int = 100,
    use_image_if_no_bounding_boxes: bool = False,
) -> tuple[Array, Array, Array]:
    if seed.shape != (2,):
        raise invalid(f"seed must have shape [2], not {show(seed.shape)}")
    options = aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes
    return _sampled(from_key(*scramble(seed)), image_size, bounding_boxes, float(min_object_covered), *options)


_OUTPUTS = "begin size bboxes"
SAMPLE_BOX = define(
    "SampleDistortedBoundingBox",
    "image_size bounding_boxes:float32",
    _v1_type,
    lambda image_size, bounding_boxes, *, min_object_covered=0.1, **options: _seeded(
        "SampleDistortedBoundingBox", image_size, bounding_boxes, min_object_covered, **options
    ),
    {},
    outputs=_OUTPUTS,
    dtypes=_SIZES,
    stateful=True,
    effects=False,
    batch="numbers by their place in a stream",
)
SAMPLE_BOX_V2 = define(
    "SampleDistortedBoundingBoxV2",
    "image_size bounding_boxes:float32 min_object_covered:float32",
    _v2_type,
    partial(_seeded, "SampleDistortedBoundingBoxV2"),
    {},
    outputs=_OUTPUTS,
    dtypes=_SIZES,
    stateful=True,
    effects=False,
    batch="numbers by their place in a stream",
)
STATELESS_SAMPLE_BOX = define(
    "StatelessSampleDistortedBoundingBox",
    "image_size bounding_boxes:float32 min_object_covered:float32 seed:Tseed=",
    _stateless_type,
    _stateless,
    None,
    outputs=_OUTPUTS,
    dtypes={"T": _SIZES, "Tseed": INDEX},
    batch="numbers by their place in a stream",
)


def _random_crop_type(image: Any, size: Any, *, seed: int = 0, seed2: int = 0) -> TensorType:
    require_rank(image, 3, f"image must be 3-dimensional {show(image.dims)}")
    height, width = dims_in(size) or (None, None)
    return TensorType((height, width, None if image.dims is None else image.dims[2]), image.dtype)


def _random_crop(image: Array, size: Array, *, site: Any, seed: int = 0, seed2: int = 0) -> Array:
    if image.ndim != 3 or size.shape != (2,):
        raise invalid(f"image must be 3-dimensional and size a vector of 2: {show(image.shape)}, {show(size.shape)}")
    height, width = int(size[0]), int(size[1])
    if height > image.shape[0] or width > image.shape[1]:
        raise FailedPreconditionError(None, None, f"Image {show(image.shape)} is smaller than the crop of {height} x {width}")
    draws = Draws(next_stream(site, "RandomCrop", seed, seed2, (), 1))
    top = next(draws.words) % (image.shape[0] - height + 1) if image.shape[0] > height else 0
    left = next(draws.words) % (image.shape[1] - width + 1) if image.shape[1] > width else 0
    return image[top : top + height, left : left + width].copy()


RANDOM_CROP = define(
    "RandomCrop", "image size:int64", _random_crop_type, _random_crop, {}, dtypes=NUMERIC, stateful=True, effects=False,
    batch="numbers by their place in a stream",
)


@export(v2="image.stateless_sample_distorted_bounding_box")
def stateless_sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: TensorLike,
    seed: IntLike,
    min_object_covered: TensorLike = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """A crop at random that covers enough of some box, the same for the same seed: (begin, size, bboxes).

    image_size: [3], integers: height, width, channels.  bounding_boxes: [batch, count, 4], float32: y1, x1, y2, x2 in [0, 1].  seed: [2],
    integers.  min_object_covered: the least part of a box.  aspect_ratio_range, area_range: between which the crop's width to height, and
    its part of the image, lie; (0.75, 1.33) and (0.05, 1) where None.  max_attempts: after so many (100) the whole image is the crop.
    begin and size are arguments for `tf.slice`, bboxes [1, 1, 4] one for `draw_bounding_boxes`.  TensorFlow's numbers.  Raises
    InvalidArgumentError for boxes out of range, and where there are none unless use_image_if_no_bounding_boxes.

    >>> import pullback as tf
    >>> begin, size, box = tf.image.stateless_sample_distorted_bounding_box([20, 30, 3], [[[0.1, 0.2, 0.6, 0.9]]], seed=[0, 3])
    >>> begin.numpy().tolist(), size.numpy().tolist()
    ([6, 14, 0], [11, 13, -1])
    """
    options = sampling(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes)
    return STATELESS_SAMPLE_BOX(image_size, bounding_boxes, min_object_covered, seed, name=name, **options)


def sampling(aspect_ratio_range: Any, area_range: Any, max_attempts: int | None, use_image: bool | None) -> dict[str, Any]:
    """The attributes of a sampled box, from arguments that may be None."""
    return {
        "aspect_ratio_range": tuple(_RATIOS if aspect_ratio_range is None else map(float, aspect_ratio_range)),
        "area_range": tuple(_AREAS if area_range is None else map(float, area_range)),
        "max_attempts": 100 if max_attempts is None else int(max_attempts),
        "use_image_if_no_bounding_boxes": use_image,
    }
