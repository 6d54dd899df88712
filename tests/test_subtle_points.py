"""The tables of docs/subtle-points.md say what is so; that TensorFlow agrees is a golden program."""

from __future__ import annotations

import numpy as np
import pytest

import pullback
from tests.golden.programs.subtle_points import gradient, rows

ROWS = [pytest.param(row["function"], row["point"], row["gradient"], id=f"{row['function']} at {row['point']}") for row in rows()]


def test_the_page_has_its_rows() -> None:
    assert len(ROWS) > 60


@pytest.mark.parametrize(("function", "point", "said"), ROWS)
def test_row(function: str, point: str, said: str) -> None:
    found = gradient(pullback, function, point)
    expected = eval(said, {"np": np})
    if expected is None:
        assert found is None
    else:
        np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-5, atol=1e-6)
