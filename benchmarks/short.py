"""The README's table, in one run of a few minutes: `python -m benchmarks short --python tensorflow=PATH jax=PATH pullback=PATH`.

The shortest time of all rounds is taken, which other work on the machine lengthens least.
"""

import argparse
import os
from datetime import UTC, datetime

from benchmarks.libraries import LIBRARIES, ROOT, version
from benchmarks.measures import US, Bench, Measure, eager, first_gradient, imports, installed_size, progress
from benchmarks.report import machine

PAGE = ROOT / "benchmarks" / "results" / "short.md"
SHOWN = {"pullback": "Pullback", "tensorflow": "TensorFlow", "torch": "PyTorch", "jax": "JAX"}


def compiled_step(bench: Bench) -> Measure:
    names = [name for name in SHOWN if bench.those(name)]
    return Measure("Compiled step", "us", {name: seconds * 1e6 for name, seconds in bench.in_turns(names, "step").items()})


MEASURES = {
    "installed, with all it needs": installed_size,
    "`import`": imports,
    "process start to first gradient": first_gradient,
    "eager operation with its gradient": eager,
    "compiled training step (two layers of 16, 8 rows)": compiled_step,
}
UNITS = {"s": (1e3, "ms"), "us": (1.0, "µs"), "MB": (1.0, "MB")}


def row(title: str, measure: Measure, names: list[str]) -> str:
    """A line of the table: our number, then the others' with the ratio to it."""
    scale, unit = UNITS[measure.unit]
    cells = []
    for name in names:
        value = measure.values.get(name)
        ratio = "" if value is None or name == US else f" ({value / measure.values[US]:.1f} ×)"
        cells.append("" if value is None else f"{float(f'{value * scale:.3g}'):g} {unit}{ratio}")
    return f"| {title} | " + " | ".join(cells) + " |"


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks short", description="Write the README's table.")
    parser.add_argument("--python", nargs="+", default=[], metavar="NAME=PATH", help="the Python that has a library, instead of .venv-NAME")
    parser.add_argument("--rounds", type=int, default=5, help="how often every library has its turn (5)")
    options = parser.parse_args(argv)
    pythons = dict(pair.split("=", 1) for pair in options.python)
    here = [library for library in LIBRARIES if library.name in SHOWN and (library.name in pythons or library.python.exists())]
    bench = Bench(here, pythons, options.rounds, min)
    names = [library.name for library in here]
    versions = ", ".join(f"{SHOWN[library.name]} {version(bench.python(library), library)}" for library in here)
    lines = ["| | " + " | ".join(SHOWN[name] for name in names) + " |", "|---|" + "--:|" * len(names)]
    for title, measure in MEASURES.items():
        progress(f"measuring: {title}")
        lines.append(row(title, measure(bench), names))
        print(lines[-1], flush=True)
    load = os.getloadavg()[0]
    head = (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} by `python -m benchmarks short`, all in one run, on {machine()}:\n"
        f"{versions}. The shortest of {options.rounds} rounds; in brackets, times ours. The machine's load at the end was {load:.1f}:\n"
        "above its number of cores, times are long, and longest for libraries with many threads."
    )
    PAGE.write_text("\n".join(["# Pullback and its peers, in short", "", *lines, "", head]) + "\n")
    progress(f"written: {PAGE}")
