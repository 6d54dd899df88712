"""What kernels over strings share: text in attributes, strings in one buffer with something between them, characters of UTF-8."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...ops.array.type_rules import Array


def raw(text: object) -> bytes:
    """An attribute that is text, as bytes."""
    return text if isinstance(text, bytes) else str(text).encode()


class Buffer(NamedTuple):
    """Strings one behind another: their bytes, as one string and as numbers, and where each begins and ends."""

    data: bytes
    numbers: Array
    starts: Array
    ends: Array

    def count_bytes(self, chosen: Array) -> Array:
        """How many of the bytes, marked by truth values, each string has."""
        before = np.zeros(len(chosen) + 1, np.intp)
        np.cumsum(chosen, out=before[1:])
        return before[self.ends] - before[self.starts]


def buffer_of(rows: Sequence[bytes], between: bytes = b"") -> Buffer:
    """The strings in one buffer, with `between` from one to the next."""
    ends = np.cumsum(np.fromiter(map(len, rows), np.intp, len(rows)))
    starts = np.concatenate([[0], ends[:-1]]) if len(rows) else ends
    if between:
        gaps = len(between) * np.arange(len(rows))
        starts, ends = starts + gaps, ends + gaps
    data = between.join(rows)
    return Buffer(data, np.frombuffer(data, np.uint8), starts, ends)


def begins(numbers: Array) -> Array:
    """Which bytes begin a character of UTF-8."""
    found: Array = (numbers & 0xC0) != 0x80
    return found


def decode_text(s: bytes) -> str:
    """A string as text, what is no UTF-8 replaced by U+FFFD."""
    return s.decode("utf-8", "replace")
