"""`python -m benchmarks scale`: data-parallel steps in 1, 2 and 4 processes of one thread each, beside what a plan said of them."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
from typing import Any

from benchmarks.libraries import LIBRARIES, ROOT

WORKER, REPLICAS = ROOT / "benchmarks" / "workers" / "scale.py", (1, 2, 4)


def run_replicas(python: str, replicas: int, links: dict[int, dict[str, float]] | None = None) -> dict[str, Any]:
    """What replica 0 of so many prints; links: for plans, what messages take between so many replicas."""
    several = ["--mpi", str(replicas)] if replicas > 1 else []
    words = [python, "-m", "pullback", "run", *several, str(WORKER), *([json.dumps(links)] if links else [])]
    environment = {**os.environ, "PULLBACK_NUM_THREADS": "1"}
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environment)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(arguments: list[str]) -> None:
    """Let each number of processes take its turns, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale", description="Measure data-parallel steps over MPI.")
    parser.add_argument("--python", default=str(LIBRARIES[0].python), help="the Python that has Pullback and mpi4py")
    parser.add_argument("--rounds", type=int, default=5, help="how often each has its turn (5)")
    options = parser.parse_args(arguments)
    rounds = []
    for _ in range(options.rounds):
        several = {replicas: run_replicas(options.python, replicas) for replicas in REPLICAS[1:]}
        links = {replicas: found["link"] for replicas, found in several.items()}
        rounds.append({1: run_replicas(options.python, 1, links), **several})
    print(f"{os.cpu_count()} processors; medians of {options.rounds} rounds\n")
    print("| step | replicas | ms | of it sums | times one replica's speed | planned |\n|---|--:|--:|--:|--:|--:|")
    for name in [key for key in rounds[0][1] if key != "link"]:
        for place, replicas in enumerate(REPLICAS):
            took = statistics.median(found[replicas][name]["step"] for found in rounds)
            part = statistics.median(1 - found[replicas][name]["alone"] / found[replicas][name]["step"] for found in rounds)
            speed = statistics.median(found[1][name]["step"] / found[replicas][name]["step"] for found in rounds)
            planned = statistics.median(found[1][name]["planned"][place] for found in rounds)
            sums = f"{max(part, 0):.0%}" if 1 < replicas <= (os.cpu_count() or 1) else ""
            print(f"| {name} | {replicas} | {took * 1e3:.2f} | {sums} | {speed:.2f} | {planned:.2f} |")


__all__ = ["main", "run_replicas"]
