"""Derivatives that several evaluations share.

Each is taken at a copy of x: a tensor that `f` holds is then constant to it even if it is the one that x was.
"""

from collections.abc import Callable
from typing import Any

import pullback as tf


def gradient(f: Callable[..., Any], *xs: Any) -> Any:
    """The gradient of the scalar `f(*xs)`: a tensor for one argument, else a list."""
    return value_and_gradient(f, *xs)[1]


def value_and_gradient(f: Callable[..., Any], *xs: Any) -> tuple[Any, Any]:
    """`f(*xs)` and its gradient, by reverse mode."""
    value, found = tf.value_and_gradient(lambda copies: f(*copies), [tf.identity(x) for x in xs])
    slopes = [tf.convert_to_tensor(slope) for slope in found]
    return value, slopes[0] if len(xs) == 1 else slopes


def forward_value_and_gradient(f: Callable[[Any], Any], x: Any) -> tuple[Any, Any]:
    """`f(x)` of a vector, and its gradient, by forward mode: a tangent for each element of `x`."""
    value, push = tf.linearize(f, tf.identity(x))
    return value, tf.stack([push(direction) for direction in tf.unstack(tf.eye(x.shape[0], dtype=x.dtype))])
