"""`grad_ys` in graphs, and complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import gradients, raises, run_all

FACE = "v1"


def lengths_and_kinds(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0])
    y = x * x
    z = 3.0 * x
    v = tf.Variable([10.0, 20.0])
    slices = tf.IndexedSlices(tf.constant([5.0]), tf.constant([1]), tf.constant([2]))
    return {
        "a list": gradients(tf, y, x, grad_ys=[tf.constant([1.0, 10.0])]),
        "not in a list": gradients(tf, y, x, grad_ys=tf.constant([1.0, 10.0])),
        "two": gradients(tf, [y, z], x, grad_ys=[tf.constant([1.0, 0.0]), tf.constant([0.0, 1.0])]),
        "None among them": gradients(tf, [y, z], x, grad_ys=[None, tf.constant([0.0, 1.0])]),
        "all None": gradients(tf, [y, z], x, grad_ys=[None, None]),
        "an array": gradients(tf, y, x, grad_ys=[np.array([2.0, 3.0], np.float32)]),
        "a Python list of numbers": gradients(tf, y, x, grad_ys=[[2.0, 3.0]]),
        "a variable": gradients(tf, y, x, grad_ys=[v]),
        "a scalar broadcasts": gradients(tf, y, x, grad_ys=[tf.constant(2.0)]),
        "a Python float": gradients(tf, y, x, grad_ys=[5.0]),
        "IndexedSlices": gradients(tf, y, x, grad_ys=[slices]),
        "a function of x": gradients(tf, y, x, grad_ys=[tf.sin(x)]),
        "x is y": gradients(tf, x, x, grad_ys=[tf.constant([7.0, 8.0])]),
        "x is y, wrong shape": gradients(tf, x, x, grad_ys=[tf.constant([7.0, 8.0, 9.0])]),
        "a placeholder": (lambda p: gradients(tf, y, x, {p: [1.0, 4.0]}, grad_ys=[p]))(tf.placeholder(tf.float32, [None])),
        "the same weight twice": (lambda w: gradients(tf, [y, z], x, grad_ys=[w, w]))(tf.constant([1.0, 2.0])),
        "second order through grad_ys": lambda: gradients(tf, tf.gradients(y, x, grad_ys=[x * x]), x),
    }


def refusals(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0])
    y = x * x
    c = tf.constant([1 + 2j, 3j])
    i = tf.constant([1, 2])
    return {
        "too many": raises(lambda: tf.gradients(y, x, grad_ys=[1.0, 2.0]), "2", "1"),
        "too few": raises(lambda: tf.gradients([y, y], x, grad_ys=[1.0]), "1", "2"),
        "bool for float": raises(lambda: tf.gradients(y, x, grad_ys=[tf.constant([True, True])]), "bool", "float32"),
        "complex for float": raises(lambda: tf.gradients(y, x, grad_ys=[tf.constant([1j, 1j])]), "complex128", "float32"),
        "float for complex": raises(lambda: tf.gradients(c * c, c, grad_ys=[tf.constant([1.0, 1.0])]), "float32", "complex128"),
        "complex y without": raises(lambda: tf.gradients(c * c, c), "complex", "grad_ys"),
        "float64 for float32": raises(lambda: tf.gradients(y, x, grad_ys=[tf.constant([1.0, 1.0], tf.float64)]), "float64", "float32"),
        "integer for float": raises(lambda: tf.gradients(y, x, grad_ys=[5]), "int32", "float32"),
        "string for float": raises(lambda: tf.gradients(y, x, grad_ys=["a"])),
        "wrong shape": raises(lambda: tf.gradients(y, x, grad_ys=[tf.constant([1.0, 2.0, 3.0])]), "3", "2"),
        "wrong rank through sin": raises(lambda: tf.gradients(tf.sin(x), x, grad_ys=[tf.ones([3, 2])]), "sin", "(3, 2)", "(2,)"),
        "bool y": raises(lambda: tf.gradients(tf.constant(True), i, grad_ys=[tf.constant(1.0)]), "bool"),
    }


def complex_gradients(tf: Any) -> dict[str, Any]:
    z = tf.constant(1 + 2j, tf.complex64)
    one = tf.constant(1 + 0j, tf.complex64)
    functions = {
        "square": z * z,
        "cube": z * z * z,
        "exp": tf.exp(z),
        "log": tf.log(z),
        "sqrt": tf.sqrt(z),
        "sin": tf.sin(z),
        "cos": tf.cos(z),
        "tanh": tf.tanh(z),
        "reciprocal": 1.0 / z,
        "conj": tf.conj(z),
        "negative": -z,
        "sigmoid": tf.sigmoid(z),
    }
    real = {
        "abs": tf.abs(z),
        "real": tf.real(z),
        "imag": tf.imag(z),
        "angle": tf.angle(z),
        "square modulus": tf.real(z * tf.conj(z)),
        "real of exp": tf.real(tf.exp(z)),
        "cast to float": tf.cast(z, tf.float32),
    }
    found: dict[str, Any] = {name: gradients(tf, y, z, grad_ys=[one]) for name, y in functions.items()}
    found |= {f"{name}, upstream 2+1j": gradients(tf, y, z, grad_ys=[one * (2 + 1j)]) for name, y in functions.items()}
    return found | {name: gradients(tf, y, z) for name, y in real.items()}


def complex_and_real(tf: Any) -> dict[str, Any]:
    x = tf.constant(3.0)
    m = tf.constant([[1 + 1j, 2.0], [0.5j, 1 - 1j]], tf.complex64)
    n = tf.constant([[2.0, 1j], [1.0, 3 - 2j]], tf.complex64)
    ones = tf.ones([2, 2], tf.complex64)
    s = tf.constant(2 - 1j, tf.complex64)
    return {
        "complex of two reals": gradients(tf, tf.abs(tf.complex(x, 2.0 * x)), x),
        "cast from real": gradients(tf, tf.abs(tf.cast(x, tf.complex64) * s), x),
        "matmul": gradients(tf, tf.matmul(m, n), [m, n], grad_ys=[ones]),
        "matmul adjoint": gradients(tf, tf.matmul(m, n, adjoint_a=True), [m, n], grad_ys=[ones]),
        "broadcast": gradients(tf, m * s, [m, s], grad_ys=[ones]),
        "reduce_sum": gradients(tf, tf.reduce_sum(m * n), m, grad_ys=[s]),
        "complex128": (lambda c: gradients(tf, c * c, c, grad_ys=[tf.ones([1], tf.complex128)]))(tf.constant([1 + 2j], tf.complex128)),
        "dtype": tf.gradients(m * n, m, grad_ys=[ones])[0].dtype,
        "conjugate transpose": gradients(tf, tf.transpose(m, conjugate=True) * n, m, grad_ys=[ones]),
        "sum of two uses": gradients(tf, s * s + s, s, grad_ys=[s]),
        "second order of a real function": lambda: gradients(tf, tf.real(tf.gradients(tf.real(s * s * s), s)[0]), s),
        "imaginary part": run_all(tf, [tf.imag(s), tf.real(s)]),
    }
