"""`pullback.why`: programs with what it must answer, and what holds for every answer."""

from pathlib import Path

import numpy as np
import pytest

import pullback as tf

from .why.table import Program, programs

TABLES = {path.stem: programs(path.read_text()) for path in sorted((Path(__file__).parent / "why").glob("*.txt"))}
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
