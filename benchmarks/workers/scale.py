"""One replica of the data-parallel steps of `python -m benchmarks scale`; replica 0 prints what they take, as JSON.

python -m pullback run --mpi 2 benchmarks/workers/scale.py
"""

import itertools
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

CALLS, ROUNDS, BATCH, MORE = 6, 5, 256, 8
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


#: The last ones with more examples, as sending does not grow with them; one takes two replicas 10 ms.
STEPS: dict[str, Callable[[], Any]] = {"mlp": mlp, "lstm": lstm, "gmm": gmm}
STEPS |= {"mlp, 4 times the examples": partial(mlp, 4)}
STEPS |= {f"{make.__name__}, {MORE} times the examples": partial(make, MORE) for make in (mlp, gmm)}


def gradients_of(weights: list[tf.Variable], score: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(score(x))
        return tape.gradient(loss, weights)

    return step


def timed(call: Callable[[], object]) -> float:
    """Seconds of a call: the median of rounds of calls that all replicas begin together, and of which none waits but for its sums."""
    for _ in range(8):
        call()
    times = []
    for _ in range(ROUNDS):
        hvd.all_reduce(0.0)
        start = time.perf_counter()
        for _ in range(CALLS):
            call()
        times.append((time.perf_counter() - start) / CALLS)
    return statistics.median(times)


def link_of(replicas: int) -> dict[str, float]:
    """What a message takes, from sums of few and of many bytes that are in no cache, by the formulas of plans."""
    many, turn = [tf.zeros([1 << 18]) for _ in range(4)], itertools.count()
    quick, long = timed(partial(hvd.all_reduce, 0.0)), timed(lambda: hvd.all_reduce(many[next(turn) % len(many)]))
    others = replicas - 1
    latency, size = quick / (2 * others), 1 << 20
    if replicas == 2:
        return {"latency": latency, "bandwidth": size / max(long - quick, 1e-9)}
    return {"latency": latency, "bandwidth": 2 * others * size / replicas / max(long - 3 * others * latency, 1e-9)}


def measure(make: Callable[[], Any], links: dict[str, dict[str, float]] | None) -> dict[str, Any]:
    """Seconds of a step here; with links also what is planned from one replica for the numbers of replicas that have them."""
    weights, score, whole = make()
    step = gradients_of(weights, score)
    examples = tf.constant(whole, tf.float32)
    first, last = (len(whole) * (hvd.rank() + k) // hvd.size() for k in (0, 1))
    part = examples[first:last]
    strategy = tf.distribute.get_strategy()
    summed = tf.function(lambda x: strategy.reduce("SUM", step(x), axis=None), jit_compile=True)
    compiled = tf.function(step, jit_compile=True)
    # in turns, as what else the machine does comes and goes
    both = [(timed(lambda: summed(part)), timed(lambda: compiled(part))) for _ in range(2)]
    found: dict[str, Any] = dict(zip(("step", "alone"), map(statistics.median, zip(*both, strict=True)), strict=True))
    if links:
        cores, plans = os.cpu_count(), []
        for n, link in links.items():
            bandwidth, latency = link["bandwidth"], link["latency"]
            plans.append(strategy.plan(compiled, examples, [1, int(n)], bandwidth, latency, processors=cores))
        found["planned"] = [1.0, *(plan.costs[0].step / plan.costs[1].step for plan in plans)]
    return found


if __name__ == "__main__":
    given = json.loads(sys.argv[1]) if sys.argv[1:] else None
    with tf.distribute.MirroredStrategy().scope():
        found: dict[str, Any] = {}
        if hvd.size() > 1:
            found["link"] = link_of(hvd.size())
        for name, make in STEPS.items():
            found[name] = measure(make, given)
    if hvd.rank() == 0:
        print(json.dumps(found), flush=True)
