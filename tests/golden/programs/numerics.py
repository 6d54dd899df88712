"""`tf.debugging.enable_check_numerics`: which operations it stops at, eagerly, in functions, in gradients and in graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"
FOUND = "Detected Infinity or NaN in output 0 of"


def _checking(tf: Any, call: Callable[[], Any]) -> Callable[[], Any]:
    def answer() -> Any:
        tf.debugging.enable_check_numerics()
        try:
            return call()
        finally:
            tf.debugging.disable_check_numerics()

    return answer


def _stops(tf: Any, call: Callable[[], Any], *words: str) -> Callable[[], Any]:
    return raises(_checking(tf, call), FOUND, *words)


def eager(tf: Any) -> Answers:
    """Operations that run at once, and their gradients."""
    x = tf.constant([0.0, 1.0])

    def slope(f: Callable[[Any], Any]) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    passing = {
        "constant": lambda: tf.constant([np.nan, np.inf]),
        "complex": lambda: tf.constant(1 + 1j) / tf.constant(0j),
        "integers": lambda: tf.constant([1, 2]) * 3,
        "moved": lambda: [tf.reshape(tf.constant([np.nan, 1.0]), [2, 1]), tf.constant([np.inf, 2.0])[1:], tf.identity(np.inf)],
        "finite": lambda: tf.math.log(x + 1.0),
    }
    return {label: _checking(tf, call) for label, call in passing.items()} | {
        "log": _stops(tf, lambda: tf.math.log(-1.0), "Log", "Tensor had NaN values"),
        "division": _stops(tf, lambda: tf.constant(1.0) / x, "RealDiv", "+Inf"),
        "float64": _stops(tf, lambda: tf.sqrt(tf.constant([-1.0, 4.0], tf.float64)), "Sqrt"),
        "float16": _stops(tf, lambda: tf.exp(tf.constant(100.0, tf.float16)), "Exp"),
        "negative infinity": _stops(tf, lambda: tf.math.log(tf.constant([0.0, 1.0])), "Log", "-Inf"),
        "raw": _stops(tf, lambda: tf.raw_ops.Rsqrt(x=0.0), "Rsqrt"),
        "gradient": _stops(tf, lambda: slope(tf.sqrt), "SqrtGrad"),
        "after": lambda: tf.math.log(-1.0),
    }


def functions(tf: Any) -> Answers:
    """Functions traced while it is on."""

    def call(f: Callable[..., Any], *xs: Any) -> Callable[[], Any]:
        return lambda: tf.function(f)(*map(tf.constant, xs))

    def loop(x: Any) -> Any:
        return tf.while_loop(lambda x: tf.reduce_sum(x) < 100.0, lambda x: (tf.math.log(x - 3.0),), (x,))

    def later() -> Any:
        f = tf.function(lambda x: tf.math.log(x) * 2.0)
        tf.debugging.enable_check_numerics()
        f(tf.constant(1.0))
        tf.debugging.disable_check_numerics()
        return f(tf.constant(-1.0))

    return {
        "log": _stops(tf, call(lambda x: tf.math.log(x) + 1.0, -1.0), "Log"),
        "finite": _checking(tf, call(lambda x: tf.math.log(x) + 1.0, 1.0)),
        "loop": _stops(tf, call(loop, [1.0, 2.0]), "Log"),
        "branch": _stops(tf, call(lambda x: tf.cond(x > 0.0, lambda: x / 0.0, lambda: x), 1.0), "RealDiv"),
        "branch not taken": _checking(tf, call(lambda x: tf.cond(x > 0.0, lambda: x / 0.0, lambda: x), -1.0)),
        "gradient": _stops(tf, call(lambda x: tf.gradients(tf.sqrt(x), x)[0], 0.0), "SqrtGrad"),
        "traced while it was on": raises(later, FOUND, "Log"),
    }


def graphs(tf: Any) -> Answers:
    """Nodes of graphs made while it is on."""
    v1 = tf.compat.v1

    def run(f: Callable[[Any], Any], value: float) -> Callable[[], Any]:
        def answer() -> Any:
            with tf.Graph().as_default(), v1.Session() as session:
                x = v1.placeholder(tf.float32, [])
                return session.run(f(x), {x: value})

        return answer

    return {
        "log": _stops(tf, run(lambda x: tf.math.log(x) * 2.0, -1.0), "Log"),
        "finite": _checking(tf, run(lambda x: [tf.math.log(x) * 2.0, tf.gradients(x * x, x)[0]], 1.0)),
        "fed": _checking(tf, run(lambda x: tf.cast(x, tf.int32), 3.0)),
        "gradient": _stops(tf, run(lambda x: tf.gradients(tf.sqrt(x), x)[0], 0.0), "SqrtGrad"),
    }
