"""The places that a gradient's answer names: the code of the cause, the sentence, and what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType
from typing import Any, NamedTuple

from ..ir.node import Node, Source, place_of
from ..ir.tensor import SymbolicTensor
from ..transforms.provenance import Step

#: When a tensor was computed that a tape did not record.
BEFORE, AFTER, STOPPED = "before the tape began to record", "after the tape had ended", "while the tape was stopped"
#: What to write instead, by the code of the cause.
REMEDIES = {
    "no path": "compute the target from the source, or ask for zeros with unconnected_gradients='zero'",
    "not watched": "call tape.watch({x}) before the first operation on it, or make it a tf.Variable",
    "watched too late": "move tape.watch({x}) above line {line}",
    "outside the tape": "move line {line} into the block of the tape",
    "no derivative": "use a smooth operation in its place, or give it a gradient with tf.custom_gradient",
    "integer": "keep the tensors floating: {what}, and cast only what needs no gradient",
    "stop_gradient": "take tf.stop_gradient away where the gradient is wanted",
    "stopped by stop_gradients": "leave the tensor out of stop_gradients",
    "reassigned": "take the gradient with respect to what the target was computed from, and change variables with assign after the tape",
    "left the library": "use TensorFlow's function in place of {what}",
    "custom gradient gave None": "return a cotangent for it from the gradient function",
    "not trainable": "make the variable with trainable=True, or call tape.watch({x})",
}


class Place(NamedTuple):
    """A place that breaks the way from a target to a source: what it is, where, and in words why."""

    code: str
    operation: str | None
    file: str | None
    line: int | None
    message: str
    remedy: str
    step: Step | None = None
    position: int = 0
    node: Node | None = None


class Question(NamedTuple):
    """What is asked: the targets and the source, as tensors, with the words for them, and who asks."""

    ys: Sequence[Any]
    x: Any
    thing: Any
    target: str
    source: str
    frame: FrameType | None
    x_name: str | None
    y_name: str | None


def place(question: Question, code: str, message: str, step: Step | None = None, at: tuple[str | None, int | None] | None = None,
          index: int = 0, what: str = "") -> Place:  # fmt: skip
    """A place, its remedy filled in."""
    file, line = at if at is not None else line_of(step.source if step is not None else None)
    remedy = REMEDIES[code].format(x=question.x_name or question.source, line=line, what=what)
    return Place(code, operation_of(step), file, line, message, remedy, step, index)


def operation_of(step: Step | None) -> str | None:
    """The type of a step's operation, as TensorFlow calls it."""
    if step is None:
        return None
    if step.op.types is None:
        return step.op.name
    return step.op.type_for(step.node.inputs) if step.node is not None else step.op.types[True]


def line_of(source: Source | None) -> tuple[str | None, int | None]:
    """The file and the line of a step's source, None for both where it has none."""
    return place_of(source)[:2] if source is not None else (None, None)


def place_outside(question: Question, what: str, when: str, at: tuple[str | None, int | None], where: str = "") -> Place:
    """The place of a value that was computed before the tape or while it was stopped (`when`), with what is to be done about it."""
    found = place(question, "outside the tape", f"{what} was computed {when}{where}.", at=at)
    return found._replace(remedy=f"move line {at[1]} out of the block of stop_recording") if when is STOPPED else found


def place_on_the_way(question: Question, name: str, when: str, file: str, line: int) -> Place:
    """The place of a value through which a target is computed, by its name in the program, or of the target itself."""
    through = name if name == question.target else f"{name}, through which {question.target} is computed from {question.source},"
    return place_outside(question, through, when, (file, line), f" (line {line})")


def follower(question: Question) -> str:
    """What a message calls the thing that follows operations."""
    return "gradient" if isinstance(question.x, SymbolicTensor) else "tape"
