"""What kernels over strings share: columns of strings cut out of bytes, gathered, and changed as one string; text and its characters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...kernels import parallel
from ...kernels.loops import Bytes, Ints, copy, native_or_python
from ...kernels.strings import StringArray, from_lengths
from ...ops.array.type_rules import Array

_RANGE = 1 << 14


def run_over_ranges(count: int, work: Callable[[int, int], None]) -> None:
    """Calls `work` with the first and the end of ranges of strings that together are all, on as many threads as there are."""
    if count <= _RANGE:
        work(0, count)
    else:
        parallel.run(lambda i: work(i * _RANGE, min((i + 1) * _RANGE, count)), -(-count // _RANGE))


def _copy_strings(data: Bytes, begins: Ints, starts: Ints, count: int, out: Bytes) -> None:
    for i in range(count):
        to = starts[i]
        copy(out, to, data, begins[i], starts[i + 1] - to)


def cut_strings(data: Array, begins: Array, ends: Array, shape: tuple[int, ...]) -> StringArray:
    """The bytes from one place to another, as many strings as there are places."""
    return fill_column(data, begins, from_lengths(data, ends - begins, shape))


def fill_column(data: Array, begins: Array, out: StringArray) -> StringArray:
    """`out`, whose strings have their lengths, with the bytes that begin at these places."""
    copied, starts = native_or_python(_copy_strings, len(begins)), out.starts
    found, places = np.empty(starts[-1], np.uint8), np.ascontiguousarray(begins, np.int64)
    run_over_ranges(len(places), lambda a, b: copied(data, places[a:b], starts[a : b + 1], b - a, found))
    return StringArray(found, starts, out.shape)


def take_strings(x: StringArray, places: Array) -> StringArray:
    """The strings at these places, in the places' shape."""
    flat = places.reshape(-1)
    return cut_strings(x.data, x.starts[flat], x.starts[flat + 1], places.shape)


def broadcast(x: StringArray, shape: tuple[int, ...]) -> StringArray:
    """The strings repeated to a shape that theirs broadcasts to."""
    if x.shape == shape:
        return x
    return take_strings(x, np.broadcast_to(np.arange(x.size).reshape(x.shape), shape))


def change_bytes(x: StringArray, change: Callable[[bytes], bytes]) -> StringArray:
    """The column with its bytes changed by a function that leaves their number as it is."""
    return StringArray(np.frombuffer(change(x.data.tobytes()), np.uint8), x.starts, x.shape)


def find_common_length(x: StringArray) -> int | None:
    """How many bytes each string has, where all have as many; 0 where there is none."""
    count = x.size
    if not count:
        return 0
    size = int(x.starts[1])
    return size if size * count == len(x.data) and bool((x.lengths() == size).all()) else None


def raw(text: object) -> bytes:
    """An attribute that is text, as bytes."""
    return text if isinstance(text, bytes) else str(text).encode()


def begins(numbers: Array) -> Array:
    """Which bytes begin a character of UTF-8."""
    found: Array = (numbers & 0xC0) != 0x80
    return found


def decode_text(s: bytes) -> str:
    """A string as text, what is no UTF-8 replaced by U+FFFD."""
    return s.decode("utf-8", "replace")
