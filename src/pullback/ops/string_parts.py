"""Parts and lengths of strings, in bytes or in characters of UTF-8; letters made small or large; white space cut off."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import INDEX, int32, string
from ..base.shapes import show
from ..ir.apply import ShapeError
from ..ir.op import define
from ..ir.tensor import TensorType
from .array_types import Array, invalid
from .families import broadcast_dims
from .rows import alike
from .string_kernels import counted, decoded, mapped, plain, starts, strings

_UNITS = ("BYTE", "UTF8_CHAR")


def check_attribute(name: str, value: Any, allowed: tuple[str, ...], op: str) -> str:
    """An attribute that is one of a few words."""
    text = plain(value)
    if text not in allowed:
        words = ", ".join(f'"{word}"' for word in allowed)
        raise invalid(f"Value for attr '{name}' of \"{text}\" is not in the list of allowed values: {words} [Op:{op}] name: ")
    return text


def _same_type(input: Any) -> TensorType:
    return TensorType(input.dims, string)


# ---- parts


def _substr_type(input: Any, pos: Any, len: Any, *, unit: str = "BYTE") -> TensorType:
    if pos.dims is not None and len.dims is not None and not _equal(pos.dims, len.dims):
        text = f"pos and len should have the same shape, got: {show(pos.dims)} vs. {show(len.dims)}"
        raise ShapeError(text, text)
    return TensorType(broadcast_dims(input.dims, pos.dims), string)


def _equal(a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
    return len(a) == len(b) and all(m is None or n is None or m == n for m, n in zip(a, b, strict=True))


_size = len


def _substr(input: Array, pos: Array, len: Array, *, unit: str = "BYTE") -> Array:
    if pos.shape != len.shape:
        raise invalid(f"pos and len should have the same shape, got: {show(pos.shape)} vs. {show(len.shape)}")
    try:
        given = np.broadcast_arrays(input, pos, len)
    except ValueError:
        raise invalid(f"Incompatible shapes: {show(input.shape)} vs. {show(pos.shape)}") from None
    if unit == "BYTE" and pos.size == 1 and input.size:
        at, n = int(pos.ravel()[0]), int(len.ravel()[0])
        if 0 <= at <= min(map(_size, given[0].ravel())):
            part = slice(at, None if n < 0 else at + n)
            return mapped(lambda s: s[part], given[0])
    cut = _bytes if unit == "BYTE" else _characters
    rows = zip(*(x.ravel().tolist() for x in given), strict=True)
    return strings((cut(s, at, n, i) for i, (s, at, n) in enumerate(rows)), given[0].shape)


def _bytes(s: bytes, at: int, n: int, index: int) -> bytes:
    size = len(s)
    if not -size <= at <= size:
        raise invalid(f"pos {at} out of range for string {s!r} at index {index}")
    at = at + size if at < 0 else at
    return s[at:] if n < 0 else s[at : at + n]


def _characters(s: bytes, at: int, n: int, index: int) -> bytes:
    places = [*starts(s), len(s)]
    size = len(places) - 1
    if not -size <= at <= size:
        raise invalid(f"pos {at} out of range for string at index {index}")
    at = at + size if at < 0 else at
    return s[places[at] :] if n < 0 else s[places[at] : places[min(at + n, size)]]


SUBSTR = define("Substr", "input:string pos len", _substr_type, _substr, {}, dtypes=INDEX)


def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """The part of each string that begins at `pos` and has at most `len` bytes, or characters of UTF-8 (`unit` "UTF8_CHAR").

    pos, len: integers of one shape, which broadcasts against the strings'; a negative `pos` counts from the end, a negative `len` goes to
    the end.  Raises InvalidArgumentError for a position outside a string, shapes that do not fit, and another unit.

    >>> import pullback as tf
    >>> tf.strings.substr(["hello", "abc"], 1, 2).numpy().tolist()
    [b'el', b'bc']
    """
    return SUBSTR(input, pos, len, unit=check_attribute("unit", unit, _UNITS, "Substr"), name=name)


def _length(input: Array, *, unit: str = "BYTE") -> Array:
    return counted(len if unit == "BYTE" else _count, input, np.int32)


def _count(s: bytes) -> int:
    return sum(byte & 0xC0 != 0x80 for byte in s)


STRING_LENGTH = define(
    "StringLength", "input:string", lambda input, *, unit="BYTE": TensorType(input.dims, int32), _length, {}, batch=alike()
)


def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """How many bytes, or characters of UTF-8 (`unit` "UTF8_CHAR"), each string has, int32.

    >>> import pullback as tf
    >>> tf.strings.length(["hé", ""]).numpy().tolist(), tf.strings.length("hé", unit="UTF8_CHAR").numpy().item()
    ([3, 0], 2)
    """
    return STRING_LENGTH(input, unit=check_attribute("unit", unit, _UNITS, "StringLength"), name=name)


# ---- letters and white space


def _letters(name: str, method: str) -> Any:
    def kernel(input: Array, *, encoding: str = "") -> Array:
        kind = plain(encoding)
        if kind not in ("", "utf-8"):
            raise invalid(f"only utf-8 or '' (no encoding) is supported, received {kind}")
        if not kind:
            return mapped(getattr(bytes, method), input)
        change = getattr(str, method)
        return mapped(lambda s: change(decoded(s)).encode(), input)

    return define(name, "input:string", lambda input, *, encoding="": _same_type(input), kernel, {}, batch=alike())


STRING_LOWER, STRING_UPPER = _letters("StringLower", "lower"), _letters("StringUpper", "upper")
STRING_STRIP = define("StringStrip", "input:string", _same_type, lambda input: mapped(bytes.strip, input), {}, batch=alike())


def lower(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Strings with small letters: those of ASCII, or with `encoding` "utf-8" all.  Raises InvalidArgumentError for another encoding.

    >>> import pullback as tf
    >>> tf.strings.lower("ABC").numpy()
    b'abc'
    """
    return STRING_LOWER(input, encoding=encoding, name=name)


def upper(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Strings with capital letters; the rest as `lower`.

    >>> import pullback as tf
    >>> tf.strings.upper("abc").numpy()
    b'ABC'
    """
    return STRING_UPPER(input, encoding=encoding, name=name)


def strip(input: Any, name: str | None = None) -> Any:
    """Strings without the white space of ASCII at both ends.

    >>> import pullback as tf
    >>> tf.strings.strip(" a b ").numpy()
    b'a b'
    """
    return STRING_STRIP(input, name=name)
