"""The examples print under `pullback run` what TensorFlow 2.21 printed (recorded by tests/golden/make_examples.py)."""

import json
from pathlib import Path

import pytest

from tests.golden.make_examples import programs
from tests.programs import EXAMPLES, assert_prints_alike, pullback_run

RECORDED = json.loads((Path(__file__).parent / "golden/data/examples.json").read_text())["printed"]

# Training repeats rounding differences many times over; these programs are as steady as that lets them be.
RTOL = 2e-3


def test_every_example_is_recorded() -> None:
    assert sorted(RECORDED) == sorted(programs())


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_prints_what_tensorflow_printed(name: str) -> None:
    done = pullback_run(EXAMPLES / name)
    assert done.returncode == 0, done.stderr
    assert_prints_alike(done.stdout, RECORDED[name], RTOL)
