"""`pullback.why`: programs with what it must answer, and what holds for every answer."""

from pathlib import Path

import numpy as np
import pytest

import pullback as tf

from .why.table import Program, programs

TABLES = {path.stem: programs(path.read_text()) for path in sorted((Path(__file__).parent / "why").glob("*.txt"))}
NANS = TABLES.pop("nans")
ALL = [pytest.param(p, id=f"{table}: {p.name}") for table, entries in TABLES.items() for p in entries]


@pytest.mark.parametrize("program", ALL)
def test_the_answer_is_right(program: Program) -> None:
    names = program.run()
    found = names["result"]
    assert (found.code, found.operation) == (program.code, program.operation), str(found)
    if program.line is not None and program.code is not None:
        assert (found.file, found.line) == (names["__file__"], program.line), str(found)
    assert found.message in str(found)


@pytest.mark.parametrize("program", [pytest.param(p, id=p.name) for p in TABLES["sums"]])
def test_what_is_added_up_is_told_and_adds_up(program: Program) -> None:
    names = program.run()
    found = names["result"]
    assert [(one.what, one.number) for one in found.sums] == [(what, number) for what, number, _ in names["expected"]]
    if program.line is not None:
        assert {(one.file, one.line) for one in found.sums} == {(names["__file__"], program.line)}
    total = sum(share.value.numpy() for share in found.shares())
    gradient = tf.convert_to_tensor(found.gradient).numpy()
    assert np.allclose(total, gradient, rtol=1e-6, atol=1e-6)
    assert gradient.any() and found.connected


@pytest.mark.parametrize("program", [pytest.param(p, id=p.name) for p in NANS])
def test_the_first_number_that_is_none_is_found(program: Program) -> None:
    names = program.run()
    found = names["trace"].found
    if program.code is None:
        assert found is None
        return
    assert (found.operation, found.backward) == (program.operation, program.code == "backward"), str(found)
    assert (found.file, found.line) == (names["__file__"], program.line), str(found)
    assert found.remedy is not None and found.kind in ("NaN", "+Inf", "-Inf")


def test_it_is_an_error_that_tells_all() -> None:
    words = r"Log at .*test_why.py:\d+ gave the first -Inf: 1 of 2"
    with tf.trace_nans(), pytest.raises(tf.errors.InvalidArgumentError, match=words) as caught:
        tf.math.log([1.0, 0.0])
    assert caught.value.found.values == (0.0,) and caught.value.found.place == (1,)


def test_a_run_that_is_refused_leaves_variables_as_they_were() -> None:
    v = tf.Variable(1.0)

    @tf.function
    def step(by: tf.Tensor) -> None:
        v.assign(v / by)

    with tf.trace_nans():
        step(tf.constant(2.0))
        with pytest.raises(tf.errors.InvalidArgumentError, match="RealDiv"):
            step(tf.constant(0.0))
        assert v.numpy() == 0.5
    step(tf.constant(0.0))
    assert np.isinf(v.numpy())
