"""The programs in tests/typed are clean under mypy and pyright at their strictest, and run; both refuse the mistakes in mistakes.py.

`make lint` holds the programs under mypy too.
"""

from __future__ import annotations

import ast
import json
import re
import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.returned_types import exports

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "typed"
MISTAKES = FOLDER / "mistakes.py"
PROGRAMS = sorted(path for path in FOLDER.glob("*.py") if path != MISTAKES)


@cache
def refused_by_mypy() -> dict[str, set[int]]:
    """By file, the lines that mypy refuses."""
    command = [sys.executable, "-m", "mypy", "--no-pretty", "--no-error-summary", *map(str, (*PROGRAMS, MISTAKES))]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    found: dict[str, set[int]] = {}
    for file, line in re.findall(r"^(.+?):(\d+): error:", said, re.MULTILINE):
        found.setdefault(Path(file).name, set()).add(int(line))
    return found


@cache
def refused_by_pyright() -> dict[str, set[int]]:
    """By file, the lines that pyright refuses; in the mistakes, those that it does not only find to be of unknown type or unused."""
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    found: dict[str, set[int]] = {}
    for one in json.loads(said)["generalDiagnostics"]:
        name, rule = Path(one["file"]).name, one.get("rule", "")
        if one["severity"] == "error" and (name != MISTAKES.name or not rule.startswith(("reportUnknown", "reportUnused"))):
            found.setdefault(name, set()).add(one["range"]["start"]["line"] + 1)
    return found


CHECKERS = {"mypy": refused_by_mypy, "pyright": refused_by_pyright}


@pytest.mark.parametrize("checker", CHECKERS)
def test_programs_are_clean(checker: str) -> None:
    assert {path.name: CHECKERS[checker]().get(path.name, set()) for path in PROGRAMS} == {path.name: set() for path in PROGRAMS}


@pytest.mark.parametrize("checker", CHECKERS)
def test_mistakes_are_refused(checker: str) -> None:
    lines = dict(enumerate(MISTAKES.read_text(encoding="utf-8").splitlines(), 1))
    marked = {number for number, line in lines.items() if line.endswith("# refused")}
    refused = CHECKERS[checker]().get(MISTAKES.name, set())
    assert {lines[n] for n in marked - refused} == set(), "these were to be refused"
    assert {lines[n] for n in refused - marked} == set(), "these were not"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_programs_run(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(program), run_name="__main__")
    shown = capsys.readouterr().out
    assert shown and "nan" not in shown and "False" not in shown


#: How many public functions do not say what they return, because they return what a function they are given does, or anything.
MOST_UNTYPED = 20


def test_public_functions_say_what_they_return() -> None:
    untyped = []
    for module, name in sorted({(one.module, one.original) for one in exports["find_exports"]()}):
        path = ROOT.joinpath("src", *module.split("."))
        file = path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"
        if not file.exists():
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        made = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
        said = [ast.unparse(node.returns) if node.returns else "nothing" for node in made]
        overloaded = len(said) > 1 and any(one not in ("Any", "nothing") for one in said[:-1])
        if made and said[-1] in ("Any", "nothing") and not overloaded:
            untyped.append(f"{module}.{name}")
    print(len(untyped), "public functions return Any:", *untyped)
    assert len(untyped) <= MOST_UNTYPED
