"""Tensors as text, the way TensorFlow's operations print them (which is not the way `str` does).

`summary` is `tf.print`'s: the first and last few of each dimension.  `first_elements` is that of `Print` and of failed assertions: so many
elements in all, however deep.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from ..array.type_rules import Array

_KNOWN = frozenset("dfbhilqBHILQ")
_SHORT_LONG = {4: ("%.6g", "%.9g"), 8: ("%.15g", "%.17g")}


def element(value: Any, quoted: bool = False) -> str:
    """One element; floats in the fewest of two widths that reads back as the same number."""
    if isinstance(value, bytes):
        text = value.decode("utf-8", "backslashreplace")
        return f'"{text}"' if quoted else text
    if isinstance(value, (bool, np.bool_)):
        return "1" if value else "0"
    if isinstance(value, (complex, np.complexfloating)):
        return f"({element(value.real)},{element(value.imag)})"
    dtype = np.asarray(value).dtype
    if dtype.kind in "iu":
        return str(value)
    wide = np.float64(value) if dtype.itemsize == 8 else np.float32(value)
    short, long = _SHORT_LONG[wide.itemsize]
    text = short % wide
    return text if type(wide)(text) == wide else long % wide


def summary(array: Array, edge: int) -> str:
    """The array in brackets, `edge` elements from each end of every dimension; all of them where `edge` is negative."""
    return _print_nested(array, edge, 1) if array.ndim else element(array[()], True)


def _print_nested(array: Array, edge: int, depth: int) -> str:
    length = len(array)
    if not array.size:
        return "[]"
    whole = edge < 0 or length <= 2 * edge
    if array.ndim == 1:
        kind = array.dtype.char
        if whole:
            rows = _elements(_list_elements(array), kind)
        else:
            rows = _elements(_list_elements(array[:edge]) + _list_elements(array[length - edge :]), kind)
            rows.insert(edge, "...")
        return f"[{' '.join(rows)}]"
    rows = [_print_nested(row, edge, depth + 1) for row in (array if whole else array[:edge])]
    if not whole:
        rows += ["...", *(_print_nested(row, edge, depth + 1) for row in array[length - edge :])]
    gap = "\n" * (array.ndim - 1) + " " * depth
    return f"[{gap.join(rows)}]"


def _list_elements(row: Array) -> list[Any]:
    """A vector's elements: Python's numbers where `_elements` knows them by their kind."""
    found: list[Any] = row.tolist() if row.dtype.char in _KNOWN else [*row]
    return found


def _elements(row: list[Any], kind: str) -> list[str]:
    """Each element of a vector of a dtype, as `element` has it; floats all at once."""
    if kind not in "df":
        return [*map(str, row)] if kind in _KNOWN else [element(x, True) for x in row]
    short, long = _SHORT_LONG[4 if kind == "f" else 8]
    numbers = tuple(row)
    found = (f"{short} " * len(row) % numbers).split()
    layout = f"{len(row)}{kind}"
    read = struct.unpack(layout, struct.pack(layout, *map(float, found)))
    if read == numbers:
        return found
    longer = (f"{long} " * len(row) % numbers).split()
    return [text if x == y else other for text, other, x, y in zip(found, longer, read, numbers, strict=True)]


def first_elements(array: Array, limit: int) -> str:
    """The first `limit` elements in the array's brackets, `...` where some are missing; all where `limit` is negative."""
    limit = array.size if limit < 0 else limit
    if not array.ndim:
        return element(array[()]) if limit else "..."
    parts: list[str] = []
    _walk(array, limit, 0, 0, parts.append)
    return f"[{''.join(parts)}{'...' if array.size > limit else ''}]"


def _walk(array: Array, limit: int, shown: int, depth: int, write: Callable[[str], None]) -> int:
    """Write what of `array` fits the limit; gives how many elements are shown then."""
    for i, row in enumerate(array):
        if shown >= limit:
            if depth and array.ndim == 1:
                write("...")
            break
        if array.ndim == 1:
            write((" " if i else "") + element(row))
            shown += 1
        else:
            write("[")
            shown = _walk(row, limit, shown, depth + 1, write)
            write("]")
    return shown
