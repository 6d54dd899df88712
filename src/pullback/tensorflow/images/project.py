"""Projective transforms of images: rotations, shears, perspective.

An output pixel reads the image at ((a x + b y + c) / k, (d x + e y + f) / k) with k = g x + h y + 1, the eight numbers being its transform.
TensorFlow's gradient by the image warps the upstream gradient back by the inverse matrix, which is right for shifts and quarter turns
only; ours is the adjoint (`ImageProjectiveTransformGrad`, an operation of our own), and there is one by the transforms, where
TensorFlow has none.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from ...base.dtypes import FLOATING, float32, int32, int64, uint8
from ...base.shapes import show
from ...ir.op import Op, define
from ...ir.tensor import Tensor, TensorType
from ...ops.array.basic import reshape, shape_of, sum_to, zeros_of
from ...ops.array.create import range as _range
from ...ops.array.join import stack
from ...ops.array.pad import pad
from ...ops.array.type_rules import Array, check_one_of, dims_in, invalid_argument, made_sizes, match_dims
from ...ops.array.where import where
from ...ops.batching import Batched, unfold_rows
from ...ops.math.arithmetic import floor, maximum, minimum
from ...ops.primitives.cast import cast
from ...ops.reduce.reductions import reduce_sum
from ...ops.vmap_rules.base import Rows, cut_start, join_vectors, times
from . import project_loops
from .resize import check_images
from .sample import are_inside, read, slope, spread

FLOAT = np.float32
PIXELS = FLOATING | {uint8, int32, int64}
INTERPOLATIONS = ("NEAREST", "BILINEAR")
FILL_MODES = ("REFLECT", "WRAP", "CONSTANT", "NEAREST")
_ARRAYS = SimpleNamespace(floor=np.floor, where=np.where, minimum=np.minimum, maximum=np.maximum)
_TENSORS = SimpleNamespace(floor=floor, where=where, minimum=minimum, maximum=maximum)


def _bring_in(at: Any, size: Any, fill_mode: str, lib: Any) -> tuple[Any, Any]:
    """Coordinates by the mode that says what lies outside, before they are held to [0, size - 1], and how they move with `at`: 1 or -1."""
    if fill_mode == "REFLECT":
        turn = at - lib.floor(at / (size * 2.0)) * (size * 2.0)
        back = turn >= size
        return lib.where(back, size * 2.0 - 1.0 - turn, turn), lib.where(back, -1.0, 1.0)
    if fill_mode == "WRAP":
        span = lib.maximum(size - 1.0, 1.0)
        below = at + (lib.floor(-at / span) + 1.0) * size
        return lib.where(at < 0.0, below, lib.where(at > size - 1.0, at - lib.floor(at / span) * size, at)), 1.0
    return at, 1.0


def _clamp(at: Any, size: Any, fill_mode: str, lib: Any) -> np.ndarray:
    return at if fill_mode == "CONSTANT" else lib.minimum(lib.maximum(at, 0.0), size - 1.0)


def _points(transforms: Any, x: Any, y: Any, lib: Any) -> tuple[Any, Any, Any, Any]:
    """Where output pixels read: x and y before the fill mode, the divisor, and whether it is 0.  transforms: [n, 8, 1, 1]."""
    t = [transforms[:, i] for i in range(8)]
    divisor = t[6] * x + t[7] * y + 1.0
    nowhere = divisor == 0.0
    safe = lib.where(nowhere, 1.0, divisor)
    return (t[0] * x + t[1] * y + t[2]) / safe, (t[3] * x + t[4] * y + t[5]) / safe, safe, nowhere


class _Reading:
    """For kernels: which pixels each output reads, with which shares."""

    def __init__(self, transforms: Array, shape: tuple[int, ...], height: int, width: int, interpolation: str, fill_mode: str) -> None:
        x, y = np.arange(width, dtype=FLOAT), np.arange(height, dtype=FLOAT)[:, None]
        left, top, _, self.nowhere = _points(transforms.astype(FLOAT)[:, :, None, None], x, y, _ARRAYS)
        self.shape = shape
        self.x = self._map_places(left, shape[2], fill_mode)
        self.y = self._map_places(top, shape[1], fill_mode)
        self.whole = interpolation == "NEAREST"

    @staticmethod
    def _map_places(at: Array, size: int, fill_mode: str) -> Array:
        mapped: Array = _clamp(_bring_in(at, FLOAT(size), fill_mode, _ARRAYS)[0], FLOAT(size), fill_mode, _ARRAYS).astype(FLOAT)
        return mapped

    def corners(self) -> list[list[tuple[Array, Array, Array]]]:
        """Two by two: the number of a pixel in its image, whether there is one, and its share in its line."""
        if self.whole:
            row, column = (np.copysign(np.floor(np.abs(at) + FLOAT(0.5)), at) for at in (self.y, self.x))
            return [[(*self._number(row, column), np.ones_like(row))]]
        top, left = np.floor(self.y), np.floor(self.x)
        shares = left + 1 - self.x, self.x - left
        return [[(*self._number(row, left + k), shares[k]) for k in (0, 1)] for row in (top, top + 1)]

    def lines(self) -> tuple[Array, ...]:
        """The shares of the lines."""
        if self.whole:
            return (np.ones_like(self.y),)
        top = np.floor(self.y)
        return top + 1 - self.y, self.y - top

    def lines_of(self, count: int, margin: int) -> tuple[Array, Array]:
        """The points of `count` images line by line, in images with a margin around them."""
        height, width = self.y.shape[1:]
        y, x = (np.broadcast_to(at + FLOAT(margin), (count, height, width)) for at in (self.y, self.x))
        return y.reshape(count * height, width), x.reshape(count * height, width)

    def _number(self, row: Array, column: Array) -> tuple[Array, Array]:
        _, height, width, _ = self.shape
        there = (row >= 0) & (row < height) & (column >= 0) & (column < width) & ~self.nowhere
        row, column = (np.where(there, at, 0).astype(np.intp) for at in (row, column))
        return row * width + column, there


def _check(transforms: Array, batch: int) -> None:
    if transforms.ndim != 2 or transforms.shape[1] != 8 or len(transforms) not in (1, batch):
        raise invalid_argument(f"Input transform should be num_images x 8 or 1 x 8, not {show(transforms.shape)}")


def _transform(
    images: Array, transforms: Array, output_shape: Array, fill_value: Any = 0.0, *, interpolation: str, fill_mode: str = "CONSTANT"
) -> Array:
    interpolation, fill_mode = _words(interpolation, fill_mode)
    check_images(images.shape, "input images")
    _check(transforms, len(images))
    if output_shape.shape != (2,):
        raise invalid_argument(
            f"output shape must be 1-dimensional with two values (new_height, new_width), got {show(output_shape.shape)}"
        )
    if np.ndim(fill_value):
        raise invalid_argument(f"fill_value must be a scalar, not {show(np.shape(fill_value))}")
    height, width = int(output_shape[0]), int(output_shape[1])
    if height <= 0 or width <= 0:
        raise invalid_argument(f"output dimensions must be positive, not {height} x {width}")
    if interpolation == "BILINEAR":
        found = project_loops.transform_images(images, transforms, height, width, float(fill_value), fill_mode)
        if found is not None:
            return found
    reading = _Reading(transforms, images.shape, height, width, interpolation, fill_mode)
    if not reading.whole and images.dtype.kind not in "iu":
        return _interpolate(images, reading, FLOAT(fill_value), fill_mode)
    lines = [_line(images, corners, FLOAT(fill_value), reading.whole) for corners in reading.corners()]
    if reading.whole:
        return lines[0]
    high = reading.lines()
    total: Array = lines[0] * high[0][..., None] + lines[1] * high[1][..., None]
    total[np.broadcast_to(reading.nowhere, total.shape[:3])] = fill_value
    out: Array = total.astype(images.dtype)
    return out


def _interpolate(images: Array, reading: _Reading, fill: Any, fill_mode: str) -> Array:
    """Floating images between their pixels; with what is filled in as a frame around them, so that it is mixed with their edges."""
    margin = int(fill_mode == "CONSTANT")
    if margin:
        images = np.pad(images, [(0, 0), (1, 1), (1, 1), (0, 0)], constant_values=fill)
    count, (height, width) = len(images), reading.y.shape[1:]
    y, x = reading.lines_of(count, margin)
    out = read(images, np.repeat(np.arange(count), height), y, x).reshape(count, height, width, images.shape[3])
    lies = are_inside(images.shape, y, x).reshape(out.shape[:3])
    beyond = np.broadcast_to(reading.nowhere, out.shape[:3]) | ~lies
    if beyond.any():
        out[beyond] = fill
    return out


def _line(images: Array, corners: Any, fill: Any, whole: bool) -> Array:
    """What lies on one line of pixels: the pixels there, or what is filled in, by their shares."""
    total: Any = 0
    for number, there, share in corners:
        value: Array = np.where(there[..., None], _pixels(images, number), fill.astype(images.dtype))
        if whole:
            return value
        total = total + share[..., None] * value.astype(FLOAT, copy=False)
    found: Array = total
    return found


def _pixels(images: Array, number: Array) -> Array:
    count, depth = len(images), images.shape[3]
    flat = images.reshape(-1, depth)
    if not flat.size:
        return np.zeros((count, *number.shape[1:], depth), images.dtype)
    found: Array = flat.take(np.arange(count)[:, None, None] * (images.shape[1] * images.shape[2]) + number, axis=0)
    return found


def _transform_grad(grads: Array, transforms: Array, shape: Array, *, interpolation: str, fill_mode: str = "CONSTANT") -> Array:
    interpolation, fill_mode = _words(interpolation, fill_mode)
    sizes = tuple(int(n) for n in shape)
    check_images(grads.shape, "gradients")
    _check(transforms, len(grads))
    reading = _Reading(transforms, sizes, grads.shape[1], grads.shape[2], interpolation, fill_mode)
    if not reading.whole:
        return _interpolated_grad(grads, sizes, reading, fill_mode)
    first = np.arange(len(grads))[:, None, None] * (sizes[1] * sizes[2])
    size = int(np.prod(sizes, dtype=np.int64))
    total = np.zeros(size)
    for corners, high in zip(reading.corners(), reading.lines(), strict=True):
        for number, there, wide in corners:
            places = ((first + number)[..., None] * sizes[3] + np.arange(sizes[3])).ravel()
            total += np.bincount(places, (grads * (high * wide * there)[..., None]).ravel(), size)
    out: Array = total.reshape(sizes).astype(grads.dtype)
    return out


def _interpolated_grad(grads: Array, shape: tuple[int, ...], reading: _Reading, fill_mode: str) -> Array:
    """The adjoint of `_interpolate`: what falls on the frame is dropped."""
    margin = int(fill_mode == "CONSTANT")
    count, height, width, depth = grads.shape
    grads = np.where(np.broadcast_to(reading.nowhere, grads.shape[:3])[..., None], grads.dtype.type(0), grads)
    framed = (count, shape[1] + 2 * margin, shape[2] + 2 * margin, depth)
    y, x = reading.lines_of(count, margin)
    found = spread(grads.reshape(count * height, width, depth), np.repeat(np.arange(count), height), y, x, framed)
    return np.ascontiguousarray(found[:, margin : margin + shape[1], margin : margin + shape[2]])


def _words(interpolation: Any, fill_mode: Any) -> tuple[str, str]:
    words = [w.decode() if isinstance(w, bytes) else w for w in (interpolation, fill_mode)]
    check_one_of(words[0], INTERPOLATIONS, "interpolation")
    check_one_of(words[1], FILL_MODES, "fill_mode")
    return words[0], words[1]


def _type(images: Any, transforms: Any, output_shape: Any, interpolation: str, fill_mode: str) -> TensorType:
    _words(interpolation, fill_mode)
    check_images(images.dims, "input images")
    match_dims("2", output_shape)
    batch, depth = (images.dims[0], images.dims[3]) if images.dims is not None else (None, None)
    height, width = made_sizes(output_shape, 2)
    return TensorType((batch, height, width, depth), images.dtype)


# ---- rules


def _pull_to_image(g: Any, images_type: Any, transforms: Any, interpolation: str, fill_mode: str) -> Any:
    return PROJECT_GRAD(g, transforms, shape_of(images_type), interpolation=interpolation, fill_mode=fill_mode)


def _pull_to_transforms(g: Any, images: Any, transforms: Any, interpolation: str, fill_mode: str, fill_value: Any = 0.0) -> Any:
    """How the sum of g times the outputs moves with the transforms: by the slope of the image where each output reads it."""
    interpolation, fill_mode = _words(interpolation, fill_mode)
    if interpolation == "NEAREST":
        return zeros_of(transforms)
    sizes, outs = shape_of(images), shape_of(g)
    x, y = cast(_range(outs[2]), float32), cast(_range(outs[1]), float32)[:, None]
    left, top, divisor, nowhere = _points(reshape(transforms, [-1, 8, 1, 1]), x, y, _TENSORS)
    if fill_mode == "CONSTANT":
        images = pad(images - cast(fill_value, images.dtype), [[0, 0], [1, 1], [1, 1], [0, 0]])
    margin = 1.0 if fill_mode == "CONSTANT" else 0.0
    spots, moves = [], []
    for at, size in ((top, sizes[1]), (left, sizes[2])):
        count = cast(size, float32)
        free, sign = _bring_in(at, count, fill_mode, _TENSORS)
        held = _clamp(free, count, fill_mode, _TENSORS)
        spots.append(reshape(held + margin + zeros_of(reduce_sum(cast(g, float32), 3)), stack([outs[0], outs[1] * outs[2]])))
        moves.append(cast(held == free, float32) * sign)
    flat = reshape(g, stack([outs[0], outs[1] * outs[2], outs[3]]))
    grid = stack([outs[0], outs[1], outs[2]])
    index = _range(outs[0])
    alive = where(nowhere, 0.0, 1.0)
    down = reshape(slope(flat, images, index, spots[0], spots[1], 1, 0), grid) * moves[0] * alive / divisor
    across = reshape(slope(flat, images, index, spots[0], spots[1], 0, 1), grid) * moves[1] * alive / divisor
    away = -(down * top + across * left)
    parts = [across * x, across * y, across, down * x, down * y, down, away * x, away * y]
    return sum_to(stack([reduce_sum(part, [1, 2]) for part in parts], axis=1), transforms)


def _fill_share(g: Any, images_type: Any, transforms: Any, interpolation: str, fill_mode: str) -> Any:
    """By the fill value: what of g falls on no pixel."""
    ones = zeros_of(images_type) + 1
    shape = shape_of(g)[1:3]
    share = PROJECT_V2(ones, transforms, shape, interpolation=interpolation, fill_mode=fill_mode)
    return cast(reduce_sum(g * (1 - share)), float32)


def _rows(first: str) -> Any:
    """Images of all rows are one batch; so are transforms, unless one is for all images."""

    def rule(rows: Rows, images: Any, transforms: Any, *others: Any, **attrs: Any) -> Batched:
        count = rows.shape(transforms)[0]
        if rows.has(*others) or isinstance(count, Tensor) or (rows.has(transforms) and count == 1 and rows.shape(images)[0] != 1):
            return NotImplemented
        every = rows.fold(transforms) if rows.has(transforms) or count != 1 else transforms
        if first == "grads":  # the shape that is asked for has so many images, for one row
            (shape,) = others
            others = (join_vectors([times(rows.count(), shape[0])], cut_start(shape, 1)),)
        return unfold_rows(rows, rows.op(rows.fold(images), every, *others, **attrs))

    return rule


PROJECT_V2: Op = define(
    "ImageProjectiveTransformV2",
    "images:dtype transforms:float32 output_shape:int32",
    lambda images, transforms, output_shape, *, interpolation, fill_mode="CONSTANT": _type(
        images, transforms, output_shape, interpolation, fill_mode
    ),
    _transform,
    {
        "images": _pull_to_image,
        "transforms": lambda g, images, transforms, interpolation, fill_mode: _pull_to_transforms(
            g, images, transforms, interpolation, fill_mode
        ),
    },
    dtypes={"dtype": PIXELS},
    batch=_rows("images"),
)
PROJECT_V3: Op = define(
    "ImageProjectiveTransformV3",
    "images:dtype transforms:float32 output_shape:int32 fill_value:float32",
    lambda images, transforms, output_shape, fill_value, *, interpolation, fill_mode="CONSTANT": _type(
        images, transforms, output_shape, interpolation, fill_mode
    ),
    _transform,
    {
        "images": _pull_to_image,
        "transforms": lambda g, images, transforms, fill_value, interpolation, fill_mode: _pull_to_transforms(
            g, images, transforms, interpolation, fill_mode, fill_value
        ),
        "fill_value": _fill_share,
    },
    dtypes={"dtype": PIXELS},
    batch=_rows("images"),
)
PROJECT_GRAD: Op = define(
    "ImageProjectiveTransformGrad",
    "grads:dtype transforms:float32 shape:int32",
    lambda grads, transforms, shape, *, interpolation, fill_mode="CONSTANT": TensorType(dims_in(shape) or (None,) * 4, grads.dtype),
    _transform_grad,
    {
        "grads": lambda g, grads_type, transforms, attrs: PROJECT_V2(g, transforms, shape_of(grads_type)[1:3], **attrs),
        "transforms": lambda g, grads, transforms, interpolation, fill_mode: _pull_to_transforms(
            grads, g, transforms, interpolation, fill_mode
        ),
    },
    dtypes={"dtype": FLOATING},
    batch=_rows("grads"),
)
