"""The C library is told to keep the memory that large arrays leave behind.

By default it hands freed memory back to the system soon, and the next large array faults it in again page by page, zeroed: that takes
several times as long as writing the array.  Eager programs make and drop arrays of megabytes at every step, so up to `reusable_bytes()` of
freed memory stay with the process.  `PULLBACK_KEEP_MEMORY` in the environment is another number of bytes; 0, or a setting of the
C library's own (`MALLOC_TRIM_THRESHOLD_`, `GLIBC_TUNABLES`), leaves everything as it is; so does a C library that is not GNU's.
"""

from __future__ import annotations

import ctypes
import os

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # mallopt's numbers
_LARGEST = 32 << 20  # what mallopt takes at most: larger arrays are mapped one by one, in large pages where NumPy asks for them
_OTHERS = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES")


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
