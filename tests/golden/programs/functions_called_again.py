"""Functions with loops and branches, called plainly and under tapes in turn: what a gradient adds to a loop leaves earlier plans alone."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import Answers

FACE = "v2"


def in_turn(tf: Any) -> Answers:
    bodies = {
        "while_loop": lambda x: tf.sin(tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y) * x), [0, x * x])[1]),
        "scan": lambda x: tf.reduce_sum(tf.scan(lambda a, y: tf.sin(a) * y, tf.stack([x, x * x, x]))) * x,
        "cond": lambda x: tf.exp(tf.cond(x > 0.0, lambda: tf.sin(x * x), lambda: x)),
        "loop in a cond": lambda x: tf.exp(
            tf.cond(x > 0.0, lambda: tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * x), [0, x])[1], lambda: x)
        ),
        "cond in a loop": lambda x: tf.exp(
            tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.cond(y > 0.5, lambda: tf.sin(y) * x, lambda: y * y)), [0, x])[1]
        ),
        "loop in a function": lambda x: x * tf.function(lambda x: tf.map_fn(lambda y: tf.sin(y * x), tf.stack([x, x])))(x)[0],
    }

    def gradient(f: Any, x: Any, order: int, persistent: bool) -> Any:
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch(x)
            y = f(x) if order == 1 else gradient(f, x, order - 1, persistent)
        return tape.gradient(y, x)

    def answer(body: Any) -> Any:
        f, x = tf.function(body), tf.constant(0.8)
        found = [f(x)]
        for order in (1, 2, 1, 3):
            found += [f(x), gradient(f, x, order, False), f(x), gradient(f, x, order, True)]
        return found

    return {label: (lambda body=body: answer(body)) for label, body in bodies.items()}
