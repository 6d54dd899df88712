"""`Dimension` objects where TensorFlow takes tensors, shapes and numbers, eagerly."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import either
from tests.golden.programs.refused_dimensions import X, calls

FACE = "v2"


def eagerly(tf: Any) -> dict[str, Any]:
    def answer(label: str) -> Any:
        return either(lambda: [t.numpy() for t in tf.nest.flatten(calls(tf.compat.v1, tf.constant(X))[label]())])

    return {label: answer(label) for label in calls(tf.compat.v1, tf.constant(X))}
