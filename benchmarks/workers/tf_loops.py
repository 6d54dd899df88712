"""Loops in TensorFlow's names, run on TensorFlow and on Pullback alike."""

from typing import Any

from protocol import X, numbers, timed


def loop(tf: Any, seconds: float) -> dict[str, Any]:
    """A `while_loop` of 1,000 cheap steps on 16 floats and its gradient, as one function."""
    x = tf.constant(X)

    def step(x: Any) -> tuple[Any, Any]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.while_loop(lambda i, s: i < 1000, lambda i, s: (i + 1, s * 0.999 + tf.sin(s) * x * 0.001), (tf.constant(0), x))[1]
        return y, tape.gradient(y, x)

    run = tf.function(step, autograph=False)
    y, g = run(x)
    return {"seconds": timed(lambda: run(x), seconds), "values": numbers(y.numpy().tolist(), g.numpy().tolist())}
