"""Runs the tests that the package Keras brings with it on Pullback, by `make keras`, and those that do not pass there on TensorFlow.

    python -m tests.keras_suite [--tensorflow PYTHON] [--cache FOLDER] [--limit SECONDS] [PATH ...]
    python -m tests.keras_suite --requirements

Both environments have what `--requirements` prints: what Keras's tests import beside Keras.  The limit is that of a single test.  A path
is a folder or file below `keras/src`; without one, all that have tests.  What each test gave is kept below the cache: that of TensorFlow
for good, ours for as long as Pullback's source is the same (or below `--ours FOLDER`, until it is removed).  A run that was broken off
goes on with the test that it was in; one that ended in a test, or had its time, goes on with the next.  Without `--tensorflow`, an
interpreter that has TensorFlow and pytest, only what is kept of it is read.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import importlib
import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO, TypedDict

#: What Keras's tests for the backend TensorFlow import beside Keras and tf_keras, and what tf_keras needs beside TensorFlow.
REQUIREMENTS = ("pytest", "jax", "pillow", "scikit-learn", "requests", "pandas", "six", "wrapt")
#: Seconds after which a process of its own ends, for a fresh one to go on: tests leave memory behind.
TURN = 600


class Result(TypedDict):
    """A test: its file, class and name, whether it passed, failed or was skipped, and what it said."""

    name: str
    outcome: str
    said: str


Results = dict[str, Result]


def find_source() -> Path:
    """Where Keras's source is."""
    spec = importlib.util.find_spec("keras")
    if spec is None or spec.origin is None:
        raise SystemExit("Keras is not installed: pip install keras")
    return Path(spec.origin).parent / "src"


def list_files(source: Path, paths: list[str]) -> list[str]:
    """The files of tests at the paths, the small ones first."""
    chosen = [source / path for path in paths] or [source]
    files = {file for path in chosen for file in ([path] if path.is_file() else path.rglob("*_test.py"))}
    return [str(file.relative_to(source)) for file in sorted(files, key=lambda file: (file.stat().st_size, file))]


def results_of(folder: Path, file: str) -> Path:
    """Where the results of a file are kept."""
    return folder / f"{file.removesuffix('.py').replace('/', '.')}.jsonl"


def hash_source() -> str:
    """What stands for Pullback's source as it is."""
    here = Path(__file__).parent.parent / "src" / "pullback"
    digest = hashlib.sha256()
    for path in sorted(here.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


# In the process that runs the tests


class Recorder:
    """A plugin of pytest that writes down each test as it ends."""

    def __init__(self, out: TextIO, limit: float, found: Results) -> None:
        self.out, self.limit = out, limit
        self.found = found
        self.watch = threading.Timer(limit, int)

    def start(self) -> None:
        """Let the next test, or what comes before it, have its time."""
        self.watch.cancel()
        self.watch = threading.Timer(self.limit, os._exit, [124])
        self.watch.daemon = True
        self.watch.start()

    def pytest_collection_modifyitems(self, items) -> None:  # type: ignore[no-untyped-def]
        """Leave out what an earlier process has done."""
        items[:] = [item for item in items if self.found.get(short_name(item.nodeid), {"outcome": "begun"})["outcome"] == "begun"]

    def pytest_runtest_logstart(self, nodeid: str, location: object) -> None:
        """A test begins."""
        self.start()
        self.write(nodeid, "begun", "")

    def write(self, name: str, outcome: str, said: str) -> None:
        name = short_name(name)
        if name in self.found and self.found[name]["outcome"] == "failed":
            return
        self.found[name] = {"name": name, "outcome": outcome, "said": said[:400]}
        self.out.write(json.dumps(self.found[name]) + "\n")
        self.out.flush()

    def pytest_runtest_logreport(self, report) -> None:  # type: ignore[no-untyped-def]
        """The call of a test, and what failed or was skipped before and after it."""
        if report.when == "call" or report.outcome != "passed":
            self.write(report.nodeid, report.outcome, say(report))

    def pytest_collectreport(self, report) -> None:  # type: ignore[no-untyped-def]
        """A file that could not be imported."""
        if report.outcome != "passed":
            self.write(report.nodeid, report.outcome, say(report))


def short_name(name: str) -> str:
    """A test's name below `keras/src`, the same in every process."""
    return re.sub(r"0x[0-9a-f]+", "0x", name.partition("src/")[2] or name)


def say(report) -> str:  # type: ignore[no-untyped-def]
    """The first lines of the error that a report tells of, or why a test was skipped."""
    if isinstance(report.longrepr, tuple):
        return str(report.longrepr[2])
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = [line.strip() for line in (crash.message if crash else report.longreprtext).strip().splitlines() if line.strip()]
    errors = [line.removeprefix("E").strip() for line in lines if line.startswith("E  ")]
    return " ".join((errors or lines)[:4])


def run_files(side: str, folder: Path, limit: float, asked: list[list[str]]) -> None:
    """Run tests in this process, until all have run or the turn is over; asked: a file, and the tests of it where not all are meant."""
    import pytest

    if side == "pullback":
        from pullback.interop.hook import serve_tensorflow

        serve_tensorflow(2)
    from keras.src.backend import backend

    helpers = types.ModuleType("conftest")
    helpers.skip_if_backend = lambda given, reason: pytest.mark.skipif(backend() == given, reason=reason)  # type: ignore[attr-defined]
    sys.modules["conftest"] = helpers
    root, began = find_source(), time.monotonic()
    options = ["-q", "-W", "ignore", "--tb=short", "--continue-on-collection-errors", "-o", "addopts=", "-m", "not multi_device"]
    # An environment may lie in a clone of Pullback, whose conftest.py is not meant.
    options += ["--rootdir", str(root.parent), "--noconftest"]
    for plugin in ("cacheprovider", "xdist", "hypothesispytest", "faulthandler"):
        options += ["-p", f"no:{plugin}"]
    for file, *names in asked:
        results = results_of(folder, file)
        partial = results.with_suffix(".partial")
        if names and results.exists() and not partial.exists():
            partial.write_text(results.read_text())
        found = read_tests(partial) or {}
        with partial.open("a") as out:
            recorder = Recorder(out, limit, found)
            recorder.start()
            pytest.main([*options, *(str(root / name) for name in names or [file])], plugins=[recorder])
            recorder.watch.cancel()
        partial.rename(results)
        gc.collect()
        if time.monotonic() - began > TURN:
            return


# In the process that has them run


def run_side(side: str, python: str, folder: Path, limit: float, asked: dict[str, list[str]]) -> None:
    """Run what has no results yet, in one process after another; asked: the tests of each file, none where all are meant."""
    folder.mkdir(parents=True, exist_ok=True)
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    environment = {**os.environ, **quiet, "KERAS_BACKEND": "tensorflow", "PYTHONHASHSEED": "0"}
    while left := find_missing(folder, asked):
        (folder / "asked.json").write_text(json.dumps(left))
        with (folder / "log.txt").open("w") as log:
            command = [python, "-m", "tests.keras_suite", "--run", side, str(folder), str(limit)]
            status = subprocess.run(command, env=environment, stdout=log, stderr=log, check=False).returncode
        still = find_missing(folder, asked)
        print(f"{side}: {len(asked) - len(still)} of {len(asked)} files", flush=True)
        if not still or (status == 0 and still[0] != left[0]):
            continue
        fail_unfinished(folder, still[0], f"longer than {limit:.0f} s" if status == 124 else f"the process ended with {status}")


def fail_unfinished(folder: Path, asked: list[str], reason: str) -> None:
    """Write down as failed the test that a process ended in, or all that it did not begin or find if there is none such."""
    file, *names = asked
    results = results_of(folder, file)
    partial = results.with_suffix(".partial")
    kept = partial if partial.exists() else results
    found = read_tests(kept) or {}
    begun = [name for name, test in found.items() if test["outcome"] == "begun"]
    for name in begun or names or [f"{file}::(the rest)"]:
        found[name] = {"name": name, "outcome": "failed", "said": reason}
    kept.write_text("".join(json.dumps(test) + "\n" for test in found.values()))
    if kept is partial and not begun:
        partial.rename(results)


def find_missing(folder: Path, asked: dict[str, list[str]]) -> list[list[str]]:
    """Each file without results, with the tests that have none."""
    missing = []
    for file, names in asked.items():
        known = read_results(folder, file)
        if known is None:
            missing.append([file, *names])
        elif left := [name for name in names if name not in known]:
            missing.append([file, *left])
    return missing


def read_results(folder: Path, file: str) -> Results | None:
    """The tests of a file, by name; None if it was not run."""
    return read_tests(results_of(folder, file))


def read_tests(path: Path) -> Results | None:
    """The tests that a file of results holds, by name; None if there is no such file."""
    if not path.exists():
        return None
    tests: list[Result] = [json.loads(line) for line in path.read_text().splitlines()]
    return {test["name"]: test for test in tests}


def find_doubtful(tests: Results) -> list[str]:
    """The tests that did not pass here, which TensorFlow is to be asked about."""
    return [name for name, test in tests.items() if test["outcome"] != "passed" and "(the rest)" not in name]


class Row:
    """What is said of a folder: how many of its tests pass here, and those that pass on TensorFlow only."""

    def __init__(self) -> None:
        self.passed = 0
        self.lost: list[Result] = []
        self.not_run: list[str] = []

    def add(self, file: str, ours: Results | None, there: Results | None) -> None:
        """Count a file."""
        if ours is None or (there is None and find_doubtful(ours)):
            self.not_run.append(file)
            return
        self.passed += sum(test["outcome"] == "passed" for test in ours.values())
        self.lost += [test for test in ours.values() if "(the rest)" in test["name"]]
        for name, test in (there or {}).items():
            if test["outcome"] == "passed" and (name not in ours or ours[name]["outcome"] != "passed"):
                self.lost.append(ours.get(name, {"name": name, "outcome": "failed", "said": "not among the tests here"}))


def rows_by_folder(files: list[str], ours: Path, there: Path) -> dict[str, Row]:
    """The table: a row for each folder right below `keras/src`."""
    rows: dict[str, Row] = {}
    for file in sorted(files):
        rows.setdefault(file.partition("/")[0], Row()).add(file, read_results(ours, file), read_results(there, file))
    return rows


def format_rows(rows: dict[str, Row]) -> Iterator[str]:
    """The table as Markdown, then the tests that pass on TensorFlow only."""
    yield "| tests of | pass here | pass on TensorFlow only | |"
    yield "|---|--:|--:|--:|"
    for name, row in rows.items():
        if row.passed or row.lost:
            yield f"| {name} | {row.passed:,} | {len(row.lost):,} | {100 * row.passed / (row.passed + len(row.lost)):.2f} % |"
    passed, lost = count_tests(rows)
    yield f"| **all** | **{passed:,}** | **{lost:,}** | **{100 * passed / max(1, passed + lost):.2f} %** |"
    for row in rows.values():
        yield from (f"NOT RUN: {file}" for file in row.not_run)
        yield from (f"{test['name']}: {test['outcome']}: {test['said'][:200]}" for test in row.lost)


def count_tests(rows: dict[str, Row]) -> tuple[int, int]:
    """How many tests pass here, and on TensorFlow only."""
    return sum(row.passed for row in rows.values()), sum(len(row.lost) for row in rows.values())


def main() -> int:
    """Run the suite and print what came of it; the exit status is 1 where less than 99 % pass or a file was not run."""
    if sys.argv[1:2] == ["--run"]:
        side, folder, limit = sys.argv[2:]
        run_files(side, Path(folder), float(limit), json.loads((Path(folder) / "asked.json").read_text()))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requirements", action="store_true")
    parser.add_argument("--tensorflow")
    parser.add_argument("--cache", type=Path, default=Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "pullback")
    parser.add_argument("--ours", type=Path)
    parser.add_argument("--limit", type=float, default=900)
    parser.add_argument("--only", choices=["pullback", "tensorflow", "table"])
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    if options.requirements:
        print(*REQUIREMENTS)
        return 0
    files = list_files(find_source(), options.paths)
    there = options.cache / f"keras-{importlib.metadata.version('keras')}-tensorflow"
    ours = options.ours or options.cache / f"keras-{importlib.metadata.version('keras')}-{hash_source()}"
    if options.only in (None, "pullback"):
        run_side("pullback", sys.executable, ours, options.limit, {file: [] for file in files})
    if options.only in (None, "tensorflow") and options.tensorflow:
        here = {file: find_doubtful(read_results(ours, file) or {}) for file in files}
        run_side("tensorflow", options.tensorflow, there, options.limit, {file: names for file, names in here.items() if names})
    rows = rows_by_folder(files, ours, there)
    print(*format_rows(rows), sep="\n")
    passed, lost = count_tests(rows)
    return 0 if lost < 0.01 * (passed + lost) and not any(row.not_run for row in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
