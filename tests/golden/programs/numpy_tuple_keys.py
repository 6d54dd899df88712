"""Tuples inside of keys, as NumPy reads them, where tensors behave as its arrays do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .kit import Answers
from .numpy_behavior import _behaving

FACE = "v2"


def _read(x: Any) -> Answers:
    return {
        "mask of columns": x[:, (True, False, True)],
        "mask of rows": x[(True, False),],
        "places": x[(0, 1), (1, 2)],
        "columns": x[:, (0, 2)],
        "behind an ellipsis": x[..., (True, False, True)],
        "two masks": x[(True, False), (True, False, False)],
        "lists": [x[[True, False]], x[:, [0, 2]]],
    }


def keys(tf: Any) -> Answers:
    with _behaving(tf):
        return _read(tf.reshape(tf.range(6), [2, 3]))


def keys_in_functions(tf: Any) -> Answers:
    """The same keys in a function; masks that only a run knows too."""
    with _behaving(tf):
        x = tf.reshape(tf.range(6), [2, 3])
        masks: dict[str, Callable[[Any, Any], Any]] = {
            "a mask that is fed": lambda x, m: x[:, m],
            "behind an ellipsis": lambda x, m: x[..., m],
            "beside a number": lambda x, m: x[1, m],
            "beside places": lambda x, m: x[[1, 0], m],
        }
        mask = tf.constant([True, False, True])
        fed = {name: tf.function(read)(x, mask) for name, read in masks.items()}
        sizes = {name: tf.function(read).get_concrete_function(x, mask).output_shapes for name, read in masks.items()}
        return (
            _read(x)
            | tf.function(_read)(x)
            | {f"{name}, fed": found for name, found in fed.items()}
            | {f"{n}, size": s for n, s in sizes.items()}
        )
