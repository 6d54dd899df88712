"""Polynomials of the vector math, by the bits of the format, lowest power first; tests/make_polynomials.py writes coefficients.txt."""

from __future__ import annotations

from ...base.number_tables import rows_of


def __getattr__(name: str) -> dict[int, tuple[float, ...]]:
    return {int(row[0]): row[1:] for row in rows_of(__file__, name)}
