"""Kernels' plain loops over entries (`kernels.loops`), done natively where there is an engine: what no pass over arrays does well."""

from __future__ import annotations

from typing import Any

import numpy as np

from .loops import Loop, native_loop

Array = np.ndarray[Any, Any]
#: Entries from which native code pays.
LEAST_ENTRIES = 1 << 13
_NUMBERS = frozenset("?bBhHiIlLqQfd")


def run_natively(loop: Loop, count: int, *arguments: Any, **constants: int) -> int | None:
    """What a loop over flat arrays and whole numbers returns, done natively; None where it has not been: then nothing has been written.

    count: how many entries it goes over.  constants: its keyword arguments, small numbers for which there is code of their own.
    """
    if count < LEAST_ENTRIES:
        return None
    for x in arguments:
        if isinstance(x, np.ndarray) and not (x.flags.c_contiguous and x.dtype.isnative and x.dtype.char in _NUMBERS):
            return None
    code = native_loop(loop, count)
    return None if code is None else code(*arguments, **constants)


def as_words(*arrays: Array) -> list[Array]:
    """Contiguous arrays as ones of whole numbers of as many bytes, for loops that only move elements; as they are where none are."""
    return [x.view(f"u{x.itemsize}") if x.dtype.kind in "fcV" and x.itemsize <= 8 and x.flags.c_contiguous else x for x in arrays]
