"""GradBench's `lse`: the logarithm of a sum of exponentials, shifted by the largest element so that none overflows."""

from typing import Any

import pullback as tf

from .derivatives import gradient
from .protocol import Function, number, numbers, vector


@tf.function
def log_sum_exp(x: Any) -> Any:
    # Any shift gives the same value, so its derivative is nought and need not be taken.
    shift = tf.stop_gradient(tf.reduce_max(x))
    return shift + tf.math.log(tf.reduce_sum(tf.exp(x - shift)))


@tf.function
def slope(x: Any) -> Any:
    return gradient(log_sum_exp, x)


FUNCTIONS = {
    "primal": Function(lambda given: (vector(given["x"]),), log_sum_exp, number),
    "gradient": Function(lambda given: (vector(given["x"]),), slope, numbers),
}
