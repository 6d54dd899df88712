"""How colours are lowered for the engine: a pixel is three forms, one for each channel, written side by side at the end."""

from __future__ import annotations

from typing import Any

from .array import joined
from .reduce import wide


def _channels(steps: Any, images: Any) -> list[Any]:
    """The three channels of pixels, in float32 where they are narrower."""
    x, last = wide(steps, images), len(images.dims) - 1
    rows = tuple((0, ((i, 1),)) for i in range(last))
    return [steps.affine(x, images.dims[:-1], (*rows, (i, ()))) for i in range(3)]


def _pixels(steps: Any, channels: list[Any], images: Any) -> Any:
    parts = [steps.cast(steps.reshape(c, (*c.dims, 1)), images.dtype) for c in channels]
    return joined(steps, parts, len(images.dims) - 1)


def _hsv(steps: Any, rgb: list[Any]) -> list[Any]:
    r, g, b = rgb
    value = steps.max(steps.max(r, g), b)
    spread = value - steps.min(steps.min(r, g), b)
    lit, coloured = steps.compare("gt", value, 0), steps.compare("gt", spread, 0)
    saturation = steps.select(lit, spread / steps.select(lit, value, 1), 0)
    unit = 1.0 / (steps.select(coloured, spread, 1) * 6.0)
    by_blue = unit * (r - g) + 4 / 6
    by_green = unit * (b - r) + 2 / 6
    hue = steps.select(steps.compare("eq", r, value), unit * (g - b), steps.select(steps.compare("eq", g, value), by_green, by_blue))
    hue = steps.select(coloured, hue, 0)
    return [steps.select(steps.compare("lt", hue, 0), hue + 1.0, hue), saturation, value]


def _shares(steps: Any, hue: Any) -> list[Any]:
    """How far each channel lies from the smallest to the largest."""
    turn = hue * 6.0
    free = (steps.abs(turn - 3.0) - 1.0, 2.0 - steps.abs(turn - 2.0), 2.0 - steps.abs(turn - 4.0))
    return [steps.min(steps.max(share, 0), 1) for share in free]


def _rgb(steps: Any, hue: Any, saturation: Any, value: Any) -> list[Any]:
    return [(1.0 - saturation + saturation * share) * value for share in _shares(steps, hue)]


def rgb_to_hsv(steps: Any, images: Any) -> Any:
    """RGBToHSV."""
    return _pixels(steps, _hsv(steps, _channels(steps, images)), images)


def hsv_to_rgb(steps: Any, images: Any) -> Any:
    """HSVToRGB."""
    return _pixels(steps, _rgb(steps, *_channels(steps, images)), images)


def contrast(steps: Any, images: Any, contrast_factor: Any) -> Any:
    """AdjustContrastv2: away from each channel's mean, or towards it."""
    x, (height, width) = wide(steps, images), images.dims[-3:-1]
    if not images.size:
        return images
    mean = steps.reduce("sum", x, [-3, -2], True) / float(height * width)
    return steps.cast((x - mean) * contrast_factor + mean, images.dtype)


def hue(steps: Any, images: Any, delta: Any) -> Any:
    """AdjustHue."""
    rgb = _channels(steps, images)
    moved = _hsv(steps, rgb)[0] + delta
    least, most = (extreme(extreme(rgb[0], rgb[1]), rgb[2]) for extreme in (steps.min, steps.max))
    return _pixels(steps, [least + (most - least) * share for share in _shares(steps, moved - steps.floor(moved))], images)


def saturation(steps: Any, images: Any, scale: Any) -> Any:
    """AdjustSaturation."""
    hues, strength, value = _hsv(steps, _channels(steps, images))
    return _pixels(steps, _rgb(steps, hues, steps.min(steps.max(strength * scale, 0), 1), value), images)


__all__ = ["contrast", "hsv_to_rgb", "hue", "rgb_to_hsv", "saturation"]
