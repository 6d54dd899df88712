"""Runs examples of docstrings, each in a process that has loaded Pullback and done nothing with it: `python -m tests.alone [COUNT SEED]`.

Operations and functions are loaded when they are first asked for, so an example may pass only because of what ran before it.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import io
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pullback

SOURCE = Path(pullback.__file__).parent
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


class Example(NamedTuple):
    """A docstring with examples, and where it stands."""

    module: str
    name: str
    text: str


def examples() -> Iterator[Example]:
    """All of them, read without importing anything."""
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and ">>>" in (text := ast.get_docstring(node, clean=False) or ""):
                yield Example(module, node.name, text)


def failure_of(example: Example) -> str:
    """What an example said that failed in a process of its own; nothing where it passed."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.close(reading)
        said = "it ended its process"
        try:
            said = _run(example)
        finally:
            os.write(writing, said[-4000:].encode())
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    os.wait()
    return said


def _run(example: Example) -> str:
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        own = vars(importlib.import_module(example.module))
        # What pytest has for examples.
        known = {"tf": pullback, "tf1": pullback.compat.v1, "xp": sys.modules.get("pullback.array_api")}
        names = {**own, **known, "getfixture": lambda _: Path(folder)}
        test = doctest.DocTestParser().get_doctest(example.text, names, f"{example.module}.{example.name}", example.module, 0)
        failed = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False).run(test, out=said.write).failed
    return said.getvalue() if failed else ""


def main(count: int | None = None, seed: str = "") -> None:
    """Run all examples, or so many, drawn by a seed."""
    found = list(examples())
    if count is not None:
        found = random.Random(seed).sample(found, count)
    failures = [said for example in found if (said := failure_of(example))]
    print(*failures, f"{len(found)} examples, {len(failures)} failed", sep="\n")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:3])
