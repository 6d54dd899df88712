"""GradBench's `gmm`: the log posterior of a mixture of Gaussians with a Wishart prior on its precisions, and its gradient.

The k triangular factors Q of the precisions stand below each other in one matrix of k * d rows, so that Q (x - mu) of all points and all
components is one matrix product.
"""

from math import lgamma, log, pi
from typing import Any

import numpy as np

import pullback as tf

from .derivatives import gradient
from .protocol import Function, number, vector

Parameters = tuple[Any, Any, Any, Any]


def _lower(d: int) -> Any:
    """Where each element of a d x d triangular matrix stands in [0, diagonal, strictly lower part column by column]."""
    table = np.zeros((d, d), np.int32)
    table[np.diag_indices(d)] = 1 + np.arange(d)
    columns, rows = np.triu_indices(d, 1)
    table[rows, columns] = 1 + d + np.arange(len(rows))
    return table.reshape(-1)


def _log_sum_exp(x: Any, axis: int) -> Any:
    shift = tf.stop_gradient(tf.reduce_max(x, axis=axis, keepdims=True))
    return tf.math.log(tf.reduce_sum(tf.exp(x - shift), axis=axis)) + tf.squeeze(shift, axis)


def _log_multigamma(a: float, d: int) -> float:
    return d * (d - 1) / 4 * log(pi) + sum(lgamma(a - j / 2) for j in range(d))


@tf.function
def log_posterior(alpha: Any, mu: Any, q: Any, l: Any, x: Any, m: int, gamma: float) -> Any:
    """alpha [k]; mu, q [k, d]; l [k, d (d - 1) / 2]; x [n, d].  m, gamma: the prior's degrees of freedom beyond d + 1, and precision."""
    (n, d), k = x.shape, alpha.shape[0]
    freedom = d + m + 1
    diagonal, sums = tf.exp(q), tf.reduce_sum(q, axis=1)
    factors = tf.reshape(tf.gather(tf.concat([tf.zeros([k, 1], x.dtype), diagonal, l], 1), _lower(d), axis=1), [k, d, d])
    offsets = tf.reshape(tf.linalg.matvec(factors, mu), [k * d])
    scaled = tf.matmul(x, tf.reshape(factors, [k * d, d]), transpose_b=True) - offsets
    exponents = alpha + sums - 0.5 * tf.reduce_sum(tf.square(tf.reshape(scaled, [n, k, d])), axis=2)
    likelihood = tf.reduce_sum(_log_sum_exp(exponents, 1)) - n * (d / 2 * log(2 * pi) + _log_sum_exp(alpha, 0))
    frobenius = tf.reduce_sum(tf.square(diagonal)) + tf.reduce_sum(tf.square(l))
    constant = k * (freedom * d * (log(gamma) - log(2) / 2) - _log_multigamma(freedom / 2, d))
    return likelihood + constant - gamma**2 / 2 * frobenius + m * tf.reduce_sum(sums)


@tf.function
def slopes(alpha: Any, mu: Any, q: Any, l: Any, x: Any, m: int, gamma: float) -> Any:
    return gradient(lambda *free: log_posterior(free[0], free[1], free[2], free[3], x, m, gamma), alpha, mu, q, l)


def prepare(given: Any) -> tuple[Any, ...]:
    k, d = given["k"], given["d"]
    l = tf.reshape(vector(given["l"]), [k, d * (d - 1) // 2])
    return vector(given["alpha"]), vector(given["mu"]), vector(given["q"]), l, vector(given["x"]), given["m"], float(given["gamma"])


def _named(found: Any) -> dict[str, Any]:
    return {name: slope.numpy().tolist() for name, slope in zip(("alpha", "mu", "q", "l"), found, strict=True)}


FUNCTIONS = {"objective": Function(prepare, log_posterior, number), "jacobian": Function(prepare, slopes, _named)}
