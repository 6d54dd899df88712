"""Amounts and times in short, for people."""

from __future__ import annotations

import math


def show_amount(n: int, unit: str) -> str:
    """A number of things.

    >>> show_amount(1500, "B"), show_amount(999_999, "B"), show_amount(0, "B")
    ('1.5 kB', '1 MB', '')
    """
    if not n:
        return ""
    power = min(int(math.log10(float(f"{n:.3g}")) / 3 + 1e-9), 4)
    return f"{n / 1000**power:.3g} {' kMGT'[power].strip()}{unit}".strip()


def show_seconds(seconds: float | None) -> str:
    """A time in seconds; nothing for None.

    >>> show_seconds(0.0025), show_seconds(0.00099999), show_seconds(2.5e-7)
    ('2.5 ms', '1 ms', '250 ns')
    """
    if seconds is None:
        return ""
    for factor, unit in ((1e9, "ns"), (1e6, "us"), (1e3, "ms")):
        if float(f"{seconds * factor:.3g}") < 1000:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"
