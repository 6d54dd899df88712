"""Runs the tests of libraries that stand on TensorFlow, by `make built-on`: on Pullback and on TensorFlow, and writes docs/built-on.md.

    python -m tests.library_suites --tensorflow PYTHON [--results FOLDER] [--page] [NAME ...]
    python -m tests.library_suites --requirements

Each library is taken unchanged from the package index, its tests from its wheel or its source distribution; both environments have what
`--requirements` prints.  Results are kept in the folder, so a run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

PAGE = Path(__file__).parent.parent / "docs" / "built-on.md"
LIMIT = 3600


class Library(NamedTuple):
    """A library whose tests are run: its package, where its tests are, which of them, and why some cannot pass here."""

    package: str
    tests: str
    chosen: str = ""
    is_sdist: bool = False
    reasons: str = ""


LIBRARIES = {
    "einops": Library("einops==0.8.2", "einops/tests", is_sdist=True),
    "Sonnet": Library(
        "dm-sonnet==2.0.2", "sonnet/src",
        reasons="`tf.saved_model`, `Replicator` of several replicas, and cuDNN's LSTM are not there",
    ),
    "autoray": Library("autoray==0.8.4", "tests", "tensorflow", is_sdist=True),
    "TensorNetwork": Library("tensornetwork==0.4.6", "tensornetwork", "tensorflow"),
}  # fmt: skip
#: What the tests of the libraries need beside the libraries.
TOOLS = (
    "pytest", "pytest-timeout", "absl-py", "dm-tree", "wrapt", "tabulate", "parameterized", "graphviz", "opt_einsum", "h5py", "scipy",
    "docutils",
)  # fmt: skip


def fetch(library: Library, folder: Path) -> Path:
    """The folder of a library's source, taken from the package index once."""
    target = folder / library.package
    if not target.exists():
        kind = ["--no-binary", ":all:"] if library.is_sdist else ["--only-binary", ":all:"]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *kind, "--dest", str(target), library.package]
        subprocess.run(command, check=True)
        (packed,) = target.iterdir()
        if packed.suffix == ".whl":
            with zipfile.ZipFile(packed) as wheel:
                wheel.extractall(target / "source")
        else:
            with tarfile.open(packed) as sdist:
                sdist.extractall(target / "source", filter="data")
    source = target / "source"
    return next(source.iterdir()) if library.is_sdist else source


def run(python: str, library: Library, source: Path, results: Path, on_tensorflow: bool) -> None:
    """Run a library's tests in one environment."""
    start = [python, "-m", "pytest"] if on_tensorflow else [python, "-m", "pullback", "run", "-m", "pytest"]
    files = sorted(str(path) for pattern in ("*_test.py", "test_*.py") for path in (source / library.tests).rglob(pattern))
    options = ["-q", "-p", "no:cacheprovider", "-W", "ignore", "--tb=line", "--timeout=120", "--continue-on-collection-errors"]
    options += ["--import-mode=importlib", "--rootdir", str(source), "--junitxml", str(results)]
    options += ["-k", library.chosen] if library.chosen else []
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "EINOPS_TEST_BACKENDS": "numpy,tensorflow"}
    subprocess.run([*start, *options, *files], env=environment, cwd=results.parent, timeout=LIMIT, stdout=subprocess.DEVNULL, check=False)


def read(results: Path) -> dict[str, str]:
    """What came of each test: passed, failed or skipped."""
    found = {}
    for case in ElementTree.parse(results).iter("testcase"):
        outcomes = {child.tag for child in case}
        name = f"{'.'.join((case.get('classname') or '').split('.')[-2:])}::{case.get('name')}"
        found[name] = "failed" if outcomes & {"failure", "error"} else "skipped" if "skipped" in outcomes else "passed"
    return found


def compare(folder: Path, names: list[str]) -> list[str]:
    """The rows of the table, a library each, from the results in a folder."""
    rows = []
    for name in names:
        library = LIBRARIES[name]
        ours, theirs = (read(folder / f"{name}-{side}.xml") for side in ("pullback", "tensorflow"))
        there = [test for test, outcome in theirs.items() if outcome == "passed"]
        here = Counter(ours.get(test, "failed") for test in there)
        share = 100 * here["passed"] / max(1, len(there))
        reason = library.reasons if here["passed"] < len(there) else ""
        rows.append(f"| {name} | {library.package.split('==')[1]} | {len(there):,} | {here['passed']:,} | {share:.1f} % | {reason} |")
    return rows


def page(rows: list[str]) -> str:
    """docs/built-on.md."""
    return "\n".join(
        [
            "# Libraries that stand on TensorFlow",
            "",
            "Each library is taken unchanged from the package index, and its own tests are run twice: with TensorFlow 2.21, and with",
            "Pullback under `pullback run`. The share says how many of the tests that pass on TensorFlow pass on Pullback.",
            "`make built-on` makes this table.",
            "",
            "| library | version | pass on TensorFlow | of those on Pullback | share | what is missing |",
            "|---|---|--:|--:|--:|---|",
            *rows,
            "",
        ]
    )


def main() -> None:
    """Run the tests of libraries, and print or write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tensorflow", default=sys.executable)
    parser.add_argument("--results", type=Path, default=Path.home() / ".cache" / "pullback-built-on")
    parser.add_argument("--page", action="store_true", help="write docs/built-on.md")
    parser.add_argument("--requirements", action="store_true", help="print what both environments need")
    parser.add_argument("names", nargs="*", default=list(LIBRARIES))
    options = parser.parse_args()
    if options.requirements:
        print("\n".join([*(library.package for library in LIBRARIES.values()), *TOOLS]))
        return
    options.results.mkdir(parents=True, exist_ok=True)
    for name in options.names:
        source = fetch(LIBRARIES[name], options.results)
        for side, python in (("tensorflow", options.tensorflow), ("pullback", sys.executable)):
            results = options.results / f"{name}-{side}.xml"
            if not results.exists():
                print(f"{name} on {side} ...", flush=True)
                run(python, LIBRARIES[name], source, results, side == "tensorflow")
    rows = compare(options.results, options.names)
    if options.page:
        PAGE.write_text(page(rows), encoding="utf-8")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
