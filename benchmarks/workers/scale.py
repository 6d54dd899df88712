"""One replica of the data-parallel steps of `python -m benchmarks scale`; replica 0 prints what they take, as JSON.

python -m pullback run --mpi 2 benchmarks/workers/scale.py
"""

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import pullback as tf
import pullback.distribute as hvd

CALLS, BATCH, MORE = 30, 256, 8
draw = np.random.default_rng(0)


def made(*shape: int) -> tf.Variable:
    return tf.Variable(draw.normal(scale=0.1, size=shape).astype(np.float32))


def mlp(times: int = 1) -> tuple[list[tf.Variable], Callable[[Any], Any], Any]:
    """784, 512, 512, 10."""
    a, b, c = weights = [made(784, 512), made(512, 512), made(512, 10)]
    return weights, lambda x: tf.nn.log_softmax(tf.nn.relu(tf.nn.relu(x @ a) @ b) @ c)[:, 0], draw.normal(size=(times * BATCH, 784))


def lstm() -> tuple[list[tf.Variable], Callable[[Any], Any], Any]:
    """32 steps, 64 units, in a loop."""
    kernel, bias = weights = [made(128, 256), made(256)]

    def score(x: Any) -> Any:
        c = h = tf.zeros_like(x[:, 0])

        def turn(k: Any, c: Any, h: Any) -> Any:
            i, j, f, o = tf.split(tf.concat([x[:, k], h], 1) @ kernel + bias, 4, 1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(j)
            return k + 1, c, tf.sigmoid(o) * tf.tanh(c)

        return tf.reduce_sum(tf.while_loop(lambda k, *_: k < 32, turn, (0, c, h))[2], 1)

    return weights, score, draw.normal(size=(BATCH, 32, 64))


def gmm(times: int = 1) -> tuple[list[tf.Variable], Callable[[Any], Any], Any]:
    """64 components in 16 dimensions, diagonal."""
    means, scales, parts = weights = [made(64, 16), made(64, 16), made(64)]

    def score(x: Any) -> Any:
        z = (x[:, None] - means) * tf.exp(scales)
        return -tf.reduce_logsumexp(tf.nn.log_softmax(parts) + tf.reduce_sum(scales - z * z / 2, 2), 1)

    return weights, score, draw.normal(size=(times * 20 * BATCH, 16))


#: The last two with more examples, as sending does not grow with them.
STEPS: dict[str, Callable[[], Any]] = {"mlp": mlp, "lstm": lstm, "gmm": gmm}
STEPS |= {f"{make.__name__}, {MORE} times the examples": partial(make, MORE) for make in (mlp, gmm)}


def gradients_of(weights: list[tf.Variable], score: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(score(x))
        return tape.gradient(loss, weights)

    return step


def timed(call: Callable[[], object]) -> float:
    """The median of calls that all replicas begin together."""
    for _ in range(8):
        call()
    times = []
    for _ in range(CALLS):
        hvd.all_reduce(0.0)
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure(make: Callable[[], Any], link: dict[str, Any] | None) -> dict[str, Any]:
    """Seconds of a step here; with a link also what is planned from one replica for 1, 2 and 4."""
    weights, score, whole = make()
    step = gradients_of(weights, score)
    examples = tf.constant(whole, tf.float32)
    first, last = (len(whole) * (hvd.rank() + k) // hvd.size() for k in (0, 1))
    part = examples[first:last]
    strategy = tf.distribute.get_strategy()
    summed = tf.function(lambda x: strategy.reduce("SUM", step(x), axis=None), jit_compile=True)
    found: dict[str, Any] = {"step": timed(lambda: summed(part))}
    if link:
        compiled = tf.function(step, jit_compile=True)
        plan = strategy.plan(compiled, examples, replicas=[1, 2, 4], processors=os.cpu_count(), **link)
        found["planned"] = [cost.step for cost in plan.costs]
    return found


if __name__ == "__main__":
    given = json.loads(sys.argv[1]) if sys.argv[1:] else None
    with tf.distribute.MirroredStrategy().scope():
        found: dict[str, Any] = {}
        if hvd.size() > 1:
            quick, long = (timed(partial(hvd.all_reduce, tf.zeros([n]))) for n in (1, 1 << 18))
            found["link"] = {"latency": quick / 2, "bandwidth": (1 << 20) / max(long - quick, 1e-9)}
        for name, make in STEPS.items():
            found[name] = measure(make, given)
    if hvd.rank() == 0:
        print(json.dumps(found), flush=True)
