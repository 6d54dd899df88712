"""Fusion: which results are computed in the same loops, and which values are computed again rather than kept.

Results over the same index space share a kernel when none needs another's at a different index; what several of them read is then
computed once.  Reductions are kept in memory for whoever reads them.  A value that several kernels need is kept when computing it
again would cost more than a few plain operations.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .builder import Block, Materialise, Point, Scatter, Step, Steps
from .convolution import Convolution
from .index import NotLinear
from .index_expr import Buffer, Dims, Form, Gather, Pointwise, Reduce
from .kernel import Kernel, Target, build
from .materialise import below_first, overlap_much, reachable, where_to_cut, worth_keeping

#: How many forms a kernel computes at most, and the kernels of a program that has many more: LLVM's time is not linear in a kernel's size,
#: and equal pieces are compiled once (`code.repeated`).
_LARGEST, _PIECE = 2048, 512


class Group:
    """Results that share a kernel."""

    __slots__ = ("axes", "kernel", "reads", "size", "space", "targets")

    def __init__(self, space: Dims, axes: tuple[int, ...]) -> None:
        self.space, self.axes, self.size = space, axes, 0
        self.targets: list[Materialise] = []
        self.reads: set[Any] = set()
        self.kernel: Kernel | None = None


def fused(steps: Steps) -> list[Group | Block]:
    """The steps in an order they can run in, those that share loops together, each group with its kernel."""
    _keep_what_must_be(steps)
    each = _roots(steps)
    while overlap_much(each, steps.realised) and (shared := worth_keeping(each, steps.realised)):
        _insert(steps, shared)
        each = _roots(steps)
    most = _LARGEST if len(below_first(each, steps.realised)) <= 2 * _LARGEST else _PIECE
    _insert(steps, where_to_cut([form for (form,) in each], steps.realised, most))
    while True:
        _keep_what_must_be(steps)
        order = _grouped(steps, most)
        shared = worth_keeping([[step.form for step in g.targets] for g in order if isinstance(g, Group)], steps.realised)
        if not shared:
            shared = _built(order, steps)
            if not shared:
                return order
        _insert(steps, shared)


def _roots(steps: Steps) -> list[list[Form]]:
    return [[step.form] for step in steps.steps if isinstance(step, Materialise)]


def _key(form: Form) -> tuple[Dims, tuple[int, ...]]:
    return (form.arg.dims, form.axes) if isinstance(form, Reduce) else (form.dims, ())


# ---- what must be in memory


def _keep_what_must_be(steps: Steps) -> None:
    """Put reductions and the tables of gathers in memory before whoever reads them."""
    wanted: list[Any] = []
    done: set[Form] = set()
    for step in steps.steps:
        if isinstance(step, Materialise) and not step.form.size:
            continue
        if isinstance(step, Materialise):
            inner, seen = _inner_roots(step.form, steps.realised, done)
            for form in inner:
                buffer = steps.realised[form] = steps.temporary(form.dims, form.dtype)
                wanted.append(Materialise(form, buffer))
            for form in seen:
                if isinstance(form, Gather) and form.table in steps.realised:  # if not, the gather is in memory by a step of its own
                    form.table = steps.realised[form.table]
        wanted.append(step)
    steps.steps = wanted


def _inner_roots(root: Form, realised: dict[Form, Buffer], done: set[Form]) -> tuple[list[Form], list[Form]]:
    """The reductions and tables that `root` reads and that are not in memory, innermost first; and all forms that were looked at.

    done: forms that were looked at for another root, below which nothing is left to find; grows.
    """
    found: dict[Form, None] = {}
    seen: list[Form] = []
    pending: list[tuple[Form, bool]] = [(root, False)]
    while pending:
        form, ready = pending.pop()
        if ready:
            if form is not root and isinstance(form, Reduce):
                found[form] = None
            if isinstance(form, Gather) and not isinstance(form.table, Buffer) and form.table not in realised:
                found[form.table] = None
            continue
        if form is not root and (form in done or form in realised):
            continue
        seen.append(form)
        if form is not root:
            done.add(form)
        pending.append((form, True))
        pending += [(part, False) for part in form.parts]
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


def _grouped(steps: Steps, most: int) -> list[Group | Block]:
    """The steps in order, those that can share loops together, as long as a group computes no more than `most` forms."""
    order: list[Group | Block] = []
    at: dict[Any, int] = {}
    same: dict[Dims, _Places] = {}
    reads = {step: _reads(step, steps) for step in steps.steps if isinstance(step, Materialise)}
    for step in _in_order(steps, reads):
        if not isinstance(step, Materialise):
            order.append(step)
            at.update((place, len(order) - 1) for place in step.writes)
            continue
        near, far, size = reads[step]
        first = max((at.get(place, -1) + 1 for place in far), default=0)
        first = max([first, *(at.get(place, -1) for place in near)])
        first = max(first, at.get(step.buffer.place, -1) + 1) if step.over else first
        place = _placed(step, order, same, first, most - size)
        group = order[place]
        assert isinstance(group, Group)
        group.size += size
        group.targets.append(step)
        group.reads |= near | far
        at[step.buffer.place] = max(place, at.get(step.buffer.place, place))
    return order


def _in_order(steps: Steps, reads: Mapping[Any, tuple[set[Any], set[Any], int]]) -> list[Step]:
    """The steps, each after those that write what it `reads`; otherwise in the order they were asked for.

    Where the new elements of stacks will be is found out first, so that what computes them writes them there.
    """
    writers, before = _writers(steps.steps)
    found: dict[Step, None] = {}
    asked = sorted(steps.steps, key=lambda step: not isinstance(step, Point) or step.cursor is not None)
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
        goes_over = isinstance(step, Scatter) or (isinstance(step, (Materialise, Convolution)) and step.over)
        for i, place in enumerate(step.writes):
            known = writers.setdefault(place, [])
            if goes_over and i == 0:
                before[step] = list(known)
                known.clear()
            known.append(step)
    return writers, before


def _placed(step: Materialise, order: list[Group | Block], same: dict[Dims, _Places], first: int, most: int) -> int:
    """The place of the group that takes a step: one with the same loops that is not before what the step reads, or a new one.

    A group that computes more than `most` forms already takes no steps any more.
    """
    space, axes = _key(step.form)
    known = same.setdefault(space, _Places())
    while (place := known.find(axes, first)) is not None:
        group = order[place]
        assert isinstance(group, Group)
        if group.size > most:
            known.close(place, group.axes)
            continue
        if axes and not group.axes:
            known.move(place, axes)
            group.axes = axes
        return place
    order.append(Group(space, axes))
    known.add(len(order) - 1, axes)
    return len(order) - 1


def _reads(step: Materialise, steps: Steps) -> tuple[set[Any], set[Any], int]:
    """The places that a step reads: those only at the index where it writes (a value of the same kernel will do), and the others.

    And how many forms it computes.
    """
    near: set[Any] = set()
    far: set[Any] = set()
    root = step.form.arg if isinstance(step.form, Reduce) else step.form
    pending: list[tuple[Form, bool]] = [(root, True)]
    seen: set[tuple[Form, bool]] = set()
    while pending:
        item = pending.pop()
        if item in seen:
            continue
        seen.add(item)
        form, same = item
        if isinstance(form, Buffer):
            far.update(form.place.backing if form.place.kind == "word" else (form.place,))
            continue
        if form in steps.realised and form is not step.form:
            exact = same and not isinstance(form, Reduce) and steps.realised[form].dims == form.dims
            (near if exact else far).add(steps.realised[form].place)
            continue
        pending += [(part, same and isinstance(form, Pointwise)) for part in form.parts]
    return near - far, far, len(seen)


# ---- what is kept


def _insert(steps: Steps, shared: list[Form]) -> None:
    """Ask for forms to be put in memory, before the first step that reads them."""
    left = dict.fromkeys(shared)
    wanted: list[Any] = []
    for step in steps.steps:
        if isinstance(step, Materialise) and left:
            read = [form for form in reachable(step.form, steps.realised) if form in left]
            for form in reversed(read):
                if form is not step.form or form not in steps.realised:
                    buffer = steps.realised[form] = steps.temporary(form.dims, form.dtype)
                    wanted.append(Materialise(form, buffer))
                del left[form]
        wanted.append(step)
    steps.steps = wanted


# ---- kernels


class _Elsewhere(Mapping[Form, Buffer]):
    """The forms that are in memory when a group runs: all but those it puts there itself."""

    def __init__(self, realised: Mapping[Form, Buffer], own: set[Any]) -> None:
        self._realised, self._own = realised, own

    def __getitem__(self, form: Form) -> Buffer:
        buffer = self._realised[form]
        if buffer.place in self._own:
            raise KeyError(form)
        return buffer

    def __contains__(self, form: object) -> bool:
        buffer = self._realised.get(form)  # type: ignore[call-overload]  # any key may be asked for
        return buffer is not None and buffer.place not in self._own

    def get(self, form: Form, default: Any = None) -> Any:
        buffer = self._realised.get(form)
        return default if buffer is None or buffer.place in self._own else buffer

    def __iter__(self) -> Iterator[Form]:
        return (form for form in self._realised if form in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _built(order: list[Group | Block], steps: Steps) -> list[Form]:
    """Make the kernel of each group; gives the forms that must be in memory first for that."""
    refused: dict[Form, None] = {}
    for group in order:
        if isinstance(group, Group):
            memory = _Elsewhere(steps.realised, {step.buffer.place for step in group.targets})
            targets = [Target(step.form, step.buffer, step.steps, step.offset) for step in group.targets]
            try:
                group.kernel = build(group.space, group.axes, targets, memory)
            except NotLinear as error:
                refused[error.args[0]] = None
    return list(refused)
