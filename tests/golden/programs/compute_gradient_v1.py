"""`tf.test.compute_gradient` and `compute_gradient_error` of TensorFlow 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import raises

FACE = "v1"
START = np.array([1.0, 2.0], np.float32)


def answers(tf: Any) -> dict[str, Any]:
    x, z = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2])
    c = tf.placeholder(tf.complex64, [1])
    y = x * x
    w = tf.Variable([3.0, 4.0])
    session = tf.Session()

    def asked(*args: Any, **options: Any) -> Any:
        with session.as_default():
            return tf.test.compute_gradient(*args, **options)

    def error(*args: Any, **options: Any) -> Any:
        with session.as_default():
            return bool(tf.test.compute_gradient_error(*args, **options) < 1e-3)

    def without_session() -> Any:
        return tf.test.compute_gradient(x, [2], y, [2])

    return {
        "squares": lambda: asked(x, [2], y, [2], x_init_value=START)[0],
        "another shape": lambda: asked(x, [2], tf.reduce_sum(y), [], x_init_value=START)[0],
        "what else is fed": lambda: asked(x, [2], y * z, [2], x_init_value=START, extra_feed_dict={z: START})[0],
        "what runs first": lambda: asked(x, [2], y * w, [2], x_init_value=START, init_targets=[w.initializer])[0],
        "complex": lambda: asked(c, [1], c * c, [1], x_init_value=np.array([1 + 2j], np.complex64))[0],
        "a list": lambda: [
            pair[0] for pair in asked([x, z], [[2], [2]], x * z, [2], x_init_value=[START, START], extra_feed_dict={x: START, z: START})
        ],
        "the error": lambda: error(x, [2], y, [2], x_init_value=START),
        "the error somewhere": lambda: error(x, [2], y, [2]),
        "the error of a list": lambda: error([x], [[2]], y, [2], x_init_value=[START]),
        "unconnected": raises(lambda: asked(z, [2], y, [2], x_init_value=START)),
        "integers": raises(lambda: asked(tf.placeholder(tf.int32, [2]), [2], y, [2])),
        "a wrong shape": raises(lambda: asked(x, [3], y, [2])),
        "no session": raises(without_session),
    }
