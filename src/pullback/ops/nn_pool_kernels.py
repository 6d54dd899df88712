"""Pooling on NumPy arrays: one pass over the whole array for each point of the window, so small windows cost little and need no copies.

A pool does not care which axis is the batch or the channels: every axis has a window, most of them of size one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .nn_types import where_open
from .nn_windows import Array, Window, offsets, padded, unpadded


def lowest(dtype: np.dtype[Any]) -> float:
    """The number that any other of `dtype` beats."""
    return float(np.iinfo(dtype).min) if dtype.kind in "iu" else -math.inf


def max_pool(x: Array, windows: Sequence[Window]) -> Array:
    """The largest number in each window."""
    wide = padded(x, windows, lowest(x.dtype))
    views = [wide[at] for at in offsets(windows)]
    out = views[0].copy()
    for view in views[1:]:
        np.maximum(out, view, out=out)
    return out


def max_pool_grad(x: Array, y: Array, g: Array, windows: Sequence[Window]) -> Array:
    """Each window's gradient, given to the first of its points that holds the maximum."""
    wide = padded(x, windows, lowest(x.dtype))
    dx = np.zeros(wide.shape, g.dtype)
    pending = np.ones(y.shape, bool)
    for at in offsets(windows):
        chosen = (wide[at] == y) & pending
        dx[at] += where_open(g, chosen)
        pending &= ~chosen
    return unpadded(dx, windows)


def max_pool_grad_grad(x: Array, y: Array, g: Array, windows: Sequence[Window]) -> Array:
    """From `g`, of the input's shape, the number at the first maximum of each window: the transpose of `max_pool_grad`."""
    wide, seen = padded(x, windows, lowest(x.dtype)), padded(g, windows)
    out = np.zeros(y.shape, g.dtype)
    pending = np.ones(y.shape, bool)
    for at in offsets(windows):
        chosen = (wide[at] == y) & pending
        np.copyto(out, seen[at], where=chosen)
        pending &= ~chosen
    return out


def avg_pool(x: Array, windows: Sequence[Window]) -> Array:
    """The mean of each window; padding counts neither in the sum nor in the number of points."""
    narrow = x.dtype.itemsize < 4
    wide = padded(x.astype(np.float32) if narrow else x, windows)
    out: Any = sum(wide[at] for at in offsets(windows))
    mean: Array = (out / _points(x.shape, windows)).astype(x.dtype)
    return mean


def avg_pool_grad(shape: tuple[int, ...], g: Array, windows: Sequence[Window]) -> Array:
    """Each window's gradient, shared among its points."""
    share = (g / _points(shape, windows)).astype(g.dtype)
    dx = np.zeros([n + w.before + w.after for n, w in zip(shape, windows, strict=True)], g.dtype)
    for at in offsets(windows):
        dx[at] += share
    return unpadded(dx, windows)


def _points(shape: tuple[int, ...], windows: Sequence[Window]) -> Array:
    """How many points of each window lie inside the array."""
    counts: Any = np.ones((), np.float32)
    for length, w in zip(shape, windows, strict=True):
        first = np.arange(w.out)[:, None] * w.stride - w.before
        point = first + np.arange(w.size) * w.dilation
        counts = counts[..., None] * ((point >= 0) & (point < length)).sum(axis=1).astype(np.float32)
    return np.asarray(counts)
