"""GradBench's `particle`: where to put a charge so that a particle, followed by Euler's method, meets the origin.

The force is the gradient of a potential, so the objective that is minimised holds derivatives. A function's name says which mode
differentiates: first the objective, then the potential; f is forward, r is reverse.
"""

from typing import Any

import pullback as tf

from .derivatives import forward_value_and_gradient, value_and_gradient
from .descent import Differentiate, argmin
from .protocol import Function, number, vector

MODES: dict[str, Differentiate] = {"f": forward_value_and_gradient, "r": value_and_gradient}
STEP = 0.1


def potential(charges: Any, x: Any) -> Any:
    return tf.reduce_sum(tf.math.rsqrt(tf.reduce_sum(tf.square(charges - x), axis=1)))


def missed_by(w: Any, differentiate: Differentiate) -> Any:
    """The square of where the particle crosses the axis, when the movable charge is at (10, 10 - w)."""
    charges = tf.reshape(tf.concat([[10.0], 10.0 - w, [10.0, 0.0]], 0), [2, 2])

    def step(before: Any, x: Any, v: Any) -> tuple[Any, Any, Any]:
        v -= STEP * differentiate(lambda x: potential(charges, x), before)[1]
        return x, x + STEP * v, v

    start, v = vector([0.0, 8.0]), vector([0.75, 0.0])
    _, x, v = tf.while_loop(lambda _, x, v: x[1] > 0.0, step, [start, start + STEP * v, v])
    return tf.square(x[0] - x[1] / v[1] * v[0])


def aim(outer: Differentiate, inner: Differentiate) -> Any:
    """The function of a first w for two modes."""
    @tf.function
    def find(w: Any) -> Any:
        return argmin(lambda w: missed_by(w, inner), w, outer)[0]

    return find


FUNCTIONS = {
    outer + inner: Function(lambda given: (vector([given["w"]]),), aim(MODES[outer], MODES[inner]), number)
    for outer in MODES
    for inner in MODES
}
