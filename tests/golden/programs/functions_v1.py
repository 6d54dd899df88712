"""`tf.function` inside TensorFlow 1's graphs: a session runs the call."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import Answers, gradients, run_all

FACE = "v1"


def calls(tf: Any) -> Answers:
    x = tf.placeholder_with_default([1.0, 2.0], [2])
    n = tf.placeholder_with_default(3.0, [])

    @tf.function
    def cube(x: Any) -> Any:
        return x * x * x

    @tf.function
    def chosen(x: Any, n: Any) -> Any:
        if n > 2.0:
            return {"y": x * n}
        return {"y": x - n}

    @tf.function
    def repeated(x: Any) -> Any:
        for _ in tf.range(3):
            x = tf.sin(x) * x
        return x

    @tf.function
    def with_capture(y: Any) -> Any:
        return y * n

    @tf.function
    def with_gradient(x: Any) -> Any:
        y = cube(x)
        return tf.gradients(y, x)[0]

    y = cube(x)
    first = tf.gradients(y, x)[0]
    second = tf.gradients(first, x)[0]
    return {
        "value": lambda: run_all(tf, [y]),
        "derivatives": lambda: run_all(tf, [first, second, tf.gradients(second, x)[0]]),
        "branch": lambda: [run_all(tf, [chosen(x, n)["y"]], {n: value}) for value in (1.0, 3.0)],
        "branch's gradient": lambda: [run_all(tf, tf.gradients(chosen(x, n)["y"], [x, n]), {n: value}) for value in (1.0, 3.0)],
        "loop": lambda: run_all(tf, [repeated(x)]),
        "loop's gradient": gradients(tf, repeated(x), x),
        "capture": lambda: run_all(tf, [with_capture(x), *tf.gradients(with_capture(x), [x, n])]),
        "gradient inside": lambda: run_all(tf, [with_gradient(x), *tf.gradients(with_gradient(x), x)]),
        "type of the operation": lambda: y.op.type,
    }


def variables(tf: Any) -> Answers:
    v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0]), use_resource=True)

    @tf.function
    def scaled(x: Any) -> Any:
        return v * v * x

    y = scaled(3.0)
    return {
        "value": lambda: run_all(tf, [y]),
        "gradient": gradients(tf, y, [v]),
        "second order": lambda: run_all(tf, tf.gradients(tf.gradients(y, v)[0], v)),
    }
