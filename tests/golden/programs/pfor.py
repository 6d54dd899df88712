"""`pfor` and `for_loop`, TensorFlow's internal functions that Jacobians are made with: options, reductions over iterations, errors."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raises

FACE = "v2"
X = np.float32([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def loops(lib: Any) -> Any:
    """The module that goes with `tf`."""
    home = "pullback.api.parallel_for" if lib.__name__.startswith("pullback") else "tensorflow.python.ops.parallel_for.control_flow_ops"
    return importlib.import_module(home)


def all_at_once(tf: Any) -> dict[str, Any]:
    pfor = loops(tf).pfor
    x = tf.constant(X)
    return {
        "gather": lambda: pfor(lambda i: tf.gather(x, i) * 2.0, 3),
        "an index": lambda: pfor(lambda i: x[i] ** 2, 3),
        "the number": lambda: pfor(lambda i: i * i, 4),
        "a tensor of iterations": lambda: pfor(lambda i: x[i], tf.constant(2)),
        "no iterations": ours(np.zeros([0, 2], np.float32), lambda: pfor(lambda i: x[i], 0)),
        "a nest": lambda: pfor(lambda i: {"a": x[i], "b": (i, [x[0] * 2.0])}, 3),
        "in parts": lambda: pfor(lambda i: x[i] * 2.0, 3, parallel_iterations=2),
        "in even parts": lambda: pfor(lambda i: tf.cast(i, tf.float32) * x, 4, parallel_iterations=2),
        "parts larger than all": lambda: pfor(lambda i: x[i] * 2.0, 3, parallel_iterations=7),
        "one at a time": raises(lambda: pfor(lambda i: x[i], 3, parallel_iterations=1), "for_loop"),
        "none at a time": raises(lambda: pfor(lambda i: x[i], 3, parallel_iterations=0), "parallel_iterations"),
    }


def reductions(tf: Any) -> dict[str, Any]:
    pfor = loops(tf).pfor
    x = tf.constant(X)

    def both(i: Any, pfor_config: Any) -> Any:
        return pfor_config.reduce(lambda y: tf.reduce_max(y, 0) - tf.reduce_min(y, 0), x[i]) * x[i]

    return {
        "sum": lambda: pfor(lambda i, pfor_config: pfor_config.reduce_sum(x[i]), 3),
        "mean": lambda: pfor(lambda i, pfor_config: x[i] - pfor_config.reduce_mean(x[i]), 3),
        "concat": lambda: pfor(lambda i, pfor_config: tf.reduce_sum(pfor_config.reduce_concat(x[i]), 1), 3),
        "of one's own": lambda: pfor(both, 3),
        "in parts": raises(lambda: pfor(lambda i, pfor_config: pfor_config.reduce_sum(x[i]), 3, parallel_iterations=2), "reductions"),
    }


def one_after_the_other(tf: Any) -> dict[str, Any]:
    for_loop = loops(tf).for_loop
    x = tf.constant(X)
    return {
        "two results": lambda: for_loop(lambda i: (tf.gather(x, i) * 2.0, i), (tf.float32, tf.int32), 3),
        "None": lambda: for_loop(lambda i: (None, i), (tf.float32, tf.int32), 3),
        "another number of results": raises(lambda: for_loop(lambda i: (x[i], i), (tf.float32,), 3), "Number of expected outputs 1"),
    }


def gradients(tf: Any) -> dict[str, Any]:
    pfor = loops(tf).pfor
    x = tf.constant(X)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.sin(x) * tf.reduce_sum(x)
    rows = pfor(lambda i: tape.gradient(y, x, tf.one_hot([i] * 3, 2)), 2)
    with tf.GradientTape() as outer:
        outer.watch(x)
        z = pfor(lambda i: x[i] * tf.cast(i, tf.float32) ** 2, 3)
    return {"rows of a Jacobian": rows, "outside": tf.convert_to_tensor(outer.gradient(z, x))}
