"""Pullback: the very programs that TensorFlow runs, and what a taped step leaves behind."""

import gc
import tracemalloc
from typing import Any

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


if __name__ == "__main__":
    serve(leak=leak, **tasks(tf, tf.compat.v1))
