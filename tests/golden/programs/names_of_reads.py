"""Where a graph reads a variable that is an argument: in the scope of the operation that reads it, or before that of an operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FACE = "v2"
CALLS: dict[str, Callable[[Any, Any, dict[str, str]], Any]] = {
    "add": lambda tf, x, kw: tf.add(x, 1.0, **kw),
    "multiply": lambda tf, x, kw: tf.multiply(x, x, **kw),
    "subtract from a number": lambda tf, x, kw: tf.subtract(1.0, x, **kw),
    "divide": lambda tf, x, kw: tf.divide(x, 2.0, **kw),
    "matmul": lambda tf, x, kw: tf.matmul(x, [[1.0], [2.0]], **kw),
    "cast": lambda tf, x, kw: tf.cast(x, tf.int32, **kw),
    "transpose": lambda tf, x, kw: tf.transpose(x, **kw),
    "transpose by axes": lambda tf, x, kw: tf.transpose(x, [1, 0], **kw),
    "reduce_mean": lambda tf, x, kw: tf.reduce_mean(x, 1, **kw),
    "reduce_max": lambda tf, x, kw: tf.reduce_max(x, 0, True, **kw),
    "squeeze": lambda tf, x, kw: tf.squeeze(x, **kw),
    "expand_dims": lambda tf, x, kw: tf.expand_dims(x, 0, **kw),
    "argmin": lambda tf, x, kw: tf.argmin(x, **kw),
    "relu": lambda tf, x, kw: tf.nn.relu(x, **kw),
    "top_k": lambda tf, x, kw: tf.nn.top_k(x, 1, **kw),
    "slice": lambda tf, x, kw: tf.slice(x, [0, 0], [1, 1], **kw),
    "not_equal": lambda tf, x, kw: tf.not_equal(x, 1.0, **kw),
    "reverse": lambda tf, x, kw: tf.reverse(x, [0], **kw),
}
OF_VARIABLES: dict[str, Callable[[Any, Any], Any]] = {
    "reduce_sum": lambda tf, v: tf.reduce_sum(v),
    "reduce_sum, named": lambda tf, v: tf.reduce_sum(v, name="s"),
    "v + 1": lambda tf, v: v + 1.0,
    "1 - v": lambda tf, v: 1.0 - v,
    "v * v": lambda tf, v: v * v,
    "v / 2": lambda tf, v: v / 2.0,
    "2 / v": lambda tf, v: 2.0 / v,
    "tensor + v": lambda tf, v: tf.constant(1.0) + v,
    "v @ v": lambda tf, v: v @ [[1.0], [2.0]],
    "v > 0": lambda tf, v: v > 0.0,
    "-v": lambda tf, v: -v,
    "abs(v)": lambda tf, v: abs(v),
    "v ** 2": lambda tf, v: v**2.0,
    "v[0]": lambda tf, v: v[0],
}


def _names(tf: Any, call: Callable[[Any], Any]) -> list[str]:
    with tf.Graph().as_default() as graph:
        v = tf.Variable([[1.0, 2.0]], name="v")
        before = len(graph.get_operations())
        call(v)
        call(v)
        return [op.name for op in graph.get_operations()[before:]]


def reads(tf: Any) -> dict[str, Any]:
    found = {}
    for name, call in CALLS.items():
        for kw in ({}, {"name": "n"}):
            found[f"{name}{', named' * bool(kw)}"] = _names(tf, lambda v, call=call, kw=kw: call(tf, v, kw))
            found[f"{name} of a list{', named' * bool(kw)}"] = _names(tf, lambda v, call=call, kw=kw: call(tf, [[1.0, 2.0]], kw))
    return found


def operators(tf: Any) -> dict[str, Any]:
    return {name: _names(tf, lambda v, call=call: call(tf, v)) for name, call in OF_VARIABLES.items()}


def without_initializers(tf: Any) -> dict[str, Any]:
    found = {}
    for dtype in ("float16", "int32", "bool", "string", "complex64", "complex128", "qint8"):
        with tf.Graph().as_default():
            try:
                found[dtype] = tf.compat.v1.get_variable("x", [2], dtype=dtype).dtype.name
            except ValueError as error:
                found[dtype] = str(error)
    return found
