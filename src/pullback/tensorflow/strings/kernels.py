"""What kernels over strings share: text in attributes, characters of UTF-8."""

from __future__ import annotations

from ...ops.array.type_rules import Array


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
