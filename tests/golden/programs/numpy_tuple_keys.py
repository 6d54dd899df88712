"""Tuples inside of keys, as NumPy reads them, where tensors behave as its arrays do."""

from __future__ import annotations

from typing import Any

from .kit import Answers
from .numpy_behavior import _behaving

FACE = "v2"


def keys(tf: Any) -> Answers:
    with _behaving(tf):
        x = tf.reshape(tf.range(6), [2, 3])
        return {
            "mask of columns": x[:, (True, False, True)],
            "mask of rows": x[(True, False),],
            "places": x[(0, 1), (1, 2)],
            "columns": x[:, (0, 2)],
            "behind an ellipsis": x[..., (True, False, True)],
            "two masks": x[(True, False), (True, False, False)],
            "lists": [x[[True, False]], x[:, [0, 2]]],
        }
