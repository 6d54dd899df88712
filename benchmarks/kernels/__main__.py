"""`python -m benchmarks.kernels`: each kernel at a million elements, eagerly, against TensorFlow's in the same run.

Both libraries are asked for one row after the other, in turns, so that a machine that is slow for a while is slow for both; the best time
of each counts.  On a machine that has other work to do `--clock cpu --threads 1` compares processor time, which others cannot take.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from datetime import date
from typing import Any

from ..libraries import LIBRARIES, ROOT

LINE = 1.5  # no kernel slower than TensorFlow's by more than this
RESULTS = ROOT / "benchmarks" / "results"


Measured = tuple[str, dict[str, Any], dict[str, Any]]


class Worker:
    """A library in a process of its own."""

    def __init__(self, python: str, library: str, threads: int, clock: str) -> None:
        path = str(ROOT / "src") if library == "pullback" else ""
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": path}
        command = [python, "-m", "benchmarks.kernels.worker", library, str(threads), clock]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)
        self.rows: list[str] = json.loads(self._line())

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"a worker ended: {self.process.args!r}")
        return line

    def ask(self, row: str, seconds: float) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"row": row, "seconds": seconds}) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._line())
        return answer

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def measured(ours: Worker, theirs: Worker, wanted: list[str], rounds: int, seconds: float) -> list[Measured]:
    """Each row with both answers."""
    table: list[Measured] = []
    for row in ours.rows:
        if row not in theirs.rows or (wanted and not any(word in row for word in wanted)):
            continue
        answers: list[dict[str, Any]] = [{}, {}]
        for _ in range(rounds):
            for answer, worker in zip(answers, (ours, theirs), strict=True):
                found = worker.ask(row, seconds)
                if "error" in found:
                    answer.update(found)
                else:
                    answer["seconds"] = min(found["seconds"], answer.get("seconds", float("inf")))
        table.append((row, answers[0], answers[1]))
    return table


def report(table: list[Measured], head: str) -> str:
    """The table as Markdown, slowest first by ratio, with a bar for each."""
    rows = []
    for row, ours, theirs in table:
        if "error" in ours or "error" in theirs:
            rows.append((-1.0, f"| {row} | {ours.get('error', '')} | {theirs.get('error', '')} | | |"))
            continue
        a, b = ours["seconds"] * 1e3, theirs["seconds"] * 1e3
        bar = "█" * min(round(8 * a / b), 40)
        rows.append((a / b, f"| {row} | {a:.3f} | {b:.3f} | {a / b:.2f} | {bar} |"))
    rows.sort(key=lambda pair: -pair[0])
    ratios = [ratio for ratio, _ in rows if ratio > 0]
    over = sum(ratio > LINE for ratio in ratios)
    ahead = sum(ratio <= 1 for ratio in ratios)
    text = f"{len(ratios)} rows: {ahead} level or ahead, {over} beyond {LINE} times TensorFlow's time.  Eight blocks are TensorFlow's time."
    title = ["# Kernels against TensorFlow's, eagerly", "", head, "", text, ""]
    columns = ["| row | Pullback, ms | TensorFlow, ms | ratio | |", "|---|--:|--:|--:|---|"]
    return "\n".join([*title, *columns, *(line for _, line in rows), ""])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernels", description="Each kernel against TensorFlow's, eagerly.")
    of = {library.name: str(library.python) for library in LIBRARIES}
    parser.add_argument("--pullback", default=of["pullback"], help="the Python that runs Pullback")
    parser.add_argument("--tensorflow", default=of["tensorflow"], help="the Python that runs TensorFlow")
    parser.add_argument("--only", nargs="*", default=[], help="rows whose names contain one of these")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.1, help="for a row, in each round and library")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall")
    parser.add_argument("--write", action="store_true", help="write results/kernels.md")
    given = parser.parse_args()
    ours = Worker(given.pullback, "pullback", given.threads, given.clock)
    theirs = Worker(given.tensorflow, "tensorflow", given.threads, given.clock)
    table = measured(ours, theirs, given.only, given.rounds, given.seconds)
    threads = f"{given.threads or 'all'} threads"
    how = f"{os.cpu_count()} processors, {threads}, {given.clock} time, best of {given.rounds} rounds"
    text = report(table, f"{date.today():%d %B %Y}, {how}.")
    print(text)
    if given.write:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "kernels.md").write_text(text)
    ours.close()
    theirs.close()


if __name__ == "__main__":
    main()
