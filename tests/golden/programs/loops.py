"""Loops, branches in loops, map_fn, scan, folds and TensorArrays: values and gradients to third order, eagerly and in a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tests.golden.programs.kit import ours

FACE = "v2"
X = [0.5, 1.25, 1.5]
ORDERS = ("value", "gradient", "second order", "third order")


def _total(tf: Any, y: Any) -> Any:
    """One number of all floating parts of an answer, each element with a weight of its own."""
    parts = [t for t in tf.nest.flatten(y) if t is not None and t.dtype.is_floating]
    return tf.add_n([tf.reduce_sum(t * tf.reshape(1.0 + 0.25 * tf.cast(tf.range(tf.size(t)), t.dtype), tf.shape(t))) for t in parts])


def _eagerly(tf: Any, f: Callable[..., Any], order: int) -> Any:
    x = tf.constant(X)

    def at(k: int) -> Any:
        if k == 0:
            return f(tf, x)
        with tf.GradientTape() as t:
            t.watch(x)
            y = _total(tf, at(k - 1))
        return t.gradient(y, x)

    return at(order)


def _in_graph(tf: Any, f: Callable[..., Any], order: int) -> Any:
    with tf.Graph().as_default():
        x = tf.constant(X)
        y = f(tf, x)
        for _ in range(order):
            y = tf.gradients(_total(tf, y), x)[0]
        with tf.compat.v1.Session() as session:
            return session.run(y)


def _asked(how: Callable[..., Any], tf: Any, f: Callable[..., Any], order: int) -> Callable[[], Any]:
    return lambda: how(tf, f, order)


def _labels(tf: Any, programs: Mapping[str, Callable[..., Any]], without_graph: Sequence[str] = ()) -> dict[str, Any]:
    """Labels of all orders.  `without_graph`: TensorFlow's own gradient fails in a graph; its eager answer is expected there, too."""
    found: dict[str, Any] = {}
    for name, f in programs.items():
        for order, what in enumerate(ORDERS):
            eagerly, in_graph = _asked(_eagerly, tf, f, order), _asked(_in_graph, tf, f, order)
            found[f"{name}: {what}"] = eagerly
            found[f"{name}: {what}, graph"] = ours(eagerly(), in_graph) if name in without_graph and order else in_graph
    return found


def while_loops(tf: Any) -> dict[str, Any]:
    zero = 0

    def power(tf: Any, x: Any) -> Any:
        return tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s * x), (tf.constant(zero), x))[1]

    def product(tf: Any, x: Any) -> Any:
        m = tf.reshape(tf.concat([x, x * x, x + 1.0], 0), [3, 3]) * 0.3
        return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.linalg.matvec(m, s)), (tf.constant(zero), x))[1]

    def until(tf: Any, x: Any) -> Any:
        return tf.while_loop(lambda s: tf.reduce_sum(s) < 20.0, lambda s: (s * s + x,), (x,))[0]

    def bounded(tf: Any, x: Any) -> Any:
        return tf.while_loop(lambda s: True if s is None else tf.reduce_sum(s) < 1e9, lambda s: (s * x + s,), (x,), maximum_iterations=3)[0]

    def nested(tf: Any, x: Any) -> Any:
        def inner(s: Any) -> Any:
            return tf.while_loop(lambda j, t: j < 2, lambda j, t: (j + 1, t * s + x), (tf.constant(zero), x))[1]

        return tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, inner(s) * 0.5), (tf.constant(zero), x))[1]

    def structure(tf: Any, x: Any) -> Any:
        def body(i: Any, state: Any) -> Any:
            return i + 1, {"a": state["a"] * x, "b": (state["b"][0] + state["a"] * x[0],)}

        return tf.while_loop(lambda i, s: i < 3, body, (tf.constant(zero), {"a": x, "b": (x * x,)}))[1]

    def growing(tf: Any, x: Any) -> Any:
        return tf.while_loop(
            lambda i, s: i < 2, lambda i, s: (i + 1, tf.concat([s * s, x[:1] * s[0]], 0)), (tf.constant(zero), x),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
        )[1]  # fmt: skip

    def never(tf: Any, x: Any) -> Any:
        return tf.while_loop(lambda i, s: i < 0, lambda i, s: (i + 1, s * x), (tf.constant(zero), x * x * x))[1]

    def branch(tf: Any, x: Any) -> Any:
        def body(i: Any, s: Any) -> Any:
            return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: s * x, lambda: s * s + x)

        return tf.while_loop(lambda i, s: i < 3, body, (tf.constant(zero), x))[1]

    def switch(tf: Any, x: Any) -> Any:
        def body(i: Any, s: Any) -> Any:
            return i + 1, tf.switch_case(i, [lambda: s * x, lambda: tf.exp(s * 0.1), lambda: s * s * s])

        return tf.while_loop(lambda i, s: i < 4, body, (tf.constant(zero), x))[1]

    def in_branch(tf: Any, x: Any) -> Any:
        return tf.cond(x[0] > 0.0, lambda: power(tf, x), lambda: x)

    def cases(tf: Any, x: Any) -> Any:
        return tf.case([(x[0] > 1.0, lambda: x), (x[1] > 1.0, lambda: power(tf, x * x))], default=lambda: -x)

    return _labels(
        tf,
        {
            "power": power, "matrix": product, "until": until, "bounded": bounded, "nested": nested, "structure": structure,
            "growing": growing,
            "never": never, "branch": branch, "switch": switch, "loop in a branch": in_branch, "cases": cases,
        },
        without_graph=["growing"],
    )  # fmt: skip


def mapped(tf: Any) -> dict[str, Any]:
    def cubes(tf: Any, x: Any) -> Any:
        return tf.map_fn(lambda t: t * t * t, x)

    def pairs(tf: Any, x: Any) -> Any:
        return tf.map_fn(lambda p: p[0] * p[0] * p[1] + x[0], (x, x * x), fn_output_signature=tf.float32)

    def several(tf: Any, x: Any) -> Any:
        return tf.map_fn(lambda t: {"a": t * t, "b": (t * x, tf.constant(1))}, x, dtype={"a": tf.float32, "b": (tf.float32, tf.int32)})

    def rows(tf: Any, x: Any) -> Any:
        return tf.map_fn(lambda row: tf.reduce_sum(row * row * x) * row, tf.reshape(tf.concat([x, x * 2.0], 0), [2, 3]))

    def inside(tf: Any, x: Any) -> Any:
        return tf.map_fn(lambda t: tf.map_fn(lambda u: t * u * u, x), x)

    def indices(tf: Any, x: Any) -> Any:
        return tf.map_fn(lambda i: x[i] * x[2 - i] * x[0], tf.range(3), fn_output_signature=tf.TensorSpec([], tf.float32))

    def counted(tf: Any, x: Any) -> Any:
        def fn(n: Any) -> Any:
            return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s * x[0] + x[1]), (tf.constant(0), x[2]))[1]

        return tf.map_fn(fn, tf.constant([0, 3, 1]), fn_output_signature=tf.float32)

    return _labels(
        tf, {"cubes": cubes, "pairs": pairs, "several": several, "rows": rows, "nested": inside, "indices": indices, "loops": counted}
    )


def scanned(tf: Any) -> dict[str, Any]:
    def products(tf: Any, x: Any) -> Any:
        return tf.scan(lambda a, t: a * t * t, x)

    def started(tf: Any, x: Any) -> Any:
        return tf.scan(lambda a, t: a * t + x[0], x, initializer=x[0] * x[1])

    def backwards(tf: Any, x: Any) -> Any:
        return tf.scan(lambda a, t: a * t * t, x, reverse=True)

    def two(tf: Any, x: Any) -> Any:
        return tf.scan(lambda a, t: (a[1], a[0] * t + a[1]), x, initializer=(x[0], x[1]))

    def network(tf: Any, x: Any) -> Any:
        w = tf.reshape(tf.concat([x, x * x, x + 1.0], 0), [3, 3]) * 0.2
        return tf.scan(lambda h, row: tf.tanh(tf.linalg.matvec(w, h) + row), tf.stack([x, x * 2.0, x * x]), initializer=tf.zeros([3]))

    def of_maps(tf: Any, x: Any) -> Any:
        return tf.scan(lambda a, t: tf.map_fn(lambda u: u * t, a) + x, x, initializer=x)

    def left(tf: Any, x: Any) -> Any:
        return tf.foldl(lambda a, t: a * t * t, x)

    def left_started(tf: Any, x: Any) -> Any:
        return tf.foldl(lambda a, t: (a[0] * t, a[1] + a[0] * t), x, initializer=(x[0], x[1] * x[2]))

    def right(tf: Any, x: Any) -> Any:
        return tf.foldr(lambda a, t: a * t * t - t, x)

    def right_started(tf: Any, x: Any) -> Any:
        return tf.foldr(lambda a, t: a * t[0] + t[1], (x, x * x), initializer=x[0])

    return _labels(
        tf,
        {
            "products": products, "initializer": started, "reverse": backwards, "two": two, "network": network, "of maps": of_maps,
            "foldl": left,
            "foldl, initializer": left_started, "foldr": right, "foldr, initializer": right_started,
        },
    )  # fmt: skip


def arrays(tf: Any) -> dict[str, Any]:
    def written(tf: Any, x: Any) -> Any:
        _, ta = tf.while_loop(
            lambda i, ta: i < 3, lambda i, ta: (i + 1, ta.write(i, x[i] * x[0] * x[i])), (tf.constant(0), tf.TensorArray(tf.float32, 3))
        )
        return ta.stack()

    def read_back(tf: Any, x: Any) -> Any:
        ta = tf.TensorArray(tf.float32, size=1, dynamic_size=True, clear_after_read=False, element_shape=[]).write(0, x[0])

        def body(i: Any, ta: Any) -> Any:
            return i + 1, ta.write(i, ta.read(i - 1) * x[1] + ta.read(0) * x[2])

        return tf.while_loop(lambda i, ta: i < 4, body, (tf.constant(1), ta))[1].stack()

    def read_outside(tf: Any, x: Any) -> Any:
        ta = tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack(x * x)
        return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * ta.read(i) + ta.read(0)), (tf.constant(0), x[0]))[1]

    def two_loops(tf: Any, x: Any) -> Any:
        def inner(i: Any, ta: Any) -> Any:
            return tf.while_loop(lambda j, ta: j < 2, lambda j, ta: (j + 1, ta.write(2 * i + j, x[i] * x[j] * x[2])), (tf.constant(0), ta))[
                1
            ]

        ta = tf.TensorArray(tf.float32, 4, element_shape=[])
        return tf.while_loop(lambda i, ta: i < 2, lambda i, ta: (i + 1, inner(i, ta)), (tf.constant(0), ta))[1].stack()

    def scattered(tf: Any, x: Any) -> Any:
        return tf.TensorArray(tf.float32, 4, element_shape=[]).scatter([0, 2, 3], x * x * x).write(2, x[0] * x[0]).stack()

    def gathered(tf: Any, x: Any) -> Any:
        return tf.TensorArray(tf.float32, 3).unstack(x * x * x).gather([2, 0])

    def pieces(tf: Any, x: Any) -> Any:
        return tf.TensorArray(tf.float32, 3, infer_shape=False).split(x * x * x, [1, 0, 2]).concat()

    def overwritten(tf: Any, x: Any) -> Any:
        ta = tf.TensorArray(tf.float32, 2).write(0, x[0]).write(1, x[1] * x[1])
        return ta.write(0, x[2] * x[2] * x[0]).stack()

    def in_branches(tf: Any, x: Any) -> Any:
        def one() -> Any:
            return tf.TensorArray(tf.float32, 3).unstack(x * x * x).stack()

        return tf.cond(x[0] > 0.0, one, lambda: x)

    return _labels(
        tf,
        {
            "written": written, "read back": read_back, "read outside": read_outside, "two loops": two_loops, "scattered": scattered,
            "gathered": gathered, "pieces": pieces, "overwritten": overwritten, "in branches": in_branches,
        },
    )  # fmt: skip


def doubly_gathered(tf: Any) -> dict[str, Any]:
    """TensorFlow's lists forget a gathered element's first cotangent when it is gathered twice, in graphs."""

    def twice(tf: Any, x: Any) -> Any:
        return tf.TensorArray(tf.float32, 3).unstack(x * x * x).gather([0, 0, 2])

    x = np.array(X, np.float32)
    first = 3.0 * x**2 * np.array([2.25, 0.0, 1.5], np.float32)
    return {
        "value": lambda: _in_graph(tf, twice, 0),
        "eagerly": lambda: _eagerly(tf, twice, 1),
        "gradient in a graph": ours(first.astype(np.float32), lambda: _in_graph(tf, twice, 1)),
    }
