"""Derivatives that several evaluations share.

Each is taken at a copy of x: a tensor that `f` holds is then constant to it even if it is the one that x was.
"""

from collections.abc import Callable
from typing import Any

import pullback as tf

Scalar = Callable[[Any], Any]


def gradient(f: Callable[..., Any], *xs: Any) -> Any:
    """The gradient of the scalar `f(*xs)`: a tensor for one argument, else a list."""
    return value_and_gradient(f, *xs)[1]


def value_and_gradient(f: Callable[..., Any], *xs: Any) -> tuple[Any, Any]:
    """`f(*xs)` and its gradient, by reverse mode."""
    xs = tuple(tf.identity(x) for x in xs)
    with tf.GradientTape() as tape:
        tape.watch(xs)
        value = f(*xs)
    slopes = [tf.convert_to_tensor(slope) for slope in tape.gradient(value, xs)]
    return value, slopes[0] if len(xs) == 1 else slopes


def value_and_tangent(f: Scalar, x: Any, direction: Any) -> tuple[Any, Any]:
    """`f(x)` and its derivative along `direction`.

    The cotangent u of f(x) is pulled back to x; that is linear in u, and the derivative of a linear map in u, weighted by `direction`, is
    its transpose: the tangent. In a graph nothing is left of the first pullback but what the second one reads.
    """
    x = tf.identity(x)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            value = f(x)
        u = tf.ones_like(value)
        outer.watch(u)
        pulled = inner.gradient(value, x, output_gradients=u, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    return value, outer.gradient(pulled, u, output_gradients=direction, unconnected_gradients=tf.UnconnectedGradients.ZERO)


def forward_value_and_gradient(f: Scalar, x: Any) -> tuple[Any, Any]:
    """`f(x)` of a vector, and its gradient, one tangent for each element of `x`."""
    basis = tf.unstack(tf.eye(x.shape[0], dtype=x.dtype))
    value, first = value_and_tangent(f, x, basis[0])
    return value, tf.stack([first, *(value_and_tangent(f, x, e)[1] for e in basis[1:])])
