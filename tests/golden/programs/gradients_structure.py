"""`tf.gradients`: what goes in, what comes back, and what is summed."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from tests.golden.programs.kit import gradients, ours, raised, raises, run_all

FACE = "v1"


def signature(tf: Any) -> dict[str, Any]:
    parameters = inspect.signature(tf.gradients).parameters
    a = tf.placeholder(tf.float32, [])
    return {
        "names": list(parameters),
        "defaults": [str(p.default) for n, p in parameters.items() if n not in ("ys", "xs", "unconnected_gradients")],
        "all positional": lambda: len(tf.gradients(a * a, a, None, "g", False, False, None, None, tf.UnconnectedGradients.NONE)),
        "unconnected enum none": tf.UnconnectedGradients.NONE.value,
        "unconnected enum zero": tf.UnconnectedGradients.ZERO.value,
    }


def kinds_of_arguments(tf: Any) -> dict[str, Any]:
    a = tf.constant(2.0)
    b = tf.constant(3.0)
    y = a * b
    return {
        "result is a list for one x": type(tf.gradients(y, a)).__name__,
        "one x": gradients(tf, y, a),
        "list of one": gradients(tf, [y], [a]),
        "two xs": gradients(tf, y, [a, b]),
        "tuple of xs": gradients(tf, y, (a, b)),
        "type for a tuple": type(tf.gradients(y, (a, b))).__name__,
        "empty xs": tf.gradients(y, []),
        "empty ys": tf.gradients([], [a, b]),
        "tuple of ys": gradients(tf, (y, a), [a, b]),
        "number of results": len(tf.gradients([y, y], [a, b, a])),
        "x unrelated": gradients(tf, y, [a, tf.constant(1.0)]),
        "x is an array": gradients(tf, y, np.float32(2.0)),
        "x is a number": gradients(tf, y, 2.0),
        "y is a number": gradients(tf, 2.0, a),
        "y is an array": gradients(tf, np.ones(3, np.float32), a),
    }


def sums(tf: Any) -> dict[str, Any]:
    x = tf.placeholder(tf.float32, [3])
    m = tf.placeholder(tf.float32, [2, 3])
    feed = {x: [1.0, 2.0, 3.0], m: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]}
    return {
        "vector y is summed": gradients(tf, x * x, x, feed),
        "matrix y is summed": gradients(tf, m * m, m, feed),
        "broadcast is summed": gradients(tf, m * x, x, feed),
        "two ys are summed": gradients(tf, [x * x, 3.0 * x], x, feed),
        "duplicate ys": gradients(tf, [x * x, tf.identity(x), x * x], x, feed),
        "same y twice": (lambda y: lambda: gradients(tf, [y, y], x, feed))(x * x),
        "y of several shapes": gradients(tf, [x * x, m * x, tf.reduce_sum(x)], x, feed),
    }


def chains(tf: Any) -> dict[str, Any]:
    x = tf.constant(2.0)
    y = x * x
    z = y * x
    a = tf.constant(1.0)
    b = 2 * a
    return {
        "x and what depends on it": gradients(tf, z, [x, y]),
        "ys that depend on each other": gradients(tf, [y, 3.0 * x], [x, y]),
        "dependent sum": gradients(tf, a + b, [a, b]),
        "partial by stop_gradients": gradients(tf, a + b, [a, b], stop_gradients=[a, b]),
        "y is x": gradients(tf, x, x),
        "y is x among others": gradients(tf, [x, y], x),
        "y among xs": gradients(tf, y, [y, x]),
        "duplicate xs": gradients(tf, y, [x, x]),
        "duplicate xs are one tensor": (lambda g: g[0] is g[1])(tf.gradients(y, [x, x])),
        "second order": gradients(tf, tf.gradients(z, x)[0], x),
        "third order": gradients(tf, tf.gradients(tf.gradients(x**4, x)[0], x)[0], x),
        "x in the middle": gradients(tf, tf.sin(y), y),
        "diamond": gradients(tf, y * y + y, x),
        "deep chain": lambda: gradients(tf, _chain(tf, x, 300), x),
    }


def _chain(tf: Any, x: Any, n: int) -> Any:
    for _ in range(n):
        x = x * 1.01
    return x


def shapes_and_dtypes(tf: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        x = tf.constant([1.5, 2.5], dtype)
        g = tf.gradients(x * x, x)[0]
        found[f"dtype {dtype}"] = g.dtype
        found[f"value {dtype}"] = run_all(tf, [g])
    p = tf.placeholder(tf.float32, [None, 3])
    q = tf.placeholder(tf.float32, None)
    found["unknown dimension"] = str(tf.gradients(p * p, p)[0].shape)
    found["unknown rank"] = str(tf.gradients(tf.sin(q), q)[0].shape)
    found["empty"] = (lambda e: lambda: gradients(tf, tf.sin(e), e))(tf.zeros([0, 2]))
    found["unknown rank run"] = lambda: gradients(tf, tf.sin(q), q, {q: [[0.0]]})
    found["unknown dimension run"] = lambda: gradients(tf, p * p, p, {p: [[1.0, 2.0, 3.0]]})
    found["scalar"] = str(tf.gradients(tf.reduce_sum(p), p)[0].shape)
    return found


def variables(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0])
    w = tf.get_variable("w", initializer=tf.constant(3.0))
    y = v * w
    return {
        "variables as xs": gradients(tf, y, [v, w]),
        "variable as y": gradients(tf, v, v),
        "variable as both": gradients(tf, [v, y], [v, w]),
        "shape": str(tf.gradients(y, v)[0].shape),
        "dtype": tf.gradients(y, v)[0].dtype,
        "read value as x": (lambda r: lambda: gradients(tf, r * w, r))(tf.identity(v)),
        "untrainable": (lambda u: lambda: gradients(tf, u * 2.0, u))(tf.Variable(1.0, trainable=False)),
    }


def refusals(tf: Any) -> dict[str, Any]:
    a = tf.constant(2.0)
    y = a * a
    with tf.Graph().as_default():
        other = tf.constant(1.0)
    final = tf.Graph()
    with final.as_default():
        fa = tf.constant(1.0)
        fy = fa * fa
    final.finalize()

    def finalized() -> Any:
        with final.as_default():
            return tf.gradients(fy, fa)

    return {
        "x of another graph": raises(lambda: tf.gradients(y, other), "graph"),
        "finalized graph": raises(finalized, "finalized"),
        "bad unconnected": raises(lambda: tf.gradients(y, a, unconnected_gradients="foo"), "foo"),
        "bad aggregation": raises(lambda: tf.gradients([y, y + a], a, aggregation_method=7), "7"),
        "bad aggregation, x is y": raises(lambda: tf.gradients(a, a, aggregation_method=7), "7"),
        "bad scope name": raises(lambda: tf.gradients(y, a, name="my grads!"), "my grads!"),
        "grad_ys too many": raises(lambda: tf.gradients(y, a, grad_ys=[1.0, 2.0]), "2", "1"),
        "dict of xs": raises(lambda: tf.gradients(y, {"a": a})),
        "nested xs": raises(lambda: tf.gradients(y, [[a]])),
        "None in xs": ours(raised("TypeError", "ValueError", "AttributeError"), raises(lambda: tf.gradients(y, [None]))),
        "None as ys": ours(raised("TypeError", "ValueError", "AttributeError"), raises(lambda: tf.gradients(None, a))),
        "IndexedSlices as y": ours(
            [np.float32(4.0)], gradients(tf, tf.IndexedSlices(tf.reshape(y, [1]), tf.constant([0]), tf.constant([2])), a)
        ),
        "IndexedSlices as x": ours(raised("TypeError", "ValueError", "AttributeError"), raises(lambda: tf.gradients(y, _slices(tf)))),
        "None in ys": ours(raised("TypeError", "ValueError", "AttributeError"), raises(lambda: tf.gradients([y, None], a))),
    }


def _slices(tf: Any) -> Any:
    return tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]), tf.constant([2]))


def the_other_graph(tf: Any) -> dict[str, Any]:
    g = tf.Graph()
    with g.as_default():
        a = tf.constant(3.0)
        y = a * a
    with g.as_default():
        inside = tf.gradients(y, a)
    with tf.Session(graph=g) as session:
        value = session.run(inside)
    return {"gradients in a graph that is not the default": value, "the result lives there": inside[0].graph is g}
