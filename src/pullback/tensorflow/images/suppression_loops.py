"""Non-maximum suppression as loops (`kernels.loops`): boxes in the order of their scores, each compared with those chosen so far.

The order is a heap of integers: a score's bits, in the order of scores, above how far the box is from the last one, so that of equal scores
the first comes first.  Chosen boxes lie by coordinate, five runs of `room` each (y1, x1, y2, x2, area), and a candidate is compared with
`LANES` of them at once; the runs end with boxes without an area, which overlap nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels.loops import Array, Loop, bits, exp, f16, native_or_python

LANES = 16
_FLOAT, _INT = np.float32, np.int32
_LAST = 0xFFFFFFFF
_NONE = -(1 << 63)
INFINITY = float("inf")


def key_of(score: float, index: int) -> int:
    """A larger integer for a larger score, and of equal ones for the smaller index."""
    found: int = bits(score + 0.0)
    found = found ^ ((found >> 31) & 0x7FFFFFFF)
    return (found << 32) | (_LAST - index)


def sink(heap: Array, at: int, count: int) -> int:
    """Let the element at a place of a heap go down to where it belongs; behind the heap stands something smaller than all."""
    key = heap[at]
    child = 2 * at + 1
    while child < count:
        other = heap[child + 1]
        found = heap[child]
        child += int(other > found)
        found = max(found, other)
        if found <= key:
            break
        heap[at] = found
        at = child
        child = 2 * at + 1
    heap[at] = key
    return 0


def gather(scores: Array, offset: int, stride: int, count: int, least: float, heap: Array) -> int:
    """A heap of the boxes whose scores are large enough, and how many they are."""
    size = 0
    for i in range(count):
        score = scores[offset + i * stride]
        if score > least:
            heap[size] = key_of(score, i)
            size += 1
    heap[size] = _NONE
    at = size // 2 - 1
    while at >= 0:
        sink(heap, at, size)
        at -= 1
    return size


def drop(heap: Array, size: int) -> int:
    """Take the first element away; how many are left."""
    size -= 1
    heap[0] = heap[size]
    heap[size] = _NONE
    sink(heap, 0, size)
    return size


def rise(heap: Array, size: int, key: int) -> int:
    """Put an element into a heap; how many there are."""
    at = size
    heap[size + 1] = _NONE
    while at > 0 and heap[(at - 1) // 2] < key:
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = key
    return size + 1


def keep(kept: Array, room: int, number: int, y1: float, x1: float, y2: float, x2: float) -> int:
    """Note a chosen box; those that fill up its lanes have no area."""
    if number % LANES == 0:
        for k in range(LANES):
            kept[4 * room + number + k] = 0.0
    kept[number] = y1
    kept[room + number] = x1
    kept[2 * room + number] = y2
    kept[3 * room + number] = x2
    kept[4 * room + number] = (y2 - y1) * (x2 - x1)
    return 0


def count_hits(kept: Array, room: int, base: int, y1: float, x1: float, y2: float, x2: float, area: float, threshold: float) -> int:
    """How many of some chosen boxes a box overlaps by more than the threshold."""
    found = 0
    for k in range(LANES):
        height = max(min(y2, kept[2 * room + base + k]) - max(y1, kept[base + k]), 0.0)
        width = max(min(x2, kept[3 * room + base + k]) - max(x1, kept[room + base + k]), 0.0)
        shared = height * width
        own = kept[4 * room + base + k]
        found += int((shared / (area + own - shared) > threshold) & (own > 0.0))
    return found


def suppress_hard(
    boxes: Array, offset: int, stride: int, scores: Array, first: int, step: int, count: int, wanted: int, threshold: float, least: float,
    heap: Array, kept: Array, room: int, chosen: Array, start: int, *, strict: int,
) -> int:
    """The boxes that none before overlaps by more than the threshold, put into `chosen` from `start` on; how many.

    strict: -1 where a box has an area that is no number, or infinite: `suppress_one_by_one` knows what then.
    """
    size = gather(scores, first, step, count, least, heap)
    number = 0
    while number < wanted and size > 0:
        box = _LAST - (heap[0] & _LAST)
        size = drop(heap, size)
        at = offset + box * stride
        y1 = min(boxes[at], boxes[at + 2])
        x1 = min(boxes[at + 1], boxes[at + 3])
        y2 = max(boxes[at], boxes[at + 2])
        x2 = max(boxes[at + 1], boxes[at + 3])
        area = (y2 - y1) * (x2 - x1)
        base = (number + LANES - 1) // LANES * LANES - LANES
        if strict and not area < INFINITY:
            return -1
        if area <= 0.0:
            base = -LANES
        while base >= 0:
            if count_hits(kept, room, base, y1, x1, y2, x2, area, threshold) > 0:
                break
            base -= LANES
        if base < 0:
            keep(kept, room, number, y1, x1, y2, x2)
            chosen[start + number] = box
            number += 1
    return number


def similarity(kept: Array, room: int, j: int, y1: float, x1: float, y2: float, x2: float, area: float) -> float:
    """How much of a box and a chosen one together is shared by both."""
    own = kept[4 * room + j]
    height = max(min(y2, kept[2 * room + j]) - max(y1, kept[j]), 0.0)
    width = max(min(x2, kept[3 * room + j]) - max(x1, kept[room + j]), 0.0)
    shared = height * width
    return 0.0 if (area <= 0.0) | (own <= 0.0) else shared / (area + own - shared)


def suppress_one_by_one(
    boxes: Array, scores: Array, count: int, wanted: int, threshold: float, least: float, scale: float,
    heap: Array, kept: Array, room: int, begins: Array, levels: Array, chosen: Array, found: Array, *, soft: int, narrow: int,
) -> int:
    """The same to the letter: an overlap that is no number makes a score 0, and a box is looked at again once its score has changed.

    soft: boxes that overlap lose a part of their scores.  narrow: overlaps and scores are rounded to half precision.  begins: with how many
    chosen boxes each has been compared.  levels: the scores by now.  found: the scores when chosen.
    """
    size = gather(scores, 0, 1, count, least, heap)
    for i in range(count):
        begins[i] = 0
        levels[i] = scores[i]
    number = 0
    while number < wanted and size > 0:
        box = _LAST - (heap[0] & _LAST)
        size = drop(heap, size)
        before = levels[box]
        score = before
        y1 = min(boxes[4 * box], boxes[4 * box + 2])
        x1 = min(boxes[4 * box + 1], boxes[4 * box + 3])
        y2 = max(boxes[4 * box], boxes[4 * box + 2])
        x2 = max(boxes[4 * box + 1], boxes[4 * box + 3])
        area = (y2 - y1) * (x2 - x1)
        is_over = 0
        for j in range(number - 1, begins[box] - 1, -1):
            shared = similarity(kept, room, j, y1, x1, y2, x2, area)
            if narrow:
                shared = f16(shared)
            if soft:
                if narrow:
                    score = f16(score * f16(exp(f16(f16(scale * shared) * shared))))
                else:
                    score *= exp(scale * shared * shared)
            else:
                score *= 1.0 if shared <= threshold else 0.0
                if shared > threshold:
                    is_over = 1
                    break
            if score <= least:
                break
        begins[box] = number
        if is_over:
            continue
        if score == before:
            keep(kept, room, number, y1, x1, y2, x2)
            chosen[number] = box
            found[number] = score
            number += 1
        elif score > least:
            levels[box] = score
            size = rise(heap, size, key_of(score, box))
    return number


def suppress_by_matrix(
    overlaps: Array, scores: Array, count: int, wanted: int, threshold: float, least: float, heap: Array, chosen: Array
) -> int:
    """As `suppress_hard`, where a matrix says how much boxes overlap."""
    size = gather(scores, 0, 1, count, least, heap)
    number = 0
    while number < wanted and size > 0:
        box = _LAST - (heap[0] & _LAST)
        size = drop(heap, size)
        j = number - 1
        while j >= 0 and overlaps[box * count + chosen[j]] <= threshold:
            j -= 1
        if j < 0:
            chosen[number] = box
            number += 1
    return number


def suppress_classes(
    boxes: Array, scores: Array, images: int, count: int, groups: int, classes: int, per_class: int, total: int,
    threshold: float, least: float, heap: Array, kept: Array, room: int, chosen: Array, merged: Array,
    out_boxes: Array, out_scores: Array, out_classes: Array, valid: Array, *, clip: int,
) -> int:
    """The best that `suppress_hard` chooses of each class, image by image; free places score -1, and count where they are better."""
    for image in range(images):
        size = 0
        for c in range(classes):
            group = min(c, groups - 1)
            first = image * count * classes + c
            number = suppress_hard(
                boxes, 4 * (image * count * groups + group), 4 * groups, scores, first, classes, count, per_class, threshold, least,
                heap, kept, room, chosen, c * per_class, strict=0,
            )
            for j in range(number):
                place = c * per_class + j
                merged[size] = key_of(scores[first + chosen[place] * classes], place)
                size += 1
        merged[size] = _NONE
        at = size // 2 - 1
        while at >= 0:
            sink(merged, at, size)
            at -= 1
        number = 0
        blank = per_class * classes - size
        most = min(size, total)
        valid[image] = most
        while number < most and size > 0:
            place = _LAST - (merged[0] & _LAST)
            size = drop(merged, size)
            c = place // per_class
            box = chosen[place]
            score = scores[(image * count + box) * classes + c]
            while score < -1.0 and blank > 0 and number < most:
                out_scores[image * total + number] = -1.0
                out_classes[image * total + number] = -1.0
                blank -= 1
                number += 1
            if number == most:
                break
            to = image * total + number
            out_scores[to] = score
            out_classes[to] = c
            source = 4 * ((image * count + box) * groups + min(c, groups - 1))
            for k in range(4):
                x = boxes[source + k]
                out_boxes[4 * to + k] = max(min(x, 1.0), 0.0) if clip else x
            number += 1
    return 0


def suppress_in_order(
    boxes: Array, order: Array, count: int, wanted: int, threshold: float, kept: Array, room: int, chosen: Array
) -> int:
    """The boxes, in an order, that overlap none before by the threshold or more; one without a positive corner does not count."""
    number = 0
    for i in range(count):
        if number >= wanted:
            break
        at = 4 * order[i]
        y1 = boxes[at]
        x1 = boxes[at + 1]
        y2 = boxes[at + 2]
        x2 = boxes[at + 3]
        alive = (y1 > 0.0) | (x1 > 0.0) | (y2 > 0.0) | (x2 > 0.0)
        base = (number + LANES - 1) // LANES * LANES - LANES if alive else -1
        area = (y2 - y1) * (x2 - x1)
        while base >= 0:
            met = 0
            for k in range(LANES):
                height = max(min(kept[2 * room + base + k], y2) - max(kept[base + k], y1), 0.0)
                width = max(min(kept[3 * room + base + k], x2) - max(kept[room + base + k], x1), 0.0)
                shared = height * width
                less = shared / (area + kept[4 * room + base + k] - shared + EPSILON) < threshold
                met += int((not less) & (base + k < number))
            if met > 0:
                alive = bool(0)
                break
            base -= LANES
        if alive:
            keep(kept, room, number, y1, x1, y2, x2)
            chosen[number] = order[i]
            number += 1
    return number


#: What keeps a quotient from having nothing below, where boxes are given in order.
EPSILON = _FLOAT(1e-8)


# ---- for kernels


class Room:
    """Scratch memory for choosing at most `wanted` of `count` boxes."""

    def __init__(self, count: int, wanted: int) -> None:
        self.wanted = min(count, wanted)
        self.room = -(-self.wanted // LANES) * LANES
        self.heap = np.empty(count + 2, np.int64)
        self.kept = np.empty(5 * self.room, _FLOAT)
        self.chosen = np.empty(self.wanted, _INT)


def _loop(loop: Loop, count: int) -> Any:
    """One of these loops, over `count` boxes."""
    return native_or_python(loop, count * LANES)


def choose_boxes(
    boxes: Array, scores: Array, wanted: int, threshold: float, least: float, sigma: float = 0.0, narrow: bool = False
) -> tuple[Array, Array]:
    """The indices of at most `wanted` boxes, and their scores when they were selected; boxes and scores of float32.

    Each box lowers the scores of all others by how much they overlap it: to nothing beyond the threshold, or, for a positive `sigma`,
    little by little (N. Bodla et al., 2017).  narrow: they were of float16, and overlaps and scores are rounded as if they still were.
    """
    count, boxes, scores = len(scores), np.ascontiguousarray(boxes).reshape(-1), np.ascontiguousarray(scores)
    room = Room(count, wanted)
    if not sigma > 0:
        level = widest_threshold(threshold) if narrow else threshold
        limits = count, room.wanted, level, least
        number = _loop(suppress_hard, count)(
            boxes, 0, 4, scores, 0, 1, *limits, room.heap, room.kept, room.room, room.chosen, 0, strict=1
        )
        if number >= 0:
            chosen = room.chosen[:number]
            return chosen, scores[chosen]
    begins, levels, found = np.empty(count, _INT), np.empty(count, _FLOAT), np.empty(room.wanted, _FLOAT)
    limits = count, room.wanted, threshold, least
    number = _loop(suppress_one_by_one, count)(
        boxes, scores, *limits, float(_scale_of(sigma, narrow)), room.heap, room.kept, room.room, begins, levels, room.chosen, found,
        soft=int(sigma > 0), narrow=int(narrow),
    )  # fmt: skip
    return room.chosen[:number], found[:number]


def _scale_of(sigma: float, narrow: bool) -> np.float32:
    """What the square of an overlap is taken times."""
    return _FLOAT(0) if not sigma > 0 else f16(f16(-0.5) / f16(sigma)) if narrow else _FLOAT(-0.5 / sigma)


def widest_threshold(threshold: float) -> float:
    """The largest number of single precision that half precision rounds to a threshold of its own, or less."""
    at = np.float16(threshold)
    middle = (_FLOAT(at) + _FLOAT(np.nextafter(at, np.float16(2)))) / _FLOAT(2)
    return float(middle if np.float16(middle) <= at else np.nextafter(middle, _FLOAT(0)))


def choose_by_overlaps(overlaps: Array, scores: Array, wanted: int, threshold: float, least: float) -> Array:
    """The indices alone, where a matrix of float32 says how much boxes overlap."""
    count = len(scores)
    room, given = Room(count, wanted), (np.ascontiguousarray(overlaps).reshape(-1), np.ascontiguousarray(scores))
    number = _loop(suppress_by_matrix, count)(*given, count, room.wanted, threshold, least, room.heap, room.chosen)
    return room.chosen[:number]


def choose_in_order(boxes: Array, order: Array, wanted: int, threshold: float) -> Array:
    """The first `wanted` boxes of float32, in an order, that overlap none before them by the threshold or more."""
    room = Room(len(order), wanted)
    given = np.ascontiguousarray(boxes).reshape(-1), order.astype(np.int64, copy=False)
    number = _loop(suppress_in_order, len(order))(*given, len(order), room.wanted, threshold, room.kept, room.room, room.chosen)
    return room.chosen[:number]


def choose_by_class(
    boxes: Array, scores: Array, per_class: int, threshold: float, least: float, clip: bool, out: tuple[Array, Array, Array, Array]
) -> None:
    """Fills `out`: boxes, scores, classes, and how many there are of each image."""
    images, count, classes = scores.shape
    room = Room(count, per_class)
    every, merged = np.empty(classes * room.wanted, _INT), np.empty(classes * room.wanted + 2, np.int64)
    _loop(suppress_classes, scores.size)(
        np.ascontiguousarray(boxes).reshape(-1), np.ascontiguousarray(scores).reshape(-1), images, count, boxes.shape[2], classes,
        room.wanted, out[1].shape[1], threshold, least, room.heap, room.kept, room.room, every, merged, *(t.reshape(-1) for t in out),
        clip=int(clip),
    )  # fmt: skip
