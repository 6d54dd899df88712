"""What asking costs: `python -m benchmarks why`, with `--before PYTHON` also what operations cost in another state of the library.

The other state is an environment that has it installed, as a wheel, by its Python; `--now PYTHON` is one that has this state, as a source
tree imports and compiles differently.  Those ratios are of the shortest of many rounds that take turns.  The others are of processor times
of pairs that follow one another, and the median of them.  The limits are those that were set for it:
a taped operation 1.05 of what it was before there was `why`; `why` 3 times the gradient and 10 ms for 1,000 operations; `trace_nans` 1.5
times an eager step and twice a compiled one.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
Call = Callable[[], object]


class Row(NamedTuple):
    """A ratio and its limit."""

    name: str
    ratio: float
    limit: float
    note: str

    def __str__(self) -> str:
        return f"{self.name:40} {self.ratio:6.2f}  limit {self.limit:5.2f}  {self.note}{'' if self.ratio <= self.limit else '  OVER'}"


def seconds(call: Call) -> float:
    """The processor time of one call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def paired(first: Call, second: Call, rounds: int) -> tuple[float, float, float]:
    """The median ratio of two calls' times, and the shortest time of each."""
    first(), second()
    pairs = [(seconds(first), seconds(second)) for _ in range(rounds)]
    return statistics.median(a / b for a, b in pairs), min(a for a, _ in pairs), min(b for _, b in pairs)


# ---- operations under a tape, here and in another checkout


def operations() -> dict[str, Callable[[int], None]]:
    """What runs a number of operations, by name."""
    import pullback as tf

    x, y = tf.ones([4, 4]), tf.ones([4, 4]) * 2.0

    def taped(call: Call, is_watched: bool = True) -> Callable[[int], None]:
        def run(count: int) -> None:
            with tf.GradientTape() as tape:
                if is_watched:
                    tape.watch(x)
                for _ in range(count):
                    call()

        return run

    def unwatched(count: int) -> None:
        with tf.GradientTape():
            for _ in range(count):
                x * y

    step = tf.function(lambda x: tf.reduce_sum(tf.tanh(x @ x)))

    def compiled(count: int) -> None:
        for _ in range(count):
            step(x)

    def eager(count: int) -> None:
        for _ in range(count):
            x * y

    return {
        "no tape, a * b": eager,
        "unwatched a * b": unwatched,
        "unwatched a * b, each in a call": taped(lambda: x * y, False),
        "taped a * b": taped(lambda: x * y),
        "taped matmul": taped(lambda: tf.matmul(x, y)),
        "taped tanh": taped(lambda: tf.tanh(x)),
        "taped reduce_sum": taped(lambda: tf.reduce_sum(x)),
        "a compiled function": compiled,
    }


def serve() -> None:
    """Answer each line, a name and a number of operations, with the seconds that they took."""
    known = operations()
    for line in sys.stdin:
        name, _, count = line.strip().rpartition(" ")
        gc.collect()
        gc.disable()
        print(seconds(partial(known[name], int(count))), flush=True)
        gc.enable()


def against(before: Path, now: Path, rounds: int) -> Iterable[Row]:
    """What operations cost with one Python's library, to what they cost with another's."""
    outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")}
    pipe = subprocess.PIPE
    workers = [
        subprocess.Popen([python, __file__, "serve"], stdin=pipe, stdout=pipe, text=True, env=outside, cwd=ROOT.parent)
        for python in (now, before)
    ]

    def ask(worker: subprocess.Popen[str], name: str) -> float:
        assert worker.stdin is not None and worker.stdout is not None
        print(name, 3000, file=worker.stdin, flush=True)
        return float(worker.stdout.readline())

    for name in operations():
        for worker in workers:
            ask(worker, name)
        times = [[ask(worker, name) for worker in workers] for _ in range(rounds)]
        shortest, old = (min(column) / 3000 for column in zip(*times, strict=True))
        yield Row(name, shortest / old, 1.05, f"{shortest * 1e6:.2f} us, before {old * 1e6:.2f} us")
    for worker in workers:
        worker.terminate()


# ---- why


def questions(count: int, rounds: int) -> Iterable[Row]:
    """What `why` takes, to three times the gradient and 10 ms for 1,000 operations."""
    import pullback as tf
    import pullback.compat.v1 as tf1

    def chain(v: Any) -> Any:
        for _ in range(count // 2):
            v = tf.sin(v) * 1.01
        return v

    def wide(v: Any) -> Any:
        return tf.add_n([tf.reduce_sum(tf.sin(v)) for _ in range(count // 3)])

    def used(v: Any) -> Any:
        total = v
        for _ in range(count // 3):
            total = total + v * 1.5
        return tf.reduce_sum(total)

    functions: dict[str, Callable[[Any], Any]] = {
        "numbers": lambda v: tf.reduce_sum(chain(v)),
        "many ways": wide,
        "many uses": used,
        "zeros at once": lambda v: tf.reduce_sum(chain(v)) * 0.0,
        "zeros at last": lambda v: tf.reduce_sum(chain(v * 0.0)),
        "None": lambda v: tf.reduce_sum(tf.floor(chain(v))),
    }
    for name, function in functions.items():
        v = tf.Variable(tf.ones([8]))
        with tf.GradientTape(persistent=True) as tape:
            y = function(v)
        yield from _asked(f"tape, {name}", partial(tf.why, y, v, tape), partial(tape.gradient, y, v), count, rounds)
        with tf1.Graph().as_default(), tf1.Session() as session:
            w = tf1.get_variable("w", [8])
            z = function(w)
            session.run(tf1.global_variables_initializer())
            gradient = tf1.gradients(z, w)[0]
            differentiate: Call = partial(tf1.gradients, z, w) if gradient is None else partial(session.run, gradient)
            for _ in range(5):
                differentiate()
            yield from _asked(f"graph, {name}", partial(tf.why, z, w), differentiate, count, rounds)
        x, step = tf.ones([8]), tf.function(function)
        for _ in range(5):
            tf.value_and_gradient(step, x)
        yield from _asked(f"function, {name}", partial(tf.why, step, x), partial(tf.value_and_gradient, step, x), count, rounds)


def _asked(name: str, ask: Call, differentiate: Call, count: int, rounds: int) -> Iterable[Row]:
    for kind, call in (("why", ask), ("why printed", lambda: str(ask()))):
        _, asked, gradient = paired(call, differentiate, rounds)
        allowed = 3 * gradient + 0.01 * count / 1000
        yield Row(f"{kind}, {name}", asked / allowed, 1.0, f"{asked * 1e3:.1f} ms, the gradient {gradient * 1e3:.1f} ms")


# ---- trace_nans


def steps() -> dict[str, Call]:
    """Training steps by name."""
    import pullback as tf

    x = tf.random.stateless_normal([32, 64], [1, 2])
    weights = [tf.Variable(tf.random.stateless_normal([64, 64], [i, 3]) * 0.1) for i in range(3)]
    cell = [tf.Variable(tf.random.stateless_normal([128, 256], [9, 9]) * 0.1), tf.Variable(tf.zeros([256]))]
    scale = tf.Variable(0.9)

    def trained(loss: Callable[[], Any], variables: Sequence[Any]) -> Call:
        def step() -> object:
            with tf.GradientTape() as tape:
                y = loss()
            for v, g in zip(variables, tape.gradient(y, variables), strict=True):
                v.assign_sub(1e-4 * g)
            return y

        return step

    def mlp() -> Any:
        h = x
        for w in weights:
            h = tf.nn.relu(h @ w)
        return tf.reduce_mean(tf.square(h))

    def lstm() -> Any:
        h = c = tf.zeros([32, 64])
        for _ in range(8):
            i, f, g, o = tf.split(tf.concat([x, h], 1) @ cell[0] + cell[1], 4, 1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
        return tf.reduce_mean(tf.square(h))

    def loop() -> Any:
        return tf.reduce_sum(tf.while_loop(lambda i, h: i < 50, lambda i, h: (i + 1, tf.tanh(h * scale)), [tf.constant(0), x])[1])

    found = {"an MLP": (mlp, weights), "an LSTM": (lstm, cell), "a loop": (loop, [scale])}
    return {name: trained(loss, of) for name, (loss, of) in found.items()}


def run(step: Call, within: Callable[[], AbstractContextManager[object]]) -> None:
    """Ten steps in a context."""
    with within():
        for _ in range(10):
            step()


def traced(rounds: int) -> Iterable[Row]:
    """What a step takes while NaNs are traced, to what it takes without."""
    import pullback as tf

    for name, plain in steps().items():
        for kind, wrap, limit in (("eager", None, 1.5), ("compiled", tf.function, 2.0)):
            step = plain if wrap is None else wrap(plain)
            for _ in range(4):
                step()

            ratio, _, shortest = paired(partial(run, step, tf.trace_nans), partial(run, step, nullcontext), rounds)
            yield Row(f"trace_nans, {name}, {kind}", ratio, limit, f"{shortest * 1e2:.2f} ms a step without")


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks why", description="Measure what asking costs.")
    parser.add_argument("--before", type=Path, help="the Python of an environment with an older state, for what operations cost")
    parser.add_argument("--now", type=Path, default=Path(sys.executable), help="that of one with this state")
    parser.add_argument("--rounds", type=int, default=15, help="how many pairs (15)")
    options = parser.parse_args(argv)
    parts = [questions(3000, options.rounds), traced(options.rounds)]
    if options.before is not None:
        parts.insert(0, against(options.before, options.now, options.rounds))
    for part in parts:
        for row in part:
            print(row, flush=True)


if __name__ == "__main__":
    serve()
