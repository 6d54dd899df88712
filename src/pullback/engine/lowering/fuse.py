"""Fusion: which results are computed in the same loops, and which values are computed again rather than kept.

Results over the same index space share a kernel when none needs another's at a different index; what several of them read is then
computed once.  Reductions are kept in memory for whoever reads them.  A value that several kernels need is kept when computing it
again would cost more than a few plain operations.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...base.lazy_import import LazyModule
from .builder import Block, Builder, Materialise, Point, Scatter, Step
from .copy_elision import elide_copies
from .index import NotLinear
from .index_expr import Buffer, Dims, Gather, IndexExpr, Pointwise, Reduce
from .kernel import Kernel, Memory, Target, build
from .materialise import choose_cuts, choose_kept_values, list_reachable, order_below, overlap_much
from .repeats import choose_repeated

if TYPE_CHECKING:
    from . import alike
else:  # few kernels have so many results
    alike = LazyModule("pullback.engine.lowering.alike")

#: How many expressions a kernel computes at most, and the kernels of a program that has many more: LLVM's time is not linear in a kernel's
#: size, and equal pieces are compiled once (`code.repeated`).
_LARGEST, _PIECE = 2048, 512
#: How many results of one kernel may be worth kernels of their own.
_FEWEST_ALIKE = 8


class Group:
    """Results that share a kernel."""

    __slots__ = ("axes", "computed", "kernel", "reads", "space", "targets")

    def __init__(self, space: Dims, axes: tuple[int, ...]) -> None:
        self.space, self.axes = space, axes
        self.targets: list[Materialise] = []
        self.reads: set[Any] = set()
        self.computed: set[IndexExpr] = set()
        self.kernel: Kernel | None = None


def fuse_steps(builder: Builder) -> list[Group | Block]:
    """The steps in an order they can run in, those that share loops together, each group with its kernel."""
    elide_copies(builder)
    _keep_what_must_be(builder)
    _insert(builder, choose_repeated([expr for (expr,) in _roots(builder)], builder.realised))
    each = _roots(builder)
    while overlap_much(each, builder.realised) and (shared := choose_kept_values(each, builder.realised)):
        _insert(builder, shared)
        each = _roots(builder)
    most = _LARGEST if len(order_below(each, builder.realised)) <= 2 * _LARGEST else _PIECE
    _insert(builder, choose_cuts([expr for (expr,) in each], builder.realised, most))
    while True:
        _keep_what_must_be(builder)
        order = _group_steps(builder, most)
        shared = choose_kept_values([[step.expr for step in g.targets] for g in order if isinstance(g, Group)], builder.realised)
        if not shared:
            shared = _build_kernels(order, builder)
            if not shared:
                return order
        _insert(builder, shared)


def _roots(builder: Builder) -> list[list[IndexExpr]]:
    return [[step.expr] for step in builder.steps if isinstance(step, Materialise)]


def _key(expr: IndexExpr) -> tuple[Dims, tuple[int, ...]]:
    return (expr.arg.dims, expr.axes) if isinstance(expr, Reduce) else (expr.dims, ())


# ---- what must be in memory


def _keep_what_must_be(builder: Builder) -> None:
    """Put reductions and the tables of gathers in memory before whoever reads them."""
    wanted: list[Any] = []
    done: set[IndexExpr] = set()
    for step in builder.steps:
        if isinstance(step, Materialise) and not step.expr.size:
            continue
        if isinstance(step, Materialise):
            inner, seen = _inner_roots(step.expr, builder.realised, done)
            for expr in inner:
                buffer = builder.realised[expr] = builder.temporary(expr.dims, expr.dtype)
                wanted.append(Materialise(expr, buffer))
            for expr in seen:
                if isinstance(expr, Gather) and expr.table in builder.realised:  # if not, the gather is in memory by a step of its own
                    expr.table = builder.realised[expr.table]
        wanted.append(step)
    builder.steps = wanted


def _inner_roots(root: IndexExpr, realised: dict[IndexExpr, Buffer], done: set[IndexExpr]) -> tuple[list[IndexExpr], list[IndexExpr]]:
    """The reductions and tables that `root` reads and that are not in memory, innermost first; and all expressions that were looked at.

    done: expressions that were looked at for another root, below which nothing is left to find; grows.
    """
    found: dict[IndexExpr, None] = {}
    seen: list[IndexExpr] = []
    pending: list[tuple[IndexExpr, bool]] = [(root, False)]
    while pending:
        expr, ready = pending.pop()
        if ready:
            if expr is not root and isinstance(expr, Reduce):
                found[expr] = None
            if isinstance(expr, Gather) and not isinstance(expr.table, Buffer) and expr.table not in realised:
                found[expr.table] = None
            continue
        if expr is not root and (expr in done or expr in realised):
            continue
        seen.append(expr)
        if expr is not root:
            done.add(expr)
        pending.append((expr, True))
        pending += [(part, False) for part in expr.parts]
    return list(found), seen


# ---- grouping


class _Places:
    """Where the groups of one index space stand, by the axes they reduce: the first that a step may join is found by bisection."""

    def __init__(self) -> None:
        self._all: list[int] = []
        self._by_axes: dict[tuple[int, ...], list[int]] = {}

    def add(self, place: int, axes: tuple[int, ...]) -> None:
        """A new group, behind all others."""
        self._all.append(place)
        self._by_axes.setdefault(axes, []).append(place)

    def find(self, axes: tuple[int, ...], first: int) -> int | None:
        """The first group from `first` on that reduces `axes`, or that may: one that reduces nothing."""
        lists = [self._all] if not axes else [self._by_axes.get(own, []) for own in (axes, ())]
        found = [places[at] for places in lists if (at := bisect_left(places, first)) < len(places)]
        return min(found, default=None)

    def move(self, place: int, axes: tuple[int, ...]) -> None:
        """A group that reduced nothing reduces `axes` from now on."""
        self._drop(self._by_axes[()], place)
        insort(self._by_axes.setdefault(axes, []), place)

    def close(self, place: int, axes: tuple[int, ...]) -> None:
        """A group takes no more steps."""
        self._drop(self._all, place)
        self._drop(self._by_axes[axes], place)

    @staticmethod
    def _drop(places: list[int], place: int) -> None:
        del places[bisect_left(places, place)]


def _group_steps(builder: Builder, most: int) -> list[Group | Block]:
    """The steps in order, those that can share loops together, as long as a group computes no more than `most` expressions."""
    order: list[Group | Block] = []
    at: dict[Any, int] = {}
    same: dict[Dims, _Places] = {}
    reads = {step: _find_reads(step, builder) for step in builder.steps if isinstance(step, Materialise)}
    for step in _order_steps(builder, reads):
        if not isinstance(step, Materialise):
            order.append(step)
            at.update((place, len(order) - 1) for place in step.writes)
            continue
        near, far, computed = reads[step]
        first = max((at.get(place, -1) + 1 for place in far), default=0)
        first = max([first, *(at.get(place, -1) for place in near)])
        first = max(first, at.get(step.buffer.place, -1) + 1) if step.over else first
        place = _place_step(step, order, same, first, computed, most)
        group = order[place]
        assert isinstance(group, Group)
        group.computed |= computed
        group.targets.append(step)
        group.reads |= near | far
        at[step.buffer.place] = max(place, at.get(step.buffer.place, place))
    return [part for found in order for part in (_part_group(found, reads, builder.realised) if isinstance(found, Group) else [found])]


def _part_group(
    group: Group, reads: Mapping[Any, tuple[set[Any], set[Any], set[IndexExpr]]], realised: Mapping[IndexExpr, Buffer]
) -> list[Group]:
    """A group, or those that it falls into."""
    if len(group.targets) < _FEWEST_ALIKE:
        return [group]
    parts = alike.split_steps(group.targets, realised, len(group.computed) * math.prod(group.space), _FEWEST_ALIKE)
    if len(parts) == 1:
        return [group]
    made = []
    for steps in parts:
        axes = next((step.expr.axes for step in steps if isinstance(step.expr, Reduce)), ())
        part = Group(group.space, axes)
        part.targets, part.computed = steps, set().union(*(reads[step][2] for step in steps))
        part.reads = set().union(*(places for step in steps for places in reads[step][:2]))
        made.append(part)
    return made


def _order_steps(builder: Builder, reads: Mapping[Any, tuple[set[Any], set[Any], set[IndexExpr]]]) -> list[Step]:
    """The steps, each after those that write what it `reads`; otherwise in the order they were asked for.

    Where the new elements of stacks will be is found out first, so that what computes them writes them there.
    """
    writers, before = _writers(builder.steps)
    found: dict[Step, None] = {}
    asked = sorted(builder.steps, key=lambda step: not isinstance(step, Point) or step.cursor is not None)
    pending: list[tuple[Step, bool]] = [(step, False) for step in reversed(asked)]
    while pending:
        step, ready = pending.pop()
        if step in found:
            continue
        if ready:
            found[step] = None
            continue
        pending.append((step, True))
        places = set().union(*reads[step][:2]) if isinstance(step, Materialise) else step.reads
        waits = [w for place in places for w in writers.get(place, ()) if w is not step]
        pending += [(w, False) for w in reversed([*waits, *before.get(step, ())]) if w not in found]
    return list(found)


def _writers(every: Iterable[Step]) -> tuple[dict[Any, list[Step]], dict[Step, list[Step]]]:
    """The steps that a reader of a place waits for, by place; and what a step that goes over others' results waits for.

    Such a step stands for those it waits for: a place that is put together of n parts has a chain of n steps and not n * n waits.
    """
    writers: dict[Any, list[Step]] = {}
    before: dict[Step, list[Step]] = {}
    for step in every:
        goes_over = isinstance(step, Scatter) or step.over
        for i, place in enumerate(step.writes):
            known = writers.setdefault(place, [])
            if goes_over and i == 0:
                before[step] = list(known)
                known.clear()
            known.append(step)
    return writers, before


def _place_step(
    step: Materialise, order: list[Group | Block], same: dict[Dims, _Places], first: int, computed: set[IndexExpr], most: int
) -> int:
    """The place of the group that takes a step: one with the same loops that is not before what the step reads, or a new one.

    A group that would compute more than `most` expressions takes no steps any more.
    """
    space, axes = _key(step.expr)
    known = same.setdefault(space, _Places())
    while (place := known.find(axes, first)) is not None:
        group = order[place]
        assert isinstance(group, Group)
        if group.targets and len(group.computed) + len(computed - group.computed) > most:
            known.close(place, group.axes)
            continue
        if axes and not group.axes:
            known.move(place, axes)
            group.axes = axes
        return place
    order.append(Group(space, axes))
    known.add(len(order) - 1, axes)
    return len(order) - 1


def _find_reads(step: Materialise, builder: Builder) -> tuple[set[Any], set[Any], set[IndexExpr]]:
    """The places that a step reads: those only at the index where it writes (a value of the same kernel will do), and the others.

    And the expressions it goes through.
    """
    near: set[Any] = set()
    far: set[Any] = set()
    root = step.expr.arg if isinstance(step.expr, Reduce) else step.expr
    pending: list[tuple[IndexExpr, bool]] = [(root, True)]
    seen: set[tuple[IndexExpr, bool]] = set()
    while pending:
        item = pending.pop()
        if item in seen:
            continue
        seen.add(item)
        expr, same = item
        if isinstance(expr, Buffer):
            far.update(expr.place.backing if expr.place.kind == "word" else (expr.place,))
            continue
        if expr in builder.realised and expr is not step.expr:
            exact = same and not isinstance(expr, Reduce) and builder.realised[expr].dims == expr.dims
            (near if exact else far).add(builder.realised[expr].place)
            continue
        pending += [(part, same and isinstance(expr, Pointwise)) for part in expr.parts]
    return near - far, far, {expr for expr, _ in seen}


# ---- what is kept


def _insert(builder: Builder, shared: list[IndexExpr]) -> None:
    """Ask for expressions to be put in memory, before the first step that reads them."""
    left = dict.fromkeys(shared)
    wanted: list[Any] = []
    seen: set[IndexExpr] = set()
    for step in builder.steps:
        if isinstance(step, Materialise) and left:
            read = [expr for expr in list_reachable(step.expr, builder.realised, seen) if expr in left]
            for expr in reversed(read):
                if expr is not step.expr or expr not in builder.realised:
                    buffer = builder.realised[expr] = builder.temporary(expr.dims, expr.dtype)
                    wanted.append(Materialise(expr, buffer))
                del left[expr]
        wanted.append(step)
    builder.steps = wanted


# ---- kernels


def _memory_of_others(realised: Mapping[IndexExpr, Buffer], own: set[Any]) -> Memory:
    """The expressions that are in memory when a group runs: all but those it puts there itself."""

    def find(expr: IndexExpr) -> Buffer | None:
        buffer = realised.get(expr)
        return None if buffer is None or buffer.place in own else buffer

    return find


def _build_kernels(order: list[Group | Block], builder: Builder) -> list[IndexExpr]:
    """Make the kernel of each group; gives the expressions that must be in memory first for that."""
    refused: dict[IndexExpr, None] = {}
    for group in order:
        if isinstance(group, Group):
            memory = _memory_of_others(builder.realised, {step.buffer.place for step in group.targets})
            targets = [Target(step.expr, step.buffer, step.steps, step.offset) for step in group.targets]
            try:
                group.kernel = build(group.space, group.axes, targets, memory)
            except NotLinear as error:
                refused[error.args[0]] = None
    return list(refused)
