"""Random crops: boxes drawn at random that cover enough of given ones, from the Philox streams that TensorFlow draws them from."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import INDEX, NUMERIC, float32, int8, int16, int32, int64, uint8
from ...base.errors import FailedPreconditionError
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import define
from ...ir.tensor import IntLike, Tensor, TensorLike, TensorType
from ...ops.array.type_rules import Array, invalid_argument, made_sizes, match_dims, require_rank
from ...ops.random.operations import next_stream
from ...ops.random.philox import Philox, from_key, scramble
from . import distort_loops

FLOAT = np.float32
_SIZES = frozenset({uint8, int8, int16, int32, int64})


def _box_error(boxes: Array) -> Exception:
    """The error of boxes that are none."""
    if np.all((boxes >= 0) & (boxes <= 1)):
        return invalid_argument("Each bounding box must have y_min < y_max and x_min < x_max")
    return invalid_argument("All bounding box coordinates must be in [0.0, 1.0]")


def _sample_crop(
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
        raise invalid_argument(f"image_size must contain 3 elements and be 1-dimensional: {show(image_size.shape)}")
    ratios, areas = _interval(aspect_ratio_range, "aspect_ratio_range"), _interval(area_range, "area_range")
    if not max(areas) <= 1:
        raise invalid_argument(f"area_range must be in (0.0, 1.0], got {list(areas)}")
    if max_attempts <= 0:
        raise invalid_argument(f"Max attempts must be non-negative: {max_attempts}")
    if not min_object_covered >= 0:
        raise invalid_argument(f"Min object covered must be non-negative: {min_object_covered:g}")
    height, width = int(image_size[0]), int(image_size[1])
    if height <= 0 or width <= 0:
        raise invalid_argument(f"image height and width must be positive, got {height} and {width}")
    if bounding_boxes.ndim != 3 or bounding_boxes.shape[-1] != 4:
        raise invalid_argument(f"input boxes must be 3-dimensional [batch, num_boxes, coords]: {show(bounding_boxes.shape)}")
    boxes = bounding_boxes.reshape(-1, 4)
    if not len(boxes):
        if not use_image:
            raise invalid_argument("No bounding boxes provided as input. use_image_if_no_bounding_boxes makes the whole image one.")
        boxes = np.array([[0, 0, 1, 1]], FLOAT)
    found = distort_loops.sample_crop(stream, boxes, (height, width), min_object_covered, ratios, areas, max_attempts)
    if found is None:
        raise _box_error(boxes)
    top, left, bottom, right = found
    begin = np.array([top, left, 0], image_size.dtype)
    size = np.array([bottom - top, right - left, -1]).astype(image_size.dtype)
    corners = np.array([[found]], FLOAT) / np.array([height, width, height, width], FLOAT)
    return begin, size, corners


def _interval(values: Any, name: str) -> tuple[float, float]:
    if len(values) != 2 or not values[0] > 0 or not values[1] > 0:
        raise invalid_argument(f"{name} field must be of 2 positive numbers, got {list(values)}")
    return float(values[0]), float(values[1])


def _sample_type(image_size: Any, bounding_boxes: Any, min_object_covered: Any = None) -> tuple[TensorType, TensorType, TensorType]:
    if min_object_covered is not None:
        require_rank(min_object_covered, 0, f"min_object_covered must be 0-D, got shape {show(min_object_covered.dims)}")
    if require_rank(image_size, 1, f"image_size must be 1-dimensional: {show(image_size.dims)}")[0] not in (None, 3):
        text = f"image_size must contain 3 elements and be 1-dimensional: {show(image_size.dims)}"
        raise ShapeError(f"Dimension must be 3 but is {image_size.dims[0]}", text)
    text = f"input boxes must be 3-dimensional [batch, num_boxes, coords]: {show(bounding_boxes.dims)}"
    if (sides := require_rank(bounding_boxes, 3, text)[2]) not in (None, 4):
        raise ShapeError(f"Dimension must be 4 but is {sides}", text)
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


def _v2_type(image_size: Any, bounding_boxes: Any, min_object_covered: Any, **_: Any) -> tuple[TensorType, TensorType, TensorType]:
    return _sample_type(image_size, bounding_boxes, min_object_covered)


def _stateless_type(
    image_size: Any, bounding_boxes: Any, min_object_covered: Any, seed: Any, **_: Any
) -> tuple[TensorType, TensorType, TensorType]:
    match_dims("2", seed)
    return _sample_type(image_size, bounding_boxes, min_object_covered)


def _sample_seeded(
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
    return _sample_crop(stream, image_size, bounding_boxes, float(min_object_covered), *options)


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
        raise invalid_argument(f"seed must have shape [2], not {show(seed.shape)}")
    options = aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes
    return _sample_crop(from_key(*scramble(seed)), image_size, bounding_boxes, float(min_object_covered), *options)


_OUTPUTS = "begin size bboxes"
SAMPLE_BOX = define(
    "SampleDistortedBoundingBox",
    "image_size bounding_boxes:float32",
    _v1_type,
    lambda image_size, bounding_boxes, *, min_object_covered=0.1, **options: _sample_seeded(
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
    partial(_sample_seeded, "SampleDistortedBoundingBoxV2"),
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
    height, width = made_sizes(size, 2)
    return TensorType((height, width, None if image.dims is None else image.dims[2]), image.dtype)


def _random_crop(image: Array, size: Array, *, site: Any, seed: int = 0, seed2: int = 0) -> Array:
    if image.ndim != 3 or size.shape != (2,):
        raise invalid_argument(f"image must be 3-dimensional and size a vector of 2: {show(image.shape)}, {show(size.shape)}")
    height, width = int(size[0]), int(size[1])
    if height > image.shape[0] or width > image.shape[1]:
        raise FailedPreconditionError(None, None, f"Image {show(image.shape)} is smaller than the crop of {height} x {width}")
    words = iter(next_stream(site, "RandomCrop", seed, seed2, (), 1).words(2).tolist())
    top = next(words) % (image.shape[0] - height + 1) if image.shape[0] > height else 0
    left = next(words) % (image.shape[1] - width + 1) if image.shape[1] > width else 0
    return image[top : top + height, left : left + width].copy()


RANDOM_CROP = define(
    "RandomCrop", "image size:int64", _random_crop_type, _random_crop, {}, dtypes=NUMERIC, stateful=True, effects=False,
    batch="numbers by their place in a stream",
)


class DistortedBox(NamedTuple):
    """A crop: where it begins, its size, and the same as a box."""

    begin: Tensor
    size: Tensor
    bboxes: Tensor


@export(v2="image.stateless_sample_distorted_bounding_box")
def stateless_sample_distorted_bounding_box(
    image_size: IntLike,
    bounding_boxes: TensorLike,
    seed: IntLike,
    min_object_covered: TensorLike = 0.1,
    aspect_ratio_range: TensorLike | None = None,
    area_range: TensorLike | None = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> DistortedBox:
    """A crop at random that covers enough of some box, the same for the same seed: (begin, size, bboxes).

    image_size: [3], integers: height, width, channels.  bounding_boxes: [batch, count, 4], float32: y1, x1, y2, x2 in [0, 1].  seed: [2],
    integers.  min_object_covered: the least part of a box.  aspect_ratio_range, area_range: between which the crop's width to height, and
    its part of the image, lie; (0.75, 1.33) and (0.05, 1) where None.  max_attempts: after so many (100) the whole image is the crop.
    begin and size are arguments for `tf.slice`, bboxes [1, 1, 4] one for `draw_bounding_boxes`.  TensorFlow's numbers.  Raises
    InvalidArgumentError for boxes out of range, and where there are none unless use_image_if_no_bounding_boxes.

    >>> begin, size, box = tf.image.stateless_sample_distorted_bounding_box([20, 30, 3], [[[0.1, 0.2, 0.6, 0.9]]], seed=[0, 3])
    >>> begin.numpy().tolist(), size.numpy().tolist()
    ([6, 14, 0], [11, 13, -1])
    """
    options = sampling_attributes(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes)
    return DistortedBox(*STATELESS_SAMPLE_BOX(image_size, bounding_boxes, min_object_covered, seed, name=name, **options))


def sampling_attributes(aspect_ratio_range: Any, area_range: Any, max_attempts: int | None, use_image: bool | None) -> dict[str, Any]:
    """The attributes of a sampled box, from arguments that may be None."""
    return {
        "aspect_ratio_range": _RATIOS if aspect_ratio_range is None else aspect_ratio_range,
        "area_range": _AREAS if area_range is None else area_range,
        "max_attempts": 100 if max_attempts is None else max_attempts,
        "use_image_if_no_bounding_boxes": use_image,
    }
