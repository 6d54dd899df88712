"""Colours: hue, saturation and value, and the operations that adjust contrast, hue and saturation.

TensorFlow has a gradient for `RGBToHSV` alone.  The others' are here too: each is smooth but for the edges between six hues, and an
adjusted colour is a colour taken to hue, saturation and value, moved, and brought back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import FLOATING, float16, float32
from ...base.errors import FailedPreconditionError
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import Tensor, TensorLike, TensorType
from ...kernels import blocked
from ...kernels.loops import f32, native_or_python
from ...ops.array.basic import ones_of
from ...ops.array.join import stack
from ...ops.array.type_rules import Array, invalid_argument
from ...ops.array.where import where
from ...ops.batching import stack_rows
from ...ops.lowering import colour as native_colour
from ...ops.math.arithmetic import floor
from ...ops.math.division import divide_no_nan
from ...ops.math.magnitude import abs as _abs, sign
from ...ops.math.saturate import clip_by_value
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import greater, greater_equal, less, less_equal, logical_and
from ...ops.reduce.reductions import reduce_mean, reduce_sum


def _pixels_type(images: Any) -> TensorType:
    dims = images.dims
    if dims is not None and not dims:
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "input must be at least 1D")
    if dims is not None and dims[-1] not in (3, None):
        raise ShapeError(f"Dimension must be 3 but is {dims[-1]}", f"input must have 3 channels but input has {dims[-1]} channels.")
    return TensorType(dims if dims is None else (*dims[:-1], 3), images.dtype)


def _widen(images: Array) -> Array:
    _pixels_type_of(images)
    return images.astype(np.float32) if images.dtype.itemsize < 4 else images


def _pixels_type_of(images: Array) -> None:
    if images.ndim < 1:
        raise invalid_argument("input must be at least 1D")
    if images.shape[-1] != 3:
        raise FailedPreconditionError(None, None, f"input must have 3 channels but input only has {images.shape[-1]} channels.")


def _to_hsv(rgb: Array) -> tuple[Array, Array, Array]:
    r, g, b = (rgb[..., i] for i in range(3))
    value = np.maximum(np.maximum(r, g), b)
    spread = value - np.minimum(np.minimum(r, g), b)
    one = rgb.dtype.type(1)
    saturation = np.where(value > 0, spread / np.where(value > 0, value, one), 0)
    unit = one / (6 * np.where(spread > 0, spread, one))
    hue = np.where(
        r == value, unit * (g - b), np.where(g == value, unit * (b - r) + rgb.dtype.type(2 / 6), unit * (r - g) + rgb.dtype.type(4 / 6))
    )
    hue = np.where(spread > 0, hue, 0)
    return np.where(hue < 0, hue + one, hue), saturation, value


def _shares(hue: Array) -> list[Array]:
    """How far each channel lies from the smallest to the largest."""
    turn = hue * 6
    return [np.clip(share, 0, 1) for share in (np.abs(turn - 3) - 1, 2 - np.abs(turn - 2), 2 - np.abs(turn - 4))]


def _to_rgb(hue: Array, saturation: Array, value: Array) -> Array:
    return np.stack([(1 - saturation + saturation * share) * value for share in _shares(hue)], axis=-1)


def _rgb_to_hsv(images: Array) -> Array:
    return np.stack(_to_hsv(_widen(images)), axis=-1).astype(images.dtype, copy=False)


def _hsv_to_rgb(images: Array) -> Array:
    wide = _widen(images)
    return _to_rgb(wide[..., 0], wide[..., 1], wide[..., 2]).astype(images.dtype, copy=False)


# ---- rules: pixels as their three channels


def _split(x: Any) -> list[Any]:
    return [x[..., i] for i in range(3)]


def _ranks(images: Any) -> tuple[list[Any], list[Any]]:
    """For each channel 1 where it is the largest, and where it is the smallest; TensorFlow's choice among equal ones."""
    r, gr, b = _split(images)

    def cast_both(p: Any, q: Any) -> Any:
        return cast(logical_and(p, q), images.dtype)

    big = [
        cast_both(greater_equal(r, b), greater_equal(r, gr)),
        cast_both(greater(gr, r), greater_equal(gr, b)),
        cast_both(greater(b, r), greater(b, gr)),
    ]
    small = [cast_both(less(r, b), less(r, gr)), cast_both(less_equal(gr, r), less(gr, b)), cast_both(less_equal(b, r), less_equal(b, gr))]
    return big, small


def _pick_channel(ranks: list[Any], channels: list[Any]) -> Tensor:
    return sum(rank * channel for rank, channel in zip(ranks, channels, strict=True))


def _hue_slopes(channels: list[Any], big: list[Any], small: list[Any], unit: Any) -> list[Any]:
    """How the hue moves with each channel; unit: 1 / (largest - smallest), 0 where there is no hue."""
    r, gr, b = channels
    ahead = big[0] * (gr - b) + big[1] * (b - r) + big[2] * (r - gr)
    bends = [(small[i] - big[i]) * ahead * unit * unit + (big[i - 1] - big[i - 2]) * unit for i in range(3)]
    return [bend / 6.0 for bend in bends]


def _hsv_rule(g: Any, images: Any) -> Tensor:
    """The largest and the smallest channel make value and saturation, all three the hue."""
    channels = _split(images)
    big, small = _ranks(images)
    most, least = _pick_channel(big, channels), _pick_channel(small, channels)
    g_hue, g_saturation, g_value = _split(g)
    lit = cast(most > 0.0, images.dtype)
    near = divide_no_nan(lit, most)
    hues = _hue_slopes(channels, big, small, divide_no_nan(lit, most - least))
    found = []
    for i, channel in enumerate(channels):
        saturation = cast(channel > 0.0, images.dtype) * (big[i] * least * near * near - small[i] * near)
        found.append(g_value * big[i] + g_saturation * saturation + g_hue * hues[i])
    return stack(found, axis=-1)


def _waves(hue: Any) -> list[tuple[Any, Any]]:
    """The share of each channel, and how it moves with the hue."""
    turn = hue * 6.0
    found = []
    for at, way, base in ((turn - 3.0, 1.0, -1.0), (turn - 2.0, -1.0, 2.0), (turn - 4.0, -1.0, 2.0)):
        free = base + way * _abs(at)
        moving = cast(logical_and(greater(free, 0.0), less(free, 1.0)), hue.dtype)
        found.append((clip_by_value(free, 0.0, 1.0), moving * (6.0 * way) * sign(at)))
    return found


def _rgb_rule(g: Any, images: Any) -> Any:
    """Each channel is value * (1 - saturation + saturation * share), its share a function of the hue."""
    hue, saturation, value = _split(images)
    by_hue = by_saturation = by_value = 0.0
    for g_channel, (share, slope) in zip(_split(g), _waves(hue), strict=True):
        by_hue = by_hue + g_channel * value * saturation * slope
        by_saturation = by_saturation + g_channel * value * (share - 1.0)
        by_value = by_value + g_channel * (1.0 - saturation + saturation * share)
    return stack([by_hue, by_saturation, by_value], axis=-1)


RGB_TO_HSV: Op = define(
    "RGBToHSV",
    "images:T=float32",
    _pixels_type,
    blocked.allow_native(_rgb_to_hsv),
    {"images": _hsv_rule},
    dtypes=FLOATING,
    batch=stack_rows(),
    lower=native_colour.rgb_to_hsv,
    gradient_names="Add_22",
)
HSV_TO_RGB: Op = define(
    "HSVToRGB",
    "images:T=float32",
    _pixels_type,
    blocked.allow_native(_hsv_to_rgb),
    {"images": _rgb_rule},
    dtypes=FLOATING,
    batch=stack_rows(),
    lower=native_colour.hsv_to_rgb,
)


# ---- adjustments


def _adjusted_type(images: Any, factor: Any) -> TensorType:
    if images.dims is not None and len(images.dims) < 3:
        raise ShapeError(f"Shape must be at least rank 3 but is rank {len(images.dims)}", f"input must be at least 3-D{show(images.dims)}")
    if factor.dims is not None and factor.dims != ():
        raise ShapeError(f"Shape must be rank 0 but is rank {len(factor.dims)}", f"factor must be scalar: {show(factor.dims)}")
    return TensorType(images.dims, images.dtype)


def _colours_type(images: Any, factor: Any) -> TensorType:
    _adjusted_type(images, factor)
    return _pixels_type(images)


def _check(images: Array, factor: Array, name: str) -> Array:
    if images.ndim < 3:
        raise invalid_argument(f"input must be at least 3-D, got shape{show(images.shape)}")
    if factor.ndim:
        raise invalid_argument(f"{name} must be scalar: {show(factor.shape)}")
    return images.astype(np.float32, copy=False)


def _move_from_mean(
    x: Array, out: Array, sums: Array, means: Array, images: int, height: int, width: int, depth: int, factor: float
) -> int:
    """A loop (`kernels.loops`): numbers of images moved away from the mean of their channel, or towards it.

    It reads each image twice, while it is near the processor.
    """
    size = width * depth
    for image in range(images):
        first = image * height * size
        for j in range(size):
            sums[j] = x[first + j]
        for i in range(1, height):
            for j in range(size):
                sums[j] += x[first + i * size + j]
        for c in range(depth):
            total = sums[c] / f32(height)
            for j in range(1, width):
                total += sums[j * depth + c] / f32(height)
            means[c] = total / f32(width)
        for j in range(width):
            for c in range(depth):
                sums[j * depth + c] = means[c]
        for i in range(height):
            at = first + i * size
            for j in range(size):
                out[at + j] = (x[at + j] - sums[j]) * factor + sums[j]
    return 0


def _contrast(images: Array, contrast_factor: Array) -> Array:
    wide = _check(images, contrast_factor, "contrast_factor")
    if not images.size:
        return images.copy()
    height, width, depth = wide.shape[-3:]
    out, sums, means = np.empty(images.shape, np.float32), np.empty(width * depth, np.float32), np.empty(depth, np.float32)
    sizes = images.size // (height * width * depth), height, width, depth, float(contrast_factor)
    move = native_or_python(_move_from_mean, images.size)
    move(np.ascontiguousarray(wide).reshape(-1), out.reshape(-1), sums, means, *sizes)
    return out.astype(images.dtype, copy=False)


def _hue(images: Array, delta: Array) -> Array:
    wide = _check(images, delta, "delta")
    _pixels_type_of(images)
    moved = _to_hsv(wide)[0] + delta
    r, g, b = (wide[..., i] for i in range(3))
    least = np.minimum(np.minimum(r, g), b)
    spread = np.maximum(np.maximum(r, g), b) - least
    shares = _shares(moved - np.floor(moved))
    return np.stack([least + spread * share for share in shares], axis=-1).astype(images.dtype, copy=False)


def _saturation(images: Array, scale: Array) -> Array:
    wide = _check(images, scale, "scale")
    _pixels_type_of(images)
    hue, saturation, value = _to_hsv(wide)
    return _to_rgb(hue, np.clip(saturation * scale, 0, 1), value).astype(images.dtype)


def _pull_moved_hue(g: Any, images: Any, delta: Any) -> tuple[Any, Any]:
    """Each channel is smallest + (largest - smallest) * share: cotangents of the colours and of the hue."""
    channels = _split(images)
    big, small = _ranks(images)
    most, least = _pick_channel(big, channels), _pick_channel(small, channels)
    moved = RGB_TO_HSV(images - least[..., None])[..., 0] + cast(delta, images.dtype)
    by_hue = by_most = by_least = 0.0
    for g_channel, (share, slope) in zip(_split(g), _waves(moved - floor(moved)), strict=True):
        by_hue = by_hue + g_channel * (most - least) * slope
        by_most = by_most + g_channel * share
        by_least = by_least + g_channel * (1.0 - share)
    hues = _hue_slopes(channels, big, small, divide_no_nan(ones_of(most), most - least))
    return stack([by_most * big[i] + by_least * small[i] + by_hue * hues[i] for i in range(3)], axis=-1), by_hue


def _pull_moved_saturation(g: Any, images: Any, scale: Any) -> tuple[Any, Any]:
    """Cotangents of hue, saturation and value, and of the scale."""
    factor = cast(scale, images.dtype)
    hue, saturation, value = _split(RGB_TO_HSV(images))
    free = saturation * factor
    g_hue, g_saturation, g_value = _split(_rgb_rule(g, stack([hue, clip_by_value(free, 0.0, 1.0), value], axis=-1)))
    open_ = where(logical_and(greater_equal(free, 0.0), less_equal(free, 1.0)), g_saturation, 0)
    return stack([g_hue, open_ * factor, g_value], axis=-1), cast(reduce_sum(open_ * saturation), float32)


ADJUST_CONTRAST: Op = define(
    "AdjustContrastv2",
    "images:T=float32 contrast_factor:float32",
    _adjusted_type,
    _contrast,
    {
        "images": lambda g, contrast_factor: (
            (g - reduce_mean(g, [-3, -2], keepdims=True)) * cast(contrast_factor, g.dtype) + reduce_mean(g, [-3, -2], keepdims=True)
        ),
        "contrast_factor": lambda g, images: cast(reduce_sum(g * (images - reduce_mean(images, [-3, -2], keepdims=True))), float32),
    },
    dtypes={float16, float32},
    batch=stack_rows("images"),
    lower=native_colour.contrast,
)
ADJUST_HUE: Op = define(
    "AdjustHue",
    "images:T=float32 delta:float32",
    _colours_type,
    blocked.allow_native(_hue),
    {
        "images": lambda g, images, delta: _pull_moved_hue(g, images, delta)[0],
        "delta": lambda g, images, delta: cast(reduce_sum(_pull_moved_hue(g, images, delta)[1]), float32),
    },
    dtypes={float16, float32},
    batch=stack_rows("images"),
    lower=native_colour.hue,
)
ADJUST_SATURATION: Op = define(
    "AdjustSaturation",
    "images:T=float32 scale:float32",
    _colours_type,
    blocked.allow_native(_saturation),
    {
        "images": lambda g, images, scale: _hsv_rule(_pull_moved_saturation(g, images, scale)[0], images),
        "scale": lambda g, images, scale: _pull_moved_saturation(g, images, scale)[1],
    },
    dtypes={float16, float32},
    batch=stack_rows("images"),
    lower=native_colour.saturation,
)


@export("image.rgb_to_hsv")
def rgb_to_hsv(images: TensorLike, name: str | None = None) -> Tensor:
    """Hue, saturation and value of colours, each in [0, 1].

    images: [..., 3], floating, red, green and blue in [0, 1].  Raises InvalidArgumentError (in graphs ValueError) where the last axis is
    not 3.  Formula: Smith, "Color gamut transform pairs" (1978).

    >>> tf.image.rgb_to_hsv([[0.0, 1.0, 0.0]]).numpy().round(4).tolist()
    [[0.33329999446868896, 1.0, 1.0]]
    """
    return RGB_TO_HSV(images, name=name)


@export("image.hsv_to_rgb")
def hsv_to_rgb(images: TensorLike, name: str | None = None) -> Tensor:
    """Colours from hue, saturation and value: what `rgb_to_hsv` undoes.

    images: [..., 3], floating, in [0, 1].  Differentiable, which TensorFlow's is not.  Raises InvalidArgumentError (in graphs ValueError)
    where the last axis is not 3.

    >>> tf.image.hsv_to_rgb([[0.5, 1.0, 0.5]]).numpy().tolist()
    [[0.0, 0.5, 0.5]]
    """
    return HSV_TO_RGB(images, name=name)
