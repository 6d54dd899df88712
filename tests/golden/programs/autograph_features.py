"""Conversions that AutoGraph makes only when asked: comparisons of tensors where programs have switched them off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .kit import Answers, raises

FACE = "v2"


def _compared(x: Any, y: Any) -> Any:
    return x == y, x != y


def _compared_inside(x: Any, y: Any) -> Any:
    def inner(z: Any) -> Any:
        return z == y

    return inner(x)


def _without_equality(tf: Any, call: Callable[[], Any]) -> Callable[[], Any]:
    def answer() -> Any:
        tf.compat.v1.disable_tensor_equality()
        try:
            return call()
        finally:
            tf.compat.v1.enable_tensor_equality()

    return answer


def equality(tf: Any) -> Answers:
    feature = tf.autograph.experimental.Feature
    x, y = tf.constant([1, 2]), tf.constant([1, 3])
    asked = {"equality": feature.EQUALITY_OPERATORS, "all": feature.ALL, "others": feature.LISTS, "two": (feature.LISTS, feature.EQUALITY_OPERATORS)}
    found: Answers = {}
    for name, options in {"nothing": None, **asked}.items():
        made = tf.function(_compared, experimental_autograph_options=options)
        found[f"{name}, switched off"] = _without_equality(tf, lambda made=made: made(x, y))
        found[f"{name}, inside"] = _without_equality(tf, lambda o=options: tf.function(_compared_inside, experimental_autograph_options=o)(x, y))
        found[f"{name}, switched on"] = lambda o=options: tf.function(_compared, experimental_autograph_options=o)(x, y)
        found[f"{name}, to_graph"] = _without_equality(
            tf, lambda o=options: tf.compat.v1.autograph.to_graph(_compared, experimental_optional_features=o)(x, y)
        )
    inside = tf.function(_compared, experimental_autograph_options=feature.EQUALITY_OPERATORS)
    return found | {
        "numbers": lambda: tf.compat.v1.autograph.to_graph(_compared, experimental_optional_features=feature.EQUALITY_OPERATORS)(2, 3),
        "a list": lambda: inside(x, [1, 3]), "None": raises(lambda: inside(x, None)), "other sizes": raises(lambda: inside(x, tf.constant([1, 2, 3]))),
        "other sizes, without": lambda: tf.function(_compared)(x, tf.constant([1, 2, 3])),
    }  # fmt: skip
