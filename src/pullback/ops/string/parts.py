"""Parts and lengths of strings, in bytes or in characters of UTF-8; letters made small or large; white space cut off."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.byte_loops import Bytes, Ints, Ints32, loop
from ...base.dtypes import INDEX, int32, string
from ...base.shapes import show
from ...base.strings import StringArray
from ...ir.apply import ShapeError
from ...ir.op import define
from ...ir.tensor import TensorType
from ..array.types import Array, invalid
from ..families import broadcast_dims
from ..rows.kinds import Rows, alike, broadcasting
from .kernels import Buffer, begins, buffer_of, columns, cut, decoded, mapped, plain, strings

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


_SHORT = 32
_size = len


def _substr(input: Array, pos: Array, len: Array, *, unit: str = "BYTE") -> Array:
    if pos.shape != len.shape:
        raise invalid(f"pos and len should have the same shape, got: {show(pos.shape)} vs. {show(len.shape)}")
    try:
        given = np.broadcast_arrays(input, pos, len)
    except ValueError:
        raise invalid(f"Incompatible shapes: {show(input.shape)} vs. {show(pos.shape)}") from None
    whole = given[0]
    rows = whole.ravel().tolist()
    if unit == "BYTE" and pos.size == 1 and rows:
        at, n = pos.item(), len.item()
        if 0 <= at <= min(map(_size, rows)):
            part = slice(at, None if n < 0 else at + n)
            return strings([s[part] for s in rows], whole.shape)
    buffer = buffer_of(rows)
    marks = begins(buffer.numbers) if unit != "BYTE" and not buffer.data.isascii() else None
    if marks is not None:
        marks[buffer.firsts()] = True
    sizes = buffer.ends - buffer.starts if marks is None else buffer.counted(marks)
    first, last = _places(sizes, given[1].ravel(), given[2].ravel(), whole.ravel())
    if marks is None:
        return strings(_cut(buffer, first, last), whole.shape)
    places = np.append(np.flatnonzero(marks), buffer.numbers.size)
    before = np.cumsum(sizes) - sizes
    return strings(cut(buffer.data, places[before + first], places[before + last]), whole.shape)


def _places(sizes: Array, at: Array, n: Array, whole: Array) -> tuple[Array, Array]:
    """Where parts begin and end, of strings of so many bytes or characters."""
    bad = (at < -sizes) | (at > sizes)
    if bad.any():
        index = int(bad.argmax())
        raise invalid(f"pos {at[index]} out of range for string {whole[index]!r} at index {index}")
    first = np.where(at < 0, at + sizes, at)
    return first, np.where(n < 0, sizes, np.minimum(first + np.minimum(n, sizes), sizes))


def _cut(buffer: Buffer, first: Array, last: Array) -> list[bytes]:
    """Parts of strings by bytes; short ones of one length as the rows of a matrix."""
    width = last - first
    starts = buffer.starts + first
    if width.size and 0 < width[0] < _SHORT and (width == width[0]).all():
        return columns(buffer.numbers[starts[:, None] + np.arange(width[0])])
    return cut(buffer.data, starts, starts + width)


def _rows(rows: Rows, input: Any, pos: Any, len: Any, **attrs: Any) -> Any:
    """As `broadcasting`, but pos and len, which have one shape, are stacked together."""
    if rows.has(pos, len):
        pos, len = rows.stacked(pos), rows.stacked(len)
    return broadcasting(rows, input, pos, len, **attrs)


SUBSTR = define("Substr", "input:string pos len", _substr_type, _substr, {}, dtypes=INDEX, batch=_rows)


def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """The part of each string that begins at `pos` and has at most `len` bytes, or characters of UTF-8 (`unit` "UTF8_CHAR").

    pos, len: integers of one shape, which broadcasts against the strings'; a negative `pos` counts from the end, a negative `len` goes to
    the end.  Raises InvalidArgumentError for a position outside a string, shapes that do not fit, and another unit.

    >>> import pullback as tf
    >>> tf.strings.substr(["hello", "abc"], 1, 2).numpy().tolist()
    [b'el', b'bc']
    """
    return SUBSTR(input, pos, len, unit=check_attribute("unit", unit, _UNITS, "Substr"), name=name)


@loop
def _characters(data: Bytes, starts: Ints, count: int, found: Ints32) -> None:
    """How many bytes of each string begin a character."""
    for i in range(count):
        n = 0
        for at in range(starts[i], starts[i + 1]):
            n += int((data[at] & 0xC0) != 0x80)
        found[i] = n


def _length(input: StringArray, *, unit: str = "BYTE") -> Array:
    found = np.empty(input.shape, np.int32)
    if unit == "BYTE":
        np.subtract(input.starts[1:], input.starts[:-1], out=found.reshape(-1), casting="unsafe")
    elif (characters := _characters.native) is not None:
        characters(input.data, input.starts, input.size, found.reshape(-1))
    else:
        before = np.zeros(len(input.data) + 1, np.int32)
        np.cumsum(begins(input.data), out=before[1:])
        np.subtract(before[input.starts[1:]], before[input.starts[:-1]], out=found.reshape(-1))
    return found


STRING_LENGTH = define(
    "StringLength",
    "input:string",
    lambda input, *, unit="BYTE": TensorType(input.dims, int32),
    _length,
    {},
    batch=alike(),
    packed=True,
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
        rows = input.ravel().tolist()
        if b"".join(rows).isascii():
            return strings(map(getattr(bytes, method), rows), input.shape)
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
