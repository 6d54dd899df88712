"""Why a gradient is None: the place that decides.

`transforms.explain` follows the operations, and `text_causes` reads the text of the program; here is what only a tape's clock tells beside
them: watched too late, outside the tape.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence

from ..ir.node import Node
from ..transforms.explain import Break, Ways, follow
from ..transforms.provenance import Provenance, Step
from ..transforms.recording import Recording
from ..transforms.reverse import is_trainable
from .cached import cached_of
from .place import AFTER, BEFORE, STOPPED, Place, Question, follower, line_of, operation_of, place, place_on_the_way, place_outside
from .text_causes import bound_at, explain_by_text, find_replaced

Withheld = Callable[[], Sequence[tuple[Node, int]]]


def causes_on_tape(question: Question, recording: Recording, found: Provenance, withheld: Withheld) -> list[Place]:
    """The places that break the ways from the targets to a source under a tape, the nearest to the targets first.

    withheld: gives the inputs that operations gave no cotangent for when they were asked.
    """
    x = question.x
    ways = follow(found, [y.uid for y in question.ys], x.uid)
    if ways.connected:
        order = {id(step): i for i, step in enumerate(found.steps)}
        unseen = _find_unfollowed(question, recording, ways)
        decisive = [cut for cut in ways.breaks if unseen is None or not cut.is_of_shape]
        places = [(order[id(cut.step)], place_of_break(question, cut)) for cut in decisive]
        if unseen is not None:
            places.append((order[id(unseen.step)] if unseen.step is not None else -1, unseen))
        for node, index in () if places else withheld():
            step = next((one for one in found.steps if one.node is node), None)
            if step is not None:
                code = (
                    "custom gradient gave None"
                    if node.primitive.name == "CustomGradient" or node.primitive.rules is None
                    else "no derivative"
                )
                places.append((order[id(step)], place_of_break(question, Break(code, step, index))))
        return [one for _, one in sorted(places, key=lambda pair: -pair[0])]
    return [_explain_lost_way(question, recording, found)]


def place_of_break(question: Question, cut: Break) -> Place:
    """A break that the operations tell, in words."""
    step = cut.step
    there = f"{operation_of(step)} at line {line_of(step.source)[1]}" if step.source is not None else str(operation_of(step))
    x, y, by = question.source, question.target, follower(question)
    messages = {
        "stop_gradient": f"{y} is computed from {x} through tf.stop_gradient ({there}), which holds its input constant.",
        "stopped by stop_gradients": f"the way from {y} to {x} leads through a tensor that stop_gradients holds constant ({there}).",
        "integer": f"{y} is computed from {x} through integers ({there}), and gradients flow through floating and complex tensors only.",
        "reassigned": f"{x} was stored in a variable ({there}) that {y} reads: what is stored in a variable carries no gradient.",
        "custom gradient gave None": f"the gradient function of a custom gradient on the way from {y} to {x} ({there}) gives None.",
        "left the library": f"on the way from {x} to {y} the value leaves the library ({there}), where no {by} can follow it.",
        "no derivative": f"{y} is computed from {x} through {there}, which has no derivative{_name_input(cut)}.",
    }
    if cut.code == "integer":
        return _integer(question, step, cut.position, messages["integer"])
    found = place(question, cut.code, messages[cut.code], step, index=cut.position, what="the Python function")
    remedy = step.op.traits.remedies.no_derivative if cut.code == "no derivative" else ""
    return found._replace(remedy=remedy) if remedy else found


def _integer(question: Question, step: Step | None, index: int, otherwise: str) -> Place:
    """The place where there are integers: the source itself, or what is computed from it on the way."""
    dtype = (question.thing if hasattr(question.thing, "handle") else question.x).dtype.base_dtype
    if is_trainable(dtype):
        line = line_of(step.source)[1] if step is not None else None
        what = "leave out the cast" if line is None else f"leave out the cast at line {line}"
        return place(question, "integer", otherwise, step, index=index, what=what)
    told = f"{question.source} is {dtype.name}, and gradients flow through floating and complex tensors only."
    found = place(question, "integer", told, step, index=index, what=f"make {question.x_name or question.source} tf.float32")
    name = None if step is None else _name_choice(step, index)
    return found if name is None else found._replace(remedy=f"take the gradient of another input: {name!r} takes whole numbers only")


def _name_choice(step: Step, index: int) -> str | None:
    """The name of a step's input if it can be no floating tensor: labels, indices, sizes; None of others."""
    op = step.op
    if op.variadic is not None or index >= len(op.inputs):
        return None
    spec = op.inputs[index]
    allowed = op.dtypes.get(spec.variable, ()) if spec.dtype is None else (spec.dtype,)
    return spec.name if allowed and not any(map(is_trainable, allowed)) else None


def _name_input(cut: Break) -> str:
    op = cut.step.op
    if not op.rules or op.variadic is not None or len(op.inputs) < 2:
        return ""
    return f" with respect to its input {op.input_name(cut.position, len(cut.step.inputs))!r}"


def _find_unfollowed(question: Question, recording: Recording, ways: Ways) -> Place | None:
    """The place of a source that an open way leads to, where the tape did not follow it."""
    x = question.x
    if not ways.users:
        return None
    since = recording.sources.get(x.uid)
    first, index = ways.users[-1]
    where = f"{operation_of(first)} at line {line_of(first.source)[1]}"
    if since is None:
        return _explain_unwatched(question, recording, first, index)
    if first.when < since:
        return place(
            question, "watched too late",
            f"{question.target} is computed from {question.source} by {where}, before tape.watch was called for it.", first, index=index,
        )  # fmt: skip
    return None


def _explain_unwatched(question: Question, recording: Recording, step: Step | None, index: int = 0) -> Place:
    thing, x = question.thing, question.source
    if not is_trainable(thing.dtype.base_dtype):
        return _integer(question, step, index, "")
    if hasattr(thing, "handle"):
        if not thing.trainable:
            return place(question, "not trainable", f"{x} was made with trainable=False, so a tape does not watch it.", step, index=index)
        return place(
            question, "not watched",
            f"{x} is not watched: the tape was made with watch_accessed_variables=False and tape.watch was not called for it.", step,
            index=index,
        )  # fmt: skip
    given_anew = find_replaced(question)
    if given_anew is not None:
        return given_anew
    message = f"{x} is a tensor that the tape does not watch, and tapes watch by themselves only trainable variables."
    return place(question, "not watched", message, step, index=index)


def _explain_lost_way(question: Question, recording: Recording, found: Provenance) -> Place:
    """The place where the tape loses the way: it saw no operation that leads from the source to a target."""
    told = explain_by_text(question, recording, found)
    if told is not None:
        return told
    outside = _explain_outside(question, recording, found) or _find_kept_outside(question, recording, found)
    if outside is not None:
        return outside
    x, y = question.source, question.target
    maker = found.maker_of(t.uid for t in question.ys)
    thing = question.thing
    if not is_trainable(thing.dtype):
        return _explain_unwatched(question, recording, maker)
    if hasattr(thing, "handle") and not thing.trainable and question.x.uid not in recording.sources:
        return _explain_unwatched(question, recording, maker)
    at = None if maker is not None else bound_at(question, apart=True)
    return place(question, "no path", f"{y} is not computed from {x}.", maker, at=at)


def _explain_outside(question: Question, recording: Recording, found: Provenance) -> Place | None:
    """The place of a target that was made while the tape did not listen."""
    y = next((y for y in question.ys if not found.makers.get(y.uid)), None)
    if y is None or y.uid == question.x.uid or not recording.spans:
        return None
    when = _describe_when(recording, y.uid)
    at = bound_at(question) or line_of(recording.source)
    return None if when is None else place_outside(question, question.target, when, at)


def _describe_when(recording: Recording, uid: int) -> str | None:
    """When a tensor was made, in words, if the tape did not listen then."""
    passed = bisect.bisect(recording.spans, uid)
    if passed % 2 == 1:
        return None
    return BEFORE if passed == 0 else AFTER if passed == len(recording.spans) else STOPPED


def _find_kept_outside(question: Question, recording: Recording, found: Provenance) -> Place | None:
    """The place where a value on the way was computed that an object kept until the tape came by."""
    if question.frame is None or question.x_name is None:
        return None
    kept = cached_of(question.frame, question.x_name, [y.uid for y in question.ys], found)
    when = _describe_when(recording, kept.uid) if kept is not None else None
    if kept is None or when is None:
        return None
    found_there = place_on_the_way(question, kept.name, when, kept.file, kept.line)
    return found_there._replace(remedy=f"compute {kept.name} while the tape records")
