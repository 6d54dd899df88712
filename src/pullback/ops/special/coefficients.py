"""Chebyshev series: the interval of the variable, and the coefficients, lowest first; tests/make_special.py writes coefficients.txt."""

from __future__ import annotations

from functools import cache

from ...base.number_tables import rows_of

# The first digits of a root, and what follows them.
Y0_ROOT = (0.8935769662791675, 2.6596231539720385e-17)
EI_ROOT = (0.3725074107813666, 1.3140183414386028e-17)


@cache
def _series(name: str) -> tuple[float, float, list[float]]:
    ((low, high, *coefficients),) = rows_of(__file__, name)
    return low, high, coefficients


def __getattr__(name: str) -> tuple[float, float, list[float]]:
    return _series(name)
