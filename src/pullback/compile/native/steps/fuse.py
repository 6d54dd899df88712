"""Fusion: which results are computed in the same loops, and which values are computed again rather than kept.

Results over the same index space share a kernel when none needs another's at a different index; what several of them read is then
computed once.  Reductions are kept in memory for whoever reads them.  A value that several kernels need is kept when computing it
again would cost more than a few plain operations.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import accumulate, islice
from typing import Any

from .convolution import Convolution
from .forms import Buffer, Dims, Form, Gather, Pointwise, Reduce
from .index import NotLinear
from .kernel import Kernel, Target, build, cost_of
from .steps import Block, Materialise, Point, Scatter, Step, Steps

_AGAIN = 6
#: How many forms steps may go through between them before any is kept: so many, and so many times as there are different ones.
_FEW, _TIMES = 8_000, 4
#: How many forms a kernel computes at most, and the kernels of a program that has many more: LLVM's time is not linear in a kernel's size,
#: and equal pieces are compiled once (`code.repeated`).
_LARGEST, _PIECE = 2048, 512
#: How many forms are looked at, for one kernel, to find out that a value is part of another that is kept.
_SEARCHED = 256


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
    while _overlap_much(each, steps.realised) and (shared := _worth_keeping(each, steps)):
        _insert(steps, shared)
        each = _roots(steps)
    most = _LARGEST if len(_below_first(each, steps.realised)) <= 2 * _LARGEST else _PIECE
    _insert(steps, _where_to_cut(steps, most))
    while True:
        _keep_what_must_be(steps)
        order = _grouped(steps, most)
        shared = _worth_keeping([[step.form for step in group.targets] for group in order if isinstance(group, Group)], steps)
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


def reachable(form: Form, realised: Mapping[Form, Buffer]) -> Iterable[Form]:
    """The forms that are computed for `form`, itself first; those in memory already are given, but not what they are made of."""
    seen: set[Form] = set()
    pending = [form]
    first = True
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        yield at
        if first or at not in realised:
            pending += at.parts
        first = False


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


# ---- what is too large for one kernel


def _where_to_cut(steps: Steps, most: int) -> list[Form]:
    """Values in the midst of what steps compute, to be kept so that none computes more than `most` forms."""
    found: dict[Form, None] = {}
    for step in steps.steps:
        if isinstance(step, Materialise) and step.form.size and any(islice(reachable(step.form, steps.realised), most, None)):
            height: dict[Form, int] = {}
            for form in _below_first([[step.form]], steps.realised):
                height[form] = 1 + max((height[part] for part in form.parts if part in height), default=0)
            computed = _below_first([[step.form]], steps.realised, height)
            found.update(dict.fromkeys(_cuts(computed, steps.realised, most)))
    return list(found)


def _cuts(computed: list[Form], realised: Mapping[Form, Buffer], most: int) -> Iterator[Form]:
    """The values that go from one piece of what is computed to another, where pieces are cut so that there are few of them."""
    last: dict[Form, int] = {}
    for i, form in enumerate(computed):
        last.update(dict.fromkeys(form.parts, i))
    made = [i for i, form in enumerate(computed) if isinstance(form, (Pointwise, Gather)) and form not in realised and form in last]
    change = [0] * (len(computed) + 1)
    for i in made:
        change[i + 1] += 1
        change[last[computed[i]] + 1] -= 1
    alive = list(accumulate(change))
    start = at = 0
    waiting: list[int] = []
    while len(computed) - start > most:
        start = min(range(start + most, start + most // 2, -1), key=alive.__getitem__)
        end = bisect_left(made, start)
        waiting = [i for i in (*waiting, *made[at:end]) if last[computed[i]] >= start]
        yield from (computed[i] for i in waiting)
        at = end


# ---- what is better kept


def _overlap_much(groups: Sequence[Sequence[Form]], realised: Mapping[Form, Buffer]) -> bool:
    """Whether steps need so many of the same forms that going through what each needs would not be linear in their number."""
    left = _FEW + _TIMES * len(_below_first(groups, realised))
    for group in groups:
        for form in group:
            for _ in reachable(form, realised):
                left -= 1
                if left < 0:
                    return True
    return False


def _worth_keeping(groups: Sequence[Sequence[Form]], steps: Steps) -> list[Form]:
    """Values that several kernels would compute and that cost more than reading them; groups: what each kernel is asked for.

    One of which such values are made is kept too where a kernel reads it and none of those.
    """
    below = _below_first(groups, steps.realised)
    several = _read_by_several(groups, below, steps.realised)
    shared = [form for form in below if form in several and isinstance(form, Pointwise) and form not in steps.realised]
    found = [form for form in shared if _cost(form, steps.realised) > _AGAIN]
    if not found:
        return []
    wanted: set[Form] = set(found)
    above: dict[Form, int] = {}  # the rank of what is one of these, or made of one
    for rank, form in enumerate(below):
        if form in wanted or any(part in above for part in form.parts):
            above[form] = rank
    kept: set[Form] = set()
    for roots in groups:
        kept.update(_read_alone(roots, wanted, above, steps.realised))
    return [form for form in reversed(found) if form in kept]


def _parts_to_compute(form: Form, root: bool, realised: Mapping[Form, Buffer]) -> tuple[Form, ...]:
    return form.parts if root or form not in realised else ()


def _below_first(
    groups: Iterable[Iterable[Form]], realised: Mapping[Form, Buffer], height: Mapping[Form, int] | None = None
) -> list[Form]:
    """All forms that groups compute, each after those it is made of.

    height: how many forms stand above one another below each; the highest part comes first then, so that few values wait for others.
    """
    found: dict[Form, None] = {}
    roots = {form for group in groups for form in group}
    pending: list[tuple[Form, bool]] = [(form, False) for group in groups for form in group]
    pending.reverse()
    while pending:
        form, ready = pending.pop()
        if form in found:
            continue
        if ready:
            found[form] = None
            continue
        pending.append((form, True))
        parts = [part for part in _parts_to_compute(form, form in roots, realised) if part not in found]
        pending += [(part, False) for part in (parts if height is None else sorted(parts, key=height.__getitem__))]
    return list(found)


def _read_by_several(groups: Iterable[Iterable[Form]], below: list[Form], realised: Mapping[Form, Buffer]) -> set[Form]:
    """The forms that more than one group computes."""
    several: set[Form] = set()
    reader: dict[Form, int] = {}

    def read(form: Form, group: int) -> None:
        if reader.setdefault(form, group) != group:
            several.add(form)

    roots = set()
    for number, group in enumerate(groups):
        for form in group:
            roots.add(form)
            read(form, number)
    for form in reversed(below):
        for part in _parts_to_compute(form, form in roots, realised):
            if part not in realised:
                read(part, reader[form])
                if form in several:
                    several.add(part)
    return several


def _read_alone(roots: Iterable[Form], wanted: set[Form], rank: Mapping[Form, int], realised: Mapping[Form, Buffer]) -> Iterator[Form]:
    """Those of the forms `wanted` that a group reads without reading another one of them that is made of it.

    rank: of the forms wanted and of those made of them; what a form is made of has a lower one.
    From consumers to what they are made of, for as long as something is left that is not below one of those; what is not found to be
    below one within `_SEARCHED` forms counts as read by itself.
    """
    tops = set(roots)
    under = {form: False for form in roots if form in rank}
    left, searched = len(under), 0
    pending = [(-rank[form], form) for form in under]
    heapify(pending)
    while left:
        _, form = heappop(pending)
        hidden = under[form]
        if hidden:
            searched += 1
            if searched > _SEARCHED:
                continue
        else:
            left -= 1
            if form in wanted:
                yield form
        hides = hidden or form in wanted
        for part in _parts_to_compute(form, form in tops, realised):
            known = under.get(part)
            if part not in rank:
                continue
            if known is None:
                under[part] = hides
                left += not hides
                heappush(pending, (-rank[part], part))
            elif hides and not known:
                under[part] = True
                left -= 1


def _cost(form: Form, realised: dict[Form, Buffer]) -> int:
    """What computing one element costs, in plain operations, up to a few more than matter."""
    total = 0
    for part in reachable(form, realised):
        if part is not form and part in realised:
            continue
        if isinstance(part, Pointwise):
            total += cost_of(part.function)
        if total > _AGAIN:
            break
    return total


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
