"""`tf.hessians`, and higher derivatives through graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import gradients, raises, run_all

FACE = "v1"


def values(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0, 3.0])
    m = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    s = tf.constant(2.0)
    w = tf.Variable([1.0, -1.0])

    def of(y: Any, xs: Any, **options: Any) -> Any:
        return lambda: run_all(tf, tf.hessians(y, xs, **options))

    return {
        "cubes": of(tf.reduce_sum(x**3), x),
        "products": of(x[0] * x[1] * x[2], x),
        "a vector y is summed": of(x * x * x, x),
        "several ys": of([tf.reduce_sum(x**2), x[0] * x[1]], x),
        "several xs": of(tf.reduce_sum(x**2) * s * s, [x, s]),
        "a scalar": of(s**4, s),
        "a matrix": of(tf.reduce_sum(m**3) + m[0, 0] * m[1, 1], m),
        "a variable": of(tf.reduce_sum(tf.sin(w)), w),
        "a quadratic form": of(tf.tensordot(x, tf.linalg.matvec(tf.constant(np.arange(9.0, dtype=np.float32).reshape(3, 3)), x), 1), x),
        "softmax": of(tf.reduce_logsumexp(x), x),
        "result is a list": type(tf.hessians(tf.reduce_sum(x**2), x)).__name__,
        "shape": str(tf.hessians(tf.reduce_sum(m**3), m)[0].shape),
        "float64": (lambda d: of(tf.reduce_sum(tf.exp(d)), d))(tf.constant([0.5, 1.5], tf.float64)),
        "unconnected": raises(lambda: tf.hessians(tf.reduce_sum(x), s)),
    }


def higher(tf: Any) -> dict[str, Any]:
    x = tf.constant([0.5, 1.0])
    y = tf.sin(x) * tf.exp(x)

    def nth(n: int) -> Any:
        g = y
        for _ in range(n):
            g = tf.gradients(g, x)[0]
        return lambda: run_all(tf, [g])

    a, b = tf.constant(2.0), tf.constant(3.0)
    f = a * a * b + tf.sin(a * b)
    return {
        "first": nth(1),
        "second": nth(2),
        "third": nth(3),
        "fourth": nth(4),
        "mixed partial": lambda: gradients(tf, tf.gradients(f, a)[0], b),
        "mixed partial, other order": lambda: gradients(tf, tf.gradients(f, b)[0], a),
        "gradient penalty": lambda: gradients(tf, tf.reduce_sum(tf.square(tf.gradients(y, x)[0])), x),
        "Hessian by vector": lambda: gradients(tf, tf.reduce_sum(tf.gradients(y, x)[0] * tf.stop_gradient(tf.constant([1.0, -2.0]))), x),
        "matmul, second order": lambda: _matmul(tf),
        "softmax, second order": lambda: gradients(tf, tf.gradients(tf.nn.softmax(x)[0], x)[0], x),
        "relu, second order": lambda: gradients(tf, tf.gradients(tf.nn.relu(x) ** 3, x)[0], x),
    }


def _matmul(tf: Any) -> Any:
    m = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    g = tf.gradients(tf.matmul(m, tf.matmul(m, m)), m)[0]
    return gradients(tf, g * g, m)
