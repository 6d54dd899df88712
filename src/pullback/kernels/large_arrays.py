"""Memory for large results, used again when nobody holds the result any longer.

`malloc` returns what is larger than 32 MB to the system at once, and the system fills each page with zeros when it is touched again: a copy
of 277 MB takes 24 ms into such memory and 15 ms into memory that was there.  A few of the last ones are kept, of 1 GiB together at most.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
#: Fewer bytes come from `malloc`, which uses them again itself.
_LARGE = 1 << 25
_MOST = 1 << 30
_COUNT = 2  # a loop that puts its result in the place of the last one holds one while it makes another
_kept: list[Array] = []
_lock = Lock()


def _holders(place: int) -> int:
    return sys.getrefcount(_kept[place])


_kept.append(np.empty(0))
_NOBODY = _holders(0)
_kept.clear()


def make_empty(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """An array whose elements are not set, in memory that may have been another result's."""
    size = math.prod(shape) * dtype.itemsize
    if not _LARGE <= size <= _MOST or dtype.hasobject:
        return np.empty(shape, dtype)
    with _lock:
        return _take(size)[:size].view(dtype).reshape(shape)


def _take(size: int) -> Array:
    free = [k for k in range(len(_kept)) if _holders(k) == _NOBODY]
    for k in free:
        if size <= _kept[k].size <= size + size // 8:
            return _kept[k]
    for k in reversed(free):
        del _kept[k]
    memory = np.empty(size, np.uint8)
    if len(_kept) < _COUNT and sum(x.size for x in _kept) + size <= _MOST:
        _kept.append(memory)
    return memory
