"""Hold Pullback against the TensorFlow that is installed, and write docs/against.md.

python -m tests.against                                   everything
python -m tests.against --only docstrings bad_calls       some parts
python -m tests.against --only random_programs --programs 5000 --seed 7
python -m tests.against --only random_programs --programs 100000 --minutes 60
python -m tests.against --only docstrings --names tf.nn   those of some names
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import importlib.util
import sys
from collections.abc import Callable
from importlib.metadata import version

from tests.against import bad_calls, control_flow, docstrings, other_kinds, random_programs, report
from tests.against.report import Part
from tests.against.sides import OURS, THEIRS, Side

PARTS: dict[str, Callable[[dict[str, Side], argparse.Namespace], Part]] = {
    "docstrings": lambda sides, given: docstrings.run(sides, given.names),
    "random_programs": lambda sides, given: random_programs.run(given.programs, given.seed, given.compile_one_in, given.minutes),
    "bad_calls": lambda sides, given: bad_calls.run(sides, given.calls, given.seed, given.names),
    "bad_calls_in_functions": lambda sides, given: bad_calls.run(sides, given.calls // 4, given.seed, given.names, "in functions"),
    "bad_calls_in_graphs": lambda sides, given: bad_calls.run(sides, given.calls // 4, given.seed, given.names, "in graphs"),
    "control_flow": lambda sides, given: control_flow.run(given.programs, given.seed),
    "other_kinds": lambda sides, given: other_kinds.run(sides, given.names),
}
FORKED = {*PARTS} - {"random_programs", "control_flow"}  # each program in a fork of its own
# Parts that need Pullback alone, in modules of their own.
ALONE = ("threads", "kills")


def main() -> int:
    """Run the parts asked for; 1 where a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.against", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=[*PARTS, *ALONE], default=[*PARTS, *ALONE], help="these parts")
    parser.add_argument("--names", default="", help="docstrings and calls of names that contain this")
    parser.add_argument("--programs", type=int, default=1000, help="how many random programs")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no more random programs after so long; 0: never")
    parser.add_argument("--compile-one-in", type=int, default=50, help="compile one random program in so many; 0: none")
    parser.add_argument("--calls", type=int, default=20000, help="how many wrong calls")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn")
    parser.add_argument("--no-page", action="store_true", help="print the differences and write no page")
    given = parser.parse_args()
    sides = {name: Side(name) for name in (THEIRS, OURS)} if FORKED & set(given.only) else {}
    found = [PARTS[name](sides, given) for name in given.only if name in PARTS]
    for side in sides.values():
        side.close()
    for name in given.only:
        if name in ALONE and importlib.util.find_spec(f"tests.against.{name}"):
            found.append(importlib.import_module(f"tests.against.{name}").run())
    for part in found:
        print(f"{part.title}: " + ", ".join(f"{name} {value}" for name, value in part.figures.items()))
        if given.no_page:
            print("\n".join(f"  {d.name} {d.kind}: {d.words}" for d in part.differences))
    if not given.no_page:
        when = f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}"
        report.write([part for part in found if isinstance(part, Part)], version("tensorflow-cpu"), when)
    missed = report.goals_missed(found)
    print("\n".join(missed) or "every goal is reached", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
