"""Causes that stand in the text of a program alone: names given anew, values out of the library, lines outside the tape's block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

from ..ir.node import place_of
from ..transforms.provenance import Key, Provenance
from ..transforms.recording import Recording
from .place import AFTER, BEFORE, STOPPED, Place, Question, follower, place, place_on_the_way
from .program import ALIKE, DATASETS, MAPS, SESSIONS, Binding, Program, program_at, program_of


def explain_by_text(question: Question, recording: Recording, found: Provenance) -> Place | None:
    """What the text of the program tells of the way from a target to the source: where it leaves the tape, or the library."""
    program = find_asking_program(question)
    if program is None or question.frame is None:
        return None
    return _find_replacement(question, program) or _find_loss(question, recording, found, program) or _find_renamed(question, program)


def place_of_a_number(question: Question, value: object) -> Place:
    """The place of a target that is a number of Python or NumPy and no tensor."""
    program = None if question.frame is None else program_at(question.frame)
    bound = program.binding_of(question.y_name, 10**9) if program is not None and question.y_name is not None else None
    if program is not None and bound is not None:
        for file, exit_ in program.exits_within(bound, bound.reads):
            return _explain_departure(question, exit_.what, (file, exit_.line))
    kind = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
    message = f"{question.target} is no tensor but {kind}: a number with no way back."
    found = place(question, "left the library", message, at=bound_at(question))
    return found._replace(remedy="take the gradient of the tensor that it was computed from")


def explain_graph(question: Question) -> Place | None:
    """What the text of the program tells of a source and targets in a graph that no operations connect."""
    program = None if question.frame is None else program_at(question.frame, SESSIONS)
    if program is None or question.frame is None or question.y_name is None or question.x_name is None:
        return None
    way = program.way(question.y_name, question.x_name.partition(".")[0], question.frame.f_lineno)
    steps = _pair_names(question, way or ())
    return next(filter(None, (_find_exit(question, one, program, names) for one, names in steps)), None) or _find_renamed(question, program)


def find_replaced(question: Question) -> Place | None:
    """The place where another tensor got the name of a source that was a variable, or that was watched."""
    program, name = find_asking_program(question), question.x_name
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


def bound_at(question: Question, apart: bool = False) -> tuple[str, int] | None:
    """The file and the last line that gave the name of the target a value.  apart: one that does not read the source, if there is."""
    program = find_asking_program(question)
    if program is None or question.y_name is None:
        return None
    bound = [b for b in program.bindings if question.y_name in b.targets]
    others = [b for b in bound if question.x_name not in b.reads] if apart else []
    return (program.file, (others or bound)[-1].line) if bound else None


def find_asking_program(question: Question) -> Program | None:
    """The source of the function that asks, where there is one."""
    return None if question.frame is None else program_at(question.frame)


def _makes_variable(binding: Binding, frame: FrameType | None) -> bool:
    """Whether a name is bound to what a class of variables makes, under its own name or one that the program gave it."""
    named = [] if frame is None else [frame.f_locals.get(name, frame.f_globals.get(name)) for name in binding.reads]
    return "Variable" in "".join(sorted(binding.reads)) or any(isinstance(one, type) and hasattr(one, "read_value") for one in named)


def _find_replacement(question: Question, program: Program) -> Place | None:
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


def _find_renamed(question: Question, program: Program) -> Place | None:
    """The place where a source got its name, if a target was computed from what had the name before."""
    name, asked = question.x_name, question.frame.f_lineno if question.frame is not None else 0
    if name is None or question.y_name is None or hasattr(question.thing, "handle"):
        return None
    bound, way = program.binding_of(name, asked), program.way(question.y_name, name, asked)
    if bound is None or not way or way[-1].line >= bound.line or program.binding_of(name, bound.line - 1) is None:
        return None
    message = f"the name {name} was given to another value at line {bound.line}: {question.target} was computed from the one before."
    return place(question, "reassigned", message, at=(program.file, bound.line))


def _find_loss(question: Question, recording: Recording, found: Provenance, program: Program) -> Place | None:
    assert question.frame is not None
    asked = question.frame.f_lineno
    if question.y_name is not None and question.x_name is not None:
        way = program.way(question.y_name, question.x_name.partition(".")[0], asked)
        block = _block(recording, program)
        for binding, names in _pair_names(question, way or ()):
            place_ = _find_exit(question, binding, program, names) or _explain_binding(question, binding, program, block)
            if place_ is not None:
                return place_
        if way is not None:
            return _find_departure(question, found)
    elif question.x_name is None or question.y_name is None:
        return _find_departure(question, found)
    return None


def _block(recording: Recording, program: Program) -> tuple[int, int] | None:
    """The lines of the tape's block, where it stands in the same piece of the program."""
    if recording.source is None:
        return None
    file, line, _ = place_of(recording.source)
    return program.block_at(line) if file == program.file else None


def _pair_names(question: Question, way: Sequence[Binding]) -> Iterator[tuple[Binding, frozenset[str]]]:
    """The bindings of a way, each with the names through which it goes on to the source."""
    source = question.x_name or ""
    names = [*(one.targets for one in way[1:]), frozenset({source, source.partition(".")[0]})]
    return zip(way, names, strict=False)


def _find_exit(question: Question, binding: Binding, program: Program, names: frozenset[str]) -> Place | None:
    for file, exit_ in program.exits_within(binding, names):
        return _explain_departure(question, exit_.what, (file, exit_.line))
    made = next(program.find_shape_calls(binding.value), None) if binding.value is not None else None
    if made is not None:
        message = f"{question.target} takes only the shape of {question.source}, by {made.what} at line {made.line}."
        return place(question, "no derivative", message, at=(program.file, made.line))._replace(operation=ALIKE[made.what])
    if binding.value is not None and _makes_variable(binding, question.frame):
        line = binding.line
        message = f"{question.source} was stored in a variable at line {line}, and what is stored in a variable carries no gradient."
        return place(question, "reassigned", message, at=(program.file, line))
    return None


def _explain_departure(question: Question, what: str, at: tuple[str, int]) -> Place:
    way = f"from {question.source} to {question.target}"
    message = f"on the way {way} the value leaves the library by {what} at line {at[1]}, where no {follower(question)} can follow it."
    found = place(question, "left the library", message, at=at, what=what)
    if what in (".run()", ".eval()"):
        return found._replace(remedy=f"use the tensor itself, not the value that {what} gives")
    if what.removesuffix("()").rpartition(".")[2] in DATASETS:
        return found._replace(remedy="go through the rows of the tensor itself (tf.unstack, tf.map_fn)")
    if what.strip(".()") in MAPS:
        return found._replace(remedy="compute it from the elements of the dataset, in the block of the tape")
    return found


def _explain_binding(question: Question, binding: Binding, program: Program, block: tuple[int, int] | None) -> Place | None:
    if block is None or binding.is_alias or any(callable(program.names.get(name)) for name in binding.targets):
        return None
    first, last = block
    if binding.line < first:
        when = BEFORE
    elif binding.line > last:
        when = AFTER
    elif any(a <= binding.line <= b for a, b in program.find_stopped_blocks()):
        when = STOPPED
    else:
        return None
    return place_on_the_way(question, ", ".join(sorted(binding.targets)), when, program.file, binding.line)


def _find_departure(question: Question, found: Provenance) -> Place | None:
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
                return _explain_departure(question, nearest.what, (inner.file, nearest.line))
    return None


def _globals(question: Question) -> dict[str, Any]:
    return {} if question.frame is None else question.frame.f_globals
