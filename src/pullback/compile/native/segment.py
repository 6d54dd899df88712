"""A segment: a stretch of a program that runs natively in one go, as an LLVM function `i32 name(ptr buffers, ptr context)`.

`buffers` are the arrays it is given, inputs and then outputs.  `context` points to the segment's own memory: a table of addresses, the
arena first and then the constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir

from . import blas_calls
from .emit import I32, I64, POINTER, Emitter, schedule
from .forms import Buffer, Place
from .fuse import Group, fused
from .kernel import Kernel, Root, in_blocks
from .memory import arena
from .steps import Materialise, Product, Steps

#: How many elements one accumulator adds up, one after the other, before the sum is put away.
_RUN = 4096
_ROWS = 256


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
        self.starts, self.arena_bytes = arena([_places(s) for s in self.stretches])

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
        for i, stretch in enumerate(self.stretches):
            if isinstance(stretch, Product):
                blas_calls.emit_product(b, stretch, lambda place: self._address(b, function.args, place))
            else:
                plan = schedule(stretch, self.vector_bytes)
                kernel = Emitter(module, f"{self.name}_{i}", stretch, plan, self._address).emit()
                extent = stretch.extents[plan.order[0]] if plan.order else 1
                b.call(kernel, [*function.args, ir.Constant(I64, 0), ir.Constant(I64, extent)])
        b.ret(ir.Constant(I32, 0))

    def _address(self, b: ir.IRBuilder, given: Sequence[ir.Value], place: Place) -> ir.Value:
        buffers, context = given
        if place.kind == "temporary":
            base = b.load(context, typ=POINTER)
            return b.gep(base, [ir.Constant(I64, self.starts[place])], source_etype=ir.IntType(8))
        table, index = (buffers, place.index) if place.kind != "constant" else (context, 1 + place.index)
        index += len(self.steps.inputs) if place.kind == "output" else 0
        return b.load(b.gep(table, [ir.Constant(I64, index)], source_etype=POINTER), typ=POINTER)


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



