"""GradBench's `hello`: x squared, and its derivative."""

import pullback as tf

from .derivatives import gradient
from .protocol import Function, number, vector


@tf.function
def square(x: tf.Tensor) -> tf.Tensor:
    return x * x


@tf.function
def double(x: tf.Tensor) -> tf.Tensor:
    return gradient(square, x)


FUNCTIONS = {name: Function(lambda x: (vector(x),), f, number) for name, f in {"square": square, "double": double}.items()}
