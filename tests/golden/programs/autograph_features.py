"""Conversions that AutoGraph makes only when asked: comparisons of tensors where programs have switched them off, and assertions."""

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


def _checked(x: Any) -> Any:
    assert x > 0.0, "must be positive"
    return x * 2.0


def _checked_number(x: Any) -> Any:
    assert x.shape.rank == 0, "must be a number"
    return x * 2.0


def _gathered(x: Any) -> Any:
    found = [x, x + 1.0]
    found[0] = x * 3.0
    last = found.pop()
    return last, found, len(found)


def assertions(tf: Any) -> Answers:
    """In a session's graph an assertion of a tensor is refused, or with its feature an operation that nothing waits for."""
    feature = tf.autograph.experimental.Feature
    v1 = tf.compat.v1

    def in_graph(f: Callable[[Any], Any], options: Any, value: float) -> Callable[[], Any]:
        def answer() -> Any:
            with tf.Graph().as_default(), v1.Session() as session:
                x = v1.placeholder(tf.float32, [])
                y = v1.autograph.to_graph(f, experimental_optional_features=options)(x)
                return [session.run(y, {x: value}), [op.type for op in session.graph.get_operations() if op.type == "Assert"]]

        return answer

    def in_function(options: Any, value: float) -> Callable[[], Any]:
        return lambda: tf.function(_checked, experimental_autograph_options=options)(tf.constant(value))

    found: Answers = {}
    for name, options in {"asked": feature.ASSERT_STATEMENTS, "all": feature.ALL, "among others": (feature.LISTS, feature.ASSERT_STATEMENTS)}.items():
        found[f"{name}, in a function"] = in_function(options, 1.0)
        found[f"{name}, in a function, fails"] = raises(in_function(options, -1.0), "must be positive")
    for value in (1.0, -1.0):
        found[f"asked, in a graph, {value}"] = in_graph(_checked, feature.ASSERT_STATEMENTS, value)
        found[f"not asked, in a graph, {value}"] = raises(in_graph(_checked, None, value), "as a Python `bool`")
        found[f"others asked, in a graph, {value}"] = raises(in_graph(_checked, feature.LISTS, value), "as a Python `bool`")
    return found | {"of Python, in a graph": in_graph(_checked_number, None, 1.0)}


def lists(tf: Any) -> Answers:
    """What programs do with lists of Python is the same whether lists are asked for or not."""
    feature = tf.autograph.experimental.Feature
    found: Answers = {}
    for name, options in {"nothing": None, "lists": feature.LISTS, "all": feature.ALL}.items():
        found[name] = lambda o=options: tf.function(_gathered, experimental_autograph_options=o)(tf.constant(1.0))
    return found
