"""`python -m benchmarks fit`: Keras's `fit` on Pullback beside Keras on TensorFlow and on JAX, in one run."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
from collections import defaultdict

from benchmarks.libraries import LIBRARIES, ROOT

NAMES = ("pullback", "tensorflow", "jax")
WORKER = ROOT / "benchmarks" / "workers" / "keras_fit.py"


def start_worker(python: str, name: str) -> subprocess.Popen[str]:
    """A process that fits the models with a library each time it reads a line."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    return subprocess.Popen(
        [python, str(WORKER), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    )


def read_line(worker: subprocess.Popen[str]) -> str:
    """The next line that a worker writes."""
    assert worker.stdout is not None
    line = worker.stdout.readline()
    if not line:
        raise SystemExit(f"{worker.args!r}: the worker ended; run it by itself to see why")
    return line


def run_round(worker: subprocess.Popen[str]) -> dict[str, float]:
    """What a worker took, by model."""
    assert worker.stdin is not None
    print("go", file=worker.stdin, flush=True)
    return {name: float(value) for name, value in json.loads(read_line(worker)).items()}


def format_table(found: dict[str, dict[str, list[float]]]) -> str:
    """The median of each measure with each library, and how far ahead ours is."""
    lines = ["| Keras's `fit` | Pullback | TensorFlow | JAX | ahead of TensorFlow | of JAX |", "|---|--:|--:|--:|--:|--:|"]
    for measure, times in found.items():
        ours, *theirs = (statistics.median(times[name]) for name in NAMES)
        figures = [ours, *theirs, *(value / ours for value in theirs)]
        lines.append(f"| {measure} | " + " | ".join(f"{figure:.2f}" for figure in figures) + " |")
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """Let each take turns, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks fit", description="Measure Keras's fit on Pullback, TensorFlow and JAX.")
    parser.add_argument("--python", nargs="+", default=[], metavar="NAME=PATH", help="the Python that has a library, instead of .venv-NAME")
    parser.add_argument("--rounds", type=int, default=7, help="how often each library has its turn (7)")
    options = parser.parse_args(arguments)
    pythons = {library.name: str(library.python) for library in LIBRARIES} | dict(pair.split("=", 1) for pair in options.python)
    workers = {name: start_worker(pythons[name], name) for name in NAMES}
    for worker in workers.values():  # none is measured while another still imports its library
        read_line(worker)
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for _ in range(options.rounds + 1):  # the first has the tracing
        for name, worker in workers.items():
            for measure, value in run_round(worker).items():
                found[measure][name].append(value)
    for worker in workers.values():
        worker.communicate()
    print(format_table(dict(sorted(found.items()))))
