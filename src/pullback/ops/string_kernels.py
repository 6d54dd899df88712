"""What kernels over strings share: a function of one string for every element, characters of UTF-8."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .array_types import Array


def strings(found: Iterable[Any], shape: tuple[int, ...]) -> Array:
    """An array of strings from as many as the shape holds."""
    count = 1
    for n in shape:
        count *= n
    return np.fromiter(found, dtype=object, count=count).reshape(shape)


def mapped(f: Callable[[bytes], Any], x: Array) -> Array:
    """`f` of every string, as strings."""
    return strings(map(f, x.ravel()), x.shape)


def counted(f: Callable[[bytes], Any], x: Array, dtype: Any) -> Array:
    """`f` of every string, as numbers."""
    return np.fromiter(map(f, x.ravel()), dtype=dtype, count=x.size).reshape(x.shape)


def plain(text: Any) -> str:
    """An attribute that is text, given as text or bytes."""
    return text.decode() if isinstance(text, bytes) else str(text)


def raw(text: Any) -> bytes:
    """An attribute that is text, as bytes."""
    return text if isinstance(text, bytes) else str(text).encode()


def starts(s: bytes) -> list[int]:
    """Where characters begin: at the first byte, and at each that does not go on a character before it."""
    return [i for i, byte in enumerate(s) if byte & 0xC0 != 0x80 or not i]


def decoded(s: bytes) -> str:
    """A string as text, what is no UTF-8 replaced by U+FFFD."""
    return s.decode("utf-8", "replace")
