"""Programs in TensorFlow's names, run on TensorFlow and on Pullback alike."""

import statistics
import time
from functools import partial
from typing import Any

import numpy as np
from protocol import BATCH, BIG, Task, W, X, numbers, peak_bytes, timed
from tf_loops import loop


def tasks(tf: Any, v1: Any) -> dict[str, Task]:
    """The tasks of a worker whose TensorFlow 2 is `tf` and TensorFlow 1 is `v1`."""
    of_2: dict[str, Task] = {"eager": eager, "memory": memory, "loop": loop, "recompute": recompute, "across": across, "step": step}
    of_1: dict[str, Task] = {"build": build, "session": session}
    return {**{name: partial(task, tf) for name, task in of_2.items()}, **{name: partial(task, v1) for name, task in of_1.items()}}


def eager(tf: Any, seconds: float) -> dict[str, Any]:
    x = tf.constant(X)

    def step() -> tuple[Any, Any]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(50):
                y = tf.sin(y) * x + y - x
        return y, tape.gradient(y, x)

    y, g = step()
    return {"seconds": timed(step, seconds), "values": numbers(y.numpy().tolist(), g.numpy().tolist())}


def build(v1: Any, length: int, evaluate: bool) -> dict[str, Any]:
    with v1.Graph().as_default():
        start = time.perf_counter()
        x = v1.placeholder(v1.float32, [16])
        y = x
        for _ in range(length // 4):
            y = v1.sin(y) * x + y - x
        (g,) = v1.gradients(y, x)
        seconds = time.perf_counter() - start
        if not evaluate:
            return {"seconds": seconds}
        with v1.Session() as running:
            values = running.run([y, g], {x: X})
    return {"seconds": seconds, "values": numbers(*(value.tolist() for value in values))}


def session(v1: Any, seconds: float) -> dict[str, Any]:
    with v1.Graph().as_default():
        x = v1.placeholder(v1.float32, [None, 16])
        w = v1.Variable(W, dtype=v1.float32)
        b = v1.Variable([0.0] * 16, dtype=v1.float32)
        loss = v1.reduce_mean(v1.square(v1.tanh(v1.matmul(x, w) + b)))
        fetches = [loss, *v1.gradients(loss, [w, b])]
        with v1.Session() as running:
            running.run(v1.global_variables_initializer())
            values = running.run(fetches, {x: BATCH})
            took = timed(lambda: running.run(fetches, {x: BATCH}), seconds)
    return {"seconds": took, "values": numbers(*(value.tolist() for value in values))}


def step(tf: Any, seconds: float) -> dict[str, Any]:
    """A step of training as one compiled function: two dense layers, the gradients, the new weights."""

    def train(x: Any, w: Any, v: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([w, v])
            loss = tf.reduce_mean(tf.square(tf.matmul(tf.tanh(tf.matmul(x, w)), v)))
        of_w, of_v = tape.gradient(loss, [w, v])
        return loss, w - 0.1 * of_w, v - 0.1 * of_v

    x, w, compiled = tf.constant(BATCH), tf.constant(W), tf.function(train, jit_compile=True)
    values = compiled(x, w, w)
    return {"seconds": timed(lambda: compiled(x, w, w), seconds), "values": numbers(*(value.numpy().tolist() for value in values))}


def memory(tf: Any, additions: int) -> dict[str, Any]:
    x = tf.constant(np.ones(BIG, np.float32))
    before = peak_bytes()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(additions):
            y = y + x
    g = tape.gradient(y, x)
    return {"bytes": peak_bytes() - before, "values": [float(g[0])]}


def recompute(tf: Any, layers: int, again: bool) -> dict[str, Any]:
    """Peak memory of a gradient through layers of fourteen operations on 8 MB, each under recompute_grad or not."""
    x = tf.constant(np.full(BIG, 0.5, np.float32))

    def layer(h: Any) -> Any:
        for _ in range(2):
            h = tf.sin(h) * tf.exp(-h * h) + tf.tanh(h) * 0.5
        return h

    before = peak_bytes()
    with tf.GradientTape() as tape:
        tape.watch(x)
        h = x
        for _ in range(layers):
            h = (tf.recompute_grad(layer) if again else layer)(h)
    g = tape.gradient(h, x)
    return {"bytes": peak_bytes() - before, "values": [float(g[0])]}


def across(tf: Any, seconds: float) -> dict[str, Any]:
    """A step of ten dense layers of 128: how long a tape over a function takes, in times of a function that holds the tape as well."""
    draw = np.random.default_rng(0)
    w, x = (tf.constant(draw.normal(0.0, 0.1, [rows, 128]).astype(np.float32)) for rows in (128, 32))

    def layers(x: Any) -> Any:
        for _ in range(10):
            x = tf.tanh(tf.matmul(x, w))
        return tf.reduce_sum(x)

    loss = tf.function(layers, autograph=False)

    def taped(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = loss(x)
        return tape.gradient(y, x)

    inside = tf.function(taped, autograph=False)
    shares = [timed(lambda: taped(x), seconds / 10) / timed(lambda: inside(x), seconds / 10) for _ in range(5)]
    return {"seconds": statistics.median(shares), "values": numbers(taped(x).numpy()[0, :16].tolist(), inside(x).numpy()[0, :16].tolist())}
