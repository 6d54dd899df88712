"""Crops of images, resized: `CropAndResize` and its gradients by image and boxes, which are operations with rules of their own.

The gradient by boxes is written with samples (image/sample.py) where it is differentiated again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import float16, float32, float64, int8, int16, int32, int64, uint8, uint16
from ...base.errors import OutOfRangeError
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import Dims, IntLike, NumberLike, Tensor, TensorLike, TensorType
from ...ops.array.basic import reshape, shape_of, zeros_of
from ...ops.array.create import range as _range
from ...ops.array.join import stack
from ...ops.array.type_rules import Array, check_one_of, invalid_argument, made_sizes, shape_in
from ...ops.array.where import where
from ...ops.primitives.cast import cast
from ...ops.reduce.reductions import reduce_sum
from ...ops.vmap_rules.index import offset_ids
from ...ops.vmap_rules.nn import multiply_axis
from . import crop_loops
from .resize import check_images
from .sample import SAMPLE, SAMPLE_GRAD, are_inside, read, slope, spread

if TYPE_CHECKING:
    from ...ops.vmap_rules.base import Rows

PIXELS = frozenset({uint8, uint16, int8, int16, int32, int64, float16, float32, float64})
METHODS_OF_READING = ("bilinear", "nearest")
FLOAT = np.float32


def _boxes_count(boxes: Dims, box_ind: Dims) -> int | None:
    if boxes is not None and len(boxes) != 2:
        raise ShapeError(f"Shape must be rank 2 but is rank {len(boxes)}", f"boxes must be 2-D{show(boxes)}")
    if boxes is not None and boxes[1] not in (4, None):
        raise ShapeError(f"Dimension must be 4 but is {boxes[1]}", f"boxes must have 4 columns{show(boxes)}")
    if box_ind is not None and len(box_ind) != 1:
        raise ShapeError(f"Shape must be rank 1 but is rank {len(box_ind)}", f"box_index must be 1-D{show(box_ind)}")
    counts = [dims[0] for dims in (boxes, box_ind) if dims is not None and dims[0] is not None]
    if len(set(counts)) > 1:
        raise ShapeError(f"Dimensions must be equal, but are {counts[0]} and {counts[1]}", "box_index has incompatible shape")
    return counts[0] if counts else None


def _check(batch: int, boxes: Array, box_ind: Array) -> None:
    _boxes_count(boxes.shape, box_ind.shape)
    if box_ind.size and (int(box_ind.min()) < 0 or int(box_ind.max()) >= batch):
        raise OutOfRangeError(None, None, f"box_index has values outside [0, {batch})")


def _axis(low: Array, high: Array, size: int, count: int) -> Array:
    """Where `count` points between two ends lie on an axis of `size` pixels: [boxes, count]."""
    low, high = low[:, None], high[:, None]
    if count == 1:
        middle: Array = FLOAT(0.5) * (low + high) * FLOAT(size - 1)
        return middle
    step = (high - low) * FLOAT(size - 1) / FLOAT(count - 1)
    points: Array = low * FLOAT(size - 1) + np.arange(count, dtype=FLOAT) * step
    return points


def _points(boxes: Array, shape: Any, height: int, width: int) -> tuple[Array, Array]:
    y = _axis(boxes[:, 0], boxes[:, 2], shape[1], height)[:, :, None]
    return y, _axis(boxes[:, 1], boxes[:, 3], shape[2], width)[:, None, :]


def _round_points(y: Array, x: Array) -> tuple[Array, Array]:
    """The points on the nearest pixel, halves upwards, where they lie on the image at all."""
    return np.floor(y + FLOAT(0.5)), np.floor(x + FLOAT(0.5))


def _crop(
    image: Array, boxes: Array, box_ind: Array, crop_size: Array, *, method: str = "bilinear", extrapolation_value: float = 0.0
) -> Array:
    check_one_of(method, METHODS_OF_READING, "method")
    check_images(image.shape, "input image")
    _check(image.shape[0], boxes, box_ind)
    if crop_size.shape != (2,):
        raise invalid_argument(f"crop_size must have two elements{show(crop_size.shape)}")
    height, width = int(crop_size[0]), int(crop_size[1])
    if height <= 0 or width <= 0:
        raise invalid_argument(f"crop dimensions must be positive, not {height} x {width}")
    if image.shape[1] <= 0 or image.shape[2] <= 0:
        raise invalid_argument("image dimensions must be positive")
    if method == "bilinear":
        return crop_loops.crop_images(image, boxes, box_ind, height, width, extrapolation_value)
    y, x = _points(boxes, image.shape, height, width)
    lies = are_inside(image.shape, y, x)
    crops = read(image.astype(FLOAT, copy=False), box_ind, *_round_points(y, x))
    crops[~lies] = extrapolation_value
    return crops


def _crop_type(image: Any, boxes: Any, box_ind: Any, crop_size: Any, *, method: str = "bilinear", **_: Any) -> TensorType:
    check_one_of(method, METHODS_OF_READING, "method")
    check_images(image.dims, "input image")
    count = _boxes_count(boxes.dims, box_ind.dims)
    if crop_size.dims is not None and (len(crop_size.dims) != 1 or crop_size.dims[0] not in (2, None)):
        text = f"crop_size must have two elements{show(crop_size.dims)}"
        raise ShapeError(text, text)
    height, width = made_sizes(crop_size, 2)
    return TensorType((count, height, width, None if image.dims is None else image.dims[3]), float32)


def _grad_image(grads: Array, boxes: Array, box_ind: Array, image_size: Array, *, T: Any, method: str = "bilinear") -> Array:
    check_one_of(method, METHODS_OF_READING, "method")
    check_images(grads.shape, "grads image")
    if image_size.shape != (4,):
        raise invalid_argument(f"image_size must be 1-D with 4 elements{show(image_size.shape)}")
    shape = tuple(int(n) for n in image_size)
    _check(shape[0], boxes, box_ind)
    if len(grads) != len(boxes) or grads.shape[3] != shape[3]:
        raise invalid_argument(f"image_size and grads, boxes and grads must fit: {show(shape)}, {show(grads.shape)}, {len(boxes)} boxes")
    if method == "bilinear":
        return crop_loops.pull_images(grads, boxes, box_ind, shape).astype(T.numpy_dtype, copy=False)
    y, x = _points(boxes, shape, grads.shape[1], grads.shape[2])
    grads = np.where(are_inside(shape, y, x)[..., None], grads, grads.dtype.type(0))
    return spread(grads, box_ind, *_round_points(y, x), shape).astype(T.numpy_dtype, copy=False)


def _grad_image_type(grads: Any, boxes: Any, box_ind: Any, image_size: Any, *, T: Any, method: str = "bilinear") -> TensorType:
    check_one_of(method, ("bilinear", "nearest"), "method")
    return TensorType(shape_in(image_size, 4), T)


def _grad_boxes_type(grads: Any, image: Any, boxes: Any, box_ind: Any, *, method: str = "bilinear") -> TensorType:
    check_one_of(method, ("bilinear",), "method")
    return TensorType(boxes.dims, float32)


def _grad_boxes(grads: Array, image: Array, boxes: Array, box_ind: Array, *, method: str = "bilinear") -> Array:
    check_one_of(method, ("bilinear",), "method")
    check_images(grads.shape, "grads image")
    check_images(image.shape, "image")
    _check(image.shape[0], boxes, box_ind)
    if len(grads) != len(boxes) or grads.shape[3] != image.shape[3]:
        raise invalid_argument(f"image, grads and boxes must fit: {show(image.shape)}, {show(grads.shape)}, {len(boxes)} boxes")
    return crop_loops.pull_boxes(grads, image, boxes, box_ind)


# ---- the same in operations, for rules


def _ends(count: Any, size: Any) -> tuple[Any, Any]:
    """How the points on an axis move with its two ends."""
    steps = cast(_range(count), float32)
    many = cast(count, float32)
    last = where(many > 1.0, steps / (many - 1.0 + cast(many <= 1.0, float32)), 0.5)
    reach = cast(size, float32) - 1.0
    return (1.0 - last) * reach, last * reach


def _grid(boxes: Any, image_shape: Any, height: Any, width: Any) -> tuple[Any, Any, list[Any]]:
    """The points as [boxes, height * width], twice, and how they move with y1, x1, y2 and x2, as [height, 1] or [1, width]."""
    y1, y2 = (t[:, None] for t in _ends(height, image_shape[1]))
    x1, x2 = (t[None, :] for t in _ends(width, image_shape[2]))
    b = reshape(boxes, [-1, 4, 1, 1])
    y, x = b[:, 0] * y1 + b[:, 2] * y2, b[:, 1] * x1 + b[:, 3] * x2
    flat = stack([-1, height * width])
    spread_y, spread_x = y + zeros_of(x), x + zeros_of(y)
    return reshape(spread_y, flat), reshape(spread_x, flat), [y1, x1, y2, x2]


def _move_points(g: Any, boxes: Any, grads_type: Any, image_shape: Any) -> tuple[Any, Any, Any, Any, list[Any], Any]:
    """Points, how far each moves where boxes move by g (both as [boxes, points, 1]), and the shape of the grid."""
    sizes = shape_of(grads_type)
    height, width = sizes[1], sizes[2]
    y, x, ends = _grid(boxes, image_shape, height, width)
    step = reshape(g, [-1, 4, 1, 1])
    by_y = step[:, 0] * ends[0] + step[:, 2] * ends[2] + zeros_of(ends[1])
    by_x = step[:, 1] * ends[1] + step[:, 3] * ends[3] + zeros_of(ends[0])
    flat = stack([-1, height * width, 1])
    return y, x, reshape(by_y, flat), reshape(by_x, flat), ends, stack([-1, height, width])


def _flatten_pixels(grads: Any) -> Any:
    sizes = shape_of(grads)
    return reshape(grads, stack([-1, sizes[1] * sizes[2], sizes[3]]))


def _boxes_by_grads(g: Any, grads_type: Any, image: Any, boxes: Any, box_ind: Any) -> Any:
    y, x, by_y, by_x, _, _ = _move_points(g, boxes, grads_type, shape_of(image))
    values = cast(image, float32)
    moved = SAMPLE(values, box_ind, y, x, dy=1, dx=0) * by_y + SAMPLE(values, box_ind, y, x, dy=0, dx=1) * by_x
    return reshape(moved, shape_of(grads_type))


def _boxes_by_image(g: Any, grads: Any, image_type: Any, boxes: Any, box_ind: Any) -> Any:
    shape = shape_of(image_type)
    y, x, by_y, by_x, _, _ = _move_points(g, boxes, grads, shape)
    flat = _flatten_pixels(grads)
    found = SAMPLE_GRAD(flat * by_y, box_ind, y, x, shape, dy=1, dx=0) + SAMPLE_GRAD(flat * by_x, box_ind, y, x, shape, dy=0, dx=1)
    return cast(found, image_type.dtype)


def _boxes_by_boxes(g: Any, grads: Any, image: Any, boxes: Any, box_ind: Any) -> Any:
    y, x, by_y, by_x, ends, grid = _move_points(g, boxes, grads, shape_of(image))
    twist = slope(_flatten_pixels(grads), cast(image, float32), box_ind, y, x, 1, 1)
    down, across = (reshape(twist * by[:, :, 0], grid) for by in (by_x, by_y))
    parts = [reduce_sum(part * end, [1, 2]) for part, end in zip((down, across, down, across), ends, strict=True)]
    return stack(parts, axis=1)


# ---- many rows at once: images of all rows are one batch, in which each row's boxes count on from its first


def _number_images(rows: Rows, image: Any, boxes: Any, box_ind: Any) -> Any:
    """The image of each box among those of all rows."""
    return rows.fold(offset_ids(rows, box_ind, rows.shape(image)[0]) if rows.has(image) else box_ind)


def _crop_rows(rows: Rows, image: Any, boxes: Any, box_ind: Any, crop_size: Any, **attrs: Any) -> Any:
    if rows.has(crop_size):
        return NotImplemented
    images = rows.fold(image) if rows.has(image) else image
    found = rows.op(images, rows.fold(boxes), _number_images(rows, image, boxes, box_ind), crop_size, **attrs)
    return rows.unfold(found, rows.shape(box_ind)[0])


def _image_rows(rows: Rows, grads: Any, boxes: Any, box_ind: Any, image_size: Any, **attrs: Any) -> Any:
    if rows.has(image_size):
        return NotImplemented
    index = rows.fold(offset_ids(rows, box_ind, image_size[0]))
    found = rows.op(rows.fold(grads), rows.fold(boxes), index, multiply_axis(rows, image_size, 0), **attrs)
    dims = rows.node.outputs[0].dims
    return rows.unfold(found, None if dims is None else dims[0])


def _boxes_rows(rows: Rows, grads: Any, image: Any, boxes: Any, box_ind: Any, **attrs: Any) -> Any:
    images = rows.fold(image) if rows.has(image) else image
    found = rows.op(rows.fold(grads), images, rows.fold(boxes), _number_images(rows, image, boxes, box_ind), **attrs)
    return rows.unfold(found, rows.shape(box_ind)[0])


CROP_AND_RESIZE: Op = define(
    "CropAndResize",
    "image boxes:float32 box_ind:int32 crop_size:int32",
    _crop_type,
    _crop,
    {
        "image": lambda g, image_type, boxes, box_ind, method: CROP_GRAD_IMAGE(
            g, boxes, box_ind, shape_of(image_type), T=image_type.dtype, method=method
        ),
        "boxes": lambda g, image, boxes, box_ind: CROP_GRAD_BOXES(g, image, boxes, box_ind),
    },
    dtypes={"T": PIXELS},
    batch=_crop_rows,
)
CROP_GRAD_IMAGE: Op = define(
    "CropAndResizeGradImage",
    "grads:float32 boxes:float32 box_ind:int32 image_size:int32",
    _grad_image_type,
    _grad_image,
    {
        "grads": lambda g, grads_type, boxes, box_ind, method: CROP_AND_RESIZE(g, boxes, box_ind, shape_of(grads_type)[1:3], method=method),
        "boxes": lambda g, grads, boxes, box_ind, method: (
            CROP_GRAD_BOXES(grads, g, boxes, box_ind) if method == "bilinear" else zeros_of(boxes)
        ),
    },
    dtypes={"T": {float16, float32, float64}},
    batch=_image_rows,
)
CROP_GRAD_BOXES: Op = define(
    "CropAndResizeGradBoxes",
    "grads:float32 image boxes:float32 box_ind:int32",
    _grad_boxes_type,
    _grad_boxes,
    {"grads": _boxes_by_grads, "image": _boxes_by_image, "boxes": _boxes_by_boxes},
    dtypes={"T": PIXELS},
    batch=_boxes_rows,
)


@export(v2="image.crop_and_resize")
def crop_and_resize(
    image: TensorLike,
    boxes: TensorLike,
    box_indices: NumberLike,
    crop_size: IntLike,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """Crops of images, each resized to crop_size.

    image: [batch, height, width, depth], any real dtype.  boxes: [count, 4], float32: y1, x1, y2, x2 with 0 the first and 1 the last pixel;
    y1 > y2 turns the crop upside down.  box_indices: [count], int32: the image of each box.  crop_size: [2], int32.  method: "bilinear" or
    "nearest".  extrapolation_value: what lies outside the image.  Returns [count, *crop_size, depth], float32.  Has gradients by image and
    boxes (those of "nearest" by boxes are the bilinear ones, as TensorFlow's).  Raises InvalidArgumentError for other shapes and for
    indices of no image.

    >>> image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> tf.image.crop_and_resize(image, [[0.0, 0.0, 0.5, 1.0]], [0], [2, 2]).numpy().ravel().tolist()
    [0.0, 2.0, 3.0, 5.0]
    """
    options = {"method": method, "extrapolation_value": extrapolation_value}
    return CROP_AND_RESIZE(image, boxes, box_indices, crop_size, name=name, **options)
