"""Which of some boxes are taken: from the best score down.

Each lowers the scores of all others by how much they overlap it: to nothing beyond a threshold, or little by little ("soft", Bodla et al.,
2017).  Here all others are compared with a box at once; `native_suppression` has loops that stop early.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...kernels import blocked
from ...ops.array.type_rules import Array
from . import suppression_loops as native

FLOAT = np.float32
_BLOCK, _FEW = 128, 8  # boxes that are compared with each other at once, at most and beyond twice as many as are wanted


class Overlaps:
    """How much boxes overlap: intersection over union; their corners may come in any order."""

    def __init__(self, boxes: Array) -> None:
        corners = np.ascontiguousarray(boxes.astype(FLOAT).T)
        self.low = [np.minimum(corners[i], corners[i + 2]) for i in (0, 1)]
        self.high = [np.maximum(corners[i], corners[i + 2]) for i in (0, 1)]
        self.areas = (self.high[0] - self.low[0]) * (self.high[1] - self.low[1])
        self.all_there = bool((self.areas > 0).all())

    def __call__(self, rows: Any, columns: Any) -> Array:
        """The overlaps of boxes with boxes."""
        shared: Any = None
        for low, high in zip(self.low, self.high, strict=True):
            side = np.minimum(high[rows][:, None], high[columns])
            side -= np.maximum(low[rows][:, None], low[columns])
            np.maximum(side, FLOAT(0), out=side)
            shared = side if shared is None else np.multiply(shared, side, out=shared)
        first, second = self.areas[rows][:, None], self.areas[columns]
        if self.all_there:
            whole = first + second
            whole -= shared
            return np.divide(shared, whole, out=shared)
        there = (first > 0) & (second > 0)
        overlaps: Array = np.where(there, shared / np.where(there, first + second - shared, FLOAT(1)), FLOAT(0))
        return overlaps


def select(
    overlaps: Callable[[Any, Any], Array],
    scores: Array,
    count: int,
    overlap_threshold: float,
    score_threshold: float,
    sigma: float = 0.0,
    narrow: bool = False,
) -> tuple[Array, Array]:
    """The indices of the boxes selected, at most `count`, and their scores when they were."""
    scores = scores.astype(FLOAT)
    if sigma > 0:
        return _select_softly(overlaps, scores, count, score_threshold, sigma, narrow)
    order = blocked.order(-scores)
    order = order[: np.count_nonzero(scores > score_threshold)]
    chosen: list[int] = []
    start = 0
    while start < len(order) and len(chosen) < count:
        block = order[start : start + min(_BLOCK, 2 * (count - len(chosen)) + _FEW)]
        start += len(block)
        if chosen:
            block = block[~(overlaps(np.array(chosen), block) > overlap_threshold).any(axis=0)]
        chosen += [int(block[i]) for i in _find_alive(overlaps(block, block) > overlap_threshold, count - len(chosen))]
    found = np.array(chosen, np.int32)
    return found, scores[found]


def _find_alive(suppressed: Array, count: int) -> Iterator[int]:
    """The first `count` of some boxes that none of those before suppresses; sets of boxes are the bits of integers."""
    rows = np.packbits(suppressed, axis=1, bitorder="little")
    every, width = rows.tobytes(), rows.shape[1]
    alive = (1 << len(suppressed)) - 1
    while alive and count:
        i = (alive & -alive).bit_length() - 1
        yield i
        count -= 1
        alive &= ~(int.from_bytes(every[i * width : (i + 1) * width], "little") | (1 << i))


def _select_softly(
    overlaps: Callable[[Any, Any], Array], scores: Array, count: int, score_threshold: float, sigma: float, narrow: bool
) -> tuple[Array, Array]:
    """As `select`, where boxes that overlap lose a part of their scores: a box is looked at again once its score has changed."""
    kind = np.float16 if narrow else FLOAT
    scale, scores = native.scale_of(sigma, narrow).astype(kind), scores.astype(kind)
    heap = [(-float(score), i) for i, score in enumerate(scores) if score > score_threshold]
    heapq.heapify(heap)
    compared = [0] * len(scores)
    taken: list[int] = []
    found: list[float] = []
    while heap and len(taken) < count:
        level, i = heapq.heappop(heap)
        others = np.array(taken[: compared[i] - 1 if compared[i] else None : -1], np.intp)
        compared[i] = len(taken)
        shared = overlaps(np.array([i]), others)[0].astype(kind)
        weights = np.exp(scale * shared * shared)
        passed = np.multiply.accumulate(np.concatenate([np.array([-level], kind), weights]))
        low = passed[1:] <= score_threshold
        score = float(passed[1 + int(low.argmax())] if low.any() else passed[-1])
        if score == -level:
            taken.append(i)
            found.append(score)
        elif score > score_threshold:
            heapq.heappush(heap, (-score, i))
    return np.array(taken, np.int32), np.array(found, FLOAT)


def choose_boxes(
    boxes: Array, scores: Array, count: int, share: float, least: float, sigma: float = 0.0, narrow: bool = False
) -> tuple[Array, Array]:
    """The indices of at most `count` boxes of float32, and their scores when they were selected.

    narrow: they were of float16, and overlaps and scores are rounded as if they still were.
    """
    found = native.select(boxes, scores, count, share, least, sigma, narrow)
    if found is not None:
        return found
    compared = Overlaps(boxes)
    if not np.isfinite(compared.areas).all():
        found = native.select_one_by_one(native.suppress_one_by_one, boxes, scores, count, share, least, sigma, narrow)
        assert found is not None
        return found
    return select(compared, scores, count, native.widest_threshold(share) if narrow else share, least, sigma, narrow)
