"""Pooling on NumPy arrays, a few images at a time, so that what one pass leaves in the cache is there for the next.

A pool does not care which axis is the batch or the channels: every axis has a window, most of them of size one.  Maxima and sums go
axis by axis, which takes 4 passes for a window of 3 x 3 and not 8.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...kernels import parallel
from ..array.type_rules import apply_gate
from .windows import Array, Window, offsets, pad_windows, unpad_windows

BLOCK = 1 << 18  # numbers of the images taken at a time
SHARED = 1 << 18  # numbers from which threads pay


def lowest_value(dtype: np.dtype[Any]) -> float:
    """The number that any other of `dtype` beats."""
    return float(np.iinfo(dtype).min) if dtype.kind in "iu" else -math.inf


def _run_by_images(work: Callable[[slice], None], shape: Sequence[int]) -> None:
    """Calls `work` with runs of the first axis of arrays of `shape`, on several threads where they are large."""
    numbers = math.prod(shape)
    if not numbers:
        return
    step = max(BLOCK * shape[0] // numbers, 1)
    count = -(-shape[0] // step)
    if numbers < SHARED:
        for i in range(count):
            work(slice(i * step, (i + 1) * step))
    else:
        parallel.run(lambda i: work(slice(i * step, (i + 1) * step)), count)


def _slide_windows(x: Array, windows: Sequence[Window], combine: np.ufunc) -> Array:
    """`combine` over the window on each axis in turn, the first axis left alone."""
    for axis, window in enumerate(windows):
        if axis and (window.size > 1 or window.stride > 1):
            views = [x[(slice(None),) * axis + (window.at(i),)] for i in range(window.size)]
            x = combine(views[0], views[1]) if len(views) > 1 else views[0]
            for view in views[2:]:
                combine(x, view, out=x)
    return x


def max_pool(x: Array, windows: Sequence[Window]) -> Array:
    """The largest number in each window."""
    low = lowest_value(x.dtype)
    out = np.empty([w.out for w in windows], x.dtype)

    def images(at: slice) -> None:
        out[at] = _slide_windows(pad_windows(x[at], windows, low), windows, np.maximum)

    _run_by_images(images, x.shape)
    return out


def holds(x: Array, top: Array) -> Array:
    """Where `x` is the maximum of its window: NaN always is."""
    found: Array = x == top
    return found | np.isnan(x) if x.dtype.kind in "fV" else found


def max_pool_grad(x: Array, y: Array, g: Array, windows: Sequence[Window]) -> Array:
    """Each window's gradient, given to the first of its points that holds the maximum."""
    low, points = lowest_value(x.dtype), list(offsets(windows))
    dx = np.empty(x.shape, g.dtype)

    def images(at: slice) -> None:
        wide, top, share = pad_windows(x[at], windows, low), y[at], g[at]
        back = np.zeros(wide.shape, g.dtype)
        pending = np.ones(top.shape, bool)
        for point in points:
            part = (slice(None), *point[1:])
            chosen = holds(wide[part], top) & pending
            back[part] += apply_gate(share, chosen)
            pending &= ~chosen
        dx[at] = unpad_windows(back, windows)

    _run_by_images(images, x.shape)
    return dx


def max_pool_grad_grad(x: Array, y: Array, g: Array, windows: Sequence[Window]) -> Array:
    """From `g`, of the input's shape, the number at the first maximum of each window: the transpose of `max_pool_grad`."""
    low, points = lowest_value(x.dtype), list(offsets(windows))
    out = np.zeros(y.shape, g.dtype)

    def images(at: slice) -> None:
        wide, seen, top, found = pad_windows(x[at], windows, low), pad_windows(g[at], windows), y[at], out[at]
        pending = np.ones(top.shape, bool)
        for point in points:
            part = (slice(None), *point[1:])
            chosen = holds(wide[part], top) & pending
            np.copyto(found, seen[part], where=chosen)
            pending &= ~chosen

    _run_by_images(images, x.shape)
    return out


def avg_pool(x: Array, windows: Sequence[Window]) -> Array:
    """The mean of each window; padding counts neither in the sum nor in the number of points."""
    narrow = x.dtype.itemsize < 4
    shares = _shares(x.shape, windows, x.dtype)
    out = np.empty([w.out for w in windows], x.dtype)

    def images(at: slice) -> None:
        part = x[at].astype(np.float32) if narrow else x[at]
        out[at] = _slide_windows(pad_windows(part, windows), windows, np.add) * shares

    _run_by_images(images, x.shape)
    return out


def avg_pool_grad(shape: tuple[int, ...], g: Array, windows: Sequence[Window]) -> Array:
    """Each window's gradient, shared among its points."""
    shares = _shares(shape, windows, g.dtype)
    dx = np.empty(shape, g.dtype)

    def images(at: slice) -> None:
        back = (g[at] * shares).astype(g.dtype, copy=False)
        for axis in range(len(shape) - 1, 0, -1):
            length, window = shape[axis], windows[axis]
            if 1 < window.size == window.stride and window.out * window.size == length and not window.before:
                back = np.repeat(back, window.size, axis)
            elif window.size > 1 or window.stride > 1 or window.before or window.after:
                wide = np.zeros((*back.shape[:axis], length + window.before + window.after, *back.shape[axis + 1 :]), g.dtype)
                for i in range(window.size):
                    wide[(slice(None),) * axis + (window.at(i),)] += back
                back = wide[(slice(None),) * axis + (slice(window.before, window.before + length),)]
        dx[at] = back

    _run_by_images(images, shape)
    return dx


def _shares(shape: tuple[int, ...], windows: Sequence[Window], dtype: Any) -> Array:
    """What each point of a window counts for in its mean: products are several times as quick as quotients."""
    return np.asarray(1 / _points(shape, windows).astype(np.float32 if dtype.itemsize < 4 else dtype))


def _points(shape: tuple[int, ...], windows: Sequence[Window]) -> Array:
    """How many points of each window lie inside the array, one number where all do; a batch of one stands for all images."""
    if not any(w.before or w.after for w in windows):
        return np.array(math.prod(w.size for w in windows), np.float32)
    counts: Any = np.ones((), np.float32)
    for length, w in zip((1, *shape[1:]), windows, strict=True):
        first = np.arange(w.out if counts.ndim else 1)[:, None] * w.stride - w.before
        point = first + np.arange(w.size) * w.dilation
        counts = counts[..., None] * ((point >= 0) & (point < length)).sum(axis=1).astype(np.float32)
    return np.asarray(counts)
