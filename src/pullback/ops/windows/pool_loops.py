"""Pools that move by one point, as plain loops that run natively where they can: down the rows of a window first, then across.

A whole row of outputs needs a pass over the rows that its windows see and one over what that leaves, which stays in the nearest cache: for
a window of 3 x 3 six reads of a number instead of nine, and next to each other.  Sums are in the order of `pool_kernels`, to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernels import parallel
from ...kernels.loops import native_loop, unroll
from ...kernels.native_loops import LEAST_ENTRIES
from ..array.type_rules import Array
from .pool_kernels import lowest_value
from .windows import Window

#: The widest window that is written out, and how many numbers of the images are a task.
_MOST, _TASK = 8, 1 << 17


def pool(
    out: Array, line: Array, shares: Array, x: Array, fill: Array, images: int, height: int, width: int, rows: int, columns: int, top: int,
    left: int, span: int, channels: int, *, tall: int, wide: int, mean: int,
) -> int:  # fmt: skip
    """The maxima or means of windows of `tall` x `wide` points, one step apart, on images [images, height, width, channels], all flat.

    fill: what stands in the padding (0, or what every number beats), and one.  line: room for a row of the padded images, of which `span`
    numbers are the image's; it holds the padding.  shares: room for a row of outputs.  top, left: how far the first window begins before
    the image.
    """
    known = 0
    for b in range(images):
        for i in range(rows):
            first = i - top
            at = (b * height + first) * width * channels
            if first >= 0 and first + tall <= height:
                for e in range(span):
                    total = x[at + e]
                    for k in unroll(tall - 1):
                        v = x[at + (k + 1) * width * channels + e]
                        if mean:
                            total = total + v
                        else:
                            total = v if v > total or v != v else total  # noqa: PLR0124  # NaN
                    line[left * channels + e] = total
            else:
                for e in range(span):
                    line[left * channels + e] = fill[0]
                for k in range(tall):
                    begin = at + k * width * channels
                    if first + k >= 0 and first + k < height:
                        for e in range(span):
                            total = line[left * channels + e]
                            v = x[begin + e]
                            if mean:
                                line[left * channels + e] = total + v
                            else:
                                line[left * channels + e] = v if v > total or v != v else total  # noqa: PLR0124
            points = min(first + tall, height) - max(first, 0)
            if mean and points != known:
                known = points
                for j in range(columns):
                    share = fill[1] / (points * (min(j - left + wide, width) - max(j - left, 0)))
                    for c in range(channels):
                        shares[j * channels + c] = share
            to = (b * rows + i) * columns * channels
            for e in range(columns * channels):
                total = line[e]
                for k in unroll(wide - 1):
                    v = line[(k + 1) * channels + e]
                    if mean:
                        total = total + v
                    else:
                        total = v if v > total or v != v else total  # noqa: PLR0124
                out[to + e] = total * shares[e] if mean else total
    return 0


def pool_natively(x: Array, windows: Sequence[Window], mean: bool) -> Array | None:
    """The maxima or means of windows, found natively; None where there is no code for it, or none that pays."""
    image = _image(x, windows)
    if image is None:
        return None
    (images, height, width, channels), (over_rows, over_columns) = image
    code = native_loop(pool, x.size)
    if code is None:
        return None
    tall, wide = over_rows.size, over_columns.size
    out = np.empty((images, over_rows.out, over_columns.out, channels), x.dtype)
    padded = over_columns.out - 1 + wide
    span = min(width, padded - over_columns.before) * channels
    fill = np.array([0 if mean else lowest_value(x.dtype), 1], x.dtype)
    sizes = height, width, over_rows.out, over_columns.out, over_rows.before, over_columns.before, span, channels
    kind = {"tall": tall, "wide": wide, "mean": int(mean)}
    flat = x.reshape(images, -1)
    step = images if parallel.threads() == 1 else max(_TASK // (height * width * channels), 1)
    undone: list[int] = []

    def pool_some(i: int) -> None:
        at = slice(i * step, (i + 1) * step)
        line, shares = _lines(padded * channels, over_columns.out * channels, fill[0])
        part, to = flat[at], out[at]
        if code(to.reshape(-1), line, shares, part.reshape(-1), fill, len(part), *sizes, **kind) is None:
            undone.append(i)

    parallel.run(pool_some, -(-images // step))
    return None if undone else out.reshape([w.out for w in windows])


def _lines(padded: int, row: int, fill: Any) -> tuple[Array, Array]:
    """Room for a padded row that begins where a line of the cache does, filled, and for a row of outputs."""
    item = fill.itemsize
    room = np.empty(padded + row + 64 // item, fill.dtype)
    start = -room.ctypes.data % 64 // item
    room[start : start + padded] = fill
    return room[start : start + padded], room[start + padded :]


def _image(x: Array, windows: Sequence[Window]) -> tuple[tuple[int, int, int, int], tuple[Window, Window]] | None:
    """Batch, height, width and channels, and the windows over height and width, where these are all that there is and overlap."""
    if x.size < LEAST_ENTRIES or x.dtype.char not in "fd" or not (x.flags.c_contiguous and x.dtype.isnative) or x.ndim != 4:
        return None
    at = 2 if windows[1].size == windows[1].stride == 1 else 1  # channels first or last
    down, across = windows[at], windows[at + 1]
    others = [w for i, w in enumerate(windows) if i not in (at, at + 1)]
    if not all(w.size == w.stride == 1 and not w.before and not w.after for w in others) or 0 in (down.out, across.out):
        return None
    if down.stride > 1 or across.stride > 1 or down.size * across.size == 1:
        return None
    if not all(w.size <= _MOST and w.before < w.size and w.after < w.size for w in (down, across)):
        return None
    n, a, b, c = x.shape
    return ((n * a, b, c, 1) if at == 2 else (n, a, b, c)), (down, across)
