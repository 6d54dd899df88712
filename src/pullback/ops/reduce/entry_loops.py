"""Plain loops over rows, which run natively where they can (`kernels.native_loops`): they stop as soon as a row's answer is known."""

from __future__ import annotations

from ...kernels.loops import Array

#: Numbers of a row after which a loop looks whether it is done.
GLANCE = 64


def has_any_bit(found: Array, x: Array, rows: int, size: int, every: int, *, glance: int) -> int:
    """Whether a row has a bit anywhere.  every: of no meaning here."""
    for i in range(rows):
        at = i * size
        end = at + size
        bits = 0
        while at < end and bits == 0:
            stop = min(at + glance, end)
            for j in range(at, stop):
                bits = bits | x[j]
            at = stop
        found[i] = bits != 0
    return 0


def has_all_bits(found: Array, x: Array, rows: int, size: int, every: int, *, glance: int) -> int:
    """Whether all numbers of a row have the bits of `every`."""
    for i in range(rows):
        at = i * size
        end = at + size
        bits = every
        while at < end and bits == every:
            stop = min(at + glance, end)
            for j in range(at, stop):
                bits = bits & x[j]
            at = stop
        found[i] = bits == every
    return 0
