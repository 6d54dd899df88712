"""How a call grows with the steps of a loop: the programs that `python -m benchmarks growth --only loops` measures, and the worker for one.

Each is a recurrence over n rows, the everyday `h = tanh(h @ W + x)`, with its gradient in the weights and the rows, and differs from the
others in how a step comes by its row.  JAX's is the same recurrence as people write it there.  What is measured is the quickest call, in a
process of its own, and the exponent of its growth from n to 8 n steps: 1 is linear.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
WIDTH = 64
#: Seconds that one measure may take.
PATIENCE = 300
Loss = Callable[[Any, Any], Any]


def arrays(n: int) -> tuple[np.ndarray, np.ndarray]:
    """n rows, and the weights."""
    random = np.random.default_rng(0)
    rows, weights = (random.standard_normal(shape).astype(np.float32) for shape in ((n, WIDTH), (WIDTH, WIDTH)))
    return rows * np.float32(0.1), weights * np.float32(0.05)


def losses(tf: Any) -> dict[str, Loss]:
    """The sum of squares of what each loop gives, as functions of the rows and the weights, for Pullback and for TensorFlow."""

    def cell(h: Any, weights: Any, x: Any) -> Any:
        return tf.tanh(h @ weights + x[None])

    def start() -> Any:
        return tf.zeros((1, WIDTH))

    def reading(read: Callable[[Any, Any], Any]) -> Loss:
        def loop(xs: Any, weights: Any) -> Any:
            n = xs.shape[0]
            return tf.while_loop(
                lambda i, h: i < n, lambda i, h: (i + 1, cell(h, weights, read(xs, i))), (tf.constant(0), start())
            )[1]  # fmt: skip

        return loop

    def reads(xs: Any, weights: Any) -> Any:
        n = xs.shape[0]
        rows = tf.TensorArray(tf.float32, n).unstack(xs)
        step = lambda i, h: (i + 1, cell(h, weights, rows.read(i)))
        return tf.while_loop(lambda i, h: i < n, step, (tf.constant(0), start()))[1]

    def update(xs: Any, weights: Any) -> Any:
        n = xs.shape[0]

        def step(i: Any, h: Any, made: Any) -> Any:
            h = cell(h, weights, xs[i])
            return i + 1, h, tf.tensor_scatter_nd_update(made, [[i]], h)

        return tf.while_loop(lambda i, h, made: i < n, step, (tf.constant(0), start(), tf.zeros_like(xs)))[2]

    def carried(xs: Any, weights: Any) -> Any:
        n = xs.shape[0]
        step = lambda i, made: (i + 1, tf.tensor_scatter_nd_add(made, [[i]], cell(made[i - 1][None], weights, xs[i])))
        return tf.while_loop(lambda i, made: i < n, step, (tf.constant(1), tf.zeros_like(xs)))[1]

    def unrolled(xs: Any, weights: Any) -> Any:
        h = start()
        for i in range(xs.shape[0]):
            h = cell(h, weights, xs[i])
        return h

    def autograph(xs: Any, weights: Any) -> Any:
        h = tf.zeros((1, WIDTH))
        for i in tf.range(xs.shape[0]):
            h = tf.tanh(h @ weights + xs[i][None])
        return h

    def mapped(xs: Any, weights: Any) -> Any:
        return tf.map_fn(lambda i: tf.tanh(tf.linalg.matvec(weights, xs[i])), tf.range(xs.shape[0]), fn_output_signature=tf.float32)

    return {
        "while_loop with xs[i]": reading(lambda xs, i: xs[i]),
        "while_loop with gather": reading(lambda xs, i: tf.gather(xs, i)),
        "while_loop with slice": reading(lambda xs, i: tf.slice(xs, [i, 0], [1, WIDTH])[0]),
        "TensorArray.read": reads,
        "tensor_scatter_nd_update": update,
        "tensor_scatter_nd_add of a carried tensor": carried,
        "map_fn": lambda xs, weights: tf.map_fn(lambda x: tf.tanh(tf.linalg.matvec(weights, x)), xs),
        "map_fn with xs[i]": mapped,
        "scan": lambda xs, weights: tf.scan(lambda h, x: cell(h, weights, x), xs, initializer=start()),
        "AutoGraph": autograph,
        "eager tape": unrolled,
    }


def pullback_call(name: str, n: int) -> Callable[[], Any]:
    import pullback as tf

    loss = losses(tf)[name]

    def gradient(xs: Any, weights: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch((xs, weights))
            made = loss(xs, weights)
            total = tf.reduce_sum(made * made)
        return tape.gradient(total, (xs, weights))

    given = [tf.constant(a) for a in arrays(n)]
    if name == "eager tape":
        return lambda: gradient(*given)
    if name == "AutoGraph":
        loss = tf.autograph.to_graph(loss)
    function = tf.function(gradient, jit_compile=True, autograph=False)
    return lambda: function(*given)


def jax_call(name: str, n: int) -> Callable[[], Any]:
    import jax
    import jax.numpy as jnp
    from jax import lax

    def cell(h: Any, weights: Any, x: Any) -> Any:
        return jnp.tanh(h @ weights + x[None])

    first = jnp.zeros((1, WIDTH))

    def reading(xs: Any, weights: Any) -> Any:
        return lax.fori_loop(0, xs.shape[0], lambda i, h: cell(h, weights, xs[i]), first)

    def update(xs: Any, weights: Any) -> Any:
        def step(i: Any, state: Any) -> Any:
            h, made = state
            h = cell(h, weights, xs[i])
            return h, made.at[i].set(h[0])

        return lax.fori_loop(0, xs.shape[0], step, (first, jnp.zeros_like(xs)))[1]

    def carried(xs: Any, weights: Any) -> Any:
        step = lambda i, made: made.at[i].add(cell(made[i - 1][None], weights, xs[i])[0])
        return lax.fori_loop(1, xs.shape[0], step, jnp.zeros_like(xs))

    def scanned(xs: Any, weights: Any) -> Any:
        return lax.scan(lambda h, x: (cell(h, weights, x),) * 2, first, xs)[1]

    def unrolled(xs: Any, weights: Any) -> Any:
        h = first
        for i in range(xs.shape[0]):
            h = cell(h, weights, xs[i])
        return h

    loops = {
        "TensorArray.read": lambda xs, weights: lax.scan(lambda h, x: (cell(h, weights, x), None), first, xs)[0],
        "tensor_scatter_nd_update": update,
        "tensor_scatter_nd_add of a carried tensor": carried,
        "map_fn": lambda xs, weights: lax.map(lambda x: jnp.tanh(weights @ x), xs),
        "map_fn with xs[i]": lambda xs, weights: lax.map(lambda i: jnp.tanh(weights @ xs[i]), jnp.arange(xs.shape[0])),
        "scan": scanned,
        "eager tape": unrolled,
    }
    loss = loops.get(name, reading)
    gradient = jax.grad(lambda xs, weights: jnp.sum(jnp.square(loss(xs, weights))), argnums=(0, 1))
    given = [jnp.asarray(a) for a in arrays(n)]
    call = gradient if name == "eager tape" else jax.jit(gradient)
    return lambda: jax.block_until_ready(call(*given))


CALLS = {"pullback": pullback_call, "jax": jax_call}
NAMES = (
    "while_loop with xs[i]", "while_loop with gather", "while_loop with slice", "TensorArray.read", "tensor_scatter_nd_update",
    "tensor_scatter_nd_add of a carried tensor", "map_fn", "map_fn with xs[i]", "scan", "AutoGraph", "eager tape",
)  # fmt: skip
#: Seconds for the calls that are timed, of which the shortest counts.
_SPAN = 0.5


def work(library: str, name: str, n: int) -> float:
    """Seconds of the quickest call by the clock, after those that make it ready."""
    call = CALLS[library](name, n)
    for _ in range(1 if name == "eager tape" else 3):
        call()
    best, end = float("inf"), time.perf_counter() + _SPAN
    while best == float("inf") or time.perf_counter() < end:
        begun = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begun)
    return best


def measure(python: str, library: str, name: str, n: int) -> float | None:
    """What a fresh process measures; None where it takes too long."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    command = [python, "-m", "benchmarks.growing_loops", library, name, str(n)]
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, timeout=PATIENCE, cwd=ROOT)
    except subprocess.TimeoutExpired:
        return None
    return float(json.loads(done.stdout.splitlines()[-1]))


def table(pythons: dict[str, str], n: int) -> str:
    """A row for each loop and library: ms a call at n, 2 n, 4 n and 8 n steps, and the exponent."""
    sizes = [n * k for k in (1, 2, 4, 8)]
    lines = [f"| loop, ms a call | | {' | '.join(map(str, sizes))} | exponent |", "|---|---|--:|--:|--:|--:|--:|"]
    for name in NAMES:
        rows = {library: [measure(python, library, name, size) for size in sizes] for library, python in pythons.items()}
        for library, found in rows.items():
            first, last = found[0], found[-1]
            growth = f"{math.log(last / first) / math.log(8):.2f}" if first and last else ""
            shown = ["no answer" if seconds is None else f"{seconds * 1e3:.3g}" for seconds in found]
            lines.append(f"| {name} | {library} | {' | '.join(shown)} | {growth} |")
            print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


if __name__ == "__main__":
    print(json.dumps(work(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
