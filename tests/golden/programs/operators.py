"""Tensor operators, the conversion of what stands beside them, and what they refuse."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tests.golden.programs.kit import raises

FACE = "v2"

BINARY = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def floats_and_numbers(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.5, -2.5, 3.0])
    y = tf.constant([2.0, 2.0, 3.0])
    found: dict[str, Any] = {}
    for sign, op in BINARY.items():
        found[f"x {sign} y"] = lambda op=op: op(x, y)
        found[f"x {sign} 2"] = lambda op=op: op(x, 2)
        found[f"2.0 {sign} y"] = lambda op=op: op(2.0, y)
        found[f"x {sign} array"] = lambda op=op: op(x, np.array([2.0, 2.0, 3.0], np.float32))
        found[f"x {sign} list"] = lambda op=op: op(x, [2.0, 2.0, 3.0])
    return found


def integers(tf: Any) -> dict[str, Any]:
    x = tf.constant([7, -7, 6])
    y = tf.constant([2, 2, 3])
    found: dict[str, Any] = {}
    for sign, op in BINARY.items():
        found[f"x {sign} y"] = lambda op=op: op(x, y)
        found[f"x {sign} 2"] = lambda op=op: op(x, 2)
    b, c = tf.constant([True, True, False]), tf.constant([True, False, False])
    return found | {
        "dtype of true division": (x / y).dtype,
        "dtype of int64 division": (tf.constant(7, tf.int64) / tf.constant(2, tf.int64)).dtype,
        "dtype of int8 division": lambda: (tf.constant(7, tf.int8) / tf.constant(2, tf.int8)).dtype,
        "negative": -x,
        "absolute": abs(x),
        "and": b & c,
        "or": b | c,
        "exclusive or": b ^ c,
        "not": ~b,
        "integer and": lambda: x & y,
        "integer invert": lambda: ~x,
        "and with a number": lambda: b & True,
        "right and": lambda: True & b,
    }


def matrices(tf: Any) -> dict[str, Any]:
    m = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    v = tf.Variable([[1.0, 0.0], [2.0, 1.0]])
    return {
        "matmul": m @ m,
        "matmul with an array": m @ np.eye(2, dtype=np.float32),
        "right matmul": np.eye(2, dtype=np.float32) @ m,
        "matmul with a list": m @ [[1.0], [2.0]],
        "matmul with a variable": m @ v,
        "variable matmul": v @ m,
        "variable plus": v + 1.0,
        "variable right minus": 1.0 - v,
        "variable power": v**2,
        "variable division": m / (v + 1.0),
        "variable negative": -v,
        "variable absolute": abs(v),
        "variable comparison": v > 0.5,
        "matmul, sizes differ": raises(lambda: m @ tf.ones([3, 2]), "[2,2]", "[3,2]"),
        "matmul of a vector": raises(lambda: m @ tf.ones([2]), "matmul"),
    }


def dtypes_do_not_mix(tf: Any) -> dict[str, Any]:
    f, d, h = tf.constant(2.0), tf.constant(2.0, tf.float64), tf.constant(2.0, tf.float16)
    i, j = tf.constant(2), tf.constant(2, tf.int64)
    b, s = tf.constant(True), tf.constant("a")
    v1 = tf.compat.v1

    def in_graph(op: Any, a: Any, c: Any) -> Any:
        with v1.Graph().as_default():
            return op(v1.placeholder(a, []), v1.placeholder(c, []))

    return {
        "float and integer": raises(lambda: f * i, "Mul", "float", "int32"),
        "integer and float": raises(lambda: i * f, "Mul", "int32", "float"),
        "float and double": raises(lambda: f + d, "AddV2", "float", "double"),
        "half and float": raises(lambda: h - f, "Sub", "half", "float"),
        "int32 and int64": raises(lambda: i + j, "AddV2", "int32", "int64"),
        "bool plus bool": raises(lambda: b + b, "AddV2"),
        "string minus string": raises(lambda: s - s, "Sub"),
        "sin of an integer": raises(lambda: tf.sin(i), "Sin"),
        "matmul of float and double": raises(lambda: tf.matmul([[1.0]], tf.constant([[1.0]], tf.float64)), "MatMul"),
        "comparison": raises(lambda: f < d, "Less"),
        "array of float64": lambda: f * np.array(2.0),
        "float for an integer tensor": raises(lambda: i * 2.5, "2.5", "int32"),
        "integer for a float tensor": f * 2,
        "text for a float tensor": raises(lambda: f * "a", otherwise=("TypeError", "ValueError")),
        "complex for a float tensor": raises(lambda: f * (1 + 2j)),
        "float for a complex tensor": tf.constant(1j) * 2.0,
        "None": raises(lambda: f + None),
        "graph: float and integer": raises(lambda: in_graph(operator.mul, tf.float32, tf.int32), "Mul", "int32", "float32"),
        "graph: float and double": raises(lambda: in_graph(operator.add, tf.float32, tf.float64), "float64", "float32"),
        "graph: bool plus bool": raises(lambda: in_graph(operator.add, tf.bool, tf.bool), "bool"),
        "graph: sin of an integer": raises(lambda: in_graph(lambda a, c: tf.sin(a), tf.int32, tf.int32), "int32"),
        "shapes": raises(lambda: tf.ones([2]) + tf.ones([3]), "[2]", "[3]", "AddV2"),
        "shapes of a product": raises(lambda: tf.ones([2, 3]) * tf.ones([2]), "[2,3]", "[2]", "Mul"),
        "comparison of different shapes": lambda: tf.constant([1, 2]) == tf.constant([1, 2, 3]),
        "broadcast": lambda: (tf.ones([2, 1]) + tf.ones([3])).shape,
        "hash": raises(lambda: hash(f)),
        "bool of a vector": raises(lambda: bool(tf.constant([1, 2]))),
        "float of a vector": raises(lambda: float(tf.constant([1.0, 2.0]))),
        "if of a vector": raises(lambda: 1 if tf.constant([True, True]) else 0),
        "in": raises(lambda: f in [tf.constant([1.0, 2.0])]),
    }


def references(tf: Any) -> dict[str, Any]:
    x = tf.constant(1.0)
    y = tf.constant(1.0)
    v = tf.Variable(1.0)
    return {
        "equality is by value": x == y,
        "inequality": x != y,
        "equality with a number": x == 1.0,
        "ref of the same": x.ref() == x.ref(),
        "ref of another": x.ref() == y.ref(),
        "deref": x.ref().deref() is x,
        "ref as a key": {x.ref(): "x"}[x.ref()],
        "variable ref": v.ref() == v.ref(),
        "variable deref": v.ref().deref() is v,
        "set of refs": len({x.ref(), y.ref(), x.ref()}),
        "equality with None": (x == None) is False if isinstance(x == None, bool) else "tensor",  # noqa: E711
    }
