"""Projective transforms of images (`project`) as a loop: where a line of outputs reads, then what it reads there."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels import blocked, parallel
from ...kernels.loops import Array, f32, floor, native_loop, unroll

CONSTANT, REFLECT, WRAP = 0, 1, 2
_MODES = {"CONSTANT": CONSTANT, "REFLECT": REFLECT, "WRAP": WRAP, "NEAREST": 3}
_SMALL = 4


def bring_in(at: float, size: float, *, mode: int) -> float:
    """A coordinate by the mode that says what lies outside."""
    if mode == CONSTANT:
        return at
    if mode == REFLECT:
        turn = at - floor(at / (size * 2.0)) * (size * 2.0)
        at = size * 2.0 - 1.0 - turn if turn >= size else turn
    if mode == WRAP:
        span = max(size - 1.0, 1.0)
        if at < 0.0:
            at = at + (floor(-at / span) + 1.0) * size
        elif at > size - 1.0:
            at = at - floor(at / span) * size
    return min(max(at, 0.0), size - 1.0)


def place_line(
    transforms: Array, t: int, i: int, width: int, rows: int, columns: int, xs: Array, ys: Array, *, mode: int
) -> int:
    """Where the outputs of line i read; nowhere is two lines above the image."""
    y = f32(i)
    for j in range(width):
        x = f32(j)
        divisor = transforms[t + 6] * x + transforms[t + 7] * y + 1.0
        left = (transforms[t] * x + transforms[t + 1] * y + transforms[t + 2]) / divisor
        top = (transforms[t + 3] * x + transforms[t + 4] * y + transforms[t + 5]) / divisor
        xs[j] = bring_in(left, f32(columns), mode=mode)
        top = bring_in(top, f32(rows), mode=mode)
        ys[j] = -2.0 if divisor == 0.0 else top
    return 0


def read(images: Array, at: int, row: int, column: int, rows: int, columns: int, channels: int, c: int, fill: float) -> float:
    """A channel of a pixel, or what is filled in."""
    if row < 0 or row >= rows or column < 0 or column >= columns:
        return fill
    found: float = f32(images[at + (row * columns + column) * channels + c])
    return found


def mix_pixels(a: float, b: float, d: float, e: float, beside: float, below: float, left: float, above: float) -> float:
    """Four pixels mixed by their shares."""
    return above * (left * a + beside * b) + below * (left * d + beside * e)


def interpolate_lines(
    images: Array, transforms: Array, out: Array, xs: Array, ys: Array, first: int, last: int, each: int, rows: int, columns: int,
    height: int, width: int, channels: int, fill: float, *, mode: int, depth: int,
) -> int:
    """The lines of the results from `first` to before `last`, counted through all images, between four pixels each.

    each: how far the transform of the next image lies behind that of one, 0 where there is one for all.
    """
    for i in range(first, last):
        image = (i // height) * rows * columns * channels
        place_line(transforms, (i // height) * each, i % height, width, rows, columns, xs, ys, mode=mode)
        for j in range(width):
            x = xs[j]
            y = ys[j]
            to = (i * width + j) * channels
            if not (x > -1.0 and y > -1.0 and x < f32(columns) and y < f32(rows)):
                for c in range(channels):
                    out[to + c] = fill
                continue
            column = int(floor(x))
            row = int(floor(y))
            beside = x - floor(x)
            below = y - floor(y)
            left = floor(x) + 1.0 - x
            above = floor(y) + 1.0 - y
            if depth > 0 and row >= 0 and column >= 0 and row + 1 < rows and column + 1 < columns:
                at = image + (row * columns + column) * channels
                under = at + columns * channels
                for c in unroll(depth):
                    a, b = images[at + c], images[at + channels + c]
                    out[to + c] = mix_pixels(a, b, images[under + c], images[under + channels + c], beside, below, left, above)
            else:
                for c in range(channels):
                    a = read(images, image, row, column, rows, columns, channels, c, fill)
                    b = read(images, image, row, column + 1, rows, columns, channels, c, fill)
                    d = read(images, image, row + 1, column, rows, columns, channels, c, fill)
                    e = read(images, image, row + 1, column + 1, rows, columns, channels, c, fill)
                    out[to + c] = mix_pixels(a, b, d, e, beside, below, left, above)
    return 0


# ---- for kernels


def transform_images(images: Array, transforms: Array, height: int, width: int, fill: float, fill_mode: str) -> Array | None:
    """Images of float32, read between their pixels; None where there is no code."""
    count, rows, columns, channels = images.shape
    out = np.empty((count, height, width, channels), np.float32)
    loop = native_loop(interpolate_lines, out.size) if out.size and images.size and images.dtype == np.float32 else None
    if loop is None:
        return None
    images, transforms = np.ascontiguousarray(images), np.ascontiguousarray(transforms, np.float32)
    sizes = 8 if len(transforms) > 1 else 0, rows, columns, height, width, channels, float(fill)
    constants = {"mode": _MODES[fill_mode], "depth": channels if channels <= _SMALL else 0}
    lines = max(blocked.SHARED // (width * channels), 1)
    done: list[Any] = []

    def block(i: int) -> None:
        xs, ys = np.empty(width, np.float32), np.empty(width, np.float32)
        span = i * lines, min((i + 1) * lines, count * height)
        done.append(loop(images, transforms, out, xs, ys, *span, *sizes, **constants))

    parallel.run(block, -(-count * height // lines))
    return None if None in done else out
