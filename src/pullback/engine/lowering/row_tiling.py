"""Runs of kernels and products that go through the same rows: done for a few rows at a time, so that what they leave for each other stays
in a cache instead of going to memory and back.

A stretch of a program belongs to a run by one of its loops over `count` rows: what it reads and writes of the run's results lies in the
same row, `step` elements after the row before.  A row may be a whole matrix of a stack: attention goes so, head by head.  What is summed
over the rows is added up per task, in a memory of its own, and put together after the run.  Other stretches in between are done before the
run where nothing hinders it, or else after it.

Rows are cut into tasks, and tasks into blocks, by sizes alone: the number of threads changes no bit.  What only the run reads has no place
in the arena: each thread claims a scratch memory for the blocks of a task, so that it stays in that thread's cache.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from ...base.named_values import NamedValues
from .builder import Block, Branch, Builder, Layout, Loop, Materialise, PartMove, Point, Product
from .fuse import Group, fuse_steps
from .index import Lin, bounds
from .index_expr import Affine, Buffer, Place
from .kernel import Kernel, tile_rows
from .memory import arena
from .sharing import InTasks

#: Bytes that a run must keep from memory, what the scratch memory of a block may take, and the bytes of sums that all tasks may have.

_WORTH, _NEAR, _SUMS = 1 << 19, 3 << 17, 1 << 22
#: Bytes of a result that a run begins with, or that tells how many rows there may be.
_LARGE = 1 << 16
#: Tasks: at least and at most.  Rows of a block, where rows are summed over.  How many stretches are looked at for a run.
_FEWEST_TASKS, _MOST_TASKS, _MOST_ROWS, _WINDOW = 8, 32, 256, 64
#: Rows of which blocks have a multiple, where rows are short: products are made of so many at a time.
_GRAIN = 8
#: Bytes of a factor or a sum that every block goes through, for one product and for all of a stack.
_SMALL, _SMALL_STACK = 1 << 19, 1 << 20
#: Elements of a reduction that are added up one after the other.
_LONGEST = 512

Stretch = Kernel | Block
#: What gives the kernels that put partial sums (a row of them for each task, the whole, the kind) together.
Finish = Callable[[Buffer, Buffer, str], list[Kernel]]


class Access(NamedValues):
    """What a stretch does to a place: row by row, `step` elements apart, or anywhere (None); `sums`: adds up over rows in it.

    step 0: each row writes a part that is its own, and no other stretch's.
    """

    place: Place
    step: int | None
    written: bool = False
    sums: bool = False


class Member:
    """A stretch seen as going through rows: of its variable (`variable`, of which each row has `inner` steps), or in its `role`.

    role of a product: the rows are those of the result ("rows"), what is summed over ("sums"), or matrices of a stack ("stack").
    """

    __slots__ = ("accesses", "inner", "role", "stretch", "variable")

    def __init__(self, stretch: Kernel | Product, accesses: list[Access], inner: int, variable: int = -1, role: str = "") -> None:
        self.stretch, self.accesses, self.inner, self.variable, self.role = stretch, accesses, inner, variable, role


class RowBlocks(InTasks):
    """A run: `count` rows in `tasks` tasks of `length` rows, each in blocks of `block` rows.

    scratch: by place, where in a task's scratch memory it begins, and how many bytes a row has.  sums: the places of partial sums, of which
    each task has one, with how they are summed.  words: the first of the table's words that say which scratch memory is taken.
    """

    def __init__(self, members: list[Member], count: int) -> None:
        self.members, self.count = members, count
        self.block = self.length = self.tasks = 0
        self.scratch: dict[Place, tuple[int, int]] = {}
        self.sums: dict[Place, tuple[Buffer, str]] = {}
        self.memory = Place("temporary", -1, 0)
        self.scratch_bytes = self.words = 0

    @property
    def work(self) -> int:
        """What it costs, in plain operations."""
        return sum(m.stretch.work for m in self.members)

    @property
    def places(self) -> list[Place]:
        """The memory that must be there while it runs."""
        return [self.memory, *self.sums, *(p for m in self.members for p in touched_places(m.stretch) if p not in self.scratch)]


# ---- what stretches touch


def touched_places(stretch: Stretch) -> list[Place]:
    """The places that a stretch reads or writes."""
    return [*list_reads(stretch), *list_writes(stretch)]


def list_reads(stretch: Stretch) -> list[Place]:
    """The places that a stretch reads."""
    if isinstance(stretch, Kernel):
        found = [i.data[0] for i in stretch.instrs if i.op == "load"]
    else:
        found = [*stretch.reads, *([stretch.array.place, stretch.row.place] if isinstance(stretch, PartMove) else [])]
    return [p for place in found for p in (place, *place.backing)]


def list_writes(stretch: Stretch) -> list[Place]:
    """The places that a stretch writes to."""
    found = [r.buffer.place for r in stretch.roots] if isinstance(stretch, Kernel) else stretch.writes
    return [p for place in found for p in (place, *place.backing)]


def _strides_of(stretch: Stretch, count: int) -> list[Member]:
    """The ways in which a stretch goes through `count` rows."""
    if isinstance(stretch, Kernel):
        found = [_kernel_by(stretch, v, n // count) for v, n in stretch.extents.items() if n and n % count == 0]
    else:
        ways = (_product_rows, _product_sums, _product_stack)
        found = [way(stretch, count) for way in ways] if isinstance(stretch, Product) else []
    return [member for member in found if member is not None]


def _kernel_by(kernel: Kernel, variable: int, inner: int) -> Member | None:
    extents = {**kernel.extents, variable: inner}
    if any(n > _LONGEST for v, n in extents.items() if v in kernel.reduced) or not all(kernel.extents.values()):
        return None

    def step(lin: Lin) -> int | None:
        """How far apart rows are; None where a position leaves its row."""
        apart = dict(lin[1]).get(variable, 0) * inner
        low, high = bounds(lin, extents)
        return apart if apart > 0 and low >= 0 and high < apart else None

    accesses = []
    for instr in kernel.instrs:
        if instr.op == "load":
            place, position, looked_up, guarded = instr.data
            accesses.append(Access(place, None if looked_up or guarded else step(position)))
    for root in kernel.roots:
        if root.reduce is not None and variable in kernel.reduced:
            whole = math.prod(n for v, n in extents.items() if v in dict(root.position[1]))
            if root.buffer.dtype.kind == "c" or whole != root.buffer.size or root.position[0]:
                return None
            accesses.append(Access(root.buffer.place, None, True, True))
        elif variable not in dict(root.position[1]):
            return None
        else:
            accesses.append(Access(root.buffer.place, step(root.position), True))
    return Member(kernel, accesses, inner, variable)


def _product_rows(product: Product, count: int) -> Member | None:
    """A product whose result has a row, or several, for each row; all rows are multiplied by the same matrix."""
    inner, left = divmod(product.m, count)
    a, b, out = product.layouts
    if left or not inner or not product.is_simple or not _is_small(product.n * product.k, product, bool(b.stack)):
        return None
    of_a = _fit_pitch(inner * a.row, (product.batch, a.stack), (inner, a.row), (product.k, a.column))
    of_out = _fit_pitch(inner * out.row, (product.batch, out.stack), (inner, out.row), (product.n, 1))
    if of_a is None or of_out is None:
        return None
    accesses = [Access(product.a.place, of_a), Access(product.b.place, None), Access(product.out.place, of_out, True)]
    return Member(product, accesses, inner, role="rows")


def _product_sums(product: Product, count: int) -> Member | None:
    """A product that is summed over the rows."""
    inner, left = divmod(product.k, count)
    a, b, _ = product.layouts
    if left or not inner or b.turned or not product.is_simple or not _is_small(product.m * product.n, product, True):
        return None
    of_a = _fit_pitch(inner * a.column, (product.batch, a.stack), (product.m, a.row), (inner, a.column))
    of_b = _fit_pitch(inner * b.row, (product.batch, b.stack), (product.n, 1), (inner, b.row))
    if of_a is None and of_b is None:
        return None
    accesses = [Access(product.a.place, of_a), Access(product.b.place, of_b), Access(product.out.place, None, True, True)]
    return Member(product, accesses, inner, role="sums")


def _product_stack(product: Product, count: int) -> Member | None:
    """A product of the matrices of stacks, one or several for each row."""
    inner, left = divmod(product.batch, count)
    if left or not inner or product.batch == 1:
        return None
    a, b, out = product.layouts

    def step(layout: Layout, rows: int, columns: int) -> int | None:
        axes = (inner, layout.stack), (rows, layout.row), (columns, layout.column)
        return _fit_pitch(layout.outer if layout.every else inner * layout.stack, *axes) if layout.every in (0, inner) else None

    accesses = [
        Access(product.a.place, step(a, product.m, product.k)),
        Access(product.b.place, step(b, product.k, product.n)),
        Access(product.out.place, (None if product.offset else step(out, product.m, product.n)) or 0, True),
    ]
    return Member(product, accesses, inner, role="stack")


def _is_small(elements: int, product: Product, stacked: bool) -> bool:
    item = product.out.dtype.itemsize
    return elements * item <= _SMALL and elements * item * (product.batch if stacked else 1) <= _SMALL_STACK


def _fit_pitch(apart: int, *axes: tuple[int, int]) -> int | None:
    """How far apart rows are, None where the axes inside a row, (how many, how far apart), reach further."""
    return apart if apart > 0 and sum((n - 1) * step for n, step in axes) < apart else None


# ---- finding runs


class _Run:
    """A run that is being put together, and what it does to places so far; known: places whose rows it will have to do with."""

    def __init__(self, known: Collection[Place]) -> None:
        self.known = known
        self.members: list[Member] = []
        self.reads: dict[Place, set[int | None]] = {}
        self.writes: dict[Place, set[int | None]] = {}

    def takes(self, member: Member) -> bool:
        """Whether a stretch finds all it reads of the run in its own row, and hinders nothing in others."""
        for access in member.accesses:
            others = [self.writes] if not access.written else [self.writes, self.reads]
            if any(access.place in seen and (access.step is None or seen[access.place] != {access.step}) for seen in others):
                return False
        return True

    def meets(self, member: Member) -> bool:
        """Whether a stretch has to do with rows of memory that the run has to do with."""
        own = [a.place for a in member.accesses if a.step is not None and a.place.kind == "temporary"]
        return any(place in self.writes or place in self.reads or place in self.known for place in own)

    def add(self, member: Member) -> None:
        self.members.append(member)
        for access in member.accesses:
            (self.writes if access.written else self.reads).setdefault(access.place, set()).add(access.step)


class _Order:
    """Stretches that are put off, and what they read and write."""

    def __init__(self) -> None:
        self.stretches: list[Stretch] = []
        self._read: set[Place] = set()
        self._written: set[Place] = set()

    def add(self, stretch: Stretch) -> None:
        self.stretches.append(stretch)
        self._read.update(list_reads(stretch))
        self._written.update(list_writes(stretch))

    def hinders(self, stretch: Stretch) -> bool:
        """Whether a stretch must come after these."""
        written = list_writes(stretch)
        return any(p in self._written for p in list_reads(stretch)) or any(p in self._written or p in self._read for p in written)


class Finder:
    """Finds the runs among the stretches of a segment.

    last: the places that are read when the segment has run.  finish: see `Finish`.
    """

    def __init__(self, stretches: Sequence[Stretch], builder: Builder, last: Iterable[Place], finish: Finish) -> None:
        self._stretches, self._steps, self._finish = stretches, builder, finish
        self._uses: dict[Place, set[int]] = {place: {-1} for place in last}
        for stretch in stretches:
            for place in touched_places(stretch):
                self._uses.setdefault(place, set()).add(id(stretch))

    def find_stretches(self) -> list[Stretch | RowBlocks]:
        """The stretches, with runs among them made one; none goes past a loop, a branch or a list."""
        done: list[Stretch | RowBlocks] = []
        part: list[Stretch] = []
        for stretch in self._stretches:
            if isinstance(stretch, (Loop, Branch, Point, PartMove)):
                done += [*self._runs_in(part), stretch]
                part = []
            else:
                part.append(stretch)
        return [*done, *self._runs_in(part)]

    def _runs_in(self, part: list[Stretch]) -> list[Stretch | RowBlocks]:
        counts = _row_counts(part)
        done: list[Stretch | RowBlocks] = []
        while part and counts:
            made = self._best(part, counts)
            if made is None:
                done.append(part.pop(0))
                continue
            before, after, blocks, packing, finishing = made
            done += [*before, *packing, blocks, *finishing]
            part = after
        return [*done, *part]

    def _best(self, part: list[Stretch], counts: Sequence[int]) -> Any:
        """The run that begins with the first stretch and keeps most from memory; None where none is worth it."""
        if not isinstance(part[0], (Kernel, Product)) or all(p.size < _LARGE for p in list_writes(part[0])):
            return None
        options = []
        for count in counts:
            members, before, after = _run_from(part, count)
            kept = _private_places(members, self._uses, self._steps, count)
            if len(members) > 1 and sum(place.size for place in kept) >= _WORTH:
                options.append((count, members, kept, before, after))
        for count, members, kept, before, after in sorted(options, key=lambda option: -sum(place.size for place in option[2])):
            made = _plan_run(members, count, kept, self._steps, self._finish)
            if made is not None:
                return before, after, *made
        return None


def _row_counts(part: Sequence[Stretch]) -> list[int]:
    """The numbers of rows of large temporary results, by how many bytes those have."""
    found: dict[int, int] = {}
    for stretch in part:
        outs = [r.buffer for r in stretch.roots] if isinstance(stretch, Kernel) else [stretch.out] if isinstance(stretch, Product) else []
        for buffer in outs:
            if buffer.place.kind == "temporary" and buffer.place.size >= _LARGE and buffer.dims:
                for depth in range(1, min(len(buffer.dims), 3)):
                    rows = math.prod(buffer.dims[:depth])
                    found[rows] = found.get(rows, 0) + buffer.place.size
    found = {count: size for count, size in found.items() if size >= _WORTH and count >= _FEWEST_TASKS}
    return sorted(found, key=lambda count: -found[count])[:4]


def _run_from(
    part: Sequence[Stretch], count: int, known: Collection[Place] | None = None
) -> tuple[list[Member], list[Stretch], list[Stretch]]:
    """The run that begins with the first stretch, the stretches that come before it, and those after it; known: as that of a `_Run`."""
    run, before, after = _Run(known or ()), _Order(), _Order()
    inside = _Order()
    for member in _strides_of(part[0], count)[:1]:
        run.add(member)
        inside.add(part[0])
    for stretch in part[1:_WINDOW] if run.members else ():
        if after.hinders(stretch):
            after.add(stretch)
            continue
        fits = next((m for m in _strides_of(stretch, count) if run.meets(m) and run.takes(m)), None)
        if fits is not None:
            run.add(fits)
            inside.add(stretch)
        else:
            (after if inside.hinders(stretch) else before).add(stretch)
    if known is None and before.stretches:
        return _run_from(part, count, {a.place for m in run.members for a in m.accesses if a.step is not None})
    return run.members, before.stretches, [*after.stretches, *part[_WINDOW:]]


def _private_places(members: Sequence[Member], uses: dict[Place, set[int]], builder: Builder, count: int) -> dict[Place, int]:
    """The places that nothing but the run needs, with the bytes of a row."""
    own = {id(m.stretch) for m in members}
    found = {}
    for member in members:
        for access in member.accesses:
            place = access.place
            if access.written and access.step and place.kind == "temporary" and place in builder.places and uses[place] <= own:
                found[place] = place.size // count
    return found


# ---- planning a run


def _plan_run(
    members: list[Member], count: int, kept: dict[Place, int], builder: Builder, finish: Finish
) -> tuple[RowBlocks, list[Stretch], list[Stretch]] | None:
    """A run with its blocks and memory, what must be done before it, and what after; None where rows are too long."""
    run = RowBlocks(members, count)
    wholes = {a.place: a.place.size for m in members for a in m.accesses if a.sums}
    starts, each = _scratch(members, kept)
    most = min(_NEAR // each, _MOST_ROWS if wholes else 16 * _MOST_ROWS)
    if any(m.role == "stack" for m in members):
        least, most = 1, most // 2
    else:
        least = _GRAIN
    if min(most, -(-count // _FEWEST_TASKS)) < least:
        return None
    most_tasks = max(_FEWEST_TASKS, min(_MOST_TASKS, _SUMS // max(sum(wholes.values()), 1)))
    run.block, run.length = _cut_rows(count, most, most_tasks, least)
    run.tasks = -(-count // run.length)
    run.scratch = {place: (start * run.block, size) for place, (start, size) in starts.items()}
    run.scratch_bytes = each * run.block
    run.memory = Place("temporary", -1, run.scratch_bytes * run.tasks)
    run.words = builder.word(run.tasks)
    packing: list[Stretch] = []
    finishing: list[Stretch] = []
    for member in members:
        if isinstance(member.stretch, Kernel):
            finishing += _sums_of_kernel(run, member, member.stretch, builder, finish)
            tile_rows(member.stretch, member.variable, member.inner, run.block, count % run.block == 0)
        elif member.role == "sums":
            whole, member.stretch.out = member.stretch.out, _make_partial(run, member.stretch.out, "sum", builder)
            finishing += finish(member.stretch.out, whole, "sum")
        elif member.role == "rows" and member.stretch.layouts[1].turned:
            packing += _pack_rows(member.stretch, builder)
    return run, packing, finishing


def _cut_rows(count: int, most: int, most_tasks: int, least: int = _GRAIN) -> tuple[int, int]:
    """The rows of a block, at most so many and a multiple of `least`, and of a task, which has one or several.

    `_FEWEST_TASKS` tasks or a multiple of it are wanted, so that two, four or eight threads have as much to do; rounding blocks up to whole
    vectors may leave the last ones short or away (1,025 rows in blocks of 48: 576 for one thread, 449 for the other).
    """
    even = _FEWEST_TASKS * -(-count // (_FEWEST_TASKS * most))
    tasks = min(even, most_tasks - most_tasks % _FEWEST_TASKS)
    blocks = -(-even // tasks)
    block = -(-count // (tasks * blocks))
    grain = 8 * least if min(block, most) > 8 * least else least
    block = min(-(-block // grain), most // grain) * grain
    return block, -(-count // (tasks * block)) * block


def _scratch(members: Sequence[Member], kept: dict[Place, int]) -> tuple[dict[Place, tuple[int, int]], int]:
    """Where in a scratch memory for one row each place begins, and how many bytes a row of it has; and how many all have."""
    stand_in = {place: Place("temporary", -1, size * 64) for place, size in kept.items()}
    starts, total = arena([[stand_in[p] for p in touched_places(m.stretch) if p in kept] for m in members])
    return {place: (starts[stand_in[place]] // 64, size) for place, size in kept.items()}, total // 64


def _sums_of_kernel(run: RowBlocks, member: Member, kernel: Kernel, builder: Builder, finish: Finish) -> list[Kernel]:
    made: list[Kernel] = []
    for root in kernel.roots:
        if root.reduce is not None and member.variable in kernel.reduced:
            whole, kind = root.buffer, root.reduce
            root.buffer, root.adds = _make_partial(run, whole, kind, builder), True
            made += finish(root.buffer, whole, kind)
    return made


def _make_partial(run: RowBlocks, whole: Buffer, kind: str, builder: Builder) -> Buffer:
    """The buffer for the sums of each task."""
    parts = builder.temporary((run.tasks, whole.size), whole.dtype)
    run.sums[parts.place] = (parts, kind)
    return parts


def _pack_rows(product: Product, builder: Builder) -> list[Stretch]:
    """Let the rows of a product's second factor lie in order; the kernels that put them so."""
    of_a, of_b, of_out = product.layouts
    dims = (product.batch if of_b.stack else 1, product.k, product.n)
    given = Buffer((product.b.place.size // product.b.dtype.itemsize,), product.b.dtype, product.b.place)
    turned = Affine(given, dims, ((0, tuple((axis, step) for axis, step in enumerate(of_b) if step)),))
    product.b = builder.temporary(dims, product.b.dtype)
    product.layouts = of_a, Layout(product.n * product.k if of_b.stack else 0, product.n, 1), of_out
    own = Builder(builder)
    own.steps.append(Materialise(turned, product.b))
    return [group.kernel for group in fuse_steps(own) if isinstance(group, Group) and group.kernel is not None]
