"""The loops of convolutions: tiles of outputs stay in registers while the taps go by; see `window_code` for what a tile is."""

from __future__ import annotations

from collections.abc import Sequence

from .. import llvm_ir as ir
from ..lowering.convolution import ChannelSums, Convolution, EachConvolution, FilterSums, Windowed
from ..scalars.counting import carry_loop, count_loop
from .depthwise import EachForward
from .filter import EachChannel, Sums
from .window import Address, Loops, integer, tiles

#: Up to so many steps of a loop are written out; a longer one takes two at a time where that comes out even.
_WRITTEN_OUT = 8


def emit(b: ir.IRBuilder, step: Windowed, task: ir.Value, vector_bytes: int, address: Address) -> int:
    """Write one task of a convolution, or of the sums for its filter; gives the number of tasks."""
    if isinstance(step, Convolution):
        _Forward(b, step, task, vector_bytes, address).write()
    elif isinstance(step, FilterSums):
        Sums(b, step, task, vector_bytes, address).write()
    elif isinstance(step, EachConvolution):
        EachForward(b, step, task, vector_bytes, address).write()
    elif isinstance(step, ChannelSums):
        EachChannel(b, step, task, vector_bytes, address).write()
    else:
        raise TypeError(step)
    return step.tasks


class _Forward(Loops):
    """A convolution: for a block of columns, tile after tile of outputs."""

    step: Convolution

    def __init__(self, b: ir.IRBuilder, step: Convolution, task: ir.Value, vector_bytes: int, address: Address) -> None:
        super().__init__(b, step, task, vector_bytes, address, step.columns)
        self.table = self.starts()
        self.of_runs, self.length = step.runs

    def write(self) -> None:
        """One task."""
        b, step = self.b, self.step
        low, high = self.share(self.task)
        filters, out = self.address(step.w.place), self.address(step.out.place)
        blocks, taps = step.w.dims[1], len(self.of_runs) * self.length

        def unit(image: ir.Value, group: ir.Value, row: ir.Value, rows: ir.Value, source: ir.Value) -> None:
            target = self.at(out, (image, step.steps[0]), (group, step.outputs), (row, step.steps[1]), step.offset)
            own = self.at(filters, (group, blocks * taps * step.columns))

            def columns(i: ir.Value) -> None:
                left = b.sub(integer(step.outputs), i)
                block = self.at(own, (b.sdiv(i, integer(step.columns)), taps * step.columns), (b.srem(i, integer(step.columns)), 1))
                masks = self.masks(step.outputs if step.outputs % (self.wide * self.lanes) == 0 else left, self.wide)
                self._axis(0, rows, source, self.at(target, (i, 1)), block, masks)

            count_loop(b, integer(0), integer(step.outputs), integer(self.wide * self.lanes), columns)

        self.units(low, high, unit)

    def _axis(self, depth: int, rows: ir.Value, source: ir.Value, target: ir.Value, block: ir.Value, masks: list[ir.Value | None]) -> None:
        """Loops over the outputs along an axis, but for the last two, whose tiles are rectangles."""
        step = self.step
        axis = step.axes[depth]
        count = rows if depth == 0 else integer(axis.outputs)

        def move_along(depth: int, i: ir.Value) -> tuple[ir.Value, ir.Value]:
            pitch = step.axes[depth].stride * step.pitches[depth]
            return self.at(source, (i, pitch)), self.at(target, (i, step.steps[depth + 1]))

        if depth < len(step.axes) - 2:
            count_loop(self.b, integer(0), count, integer(1), lambda i: self._axis(depth + 1, rows, *move_along(depth, i), block, masks))
            return
        across = step.axes[-1].outputs
        tall = max(self.high // across, 1)
        tall = min(tall, step.rows if depth == 0 else axis.outputs)
        known = {axis.outputs} if depth else {step.rows, axis.outputs % step.rows or step.rows}

        def strip(height: int, i: ir.Value) -> None:
            of, to = move_along(depth, i)
            for start, end, width in tiles(across, self.high // tall):
                self._along(depth + 1, of, to, start, end, width, height, block, masks)

        whole = self.b.mul(self.b.sdiv(count, integer(tall)), integer(tall))
        count_loop(self.b, integer(0), whole, integer(tall), lambda i: strip(tall, i))
        rest = self.b.sub(count, whole)
        for height in sorted({n % tall for n in known} - {0}):
            with self.b.if_then(self.b.icmp_signed("==", rest, integer(height))):
                strip(height, whole)

    def _along(
        self,
        depth: int,
        source: ir.Value,
        target: ir.Value,
        start: int,
        end: int,
        width: int,
        height: int,
        block: ir.Value,
        masks: list[ir.Value | None],
    ) -> None:
        """Tiles of one size along the last axis."""
        step = self.step
        across, down = step.axes[-1].stride * step.pitches[-1], step.axes[-2].stride * step.pitches[-2]
        places = [(r * down + c * across, r * step.steps[-2] + c * step.steps[-1]) for r in range(height) for c in range(width)]

        def tile(i: ir.Value) -> None:
            of, to = self.at(source, (i, across)), self.at(target, (i, step.steps[depth + 1]))
            sums = self._sums(of, block, [place for place, _ in places])
            for k, (_, place) in enumerate(places):
                for v in range(self.wide):
                    self.store(sums[k * self.wide + v], self.at(to, place + v * self.lanes), masks[v])

        count_loop(self.b, integer(start), integer(end), integer(width), tile)

    def _sums(self, source: ir.Value, block: ir.Value, places: Sequence[int]) -> list[ir.Value]:
        """The sums over all taps for the outputs whose inputs are at `places`."""
        step = self.step

        def taps(of: ir.Value, filters: ir.Value, sums: Sequence[ir.Value], count: int) -> list[ir.Value]:
            for k in range(count):
                vectors = [self.load(self.at(filters, k * step.columns + v * self.lanes)) for v in range(self.wide)]
                numbers = [self.number(self.at(of, place + k)) for place in places]
                sums = [self.multiply_add(t, numbers[i // self.wide], vectors[i % self.wide]) for i, t in enumerate(sums)]
            return list(sums)

        def run(i: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
            of = self.at(source, (self.of_run(self.table, i), 1))
            filters = self.at(block, (i, self.length * step.columns))
            if self.length <= _WRITTEN_OUT:
                return taps(of, filters, sums, self.length)
            once = 2 - self.length % 2

            def add_taps(j: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
                return taps(self.at(of, (j, 1)), self.at(filters, (j, step.columns)), sums, once)

            return carry_loop(self.b, integer(0), integer(self.length), integer(once), sums, add_taps)

        return carry_loop(self.b, integer(0), integer(len(self.of_runs)), integer(1), self.zeros(len(places) * self.wide), run)
