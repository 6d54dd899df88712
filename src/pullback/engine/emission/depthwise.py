"""The loops of a convolution with a filter for each channel: the taps of a vector of channels stay in registers while the outputs go by.

A product is rounded before it is added, tap after tap, as the kernels do it, so the bits are theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from .. import llvm_ir as ir
from ..lowering.convolution import EachConvolution
from ..lowering.index import strides
from ..scalars.counting import count_loop
from .window import Address, Loops, integer, tiles

#: How many neighbours along the last axis are computed side by side: they share what they read.
_SIDE = 4


class EachForward(Loops):
    """One task: for each unit and vector of channels, all outputs."""

    step: EachConvolution

    def __init__(self, b: ir.IRBuilder, step: EachConvolution, task: ir.Value, vector_bytes: int, address: Address) -> None:
        super().__init__(b, step, task, vector_bytes, address, 1 << (max(step.channels, 1) - 1).bit_length())

    def write(self) -> None:
        """One task."""
        step = self.step
        low, high = self.share(self.task)
        w, out = self.address(step.w.place), self.address(step.out.place)
        apart = strides(step.out.dims)
        whole = step.channels - step.channels % self.lanes

        def unit(image: ir.Value, group: ir.Value, row: ir.Value, rows: ir.Value, source: ir.Value) -> None:
            target = self.at(out, (image, apart[0]), (row, apart[1]))
            for start, end in ((0, whole), (whole, step.channels)):
                mask = self.masks(min(end - start, self.lanes), 1)[0]

                def channels(i: ir.Value, mask: ir.Value | None = mask) -> None:
                    filters = [self.load(self.at(w, (i, 1), tap * step.channels), mask) for tap in range(len(step.starts))]
                    self._along(0, rows, self.at(source, (i, 1)), self.at(target, (i, 1)), filters, mask)

                if start < end:
                    count_loop(self.b, integer(start), integer(end), integer(self.lanes), channels)

        self.units(low, high, unit)

    def _along(
        self, depth: int, rows: ir.Value, source: ir.Value, target: ir.Value, filters: Sequence[ir.Value], mask: ir.Value | None
    ) -> None:
        """The outputs along an axis and those inside it."""
        step = self.step
        axis, pitch, apart = step.axes[depth], step.pitches[depth], strides(step.out.dims)[depth + 1]
        last = depth == len(step.axes) - 1

        def add_columns(i: ir.Value, count: int) -> None:
            of, to = self.at(source, (i, axis.stride * pitch)), self.at(target, (i, apart))
            if not last:
                self._along(depth + 1, rows, of, to, filters, mask)
                return
            sums = [self._sum(self.at(of, k * axis.stride * pitch), filters, mask) for k in range(count)]
            for k, total in enumerate(sums):
                self.store(total, self.at(to, k * apart), mask)

        if depth == 0:
            count_loop(self.b, integer(0), rows, integer(1), lambda i: add_columns(i, 1))
            return
        for start, end, count in tiles(axis.outputs, _SIDE if last else 1):
            count_loop(self.b, integer(start), integer(end), integer(count), partial(add_columns, count=count))

    def _sum(self, source: ir.Value, filters: Sequence[ir.Value], mask: ir.Value | None) -> ir.Value:
        b = self.b
        times, plus = (b.fmul, b.fadd) if self.dtype.kind == "f" else (b.mul, b.add)
        total = None
        for start, one in zip(self.step.starts[:: -1 if self.step.turned else 1], filters, strict=True):
            term = times(self.load(self.at(source, start), mask), one)
            total = term if total is None else plus(total, term)
        assert total is not None
        return total
