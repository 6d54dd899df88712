"""Text in UTF-8 that is in order, all strings at once: its code points, and code points as strings in an encoding.

The strings lie in one buffer, which Python decodes as a whole; what is not in order, or of another encoding, string/unicode.py reads one
string at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...kernels.strings import StringArray
from ...ops.array.type_rules import Array
from .columns import begins, cut_strings

_LAST_CONTROL = 0x1F


class Points(NamedTuple):
    """The code points of strings one behind another, how many each string has, and at which of its bytes each begins."""

    points: Array
    counts: Array
    places: Array | None


def are_valid(points: Array) -> Array:
    """Which numbers are code points, and no surrogates."""
    found: Array = (points >= 0) & (points <= 0x10FFFF) & ((points < 0xD800) | (points > 0xDFFF))
    return found


def points_of(x: StringArray, with_places: bool) -> Points | None:
    """The code points of strings in UTF-8; None where one of them is no UTF-8."""
    try:
        text = x.data.tobytes().decode()
    except UnicodeDecodeError:
        return None
    starts, ends = x.starts[:-1], x.starts[1:]
    marks = begins(x.data)
    if not marks[starts[starts < ends]].all():
        return None  # a character begins in one string and ends in the next
    counts = ends - starts
    if not text.isascii():
        before = np.zeros(len(marks) + 1, np.int64)
        np.cumsum(marks, out=before[1:])
        counts = before[ends] - before[starts]
    points = np.frombuffer(bytearray(text.encode("utf-32-le")), "<i4")
    return Points(points, counts, np.flatnonzero(marks) - np.repeat(starts, counts) if with_places else None)


def replace_controls(found: Points, replacement: int) -> Points:
    """Characters below 32 replaced."""
    return found._replace(points=np.where(found.points <= _LAST_CONTROL, np.int32(replacement), found.points))


def has_controls(found: Points) -> bool:
    """Whether there are control characters among code points."""
    return bool((found.points <= _LAST_CONTROL).any())


def encode_points(points: Array, splits: Array, codec: str, shape: tuple[int, ...]) -> StringArray:
    """Rows of valid code points as strings; `codec` is utf-8, utf-16be or utf-32be."""
    data = np.frombuffer(points.astype("<i4").tobytes().decode("utf-32-le").encode(codec), np.uint8)
    if codec == "utf-8" and len(data) == len(points):
        ends = splits
    elif codec == "utf-32be":
        ends = 4 * splits
    else:
        if codec == "utf-8":
            widths = 1 + (points >= 0x80).astype(np.int8) + (points >= 0x800) + (points >= 0x10000)
        else:
            widths = 2 + 2 * (points >= 0x10000).astype(np.int8)
        before = np.zeros(len(points) + 1, np.int64)
        np.cumsum(widths, out=before[1:])
        ends = before[splits]
    return cut_strings(data, ends[:-1], ends[1:], shape)
