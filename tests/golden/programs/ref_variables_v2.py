"""`tf.Variable` of TensorFlow 2 is a resource variable whatever TensorFlow 1's is by default."""

from __future__ import annotations

from typing import Any

from .kit import Answers, run_all

FACE = "v2"


def made_by_both_faces(tf: Any) -> Answers:
    v1 = tf.compat.v1
    v1.disable_resource_variables()
    try:
        with v1.Graph().as_default():
            made = [v1.Variable(1.0), tf.Variable(2.0), v1.get_variable("v", []), v1.Variable(1.0, use_resource=True)]
            v = made[1]
            with tf.GradientTape() as tape:
                y = v * v
            return {
                "dtypes": [v.dtype for v in made],
                "of the first version": [isinstance(v, v1.Variable) for v in made],
                "of the second": [isinstance(v, tf.Variable) for v in made],
                "taped": run_all(v1, [tape.gradient(y, v)]),
                "expected_shape": v1.Variable([1.0], expected_shape=[1]).shape,
            }
    finally:
        v1.enable_resource_variables()
