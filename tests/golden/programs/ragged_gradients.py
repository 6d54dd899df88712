"""Ragged tensors: indices along any axis, gradients of one's own over them, weights of gradients, means and variances of integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v2"
ROWS = [[0, 1], [1]]
DEEP = [[[0], [1, 1]], [[1]]]


def _parts(x: Any) -> Any:
    return [x.flat_values, *x.nested_row_splits] if hasattr(x, "nested_row_splits") else x


def gathered(tf: Any) -> Answers:
    cube = tf.constant(np.arange(24.0).reshape(2, 3, 4), tf.float32)
    ragged = tf.ragged.constant([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0], [9.0, 10.0]]], ragged_rank=1)

    def along(params: Any, rows: Any, **options: Any) -> Callable[[], Any]:
        return lambda: _parts(tf.gather(params, tf.ragged.constant(rows), **options))

    def slope(axis: int) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(cube)
            y = tf.reduce_sum(tf.gather(cube, tf.ragged.constant(ROWS), axis=axis).flat_values ** 2)
        return tf.convert_to_tensor(tape.gradient(y, cube))

    found: Answers = {}
    for axis in (0, 1, 2, -1, -2):
        found[f"rows {axis}"] = along(cube, ROWS, axis=axis)
        found[f"deep {axis}"] = along(cube, DEEP, axis=axis)
        found[f"gradient {axis}"] = lambda axis=axis: slope(axis)
    for axis, batch in ((0, 0), (1, 0), (1, 1), (2, 1), (2, 0)):
        found[f"axis {axis} batch {batch}"] = along(cube, ROWS, axis=axis, batch_dims=batch)
    pairs = tf.ragged.constant([[[0, 1]], [[1, 0], [1, 2]]], ragged_rank=1)
    return found | {
        "ragged of ragged": along(ragged, ROWS, axis=1),
        "ragged of ragged, last": along(ragged, ROWS, axis=2),
        "in a function": lambda: _parts(tf.function(lambda p, i: tf.gather(p, i, axis=1))(cube, tf.ragged.constant(ROWS))),
        "gather_nd": lambda: _parts(tf.gather_nd(cube, pairs)),
        "gather_nd of rows": raises(lambda: tf.gather_nd(cube, tf.ragged.constant([[0], [1, 2]]))),
    }


def gradients_of_ones_own(tf: Any) -> Answers:
    def taped(f: Callable[..., Any], *args: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(args)
            y = tf.custom_gradient(f)(*args)
        return [_parts(y), [_parts(g) for g in tape.gradient(y, args)]]

    def parts(x: Any) -> Any:
        return tf.RaggedTensor.from_row_lengths(x, [2, 1])

    x, w = tf.ragged.constant([[1.0, 2.0], [3.0]]), tf.constant(2.0)
    checks = {
        "squares": lambda: taped(lambda x: (x * x, lambda g: g * 3.0), x),
        "with a tensor": lambda: taped(lambda x, w: (x * w, lambda g: (g * 2.0, tf.reduce_sum(g * 5.0))), x, w),
        "to a number": lambda: taped(lambda x: (tf.reduce_sum(x), lambda g: x * 0.0 + g), x),
        "from a tensor": lambda: taped(lambda x: (parts(x), lambda g: g.flat_values * 7.0), tf.constant([1.0, 2.0, 3.0])),
        "two results": lambda: taped(lambda x: ((x, tf.reduce_sum(x)), lambda g, h: g * 2.0 + h), x)[1],
        "passed through": lambda: taped(lambda x: (x, lambda g: g), x),
    }
    in_function = {f"{name} in a function": (lambda check=check: tf.function(check)()) for name, check in checks.items()}
    wrong = raises(lambda: taped(lambda x: (x * x, lambda g: (g, g)), x))
    return {**checks, **in_function, "too many": wrong}


def weights(tf: Any) -> Answers:
    v1 = tf.compat.v1
    given = [[1.0, 10.0], [100.0]]

    def taped(of: Any) -> Any:
        x = tf.ragged.constant([[1.0, 2.0], [3.0]])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return _parts(tape.gradient(y, x, output_gradients=of))

    def graph(by_parts: bool) -> Any:
        with v1.Graph().as_default(), v1.Session() as session:
            x = tf.RaggedTensor.from_row_lengths(v1.placeholder_with_default([1.0, 2.0, 3.0], [3]), [2, 1])
            y = x * x
            (g,) = v1.gradients(y, x.flat_values if by_parts else x, grad_ys=tf.ragged.constant(given))
            return session.run(g if by_parts else g.flat_values)

    return {
        "tape": lambda: taped(tf.ragged.constant(given)),
        "graph": lambda: graph(False),
        "graph, flat": lambda: graph(True),
    }


def means_of_integers(tf: Any) -> Answers:
    found: Answers = {}
    for dtype in ("int32", "int64", "uint8", "float32"):
        x = tf.ragged.constant([[1, 2], [200]], dtype=dtype)
        for name in ("reduce_mean", "reduce_variance", "reduce_std"):
            for axis in (None, 0, 1):
                found[f"{name} {dtype} {axis}"] = lambda x=x, name=name, axis=axis: _parts(getattr(tf.math, name)(x, axis=axis))
    for dtype in ("int8", "uint8", "int16", "int32"):
        y = tf.constant(np.array([[100, 100], [127, -128], [3, 46341]]).astype(dtype))
        for axis in (None, 0, 1):
            found[f"reduce_euclidean_norm {dtype} {axis}"] = lambda y=y, axis=axis: tf.math.reduce_euclidean_norm(y, axis=axis)
            found[f"reduce_mean dense {dtype} {axis}"] = lambda y=y, axis=axis: tf.math.reduce_mean(y, axis=axis)
        found[f"reduce_variance dense {dtype}"] = raises(lambda y=y: tf.math.reduce_variance(y))
    z = tf.constant([[1j, 2], [4, 8]], tf.complex64)
    return found | {
        "not below zero": lambda: tf.math.reduce_variance(tf.ragged.constant([[333.3] * 7, []]), axis=1),
        "complex": raises(lambda: tf.math.reduce_variance(tf.ragged.constant([[1j]], dtype=tf.complex64), axis=1)),
        "moments": lambda: tf.nn.moments(z, [0]),
        "moments of bytes": raises(lambda: tf.nn.moments(tf.constant([1, 2], tf.uint8), [0])),
        "weighted": lambda: tf.nn.weighted_moments(z, [0], tf.constant([[1.0], [1.0]], tf.complex64)),
    }
