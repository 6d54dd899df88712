"""Plain loops between floating numbers and quantised ones, which run natively where they can (`kernels.loops`)."""

from __future__ import annotations

from ...kernels.loops import Array, f32, floor, rint

COMBINED, COMBINED_SIGNED, FIRST, SCALED, SCALED_EVENLY = range(5)


def levels(
    out: Array, x: Array, count: int, low: float, high: float, scale: float, shift: float, first: float, last: float, *, how: int
) -> int:
    """The quantised numbers of a range, 0 for NaN; as `levels._min_combined` and its kin place and round them, by `how`."""
    for i in range(count):
        y = x[i]
        if how != 2:
            y = low if y < low else y
            y = high if y > high else y
        if how < 2:
            y = (y - low) * scale
            y = y - shift if how == 1 else y + shift
        else:
            y = y * scale
        if how == 4:
            y = rint(y)
        elif how > 0:
            whole = floor(abs(y) + 0.5)
            y = -whole if y < 0.0 else whole
        if how == 2:
            y = y - shift
            y = first if y < first else y
            y = last if y > last else y
        out[i] = int(y) if y == y else 0  # noqa: PLR0124  # NaN
    return 0


def dequantize_numbers(out: Array, x: Array, count: int, before: float, scale: float, after: float) -> int:
    """What quantised numbers stand for."""
    for i in range(count):
        out[i] = (f32(x[i]) + before) * scale + after
    return 0
