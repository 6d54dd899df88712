"""Memory that large arrays leave behind stays with the process: the C library is told to keep it, and what it will not keep is kept here.

By default it hands freed memory back to the system soon, and the next large array faults it in again page by page, zeroed: that takes
several times as long as writing the array.  Eager programs make and drop arrays of megabytes at every step, so up to `reusable_bytes()` of
freed memory stay with the process.  `PULLBACK_KEEP_MEMORY` in the environment is another number of bytes; 0, or a setting of the
C library's own (`MALLOC_TRIM_THRESHOLD_`, `GLIBC_TUNABLES`), leaves everything as it is; so does a C library that is not GNU's.

What is larger than 32 MB it maps one by one all the same: a copy of 277 MB takes 24 ms into fresh pages and 15 ms into others.  So the
memory of the last such results is kept here, within the same bound, and used again when nobody holds them any longer.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
from collections.abc import Sequence
from functools import cache, partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..base.lazy_import import LazyModule

if TYPE_CHECKING:
    import mmap

    from . import aligned
else:  # small arrays need none of it
    mmap, aligned = LazyModule("mmap"), LazyModule("pullback.kernels.aligned")

Array = np.ndarray[Any, Any]
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # mallopt's numbers
_LARGEST = 32 << 20  # what mallopt takes at most: larger arrays are mapped one by one, in large pages where NumPy asks for them
_OTHERS = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES")


@cache
def reusable_bytes() -> int:
    """How many bytes of freed memory may stay with the process: an eighth of the machine's, at most 1 GiB; or what the environment says."""
    text = os.environ.get("PULLBACK_KEEP_MEMORY", "")
    if text.isdigit():
        return min(int(text), (1 << 31) - 1)
    if any(name in os.environ for name in _OTHERS):
        return 0
    try:
        return min(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 8, 1 << 30)
    except (AttributeError, ValueError, OSError):
        return 0


def keep_freed() -> bool:
    """Tells the C library to keep freed memory; whether it did."""
    kept = reusable_bytes()
    if not kept or os.name != "posix":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and bool(mallopt(_TRIM_THRESHOLD, kept)) and bool(mallopt(_MMAP_THRESHOLD, min(kept, _LARGEST)))


# ---- what is read often: constants, variables and results of programs

#: The bytes of arrays that begin at a cache line: smaller ones are made too often, larger ones are not read from the caches.
LEAST_ALIGNED, _MOST_ALIGNED = 16 << 10, 4 << 20


def copy_array(value: Array, order: Literal["C", "K"] = "C") -> Array:
    """A copy of an array, row by row ("C") or laid out as it is ("K")."""
    if LEAST_ALIGNED <= value.nbytes <= _MOST_ALIGNED:
        return aligned.make_aligned(partial(np.array, value, order=order))
    return np.array(value, order=order)


def reserve_aligned(shape: Sequence[int], dtype: np.dtype[Any]) -> Array | None:
    """An array whose elements are not set; None where it need not begin at a cache line."""
    is_read_often = LEAST_ALIGNED <= math.prod(shape) * dtype.itemsize <= _MOST_ALIGNED
    return aligned.make_aligned(partial(np.empty, shape, dtype)) if is_read_often else None


def reserve_pages(size: int) -> Array:
    """Bytes that are not set, for what a program's steps leave for each other; large ones in pages of the system's usual size.

    NumPy asks for pages of 2 MB for arrays of 4 MB and more.  Programs run no faster in those (transformer, LSTM, convolutions: within
    1 percent), and on a virtual machine the first run of one with 40 MB of results took 38 to 42 ms in them, and 22 in usual ones.

    >>> reserve_pages(8 << 20).size
    8388608
    """
    if size < _MOST_ALIGNED or os.name != "posix":
        return np.empty(size, np.uint8)
    try:
        return np.frombuffer(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), np.uint8)
    except OSError as error:
        raise MemoryError(f"no memory for the {size} bytes of a program's results: {error.strerror}") from error


# ---- large results

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
    if size <= _LARGEST or size > reusable_bytes() or dtype.hasobject:
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
    if len(_kept) < _COUNT and sum(x.size for x in _kept) + size <= reusable_bytes():
        _kept.append(memory)
    return memory
