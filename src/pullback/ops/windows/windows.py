"""Where a sliding window stands along one axis: the sizes and paddings that convolutions and pools share."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Window:
    """A window of `size` points, `dilation` apart, at `out` positions, `stride` apart, on an axis padded `before` and `after`."""

    size: int
    stride: int
    dilation: int
    before: int
    after: int
    out: int

    def at(self, offset: int) -> slice:
        """What the window's point number `offset` sees at all positions, as a slice of the padded axis."""
        start = offset * self.dilation
        return slice(start, start + max(self.out - 1, 0) * self.stride + min(self.out, 1), self.stride)

    @property
    def reach(self) -> int:
        """How many points of the axis it spans."""
        return (self.size - 1) * self.dilation + 1


def is_point(windows: Sequence[Window]) -> bool:
    """Whether a filter of these windows has one point, which sees each point of the image."""
    return all(n.size == 1 and n.stride == 1 and not n.before and not n.after for n in windows)


def place(length: int, size: int, stride: int, dilation: int, padding: str, explicit: tuple[int, int] = (0, 0)) -> Window:
    """The window's positions on an axis of `length`; `padding` is VALID, SAME or EXPLICIT.  A negative `out`: no fit."""
    reach = (size - 1) * dilation + 1
    if padding == "SAME":
        out = -(-length // stride)
        total = max((out - 1) * stride + reach - length, 0)
        return Window(size, stride, dilation, total // 2, total - total // 2, out)
    before, after = explicit if padding == "EXPLICIT" else (0, 0)
    room = length + before + after - reach + stride
    return Window(size, stride, dilation, before, after, room // stride if room >= 0 else -(-room // stride))


def pad_windows(x: Array, windows: Sequence[Window], value: float = 0) -> Array:
    """`x` with each axis padded as its window asks."""
    if not any(w.before or w.after for w in windows):
        return x
    wide = np.full([n + w.before + w.after for n, w in zip(x.shape, windows, strict=True)], value, x.dtype)
    unpad_windows(wide, windows)[...] = x
    return wide


def unpad_windows(x: Array, windows: Sequence[Window]) -> Array:
    """The inverse of `pad_windows`."""
    return x[tuple(slice(w.before, x.shape[i] - w.after) for i, w in enumerate(windows))]


def offsets(windows: Sequence[Window]) -> Iterator[tuple[slice, ...]]:
    """For each point of the window, in row-major order, the slices it sees."""
    for point in itertools.product(*(range(w.size) for w in windows)):
        yield tuple(w.at(i) for w, i in zip(windows, point, strict=True))
