"""A segment: a stretch of a program that runs natively in one go, as an LLVM function `i32 name(ptr buffers, ptr context)`.

`buffers` are the arrays it is given, inputs and then outputs.  `context` points to the program's own table: the address of the arena,
those of the constants, and words for what changes while it runs: where loop variables are, stacks, cursors.
Loops and branches hold segments of their own, whose code stands in the same function and whose memory is a part of the arena.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...base.lazy_import import LazyModule
from .. import llvm_ir as ir
from ..lowering.builder import Block, Branch, Builder, Loop, Materialise, Product, Scatter
from ..lowering.fuse import Group, fuse_steps
from ..lowering.index_expr import Buffer, Dims, Place
from ..lowering.kernel import Kernel, Root, reduce_in_blocks
from ..lowering.memory import arena
from ..lowering.reorder import Reorder
from ..lowering.row_tiling import Finder, RowBlocks, touched_places
from ..lowering.sharing import InTasks, count_blocks
from ..scalars import scalars
from .emit import I32, I64, Address, Emitter
from .interrupts import Watch, share, watch
from .repeated import ARENA, BUFFERS, CONTEXT, Call, Location, emit_calls, find_repeated, load_address
from .scheduling import Schedule, schedule

if TYPE_CHECKING:
    from ..lowering import convolution, factors, scans
    from . import (
        blas_calls,
        convolution as convolution_code,
        factor as factor_code,
        flow,
        panels,
        reorder as reorder_code,
        row_tiling as row_tiling_code,
        scan as scan_code,
        scatter as scatter_code,
    )
else:  # few programs need them
    blas_calls, flow, panels, convolution_code, factor_code, reorder_code, row_tiling_code, scan_code, scatter_code = (
        LazyModule(f"pullback.engine.emission.{name}")
        for name in ("blas_calls", "flow", "panels", "convolution", "factor", "reorder", "row_tiling", "scan", "scatter")
    )
    convolution, factors, scans = (LazyModule(f"pullback.engine.lowering.{name}") for name in ("convolution", "factors", "scans"))

Stretch = Kernel | Block | RowBlocks

POINTER = ir.PointerType()
#: How many elements one accumulator adds up, one after the other, before the sum is put away.
_RUN = 4096
_ROWS = 256
#: Plain operations that are worth a block of their own, and the greatest number of blocks of one kernel.
_BLOCK_WORK, _MOST_BLOCKS = 200_000, 32
_TURNS = 100
#: Bytes of a word of the context, and of an address in the list of buffers.
_WORD = 8
#: What it costs to copy one element of a matrix that is turned.
_TURNING = 4


class Segment:
    """The steps of a segment, put in order and planned; `outer` is the one that a loop's or a branch's stands in."""

    def __init__(self, name: str, builder: Builder, vector_bytes: int, outer: Segment | None = None) -> None:
        self.name, self.builder, self.vector_bytes, self.outer = name, builder, vector_bytes, outer
        self.stretches: list[Stretch] = []
        #: The names of stretches whose times are noted, in the order of their numbers; None where none are.
        self.timed: list[tuple[str, Stretch]] | None = None
        #: Whether Ctrl-C ends it, with a status that says so; and the way out of the function that is written.
        self.stops = False
        self._watch: Watch | None = None
        self.inner: dict[Loop | Branch, list[Segment]] = {}
        self._blocks: dict[Segment, Place] = {}
        last = [*(c.place for c in builder.checks), *(p for s in builder.deferred for p in s.reads)]
        for stretch in self._in_runs(_kernels(builder), last):
            if isinstance(stretch, Kernel):
                self._add(stretch)
            else:
                self._open(stretch)
                self.stretches += [*self._order_factors(stretch), stretch]
        uses = [*(self._places(s) for s in self.stretches), last]
        self.starts, self.arena_bytes = arena(uses)

    @property
    def work(self) -> int:
        """What the segment costs, roughly, in plain operations; a loop counts as some turns."""
        inside = sum(_TURNS * segment.work for segments in self.inner.values() for segment in segments)
        return sum(s.work for s in self.stretches if isinstance(s, (Kernel, InTasks))) + inside

    @property
    def watch(self) -> Watch | None:
        """The way out of the function that it stands in, where Ctrl-C ends that."""
        return self.root._watch

    @property
    def is_long(self) -> bool:
        """Whether it may run long enough for other threads of Python to get their turn: how many turns a loop takes is not known."""
        return self.work > _BLOCK_WORK or self.has_loop

    @property
    def own_work(self) -> int:
        """What its own code costs of it: without products, whose routines have code of their own."""
        return self.work - sum(s.work for s in self.stretches if isinstance(s, Product))

    @property
    def has_loop(self) -> bool:
        """Whether something in it goes on for a number of turns that is not known."""
        return any(isinstance(step, Loop) or any(part.has_loop for part in parts) for step, parts in self.inner.items())

    # ---- planning

    def _in_runs(self, stretches: list[Kernel | Block], last: list[Place]) -> list[Stretch]:
        """The stretches, those that go through the same rows together."""
        return Finder(stretches, self.builder, last, self._finish_blocks).find_stretches() if self.outer is None else [*stretches]

    def _order_factors(self, stretch: Stretch) -> list[Stretch]:
        """The kernels that put the factors of a large product in order."""
        own = Builder(self.builder)
        found = _kernels(own) if isinstance(stretch, Product) and panels.pack_factors(stretch, own) else []
        self.builder.places |= own.places
        return [*found]

    def _open(self, step: Stretch) -> None:
        """Plan what is inside a loop or a branch."""
        parts = [step.condition, step.body] if isinstance(step, Loop) else step.branches if isinstance(step, Branch) else []
        if isinstance(step, (Loop, Branch)):
            at = len(self.stretches)
            self.inner[step] = [Segment(f"{self.name}_{at}_{i}", part, self.vector_bytes, self) for i, part in enumerate(parts)]
            for segment in self.inner[step]:
                self._blocks[segment] = Place("temporary", -1, segment.arena_bytes)

    def _add(self, kernel: Kernel) -> None:
        """A kernel; one that sums over much is cut in blocks, whose sums are added up after it."""
        cut = _long_reduction(kernel)
        if cut is None:
            self.stretches.append(kernel)
            return
        variable, length = cut
        blocks = -(-kernel.extents[variable] // length)
        results: list[tuple[Root, Buffer, tuple[Dims, list[int], int]]] = []

        def make_partial(root: Root, dims: Dims, steps: list[int]) -> Buffer:
            results.append((root, root.buffer, (dims, steps, root.position[0])))
            return self.builder.temporary((blocks, math.prod(dims)), root.buffer.dtype)

        reduce_in_blocks(kernel, variable, length, make_partial)
        self.stretches.append(kernel)
        for root, target, part in results:
            self.stretches += self._finish_blocks(root.buffer, target, str(root.reduce), part)

    def _finish_blocks(self, parts: Buffer, target: Buffer, kind: str, part: tuple[Dims, list[int], int] | None = None) -> list[Kernel]:
        """The kernels that put the results of blocks together; sums of float32 in float64.

        part: the dims of the results, and how far apart and from where on they lie in the target, where that is not all of it.
        """
        dims, steps, offset = part or ((target.size,), [1], 0)
        builder = Builder(self.builder)
        wide = np.dtype(np.float64) if parts.dtype == np.float32 and kind == "sum" else parts.dtype
        total = builder.reduce(kind, builder.cast(parts, wide), [0])
        builder.steps.append(Materialise(builder.reshape(builder.cast(total, target.dtype), dims), target, steps, offset))
        return [kernel for kernel in _kernels(builder) if isinstance(kernel, Kernel)]

    def _places(self, stretch: Stretch) -> list[Place]:
        """The memory that must be there while a stretch runs."""
        inside = self.inner.get(stretch, []) if isinstance(stretch, (Loop, Branch)) else []
        found = stretch.places if isinstance(stretch, RowBlocks) else touched_places(stretch)
        return [p for p in (*found, *(self._blocks[s] for s in inside)) if not self._is_outside(p)]

    def _is_outside(self, place: Place) -> bool:
        """Whether a place is in the arena of a segment around this one."""
        return self.outer is not None and (place in self.outer.builder.places or self.outer._is_outside(place))

    # ---- code

    def emit(self, module: ir.Module) -> None:
        """Write the segment's functions."""
        function = ir.Function(module, ir.FunctionType(I32, [POINTER, POINTER]), self.name)
        b = ir.IRBuilder(function.append_basic_block("entry"))
        both = b.bitcast(b.alloca(POINTER, 2), POINTER)
        for i, given in enumerate(function.args):
            b.store(given, b.gep(both, [ir.Constant(I64, i)], source_etype=POINTER))
        status = b.alloca(I32)
        b.store(ir.Constant(I32, 0), status)
        self._watch = watch(b) if self.stops else None
        self.emit_inside(b, both, status)
        if self.builder.deferred:
            with b.if_then(b.icmp_signed("==", b.load(status, typ=I32), ir.Constant(I32, 0))):
                for scatter in self.builder.deferred:
                    scatter_code.emit_scatter(b, scatter, self.vector_bytes, lambda place: self.address(b, function.args, place))
        b.ret(b.load(status, typ=I32))

    def emit_inside(self, b: ir.IRBuilder, both: ir.Value, status: ir.Value) -> None:
        """Write the segment's code in a function; `status` is where faults are noted."""
        repeated = self._write_repeated(b.module)
        way_out = self.watch
        waiting: list[Call] = []
        for i, stretch in enumerate(self.stretches):
            if i in repeated and self.root.timed is None:
                waiting.append(repeated[i])
                if i + 1 in repeated:
                    continue
            if waiting:
                emit_calls(b, f"{self.name}_{i}", waiting, both, self.locate, way_out)
                waiting = []
                continue
            start = self.now(b)
            if i in repeated:
                emit_calls(b, f"{self.name}_{i}", [repeated[i]], both, self.locate, way_out)
            elif isinstance(stretch, (Kernel, InTasks)):
                self._emit_part(b, f"{self.name}_{i}", stretch, both)
            elif isinstance(stretch, Scatter):
                scatter_code.emit_scatter(b, stretch, self.vector_bytes, lambda place: self.address(b, b.function.args[:2], place))
            else:
                flow.emit(b, self, stretch, both, status)
            self.record(b, f"{self.name}_{i}", stretch, start)
        given = b.function.args[:2]
        for check in self.builder.checks:
            at_fault = b.load(self.address(b, given, check.place), typ=ir.IntType(8))
            b.store(b.or_(b.load(status, typ=I32), b.zext(at_fault, I32)), status)

    def now(self, b: ir.IRBuilder) -> ir.Value | None:
        """The time, in a program whose times are noted."""
        return b.call(scalars.declare_function(b.module, "pb_now", I64, []), []) if self.root.timed is not None else None

    def record(self, b: ir.IRBuilder, name: str, stretch: Stretch, start: ir.Value | None) -> None:
        """Note when a stretch began and ended."""
        timed = self.root.timed
        if timed is None or start is None:
            return
        timed.append((name, stretch))
        buffer = b.module.globals.get("pb_profile") or ir.GlobalVariable(b.module, ir.IntType(8), "pb_profile")
        record = scalars.declare_function(b.module, "pb_record", ir.VoidType(), [POINTER, I64, I64, I64])
        end = b.call(scalars.declare_function(b.module, "pb_now", I64, []), [])
        b.call(record, [b.bitcast(buffer, POINTER), ir.Constant(I64, len(timed) - 1), start, end])

    def _emit_part(self, b: ir.IRBuilder, name: str, stretch: Kernel | InTasks, both: ir.Value) -> None:
        part, blocks = self._part(b.module, name, stretch)
        if isinstance(stretch, RowBlocks):
            row_tiling_code.free_scratch(b, self, stretch)
        if blocks == 1:
            b.call(part, [both, ir.Constant(I64, 0)])
            if self.watch is not None:
                self.watch.after(b, stretch.work)
        else:
            hit = share(b, part, both, ir.Constant(I64, blocks), None if self.watch is None else self.watch.look)
            if self.watch is not None and hit is not None:
                self.watch.leave_if(b, hit)

    def _write_repeated(self, module: ir.Module) -> dict[int, Call]:
        """The stretches that come several times, by number: their functions are written here, once for all that are equal."""
        written: dict[object, tuple[ir.Function, int]] = {}
        found = {}
        for i, part in find_repeated(self.stretches).items():
            if part.key not in written:
                written[part.key] = self._part(module, f"{self.name}_{i}", part.stretch, load_address)
            found[i] = Call(*written[part.key], part.places)
        return found

    def _part(self, module: ir.Module, name: str, stretch: Kernel | InTasks, address: Address | None = None) -> tuple[ir.Function, int]:
        """A function of (buffers and context, block) that runs one block of a stretch, and the number of blocks.

        address: where a place is, for a part that is given a list of addresses instead of the buffers and the context.
        """
        task = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER, I64]), f"{name}_block")
        task.linkage = "internal"
        b = ir.IRBuilder(task.append_basic_block("entry"))
        if address is None:
            address = self.address
            given = [b.load(b.gep(task.args[0], [ir.Constant(I64, i)], source_etype=POINTER), typ=POINTER) for i in range(2)]
        else:
            given = [task.args[0], task.args[0]]
        if isinstance(stretch, Kernel):
            plan = schedule(stretch, self.vector_bytes)
            extent = stretch.extents[plan.order[0]] if plan.order else 1
            length, blocks = _blocks(stretch, plan, extent)
            low = b.mul(task.args[1], ir.Constant(I64, length))
            high = b.add(low, ir.Constant(I64, length))
            whole = ir.Constant(I64, extent)
            high = b.select(b.icmp_signed("<", high, whole), high, whole) if extent % length or not extent else high
            Emitter(b, stretch, plan, address, [*given, low, high]).emit()
        elif isinstance(stretch, Product):
            blocks = blas_calls.emit_product(b, stretch, task.args[1], lambda place: address(b, given, place))
        elif isinstance(stretch, Reorder):
            blocks = reorder_code.emit_reorder(b, stretch, task.args[1], self.vector_bytes, lambda place: self.address(b, given, place))
        elif isinstance(stretch, RowBlocks):
            blocks = stretch.tasks
            row_tiling_code.emit_task(self, b, name, stretch, given, task.args[1])
        elif isinstance(stretch, scans.Scan):
            blocks = scan_code.emit_scan(b, stretch, task.args[1], self.vector_bytes, lambda place: self.address(b, given, place))
        elif isinstance(stretch, factors.Factorisation):
            blocks = factor_code.emit_factorisation(b, stretch, task.args[1], lambda place: self.address(b, given, place))
        else:
            assert isinstance(stretch, convolution.Windowed)
            blocks = convolution_code.emit(b, stretch, task.args[1], self.vector_bytes, lambda place: self.address(b, given, place))
        b.ret_void()
        return task, blocks

    # ---- addresses

    def address(self, b: ir.IRBuilder, given: Sequence[ir.Value], place: Place) -> ir.Value:
        """Where a place is, in a function that has the buffers and the context."""
        at = self.locate(place)
        table = b.load(given[1], typ=POINTER) if at.table == ARENA else given[1] if at.table == CONTEXT else given[0]
        where = b.gep(table, [ir.Constant(I64, at.offset)], source_etype=ir.IntType(8))
        return b.load(where, typ=POINTER) if at.follow else where

    def locate(self, place: Place) -> Location:
        """Where a place is, from the start of the arena, the context or the list of buffers."""
        if place.kind == "alias":
            return self.locate(place.backing[0])
        if place.kind == "temporary":
            return Location(ARENA, self.start(place), False)
        if place.kind in ("word", "slot", "stack"):
            return Location(CONTEXT, self._word_offset(place.index), place.kind == "slot")
        if place.kind == "constant":
            return Location(CONTEXT, _WORD * (1 + place.index), True)
        return Location(BUFFERS, _WORD * (place.index + (len(self.root.builder.inputs) if place.kind == "output" else 0)), True)

    def word(self, b: ir.IRBuilder, context: ir.Value, index: int) -> ir.Value:
        """The address of a word of the table."""
        return b.gep(context, [ir.Constant(I64, self._word_offset(index))], source_etype=ir.IntType(8))

    def _word_offset(self, index: int) -> int:
        return _WORD * (1 + len(self.builder.root.constants) + index)

    def start(self, place: Place) -> int:
        """Where in the arena a temporary place starts."""
        if place in self.starts:
            return self.starts[place] + self._base
        if self.outer is None:
            raise KeyError(place)
        return self.outer.start(place)

    @property
    def root(self) -> Segment:
        """The outermost segment around this one."""
        return self if self.outer is None else self.outer.root

    @property
    def _base(self) -> int:
        return 0 if self.outer is None else self.outer.start(self.outer._blocks[self])


def _kernels(builder: Builder) -> list[Kernel | Block]:
    """What steps come to: kernels, and the steps that are none."""
    found: list[Kernel | Block] = []
    for step in fuse_steps(builder):
        if isinstance(step, Group):
            assert step.kernel is not None
            found.append(step.kernel)
        else:
            found.append(step)
    return found


def _blocks(kernel: Kernel, plan: Schedule, extent: int) -> tuple[int, int]:
    """The length and number of the blocks that a kernel's first loop is cut in, by its size alone."""
    count = count_blocks(kernel.work * (_TURNING if plan.turned else 1), _BLOCK_WORK, _MOST_BLOCKS)
    if not plan.order or plan.order[0] in kernel.reduced or count < 2 or extent < 2:
        return max(extent, 1), 1
    grain = plan.lanes * plan.unroll if plan.order[0] == plan.vector else 1
    length = -(-extent // count)
    length = -(-length // grain) * grain
    return length, -(-extent // length)


def _long_reduction(kernel: Kernel) -> tuple[int, int] | None:
    """A variable to cut in blocks, and how long they are."""
    if not kernel.reduced or not any(r.reduce for r in kernel.roots):
        return None
    variable = next(v for v in kernel.extents if v in kernel.reduced)
    kept = int(np.prod([n for v, n in kernel.extents.items() if v not in kernel.reduced], dtype=np.int64))
    inner = int(np.prod([n for v, n in kernel.extents.items() if v in kernel.reduced and v != variable], dtype=np.int64))
    run = max(_RUN // max(inner, 1), 1) if kept == 1 else _ROWS
    if kernel.extents[variable] <= 2 * run:
        return None
    return variable, run
