"""Writes of parts of variables, eagerly and in functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import either, raises
from tests.golden.programs.refused_writes import START, parts, results

FACE = "v2"
_IN_GRAPHS = ("operation", "no value", "gradient", "eval", "group", "no such method")


def _answers(tf: Any, in_function: bool) -> dict[str, Any]:
    def calls(v: Any) -> dict[str, Callable[[], Any]]:
        every = parts(tf, v) | {f"{label} after": call for label, call in results(tf.compat.v1, v).items()}
        return {label: call for label, call in every.items() if label.removesuffix(" after") not in _IN_GRAPHS}

    def run(label: str) -> Any:
        v = tf.Variable(START)
        found = tf.function(lambda: calls(v)[label]())() if in_function else calls(v)[label]()
        return [found.numpy(), v.numpy()]

    return {label: either(lambda label=label: run(label)) for label in calls(tf.Variable(START))}


def eagerly(tf: Any) -> dict[str, Any]:
    return _answers(tf, False)


def in_functions(tf: Any) -> dict[str, Any]:
    return _answers(tf, True)


def other_shapes(tf: Any) -> dict[str, Any]:
    """What does not fit is refused by the operation eagerly, and while a function is traced."""
    calls: dict[str, Callable[[Any], Any]] = {
        "assign": lambda v: v.assign([1.0]),
        "assign, another rank": lambda v: v.assign([[1.0, 2.0]]),
        "assign_add": lambda v: v.assign_add([1.0]),
        "assign_sub": lambda v: v.assign_sub([[1.0, 2.0]]),
        "assign_add of a number": lambda v: v.assign_add(1.0),
    }
    eager = {f"{name}, eagerly": raises(lambda call=call: call(tf.Variable([1.0, 2.0]))) for name, call in calls.items()}

    eager["nothing to begin with"] = raises(lambda: tf.Variable(None), "The `initial_value` arg to `tf.Variable` must be specified")
    eager["nothing, in a function"] = raises(
        tf.function(lambda: tf.Variable(None)), "must be a Tensor or a Python object convertible to a Tensor"
    )

    def traced(call: Callable[[Any], Any]) -> Callable[[], Any]:
        v = tf.Variable([1.0, 2.0])
        return lambda: tf.function(lambda: call(v))()

    return eager | {f"{name}, in a function": raises(traced(call)) for name, call in calls.items()}


def recorded(tf: Any) -> dict[str, Any]:
    """A tape sees what a part was before, and after it was written."""
    v = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = v[1:] * v[1:]
        v[0].assign(5.0)
        z = tf.reduce_sum(y) + v[0] * v[0]
    return {"gradient": lambda: tape.gradient(z, v)}
