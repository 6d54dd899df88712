"""GradBench's `hello`: x squared, and its derivative."""

from typing import Any

import pullback as tf

from .derivatives import gradient
from .protocol import Function, number, vector


@tf.function
def square(x: Any) -> Any:
    return x * x


@tf.function
def double(x: Any) -> Any:
    return gradient(square, x)


FUNCTIONS = {name: Function(lambda x: (vector(x),), f, number) for name, f in {"square": square, "double": double}.items()}
