"""How compiling grows with a program: `python -m benchmarks growth`, and the worker that measures one program in one library.

Every program is written once, for Pullback and JAX alike, as people write it: turns of a Python loop, layers, many variables.  A measure is
the processor time of the first compiled call in a fresh process with nothing on the disk, and what it says about growth is the exponent
between two sizes: 1 is linear.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import growing_loops
from benchmarks.compiles import wait_for_compiles

ROOT = Path(__file__).parents[1]
#: Seconds of processor time of one process, after which a size counts as not reached.
PATIENCE = 300


def square(seed: int) -> Any:
    return np.random.default_rng(seed).standard_normal((10, 10)).astype(np.float32)


def products(xp: Any, n: int) -> tuple[Callable[..., Any], list[Any]]:
    """`x = tanh(x @ A * 0.1) + sin(x)`, n times."""

    def f(x: Any, a: Any) -> Any:
        for _ in range(n):
            x = xp.tanh(xp.matmul(x, a) * 0.1) + xp.sin(x)
        return xp.sum(x)

    return f, [square(1), square(0)]


def chain(xp: Any, n: int) -> tuple[Callable[..., Any], list[Any]]:
    """`x = sin(x) * 0.9 + x * 0.1`, n times."""

    def f(x: Any) -> Any:
        for _ in range(n):
            x = xp.sin(x) * 0.9 + x * 0.1
        return xp.sum(x)

    return f, [square(1)]


def fan(xp: Any, n: int) -> tuple[Callable[..., Any], list[Any]]:
    """One value read n times, and the n results added up."""

    def f(x: Any) -> Any:
        total = xp.sin(x)
        for i in range(1, n):
            total = total + xp.sin(x * float(i))
        return xp.sum(total)

    return f, [square(1)]


def layers(xp: Any, n: int) -> tuple[Callable[..., Any], list[Any]]:
    """A residual network of n layers, each with weights of its own."""

    def f(x: Any, *weights: Any) -> Any:
        for w in weights:
            x = x + xp.tanh(xp.matmul(x, w)) * 0.1
        return xp.sum(x * x)

    return f, [square(1), *(square(i) for i in range(n))]


def stencils(xp: Any, n: int) -> tuple[Callable[..., Any], list[Any]]:
    """`x = tanh(x - 0.1 * x * (the row after - the row before))`, n times."""

    def f(x: Any) -> Any:
        for _ in range(n):
            x = xp.tanh(x - 0.1 * x * (xp.roll(x, -1, 0) - xp.roll(x, 1, 0)))
        return xp.sum(x)

    return f, [square(1)]


PROGRAMS = {"products": products, "chain": chain, "fan": fan, "layers": layers, "stencils": stencils}
MODES = ("value", "gradient", "adam")
Step = Callable[[], object]


def pullback_program(program: str, mode: str, n: int) -> tuple[Any, list[Any]]:
    """A function of Pullback's, and its arguments."""
    import pullback as tf

    names = argparse.Namespace(tanh=tf.tanh, sin=tf.sin, matmul=tf.matmul, sum=tf.reduce_sum, roll=tf.roll)
    if mode == "adam":
        variables = [tf.Variable(np.full(4, 0.5 + i, np.float32)) for i in range(n)]
        optimizer = tf.keras.optimizers.Adam(0.01)

        def step() -> Any:
            with tf.GradientTape() as tape:
                loss = tf.add_n([tf.reduce_sum(v * v) for v in variables])
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
            return loss

        optimizer.build(variables)
        return tf.function(step, jit_compile=True, autograph=False), []
    f, arrays = PROGRAMS[program](names, n)

    def call(*given: Any) -> Any:
        if mode == "value":
            return f(*given)
        with tf.GradientTape() as tape:
            tape.watch(given)
            y = f(*given)
        return tape.gradient(y, given)

    return tf.function(call, jit_compile=True, autograph=False), [tf.constant(a) for a in arrays]


def pullback_step(program: str, mode: str, n: int) -> Step:
    function, arguments = pullback_program(program, mode, n)
    return lambda: function(*arguments)


def jax_step(program: str, mode: str, n: int) -> Step:
    import jax
    import jax.numpy as jnp

    if mode == "adam":
        variables = [jnp.full(4, 0.5 + i) for i in range(n)]

        def update(values: Any, first: Any, second: Any) -> Any:
            loss, g = jax.value_and_grad(lambda vs: sum(jnp.sum(v * v) for v in vs))(values)
            first = [0.9 * m + 0.1 * d for m, d in zip(first, g, strict=True)]
            second = [0.999 * s + 0.001 * d * d for s, d in zip(second, g, strict=True)]
            rows = zip(values, first, second, strict=True)
            return loss, [v - 0.01 * m / (jnp.sqrt(s) + 1e-7) for v, m, s in rows], first, second

        step = jax.jit(update)
        return lambda: jax.block_until_ready(step(variables, variables, variables))
    f, arrays = PROGRAMS[program](jnp, n)
    function = jax.jit(f if mode == "value" else jax.grad(f, argnums=tuple(range(len(arrays)))))
    arguments = [jnp.asarray(a) for a in arrays]
    return lambda: jax.block_until_ready(function(*arguments))


STEPS = {"pullback": pullback_step, "jax": jax_step}


def work(library: str, program: str, mode: str, n: int) -> dict[str, float]:
    """Seconds of processor time of the first call, and of the quickest later one by the clock."""
    step = STEPS[library](program, mode, n)
    start = time.process_time()
    step()
    first = time.process_time() - start
    wait_for_compiles()
    calls = []
    for _ in range(5):
        start = time.perf_counter()
        step()
        calls.append(time.perf_counter() - start)
    return {"first": first, "call": min(calls)}


def measure(python: str, library: str, program: str, mode: str, n: int) -> dict[str, float] | None:
    """What a fresh process measures; None where it takes too long."""
    environment = {**os.environ, "PULLBACK_CACHE": "0", "JAX_PLATFORMS": "cpu", "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    command = [python, "-m", "benchmarks.growing", library, program, mode, str(n)]
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, timeout=PATIENCE, cwd=ROOT)
    except subprocess.TimeoutExpired:
        return None
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def table(pythons: dict[str, str], sizes: Sequence[int], programs: Sequence[tuple[str, str]]) -> str:
    """A row for each program and size: both first calls, their ratio, and the exponents between this size and the one before."""
    lines = ["| program | n | Pullback, s | exponent | JAX, s | exponent | of JAX | a call, ms |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for program, mode in programs:
        before: dict[str, tuple[int, float]] = {}
        for n in sizes:
            row = [f"{program}, {mode}" if mode != "adam" else "Adam step over n variables", str(n)]
            found = {library: measure(python, library, program, mode, n) for library, python in pythons.items()}
            for library, measured in found.items():
                if measured is None:
                    row += ["no answer", ""]
                    continue
                seconds = measured["first"]
                row += [f"{seconds:.2f}", f"{_exponent(*before[library], n, seconds):.2f}" if library in before else ""]
                before[library] = n, seconds
            ours, theirs = found["pullback"], found["jax"]
            row.append(f"{ours['first'] / theirs['first']:.2f}" if ours and theirs else "")
            row.append(f"{ours['call'] * 1e3:.2f}" if ours else "")
            lines.append(f"| {' | '.join(row)} |")
            print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


def _exponent(n: int, seconds: float, more: int, later: float) -> float:
    return math.log(later / seconds) / math.log(more / n)


def main(arguments: Sequence[str]) -> None:
    every = [(program, mode) for program in PROGRAMS for mode in ("value", "gradient")] + [("", "adam")]
    parser = argparse.ArgumentParser(prog="python -m benchmarks growth", description=__doc__)
    parser.add_argument("--sizes", nargs="+", type=int, default=[100, 400, 2000, 10000])
    parser.add_argument("--only", nargs="+", choices=[*PROGRAMS, "adam", "loops"], default=[*PROGRAMS, "adam", "loops"])
    parser.add_argument("--steps", type=int, default=1000, help="of loops, which are measured at so many, 2, 4 and 8 times as many (1000)")
    parser.add_argument("--python", nargs="+", default=[], metavar="NAME=PATH", help="the Python that has a library, instead of .venv-NAME")
    options = parser.parse_args(arguments)
    pythons = {"pullback": str(ROOT / ".venv-bench" / "bin" / "python"), "jax": str(ROOT / ".venv-jax" / "bin" / "python")}
    pythons |= dict(pair.split("=", 1) for pair in options.python)
    programs = [(p, m) for p, m in every if (p or m) in options.only]
    if programs:
        print(table(pythons, options.sizes, programs))
    if "loops" in options.only:
        print(growing_loops.table(pythons, options.steps))


if __name__ == "__main__":
    print(json.dumps(work(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))))
