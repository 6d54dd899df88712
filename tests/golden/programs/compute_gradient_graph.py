"""`tf.test.compute_gradient` in a graph, with the default session; and of arrays that do not lie in row-major order, in both versions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v2"
BY_COLUMNS = np.asfortranarray(np.arange(6.0).reshape(2, 3) + 1.0)


def _in_graph(tf: Any, call: Callable[[], Any], session: bool = True) -> Callable[[], Any]:
    def answer() -> Any:
        with tf.compat.v1.Graph().as_default():
            if not session:
                return call()
            with tf.compat.v1.Session():
                return call()

    return answer


def in_a_graph(tf: Any) -> Answers:
    asked, pair = tf.test.compute_gradient, np.array([1.0, 2.0], np.float32)

    def of(call: Callable[[], Any], session: bool = True) -> Callable[[], Any]:
        return _in_graph(tf, call, session)

    return {
        "squares": of(lambda: asked(lambda x: x * x, [tf.constant([1.0, 2.0])])),
        "list": of(lambda: asked(lambda x: x * x, [[1.0, 2.0]])),
        "two": of(lambda: asked(tf.matmul, [np.ones((2, 1)), np.full((1, 2), 2.0)])),
        "complex": of(lambda: asked(lambda x: x * tf.complex(1.0, 2.0), [np.array([1 + 1j], np.complex64)])),
        "delta": of(lambda: asked(lambda x: x * x, [pair], delta=0.5)),
        "half": of(lambda: asked(lambda x: x * x, [pair.astype(np.float16)])),
        "nothing": of(lambda: asked(tf.reduce_sum, [np.zeros([0, 3], np.float32)])),
        "no session": raises(of(lambda: asked(lambda x: x * x, [pair]), session=False)),
        "unconnected": raises(of(lambda: asked(lambda x: tf.constant([1.0, 2.0]), [pair]))),
        "integers": raises(of(lambda: asked(lambda x: tf.cast(x, tf.float32), [np.array([1, 2])]))),
        "integer result": raises(of(lambda: asked(lambda x: tf.cast(x, tf.int32), [pair]))),
        "no tensor": raises(of(lambda: asked(lambda x: 3.0, [pair]))),
        "no list": raises(of(lambda: asked(lambda x: x, pair))),
    }


def by_columns(tf: Any) -> Answers:
    asked, t1 = tf.test.compute_gradient, tf.compat.v1

    def first_version() -> Any:
        x = t1.placeholder(tf.float64, [2, 3])
        return t1.test.compute_gradient(x, [2, 3], tf.transpose(x) * x[0, 0], [3, 2], x_init_value=BY_COLUMNS)[0]

    return {
        "x": lambda: asked(lambda x: x * x, [BY_COLUMNS]),
        "y": lambda: asked(lambda x: tf.transpose(x) * 2.0, [BY_COLUMNS]),
        "x transposed": lambda: asked(lambda x: x * 2.0, [BY_COLUMNS.T]),
        "cut": lambda: asked(lambda x: x * 2.0, [BY_COLUMNS[:, ::2]]),
        "repeated": lambda: asked(lambda x: x * 2.0, [np.broadcast_to(np.float32(2.0), (2, 2))]),
        "complex": lambda: asked(lambda x: tf.transpose(x) * 1j, [BY_COLUMNS[:, :2] + 1j]),
        "in a graph": _in_graph(tf, lambda: asked(lambda x: tf.transpose(x) * 2.0, [BY_COLUMNS])),
        "first version": _in_graph(tf, first_version),
    }
