"""Gradients of loops that read, gather, slice and change rows: their values, and which of them are slices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Answers = dict[str, Any]
FACE = "v2"

ROWS = np.linspace(-1.0, 1.0, 20).reshape(5, 4)
WEIGHTS = np.cos(np.arange(16.0)).reshape(4, 4) * 0.5


def _losses(tf: Any) -> dict[str, Callable[[Any, Any], Any]]:
    """Functions of the rows and the weights, by the way in which a step comes by a row."""

    def cell(h: Any, w: Any, x: Any) -> Any:
        return tf.tanh(tf.matmul(h, w) + x[None])

    def looped(read: Callable[[Any, Any], Any], turns: int = 5) -> Callable[[Any, Any], Any]:
        def loss(xs: Any, w: Any) -> Any:
            first = (tf.constant(0), tf.ones((1, 4), tf.float64))
            return tf.while_loop(lambda i, h: i < turns, lambda i, h: (i + 1, cell(h, w, read(xs, i))), first)[1]

        return loss

    def unrolled(xs: Any, w: Any) -> Any:
        h = tf.ones((1, 4), tf.float64)
        for i in range(5):
            h = cell(h, w, xs[i] + tf.gather(xs, (i * 2) % 5))
        return h

    def carried(xs: Any, w: Any) -> Any:
        def step(i: Any, y: Any) -> Any:
            y = tf.tensor_scatter_nd_update(y, [[i]], cell(y[i - 1][None], w, xs[i]))
            y = tf.tensor_scatter_nd_add(y, [[i - 1, 0], [i, 1]], y[i][:2])
            y = tf.tensor_scatter_nd_max(y, [[i]], tf.fill((1, 4), tf.constant(0.1, tf.float64)))
            return i + 1, tf.tensor_scatter_nd_sub(y, [[0]], y[i][None] * 0.5)

        return tf.while_loop(lambda i, y: i < 5, step, (tf.constant(1), xs * 2.0))[1]

    def late_read(xs: Any, w: Any) -> Any:
        def step(i: Any, y: Any, total: Any) -> Any:
            changed = tf.tensor_scatter_nd_update(y, [[i]], cell(y[i][None], w, xs[i]))
            return i + 1, changed, total + y[i] * changed[0]

        return tf.while_loop(lambda i, y, t: i < 5, step, (tf.constant(0), xs * 1.5, tf.zeros(4, tf.float64)))[2]

    def branched(xs: Any, w: Any) -> Any:
        def step(i: Any, h: Any) -> Any:
            return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: cell(h, w, xs[i]), lambda: h * tf.gather(xs, i)[0])

        return tf.while_loop(lambda i, h: i < 5, step, (tf.constant(0), tf.ones((1, 4), tf.float64)))[1]

    def nested(xs: Any, w: Any) -> Any:
        def outer(i: Any, h: Any) -> Any:
            inner = tf.while_loop(lambda j, h: j < 3, lambda j, h: (j + 1, cell(h, w, xs[(i + j) % 5])), (tf.constant(0), h))
            return i + 1, inner[1]

        return tf.while_loop(lambda i, h: i < 3, outer, (tf.constant(0), tf.ones((1, 4), tf.float64)))[1]

    def in_function(xs: Any, w: Any) -> Any:
        step = tf.function(lambda h, w, xs, i: cell(h, w, xs[i]), autograph=False)
        return tf.while_loop(
            lambda i, h: i < 5, lambda i, h: (i + 1, step(h, w, xs, i)), (tf.constant(0), tf.ones((1, 4), tf.float64))
        )[1]  # fmt: skip

    def array(xs: Any, w: Any) -> Any:
        rows = tf.TensorArray(tf.float64, 5, clear_after_read=False).unstack(xs)
        return looped(lambda xs, i: rows.read(i) + rows.read(4 - i))(xs, w)

    return {
        "xs[i]": looped(lambda xs, i: xs[i]),
        "xs[i] with turns that read one row again": looped(lambda xs, i: xs[i % 2], 7),
        "xs[:, i]": looped(lambda xs, i: xs[:4, i % 4]),
        "xs[i:i + 2]": looped(lambda xs, i: tf.reduce_sum(xs[i : i + 2], 0)),
        "xs[::2]": looped(lambda xs, i: tf.reduce_sum(xs[i % 2 :: 2], 0)),
        "xs[-1 - i]": looped(lambda xs, i: xs[-1 - i]),
        "slice": looped(lambda xs, i: tf.slice(xs, [i, 0], [1, 4])[0]),
        "gather": looped(tf.gather),
        "gather of several": looped(lambda xs, i: tf.reduce_sum(tf.gather(xs, [i, 0, i]), 0)),
        "gather along axis 1": looped(lambda xs, i: tf.gather(xs, i % 4, axis=1)[:4]),
        "gather_nd": looped(lambda xs, i: tf.gather_nd(xs, [[i]])[0]),
        "gather_nd of elements": looped(lambda xs, i: tf.gather_nd(xs, [[i, 0], [0, 1], [i, 0], [4, 3]])),
        "row and whole": looped(lambda xs, i: xs[i] + tf.reduce_sum(xs * xs, 0)),
        "row and gather": looped(lambda xs, i: xs[i] * tf.gather(xs, 4 - i)),
        "TensorArray": array,
        "unrolled": unrolled,
        "a carried tensor": carried,
        "read after it was changed": late_read,
        "branches": branched,
        "nested": nested,
        "a function": in_function,
        "map_fn": lambda xs, w: tf.map_fn(lambda x: tf.tanh(tf.linalg.matvec(w, x)), xs),
        "map_fn of numbers": lambda xs, w: tf.map_fn(lambda i: tf.linalg.matvec(w, xs[i]), tf.range(5), fn_output_signature=tf.float64),
        "scan": lambda xs, w: tf.scan(lambda h, x: cell(h, w, x), xs, initializer=tf.ones((1, 4), tf.float64)),
    }


def gradient(tf: Any, loss: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def call(xs: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch((xs, w))
            made = loss(xs, w)
            total = tf.reduce_sum(made * made * 0.5 + made)
        return tape.gradient(total, (xs, w))

    return call


def second(tf: Any, loss: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    first = gradient(tf, loss)

    def call(xs: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch((xs, w))
            total = tf.add_n([tf.reduce_sum(tf.convert_to_tensor(g) ** 3) for g in first(xs, w)])
        return [tf.convert_to_tensor(g) for g in tape.gradient(total, (xs, w))]

    return call


def shown(tf: Any, gradients: Any) -> list[Any]:
    """Each gradient as what it is, and as a tensor."""
    return [(type(g).__name__ == "IndexedSlices", tf.convert_to_tensor(g)) for g in gradients]


def eagerly(tf: Any) -> Answers:
    given = tf.constant(ROWS), tf.constant(WEIGHTS)
    found: Answers = {}
    for name, loss in _losses(tf).items():
        found[name] = lambda loss=loss: shown(tf, gradient(tf, loss)(*given))
        found[f"{name}, twice"] = lambda loss=loss: second(tf, loss)(*given)
    return found


def in_functions(tf: Any) -> Answers:
    given = tf.constant(ROWS), tf.constant(WEIGHTS)
    found: Answers = {}
    for name, loss in _losses(tf).items():
        found[name] = lambda loss=loss: [tf.convert_to_tensor(g) for g in tf.function(gradient(tf, loss), autograph=False)(*given)]
        if name != "branches":  # which TensorFlow differentiates once
            found[f"{name}, twice"] = lambda loss=loss: tf.function(second(tf, loss), autograph=False)(*given)
    return found


def of_variables(tf: Any) -> Answers:
    def asked(loss: Callable[[Any, Any], Any]) -> Any:
        xs, w = tf.Variable(ROWS), tf.Variable(WEIGHTS)
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(loss(xs, w))
        return shown(tf, tape.gradient(total, (xs, w)))

    every = _losses(tf)
    return {name: lambda name=name: asked(every[name]) for name in ("xs[i]", "gather", "row and whole", "row and gather", "unrolled", "branches")}
