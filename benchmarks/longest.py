"""The longest call of each example program: `python -m benchmarks longest`, and the worker that runs one program and times its calls.

A call is what a line of the program asks for: of a function, of a session, of a tape's gradient, of an optimizer.  Each program runs twice
on kernels, and once as users run it with an empty cache on the disk; every call is held against the same call on kernels, never against
compiled ones, or against what calls from that line mostly take on kernels if that is longer.  The second run on kernels says how far equal
calls differ: what the machine adds.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
#: How many times its time on kernels no call is to take.
GOAL = 3.0
#: Seconds after which a program counts as hanging.
PATIENCE = 600
Times = dict[str, list[float]]


class Longest(NamedTuple):
    """The call that took longest for what it takes on kernels."""

    line: str
    seconds: float
    on_kernels: float

    @property
    def ratio(self) -> float:
        return self.seconds / self.on_kernels


class Clock:
    """The times of a program's calls, by line; a call inside another one is a part of it."""

    def __init__(self, program: Path) -> None:
        self.program = str(program)
        self.times: Times = {}
        self.is_inside = False

    def timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed_call(*args: Any, **kwargs: Any) -> Any:
            if self.is_inside:
                return call(*args, **kwargs)
            self.is_inside, start = True, time.perf_counter()
            try:
                return call(*args, **kwargs)
            finally:
                self.times.setdefault(self._line(), []).append(time.perf_counter() - start)
                self.is_inside = False

        return timed_call

    def _line(self) -> str:
        frame = sys._getframe(2)
        while frame.f_back is not None and frame.f_code.co_filename != self.program:
            frame = frame.f_back
        return f"line {frame.f_lineno}"


def work(program: Path) -> Times:
    """Run a program in this process, and time its calls."""
    from pullback.api.session import Session
    from pullback.api.tape import GradientTape
    from pullback.cli.main import main as run
    from pullback.trace.autograph import do_not_convert
    from pullback.trace.function import Function
    from pullback.train.optimizer import Optimizer

    clock = Clock(program)
    for kind, name in ((Function, "__call__"), (Session, "run"), (GradientTape, "gradient"), (Optimizer, "apply_gradients")):
        setattr(kind, name, do_not_convert(clock.timed(getattr(kind, name))))
    with contextlib.redirect_stdout(sys.stderr):
        run(["run", str(program)])
    return clock.times


def measure(python: str, program: Path, **environment: str) -> Times:
    """What a fresh process measures, with a disk that knows nothing yet."""
    paths = os.pathsep.join((str(ROOT), str(ROOT / "src")))
    command = [python, "-m", "benchmarks.longest", str(program)]
    with tempfile.TemporaryDirectory() as folder:
        settings = {**os.environ, "PULLBACK_CACHE_DIR": folder, "PYTHONPATH": paths, **environment}
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=settings, timeout=PATIENCE, cwd=ROOT)
    found: Times = json.loads(done.stdout.splitlines()[-1])
    return found


def longest(times: Times, on_kernels: Times) -> Longest:
    """The call that took longest, for what the same call takes on kernels."""
    found = [
        Longest(line, seconds, max(known, statistics.median(on_kernels[line])))
        for line, calls in times.items()
        for seconds, known in zip(calls, on_kernels[line], strict=True)
    ]
    return max(found, key=lambda call: call.ratio)


def row(name: str, usual: Times, on_kernels: Times, again: Times) -> str:
    """A line of the table."""
    if not usual:
        return f"| {name} | 0 | | | | | |"
    call, noise = longest(usual, on_kernels), longest(again, on_kernels)
    calls = sum(map(len, usual.values()))
    met = "met" if call.ratio <= GOAL else "**missed**"
    times = f"{call.seconds * 1e3:.2f} | {call.on_kernels * 1e3:.2f} | {call.ratio:.1f}"
    return f"| {name} | {calls} | {call.line} | {times} | {noise.ratio:.1f} | {met} |"


def main(arguments: Sequence[str]) -> None:
    names = sorted(path.stem for path in EXAMPLES.glob("*.py"))
    parser = argparse.ArgumentParser(prog="python -m benchmarks longest", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME", help=f"only these of {', '.join(names)}")
    parser.add_argument("--python", default=str(ROOT / ".venv-bench" / "bin" / "python"), help="the Python that Pullback runs on")
    options = parser.parse_args(arguments)
    # As installing does: Python would do it in the calls.
    subprocess.run([options.python, "-m", "compileall", "-qq", str(ROOT / "src")], check=True)
    print("| program | calls | longest | ms | on kernels, ms | ratio | of equal calls | |", "|---|--:|---|--:|--:|--:|--:|---|", sep="\n")
    for name in options.only:
        program = EXAMPLES / f"{name}.py"
        on_kernels, again = (measure(options.python, program, PULLBACK_JIT="0") for _ in range(2))
        print(row(name, measure(options.python, program), on_kernels, again), flush=True)


if __name__ == "__main__":
    print(json.dumps(work(Path(sys.argv[1]).absolute())))
