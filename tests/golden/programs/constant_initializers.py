"""Constant initializers and TensorFlow 1's `constant`: the dtype of the values, and how many there must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v2"


def _seen(call: Callable[[], Any]) -> Callable[[], Any]:
    def answer() -> Any:
        found = call()
        return [found.dtype, found]

    return answer


def eagerly(tf: Any) -> Answers:
    v1, made = tf.compat.v1, tf.constant_initializer
    return {
        "integers": _seen(lambda: made([1, 2, 3, 4])([2, 2])), "an integer": _seen(lambda: made(3)([2])),
        "as floats": _seen(lambda: made([1, 2, 3, 4])([2, 2], tf.float32)), "an array": _seen(lambda: made(np.array([1, 2]))([2])),
        "floats": _seen(lambda: made([1.0, 2])([2])), "v1 integers": _seen(lambda: v1.constant_initializer([1, 2])([2])),
        "v1 of a dtype": _seen(lambda: v1.constant_initializer([1, 2], tf.int32)([2])),
        "v1 verified": _seen(lambda: v1.constant_initializer([1, 2], verify_shape=True)([2])),
        "floats as integers": raises(lambda: made([1.5, 2])([2], tf.int32)), "too few": raises(lambda: made([1, 2])([2, 2])),
        "too many": raises(lambda: made([1, 2, 3])([2])), "v1 too few": raises(lambda: v1.constant_initializer([1, 2])([2, 2])),
        "v1 of another shape": raises(lambda: v1.constant_initializer([[1, 2]], verify_shape=True)([2])),
        "v1 of a number": raises(lambda: v1.constant_initializer(1, verify_shape=True)([2])),
        "v1 constant": raises(lambda: v1.constant([1, 2, 3], shape=[2, 3])),
        "v1 constant, verified": raises(lambda: v1.constant(1, shape=[2, 3], verify_shape=True)),
    }  # fmt: skip


def in_a_graph(tf: Any) -> Answers:
    v1 = tf.compat.v1

    def variable(shape: list[int], initializer: Any) -> Callable[[], Any]:
        def answer() -> Any:
            with v1.Graph().as_default(), v1.Session() as session:
                found = v1.get_variable("v", shape, initializer=initializer)
                session.run(found.initializer)
                return [found.dtype.base_dtype, session.run(found)]

        return answer

    return {
        "filled up": variable([3, 4], v1.constant_initializer([0, 1, 2, 3, 4, 5, 6, 7])),
        "verified": raises(variable([3, 4], v1.constant_initializer([0, 1, 2], verify_shape=True))),
        "too many": raises(variable([2], v1.constant_initializer([0, 1, 2]))), "of the second face": variable([2, 3], tf.constant_initializer(4)),
        "a list of the second face": variable([2, 3], tf.constant_initializer([4] * 6)),
    }  # fmt: skip


def sums_at_the_ends(tf: Any) -> Answers:
    def slope(values: list[float], **options: Any) -> Callable[[], Any]:
        def answer() -> Any:
            x = tf.constant(values)
            with tf.GradientTape() as t:
                t.watch(x)
                y = tf.math.cumulative_logsumexp(x, **options)
            return [y, t.gradient(y, x)]

        return answer

    inf = float("inf")
    return {
        "cumulative_logsumexp of inf": slope([1.0, inf, 2.0]), "cumulative_logsumexp of -inf": slope([-inf, -inf, 2.0]),
        "cumulative_logsumexp reversed": slope([2.0, -inf, inf, 1.0], reverse=True),
    }  # fmt: skip
