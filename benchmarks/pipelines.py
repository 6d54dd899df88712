"""`python -m benchmarks pipelines`: input pipelines beside TensorFlow's, in one run."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
from collections import defaultdict

from benchmarks.libraries import LIBRARIES, ROOT

NAMES = ("pullback", "tensorflow")
WORKER = ROOT / "benchmarks" / "workers" / "pipelines.py"


def started(python: str, name: str) -> subprocess.Popen[str]:
    """A process that times the pipelines of a library each time it reads a line."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    return subprocess.Popen(
        [python, str(WORKER), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    )


def one_round(worker: subprocess.Popen[str]) -> dict[str, float]:
    """The microseconds an element takes, by pipeline."""
    assert worker.stdin is not None and worker.stdout is not None
    print("go", file=worker.stdin, flush=True)
    line = worker.stdout.readline()
    if not line:
        raise SystemExit(f"{worker.args!r}: the worker ended; run it by itself to see why")
    return {name: float(value) for name, value in json.loads(line).items()}


def table(found: dict[str, dict[str, list[float]]]) -> str:
    """The median of each pipeline in each library, and how far ahead ours is."""
    lines = ["| pipeline, µs an element | Pullback | TensorFlow | ahead |", "|---|---|---|---|"]
    ratios = []
    for pipeline, times in found.items():
        ours, theirs = (statistics.median(times[name]) for name in NAMES)
        ratios.append(theirs / ours)
        lines.append(f"| {pipeline} | {ours:.2f} | {theirs:.2f} | {theirs / ours:.2f} |")
    return "\n".join([*lines, f"geometric mean: {statistics.geometric_mean(ratios):.2f} times TensorFlow's speed"])


def main(arguments: list[str]) -> None:
    """Let both take turns, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks pipelines", description="Measure input pipelines beside TensorFlow's.")
    parser.add_argument("--python", nargs="+", default=[], metavar="NAME=PATH", help="the Python that has a library, instead of .venv-NAME")
    parser.add_argument("--rounds", type=int, default=7, help="how often each library has its turn (7)")
    options = parser.parse_args(arguments)
    pythons = {library.name: str(library.python) for library in LIBRARIES} | dict(pair.split("=", 1) for pair in options.python)
    workers = {name: started(pythons[name], name) for name in NAMES}
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for _ in range(options.rounds):
        for name, worker in workers.items():
            for pipeline, value in one_round(worker).items():
                found[pipeline][name].append(value)
    for worker in workers.values():
        worker.communicate()
    print(table(found))
