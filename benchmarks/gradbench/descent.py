"""Gradient descent as GradBench's nested evaluations define it, as one loop that can itself be differentiated."""

from collections.abc import Callable
from typing import Any

import pullback as tf

Objective = Callable[[Any], Any]
Differentiate = Callable[[Objective, Any], tuple[Any, Any]]

PRECISION = 1e-5
FIRST_RATE = 1e-5
PATIENCE = 10


def _short(v: Any) -> Any:
    return tf.sqrt(tf.reduce_sum(tf.square(v))) <= PRECISION


def argmin(f: Objective, start: Any, differentiate: Differentiate) -> Any:
    """Where the scalar `f` of a vector is least, from `start`.

    The rate is doubled after ten steps that went down, and halved after one that did not, which is not taken. It ends with a step or a
    gradient shorter than PRECISION.  differentiate(f, x): the value of f and its gradient.
    """

    def step(x: Any, value: Any, slope: Any, rate: Any, good: Any, _: Any) -> tuple[Any, ...]:
        patient = tf.equal(good, PATIENCE)
        rate = tf.where(patient, 2.0 * rate, rate)
        good = tf.where(patient, 0, good)
        onward = x - rate * slope
        new_value, new_slope = differentiate(f, onward)
        arrived = _short(onward - x)
        lower = new_value < value
        taken = tf.logical_and(lower, tf.logical_not(arrived))
        x, value, slope = tf.where(taken, onward, x), tf.where(taken, new_value, value), tf.where(taken, new_slope, slope)
        rate, good = tf.where(lower, rate, rate / 2.0), tf.where(lower, good + 1, 0)
        return x, value, slope, rate, good, tf.logical_or(arrived, _short(slope))

    value, slope = differentiate(f, start)
    first = [start, value, slope, tf.constant(FIRST_RATE, start.dtype), 0, _short(slope)]
    return tf.while_loop(lambda *state: tf.logical_not(state[-1]), step, first)[0]


def argmax(f: Objective, start: Any, differentiate: Differentiate) -> Any:
    """Where `f` is greatest, likewise."""
    return argmin(lambda x: -f(x), start, differentiate)
