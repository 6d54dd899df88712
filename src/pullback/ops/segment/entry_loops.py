"""Plain loops over segments, which run natively where they can (`kernels.native_loops`)."""

from __future__ import annotations

from ...kernels.loops import Array


def products(out: Array, x: Array, ids: Array, count: int) -> int:
    """Multiplies the numbers of each segment, in order; ids never fall.  out: ones."""
    at = 0
    while at < count:
        segment = ids[at]
        total = x[at]
        at += 1
        while at < count and ids[at] == segment:
            total = total * x[at]
            at += 1
        out[segment] = total
    return 0
