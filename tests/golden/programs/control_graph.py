"""`cond`, `case`, `switch_case` and `while_loop` in graphs, and gradients through them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import gradients, ours, raised, raises, run_all

FACE = "v1"


def branches(tf: Any) -> dict[str, Any]:
    x = tf.placeholder(tf.float32, [], name="x")
    a = tf.constant([1.0, 2.0])
    b = tf.constant([3.0, 4.0])
    far = tf.constant(1.0)
    y = tf.cond(x > 0.0, lambda: a * a * x, lambda: b * 10.0)
    pair = tf.cond(x > 0.0, lambda: (a, x * 2.0), lambda: (b, x * 3.0))
    named = tf.cond(x > 0.0, lambda: {"p": a * x}, lambda: {"p": b * x})
    nested = tf.cond(x > 0.0, lambda: tf.cond(x > 1.0, lambda: x * x * x, lambda: x * x), lambda: -x)
    up, down = {x: 2.0}, {x: -2.0}
    return {
        "true": lambda: run_all(tf, [y], up),
        "false": lambda: run_all(tf, [y], down),
        "gradient of the true branch": gradients(tf, y, [a, b, x], up),
        "gradient of the false branch": gradients(tf, y, [a, b, x], down),
        "captured by none": gradients(tf, y, far, up),
        "tuple, true": lambda: run_all(tf, list(pair), up),
        "tuple, gradient": gradients(tf, pair[1], x, down),
        "dictionary": lambda: run_all(tf, [named["p"]], down),
        "dictionary, gradient": gradients(tf, named["p"], [a, b], down),
        "nested, inner true": lambda: run_all(tf, [nested], up),
        "nested, inner false": lambda: run_all(tf, [nested], {x: 0.5}),
        "nested, outer false": lambda: run_all(tf, [nested], down),
        "nested, gradient": gradients(tf, nested, x, up),
        "nested, second order": lambda: gradients(tf, tf.gradients(nested, x)[0], x, up),
        "nested, third order": lambda: gradients(tf, tf.gradients(tf.gradients(nested, x)[0], x)[0], x, up),
        "an outer tensor as a branch": lambda: run_all(tf, [tf.cond(x > 0.0, lambda: a, lambda: b)], up),
        "the predicate has no gradient": gradients(tf, tf.cond(x > 0.0, lambda: tf.constant(1.0), lambda: tf.constant(2.0)), x, up),
        "operands of the whole": gradients(tf, tf.reduce_sum(y) * x, x, up),
        "only the taken branch runs": lambda: run_all(
            tf, [tf.cond(x > 0.0, lambda: x, lambda: tf.reshape(tf.fill([tf.cast(-x, tf.int32)], x), []))], up
        ),
    }


def many_branches(tf: Any) -> dict[str, Any]:
    x = tf.placeholder(tf.float32, [], name="x")
    i = tf.placeholder(tf.int32, [], name="i")
    y = tf.switch_case(i, [lambda: x, lambda: x * x, lambda: x * x * x])
    z = tf.case([(x < 0.0, lambda: -x), (x < 2.0, lambda: x * 10.0)], default=lambda: x * x)
    found: dict[str, Any] = {}
    for k in (0, 1, 2, 7, -1):
        found[f"switch_case {k}"] = lambda k=k: run_all(tf, [y], {x: 3.0, i: k})
        found[f"switch_case {k}, gradient"] = gradients(tf, y, x, {x: 3.0, i: k})
    for value in (-1.0, 1.0, 3.0):
        found[f"case {value}"] = lambda value=value: run_all(tf, [z], {x: value})
        found[f"case {value}, gradient"] = gradients(tf, z, x, {x: value})
    return found


def loops(tf: Any) -> dict[str, Any]:
    x = tf.placeholder(tf.float32, [], name="x")
    w = tf.constant([[0.5, 0.1], [0.2, 0.4]])
    v = tf.constant([[1.0], [2.0]])
    n = tf.placeholder(tf.int32, [], name="n")
    power = tf.while_loop(lambda i, p: i < n, lambda i, p: (i + 1, p * x), [tf.constant(0), tf.constant(1.0)])[1]
    product = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.matmul(w, s)), [0, v])[1]
    growing = tf.while_loop(
        lambda i, s: i < 3, lambda i, s: (i + 1, tf.concat([s, s * x], 0)), [tf.constant(0), tf.reshape(x, [1])],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])],
    )[1]  # fmt: skip
    bounded = tf.while_loop(lambda i: i < 100, lambda i: i + 1, [tf.constant(0)], maximum_iterations=5)
    feed = {x: 2.0, n: 4}
    return {
        "power": lambda: run_all(tf, [power], feed),
        "power, gradient": gradients(tf, power, x, feed),
        "no iterations": lambda: run_all(tf, [power], {x: 2.0, n: 0}),
        "no iterations, gradient": gradients(tf, power, x, {x: 2.0, n: 0}),
        "power, second order": ours([np.float32(48.0)], lambda: gradients(tf, tf.gradients(power, x)[0], x, feed)),
        "matrix product": lambda: run_all(tf, [product]),
        "matrix product, gradient": gradients(tf, product, [w, v]),
        "growing": lambda: run_all(tf, [growing], feed),
        "growing, gradient": gradients(tf, growing, x, feed),
        "maximum_iterations": lambda: run_all(tf, [bounded]),
        "one loop variable gives a tensor": not isinstance(bounded, (list, tuple)),
        "a branch in a loop": lambda: _branch_in_loop(tf, x, {x: 1.5}),
        "a branch in a loop, third order": ours(_third_derivative(1.2), lambda: _third_order(tf, x, {x: 1.2})),
        "a loop in a branch": lambda: _loop_in_branch(tf, x, {x: 1.5}),
        "a loop in a loop": lambda: _loop_in_loop(tf, x, {x: 1.5}),
        "stop_gradient inside": lambda: _stopped(tf, x, {x: 3.0}),
        "dictionary": lambda: _dictionary(tf, x, {x: 3.0}),
    }


def _branch_in_loop(tf: Any, x: Any, feed: Any) -> Any:
    def body(i: Any, s: Any) -> Any:
        return i + 1, tf.cond(s > 2.0, lambda: s * 0.5, lambda: s * x)

    y = tf.while_loop(lambda i, s: i < 4, body, [tf.constant(0), x])[1]
    return run_all(tf, [y, *tf.gradients(y, x)], feed)


def _third_order(tf: Any, x: Any, feed: Any) -> Any:
    def body(i: Any, p: Any) -> Any:
        return i + 1, tf.cond(p > 1.0, lambda: p * p * 0.3 * x, lambda: p + x)

    g = tf.while_loop(lambda i, p: i < 3, body, [tf.constant(0), x])[1]
    for _ in range(3):
        g = tf.gradients(g, x)[0]
    return run_all(tf, [g], feed)[0]


def _third_derivative(x: float) -> Any:
    """At 1.2 the loop goes true, false, true: 0.3 x (0.3 x^3 + x)^2 = 0.027 x^7 + 0.18 x^5 + 0.3 x^3."""
    return np.float32(0.027 * 210 * x**4 + 0.18 * 60 * x**2 + 1.8)


def _loop_in_branch(tf: Any, x: Any, feed: Any) -> Any:
    y = tf.cond(x > 1.0, lambda: tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * x), [0, x])[1], lambda: x)
    return run_all(tf, [y, *tf.gradients(y, x)], feed)


def _loop_in_loop(tf: Any, x: Any, feed: Any) -> Any:
    def body(i: Any, s: Any) -> Any:
        return i + 1, tf.while_loop(lambda j, r: j < 2, lambda j, r: (j + 1, r * x), [0, s])[1]

    y = tf.while_loop(lambda i, s: i < 2, body, [0, x])[1]
    return run_all(tf, [y, *tf.gradients(y, x)], feed)


def _stopped(tf: Any, x: Any, feed: Any) -> Any:
    y = tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s * tf.stop_gradient(x)), [0, x])[1]
    return run_all(tf, [y, *tf.gradients(y, x)], feed)


def _dictionary(tf: Any, x: Any, feed: Any) -> Any:
    y = tf.while_loop(
        lambda i, d: i < 2, lambda i, d: (i + 1, {"a": d["a"] * x, "b": d["b"] + d["a"]}), (tf.constant(0), {"a": x, "b": x})
    )[1]
    return run_all(tf, [y["a"], y["b"], *tf.gradients(y["b"], x)], feed)


def variables(tf: Any) -> dict[str, Any]:
    v = tf.Variable(3.0, use_resource=True)
    w = tf.Variable(1.0, use_resource=True)
    taken = tf.cond(v > 2.0, lambda: w.assign_add(10.0), lambda: w.assign_sub(10.0))
    y = tf.cond(v > 2.0, lambda: v * w, lambda: v)
    loop = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * v), [0, tf.constant(1.0)])[1]
    return {
        "assigned in the branch taken": lambda: run_all(tf, [taken]),
        "read in a branch": lambda: run_all(tf, [y]),
        "gradient": gradients(tf, y, [v, w]),
        "gradient through a loop": gradients(tf, loop, v),
    }


def refusals(tf: Any) -> dict[str, Any]:
    x = tf.constant(1.0)
    flag = x > 0.0
    p = tf.placeholder(tf.float32, [1])
    return {
        "true_fn is no function": raises(lambda: tf.cond(flag, x, lambda: x), "true_fn", "callable"),
        "false_fn is no function": raises(lambda: tf.cond(flag, lambda: x, x), "false_fn", "callable"),
        "pred is a Python bool": raises(lambda: tf.cond(True, lambda: x, lambda: x), "pred", "bool"),
        "dtypes differ": raises(lambda: tf.cond(flag, lambda: x, lambda: tf.constant(1)), "float32", "int32"),
        "structures differ": raises(lambda: tf.cond(flag, lambda: (x, x), lambda: x), otherwise=("ValueError", "TypeError")),
        "cond is no function": raises(lambda: tf.while_loop(x, lambda s: s, [x]), "callable"),
        "body is no function": raises(lambda: tf.while_loop(lambda s: flag, x, [x]), "callable"),
        "no loop variables": raises(lambda: tf.while_loop(lambda: flag, lambda: None, [])),
        "the shape changes": raises(
            lambda: tf.while_loop(lambda s: flag, lambda s: tf.concat([s, s], 0), [p]), "shape", "shape_invariants"
        ),
        "the dtype changes": raises(lambda: tf.while_loop(lambda s: flag, lambda s: tf.cast(s, tf.int32), [x])),
        "the structure changes": raises(lambda: tf.while_loop(lambda i, s: flag, lambda i, s: i, [0, x])),
        "back_prop off": ours([None], gradients(tf, tf.while_loop(lambda s: s < 5.0, lambda s: s * 2.0, [x], back_prop=False), x)),
        "a bool as a symbolic condition": ours(raised("TypeError"), raises(lambda: 1 if flag else 0)),
    }
