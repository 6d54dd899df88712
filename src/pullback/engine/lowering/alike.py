"""Results that could share a kernel, and do the same with memory of their own: each in a kernel of its own, as those are compiled once.

The parameters that an optimizer updates are many, and most are small.  A kernel of all has code for each, which LLVM takes a millisecond
for; equal kernels are one function that is called for each (`emission.repeated`), at some nanoseconds a call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence

from .blocks import Materialise
from .index_expr import Affine, Buffer, Gather, IndexExpr, Iota, Pointwise, Reduce, Scalar

#: The values of a kernel, at all indices, that keep more than one thread busy.
_MOST_VALUES = 100_000

Realised = Mapping[IndexExpr, Buffer]


def split_steps(steps: Sequence[Materialise], realised: Realised, values: int, fewest: int) -> list[list[Materialise]]:
    """The steps of a kernel that computes so many values at all indices, in those for kernels of their own and (last) all others.

    fewest: how many that are alike are worth it.
    """
    if values > _MOST_VALUES or any(step.over for step in steps):
        return [[*steps]]
    found: dict[Hashable, list[list[Materialise]]] = defaultdict(list)
    for together in _connect_steps(steps, realised):
        found[_kind(together, realised)].append(together)
    alone = [together for several in found.values() if len(several) >= fewest for together in several]
    others = [step for several in found.values() if len(several) < fewest for together in several for step in together]
    return [*alone, *([others] if others else [])]


def _collect_below(step: Materialise, realised: Realised, seen: set[IndexExpr]) -> list[IndexExpr]:
    """What is computed for a step, each after what it is made of; what is in memory stands for itself. seen: what is left out; grows."""
    found: list[IndexExpr] = []
    pending = [(step.expr, False)]
    while pending:
        expr, ready = pending.pop()
        if ready:
            found.append(expr)
        elif expr not in seen:
            seen.add(expr)
            pending.append((expr, True))
            if expr is step.expr or expr not in realised:
                pending += [(part, False) for part in expr.parts]
    return found


def _connect_steps(steps: Sequence[Materialise], realised: Realised) -> Iterable[list[Materialise]]:
    """The steps, those together that read each other's results, or the same memory; single numbers that none of them makes are no such."""
    parent = list(range(len(steps)))

    def find_root(i: int) -> int:
        while parent[i] != i:
            parent[i] = i = parent[parent[i]]
        return i

    owner: dict[object, int] = {}
    large: set[IndexExpr] = set()
    written = {place for step in steps for place in (step.buffer.place, *step.buffer.place.backing)}
    for i, step in enumerate(steps):
        seen: set[IndexExpr] = set()
        shared: list[object] = [step.buffer.place, *step.buffer.place.backing]
        for expr in _collect_below(step, realised, seen):
            held = expr if isinstance(expr, Buffer) else realised.get(expr) if expr is not step.expr else None
            if held is not None:
                places = (held.place, *held.place.backing)
                shared += places if held.size > 1 else [place for place in places if place in written]
            if held is not None and held.size > 1:
                large.add(expr)
            elif held is None and (isinstance(expr, Iota) or any(part in large for part in expr.parts)):
                shared.append(expr)
                large.add(expr)
        for key in shared:
            parent[find_root(i)] = find_root(owner.setdefault(key, i))
    groups: dict[int, list[Materialise]] = defaultdict(list)
    for i, step in enumerate(steps):
        groups[find_root(i)].append(step)
    return groups.values()


def _kind(steps: Sequence[Materialise], realised: Realised) -> Hashable:
    """What steps compute, with the places and values that they read numbered in the order in which they come up."""
    places: dict[object, int] = {}
    number: dict[IndexExpr, int] = {}
    lines: list[Hashable] = []
    seen: set[IndexExpr] = set()
    for step in steps:
        for expr in _collect_below(step, realised, seen):
            held = expr if isinstance(expr, Buffer) else realised.get(expr) if expr is not step.expr else None
            number[expr] = len(number)
            if held is not None:
                lines.append((held.dims, held.dtype, places.setdefault(held.place, len(places)), expr.dims))
            else:
                lines.append((type(expr), expr.dims, expr.dtype, _describe_expr(expr), tuple([number[part] for part in expr.parts])))
        place = places.setdefault(step.buffer.place, len(places))
        lines.append((place, step.buffer.dims, step.buffer.dtype, tuple(step.steps or ()), step.offset, number[step.expr]))
    return tuple(lines)


def _describe_expr(expr: IndexExpr) -> Hashable:
    """What an expression says besides what it is made of."""
    if isinstance(expr, Pointwise):
        return expr.function
    if isinstance(expr, Scalar):
        return expr.value.tobytes()
    if isinstance(expr, Affine):
        return expr.rows, repr(expr.fill)
    if isinstance(expr, Reduce):
        return expr.kind, expr.axes
    if isinstance(expr, Iota):
        return expr.axis
    if isinstance(expr, Gather):
        return expr.rows, repr(expr.fill), tuple([i is None for i in expr.indices])
    return None
