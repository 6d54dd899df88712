"""Polynomials in the place between the ends of an interval, from -1 to 1; tests/make_vector_special.py writes tables.txt."""

from __future__ import annotations

from typing import NamedTuple

from ...base.number_tables import rows_of


class Table(NamedTuple):
    """place = x scale + shift; coefficients: lowest power first, by the bits of the result."""

    scale: float
    shift: float
    coefficients: dict[int, tuple[float, ...]]


# The first digits of a root, and what follows them.
Y0_ROOT = (0.8935769662791675, 2.6596231539720385e-17)
EI_ROOT = (0.3725074107813666, 1.3140183414386028e-17)
DIGAMMA_ROOT = (1.4616321449683622, 9.549995429965697e-17)


def __getattr__(name: str) -> Table:
    """A row of the file has the bits of the result, the scale, the shift and the coefficients."""
    rows = rows_of(__file__, name)
    return Table(rows[0][1], rows[0][2], {int(row[0]): row[3:] for row in rows})
