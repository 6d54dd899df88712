"""Runs the tests that the package Keras brings with it on Pullback, by `make keras`, and those that fail on TensorFlow too.

    python -m tests.keras_suite [--tensorflow PYTHON] [--results FOLDER] [PATH ...]

A path is a folder or file below `keras/src`; without one, all that have tests.  Each runs in a process of its own; where a folder for the
results is given, they stay there, and a run that was broken off goes on.  With `--tensorflow`, an interpreter that has TensorFlow and
pytest, the tests that fail here run there: what fails there too, for want of another library or for Keras's own reasons, is not counted.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

LIMIT = 1800
#: Says to a process of its own that TensorFlow is to run the tests.
_WITHOUT_PULLBACK = "--on-tensorflow"


class Result(NamedTuple):
    """A test: its file, class and name, whether it passed, failed or was skipped, and what it said."""

    name: str
    outcome: str
    said: str


def root() -> Path:
    """Where Keras's source is."""
    spec = importlib.util.find_spec("keras")
    if spec is None or spec.origin is None:
        raise SystemExit("Keras is not installed: pip install keras")
    return Path(spec.origin).parent / "src"


def groups(source: Path) -> list[str]:
    """The folders that are run in a process each: of `layers`, `ops` and `backend` those below."""
    holders = {path.parent.relative_to(source) for path in source.rglob("*_test.py")}
    deep = ("layers", "backend", "ops")
    names = {"/".join(path.parts[: 2 if path.parts[0] in deep else 1]) for path in holders if path.parts}
    files = {str(path.relative_to(source)) for path in (source / "ops").glob("*_test.py")}
    return sorted(name for name in names if name != "ops") + sorted(files)


def run(arguments: list[str]) -> int:
    """Run pytest in this process; the first argument is the file for the results."""
    import pytest

    if arguments[0] == _WITHOUT_PULLBACK:
        arguments = arguments[1:]
    else:
        from pullback.interop.hook import serve_tensorflow

        serve_tensorflow(2)
    from keras.src.backend import backend

    helpers = types.ModuleType("conftest")
    helpers.skip_if_backend = lambda given, reason: pytest.mark.skipif(backend() == given, reason=reason)  # type: ignore[attr-defined]
    sys.modules["conftest"] = helpers
    results, *paths = arguments
    options = ["-q", "-p", "no:cacheprovider", "-W", "ignore", "--tb=line", "--continue-on-collection-errors", "-o", "addopts="]
    options += ["-m", "not multi_device", "--rootdir", str(root().parent), "--junitxml", results]
    return pytest.main([*options, *(str(root() / path) for path in paths)])


def start(python: str, results: Path, paths: list[str], on_tensorflow: bool) -> None:
    """Run paths in a fresh process."""
    environment = {**os.environ, "KERAS_BACKEND": "tensorflow", "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    command = [python, "-m", "tests.keras_suite", "--run", *([_WITHOUT_PULLBACK] if on_tensorflow else []), str(results), *paths]
    try:
        subprocess.run(command, env=environment, timeout=LIMIT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        print(f"NOT RUN: {' '.join(paths)} takes longer than {LIMIT} s")


def read(results: Path) -> Iterator[Result]:
    """The tests in a file of results."""
    for case in ElementTree.parse(results).iter("testcase"):
        found = next((child for child in case if child.tag in ("failure", "error", "skipped")), None)
        outcome = "passed" if found is None else {"failure": "failed", "error": "failed"}.get(found.tag, found.tag)
        said = "" if found is None else (found.get("message") or found.text or "").strip().splitlines()[0]
        yield Result(f"{case.get('classname')}::{case.get('name')}", outcome, said)


def file_of(name: str) -> str:
    """The file of a test, below `keras/src`."""
    parts = name.partition("::")[0].split(".")
    end = next((i for i, part in enumerate(parts) if part.endswith("_test")), len(parts) - 1)
    return "/".join(parts[parts.index("src") + 1 : end + 1] if "src" in parts else parts[: end + 1]) + ".py"


def main() -> int:
    """Run the suite and print what came of it; the exit status is 1 where less than 99 % pass."""
    if sys.argv[1:2] == ["--run"]:
        return run(sys.argv[2:])
    parser = argparse.ArgumentParser()
    parser.add_argument("--tensorflow")
    parser.add_argument("--results", type=Path)
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    folder = options.results or Path(tempfile.mkdtemp(prefix="keras-suite-"))
    folder.mkdir(parents=True, exist_ok=True)
    passed, failed = 0, list[Result]()
    for group in options.paths or groups(root()):
        results = folder / f"{group.replace('/', '_')}.xml"
        if not results.exists():
            start(sys.executable, results, [group], on_tensorflow=False)
        tests = list(read(results)) if results.exists() else [Result(group, "failed", "no results")]
        bad = [test for test in tests if test.outcome == "failed"]
        if bad and options.tensorflow:
            there = folder / f"{group.replace('/', '_')}-tensorflow.xml"
            if not there.exists():
                start(options.tensorflow, there, sorted({file_of(test.name) for test in bad}), on_tensorflow=True)
            good = {test.name for test in read(there) if test.outcome == "passed"} if there.exists() else set()
            bad = [test for test in bad if test.name in good]
        passed += (here := sum(test.outcome == "passed" for test in tests))
        failed += bad
        print(f"{group}: {here} passed, {len(bad)} failed", flush=True)
    for test in failed:
        print(f"{test.name}: {test.said[:160]}")
    share = 100 * passed / max(1, passed + len(failed))
    print(f"{passed} passed, {len(failed)} failed: {share:.2f} %")
    return 0 if share >= 99 else 1


if __name__ == "__main__":
    sys.exit(main())
