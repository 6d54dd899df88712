"""Bitmaps of 24 bits that are not compressed, which most are, read without Pillow: lines from the last to the first, blue before red."""

from __future__ import annotations

import struct

import numpy as np

from ...kernels.loops import Array, native_loop

_HEAD = 54


def turn(file: Array, out: Array, start: int, step: int, height: int, width: int) -> int:
    """Copy lines, the first of which begins at `start` and the next `step` after it, with red first."""
    for i in range(height):
        line = start + i * step
        to = 3 * i * width
        for j in range(width):
            out[to + 3 * j] = file[line + 3 * j + 2]
            out[to + 3 * j + 1] = file[line + 3 * j + 1]
            out[to + 3 * j + 2] = file[line + 3 * j]
    return 0


def read(data: bytes) -> Array | None:
    """The pixels [height, width, 3] of a file; None for one of another kind, or one that is cut short."""
    if len(data) < _HEAD or data[:2] != b"BM":
        return None
    start, head, width, height, planes, bits, packing = struct.unpack_from("<iiiihhi", data, 10)
    line = (3 * width + 3) // 4 * 4
    is_there = width > 0 and height and start >= _HEAD and start + line * abs(height) <= len(data)
    if (head, planes, bits, packing) != (40, 1, 24, 0) or not is_there:
        return None
    first, step = (start, line) if height < 0 else (start + line * (height - 1), -line)
    height = abs(height)
    file, out = np.frombuffer(data, np.uint8), np.empty((height, width, 3), np.uint8)
    loop = native_loop(turn, file.size)
    if loop is None or loop(file, out, first, step, height, width) is None:
        lines = file[start : start + line * height].reshape(height, line)[:, : 3 * width].reshape(out.shape)
        out[...] = (lines if step > 0 else lines[::-1])[..., ::-1]
    return out
