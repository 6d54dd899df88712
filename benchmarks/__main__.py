"""Measure Pullback and its peers in one run: `make bench`, or `python -m benchmarks --only eager session`.

`python -m benchmarks engine` measures compiled programs, `everyday` small ones as people write them, `growth` how compiling grows with a
program, `leak` what dropped programs leave behind, `longest` the longest call of each example program, `pipelines` input pipelines, `why`
what `why` and `trace_nans` cost, `fit` Keras's training, `scale` steps over several processes, and `short` writes the table of the README.
"""

import argparse
import sys
from pathlib import Path

from benchmarks import fit, growing, leak, longest, pipelines, scale, short, why
from benchmarks.engine import command
from benchmarks.everyday import command as everyday
from benchmarks.libraries import LIBRARIES, ROOT, keep_bytecode, version
from benchmarks.measures import ALL, Bench, progress
from benchmarks.report import page, picture, table


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Pullback and its peers.")
    parser.add_argument("--only", nargs="+", choices=ALL, metavar="MEASURE", help=f"only these of {', '.join(ALL)}; nothing is written")
    parser.add_argument("--python", nargs="+", default=[], metavar="NAME=PATH", help="the Python that has a library, instead of .venv-NAME")
    parser.add_argument("--rounds", type=int, default=7, help="how often every library has its turn (7)")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    bench = Bench(LIBRARIES, dict(pair.split("=", 1) for pair in options.python), options.rounds)
    versions = {library.name: version(bench.python(library), library) for library in LIBRARIES}
    found = []
    for name in options.only or ALL:
        progress(f"measuring: {name}")
        found.append(ALL[name](bench))
        print(table(found[-1]), end="\n\n", flush=True)
    if options.only is None:
        results = Path(ROOT) / "benchmarks" / "results"
        results.mkdir(exist_ok=True)
        (results / "core.md").write_text(page(found, versions))
        picture(found, results / "core.svg")
        progress(f"written: {results / 'core.md'}")
    missed = [f"{m.title}: {text}" for m in found for text, met in m.targets if not met]
    print("every line is met" if not missed else "MISSED\n" + "\n".join(missed))


COMMANDS = {
    "engine": command.main, "everyday": everyday.main, "fit": fit.main, "growth": growing.main, "leak": leak.main, "longest": longest.main,
    "pipelines": pipelines.main, "scale": scale.main, "short": short.main, "why": why.main,
}  # fmt: skip

if __name__ == "__main__":
    keep_bytecode()
    if sys.argv[1:2] and sys.argv[1] in COMMANDS:
        COMMANDS[sys.argv[1]](sys.argv[2:])
    else:
        main()
