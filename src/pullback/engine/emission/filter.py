"""The loops of convolutions' gradients for filters: tiles of a gradient stay in registers while the outputs of a unit go by."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from .. import llvm_ir as ir
from ..lowering.convolution import ChannelSums, FilterSums
from ..lowering.index import strides
from ..scalars.counting import count_loop
from .window import Address, Loops, integer, tiles


class Sums(Loops):
    """The gradient for a filter: for some columns and some elements of a run of taps, sums over all outputs of a unit."""

    step: FilterSums

    def __init__(self, b: ir.IRBuilder, step: FilterSums, task: ir.Value, vector_bytes: int, address: Address) -> None:
        super().__init__(b, step, task, vector_bytes, address, 1 << (max(step.outputs, 1) - 1).bit_length())
        self.table = self.starts()
        self.of_runs, self.length = step.runs
        self.depth = step.g.dims[-1]

    def write(self) -> None:
        """One task."""
        b, step = self.b, self.step
        share, part = b.sdiv(self.task, integer(step.parts)), b.srem(self.task, integer(step.parts))
        low, high = self.share(share)
        sums = self.at(self.address(step.out.place), *([] if step.apart else [(share, step.taps * self.depth)]))
        first, last = self._columns(part)
        own = step.units // max(step.groups, 1)
        left, right = (b.mul(b.sdiv(at, integer(own)), integer(step.outputs)) for at in (low, high)) if step.apart else (first, last)
        if step.tasks == step.shares:
            self.clear(sums, step.taps * self.depth)
        else:
            size = b.sub(right, left)
            count_loop(b, integer(0), integer(step.taps), integer(1), lambda k: self.clear(self.at(sums, (k, self.depth), (left, 1)), size))
        g = self.address(step.g.place)
        apart = strides(step.g.dims)

        def unit(image: ir.Value, group: ir.Value, row: ir.Value, rows: ir.Value, source: ir.Value) -> None:
            given = self.at(g, (image, apart[0]), (row, apart[1]), (group, step.outputs))
            own = self.at(sums, (group, step.outputs))
            each = self.wide * self.lanes
            whole = step.outputs - step.outputs % each
            for start, end, wide in ((0, whole, self.wide), (whole, step.outputs, -(-(step.outputs - whole) // self.lanes))):
                if start == end:
                    continue
                masks = self.masks(min(each, end - start), wide)
                several = step.parts > 1
                low = self._within(first, start, end) if several else integer(start)
                high = self._within(last, start, end) if several else integer(end)

                def columns(i: ir.Value, wide: int = wide, masks: list[ir.Value | None] = masks) -> None:
                    def run(j: ir.Value) -> None:
                        to = self.at(own, (j, self.length * self.depth), (i, 1))
                        of = self.at(source, (self.of_run(self.table, j), 1))
                        for low, high, tall in tiles(self.length, self.high):
                            count_loop(b, integer(low), integer(high), integer(tall), partial(tile, tall, of, to))

                    def tile(tall: int, of: ir.Value, to: ir.Value, k: ir.Value) -> None:
                        self._tile(rows, tall, wide, masks, self.at(of, (k, 1)), self.at(given, (i, 1)), self.at(to, (k, self.depth)))

                    count_loop(b, integer(0), integer(len(self.of_runs)), integer(1), run)

                count_loop(b, low, high, integer(each), columns)

        self.units(low, high, unit)

    def _columns(self, part: ir.Value) -> tuple[ir.Value, ir.Value]:
        """The columns of a part, from the first to behind the last."""
        first = self.b.mul(part, integer(self.step.each))
        return first, self._within(self.b.add(first, integer(self.step.each)), 0, self.step.outputs)

    def _within(self, at: ir.Value, low: int, high: int) -> ir.Value:
        at = self.b.select(self.b.icmp_signed("<", at, integer(high)), at, integer(high))
        return self.b.select(self.b.icmp_signed(">", at, integer(low)), at, integer(low)) if low else at

    def _tile(
        self, rows: ir.Value, tall: int, wide: int, masks: list[ir.Value | None], source: ir.Value, given: ir.Value, target: ir.Value
    ) -> None:
        def terms(of: ir.Value, g: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
            vectors = [self.load(self.at(g, v * self.lanes), masks[v]) for v in range(wide)]
            numbers = [self.number(self.at(of, k)) for k in range(tall)]
            return [self.multiply_add(t, numbers[i // wide], vectors[i % wide]) for i, t in enumerate(sums)]

        sums = self.over_outputs(self.step.g.dims, rows, source, given, self.zeros(tall * wide), terms)
        for i, value in enumerate(sums):
            self.add_to(self.at(target, i // wide * self.depth + i % wide * self.lanes), value, masks[i % wide])


class EachChannel(Loops):
    """The gradient for filters of one channel each: for a vector of channels and some taps, sums over all outputs of a unit."""

    step: ChannelSums

    def __init__(self, b: ir.IRBuilder, step: ChannelSums, task: ir.Value, vector_bytes: int, address: Address) -> None:
        super().__init__(b, step, task, vector_bytes, address, 1 << (max(step.channels, 1) - 1).bit_length())

    def write(self) -> None:
        """One task."""
        b, step = self.b, self.step
        low, high = self.share(self.task)
        sums = self.at(self.address(step.out.place), (self.task, step.taps * step.channels))
        self.clear(sums, step.taps * step.channels)
        g = self.address(step.g.place)
        apart = strides(step.g.dims)
        starts = step.starts
        whole = step.channels - step.channels % self.lanes

        def unit(image: ir.Value, group: ir.Value, row: ir.Value, rows: ir.Value, source: ir.Value) -> None:
            given = self.at(g, (image, apart[0]), (row, apart[1]))
            for start, end in ((0, whole), (whole, step.channels)):
                mask = self.masks(min(end - start, self.lanes), 1)[0]
                for first, last, count in tiles(len(starts), self.high):
                    for tap in range(first, last, count):

                        def channels(i: ir.Value, tap: int = tap, count: int = count, mask: ir.Value | None = mask) -> None:
                            of, to = self.at(source, (i, 1)), self.at(sums, (i, 1), tap * step.channels)
                            self._taps(rows, of, self.at(given, (i, 1)), to, starts[tap : tap + count], mask)

                        if start < end:
                            count_loop(b, integer(start), integer(end), integer(self.lanes), channels)

        self.units(low, high, unit)

    def _taps(
        self, rows: ir.Value, source: ir.Value, given: ir.Value, target: ir.Value, starts: Sequence[int], mask: ir.Value | None
    ) -> None:
        def terms(of: ir.Value, g: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
            one = self.load(g, mask)
            return [self.multiply_add(t, one, self.load(self.at(of, start), mask)) for t, start in zip(sums, starts, strict=True)]

        sums = self.over_outputs(self.step.g.dims, rows, source, given, self.zeros(len(starts)), terms)
        for i, value in enumerate(sums):
            self.add_to(self.at(target, i * self.step.channels), value, mask)
