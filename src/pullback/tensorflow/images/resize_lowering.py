"""How resized images are lowered for the engine: along one axis and then the other, each output a sum of a few weighted inputs.

Which inputs those are and their weights is known when a program is made (`image_taps`), so they are constants.  Along the height whole
rows are added; along the width and the channels, which are one axis for that, numbers are picked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ops.array.type_rules import Array
from .taps import Taps

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder


def resize(table: Callable[..., Taps]) -> Callable[..., Any]:
    """The lowering of a way of resizing with taps `table(size, out, ...)`: two at most, for more a sparse matrix is the quicker way."""

    def lower(builder: Any, images: Any, size: Any, *, align_corners: bool, half_pixel_centers: bool) -> Any:
        height, width = (int(n) for n in builder.get_constant(size))
        batch, rows, columns, channels = images.dims
        if 0 in (height, width) or not images.size or (align_corners and half_pixel_centers):
            raise builder.Unsupported("images without pixels")
        options = align_corners, half_pixel_centers
        down, across = table(rows, height, *options), table(columns, width, *options)
        if max(down.at.shape[1], across.at.shape[1]) > 2:
            raise builder.Unsupported("more than two pixels for each")
        x = builder.reshape(builder.cast(images, np.float32), (batch, rows, columns * channels))
        if len(down.at) <= rows:
            x = _sum_along_width(builder, _sum_along_height(builder, x, down), across, channels)
        else:
            x = _sum_along_height(builder, _sum_along_width(builder, x, across, channels), down)
        return builder.reshape(x, (batch, height, width, channels))

    return lower


def _sum_along_height(builder: Builder, x: Any, taps: Taps) -> Any:
    return x if taps.identical else _sum_taps(builder, builder.memory(x), 1, taps.at, taps.weights)


def _sum_along_width(builder: Builder, x: Any, taps: Taps, channels: int) -> Any:
    if taps.identical:
        return x
    at = (taps.at[:, None] * channels + np.arange(channels)[:, None]).reshape(-1, taps.at.shape[1])
    return _sum_taps(builder, builder.memory(x), 2, at, np.repeat(taps.weights, channels, axis=0))


def _sum_taps(builder: Builder, x: Any, axis: int, at: Array, weights: Array) -> Any:
    """The weighted sums along one of three axes; what has no weight does not count, infinite or not."""
    dims = tuple(len(at) if i == axis else n for i, n in enumerate(x.dims))
    places = tuple((0, ()) if i == axis else (0, ((i, 1),)) for i in range(3))
    along = ((0, ((axis, 1),)),)
    total = None
    for k in range(at.shape[1]):
        index = builder.affine(builder.constant(np.ascontiguousarray(at[:, k], np.int32)), dims, along)
        weight = builder.affine(builder.constant(np.ascontiguousarray(weights[:, k], np.float32)), dims, along)
        term = builder.gather(x, dims, places, tuple(index if i == axis else None for i in range(3))) * weight
        if not weights[:, k].all():
            term = builder.select(builder.compare("ne", weight, 0), term, 0)
        total = term if total is None else total + term
    return total
