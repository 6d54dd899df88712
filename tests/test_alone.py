"""What a program does first works: nothing else has to be loaded before."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import sampling

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that begin as copies")
def test_an_example_of_a_docstring_needs_none_before_it(request: pytest.FixtureRequest) -> None:
    """For 150 of some 1,900, drawn by the seed; `make test-all` has all."""
    drawn = [] if request.config.getoption("--every-row") else ["150", os.environ[sampling.SEED]]
    done = subprocess.run(
        [sys.executable, "-m", "tests.alone", *drawn], capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PULLBACK_PROGRESS": "0"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
