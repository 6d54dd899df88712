"""Arrays and lists before a tensor of another dtype, in a graph: operators give them the tensor's dtype, functions leave them their own."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers

FACE = "v2"
_LEFT = {
    "whole": [1, 2], "floats": (1.5, 2.0), "words": ["a", "b"], "flags": [True, False], "float64": np.array([1.5, 2.0]),
    "int64": np.array([1, 2]), "complex128": np.array([1j, 2.0]), "bool": np.array([True, False]),
}  # fmt: skip
_RIGHT = ("float32", "float64", "int32", "complex64", "bool")


def _dtypes(tf: Any, function: Callable[[Any, Any], Any]) -> Callable[[], dict[str, str]]:
    """An answer: by the operands, the dtype of the result or the class of the error."""

    def one(left: Any, dtype: str) -> str:
        with tf.Graph().as_default():
            try:
                return str(function(left, tf.compat.v1.placeholder(dtype, [2])).dtype.name)
            except (TypeError, ValueError) as error:
                return type(error).__name__

    return lambda: {f"{name}, {dtype}": one(left, dtype) for name, left in _LEFT.items() for dtype in _RIGHT}


def operators(tf: Any) -> Answers:
    found = {"plus": operator.add, "times": operator.mul, "slash": operator.truediv, "minus": operator.sub, "less": operator.lt}
    return {name: _dtypes(tf, function) for name, function in (found | {"power": operator.pow, "and": operator.and_}).items()}


def functions(tf: Any) -> Answers:
    named = {
        "multiply": tf.multiply, "subtract": tf.subtract, "add": tf.add, "maximum": tf.maximum, "pow": tf.pow, "less": tf.less,
        "equal": tf.equal, "floordiv": tf.math.floordiv, "truediv": tf.math.truediv, "squared_difference": tf.math.squared_difference,
        "atan2": tf.math.atan2, "logical_and": tf.logical_and, "complex": tf.complex, "divide_no_nan": tf.math.divide_no_nan,
        "where": lambda a, b: tf.where([True, False], a, b), "concat": lambda a, b: tf.concat([a, b], 0),
        "stack": lambda a, b: tf.stack([a, b]), "matmul": lambda a, b: tf.matmul([a], tf.reshape(b, [2, 1])),
        "tensordot": lambda a, b: tf.tensordot(a, b, 1), "clip_by_value": lambda a, b: tf.clip_by_value(a, b, b),
        "a written slice": lambda a, b: tf.tensor_scatter_nd_update(a, [[0]], b[:1]),
        "a margin": lambda a, b: tf.pad(a, [[1, 1]], constant_values=b[0]),
    }  # fmt: skip
    return {name: _dtypes(tf, function) for name, function in named.items()}
