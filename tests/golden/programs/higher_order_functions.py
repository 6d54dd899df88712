"""Derivatives of functions to order four: by persistent tapes, tapes in tapes, Jacobians and accumulators, in functions and around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, ours

FACE = "v2"
Scalar = Callable[[Any], Any]


def _bodies(tf: Any) -> dict[str, Scalar]:
    @tf.custom_gradient
    def custom(x: Any) -> Any:
        return tf.sin(x) * x, lambda g: g * (tf.cos(x) * x + tf.sin(x))

    return {
        "cos": tf.cos,
        "several": lambda x: tf.sin(tf.exp(x)) * tf.tanh(x),
        "function": lambda x: tf.function(tf.sin)(x) * x,
        "cond": lambda x: tf.cond(x > 0.0, lambda: tf.cos(x) * x, lambda: x),
        "switch_case": lambda x: tf.switch_case(tf.cast(x, tf.int32), [lambda: tf.sin(x) * x, lambda: tf.cos(x) * x]),
        "while_loop": lambda x: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y) * x), [0, x])[1],
        "map_fn": lambda x: tf.map_fn(lambda y: tf.sin(y * x), tf.stack([x, 2.0 * x]))[0],
        "vectorized_map": lambda x: tf.vectorized_map(lambda y: tf.sin(y * x), tf.stack([x, 2.0 * x]))[0],
        "custom_gradient": custom,
        "recompute_grad": lambda x: tf.recompute_grad(lambda x: tf.sin(x) * x * x)(x),
    }


def _floats(*values: float) -> list[Any]:
    return [np.float32(v) for v in values]


def _persistent(tf: Any, f: Scalar, x: Any, inside: int) -> list[Any]:
    """The value, `inside` derivatives taken in the tape's own block, and one more after it."""
    with tf.GradientTape(persistent=True) as tape:
        if not hasattr(x, "handle"):
            tape.watch(x)
        found = [f(x)]
        for _ in range(inside):
            found.append(tape.gradient(found[-1], x))
    return [*found, tape.gradient(found[-1], x)]


def persistent(tf: Any) -> Answers:
    def of_variable(body: Scalar) -> Any:
        v = tf.Variable(0.7)
        f = tf.function(lambda: body(v * v))
        return [_persistent(tf, lambda _: f(), v, 1), _persistent(tf, lambda v: tf.function(body)(v + 0.0), v, 2)]

    def of_argument(body: Scalar) -> Any:
        return _persistent(tf, tf.function(body), tf.constant(1.0), 2)

    bodies = _bodies(tf)
    recomputed = bodies.pop("recompute_grad")  # TensorFlow refuses it
    found: Answers = {"recompute_grad": ours(_floats(0.84147098, 2.22324428, 3.00268021, -2.34731437), lambda: of_argument(recomputed))}
    return (
        found
        | {label: (lambda body=body: of_argument(body)) for label, body in bodies.items()}
        | {f"{label} of a variable": (lambda body=bodies[label]: of_variable(body)) for label in ("cos", "cond", "while_loop", "function")}
    )


def mixed(tf: Any) -> Answers:
    x = tf.constant([1.0, 2.0])

    def jacobians() -> Any:
        f = tf.function(lambda x: tf.sin(x) * tf.reduce_sum(x * x))
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            first = tape.jacobian(f(x), x)
            second = tape.jacobian(first, x)
        return [first, second, tape.jacobian(second, x), tape.gradient(second, x)]

    def rows() -> Any:
        f, y = tf.function(lambda x: tf.sin(x) * tf.reverse(x, [1])), tf.constant([[1.0, 2.0], [0.5, 0.7]])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(y)
            first = tape.batch_jacobian(f(y), y)
        return [first, tape.gradient(first, y)]

    def under_another() -> Any:
        f = tf.function(lambda x: tf.sin(x) * tf.cos(2.0 * x))
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                first = tape.gradient(f(x), x)
                second = tape.gradient(first, x)
            third = tape.gradient(second, x)
        return [first, second, third, outer.gradient(third, x)]

    def after_another() -> Any:
        f = tf.function(lambda x: tf.sin(x) * tf.cos(2.0 * x))
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = f(x)
        with tf.GradientTape() as late:
            late.watch(x)
            first = tape.gradient(y, x)
        return [first, late.gradient(first, x)]

    return {"jacobians": jacobians, "rows": rows, "under another tape": under_another, "under a later tape": after_another}


def forward(tf: Any) -> Answers:
    """Accumulators in accumulators, around functions in functions and inside them."""
    x, one = tf.constant(1.0), tf.constant(1.0)

    def around(body: Scalar, order: int) -> list[Any]:
        if order == 0:
            return [body(x)]
        with tf.autodiff.ForwardAccumulator(x, one) as accumulator:
            found = around(body, order - 1)
        return [*found, accumulator.jvp(found[-1])]

    def wrapped(depth: int) -> Scalar:
        f: Scalar = lambda x: tf.sin(x) * x  # noqa: E731
        for _ in range(depth):
            f = tf.function(lambda x, f=f: f(x) * 1.0)
        return f

    def by_accumulator(f: Scalar) -> Scalar:
        @tf.function
        def derivative(x: Any) -> Any:
            with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
                y = f(x)
            return accumulator.jvp(y)

        return derivative

    def by_tape(f: Scalar) -> Scalar:
        @tf.function
        def derivative(x: Any) -> Any:
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                y = f(x)
                return tape.gradient(y, x)

        return derivative

    def nested(by: Callable[[Scalar], Scalar]) -> list[Any]:
        f, found = wrapped(1), []
        for _ in range(3):
            f = by(f)
            found.append(f(x))
        return found

    return {
        f"{order} around {depth}": (lambda order=order, depth=depth: around(wrapped(depth), order)) for order in (2, 3) for depth in (1, 2)
    } | {
        "accumulators in functions": lambda: nested(by_accumulator),
        "tapes in functions": lambda: nested(by_tape),
        # TensorFlow has no second tangents of loops and branches; these are its own derivatives by tapes.
        "while_loop": ours(_floats(0.67843044, 1.9026697, 0.9886691), lambda: around(tf.function(_bodies(tf)["while_loop"]), 2)),
        "cond": ours(_floats(0.5403023, -0.3011687, -2.2232444), lambda: around(tf.function(_bodies(tf)["cond"]), 2)),
    }
