"""Crops, their gradients, and frames of boxes, as loops (`kernels.loops`).

Where a crop's columns lie on an image is worked out once for each box: `left` and `right` of the two pixels beside a point, as places in a
row, -1 for a point beyond the image, and `share`, how far the point is from the left one.

`depth` is the number of channels where it is small (the code is made for it), else 0, and `channels` says it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels import blocked, parallel
from ...kernels.loops import Array, ceil, f32, floor, native_or_python, unroll

_FLOAT = np.float32
_SMALL = 4


def point(low: float, high: float, size: int, count: int, i: int) -> float:
    """Where point i of so many between two ends lies on an axis of `size` pixels."""
    reach = f32(size - 1)
    if count == 1:
        at: float = 0.5 * (low + high) * reach
    else:
        at = low * reach + i * ((high - low) * reach / f32(count - 1))
    return at


def place_columns(low: float, high: float, columns: int, width: int, channels: int, left: Array, right: Array, share: Array) -> int:
    """Fill the table of a crop's columns."""
    for i in range(width):
        x = point(low, high, columns, width, i)
        if x >= 0.0 and x <= f32(columns - 1):
            left[i] = int(floor(x)) * channels
            right[i] = int(ceil(x)) * channels
            share[i] = x - floor(x)
        else:
            left[i] = -1
    return 0


def lerp(a: float, b: float, share: float) -> float:
    """What lies at a share of the way from a to b."""
    return a + (b - a) * share


def crop(
    images: Array, boxes: Array, index: Array, out: Array, first: int, last: int, height: int, width: int, rows: int, columns: int,
    channels: int, fill: float, left: Array, right: Array, share: Array, *, depth: int,
) -> int:
    """The crops of boxes from `first` to before `last`, each point between four pixels."""
    for box in range(first, last):
        place_columns(boxes[4 * box + 1], boxes[4 * box + 3], columns, width, channels, left, right, share)
        image = index[box] * rows * columns * channels
        for i in range(height):
            y = point(boxes[4 * box], boxes[4 * box + 2], rows, height, i)
            to = (box * height + i) * width * channels
            if y >= 0.0 and y <= f32(rows - 1):
                below = y - floor(y)
                top = image + int(floor(y)) * columns * channels
                bottom = image + int(ceil(y)) * columns * channels
                for j in range(width):
                    at = to + j * channels
                    if left[j] < 0:
                        for c in range(channels):
                            out[at + c] = fill
                        continue
                    a = top + left[j]
                    b = top + right[j]
                    d = bottom + left[j]
                    e = bottom + right[j]
                    beside = share[j]
                    if depth > 0:
                        for c in unroll(depth):
                            above = lerp(f32(images[a + c]), f32(images[b + c]), beside)
                            out[at + c] = lerp(above, lerp(f32(images[d + c]), f32(images[e + c]), beside), below)
                    else:
                        for c in range(channels):
                            above = lerp(f32(images[a + c]), f32(images[b + c]), beside)
                            out[at + c] = lerp(above, lerp(f32(images[d + c]), f32(images[e + c]), beside), below)
            else:
                for k in range(width * channels):
                    out[to + k] = fill
    return 0


def spread(
    grads: Array, boxes: Array, index: Array, out: Array, first: int, last: int, height: int, width: int, rows: int, columns: int,
    channels: int, left: Array, right: Array, share: Array, *, depth: int,
) -> int:
    """The adjoint of `crop`: shares of each point's gradient, added to its four pixels in `out`."""
    for box in range(first, last):
        place_columns(boxes[4 * box + 1], boxes[4 * box + 3], columns, width, channels, left, right, share)
        image = index[box] * rows * columns * channels
        for i in range(height):
            y = point(boxes[4 * box], boxes[4 * box + 2], rows, height, i)
            if y >= 0.0 and y <= f32(rows - 1):
                below = y - floor(y)
                top = image + int(floor(y)) * columns * channels
                bottom = image + int(ceil(y)) * columns * channels
                for j in range(width):
                    if left[j] < 0:
                        continue
                    at = ((box * height + i) * width + j) * channels
                    a = top + left[j]
                    b = top + right[j]
                    d = bottom + left[j]
                    e = bottom + right[j]
                    beside = share[j]
                    if depth > 0:
                        for c in unroll(depth):
                            add(grads[at + c], out, a + c, b + c, d + c, e + c, below, beside)
                    else:
                        for c in range(channels):
                            add(grads[at + c], out, a + c, b + c, d + c, e + c, below, beside)
    return 0


def add(g: float, out: Array, a: int, b: int, d: int, e: int, below: float, beside: float) -> int:
    """Add g to four pixels by their shares."""
    above = (1.0 - below) * g
    out[a] += (1.0 - beside) * above
    out[b] += beside * above
    under = below * g
    out[d] += (1.0 - beside) * under
    out[e] += beside * under
    return 0


def move_boxes(
    grads: Array, images: Array, boxes: Array, index: Array, out: Array, first: int, last: int, height: int, width: int,
    rows: int, columns: int, channels: int, left: Array, right: Array, share: Array, *, depth: int,
) -> int:
    """How the sum of `grads` times a crop moves with y1, x1, y2 and x2 of its box."""
    for box in range(first, last):
        place_columns(boxes[4 * box + 1], boxes[4 * box + 3], columns, width, channels, left, right, share)
        image = index[box] * rows * columns * channels
        y1 = 0.0
        x1 = 0.0
        y2 = 0.0
        x2 = 0.0
        for i in range(height):
            y = point(boxes[4 * box], boxes[4 * box + 2], rows, height, i)
            if y >= 0.0 and y <= f32(rows - 1):
                below = y - floor(y)
                top = image + int(floor(y)) * columns * channels
                bottom = image + int(ceil(y)) * columns * channels
                down = 0.0
                from_left = 0.0
                from_right = 0.0
                for j in range(width):
                    if left[j] < 0:
                        continue
                    at = ((box * height + i) * width + j) * channels
                    a = top + left[j]
                    b = top + right[j]
                    d = bottom + left[j]
                    e = bottom + right[j]
                    beside = share[j]
                    by_y = 0.0
                    by_x = 0.0
                    if depth > 0:
                        for c in unroll(depth):
                            p, q, r, s = f32(images[a + c]), f32(images[b + c]), f32(images[d + c]), f32(images[e + c])
                            by_y += grads[at + c] * ((r - p) * (1.0 - beside) + (s - q) * beside)
                            by_x += grads[at + c] * ((q - p) * (1.0 - below) + (s - r) * below)
                    else:
                        for c in range(channels):
                            p, q, r, s = f32(images[a + c]), f32(images[b + c]), f32(images[d + c]), f32(images[e + c])
                            by_y += grads[at + c] * ((r - p) * (1.0 - beside) + (s - q) * beside)
                            by_x += grads[at + c] * ((q - p) * (1.0 - below) + (s - r) * below)
                    part = f32(j) / f32(width - 1) if width > 1 else 0.5
                    down += by_y
                    from_left += by_x * (1.0 - part)
                    from_right += by_x * part
                part = f32(i) / f32(height - 1) if height > 1 else 0.5
                y1 += down * (1.0 - part)
                y2 += down * part
                x1 += from_left
                x2 += from_right
        out[4 * box] = y1 * f32(rows - 1)
        out[4 * box + 1] = x1 * f32(columns - 1)
        out[4 * box + 2] = y2 * f32(rows - 1)
        out[4 * box + 3] = x2 * f32(columns - 1)
    return 0


def frames(
    corners: Array, colours: Array, out: Array, images: int, count: int, height: int, width: int, depth: int, number: int
) -> int:
    """Draw the edges of boxes (top, left, bottom, right) that lie on their images, in one of so many colours after another."""
    for box in range(images * count):
        top = corners[4 * box]
        left = corners[4 * box + 1]
        bottom = corners[4 * box + 2]
        right = corners[4 * box + 3]
        if top > bottom or left > right or top >= height or bottom < 0 or left >= width or right < 0:
            continue
        first = (box // count) * height * width * depth
        colour = box % count % number * depth
        for i in range(max(top, 0), min(bottom, height - 1) + 1):
            line = first + i * width * depth
            if i in (top, bottom):
                for j in range(max(left, 0), min(right, width - 1) + 1):
                    for c in range(depth):
                        out[line + j * depth + c] = colours[colour + c]
            else:
                for c in range(depth):
                    if left >= 0:
                        out[line + left * depth + c] = colours[colour + c]
                    if right < width:
                        out[line + right * depth + c] = colours[colour + c]
    return 0


# ---- for kernels


def draw_frames(corners: Array, colours: Array, out: Array) -> None:
    """Draw boxes (top, left, bottom, right) on images, in colours of the images' dtype."""
    images, height, width, depth = out.shape
    if out.dtype == np.float16:
        out, colours = out.view(np.int16), colours.view(np.int16)
    given = [np.ascontiguousarray(x).reshape(-1) for x in (corners, colours)]
    loop = native_or_python(frames, corners.size * max(height, width))
    loop(*given, out.reshape(-1), images, corners.shape[1], height, width, depth, len(colours))


def crop_images(images: Array, boxes: Array, index: Array, height: int, width: int, fill: float) -> Array:
    """The crops [boxes, height, width, channels] of images."""
    rows, columns, channels = images.shape[1:]
    out = np.empty((len(boxes), height, width, channels), _FLOAT)
    _run_by_boxes(crop, (images, boxes, index, out), (height, width, rows, columns, channels, float(fill)), width, out.size)
    return out


def pull_images(grads: Array, boxes: Array, index: Array, shape: tuple[int, ...]) -> Array:
    """The gradient of crops by images of `shape`, float32."""
    height, width = grads.shape[1:3]
    rows, columns, channels = shape[1:]
    out = np.zeros(shape, _FLOAT)
    given = [np.ascontiguousarray(x).reshape(-1) for x in (grads, boxes, index)]
    sizes = height, width, rows, columns, channels, *_table(width, columns * channels)
    native_or_python(spread, grads.size)(*given, out.reshape(-1), 0, len(boxes), *sizes, depth=_depth(channels))
    return out


def pull_boxes(grads: Array, images: Array, boxes: Array, index: Array) -> Array:
    """The gradient of crops by boxes, float32."""
    height, width = grads.shape[1:3]
    out = np.zeros((len(boxes), 4), _FLOAT)
    _run_by_boxes(move_boxes, (grads, images, boxes, index, out), (height, width, *images.shape[1:]), width, grads.size)
    return out


def _run_by_boxes(loop: Any, given: tuple[Array, ...], sizes: tuple[Any, ...], width: int, size: int) -> None:
    """Go over all boxes, some at a time on each thread; `sizes` has the rows, columns and channels of images third."""
    columns, channels, count = sizes[3], sizes[4], len(given[-1])
    if not size:
        return
    each = max(count * blocked.SHARED // size, 1)
    run, flat = native_or_python(loop, size), [_make_plain(x).reshape(-1) for x in given]

    def block(i: int) -> None:
        room = _table(width, columns * channels)
        run(*flat, i * each, min((i + 1) * each, count), *sizes, *room, depth=_depth(channels))

    parallel.run(block, -(-count // each))


def _table(width: int, row: int) -> tuple[Array, Array, Array]:
    """Room for `left`, `right` and `share`, on images whose rows have so many numbers."""
    kind: Any = np.int32 if row < 1 << 31 else np.int64
    return np.empty(width, kind), np.empty(width, kind), np.empty(width, _FLOAT)


def _depth(channels: int) -> int:
    return channels if channels <= _SMALL else 0


def _make_plain(images: Array) -> Array:
    """An array without gaps, of a dtype that loops have."""
    return np.ascontiguousarray(images.astype(_FLOAT) if images.dtype == np.float16 else images)
