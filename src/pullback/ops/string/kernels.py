"""What kernels over strings share: a function of one string for every element, all strings in one buffer, characters of UTF-8.

A string is an object of Python's, which costs 20 ns to look at and 30 to 60 to make.  What is longer than that is done for all at once:
the strings put into one buffer take 10 ns each, and NumPy counts and compares its bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..array.types import Array


def strings(found: Iterable[Any], shape: tuple[int, ...]) -> Array:
    """An array of strings from as many as the shape holds."""
    count = 1
    for n in shape:
        count *= n
    return np.fromiter(found, dtype=object, count=count).reshape(shape)


def mapped(f: Callable[[bytes], Any], x: Array) -> Array:
    """`f` of every string, as strings."""
    return strings(map(f, x.ravel().tolist()), x.shape)


def counted(f: Callable[[bytes], Any], x: Array, dtype: Any) -> Array:
    """`f` of every string, as numbers."""
    return np.fromiter(map(f, x.ravel().tolist()), dtype=dtype, count=x.size).reshape(x.shape)


def plain(text: Any) -> str:
    """An attribute that is text, given as text or bytes."""
    return text.decode() if isinstance(text, bytes) else str(text)


def raw(text: Any) -> bytes:
    """An attribute that is text, as bytes."""
    return text if isinstance(text, bytes) else str(text).encode()


class Buffer(NamedTuple):
    """Strings one behind another: their bytes, as one string and as numbers, and where each begins and ends."""

    data: bytes
    numbers: Array
    starts: Array
    ends: Array

    def firsts(self) -> Array:
        """Where strings that are not empty begin."""
        return self.starts[self.starts < self.ends]

    def counted(self, chosen: Array) -> Array:
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


def cut(data: bytes, starts: Array, ends: Array) -> list[bytes]:
    """The parts of a string from one place to another."""
    return [data[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]


def columns(rows: Array) -> list[bytes]:
    """The rows of a matrix of bytes, as strings."""
    width = rows.shape[1]
    found: list[bytes] = np.ascontiguousarray(rows).view(f"V{width}").ravel().tolist() if width else [b""] * len(rows)
    return found


def begins(numbers: Array) -> Array:
    """Which bytes begin a character of UTF-8."""
    found: Array = (numbers & 0xC0) != 0x80
    return found


def decoded(s: bytes) -> str:
    """A string as text, what is no UTF-8 replaced by U+FFFD."""
    return s.decode("utf-8", "replace")
