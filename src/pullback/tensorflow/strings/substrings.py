"""Parts and lengths of strings, in bytes or in characters of UTF-8; letters made small or large; white space cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import INDEX, int32, string
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.attributes import read_text
from ...ir.op import define
from ...ir.tensor import IntLike, Tensor, TensorType, TextLike
from ...kernels.loops import Bytes, Ints, Ints32, native_or_python
from ...kernels.strings import StringArray, from_list
from ...ops.array.type_rules import Array, invalid_argument
from ...ops.batching import Batched, broadcast_rows, stack_rows
from ...ops.families import broadcast_dims
from .columns import broadcast, change_bytes, cut_strings, decode_text, fill_column, run_over_ranges
from .join import are_alike

if TYPE_CHECKING:
    from ...ops.vmap_rules.base import Rows


def _same_type(input: Any) -> TensorType:
    return TensorType(input.dims, string)


# ---- parts


def _substr_type(input: Any, pos: Any, len: Any, *, unit: str = "BYTE") -> TensorType:
    if pos.dims is not None and len.dims is not None and not are_alike(pos.dims, len.dims):
        text = f"pos and len should have the same shape, got: {show(pos.dims)} vs. {show(len.dims)}"
        raise ShapeError(text, text)
    return TensorType(broadcast_dims(input.dims, pos.dims), string)


def _substr(input: StringArray, pos: Array, len: Array, *, unit: str = "BYTE") -> StringArray:
    if pos.shape != len.shape:
        raise invalid_argument(f"pos and len should have the same shape, got: {show(pos.shape)} vs. {show(len.shape)}")
    try:
        shape = np.broadcast_shapes(input.shape, pos.shape)
    except ValueError:
        raise invalid_argument(f"Incompatible shapes: {show(input.shape)} vs. {show(pos.shape)}") from None
    x = broadcast(input, shape)
    given = (pos, len) if pos.size == 1 else (np.broadcast_to(pos, shape), np.broadcast_to(len, shape))
    at, n = (np.ascontiguousarray(v.reshape(-1), np.int64) for v in given)
    begins, out = np.empty(x.size, np.int64), np.empty(x.size + 1, np.int64)
    find = native_or_python(_parts_by_byte if unit == "BYTE" else _parts_by_character, x.size)
    bad = find(x.data, x.starts, x.size, at, n, int(at.size != 1), begins, out)
    if bad >= 0:
        raise invalid_argument(f"pos {at[bad if at.size > 1 else 0]} out of range for string {x.item(bad)!r} at index {bad}")
    return fill_column(x.data, begins, StringArray(x.data, out, shape))


def _parts_by_byte(data: Bytes, starts: Ints, count: int, pos: Ints, n: Ints, step: int, begins: Ints, out: Ints) -> int:
    """Where parts begin, and where each stands when they are one behind another; the first string that has no such place, or -1."""
    total = 0
    out[0] = 0
    for i in range(count):
        begin = starts[i]
        size = starts[i + 1] - begin
        at = pos[i * step]
        if at < 0:
            at += size
        if at < 0 or at > size:
            return i
        most = size - at
        wanted = n[i * step]
        if wanted < 0 or wanted > most:
            wanted = most
        begins[i] = begin + at
        total += wanted
        out[i + 1] = total
    return -1


def _skip_characters(data: Bytes, at: int, end: int, n: int) -> int:
    """The place `n` characters after `at`, or beyond the end where there are less."""
    while n > 0 and at < end:
        at += 1
        while at < end and (data[at] & 0xC0) == 0x80:
            at += 1
        n -= 1
    return at if n == 0 else end + 1


def _parts_by_character(data: Bytes, starts: Ints, count: int, pos: Ints, n: Ints, step: int, begins: Ints, out: Ints) -> int:
    """The same by characters, one of which begins at the first byte of each string."""
    total = 0
    out[0] = 0
    for i in range(count):
        begin = starts[i]
        end = starts[i + 1]
        at = pos[i * step]
        if at < 0:
            if n[i * step] < 0:
                return i
            at += int(begin < end)
            for j in range(begin + 1, end):
                at += int((data[j] & 0xC0) != 0x80)
            if at < 0:
                return i
        first = _skip_characters(data, begin, end, at)
        if first > end:
            return i
        wanted = n[i * step]
        last = first if wanted < 0 else min(_skip_characters(data, first, end, wanted), end)
        begins[i] = first
        total += last - first
        out[i + 1] = total
    return -1


def _rows(rows: Rows, input: Any, pos: Any, len: Any, **attrs: Any) -> Batched:
    """As `broadcast_rows`, but pos and len, which have one shape, are stacked together."""
    if rows.has(pos, len):
        pos, len = rows.stack(pos), rows.stack(len)
    return broadcast_rows(rows, input, pos, len, **attrs)


SUBSTR = define("Substr", "input:string pos len", _substr_type, _substr, {}, dtypes=INDEX, batch=_rows, packed=True, by_element=True)


@export(v2="strings.substr")
def substr(input: TextLike, pos: IntLike, len: IntLike, unit: str | None = "BYTE", name: str | None = None) -> Tensor:
    """The part of each string that begins at `pos` and has at most `len` bytes, or characters of UTF-8 (`unit` "UTF8_CHAR").

    pos, len: integers of one shape, which broadcasts against the strings'; a negative `pos` counts from the end.  A negative `len` goes to
    the end of bytes; of characters it takes none, and from the end it is refused, as in TensorFlow.  Raises InvalidArgumentError for a
    position outside a string, shapes that do not fit, and another unit.

    >>> tf.strings.substr(["hello", "abc"], 1, 2).numpy().tolist()
    [b'el', b'bc']
    """
    return SUBSTR(input, pos, len, unit=unit, name=name)


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
    else:
        characters, flat = native_or_python(_characters, len(input.data)), found.reshape(-1)
        run_over_ranges(input.size, lambda a, b: characters(input.data, input.starts[a : b + 1], b - a, flat[a:b]))
    return found


STRING_LENGTH = define(
    "StringLength",
    "input:string",
    lambda input, *, unit="BYTE": TensorType(input.dims, int32),
    _length,
    {},
    batch=stack_rows(),
    packed=True,
    by_element=True,
)


@export(v2="strings.length")
def length(input: TextLike, unit: str | None = "BYTE", name: str | None = None) -> Tensor:
    """How many bytes, or characters of UTF-8 (`unit` "UTF8_CHAR"), each string has, int32.

    >>> tf.strings.length(["hé", ""]).numpy().tolist(), tf.strings.length("hé", unit="UTF8_CHAR").numpy().item()
    ([3, 0], 2)
    """
    return STRING_LENGTH(input, unit=unit, name=name)


# ---- letters and white space


def _letters(name: str, method: str) -> Any:
    of_bytes, of_text = getattr(bytes, method), getattr(str, method)

    def kernel(input: StringArray, *, encoding: str = "") -> StringArray:
        kind = read_text(encoding)
        if kind not in ("", "utf-8"):
            raise invalid_argument(f"only utf-8 or '' (no encoding) is supported, received {kind}")
        if not kind or input.is_ascii():
            return change_bytes(input, of_bytes)
        return from_list([of_text(decode_text(s)).encode() for s in input.tolist()], input.shape)

    return define(
        name, "input:string", lambda input, *, encoding="": _same_type(input), kernel, {}, batch=stack_rows(), packed=True, by_element=True
    )


def _is_space(c: int) -> bool:
    return c == 32 or (c >= 9 and c <= 13)


def _strip_spaces(data: Bytes, starts: Ints, count: int, begins: Ints, ends: Ints) -> None:
    for i in range(count):
        begin = starts[i]
        end = starts[i + 1]
        while begin < end and _is_space(data[begin]):
            begin += 1
        while begin < end and _is_space(data[end - 1]):
            end -= 1
        begins[i] = begin
        ends[i] = end


def _strip(input: StringArray) -> StringArray:
    stripped = native_or_python(_strip_spaces, input.size)
    begins, ends = np.empty((2, input.size), np.int64)
    run_over_ranges(input.size, lambda a, b: stripped(input.data, input.starts[a : b + 1], b - a, begins[a:b], ends[a:b]))
    return cut_strings(input.data, begins, ends, input.shape)


STRING_LOWER, STRING_UPPER = _letters("StringLower", "lower"), _letters("StringUpper", "upper")
STRING_STRIP = define("StringStrip", "input:string", _same_type, _strip, {}, batch=stack_rows(), packed=True, by_element=True)


@export("strings.lower")
def lower(input: TextLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Strings with small letters: those of ASCII, or with `encoding` "utf-8" all.  Raises InvalidArgumentError for another encoding.

    >>> tf.strings.lower("ABC").numpy()
    b'abc'
    """
    return STRING_LOWER(input, encoding=encoding, name=name)


@export("strings.upper")
def upper(input: TextLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Strings with capital letters; the rest as `lower`.

    >>> tf.strings.upper("abc").numpy()
    b'ABC'
    """
    return STRING_UPPER(input, encoding=encoding, name=name)


@export("strings.strip", v1="string_strip")
def strip(input: TextLike, name: str | None = None) -> Tensor:
    """Strings without the white space of ASCII at both ends.

    >>> tf.strings.strip(" a b ").numpy()
    b'a b'
    """
    return STRING_STRIP(input, name=name)
