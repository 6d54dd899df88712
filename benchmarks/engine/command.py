"""`python -m benchmarks engine --only chain16 gmm --libraries pullback jax`."""

import argparse
import os
import sys
from collections.abc import Sequence

from benchmarks.engine.report import disagreements, everyone, faults, first_calls, page, picture, summary
from benchmarks.engine.rows import ROWS
from benchmarks.engine.run import MODES, Plan, measure, read_files
from benchmarks.libraries import LIBRARIES, ROOT, version
from benchmarks.measures import progress


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks engine", description="Compiled programs of Pullback and its peers.")
    parser.add_argument("--only", nargs="+", choices=ROWS, metavar="WORK", help=f"only these of {', '.join(ROWS)}; nothing is written")
    parser.add_argument("--libraries", nargs="+", choices=MODES, metavar="LIBRARY", help=f"only these of {', '.join(MODES)}; so too")
    parser.add_argument("--python", nargs="+", default=[], metavar="NAME=PATH", help="the Python that has a library, instead of .venv-NAME")
    parser.add_argument("--rounds", type=int, default=4, help="how often every library has its turn (4)")
    parser.add_argument("--seconds", type=float, default=0.25, help="how long a turn lasts at least (0.25)")
    parser.add_argument("--threads", type=int, default=2, help="cores and threads of every library (2)")
    parser.add_argument("--patience", type=float, default=60, help="how many seconds a first call may take (60)")
    parser.add_argument("--cpu", action="store_true", help="count CPU time: with --threads 1, ratios hold on a busy machine")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> None:
    options = parse(arguments)
    libraries = [library for library in LIBRARIES if options.libraries is None or library.name in options.libraries]
    pythons = dict(pair.split("=", 1) for pair in [*os.environ.get("BENCH_PYTHONS", "").split(), *options.python])
    versions = {library.name: version(pythons.get(library.name, str(library.python)), library) for library in libraries}
    plan = Plan(libraries, pythons, options.rounds, options.seconds, options.threads, options.patience, options.cpu)
    results = []
    chosen = options.only or list(ROWS)
    progress("a first process of each library that does not count: it reads the library's files from the disk")
    read_files(chosen[0], plan)
    for at, name in enumerate(chosen, 1):
        progress(f"{name} ({at} of {len(chosen)}): {ROWS[name].title}")
        results.append(measure(name, plan))
        print(everyone(results[-1:], lambda found: found.seconds), end="\n\n", flush=True)
    print(summary(results))
    print("\nthe quickest call\n" + everyone(results, lambda found: found.fastest))
    print("\nfirst calls\n" + everyone(results, lambda found: found.first))
    print("\nfirst calls of a second process\n" + everyone(results, lambda found: found.again))
    print("\nour first calls beside JAX's\n" + first_calls(results))
    print("\n".join(["", *faults(results)]))
    if options.only is None and options.libraries is None and not options.cpu:
        folder = ROOT / "benchmarks" / "results"
        folder.mkdir(exist_ok=True)
        (folder / "engine.md").write_text(page(results, versions, plan))
        picture(results, folder / "engine.svg")
        progress(f"written: {folder / 'engine.md'}")
    if disagreements(results):
        sys.exit("the libraries do not agree")
