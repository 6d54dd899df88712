"""How colours are lowered for the engine: a pixel is three expressions, one for each channel, written side by side at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .array import join_values
from .reduce import widen

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr


def _channels(builder: Builder, images: Any) -> list[Any]:
    """The three channels of pixels, in float32 where they are narrower."""
    x, last = widen(builder, images), len(images.dims) - 1
    rows = tuple((0, ((i, 1),)) for i in range(last))
    return [builder.affine(x, images.dims[:-1], (*rows, (i, ()))) for i in range(3)]


def _pixels(builder: Builder, channels: list[Any], images: Any) -> IndexExpr:
    parts = [builder.cast(builder.reshape(c, (*c.dims, 1)), images.dtype) for c in channels]
    return join_values(builder, parts, len(images.dims) - 1)


def _hsv(builder: Builder, rgb: list[Any]) -> list[Any]:
    r, g, b = rgb
    value = builder.max(builder.max(r, g), b)
    spread = value - builder.min(builder.min(r, g), b)
    lit, coloured = builder.compare("gt", value, 0), builder.compare("gt", spread, 0)
    saturation = builder.select(lit, spread / builder.select(lit, value, 1), 0)
    unit = 1.0 / (builder.select(coloured, spread, 1) * 6.0)
    by_blue = unit * (r - g) + 4 / 6
    by_green = unit * (b - r) + 2 / 6
    by_green_or_blue = builder.select(builder.compare("eq", g, value), by_green, by_blue)
    hue = builder.select(builder.compare("eq", r, value), unit * (g - b), by_green_or_blue)
    hue = builder.select(coloured, hue, 0)
    return [builder.select(builder.compare("lt", hue, 0), hue + 1.0, hue), saturation, value]


def _shares(builder: Builder, hue: Any) -> list[Any]:
    """How far each channel lies from the smallest to the largest."""
    turn = hue * 6.0
    free = (builder.abs(turn - 3.0) - 1.0, 2.0 - builder.abs(turn - 2.0), 2.0 - builder.abs(turn - 4.0))
    return [builder.min(builder.max(share, 0), 1) for share in free]


def _rgb(builder: Builder, hue: Any, saturation: Any, value: Any) -> list[Any]:
    return [(1.0 - saturation + saturation * share) * value for share in _shares(builder, hue)]


def rgb_to_hsv(builder: Builder, images: IndexExpr) -> IndexExpr:
    """RGBToHSV."""
    return _pixels(builder, _hsv(builder, _channels(builder, images)), images)


def hsv_to_rgb(builder: Builder, images: IndexExpr) -> IndexExpr:
    """HSVToRGB."""
    return _pixels(builder, _rgb(builder, *_channels(builder, images)), images)


def contrast(builder: Builder, images: IndexExpr, contrast_factor: IndexExpr) -> IndexExpr:
    """AdjustContrastv2: away from each channel's mean, or towards it."""
    x, (height, width) = widen(builder, images), images.dims[-3:-1]
    if not images.size:
        return images
    mean = builder.reduce("sum", x, [-3, -2], True) / float(height * width)
    return builder.cast((x - mean) * contrast_factor + mean, images.dtype)


def hue(builder: Builder, images: IndexExpr, delta: IndexExpr) -> IndexExpr:
    """AdjustHue."""
    rgb = _channels(builder, images)
    moved = _hsv(builder, rgb)[0] + delta
    least, most = (extreme(extreme(rgb[0], rgb[1]), rgb[2]) for extreme in (builder.min, builder.max))
    return _pixels(builder, [least + (most - least) * share for share in _shares(builder, moved - builder.floor(moved))], images)


def saturation(builder: Builder, images: IndexExpr, scale: IndexExpr) -> IndexExpr:
    """AdjustSaturation."""
    hues, strength, value = _hsv(builder, _channels(builder, images))
    return _pixels(builder, _rgb(builder, hues, builder.min(builder.max(strength * scale, 0), 1), value), images)
