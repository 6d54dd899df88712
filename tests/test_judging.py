"""The judges are judged: what golden answers let pass, and which rows of the case table a run takes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.golden.compare import differences
from tests.sampling import ROWS, SEED

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("expected", "found", "agree"),
    [
        ([1e6, 19.0], [1e6, 19.0001], True),
        ([1e6, 19.0], [1e6, 38.0], False),
        ([1e6, 19.0], [1e6 + 1, 19.0], True),
        ([1.0, 0.0], [1.0, 5e-7], True),
        ([1.0, 0.0], [1.0, 5e-6], False),
        ([np.nan, np.inf], [np.nan, np.inf], True),
        ([np.inf, 1.0], [-np.inf, 1.0], False),
        ([np.nan, 1.0], [0.0, 1.0], False),
        ([], [], True),
    ],
)
def test_each_number_is_held_to_its_own_size(expected: list[float], found: list[float], agree: bool) -> None:
    assert bool(differences(np.float32(expected), np.float32(found))) is not agree


def test_dtypes_and_shapes_are_held() -> None:
    assert differences(np.float32([1.0]), np.float64([1.0]))
    assert differences(np.float32([1.0]), np.float32([[1.0]]))
    near = np.float64([1.0]), np.float64([1.0 + 1e-9])
    assert differences(*near) and not differences(*near, rtol=1e-8)


def collected(seed: str, *options: str) -> list[str]:
    """The rows of one law that a run with a seed takes."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *options, "tests/test_derivatives_forward.py"]
    environment = os.environ | {SEED: seed}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if "test_short_rules" in line]


def test_a_run_takes_some_rows_of_every_operation_and_the_same_for_a_seed() -> None:
    every, some = collected("1", "--every-row"), collected("1")
    operations = {_operation(row) for row in every}
    assert {_operation(row) for row in some} == operations
    assert max(sum(_operation(row) == name for row in some) for name in ("MatMul", "Sum", "Cast")) == ROWS
    assert len(some) < len(every) / 2 and set(some) < set(every)
    assert collected("1") == some != collected("2")


def _operation(row: str) -> str:
    return row.partition("[")[2].partition(":")[2].partition("/")[0]
