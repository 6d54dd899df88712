"""What the picture of a native program shows: its parts, and which reads what another one made; loops, branches and runs as groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..pictures.diagram import Arrow, Diagram, Leaf
from .parts import ARGUMENTS, Part

if TYPE_CHECKING:
    from .explanation import Explanation

_RESULTS = "results"


def picture_of_program(program: Explanation) -> Diagram:
    """A diagram of a program: from its arguments to its results."""
    diagram = Diagram(f"the native program of {program.name}")
    first: dict[str, list[int]] = {}
    if any(ARGUMENTS in part.takes for part in program.parts):
        first[ARGUMENTS] = [_add(diagram, Leaf(ARGUMENTS, (), "source", "", "what the caller gives, and variables"))]
    _add_parts(diagram, program.parts, (), first)
    givers = [part.name for part in program.parts if part.gives]
    if givers:
        end = _add(diagram, Leaf(_RESULTS, (), "source", "", "what the caller gets, and what variables are given"))
        diagram.arrows += [Arrow(start, end, _words(diagram, start)) for name in givers for start in first[name]]
    return diagram


def _add(diagram: Diagram, leaf: Leaf) -> int:
    diagram.leaves.append(leaf)
    return len(diagram.leaves) - 1


def _add_parts(diagram: Diagram, parts: Sequence[Part], scope: tuple[str, ...], made: dict[str, list[int]]) -> list[int]:
    """Leaves for parts; those that others may read of, by name, go to `made`.  Returns the leaves that read nothing from beside them."""
    heads = []
    for number, part in enumerate(parts, 1):
        if part.inside:
            starts = _add_parts(diagram, part.inside, (*scope, f"{part.kind} {number}"), {**made})
            ends = [len(diagram.leaves) - 1]
        else:
            starts = ends = [_add(diagram, _leaf(part, scope))]
        makers = [maker for name in part.takes for maker in made.get(name, ())]
        diagram.arrows += [Arrow(maker, start, _words(diagram, maker)) for maker in makers for start in starts]
        heads += starts if not makers else []
        made[part.name] = ends
    return heads


def _leaf(part: Part, scope: tuple[str, ...]) -> Leaf:
    lines = [f"{part.kind} {part.shape}".strip(), part.what, *(f"{n} {name}" for name, n in part.functions)]
    lines += [f"reads {part.read:,} bytes, writes {part.written:,}, {part.flops:,} operations"] if part.read + part.written else []
    if part.each is not None:
        lines.append(
            f"{part.count:g} times, {part.each * 1e6:.3g} us each" + (f", {part.of_limit:.1f} of its limit" if part.of_limit else "")
        )
    kind = "passed" if part.kind == "call" else "operation"
    return Leaf(" ".join(part.operations) or part.what or part.kind, scope, kind, part.shape, "\n".join(filter(None, lines)))


def _words(diagram: Diagram, start: int) -> str:
    leaf = diagram.leaves[start]
    return f"of {leaf.label}" + (f": {leaf.note}" if leaf.note else "")
