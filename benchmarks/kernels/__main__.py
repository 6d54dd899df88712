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
from .picture import picture
from .report import LINE, Answer, by_family, report

RESULTS = ROOT / "benchmarks" / "results"


class Worker:
    """A library in a process of its own; one that ends is started anew."""

    def __init__(self, python: str, library: str, threads: int, clock: str) -> None:
        self.library = library
        self._command = [python, "-m", "benchmarks.kernels.worker", library, str(threads), clock]
        self._start()

    def _start(self) -> None:
        path = str(ROOT / "src") if self.library == "pullback" else ""
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": path}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, text=True, env=environment, cwd=ROOT)
        first = json.loads(self._line() or sys.exit(f"a worker ended: {self.process.args!r}"))
        self.rows: dict[str, str] = first["rows"]
        self.faults: list[str] = first["faults"]

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def ask(self, row: str, seconds: float) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"row": row, "seconds": seconds}) + "\n")
        self.process.stdin.flush()
        line = self._line()
        if not line:
            self._start()
            return {"error": "the process ended"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def measured(workers: tuple[Worker, Worker], wanted: list[str], rounds: int, seconds: float) -> list[Answer]:
    """Each row that both libraries have, with both answers."""
    ours, theirs = workers
    table: list[Answer] = []
    for row, family in ours.rows.items():
        if row not in theirs.rows or (wanted and not any(word in row or word == family for word in wanted)):
            continue
        times: list[float | None] = [None, None]
        errors: dict[str, str] = {}
        for _ in range(rounds):
            for which, worker in enumerate(workers):
                found = worker.ask(row, seconds)
                if "error" in found:
                    errors[worker.library] = f"{worker.library}: {found['error']}"
                else:
                    times[which] = min(found["seconds"], times[which] or float("inf"))
        table.append(Answer(family, row, times[0], times[1], "; ".join(errors.values())))
    return table


def notes(workers: tuple[Worker, Worker], table: list[Answer]) -> list[str]:
    """What went wrong, and the rows that one library lacks."""
    faults = [f"{worker.library}: {fault}" for worker in workers for fault in worker.faults]
    ours, theirs = workers
    alone = [f"only one library has the row {row}" for row in ours.rows.keys() ^ theirs.rows.keys()]
    return [*faults, *sorted(alone), *(f"{answer.row}: {answer.error}" for answer in table if answer.error)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernels", description="Each kernel against TensorFlow's, eagerly.")
    of = {library.name: str(library.python) for library in LIBRARIES}
    parser.add_argument("--pullback", default=of["pullback"], help="the Python that runs Pullback")
    parser.add_argument("--tensorflow", default=of["tensorflow"], help="the Python that runs TensorFlow")
    parser.add_argument("--only", nargs="*", default=[], help="rows whose names contain one of these, and whole families by name")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.1, help="for a row, in each round and library")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall")
    parser.add_argument("--write", action="store_true", help="write results/kernels.md and the picture kernels.svg")
    given = parser.parse_args()
    ours = Worker(given.pullback, "pullback", given.threads, given.clock)
    workers = ours, Worker(given.tensorflow, "tensorflow", given.threads, given.clock)
    table = measured(workers, given.only, given.rounds, given.seconds)
    threads = f"{given.threads or 'all'} threads"
    how = f"{os.cpu_count()} processors, {threads}, {given.clock} time, best of {given.rounds} rounds"
    text = report(table, f"{date.today():%d %B %Y}, {how}.", notes(workers, table), "kernels.svg" if given.write else "")
    print(text)
    if given.write:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "kernels.md").write_text(text)
        ratios = {family: [(a.ratio, a.row) for a in rows if a.ratio] for family, rows in by_family(table).items()}
        picture(ratios, LINE, RESULTS / "kernels.svg")
    for worker in workers:
        worker.close()


if __name__ == "__main__":
    main()
