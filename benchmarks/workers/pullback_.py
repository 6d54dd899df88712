"""Pullback: the very programs that TensorFlow runs, what a taped step leaves behind, and what a checkpointed loop holds."""

import gc
import time
import tracemalloc
from typing import Any

import numpy as np
from protocol import W, X, serve
from tf_programs import tasks

import pullback as tf


def leak(steps: int) -> dict[str, Any]:
    """Bytes that `steps` taped training steps leave allocated, and objects that only the garbage collector could free."""
    w, x = tf.Variable(W), tf.constant([X])

    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(tf.matmul(x, w)) ** 2.0)
        w.assign_sub(0.01 * tape.gradient(loss, w))

    for _ in range(200):
        step()
    tracemalloc.start()
    for _ in range(10):
        step()
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    gc.disable()
    for _ in range(steps):
        step()
    cyclic = gc.collect()
    gc.enable()
    return {"bytes": tracemalloc.get_traced_memory()[0] - before, "cyclic": cyclic}


def checkpoint(steps: int, size: int = 5_000) -> dict[str, Any]:
    """What the gradient of a while_loop that keeps about log2(n) states holds, in states, and how long it takes, in forward loops."""
    x = tf.constant(np.linspace(0.1, 1.0, size, dtype=np.float32))

    def last(x: Any) -> Any:
        first = [tf.constant(0), x]
        return tf.while_loop(lambda i, _: i < steps, lambda i, y: (i + 1, tf.sin(y) * 0.999 + 0.001 * x), first, checkpoint="log")[1]

    forward = tf.function(last)
    gradient = tf.function(lambda x: tf.gradients(last(x), x)[0])
    seconds = []
    for run in (forward, gradient):
        run(x)
        start = time.perf_counter()
        run(x)
        seconds.append(time.perf_counter() - start)
    gc.collect()
    tracemalloc.start()
    gradient(x)
    peak = tracemalloc.get_traced_memory()[1]
    return {"states": peak / (4 * size), "forwards": seconds[1] / seconds[0]}


if __name__ == "__main__":
    serve(leak=leak, checkpoint=checkpoint, **tasks(tf, tf.compat.v1))
