"""Resampling one axis: each output is a weighted sum of a few inputs, its *taps*.

Every way of resizing is two such axes, rows and columns, so it is a table of taps for each, and its adjoint is the table turned round.
The weights are computed in single precision, step by step as TensorFlow computes them: a sampling point that falls on a pixel must not
fall beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ...ops.array.type_rules import Array
from . import taps_loops

FLOAT = np.float32


@dataclass(frozen=True, eq=False)
class Taps:
    """Output i is the sum over k of weights[i, k] * input[at[i, k]], of `size` inputs; a weight of 0 is no tap."""

    at: Array
    weights: Array
    size: int
    made: dict[Any, Any] = field(default_factory=dict, repr=False)  # what `places` gives, by dtype and channels

    @cached_property
    def identical(self) -> bool:
        """Whether every output is the input of its own number."""
        outs, count = self.at.shape
        if outs != self.size or count == 0:
            return False
        place = np.argmax(self.weights, axis=1)
        ones = self.weights == (np.arange(count) == place[:, None])
        return bool(ones.all() and (self.at[np.arange(outs), place] == np.arange(outs)).all())

    @cached_property
    def turned(self) -> Taps:
        """The adjoint."""
        outs, count = self.at.shape
        rows = np.repeat(np.arange(outs), count)
        at, weights = self.at.ravel(), self.weights.ravel()
        held = weights != 0
        rows, at, weights = rows[held], at[held], weights[held]
        order = np.argsort(at, kind="stable")
        counts = np.bincount(at, minlength=self.size)
        most = int(counts.max(initial=0))
        start = np.cumsum(counts) - counts
        place = np.arange(at.size) - np.repeat(start, counts)
        found = np.zeros((self.size, most), np.intp), np.zeros((self.size, most), weights.dtype)
        found[0][at[order], place], found[1][at[order], place] = rows[order], weights[order]
        return Taps(*found, outs)

    @cached_property
    def reach(self) -> int:
        """How many inputs lie between the first and the last tap of an output, with these, at most."""
        held = self.weights != 0
        last, first = np.where(held, self.at, 0).max(axis=1), np.where(held, self.at, self.size).min(axis=1)
        return max(int((last - first).max(initial=0)) + 1, 1)

    def places(self, dtype: Any, channels: int) -> tuple[Array, Array]:
        """Which inputs, as places in a line of pixels of so many channels, and the weights."""
        key = np.dtype(dtype), channels
        if key not in self.made:
            self.made[key] = (self.at * channels).astype(np.int64).reshape(-1), self.weights.astype(dtype).reshape(-1)
        return self.made[key]


def resample_images(x: Array, rows: Taps, columns: Taps) -> Array:
    """Images [batch, height, width, channels] resampled along height and width; half precision and integers are widened meanwhile."""
    if rows.identical and columns.identical:
        return x.copy()
    if x.dtype.kind in "iu":
        return taps_loops.resample(x.astype(np.float64), rows, columns).astype(np.int64).astype(x.dtype)  # which wraps
    wide = x.astype(FLOAT) if x.dtype.itemsize < 4 else x
    return taps_loops.resample(wide, rows, columns).astype(x.dtype, copy=False)


# ---- where outputs lie


def scale_of(size: int, out: int, align_corners: bool) -> Any:
    """Input pixels for one output pixel."""
    return FLOAT(size - 1) / FLOAT(out - 1) if align_corners and out > 1 else FLOAT(size) / FLOAT(out)


def _places(size: int, out: int, align_corners: bool, half_pixel_centers: bool) -> Array:
    at = np.arange(out, dtype=FLOAT)
    scale = scale_of(size, out, align_corners)
    places: Array = (at + FLOAT(0.5)) * scale - FLOAT(0.5) if half_pixel_centers else at * scale
    return places


@lru_cache(32)
def nearest(size: int, out: int, align_corners: bool, half_pixel_centers: bool) -> Taps:
    """The one pixel whose area the sampling point is in."""
    at = np.arange(out, dtype=FLOAT)
    point = (at + FLOAT(0.5) if half_pixel_centers else at) * scale_of(size, out, align_corners)
    whole = np.floor(point + FLOAT(0.5)) if align_corners else np.floor(point)
    return Taps(np.clip(whole.astype(np.intp), 0, size - 1)[:, None], np.ones((out, 1), FLOAT), size)


@lru_cache(32)
def bilinear(size: int, out: int, align_corners: bool, half_pixel_centers: bool) -> Taps:
    """The two pixels beside the sampling point."""
    point = _places(size, out, align_corners, half_pixel_centers)
    below = np.floor(point)
    share = point - below
    at = np.stack([np.maximum(below, 0), np.minimum(np.ceil(point), size - 1)], axis=1).astype(np.intp)
    return Taps(np.clip(at, 0, size - 1), np.stack([1 - share, share], axis=1), size)


_TABLE = 1024  # TensorFlow reads cubic weights from a table of so many steps


def _cubic_table(a: float) -> tuple[Array, Array]:
    """Keys's cubic for distances in [0, 1] and [1, 2]."""
    x = np.arange(_TABLE + 1, dtype=np.float64) / _TABLE
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    x += 1
    return near.astype(FLOAT), (((a * x - 5 * a) * x + 8 * a) * x - 4 * a).astype(FLOAT)


@lru_cache(32)
def bicubic(size: int, out: int, align_corners: bool, half_pixel_centers: bool) -> Taps:
    """The four pixels around the sampling point; with half-pixel centres those beyond the border have no weight."""
    point = _places(size, out, align_corners, half_pixel_centers)
    below = np.floor(point)
    step = np.rint((point - below) * _TABLE).astype(np.intp)
    near, far = _cubic_table(-0.5 if half_pixel_centers else -0.75)
    weights = np.stack([far[step], near[step], near[_TABLE - step], far[_TABLE - step]], axis=1)
    wanted = below.astype(np.intp)[:, None] + np.arange(-1, 3)
    at = np.clip(wanted, 0, size - 1)
    if half_pixel_centers:
        weights = np.where(at == wanted, weights, FLOAT(0))
        weights = weights / _nonzero(weights.sum(axis=1, keepdims=True))
    return Taps(at, weights, size)


def _nonzero(total: Array) -> Array:
    return np.where(np.abs(total) >= 1000 * np.finfo(FLOAT).tiny, total, FLOAT(1))


@lru_cache(32)
def area(size: int, out: int, align_corners: bool) -> Taps:
    """The pixels that an output covers, by how much of each; a single pixel with aligned corners has no width, and is all there is."""
    scale = scale_of(size, out, align_corners)
    if scale == 0:
        return Taps(np.zeros((out, 1), np.intp), np.ones((out, 1), FLOAT), size)
    low, high = np.arange(out, dtype=FLOAT) * scale, np.arange(1, out + 1, dtype=FLOAT) * scale
    first, last = np.floor(low).astype(np.intp), np.ceil(high).astype(np.intp)
    wanted = first[:, None] + np.arange(int((last - first).max(initial=0)))
    covered = np.minimum(wanted + 1, high[:, None]) - np.maximum(wanted, low[:, None])
    weights = np.where(wanted < last[:, None], covered / scale, 0).astype(FLOAT)
    return Taps(np.clip(wanted, 0, size - 1), weights, size)


# ---- kernels of scale and translate: the weight of a pixel at distance x, and how far it reaches


def _lanczos(radius: float) -> Callable[[Array], Array]:
    def weight(x: Array) -> Array:
        turn = FLOAT(np.pi) * x
        bell = FLOAT(radius) * np.sin(turn) * np.sin(turn / FLOAT(radius)) / np.where(turn == 0, 1, turn * turn)
        return np.where(x > radius, FLOAT(0), np.where(x <= 1e-3, FLOAT(1), bell))

    return weight


def _gaussian(x: Array) -> Array:
    sigma = FLOAT(0.5)
    return np.where(x >= 1.5, FLOAT(0), np.exp(-x * x / (FLOAT(2) * sigma * sigma)))


def _keys(x: Array) -> Array:
    far = ((FLOAT(-0.5) * x + FLOAT(2.5)) * x - FLOAT(4)) * x + FLOAT(2)
    near = ((FLOAT(1.5) * x - FLOAT(2.5)) * x) * x + FLOAT(1)
    return np.where(x >= 2, FLOAT(0), np.where(x >= 1, far, near))


def _mitchell(x: Array) -> Array:
    far = (((FLOAT(-7 / 18) * x + FLOAT(2)) * x - FLOAT(10 / 3)) * x) + FLOAT(16 / 9)
    near = (FLOAT(7 / 6) * x - FLOAT(2)) * x * x + FLOAT(8 / 9)
    return np.where(x >= 2, FLOAT(0), np.where(x >= 1, far, near))


KERNELS: dict[str, tuple[float, Callable[[Array], Array]]] = {
    "lanczos1": (1.0, _lanczos(1.0)),
    "lanczos3": (3.0, _lanczos(3.0)),
    "lanczos5": (5.0, _lanczos(5.0)),
    "gaussian": (1.5, _gaussian),
    "box": (1.0, lambda x: np.where(x < 0.5, FLOAT(1), np.where(x == 0.5, FLOAT(0.5), FLOAT(0)))),
    "triangle": (1.0, lambda x: np.where(x < 1, FLOAT(1) - x, FLOAT(0))),
    "keyscubic": (2.0, _keys),
    "mitchellcubic": (2.0, _mitchell),
}


def scaled_taps(size: int, out: int, scale: float, translation: float, kernel: str, antialias: bool) -> Taps:
    """Weights that a kernel gives the pixels around output / scale - translation / scale; wider where that is fewer outputs."""
    radius, weight = KERNELS[kernel]
    inverse = FLOAT(1) / FLOAT(scale)
    stretch = max(inverse, FLOAT(1)) if antialias else FLOAT(1)
    point = (np.arange(out, dtype=FLOAT) + FLOAT(0.5)) * inverse - inverse * FLOAT(translation)
    reach = FLOAT(radius) * stretch
    first = np.clip(np.ceil(point - reach - FLOAT(0.5)), 0, size - 1).astype(np.intp)
    last = np.clip(np.floor(point + reach - FLOAT(0.5)), 0, size - 1).astype(np.intp) + 1
    inside = (point >= 0) & (point <= size)
    wanted = first[:, None] + np.arange(int(np.where(inside, last - first, 0).max(initial=0)))
    weights = weight(np.abs((wanted.astype(FLOAT) + FLOAT(0.5) - point[:, None]) * (FLOAT(1) / stretch)))
    weights = np.where((wanted < last[:, None]) & inside[:, None], weights, FLOAT(0))
    total = weights.sum(axis=1, keepdims=True)
    enough = np.abs(total) >= 1000 * np.finfo(FLOAT).tiny
    weights = np.where(enough, weights / np.where(enough, total, FLOAT(1)), FLOAT(0)).astype(FLOAT)
    return Taps(np.clip(wanted, 0, size - 1), weights, size)
