"""Copies that nobody needs: an array that is only copied into another one is written there in the first place.

A stack of stacks asks for each inner one in memory of its own, and for a copy of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from .builder import Builder, Materialise, Step
from .index import strides
from .index_expr import Buffer, Dims, IndexExpr, Place, Reshape


def elide_copies(builder: Builder) -> None:
    """Let the steps that write to a temporary memory, which one step alone reads, to copy it, write to where that one would."""
    copies = [step for step in builder.steps if isinstance(step, Materialise) and _is_copy(step, builder)]
    if not copies:
        return
    writers: dict[Place, dict[Step, None]] = defaultdict(dict)
    for step in builder.steps:
        for place in step.writes:
            writers[place][step] = None
    readers = _count_readers(builder)
    moved: dict[Step, Step] = {}
    dropped: set[Step] = set()
    for copy in copies:
        (*views, source) = _views(copy.expr)
        assert isinstance(source, Buffer)
        if readers[source.place] > 1 or any(readers[view] > 1 for view in views):
            continue
        found = {step: _move_writer(step, copy, builder) for step in writers[source.place]}
        made = {step: new for step, new in found.items() if new is not None}
        if made and len(made) == len(found):
            moved.update(made)
            dropped.add(copy)
            del writers[copy.buffer.place][copy]
            writers[copy.buffer.place].update(dict.fromkeys(made.values()))
    builder.steps = [_follow(step, moved) for step in builder.steps if step not in dropped]


def _follow(step: Step, moved: dict[Step, Step]) -> Step:
    while step in moved:
        step = moved[step]
    return step


def _views(expr: IndexExpr) -> list[IndexExpr]:
    """An expression and what it is another shape of, down to what is none."""
    found = [expr]
    while isinstance(expr, Reshape):
        expr = expr.arg
        found.append(expr)
    return found


def _is_copy(step: Materialise, builder: Builder) -> bool:
    source, target = _views(step.expr)[-1], step.buffer.place
    if not isinstance(source, Buffer) or step.over or not source.size or not {source.place, target} <= builder.places:
        return False
    return source.place.kind == "temporary" and target.kind in ("temporary", "output")


def _count_readers(builder: Builder) -> Counter[IndexExpr | Place]:
    """How many expressions and steps read each expression, and each place."""
    found: Counter[IndexExpr | Place] = Counter()
    pending: list[IndexExpr] = []
    seen: set[IndexExpr] = set()

    def count_place(place: Place) -> None:
        found.update((place, *place.backing))

    def count(expr: IndexExpr, asked: bool) -> None:
        known = expr if isinstance(expr, Buffer) else None if asked else builder.realised.get(expr)
        if known is not None:
            count_place(known.place)
            return
        found[expr] += 1
        if expr not in seen:
            seen.add(expr)
            pending.append(expr)

    for step in builder.steps:
        if isinstance(step, Materialise):
            count(step.expr, True)
        else:
            for place in step.reads:
                count_place(place)
    while pending:
        for part in pending.pop().parts:
            count(part, False)
    for check in builder.checks:
        count_place(check.place)
    for scatter in builder.deferred:
        for place in (*scatter.reads, *scatter.writes):
            count_place(place)
    return found


def _move_writer(step: Step, copy: Materialise, builder: Builder) -> Materialise | None:
    """A step that writes to where a copy takes its values from, writing to where the copy puts them.

    None where that is no step that can, or where its values would not lie in steps there.
    """
    if not isinstance(step, Materialise) or step.over or not step.expr.size or step.expr in builder.realised:
        return None
    if step.buffer.dtype != copy.expr.dtype:  # its bytes are read as other numbers
        return None
    dims, to = _merge_axes(copy.expr.dims, copy.steps)
    apart = strides(dims)
    own = step.steps if step.steps is not None else strides(step.expr.dims)
    last = [step.offset // pace % n for pace, n in zip(apart, dims, strict=True)]
    offset = copy.offset + sum(i * pace for i, pace in zip(last, to, strict=True))
    paces = []
    for count, pace in zip(step.expr.dims, own, strict=True):
        axis = next(a for a in range(len(dims)) if apart[a] <= max(pace, 1))
        times, rest = divmod(pace, apart[axis])
        last[axis] += (count - 1) * times
        if count > 1 and (rest or last[axis] >= dims[axis]):
            return None
        paces.append(times * to[axis])
    return Materialise(step.expr, copy.buffer, paces, offset)


def _merge_axes(dims: Dims, steps: Sequence[int] | None) -> tuple[list[int], list[int]]:
    """Dims, and how far apart the elements are put along each, with as few axes as will do; the last one's elements lie in order."""
    sizes, paces = [1], [1]
    for n, pace in zip(reversed(dims), reversed(steps if steps is not None else strides(dims)), strict=True):
        if n == 1:
            continue
        if sizes == [1] or pace == sizes[0] * paces[0]:
            paces[0] = pace if sizes == [1] else paces[0]
            sizes[0] *= n
        else:
            sizes.insert(0, n)
            paces.insert(0, pace)
    return sizes, paces
