"""What programs leave behind that were compiled and dropped: `python -m benchmarks leak`, and the worker that compiles them.

Each program is another one: a function with its gradient, a loop, or steps on a variable, with constants of its own.  The first ones bring
what all share; from then on memory is to stay as it is, whatever their number.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
#: Megabytes that 10,000 programs are to leave.
GOAL = 5.0
#: The programs that bring what all share.
FIRST = 200


def gradient(tf: Any, number: int) -> Any:
    """A function's value and gradient."""

    def value_and_gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.tanh(x * float(number)) * tf.exp(-x) + float(number) * x**2)
        return y, tape.gradient(y, x)

    return tf.function(value_and_gradient, jit_compile=True)


def loop(tf: Any, number: int) -> Any:
    """A loop of which nobody knows the number of turns."""

    def repeat(x: Any) -> Any:
        return tf.while_loop(lambda i, y: i < 3 + number % 7, lambda i, y: (i + 1, tf.sin(y) * float(number)), (0, x))[1]

    return tf.function(repeat, jit_compile=True)


def step(tf: Any, number: int) -> Any:
    """A step of descent on a variable."""
    variable = tf.Variable(tf.ones(16) * float(number))

    def descend(x: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((variable * x - float(number)) ** 2)
        variable.assign_sub(0.01 * tape.gradient(loss, variable))
        return loss

    return tf.function(descend, jit_compile=True)


PROGRAMS = (gradient, loop, step)


def measure_resident() -> int:
    """The bytes that this process has in memory, once all that is free has been given back."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def work(counts: Sequence[int]) -> None:
    """Compile and drop programs, and print what is in memory after each of `counts`, in megabytes more than after the first ones."""
    import pullback as tf

    x, before, number = tf.ones(16), 0, 0
    for count in (FIRST, *(FIRST + count for count in counts)):
        while number < count:
            PROGRAMS[number % len(PROGRAMS)](tf, number)(x)
            number += 1
        now = measure_resident()
        before = before or now
        print(f"| {number - FIRST:,} | {now / 1e6:.1f} | {(now - before) / 1e6:.2f} |", flush=True)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks leak", description=__doc__)
    parser.add_argument("--counts", nargs="+", type=int, default=[500, 1000, 2000, 10000], help="after how many programs to measure")
    parser.add_argument("--python", default=str(ROOT / ".venv-bench" / "bin" / "python"), help="the Python that Pullback runs on")
    parser.add_argument("--cache", action="store_true", help="keep the programs on the disk, in the folder that PULLBACK_CACHE_DIR names")
    options = parser.parse_args(arguments)
    print(f"10,000 programs are to leave less than {GOAL:.0f} MB.", "| programs | MB | more |", "|--:|--:|--:|", sep="\n", flush=True)
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "src"))), "PULLBACK_CACHE": str(int(options.cache))}
    subprocess.run([options.python, "-m", "benchmarks.leak", *map(str, options.counts)], check=True, env=settings, cwd=ROOT)


if __name__ == "__main__":
    work([int(count) for count in sys.argv[1:]])
