"""What a program computed elsewhere and kept for later: in an attribute of an object, or in a list or a dictionary.

A tape sees a tensor come in that no operation of its own made.  Which one it is tells the object that holds it; from what it was
computed tells the function that put it there.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator
from types import FrameType
from typing import Any, NamedTuple

from ..ir.node import is_inside, place_of
from ..ir.tensor import EagerTensor
from ..transforms.provenance import Key, Provenance
from .program import Member, Program, members_of, program_of, programs_of


class Cached(NamedTuple):
    """A tensor that was kept: what the program calls it, its number, and the line that computed it from the source."""

    name: str
    uid: int
    file: str
    line: int


def cached_of(frame: FrameType, source: str, ys: Collection[Key], found: Provenance) -> Cached | None:
    """What the targets are computed from that was computed from a source and kept.  source: its name in the frame."""
    came_in, files = _find_origins(ys, found)
    last = source.rpartition(".")[2]
    for member in members_of({**frame.f_globals, **frame.f_locals}):
        if not isinstance(member.held, EagerTensor) or member.held.uid not in came_in:
            continue
        for program, target in _programs(member, files, frame.f_globals):
            reads = {name for binding in program.bindings for name in binding.reads if name.rpartition(".")[2] == last}
            way = next(filter(None, (program.way(target, read, program.last) for read in sorted(reads))), None)
            if way:
                return Cached(member.name, member.held.uid, program.file, way[0].line)
    return None


def _find_origins(ys: Collection[Key], found: Provenance) -> tuple[set[Key], list[str]]:
    """The numbers of tensors that no operation made, of those behind the targets, and the files whose lines lead to the targets."""
    seen: set[Key] = set(ys)
    pending, files = list(ys), dict[str, None]()
    while pending:
        for step in found.makers.get(pending.pop(), ()):
            if step.source is not None:
                files[place_of(step.source)[0]] = None
            pending += [key for key in step.inputs if key not in seen]
            seen.update(step.inputs)
    return {key for key in seen if not found.makers.get(key)}, list(files)


def _programs(member: Member, files: Iterable[str], names: dict[str, Any]) -> Iterator[tuple[Program, str]]:
    """The pieces of a program that may have put a tensor there, and what it is called in each: methods of the class first."""
    for made in itertools.chain.from_iterable(vars(base).values() for base in (member.family.__mro__ if member.family else ())):
        code = getattr(getattr(made, "python_function", made), "__code__", None)
        program = program_of(code, names) if code is not None and not is_inside(code.co_filename) else None
        if program is not None:
            yield program, f"self.{member.name.rpartition('.')[2]}"
    for file in files:
        yield from ((program, member.holder if member.family is None else member.name) for program in programs_of(file, names))
