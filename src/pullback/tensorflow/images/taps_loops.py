"""Resampling along both axes (`taps`) as one loop: a line at a time, so that what lies between the axes stays in the cache.

Where there are fewer rows after than before, lines are summed up first and then their pixels; else each line that is read gets its new
width once, in one of a few slots, and these are summed up.  Pixels of up to four channels go as four numbers: the fourth of three belongs
to the next pixel, which comes after.  A weight of 0 is no tap, so that nothing beyond a border counts, infinite or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...kernels import blocked, parallel
from ...kernels.loops import Array, native_or_python, unroll

if TYPE_CHECKING:
    from .taps import Taps

_PAD, _FEW = 4, 4


def widen(
    line: Array, out: Array, to: int, at: Array, weights: Array, width: int, channels: int, taps: int, *, depth: int, most: int
) -> int:
    """The pixels of a line at another width; one number after a line is there to be read."""
    if depth in (2, 3, 4):
        last = width - 1
        for j in range(last):
            first = j * taps
            p, w = at[first], weights[first]
            a, b, c, d = line[p] * w, line[p + 1] * w, line[p + 2] * w, line[p + 3] * w
            a, b, c, d = (a if w != 0.0 else 0.0), (b if w != 0.0 else 0.0), (c if w != 0.0 else 0.0), (d if w != 0.0 else 0.0)
            if most > 0:
                for k in unroll(most - 1):
                    p, w = at[first + k + 1], weights[first + k + 1]
                    e, f, g, h = line[p] * w, line[p + 1] * w, line[p + 2] * w, line[p + 3] * w
                    a += e if w != 0.0 else 0.0
                    b += f if w != 0.0 else 0.0
                    c += g if w != 0.0 else 0.0
                    d += h if w != 0.0 else 0.0
            else:
                for k in range(1, taps):
                    p, w = at[first + k], weights[first + k]
                    if w != 0.0:
                        a += line[p] * w
                        b += line[p + 1] * w
                        c += line[p + 2] * w
                        d += line[p + 3] * w
            out[to + j * depth] = a
            out[to + j * depth + 1] = b
            out[to + j * depth + 2] = c
            out[to + j * depth + 3] = d
        pixel(line, out, to + last * channels, at, weights, last * taps, channels, taps)
    elif depth == 1:
        for j in range(width):
            first = j * taps
            w = weights[first]
            a = line[at[first]] * w
            a = a if w != 0.0 else 0.0
            for k in range(1, taps):
                w = weights[first + k]
                b = line[at[first + k]] * w
                a += b if w != 0.0 else 0.0
            out[to + j] = a
    else:
        for j in range(width):
            pixel(line, out, to + j * channels, at, weights, j * taps, channels, taps)
    return 0


def pixel(line: Array, out: Array, to: int, at: Array, weights: Array, first: int, channels: int, taps: int) -> int:
    """One pixel of a line at another width."""
    for c in range(channels):
        out[to + c] = 0.0
    for k in range(taps):
        w, p = weights[first + k], at[first + k]
        if w != 0.0:
            for c in range(channels):
                out[to + c] += line[p + c] * w
    return 0


def height_first(
    x: Array, out: Array, line: Array, row_at: Array, row_weights: Array, row_taps: int, at: Array, weights: Array, taps: int,
    first: int, last: int, rows: int, columns: int, height: int, width: int, channels: int, *, depth: int, most: int,
) -> int:
    """The lines of the results from `first` to before `last`, counted through all images."""
    size = columns * channels
    for i in range(first, last):
        image = (i // height) * rows * size
        is_begun = 0
        for k in range(row_taps):
            w = row_weights[i % height * row_taps + k]
            if w != 0.0:
                put_line(x, image + row_at[i % height * row_taps + k] * size, w, line, 0, size, is_begun)
                is_begun = 1
        if not is_begun:
            put_line(x, 0, 0.0, line, 0, size, -1)
        widen(line, out, i * width * channels, at, weights, width, channels, taps, depth=depth, most=most)
    return 0


def width_first(
    x: Array, out: Array, line: Array, slots: Array, held: Array, mask: int, row_at: Array, row_weights: Array, row_taps: int,
    at: Array, weights: Array, taps: int, first: int, last: int, rows: int, columns: int, height: int, width: int, channels: int,
    *, depth: int, most: int,
) -> int:
    """The same; slots: lines at their new width, `held` says which."""
    size = width * channels
    each = size + _PAD
    for s in range(mask + 1):
        held[s] = -1
    for i in range(first, last):
        image = (i // height) * rows
        is_begun = 0
        for k in range(row_taps):
            w = row_weights[i % height * row_taps + k]
            if w != 0.0:
                row = image + row_at[i % height * row_taps + k]
                slot = row & mask
                if held[slot] != row:
                    held[slot] = row
                    for j in range(columns * channels):
                        line[j] = x[row * columns * channels + j]
                    widen(line, slots, slot * each, at, weights, width, channels, taps, depth=depth, most=most)
                put_line(slots, slot * each, w, out, i * size, size, is_begun)
                is_begun = 1
        if not is_begun:
            put_line(slots, 0, 0.0, out, i * size, size, -1)
    return 0


def put_line(line: Array, start: int, weight: float, out: Array, to: int, size: int, is_begun: int) -> int:
    """Add so much of a line to another; or set it, where that has not begun, or to 0, where `is_begun` is -1."""
    if is_begun > 0:
        for j in range(size):
            out[to + j] += line[start + j] * weight
    elif is_begun == 0:
        for j in range(size):
            out[to + j] = line[start + j] * weight
    else:
        for j in range(size):
            out[to + j] = 0.0
    return 0


# ---- for kernels


def resample(x: Array, rows: Taps, columns: Taps) -> Array:
    """Images of float32 or float64 resampled along height and width, the one first that leaves less for the other."""
    channels, (height, width) = x.shape[3], (len(rows.at), len(columns.at))
    row_taps, taps = rows.at.shape[1], columns.at.shape[1]
    dims = len(x), height, width, channels
    if not (x.size and row_taps and taps and all(dims)):
        return np.zeros(dims, x.dtype)
    out, is_height_first = np.empty(dims, x.dtype), height <= rows.size
    loop = native_or_python(height_first if is_height_first else width_first, max(x.size, out.size) * max(row_taps, taps))
    tables = *rows.places(x.dtype, 1), row_taps, *columns.places(x.dtype, channels), taps
    sizes = x.shape[1], x.shape[2], height, width, channels
    shape = {"depth": channels if channels <= _FEW else 0, "most": taps if taps <= _FEW else 0}
    given, count = (np.ascontiguousarray(x).reshape(-1), out.reshape(-1)), len(x) * height
    each = max(blocked.SHARED // (width * channels), 4 * row_taps)

    def block(i: int) -> None:
        line = np.zeros(x.shape[2] * channels + _PAD, x.dtype)
        room: tuple[Any, ...] = (line,)
        if not is_height_first:
            slots = 1 << (rows.reach - 1).bit_length()
            room = line, np.empty(slots * (width * channels + _PAD), x.dtype), np.empty(slots, np.int64), slots - 1
        loop(*given, *room, *tables, i * each, min((i + 1) * each, count), *sizes, **shape)

    parallel.run(block, -(-count // each))
    return out
