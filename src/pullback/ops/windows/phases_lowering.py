"""Which outputs of a sliding window saw an element: what gradients of windows are lowered with.

With a stride s the elements of an axis fall in s phases, every s-th from one of the first s on.  Those of one phase are seen by the
same taps, and tap after tap the output that sees them is a fixed number of positions further back: so within a phase the gradient is a
sum over taps of views.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .windows import Window

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder


class Phase(NamedTuple):
    """Elements start, start + stride, ..., `members` of them.

    The taps tap, tap + step, ... (`taps` of them) see them; the first tap's output for element number q is q + first, and each tap's is
    `back` less than the one's before it.
    """

    start: int
    members: int
    taps: int
    tap: int
    step: int
    first: int
    back: int


def phases(window: Window, length: int) -> list[Phase]:
    """The phases of an axis of `length`."""
    s, d = window.stride, window.dilation
    shared = math.gcd(s, d)
    found = []
    for start in range(min(s, length)):
        count = -(-(length - start) // s)
        tap = next((k for k in range(min(window.size, s // shared)) if (start + window.before - k * d) % s == 0), None)
        if tap is None:
            found.append(Phase(start, count, 0, 0, 1, 0, 0))
            continue
        step = s // shared
        taps = -(-(window.size - tap) // step)
        found.append(Phase(start, count, taps, tap, step, (start + window.before - tap * d) // s, d // shared))
    return found


def place_phase(shape: Sequence[int], windows: Sequence[Window], part: Sequence[Phase]) -> tuple[list[int], int]:
    """How far apart in an array of `shape` (batch, *lengths, channels) the elements of one phase of each axis are, and the first one."""
    apart = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
    offset = sum(p.start * step for p, step in zip(part, apart[1:-1], strict=True))
    return [apart[0], *(w.stride * step for w, step in zip(windows, apart[1:-1], strict=True)), apart[-1]], offset


def zeros_first(builder: Builder, shape: tuple[int, ...], dtype: np.dtype[Any], every: Sequence[Sequence[Phase]]) -> Any:
    """Memory for the phases of all axes to be put in: of zeros where some are seen by no tap."""
    if all(phase.taps for axis in every for phase in axis):
        return builder.temporary(shape, dtype)
    return builder.fill_memory(shape, dtype, 0)
