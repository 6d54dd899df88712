"""Why a gradient is None: the code of the cause, the place that decides, the sentence, and what to write instead.

`transforms.explain` follows the operations; here is what only a tape's clock or the text of the program tells: watched too late, outside
the tape, reassigned, out of the library.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any, NamedTuple

from ..ir.node import Node, Source, place_of
from ..ir.tensor import SymbolicTensor
from ..transforms.explain import Break, Ways, follow
from ..transforms.provenance import Key, Provenance, Step
from ..transforms.recording import Recording
from ..transforms.reverse import trainable
from .cached import cached_of
from .program import ALIKE, DATASETS, MAPS, SESSIONS, Binding, Program, program_at, program_of

Withheld = Callable[[], Sequence[tuple[Node, int]]]
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
    file, line = at if at is not None else _line_of(step.source if step is not None else None)
    remedy = REMEDIES[code].format(x=question.x_name or question.source, line=line, what=what)
    return Place(code, operation_of(step), file, line, message, remedy, step, index)


def operation_of(step: Step | None) -> str | None:
    """The type of a step's operation, as TensorFlow calls it."""
    if step is None:
        return None
    if step.op.types is None:
        return step.op.name
    return step.op.type_for(step.node.inputs) if step.node is not None else step.op.types[True]


def _line_of(source: Source | None) -> tuple[str | None, int | None]:
    return place_of(source)[:2] if source is not None else (None, None)


def causes_on_tape(question: Question, recording: Recording, found: Provenance, withheld: Withheld) -> list[Place]:
    """The places that break the ways from the targets to a source under a tape, the nearest to the targets first.

    withheld: gives the inputs that operations gave no cotangent for when they were asked.
    """
    x = question.x
    ways = follow(found, [y.uid for y in question.ys], x.uid)
    if ways.connected:
        order = {id(step): i for i, step in enumerate(found.steps)}
        unseen = _not_followed(question, recording, ways)
        decisive = [cut for cut in ways.breaks if unseen is None or not cut.is_of_shape]
        places = [(order[id(cut.step)], place_of_break(question, cut)) for cut in decisive]
        if unseen is not None:
            places.append((order[id(unseen.step)] if unseen.step is not None else -1, unseen))
        for node, index in () if places else withheld():
            step = next((one for one in found.steps if one.node is node), None)
            if step is not None:
                code = "custom gradient gave None" if node.op.name == "CustomGradient" or node.op.rules is None else "no derivative"
                places.append((order[id(step)], place_of_break(question, Break(code, step, index))))
        return [one for _, one in sorted(places, key=lambda pair: -pair[0])]
    return [_without_a_way(question, recording, found)]


def place_of_break(question: Question, cut: Break) -> Place:
    """A break that the operations tell, in words."""
    step = cut.step
    there = f"{operation_of(step)} at line {_line_of(step.source)[1]}" if step.source is not None else str(operation_of(step))
    x, y, by = question.source, question.target, _follower(question)
    messages = {
        "stop_gradient": f"{y} is computed from {x} through tf.stop_gradient ({there}), which holds its input constant.",
        "stopped by stop_gradients": f"the way from {y} to {x} leads through a tensor that stop_gradients holds constant ({there}).",
        "integer": f"{y} is computed from {x} through integers ({there}), and gradients flow through floating and complex tensors only.",
        "reassigned": f"{x} was stored in a variable ({there}) that {y} reads: what is stored in a variable carries no gradient.",
        "custom gradient gave None": f"the gradient function of a custom gradient on the way from {y} to {x} ({there}) gives None.",
        "left the library": f"on the way from {x} to {y} the value leaves the library ({there}), where no {by} can follow it.",
        "no derivative": f"{y} is computed from {x} through {there}, which has no derivative{_with_respect_to(cut)}.",
    }
    if cut.code == "integer":
        return _integer(question, step, cut.position, messages["integer"])
    found = place(question, cut.code, messages[cut.code], step, index=cut.position, what="the Python function")
    remedy = step.op.traits.remedies.no_derivative if cut.code == "no derivative" else ""
    return found._replace(remedy=remedy) if remedy else found


def _integer(question: Question, step: Step | None, index: int, otherwise: str) -> Place:
    """The place where there are integers: the source itself, or what is computed from it on the way."""
    dtype = (question.thing if hasattr(question.thing, "handle") else question.x).dtype.base_dtype
    if trainable(dtype):
        line = _line_of(step.source)[1] if step is not None else None
        what = "leave out the cast" if line is None else f"leave out the cast at line {line}"
        return place(question, "integer", otherwise, step, index=index, what=what)
    told = f"{question.source} is {dtype.name}, and gradients flow through floating and complex tensors only."
    found = place(question, "integer", told, step, index=index, what=f"make {question.x_name or question.source} tf.float32")
    name = None if step is None else _chooses(step, index)
    return found if name is None else found._replace(remedy=f"take the gradient of another input: {name!r} takes whole numbers only")


def _chooses(step: Step, index: int) -> str | None:
    """The name of a step's input if it can be no floating tensor: labels, indices, sizes; None of others."""
    op = step.op
    if op.variadic is not None or index >= len(op.inputs):
        return None
    spec = op.inputs[index]
    allowed = op.dtypes.get(spec.variable, ()) if spec.dtype is None else (spec.dtype,)
    return spec.name if allowed and not any(map(trainable, allowed)) else None


def _with_respect_to(cut: Break) -> str:
    op = cut.step.op
    if not op.rules or op.variadic is not None or len(op.inputs) < 2:
        return ""
    return f" with respect to its input {op.input_name(cut.position, len(cut.step.inputs))!r}"


def _not_followed(question: Question, recording: Recording, ways: Ways) -> Place | None:
    """The place of a source that an open way leads to, where the tape did not follow it."""
    x = question.x
    if not ways.users:
        return None
    since = recording.sources.get(x.uid)
    first, index = ways.users[-1]
    where = f"{operation_of(first)} at line {_line_of(first.source)[1]}"
    if since is None:
        return _not_watched(question, recording, first, index)
    if first.when < since:
        return place(
            question, "watched too late",
            f"{question.target} is computed from {question.source} by {where}, before tape.watch was called for it.", first, index=index,
        )  # fmt: skip
    return None


def _not_watched(question: Question, recording: Recording, step: Step | None, index: int = 0) -> Place:
    thing, x = question.thing, question.source
    if not trainable(thing.dtype.base_dtype):
        return _integer(question, step, index, "")
    if hasattr(thing, "handle"):
        if not thing.trainable:
            return place(question, "not trainable", f"{x} was made with trainable=False, so a tape does not watch it.", step, index=index)
        return place(
            question, "not watched",
            f"{x} is not watched: the tape was made with watch_accessed_variables=False and tape.watch was not called for it.", step,
            index=index,
        )  # fmt: skip
    replaced = _replaced(question)
    if replaced is not None:
        return replaced
    message = f"{x} is a tensor that the tape does not watch, and tapes watch by themselves only trainable variables."
    return place(question, "not watched", message, step, index=index)


def _program(question: Question) -> Program | None:
    return None if question.frame is None else program_at(question.frame)


def _replaced(question: Question) -> Place | None:
    """The place where another tensor got the name of a source that was a variable, or that was watched."""
    program, name = _program(question), question.x_name
    if program is None or name is None or hasattr(question.thing, "handle"):
        return None
    bound = [b for b in program.bindings if name in b.targets]
    makes = [b for b in bound if _makes_variable(b, question.frame)]
    watched = program.calls_of("watch", name)
    other = [b for b in bound if b not in makes and (makes or any(b.line > line for line in watched))]
    if not other or len(bound) < 2:
        return None
    line = other[-1].line
    was = "a variable" if makes else "watched"
    return place(question, "reassigned", f"the name {name} was given to another tensor at line {line}: what was {was} is the one before.",
                 at=(program.file, line))  # fmt: skip


def _makes_variable(binding: Binding, frame: FrameType | None) -> bool:
    """Whether a name is bound to what a class of variables makes, under its own name or one that the program gave it."""
    named = [] if frame is None else [frame.f_locals.get(name, frame.f_globals.get(name)) for name in binding.reads]
    return "Variable" in "".join(sorted(binding.reads)) or any(isinstance(one, type) and hasattr(one, "read_value") for one in named)


def _without_a_way(question: Question, recording: Recording, found: Provenance) -> Place:
    """The place where the tape loses the way: it saw no operation that leads from the source to a target."""
    told = _told_by_the_text(question, recording, found)
    if told is not None:
        return told
    outside = _outside(question, recording, found) or _kept_from_outside(question, recording, found)
    if outside is not None:
        return outside
    x, y = question.source, question.target
    maker = found.maker_of(t.uid for t in question.ys)
    thing = question.thing
    if not trainable(thing.dtype):
        return _not_watched(question, recording, maker)
    if hasattr(thing, "handle") and not thing.trainable and question.x.uid not in recording.sources:
        return _not_watched(question, recording, maker)
    at = None if maker is not None else _bound_at(question, apart=True)
    return place(question, "no path", f"{y} is not computed from {x}.", maker, at=at)


def _outside(question: Question, recording: Recording, found: Provenance) -> Place | None:
    """The place of a target that was made while the tape did not listen."""
    y = next((y for y in question.ys if not found.makers.get(y.uid)), None)
    if y is None or y.uid == question.x.uid or not recording.spans:
        return None
    when = _when_unheard(recording, y.uid)
    at = _bound_at(question) or _line_of(recording.source)
    return None if when is None else _outside_at(question, f"{question.target} was computed {when}.", at)


def _when_unheard(recording: Recording, uid: int) -> str | None:
    """When a tensor was made, in words, if the tape did not listen then."""
    passed = bisect.bisect(recording.spans, uid)
    if passed % 2 == 1:
        return None
    if passed == 0:
        return "before the tape began to record"
    return "after the tape had ended" if passed == len(recording.spans) else "while the tape was stopped"


def _outside_at(question: Question, message: str, at: tuple[str | None, int | None]) -> Place:
    found = place(question, "outside the tape", message, at=at)
    return found._replace(remedy=f"move line {at[1]} out of the block of stop_recording") if "stopped" in message else found


def _kept_from_outside(question: Question, recording: Recording, found: Provenance) -> Place | None:
    """The place where a value on the way was computed that an object kept until the tape came by."""
    if question.frame is None or question.x_name is None:
        return None
    kept = cached_of(question.frame, question.x_name, [y.uid for y in question.ys], found)
    when = _when_unheard(recording, kept.uid) if kept is not None else None
    if kept is None or when is None:
        return None
    message = f"{kept.name}, through which {question.target} is computed from {question.source}, was computed {when} (line {kept.line})."
    return _outside_at(question, message, (kept.file, kept.line))._replace(remedy=f"compute {kept.name} while the tape records")


def _bound_at(question: Question, apart: bool = False) -> tuple[str, int] | None:
    """The file and the last line that gave the name of the target a value.  apart: one that does not read the source, if there is."""
    program = _program(question)
    if program is None or question.y_name is None:
        return None
    bound = [b for b in program.bindings if question.y_name in b.targets]
    others = [b for b in bound if question.x_name not in b.reads] if apart else []
    return (program.file, (others or bound)[-1].line) if bound else None


def _told_by_the_text(question: Question, recording: Recording, found: Provenance) -> Place | None:
    """What the text of the program tells of the way from a target to the source: where it leaves the tape, or the library."""
    program = _program(question)
    if program is None or question.frame is None:
        return None
    return _later(question, program) or _lost(question, recording, found, program) or _renamed(question, program)


def _later(question: Question, program: Program) -> Place | None:
    """The place where a source was replaced by one that was made after the targets."""
    name, last = question.x_name, max(y.uid for y in question.ys)
    if name is None or question.x.uid < last:
        return None
    bound = [b for b in program.bindings if name in b.targets]
    if not bound or (len(bound) < 2 and "." not in name):
        return None
    line = bound[-1].line
    message = f"the name {name} was given to another value at line {line}, after {question.target} was computed."
    return place(question, "reassigned", message, at=(program.file, line))


def _renamed(question: Question, program: Program) -> Place | None:
    """The place where a source got its name, if a target was computed from what had the name before."""
    name, asked = question.x_name, question.frame.f_lineno if question.frame is not None else 0
    if name is None or question.y_name is None or hasattr(question.thing, "handle"):
        return None
    bound, way = program.binding_of(name, asked), program.way(question.y_name, name, asked)
    if bound is None or not way or way[-1].line >= bound.line or program.binding_of(name, bound.line - 1) is None:
        return None
    message = f"the name {name} was given to another value at line {bound.line}: {question.target} was computed from the one before."
    return place(question, "reassigned", message, at=(program.file, bound.line))


def place_of_a_number(question: Question, value: object) -> Place:
    """The place of a target that is a number of Python or NumPy and no tensor."""
    program = None if question.frame is None else program_at(question.frame)
    bound = program.binding_of(question.y_name, 10**9) if program is not None and question.y_name is not None else None
    if program is not None and bound is not None:
        for file, exit_ in program.exits_within(bound, bound.reads):
            return _left_at(question, exit_.what, (file, exit_.line))
    kind = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
    message = f"{question.target} is no tensor but {kind}: a number with no way back."
    found = place(question, "left the library", message, at=_bound_at(question))
    return found._replace(remedy="take the gradient of the tensor that it was computed from")


def told_of_a_graph(question: Question) -> Place | None:
    """What the text of the program tells of a source and targets in a graph that no operations connect."""
    program = None if question.frame is None else program_at(question.frame, SESSIONS)
    if program is None or question.frame is None or question.y_name is None or question.x_name is None:
        return None
    way = program.way(question.y_name, question.x_name.partition(".")[0], question.frame.f_lineno)
    steps = _with_names(question, way or ())
    return next(filter(None, (_left(question, one, program, names) for one, names in steps)), None) or _renamed(question, program)


def _lost(question: Question, recording: Recording, found: Provenance, program: Program) -> Place | None:
    assert question.frame is not None
    asked = question.frame.f_lineno
    if question.y_name is not None and question.x_name is not None:
        way = program.way(question.y_name, question.x_name.partition(".")[0], asked)
        block = _block(recording, program)
        for binding, names in _with_names(question, way or ()):
            place_ = _left(question, binding, program, names) or _beyond(question, binding, program, block)
            if place_ is not None:
                return place_
        if way is not None:
            return _left_nearby(question, found)
    elif question.x_name is None or question.y_name is None:
        return _left_nearby(question, found)
    return None


def _block(recording: Recording, program: Program) -> tuple[int, int] | None:
    """The lines of the tape's block, where it stands in the same piece of the program."""
    if recording.source is None:
        return None
    file, line, _ = place_of(recording.source)
    return program.block_at(line) if file == program.file else None


def _with_names(question: Question, way: Sequence[Binding]) -> Iterator[tuple[Binding, frozenset[str]]]:
    """The bindings of a way, each with the names through which it goes on to the source."""
    source = question.x_name or ""
    names = [*(one.targets for one in way[1:]), frozenset({source, source.partition(".")[0]})]
    return zip(way, names, strict=False)


def _left(question: Question, binding: Binding, program: Program, names: frozenset[str]) -> Place | None:
    for file, exit_ in program.exits_within(binding, names):
        return _left_at(question, exit_.what, (file, exit_.line))
    made = next(program.made_alike(binding.value), None) if binding.value is not None else None
    if made is not None:
        message = f"{question.target} takes only the shape of {question.source}, by {made.what} at line {made.line}."
        return place(question, "no derivative", message, at=(program.file, made.line))._replace(operation=ALIKE[made.what])
    if binding.value is not None and _makes_variable(binding, question.frame):
        line = binding.line
        message = f"{question.source} was stored in a variable at line {line}, and what is stored in a variable carries no gradient."
        return place(question, "reassigned", message, at=(program.file, line))
    return None


def _follower(question: Question) -> str:
    return "gradient" if isinstance(question.x, SymbolicTensor) else "tape"


def _left_at(question: Question, what: str, at: tuple[str, int]) -> Place:
    way = f"from {question.source} to {question.target}"
    message = f"on the way {way} the value leaves the library by {what} at line {at[1]}, where no {_follower(question)} can follow it."
    found = place(question, "left the library", message, at=at, what=what)
    if what in (".run()", ".eval()"):
        return found._replace(remedy=f"use the tensor itself, not the value that {what} gives")
    if what.removesuffix("()").rpartition(".")[2] in DATASETS:
        return found._replace(remedy="go through the rows of the tensor itself (tf.unstack, tf.map_fn)")
    if what.strip(".()") in MAPS:
        return found._replace(remedy="compute it from the elements of the dataset, in the block of the tape")
    return found


def _beyond(question: Question, binding: Binding, program: Program, block: tuple[int, int] | None) -> Place | None:
    if block is None or binding.is_alias or any(callable(program.names.get(name)) for name in binding.targets):
        return None
    first, last = block
    if binding.line < first:
        when = "before the tape began to record"
    elif binding.line > last:
        when = "after the tape had ended"
    elif any(a <= binding.line <= b for a, b in program.stopped_blocks()):
        when = "while the tape was stopped"
    else:
        return None
    name = ", ".join(sorted(binding.targets))
    through = name if name == question.target else f"{name}, through which {question.target} is computed from {question.source},"
    message = f"{through} was computed {when} (line {binding.line})."
    return _outside_at(question, message, (program.file, binding.line))


def _left_nearby(question: Question, found: Provenance) -> Place | None:
    """What leaves the library in the pieces of the program whose operations lead to the targets, the nearest line before."""
    seen: set[Key] = set()
    pending: list[Key] = [y.uid for y in question.ys]
    while pending:
        key = pending.pop(0)
        for step in found.makers.get(key, ()):
            if id(step) in seen:
                continue
            seen.add(id(step))
            pending += step.inputs
            inner = program_of(step.source[0], _globals(question)) if step.source else None
            if inner is None or step.source is None or not any(not found.makers.get(k) for k in step.inputs):
                continue
            line = place_of(step.source)[1]
            exits = inner.exits_behind(line)
            if exits:
                nearest = max(exits, key=lambda one: one.line)
                return _left_at(question, nearest.what, (inner.file, nearest.line))
    return None


def _globals(question: Question) -> dict[str, Any]:
    return {} if question.frame is None else question.frame.f_globals
