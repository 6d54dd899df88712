"""Contrast as a loop: each image is read twice, while it is near the processor."""

from __future__ import annotations

import numpy as np

from ...kernels.loops import Array, f32, native_loop


def move_from_mean(
    x: Array, out: Array, sums: Array, means: Array, images: int, height: int, width: int, depth: int, factor: float
) -> int:
    """Numbers of images moved away from the mean of their channel, or towards it."""
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


def change_contrast(images: Array, factor: float) -> Array | None:
    """Images of float32 with another contrast; None where there is no code."""
    height, width, depth = images.shape[-3:]
    loop = native_loop(move_from_mean, images.size)
    if loop is None:
        return None
    out = np.empty(images.shape, np.float32)
    room = np.empty(width * depth, np.float32), np.empty(depth, np.float32)
    sizes = images.size // (height * width * depth), height, width, depth
    return None if loop(np.ascontiguousarray(images), out, *room, *sizes, factor) is None else out
