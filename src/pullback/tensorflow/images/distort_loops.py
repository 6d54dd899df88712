"""Boxes drawn at random (`distort`) as a loop: word by word from the stream, until one covers enough."""

from __future__ import annotations

import numpy as np

from ...kernels.loops import Array, f32, f64, native_or_python, rint, sqrt
from ...ops.random.entry_loops import philox
from ...ops.random.philox import Philox

_MASK = 0xFFFFFFFF


def next_word(stream: Array, words: Array) -> int:
    """The next word of a stream: its counter and key as words, the lowest first, and how many of the block in `words` are used up."""
    at = int(stream[6])
    if at == 4:
        philox(words, int(stream[0]), int(stream[1]), int(stream[2]), int(stream[3]), int(stream[4]), int(stream[5]), 1)
        stream[0] += 1
        for i in range(3):
            if stream[i] > _MASK:
                stream[i] = 0
                stream[i + 1] += 1
        at = 0
    stream[6] = at + 1
    return int(words[at])


def draw_below(n: int, stream: Array, words: Array) -> int:
    """An integer in [0, n), all equally likely."""
    word = next_word(stream, words)
    if n & (n - 1) == 0:
        return word & (n - 1)
    least = _MASK % n + 1
    while word < least:
        word = next_word(stream, words)
    return word % n


def find_tallest(largest: float, ratio: float, height: int, width: int) -> int:
    """The greatest height of a crop of an area and a ratio of width to height that the image holds."""
    most = int(rint(sqrt(largest / ratio)))
    if int(rint(f32(most) * ratio)) > width:
        most = int((f64(width) + 0.5 - 0.0000001) / f64(ratio))
        if int(rint(f32(most) * ratio)) > width:
            most -= 1
    return min(most, height)


def overlap(low: int, high: int, other_low: int, other_high: int) -> int:
    """The length that two ranges share."""
    return max(min(high, other_high) - max(low, other_low), 0)


def sample(
    stream: Array, words: Array, boxes: Array, count: int, height: int, width: int, covered: float, ratio_low: float, ratio_high: float,
    area_low: float, area_high: float, attempts: int, out: Array,
) -> int:
    """Put the top, left, bottom and right of a crop into `out`; 1 where there is one, else 0 and `out` is the image.

    boxes: y1, x1, y2, x2 of single precision.  -1 where one is not within [0, 1], or is the wrong way around.
    """
    for i in range(count):
        for k in range(4):
            if not 0.0 <= boxes[4 * i + k] <= 1.0:
                return -1
        if boxes[4 * i] >= boxes[4 * i + 2] or boxes[4 * i + 1] >= boxes[4 * i + 3]:
            return -1
    smallest = area_low * f32(width) * f32(height)
    largest = area_high * f32(width) * f32(height)
    for _ in range(attempts):
        ratio = f32(next_word(stream, words) & 0x7FFFFF) / 8388608.0 * (ratio_high - ratio_low) + ratio_low
        if area_high <= 0.0 or not 0.0 < ratio < 1e30 or area_low > area_high:
            continue
        most = find_tallest(largest, ratio, height, width)
        tall = min(int(rint(sqrt(smallest / ratio))), most)
        if tall < most:
            tall += draw_below(most - tall + 1, stream, words)
        wide = int(rint(f32(tall) * ratio))
        if f32(wide * tall) < smallest:
            tall += 1
            wide = int(rint(f32(tall) * ratio))
        if f32(wide * tall) > largest:
            tall -= 1
            wide = int(rint(f32(tall) * ratio))
        if f32(wide * tall) < smallest or f32(wide * tall) > largest or wide <= 0 or wide > width or tall <= 0 or tall > height:
            continue
        top = draw_below(height - tall, stream, words) if tall < height else 0
        left = draw_below(width - wide, stream, words) if wide < width else 0
        is_enough = 0
        for i in range(count):
            y1 = int(boxes[4 * i] * f32(height))
            x1 = int(boxes[4 * i + 1] * f32(width))
            y2 = int(boxes[4 * i + 2] * f32(height))
            x2 = int(boxes[4 * i + 3] * f32(width))
            area = max(y2 - y1, 0) * max(x2 - x1, 0)
            shared = overlap(y1, y2, top, top + tall) * overlap(x1, x2, left, left + wide)
            if area >= 1 and f32(shared) / f32(area) >= covered:
                is_enough = 1
        if is_enough:
            out[0] = top
            out[1] = left
            out[2] = top + tall
            out[3] = left + wide
            return 1
    out[0] = 0
    out[1] = 0
    out[2] = height
    out[3] = width
    return 0


def sample_crop(
    stream: Philox,
    boxes: Array,
    size: tuple[int, int],
    covered: float,
    ratios: tuple[float, float],
    areas: tuple[float, float],
    attempts: int,
) -> list[int] | None:
    """Top, left, bottom and right of a crop of an image; None where a box is none."""
    key, counter = stream.words_of()
    state, out = np.array([*counter, *key, 4]), np.empty(4, np.int64)
    given = boxes.reshape(-1), len(boxes), *size, covered, *ratios, *areas, attempts
    found = native_or_python(sample, attempts)(state, np.empty(4, np.uint32), *given, out)
    return None if found < 0 else out.tolist()
