"""Gradients of one's own, Python functions and gradient functions in TensorFlow 1's graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import gradients, ours, raised, raises, run_all

FACE = "v1"


def _orders(tf: Any, f: Any, value: Any, order: int = 2) -> Any:
    x = tf.constant(value)
    found, y = [], f(x)
    for _ in range(order):
        (y,) = tf.gradients(y, x)
        found.append(y)
    return lambda: run_all(tf, found)


def custom(tf: Any) -> dict[str, Any]:
    @tf.custom_gradient
    def cubic(x: Any) -> Any:
        return x * x * x, lambda g: g * 5.0 * x * x

    @tf.custom_gradient
    def pair(x: Any, y: Any) -> Any:
        return (x * y, x + y), lambda gp, gs: (gp * 10.0 + gs, gs * 100.0)

    x, y = tf.constant(2.0), tf.constant(3.0)
    product, total = pair(x, y)
    calls: list[Any] = []

    @tf.custom_gradient
    def noted(x: Any) -> Any:
        return x * 2.0, lambda g: calls.append(1) or g

    noted(x)
    looped = lambda x: tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, cubic(s)), [tf.constant(0), x])[1]  # noqa: E731
    branched = lambda x: tf.cond(x > 0.0, lambda: cubic(x), lambda: -x)  # noqa: E731
    x2, s1, s2 = 1.1**2, 1.1**3, 1.1**9
    slope = 2 * 1.1 * (s1 * s2) ** 2 + 10 * x2**2 * s1 * s2**2 + 50 * x2**2 * s1**4 * s2  # by the rule's own chain rule
    second = [np.float32(125 * x2 * (s1 * s2) ** 2), np.float32(125 * slope)]
    return {
        "value": lambda: run_all(tf, [cubic(x)]),
        "orders": _orders(tf, cubic, 2.0, 3),
        "vector": _orders(tf, cubic, np.array([1.0, -2.0], np.float32)),
        "nested": _orders(tf, lambda x: cubic(cubic(x)), 1.1),
        "both results": gradients(tf, [product, total], [x, y]),
        "the first result": gradients(tf, product, [x, y]),
        "the second result": gradients(tf, total, [x, y]),
        "grad_ys": gradients(tf, total, [x, y], grad_ys=tf.constant(0.5)),
        "not differentiated, not called": len(calls),
        "in a loop": _orders(tf, looped, 1.1, 1),
        "in a loop, second order": ours(second, _orders(tf, looped, 1.1, 2)),
        "in a branch": _orders(tf, branched, 1.5),
        "in the other branch": _orders(tf, branched, -1.5, 1),
        "stop_gradient": gradients(tf, tf.stop_gradient(cubic(x)) * x, x),
        "fed": lambda: _fed(tf, cubic),
        "too few": raises(lambda: tf.gradients(tf.custom_gradient(lambda x, y: (x * y, lambda g: g))(x, y), [x, y]), "1", "gradients"),
        "grad_fn raises": raises(lambda: tf.gradients(tf.custom_gradient(lambda x: (x * 1.0, _refuse))(x), x), "no way"),
        "a wrong shape": raises(
            lambda: tf.gradients(tf.custom_gradient(lambda x: (x * 1.0, lambda g: tf.ones([3])))(x), x), "Incompatible shapes"
        ),
    }


def _refuse(g: Any) -> Any:
    raise KeyError("no way")


def _fed(tf: Any, f: Any) -> Any:
    x = tf.placeholder(tf.float32, [None])
    return run_all(tf, tf.gradients(f(x), x), {x: [1.0, 2.0]})


def variables(tf: Any) -> dict[str, Any]:
    v = tf.get_variable("v", initializer=2.0, use_resource=True)
    x = tf.constant(7.0)

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        def grad(g: Any, variables: Any = None) -> Any:
            return g * 100.0, [g * 1000.0 for _ in variables]

        return x * v, grad

    recomputed = tf.recompute_grad(lambda x: tf.sin(x * v) * v)(x)
    plain = tf.sin(x * v) * v
    passed = tf.grad_pass_through(lambda x: x * v)(x)
    return {
        "of a custom gradient": gradients(tf, scaled(x), [x, v]),
        "recomputed": gradients(tf, recomputed, [x, v]),
        "not recomputed": gradients(tf, plain, [x, v]),
        "passed through": gradients(tf, passed, [x, v]),
        "grad_fn takes none": raises(
            lambda: tf.custom_gradient(lambda x: (x * v, lambda g: g))(x), "@tf.custom_gradient grad_fn must accept keyword argument 'variables'"
        ),
    }


def recomputing(tf: Any) -> dict[str, Any]:
    x, y = tf.constant(0.7), tf.constant(1.3)
    f = tf.recompute_grad(lambda a, b: tf.sin(a * b) * a)
    looped = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, f(s, y)), [tf.constant(0), x])[1]
    twice = f(x, x)
    return {
        "two arguments": gradients(tf, f(x, y), [x, y]),
        "the same argument twice": ours(run_all(tf, tf.gradients(tf.sin(x * x) * x, x)), gradients(tf, twice, x)),
        "in a loop": gradients(tf, looped, x),
        "in a chain": gradients(tf, tf.exp(f(x * 2.0, y)), [x, y]),
    }


def python_functions(tf: Any) -> dict[str, Any]:
    x = tf.placeholder(tf.float32, [2])
    fed = {x: [1.0, 2.0]}
    sinh = tf.py_func(np.sinh, [x], tf.float32)
    calm = tf.py_func(np.sinh, [x], tf.float32, stateful=False)
    parts = tf.py_func(lambda a: (a * 2, a.sum()), [x], [tf.float32, tf.float32])
    cube = tf.py_function(lambda t: t * t * t, [x], tf.float32)
    with_rule = _ruled(tf, x)
    wrong = tf.py_func(lambda a: a.astype(np.float64), [x], tf.float32)
    return {
        "value": lambda: run_all(tf, [sinh, calm, *parts, cube], fed),
        "shapes": [str(sinh.shape), str(cube.shape)],
        "types": [sinh.op.type, calm.op.type, cube.op.type],
        "gradient": gradients(tf, sinh, x, fed),
        "stateless gradient": gradients(tf, calm, x, fed),
        "beside another path": gradients(tf, sinh + x, x, fed),
        "py_function": gradients(tf, cube, x, fed),
        "py_function in a chain": gradients(tf, tf.exp(cube * 0.1), x, fed),
        "with a rule": gradients(tf, with_rule, x, fed),
        "a wrong dtype": raises(lambda: run_all(tf, [wrong], fed), "double", "float"),
        "raises": raises(lambda: run_all(tf, [tf.py_func(lambda a: _refuse(a), [x], tf.float32)], fed), "no way"),
        "not callable": raises(lambda: tf.py_func(3, [x], tf.float32), "callable"),
    }


def _ruled(tf: Any, x: Any) -> Any:
    """The usual way to a Python function with a gradient in TensorFlow 1."""
    tf.RegisterGradient("GoldenSinh")(lambda op, g: g * tf.py_func(np.cosh, [op.inputs[0]], tf.float32))
    with tf.get_default_graph().gradient_override_map({"PyFunc": "GoldenSinh"}):
        y = tf.py_func(np.sinh, [x], tf.float32, name="sinh")
    y.set_shape([2])
    return y


def gradient_functions(tf: Any) -> dict[str, Any]:
    x = tf.constant(2.0)
    prevented = tf.raw_ops.PreventGradient(input=x * 1.0, message="not here")
    tf.RegisterGradient("GoldenGraphTenfold")(lambda op, g: g * 10.0)
    graph = tf.get_default_graph()

    def overridden(x: Any) -> Any:
        with graph.gradient_override_map({"Sin": "GoldenGraphTenfold"}):
            return tf.sin(x)

    return {
        "PreventGradient's value": lambda: run_all(tf, [prevented]),
        "PreventGradient": raises(lambda: tf.gradients(prevented * 2.0, x), "not here"),
        "PreventGradient, not on the way": gradients(tf, prevented * 0.0 + x, prevented),
        "overridden": gradients(tf, overridden(x), x),
        "overridden before a branch": gradients(tf, tf.cond(x > 0.0, lambda y=overridden(x): y * 2.0, lambda: x), x),
        "kept from the map": ours(raised("LookupError"), raises(lambda: tf.gradients(tf.raw_ops.PreventGradient(input=x), x))),
    }
