"""Text in UTF-8 that is in order, all strings at once: its code points, and code points as strings in an encoding.

The strings lie in one buffer, which Python decodes as a whole; what is not in order, or of another encoding, string/unicode.py reads one
string at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..array.types import Array
from .kernels import begins, buffer_of, cut

_LAST_CONTROL = 0x1F


class Points(NamedTuple):
    """The code points of strings one behind another, how many each string has, and at which of its bytes each begins."""

    points: Array
    counts: Array
    places: Array | None


def valid(points: Array) -> Array:
    """Which numbers are code points, and no surrogates."""
    found: Array = (points >= 0) & (points <= 0x10FFFF) & ((points < 0xD800) | (points > 0xDFFF))
    return found


def points_of(rows: Sequence[bytes], with_places: bool) -> Points | None:
    """The code points of strings in UTF-8; None where one of them is no UTF-8."""
    buffer = buffer_of(rows)
    try:
        text = buffer.data.decode()
    except UnicodeDecodeError:
        return None
    marks = begins(buffer.numbers)
    if not marks[buffer.firsts()].all():
        return None  # a character begins in one string and ends in the next
    counts = buffer.ends - buffer.starts if buffer.data.isascii() else buffer.counted(marks)
    points = np.frombuffer(bytearray(text.encode("utf-32-le")), "<i4")
    return Points(points, counts, np.flatnonzero(marks) - np.repeat(buffer.starts, counts) if with_places else None)


def without_controls(found: Points, replacement: int) -> Points:
    """Characters below 32 replaced."""
    return found._replace(points=np.where(found.points <= _LAST_CONTROL, np.int32(replacement), found.points))


def has_controls(found: Points) -> bool:
    return bool((found.points <= _LAST_CONTROL).any())


def encoded(points: Array, splits: Array, codec: str) -> list[bytes]:
    """Rows of valid code points as strings; `codec` is utf-8, utf-16be or utf-32be."""
    data = points.astype("<i4").tobytes().decode("utf-32-le").encode(codec)
    if codec == "utf-8":
        widths = 1 + (points >= 0x80).astype(np.int8) + (points >= 0x800) + (points >= 0x10000)
    elif codec == "utf-16be":
        widths = 2 + 2 * (points >= 0x10000).astype(np.int8)
    else:
        widths = np.full(len(points), 4, np.int8)
    ends = np.concatenate([[0], np.cumsum(widths, dtype=np.intp)])[splits]
    return cut(data, ends[:-1], ends[1:])
