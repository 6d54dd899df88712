"""`pullback.why`: programs with what it must answer, and what holds for every answer."""

from pathlib import Path

import pytest

from .why.table import Program, programs

TABLES = {path.stem: programs(path.read_text()) for path in sorted((Path(__file__).parent / "why").glob("*.txt"))}
ALL = [pytest.param(p, id=f"{table}: {p.name}") for table, entries in TABLES.items() for p in entries]


@pytest.mark.parametrize("program", ALL)
def test_the_answer_is_right(program: Program) -> None:
    names = program.run()
    found = names["result"]
    assert (found.code, found.operation) == (program.code, program.operation), str(found)
    if program.line is not None:
        assert (found.file, found.line) == (names["__file__"], program.line), str(found)
    assert found.message in str(found)
