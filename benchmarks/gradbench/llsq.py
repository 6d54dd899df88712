"""GradBench's `llsq`: the squared distance of a polynomial from the sign function at n points of [-1, 1].

The m powers of n points are not formed: a polynomial is one in t**b whose coefficients are polynomials of b terms (Paterson and
Stockmeyer), so b and m / b powers of each point and one matrix product do.
"""

from itertools import accumulate
from operator import mul
from typing import Any

import pullback as tf

from .derivatives import gradient
from .protocol import Function, number, numbers, vector


def powers(t: Any, count: int) -> Any:
    """t**0, t**1, ... of all t, a row each."""
    return tf.stack(list(accumulate([t] * (count - 1), initial=tf.ones_like(t), func=mul)))


def polynomial(x: Any, t: Any) -> Any:
    """The sum of x[j] * t**j at each t."""
    terms = x.shape[0]
    block = 1 << ((terms - 1).bit_length() + 1) // 2
    rows = -(-terms // block)
    low = powers(t, block)
    inner = tf.matmul(tf.reshape(tf.pad(x, [[0, rows * block - terms]]), [rows, block]), low)
    return tf.reduce_sum(inner * powers(low[-1] * t, rows), axis=0)


@tf.function
def half_squares(x: Any, i: Any) -> Any:
    """x: the coefficients.  i: 0, 1, ... n - 1."""
    t = -1.0 + i * (2.0 / (i.shape[0] - 1))
    return tf.reduce_sum(tf.square(tf.sign(t) - polynomial(x, t))) / 2.0


@tf.function
def slope(x: Any, i: Any) -> Any:
    return gradient(lambda x: half_squares(x, i), x)


def prepare(given: Any) -> tuple[Any, ...]:
    return vector(given["x"]), tf.range(given["n"], dtype=tf.float64)


FUNCTIONS = {"primal": Function(prepare, half_squares, number), "gradient": Function(prepare, slope, numbers)}
