"""GradBench's `ode`: y[0]' = x[0], y[i]' = x[i] * y[i - 1] from nought, by s steps of fourth-order Runge-Kutta up to time 2."""

from typing import Any

import pullback as tf

from .derivatives import gradient
from .protocol import Function, numbers, vector


@tf.function
def solve(x: Any, steps: int) -> Any:
    h = 2.0 / steps
    one = tf.ones([1], x.dtype)

    def rate(y: Any) -> Any:
        return x * tf.concat([one, y[:-1]], 0)

    def step(i: Any, y: Any) -> tuple[Any, Any]:
        k1 = rate(y)
        k2 = rate(y + h / 2.0 * k1)
        k3 = rate(y + h / 2.0 * k2)
        k4 = rate(y + h * k3)
        return i + 1, y + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)

    return tf.while_loop(lambda i, y: i < steps, step, [0, tf.zeros_like(x)], maximum_iterations=steps)[1]


@tf.function
def last_slope(x: Any, steps: int) -> Any:
    return gradient(lambda x: solve(x, steps)[-1], x)


def prepare(given: Any) -> tuple[Any, ...]:
    return vector(given["x"]), given["s"]


FUNCTIONS = {"primal": Function(prepare, solve, numbers), "gradient": Function(prepare, last_slope, numbers)}
