"""A segment: a stretch of a program that runs natively in one go, as an LLVM function `i32 name(ptr buffers, ptr context)`.

`buffers` are the arrays it is given, inputs and then outputs.  `context` points to the segment's own memory: a table of addresses, the
arena first and then the constants.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir

from . import blas_calls, scalars
from .emit import I32, I64, POINTER, Emitter, Schedule, schedule
from .forms import Buffer, Place
from .fuse import CHEAP, Group, fused
from .kernel import Kernel, Root, in_blocks
from .memory import arena
from .steps import Materialise, Product, Steps

#: How many elements one accumulator adds up, one after the other, before the sum is put away.
_RUN = 4096
_ROWS = 256
#: Plain operations that are worth a block of their own, and the greatest number of blocks of one kernel.
_BLOCK_WORK, _MOST_BLOCKS = 200_000, 32


class Segment:
    """The steps of a segment, put in order and planned."""

    def __init__(self, name: str, steps: Steps, vector_bytes: int) -> None:
        self.name, self.steps, self.vector_bytes = name, steps, vector_bytes
        self.stretches: list[Kernel | Product] = []
        for step in fused(steps):
            if isinstance(step, Group):
                assert step.kernel is not None
                self._add(step.kernel)
            else:
                self.stretches.append(step)
        self.starts, self.arena_bytes = arena([*(_places(s) for s in self.stretches), [c.place for c in steps.checks]])

    @property
    def is_long(self) -> bool:
        """Whether it runs long enough for other threads of Python to get their turn."""
        return sum(s.m * s.n * s.k * s.batch if isinstance(s, Product) else work(s) for s in self.stretches) > _BLOCK_WORK

    def _add(self, kernel: Kernel) -> None:
        """A kernel; one that sums over much is cut in blocks, whose sums are added up after it."""
        cut = _long_reduction(kernel)
        if cut is None:
            self.stretches.append(kernel)
            return
        variable, length = cut
        blocks = -(-kernel.extents[variable] // length)
        results: list[tuple[Root, Buffer, str]] = []

        def partial(root: Root) -> Buffer:
            whole = root.buffer
            part = self.steps.temporary((blocks, whole.size), whole.dtype)
            results.append((root, whole, str(root.reduce)))
            return part

        in_blocks(kernel, variable, length, partial)
        self.stretches.append(kernel)
        for root, whole, kind in results:
            self._finish(root.buffer, whole, kind)

    def _finish(self, parts: Buffer, whole: Buffer, kind: str) -> None:
        """Put the results of blocks together; sums of float32 in float64."""
        steps = Steps()
        steps.count = self.steps.count
        wide = np.dtype(np.float64) if parts.dtype == np.float32 and kind == "sum" else parts.dtype
        total = steps.reduce(kind, steps.cast(parts, wide), [0])
        target = Buffer((whole.size,), whole.dtype, whole.place)
        steps.steps.append(Materialise(steps.cast(total, whole.dtype), target))
        for step in fused(steps):
            assert isinstance(step, Group)
            assert step.kernel is not None
            self.stretches.append(step.kernel)
        self.steps.count = steps.count

    def emit(self, module: ir.Module) -> None:
        """Write the segment's functions."""
        function = ir.Function(module, ir.FunctionType(I32, [POINTER, POINTER]), self.name)
        b = ir.IRBuilder(function.append_basic_block("entry"))
        both = b.bitcast(b.alloca(POINTER, 2), POINTER)
        for i, given in enumerate(function.args):
            b.store(given, b.gep(both, [ir.Constant(I64, i)], source_etype=POINTER))
        for i, stretch in enumerate(self.stretches):
            part, blocks = self._part(module, f"{self.name}_{i}", stretch)
            if blocks == 1:
                b.call(part, [both, ir.Constant(I64, 0)])
            else:
                parallel = scalars.declared(module, "pb_parallel", ir.VoidType(), [POINTER, POINTER, I64])
                b.call(parallel, [part, both, ir.Constant(I64, blocks)])
        status: ir.Value = ir.Constant(I32, 0)
        for check in self.steps.checks:
            at_fault = b.load(self._address(b, function.args, check.place), typ=ir.IntType(8))
            status = b.or_(status, b.zext(at_fault, I32))
        b.ret(status)

    def _part(self, module: ir.Module, name: str, stretch: Kernel | Product) -> tuple[ir.Function, int]:
        """A function of (buffers and context, block) that runs one block of a stretch, and the number of blocks."""
        task = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER, I64]), f"{name}_block")
        task.linkage = "internal"
        b = ir.IRBuilder(task.append_basic_block("entry"))
        given = [b.load(b.gep(task.args[0], [ir.Constant(I64, i)], source_etype=POINTER), typ=POINTER) for i in range(2)]
        if isinstance(stretch, Product):
            blocks = blas_calls.emit_product(b, stretch, task.args[1], lambda place: self._address(b, given, place))
        else:
            plan = schedule(stretch, self.vector_bytes)
            kernel = Emitter(module, name, stretch, plan, self._address).emit()
            extent = stretch.extents[plan.order[0]] if plan.order else 1
            length, blocks = _blocks(stretch, plan, extent)
            low = b.mul(task.args[1], ir.Constant(I64, length))
            high = b.add(low, ir.Constant(I64, length))
            whole = ir.Constant(I64, extent)
            b.call(kernel, [*given, low, b.select(b.icmp_signed("<", high, whole), high, whole) if extent % length else high])
        b.ret_void()
        return task, blocks

    def _address(self, b: ir.IRBuilder, given: Sequence[ir.Value], place: Place) -> ir.Value:
        buffers, context = given
        if place.kind == "temporary":
            base = b.load(context, typ=POINTER)
            return b.gep(base, [ir.Constant(I64, self.starts[place])], source_etype=ir.IntType(8))
        table, index = (buffers, place.index) if place.kind != "constant" else (context, 1 + place.index)
        index += len(self.steps.inputs) if place.kind == "output" else 0
        return b.load(b.gep(table, [ir.Constant(I64, index)], source_etype=POINTER), typ=POINTER)


def work(kernel: Kernel) -> int:
    """What a kernel costs, in plain operations."""
    return math.prod(kernel.extents.values()) * sum(1 if i.op in CHEAP or i.op in ("load", "scalar", "linear", "within") else 10 for i in kernel.instrs)


def _blocks(kernel: Kernel, plan: Schedule, extent: int) -> tuple[int, int]:
    """The length and number of the blocks that a kernel's first loop is cut in, by its size alone."""
    count = min(work(kernel) // _BLOCK_WORK, _MOST_BLOCKS)
    if not plan.order or plan.order[0] in kernel.reduced or count < 2 or extent < 2:
        return max(extent, 1), 1
    grain = plan.lanes * plan.unroll if plan.order[0] == plan.vector else 1
    length = -(-extent // count)
    length = -(-length // grain) * grain
    return length, -(-extent // length)


def _places(stretch: Kernel | Product) -> list[Place]:
    if isinstance(stretch, Product):
        return [stretch.a.place, stretch.b.place, stretch.out.place]
    return [i.data[0] for i in stretch.instrs if i.op == "load"] + [r.buffer.place for r in stretch.roots]


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



