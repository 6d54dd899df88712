"""GradBench's `saddle`: the saddle point of a quadratic, by gradient descent on a maximum that is found by gradient descent.

A function's name says which mode differentiates: first the minimum, then the maximum within it; f is forward, r is reverse.
"""

from typing import Any

import pullback as tf

from .derivatives import forward_value_and_gradient, value_and_gradient
from .descent import Differentiate, argmax, argmin
from .protocol import Function, numbers, vector

MODES: dict[str, Differentiate] = {"f": forward_value_and_gradient, "r": value_and_gradient}


def height(x: Any, y: Any) -> Any:
    return tf.reduce_sum(tf.square(x)) - tf.reduce_sum(tf.square(y))


def saddle_point(outer: Differentiate, inner: Differentiate) -> Any:
    """The function of a start for two modes."""
    @tf.function
    def find(start: Any) -> Any:
        def highest(x: Any) -> Any:
            return height(x, argmax(lambda y: height(x, y), start, inner))

        x = argmin(highest, start, outer)
        return tf.concat([x, argmax(lambda y: height(x, y), start, outer)], 0)

    return find


FUNCTIONS = {
    outer + inner: Function(lambda given: (vector(given["start"]),), saddle_point(MODES[outer], MODES[inner]), numbers)
    for outer in MODES
    for inner in MODES
}
