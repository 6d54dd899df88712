"""Tensors as text, the way TensorFlow's operations print them (which is not the way `str` does).

`summary` is `tf.print`'s: the first and last few of each dimension.  `first_elements` is that of `Print` and of failed assertions: so many
elements in all, however deep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..array.types import Array

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
    return _nested(array, edge, 1) if array.ndim else element(array[()], True)


def _nested(array: Array, edge: int, depth: int) -> str:
    if not array.size:
        return "[]"
    rows: list[str] = []
    for row in _ends(len(array), edge):
        if row is None:
            rows.append("...")
        else:
            rows.append(element(array[row], True) if array.ndim == 1 else _nested(array[row], edge, depth + 1))
    gap = " " if array.ndim == 1 else "\n" * (array.ndim - 1) + " " * depth
    return "[" + gap.join(rows) + "]"


def _ends(length: int, edge: int) -> Iterator[int | None]:
    """The positions to show; None for those left out."""
    if edge < 0 or length <= 2 * edge:
        yield from range(length)
        return
    yield from range(edge)
    yield None
    yield from range(length - edge, length)


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
