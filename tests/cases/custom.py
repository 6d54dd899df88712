"""Gradients of one's own, functions that run again, and Python functions: each with its right derivative, so that all laws hold.

`checkpointed` is Pullback's alone; on TensorFlow the same function stands without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error, floats


def _log1pexp(tf: Any, x: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        e = tf.exp(x)
        return tf.math.log(1.0 + e), lambda g: g * (1.0 - 1.0 / (1.0 + e))

    return f(x)


def _product(tf: Any, x: Any, y: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any, y: Any) -> Any:
        return (tf.sin(x) * y, x * y), lambda g, h: (g * tf.cos(x) * y + h * y, g * tf.sin(x) + h * x)

    return f(x, y)


def _in_loop(tf: Any, x: Any) -> Any:
    def body(i: Any, s: Any) -> Any:
        return i + 1, _log1pexp(tf, s * 0.7) - 0.5

    return tf.while_loop(lambda i, s: i < 3, body, [tf.constant(0), x])[1]


def _in_branch(tf: Any, x: Any) -> Any:
    return tf.cond(tf.reduce_sum(x) > -100.0, lambda: tf.recompute_grad(lambda t: tf.sin(t) * t)(x), lambda: x)


def _recomputed(tf: Any, x: Any, y: Any) -> Any:
    f = tf.recompute_grad(lambda a, b: tf.tanh(a * b) + a * a)
    return f(x, y) * f(y, y)


def _checkpointed(memory: int) -> Callable[..., Any]:
    def f(tf: Any, x: Any, y: Any) -> Any:
        def chain(x: Any, y: Any) -> Any:
            for _ in range(4):
                x = tf.sin(x * y) + 0.5 * x
            return x

        small = tf.checkpointed(chain, memory=memory) if tf.__name__.startswith("pullback") and _sizes_known(x, y) else chain
        return small(x, y)

    return f


def _sizes_known(*tensors: Any) -> bool:
    return all(t.shape.is_fully_defined() for t in tensors)


def _cube(tf: Any, x: Any, y: Any) -> Any:
    return tf.ensure_shape(tf.py_function(lambda a, b: a * a * tf.sin(b), [x, y], x.dtype), x.shape)


def _parts(tf: Any, x: Any) -> Any:
    return tf.py_function(lambda a: (tf.exp(a), tf.reduce_sum(a * a)), [x], [x.dtype, x.dtype])


def _sinh(tf: Any, x: Any) -> Any:
    return tf.numpy_function(lambda a: np.sinh(a).astype(a.dtype), [x], x.dtype)


def _refuse(*_: Any) -> Any:
    raise ValueError("no way")


X, Y = floats(3, low=-1.0, high=1.0), floats(3, low=0.5, high=1.5, seed=1)
CASES: list[Case] = [
    case("CustomGradient", "a stable form", _log1pexp, X),
    case("CustomGradient", "a scalar, float64", _log1pexp, floats(dtype="float64")),
    case("CustomGradient", "two arguments, two results", _product, X, Y),
    case("CustomGradient", "in a loop", _in_loop, X),
    case("CustomGradient", "pass through", lambda tf, x: tf.grad_pass_through(tf.round)(x * 3.0), X, smooth=False),
    case("CustomGradient", "empty", _log1pexp, floats(0)),
    case("OptimizationBarrier", "recompute_grad", _recomputed, X, Y),
    case("OptimizationBarrier", "recompute_grad in a branch", _in_branch, X),
    case("RecomputedCall", "checkpointed", _checkpointed(80), X, Y),
    case("RecomputedCall", "checkpointed, all kept", _checkpointed(10_000), X, Y),
    case("EagerPyFunc", "two arguments", _cube, X, Y),
    case("EagerPyFunc", "two results", _parts, X),
    case("PyFunc", "no gradient", _sinh, X, smooth=False),
]
ERRORS: list[ErrorCase] = [
    error("py_function: the function fails", lambda tf, x: tf.py_function(_refuse, [x], x.dtype), X),
    error("custom_gradient: no pair", lambda tf, x: tf.custom_gradient(lambda t: t * 1.0)(tf.reduce_sum(x)), X),
]
