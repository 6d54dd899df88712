"""The table: how long each program takes with its gradient, and how far ahead of the better of TensorFlow's two ways ours is."""

import argparse
import json
import os
import statistics
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from benchmarks.everyday.programs import PROGRAMS
from benchmarks.libraries import LIBRARIES, ROOT, version
from benchmarks.measures import progress
from benchmarks.report import machine

PAGE = ROOT / "benchmarks" / "results" / "everyday.md"
#: Each way's library and mode, by what the table calls it.
WAYS = {"Pullback": ("pullback", "jit"), "XLA": ("tensorflow", "jit"), "graph": ("tensorflow", "graph")}
#: Sums of the sizes of values and gradients agree to this.
_CLOSE = 1e-3


class Row(NamedTuple):
    """A program's times by way, in seconds."""

    name: str
    calls: dict[str, float]

    @property
    def ahead(self) -> float:
        """The best peer's time in ours."""
        return min(seconds for way, seconds in self.calls.items() if way != "Pullback") / self.calls["Pullback"]


def measure(python: str, way: str, names: Sequence[str]) -> dict[str, dict[str, float]]:
    """What a process measures, by program."""
    progress(f"measuring: {way}")
    command = [python, "-m", "benchmarks.everyday.worker", *WAYS[way], *names]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {entry.pop("name"): entry for entry in found}


def measure_in_turns(pythons: dict[str, str], names: Sequence[str], rounds: int) -> dict[str, dict[str, dict[str, float]]]:
    """The same by way, each in its turn, a process for each round; a program's time is the best of its rounds."""
    found: dict[str, dict[str, dict[str, float]]] = {way: {} for way in WAYS}
    for _ in range(rounds):
        for way, (library, _) in WAYS.items():
            for name, entry in measure(pythons[library], way, names).items():
                known = found[way].setdefault(name, entry)
                known["call"] = min(known["call"], entry["call"])
    return found


def compare(found: dict[str, dict[str, dict[str, float]]]) -> list[Row]:
    """The rows, the one that is least ahead first; an error where answers differ."""
    rows = []
    for name, ours in found["Pullback"].items():
        sizes = {way: entries[name]["size"] for way, entries in found.items()}
        if any(abs(size - ours["size"]) > _CLOSE * abs(ours["size"]) for size in sizes.values()):
            raise SystemExit(f"{name}: the answers differ: {sizes}")
        rows.append(Row(name, {way: entries[name]["call"] for way, entries in found.items()}))
    return sorted(rows, key=lambda row: row.ahead)


def table(rows: Sequence[Row]) -> str:
    """The table, with the geometric mean at its head."""
    mean = statistics.geometric_mean(row.ahead for row in rows)
    lines = [
        f"Geometric mean over {len(rows)} programs: {mean:.2f} times ahead of the better of XLA and graphs.",
        "",
        f"| program with its gradient, µs | {' | '.join(WAYS)} | ahead |",
        f"|---|{'--:|' * (len(WAYS) + 1)}",
    ]
    lines += [f"| {row.name} | {' | '.join(f'{row.calls[way] * 1e6:.3g}' for way in WAYS)} | {row.ahead:.2f} |" for row in rows]
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks everyday", description="Measure small programs as people write them.")
    parser.add_argument("--only", nargs="+", choices=PROGRAMS, metavar="PROGRAM", help="only these; nothing is written")
    parser.add_argument("--python", nargs="+", default=[], metavar="NAME=PATH", help="the Python that has a library, instead of .venv-NAME")
    parser.add_argument("--rounds", type=int, default=3, help="how often every library has its turn (3)")
    options = parser.parse_args(arguments)
    pythons = {library.name: str(library.python) for library in LIBRARIES} | dict(pair.split("=", 1) for pair in options.python)
    made = table(compare(measure_in_turns(pythons, options.only or [], options.rounds)))
    print(made)
    if options.only is None:
        named = {library.name: library for library in LIBRARIES}
        versions = ", ".join(f"{name} {version(pythons[name], named[name])}" for name in ("pullback", "tensorflow"))
        head = f"Measured on {datetime.now(UTC):%Y-%m-%d} by `python -m benchmarks everyday`, on {machine()}, one thread.\n{versions}."
        PAGE.write_text(f"# Small programs as people write them\n\n{head}\n\n{made}\n")
