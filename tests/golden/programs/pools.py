"""Largest numbers of windows of one channel whose stride is longer: every channel, where TensorFlow's graphs tell a false static shape."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import Answers

FACE = "v2"


def strides_over_channels(tf: Any) -> Answers:
    x = tf.reshape(tf.range(2.0 * 5 * 4 * 6), [2, 5, 4, 6])
    window = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 3], "padding": "VALID"}

    def in_a_function() -> Any:
        return tf.function(lambda: tf.raw_ops.MaxPool(input=x, **window))()

    def known_dims(pool: Any, strides: Any, ksize: Any, padding: str) -> Any:
        def answer() -> Any:
            with tf.Graph().as_default():
                return pool(tf.compat.v1.placeholder(tf.float32, [2, 4, 4, 4, 3]), ksize, strides, padding).shape.as_list()

        return answer

    volumes = {
        f"the shape of volumes, {pool.__name__} {strides} {ksize} {padding}": known_dims(pool, strides, ksize, padding)
        for pool in (tf.nn.max_pool3d, tf.nn.avg_pool3d)
        for strides in ([1, 1, 1, 1, 2], [2, 2, 2, 2, 1])
        for ksize in ([1, 2, 2, 2, 1], [1, 1, 1, 1, 2], [2, 2, 2, 2, 1])
        for padding in ("VALID", "SAME")
    }
    return volumes | {
        "MaxPool": lambda: tf.raw_ops.MaxPool(input=x, **window),
        "MaxPoolV2": lambda: tf.raw_ops.MaxPoolV2(input=x, **window),
        "in a function": in_a_function,
        "windows of channels": lambda: tf.raw_ops.MaxPoolV2(input=x, ksize=[1, 1, 1, 2], strides=[1, 1, 1, 2], padding="VALID"),
        "by one axis": lambda: tf.nn.max_pool1d(x[:, :, 0], [1, 2, 1], [1, 2, 3], "VALID"),
    }
