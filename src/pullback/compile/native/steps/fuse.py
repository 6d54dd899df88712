"""Fusion: which results are computed in the same loops, and which values are computed again rather than kept.

Results over the same index space share a kernel when none needs another's at a different index; what several of them read is then
computed once.  Reductions are kept in memory for whoever reads them.  A value that several kernels need is kept when computing it
again would cost more than a few plain operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .convolution import Convolution
from .forms import Buffer, Dims, Form, Gather, Pointwise, Reduce
from .index import NotLinear
from .kernel import Kernel, Target, build, cost_of
from .steps import Block, Materialise, Point, Scatter, Step, Steps

_AGAIN = 6


class Group:
    """Results that share a kernel."""

    __slots__ = ("axes", "kernel", "reads", "space", "targets")

    def __init__(self, space: Dims, axes: tuple[int, ...]) -> None:
        self.space, self.axes = space, axes
        self.targets: list[Materialise] = []
        self.reads: set[Any] = set()
        self.kernel: Kernel | None = None


def fused(steps: Steps) -> list[Group | Block]:
    """The steps in an order they can run in, those that share loops together, each group with its kernel."""
    while True:
        _keep_what_must_be(steps)
        order = _grouped(steps)
        shared = _worth_keeping(order, steps)
        if not shared:
            refused = _built(order, steps)
            if not refused:
                return order
            shared = refused
        _insert(steps, shared)


def _key(form: Form) -> tuple[Dims, tuple[int, ...]]:
    return (form.arg.dims, form.axes) if isinstance(form, Reduce) else (form.dims, ())


# ---- what must be in memory


def reachable(form: Form, realised: dict[Form, Buffer]) -> Iterable[Form]:
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
    for step in steps.steps:
        if isinstance(step, Materialise) and not step.form.size:
            continue
        if isinstance(step, Materialise):
            inner = _inner_roots(step.form, steps.realised)
            for form in inner:
                buffer = steps.realised[form] = steps.temporary(form.dims, form.dtype)
                wanted.append(Materialise(form, buffer))
            for root in (*inner, step.form):
                for form in list(reachable(root, steps.realised)):
                    if isinstance(form, Gather) and form.table in steps.realised:  # if not, the gather is in memory by a step of its own
                        form.table = steps.realised[form.table]
        wanted.append(step)
    steps.steps = wanted


def _inner_roots(root: Form, realised: dict[Form, Buffer]) -> list[Form]:
    """The reductions and tables that `root` reads and that are not in memory, innermost first."""
    found: dict[Form, None] = {}
    done: set[Form] = set()
    pending: list[tuple[Form, bool]] = [(root, False)]
    while pending:
        form, ready = pending.pop()
        if ready:
            if form is not root and (isinstance(form, Reduce)):
                found[form] = None
            if isinstance(form, Gather) and not isinstance(form.table, Buffer) and form.table not in realised:
                found[form.table] = None
            continue
        if form in done or (form in realised and form is not root):
            continue
        done.add(form)
        pending.append((form, True))
        pending += [(part, False) for part in form.parts]
    return list(found)


# ---- grouping


def _grouped(steps: Steps) -> list[Group | Block]:
    order: list[Group | Block] = []
    at: dict[Any, int] = {}
    same: dict[Any, dict[int, Group]] = {}
    for step in _in_order(steps):
        if not isinstance(step, Materialise):
            order.append(step)
            at.update((place, len(order) - 1) for place in step.writes)
            continue
        near, far = _reads(step, steps)
        first = max((at.get(place, -1) + 1 for place in far), default=0)
        first = max([first, *(at.get(place, -1) for place in near)])
        first = max(first, at.get(step.buffer.place, -1) + 1) if step.over else first
        place = _placed(step, order, same, first)
        group = order[place]
        assert isinstance(group, Group)
        group.targets.append(step)
        group.reads |= near | far
        at[step.buffer.place] = max(place, at.get(step.buffer.place, place))
    return order


def _in_order(steps: Steps) -> list[Step]:
    """The steps, each after those that write what it reads; otherwise in the order they were asked for.

    Where the new elements of stacks will be is found out first, so that what computes them writes them there.
    """
    writers: dict[Any, list[Step]] = {}
    for step in steps.steps:
        for place in step.writes:
            writers.setdefault(place, []).append(step)
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
        places = set().union(*_reads(step, steps)) if isinstance(step, Materialise) else step.reads
        waits = [w for place in places for w in writers.get(place, ()) if w is not step]
        if isinstance(step, Scatter) or (isinstance(step, (Materialise, Convolution)) and step.over):
            before = writers[step.writes[0]]
            waits += before[: before.index(step)]
        pending += [(w, False) for w in reversed(waits) if w not in found]
    return list(found)


def _placed(step: Materialise, order: list[Group | Block], same: dict[Any, dict[int, Group]], first: int) -> int:
    """The place of the group that takes a step: one with the same loops that is not before what the step reads, or a new one."""
    space, axes = _key(step.form)
    known = same.setdefault(space, {})
    for place, group in known.items():
        if place >= first and (not axes or not group.axes or group.axes == axes):
            group.axes = group.axes or axes
            return place
    group = Group(space, axes)
    order.append(group)
    known[len(order) - 1] = group
    return len(order) - 1


def _reads(step: Materialise, steps: Steps) -> tuple[set[Any], set[Any]]:
    """The places that a step reads: those only at the index where it writes (a value of the same kernel will do), and the others."""
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
    return near - far, far


# ---- what is better kept


def _worth_keeping(order: list[Group | Block], steps: Steps) -> list[Form]:
    """Values that several kernels would compute and that cost more than reading them."""
    where: dict[Form, set[int]] = {}
    for i, group in enumerate(order):
        if isinstance(group, Group):
            for step in group.targets:
                for form in reachable(step.form, steps.realised):
                    where.setdefault(form, set()).add(i)
    found = []
    for form, places in where.items():
        if len(places) > 1 and isinstance(form, Pointwise) and form not in steps.realised and _cost(form, steps.realised) > _AGAIN:
            found.append(form)
    inner = {part for form in found for part in reachable(form, steps.realised) if part is not form}
    return [form for form in found if form not in inner or _used_alone(form, where, found)]


def _used_alone(form: Form, where: dict[Form, set[int]], found: Sequence[Form]) -> bool:
    """Whether a kernel reads a value without reading one of those kept that is made of it."""
    above = set().union(*(where[f] for f in found if f is not form and form in set(reachable(f, {}))))
    return bool(where[form] - above)


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


def _built(order: list[Group | Block], steps: Steps) -> list[Form]:
    """Make the kernel of each group; gives the forms that must be in memory first for that."""
    for group in order:
        if isinstance(group, Group):
            own = {step.buffer.place for step in group.targets}
            memory = {form: buffer for form, buffer in steps.realised.items() if buffer.place not in own}
            targets = [Target(step.form, step.buffer, step.steps, step.offset) for step in group.targets]
            try:
                group.kernel = build(group.space, group.axes, targets, memory)
            except NotLinear as refused:
                return [refused.args[0]]
    return []
