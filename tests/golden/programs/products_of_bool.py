"""The operator `*` of truth values, which TensorFlow multiplies as int32; and NumPy's complex arrays where a real dtype is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"
_X = np.float32([0.2, 0.5, 1.0, 1.5, -0.5, -1.0, 2.0, 0.0])


def products(tf: Any) -> Answers:
    true, both, x = tf.constant(True), tf.constant([True, False]), tf.constant(_X)
    return {
        "floats": lambda: [true * x, x * true, true * tf.cast(x, tf.float64), tf.cast(x, tf.float16) * true],
        "integers": lambda: [true * tf.constant([-1, 256, 0]), true * tf.constant([2**32, 1], tf.int64), true * tf.constant([2, 0], tf.uint8)],
        "complex": lambda: true * tf.constant([1j, 1 + 1j, 0.5 + 1j, 2]),
        "bool": lambda: [true * true, both * both, both * True, True * both, both * np.array([True, False]), np.array([True, False]) * both],
        "numbers": lambda: [both * 2, both * 0.5, both * [1.0, 0.0]],
        "arrays": lambda: [np.array([1.0, 0.5]) * both, both * np.array([1.0, 0.5])],
        "shapes": lambda: both * tf.constant([[1.0], [0.0]]),
        "variables": lambda: [tf.Variable(True) * 0.5, tf.Variable([0.5, 1.0]) * true, tf.Variable(True) * tf.Variable(True)],
        "in a function": lambda: tf.function(lambda a, b: a * b)(true, x),
        "a number first": raises(lambda: 2 * true, "Cannot convert 2"),
        "a string": raises(lambda: true * tf.constant("a")),
        "None": raises(lambda: true * None),
        "multiply": raises(lambda: tf.multiply(both, both)),
        "sum": raises(lambda: both + both),
        "quotient": raises(lambda: both / both),
        "of ragged": raises(lambda: tf.ragged.constant([[True], [False]]) * true),
        "in a graph": lambda: _in_graph(tf.compat.v1),
    }


def _in_graph(v1: Any) -> Any:
    with v1.Graph().as_default(), v1.Session() as session:
        true = v1.constant(True)
        return session.run([true * v1.constant([0.5, 1.0]), true * true, true * 2])


def complex_arrays(tf: Any) -> Answers:
    z = np.array([1.5 + 2j, 100 - 1j])
    names = "int32 uint8 bool float32 float16 bfloat16 int8 complex64".split()
    return {name: lambda n=name: tf.constant(z, getattr(tf, n)) for name in names} | {
        "a scalar": lambda: tf.constant(np.complex64(1.5 + 2j), tf.int32),
        "converted": lambda: [tf.convert_to_tensor(z, tf.float32), tf.Variable(z, dtype=tf.int32), tf.add(tf.constant([1, 2]), z)],
        "a number of Python's": raises(lambda: tf.constant(1.5 + 2j, tf.float32)),
        "a list": raises(lambda: tf.constant([1 + 2j], tf.float32)),
        "a list of NumPy's": raises(lambda: tf.constant([np.complex64(1 + 2j)], tf.int32)),
    }
