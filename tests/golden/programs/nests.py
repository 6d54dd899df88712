"""`tf.nest`: which containers of two structures count as alike, and what the result is made of."""

from __future__ import annotations

from typing import Any

from .kit import Answers, raises

FACE = "v2"


class Numbers(list[Any]):
    """A list of a program's own."""


class Pair(tuple[Any, ...]):
    """A tuple of a program's own."""


class Named(dict[str, Any]):
    """A dictionary of a program's own."""


def alike(tf: Any) -> Answers:
    held = tf.Module()
    held.numbers, held.named, held.pair = [1, 2], {"a": 1}, (1, [2])
    cases = {
        "a module's list, a list": (held.numbers, [3, 4]), "a list, a module's": ([3, 4], held.numbers),
        "own list, a list": (Numbers([1, 2]), [3, 4]), "a list, own list": ([3, 4], Numbers([1, 2])),
        "own list, a module's": (Numbers([1, 2]), held.numbers), "lists within": ([[1], 2], [Numbers([3]), 4]),
        "own dictionary": (Named(a=1), {"a": 2}), "a module's dictionary": ({"a": 2}, held.named),
        "within a module's tuple": ((1, [2]), held.pair),
    }  # fmt: skip
    unlike = {
        "a list, a tuple": ([1, 2], (3, 4)), "own tuple, a tuple": (Pair((1, 2)), (3, 4)), "a tuple, own tuple": ((1, 2), Pair((3, 4))),
    }  # fmt: skip

    def add(one: Any, other: Any) -> list[Any]:
        made = tf.nest.map_structure(lambda x, y: x + y, one, other)
        return [type(made).__name__.lstrip("_"), tf.nest.flatten(made)]

    answers: Answers = {name: (lambda pair=pair: add(*pair)) for name, pair in cases.items()}
    answers |= {f"{name}, compared": (lambda pair=pair: tf.nest.assert_same_structure(*pair)) for name, pair in cases.items()}
    answers |= {name: raises(lambda pair=pair: add(*pair)) for name, pair in unlike.items()}
    answers["a list, a tuple, unchecked"] = lambda: tf.nest.map_structure(lambda x, y: x + y, [1, 2], (3, 4), check_types=False)
    return answers


def composites(tf: Any) -> Answers:
    Line = type("Line", (tf.experimental.ExtensionType,), {"__annotations__": {"slope": tf.Tensor, "label": str}})

    ragged = tf.ragged.constant([[1.0], [2.0, 3.0]])
    line = Line(tf.constant(2.0), "mine")

    def through(function: Any, value: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(value.flat_values)
            y = tf.reduce_sum(function(value).flat_values ** 2)
        return tape.gradient(y, value.flat_values)

    return {
        "identity": lambda: [tf.identity(line).slope, tf.identity(line).label],
        "stopped": lambda: [tf.stop_gradient(line).slope, tf.stop_gradient(line).label],
        "gradient past an identity": lambda: through(tf.identity, ragged),
        "gradient past a stop": lambda: through(tf.stop_gradient, ragged),
    }

