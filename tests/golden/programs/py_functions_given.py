"""What Python functions are given, and what becomes of what they return: NumPy's dtypes eagerly, TensorFlow's in functions and graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"

_GIVEN: dict[str, list[Any]] = {
    "float": [1.0],
    "int": [1],
    "bool": [True],
    "str": ["a"],
    "bytes": [b"a"],
    "complex": [1j],
    "list": [[1.0, 2.0]],
    "nested list": [[[1, 2], [3, 4]]],
    "strings": [["a", "bc"]],
    "several": [1, 2.5, "s", [True]],
    "tuple": [(1.0, 2)],
    "empty": [[]],
    "none": [],
    "float64": [np.float64(1), np.ones(2)],
    "int8 and uint16": [np.int8(1), np.array([1], np.uint16)],
    "bfloat16": [np.array([1], ml_dtypes.bfloat16)],
    "array of strings": [np.array(["a", "b"]), np.array([b"a"])],
    "shape": [[1, 2]],
}


def _seen(x: Any) -> list[str]:
    array = x.numpy() if hasattr(x, "numpy") else x
    return [type(x).__name__ if x is array else "tensor", str(np.asarray(array).dtype), str(np.shape(array))]


def _given(tf: Any, call: Any, inputs: Callable[[], list[Any]], where: str) -> Callable[[], Any]:
    def answer() -> Any:
        seen: list[Any] = []

        def function(*args: Any) -> Any:
            seen.append([_seen(x) for x in args])
            return np.float32(1)

        if where == "eager":
            call(function, inputs(), tf.float32)
        elif where == "function":
            tf.function(lambda: call(function, inputs(), tf.float32))()
        else:
            v1 = tf.compat.v1
            with v1.Graph().as_default(), v1.Session() as session:
                session.run(call(function, inputs(), tf.float32))
        return seen

    return answer


def _calls(tf: Any) -> dict[str, Any]:
    return {"numpy_function": tf.numpy_function, "py_function": tf.py_function, "py_func": tf.compat.v1.py_func}


def given(tf: Any) -> Answers:
    tensors: dict[str, Callable[[], list[Any]]] = {
        "tensors": lambda: [tf.constant(1.0), tf.constant([1, 2]), tf.constant(True)],
        "tensors of strings": lambda: [tf.constant("a"), tf.constant(["a", "b"])],
        "a tensor and numbers": lambda: [tf.constant([1.0]), 2.0, np.int8(1)],
    }
    inputs = {name: (lambda values=values: values) for name, values in _GIVEN.items()} | tensors
    return {
        f"{name} of {kind}, {where}": _given(tf, call, values, where)
        for name, call in _calls(tf).items()
        for kind, values in inputs.items()
        for where in ("eager", "function", "graph")
    }


def returned(tf: Any) -> Answers:
    values = {
        "float": 1.5, "int": 3, "bool": True, "float64": np.float64(1.5), "float32": np.float32(1.5), "list": [1.0, 2.0], "None": None,
        "str": "a", "array": np.ones(2), "nested": [[1, 2], [3]], "strings": np.array(["a"]), "int8": np.int8(3), "int64": np.array([1, 2]),
    }  # fmt: skip

    def found(call: Any, value: Any) -> Any:
        result = call(lambda: value, [], tf.float32)
        results = result if isinstance(result, list) else [result]
        return [None if t is None else [t.numpy(), t.dtype] for t in results]

    names = ("numpy_function", "py_func")
    return {
        f"{name}: {kind}": lambda c=call, v=value: found(c, v)
        for name, call in _calls(tf).items() if name in names
        for kind, value in values.items()
    } | {
        "in a function: float": lambda: tf.function(lambda: tf.numpy_function(lambda: np.float32(1.5), [], tf.float32))(),
        "in a function: float64": raises(lambda: tf.function(lambda: tf.numpy_function(lambda: 1.5, [], tf.float32))()),
        "in a function: int": raises(lambda: tf.function(lambda: tf.numpy_function(lambda: 1, [], tf.int32))()),
    }  # fmt: skip
