"""The loops of convolutions: tiles of outputs, or of a filter's gradient, that stay in registers while the taps, or the outputs, go by.

A tile is so many rows (outputs of a convolution, elements of a run of taps for a gradient) by one or two vectors of columns: as many
sums as there are registers, less those for the vectors and numbers that come in.  Sides that are no multiple of a tile's are cut in
tiles of nearly the same size, so that none is left with too few sums to hide how long an addition takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from llvmlite import ir

from . import scalars
from .convolution import ChannelSums, Convolution, FilterSums, Windowed
from .counting import carried, counted
from .forms import Place
from .index import strides

I8, I32, I64, POINTER = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.PointerType()
Address = Callable[[Place], ir.Value]
#: Up to so many steps of a loop are written out; a longer one takes two at a time where that comes out even.
_WRITTEN_OUT = 8


def emit(b: ir.IRBuilder, step: Windowed, task: ir.Value, vector_bytes: int, address: Address) -> int:
    """Write one task of a convolution, or of the sums for its filter; gives the number of tasks."""
    if isinstance(step, Convolution):
        _Forward(b, step, task, vector_bytes, address).write()
    elif isinstance(step, FilterSums):
        _Sums(b, step, task, vector_bytes, address).write()
    elif isinstance(step, ChannelSums):
        _EachChannel(b, step, task, vector_bytes, address).write()
    else:
        raise TypeError(step)
    return step.tasks


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)


def _tiles(extent: int, most: int) -> list[tuple[int, int, int]]:
    """Where runs of tiles of one size start and end, and the size: as few tiles as there can be, of nearly the same size."""
    count = -(-extent // most)
    small, large = extent // count, extent % count
    edge = large * (small + 1)
    return [part for part in ((0, edge, small + 1), (edge, extent, small)) if part[0] < part[1]]


class _Loops:
    """What both kinds have in common: units, windows, vectors."""

    def __init__(self, b: ir.IRBuilder, step: Windowed, task: ir.Value, vector_bytes: int, address: Address, columns: int) -> None:
        self.b, self.step, self.task, self.address = b, step, task, address
        self.dtype = step.x.dtype
        self.item = scalars.memory_type(self.dtype, 1)
        self.lanes = max(min(vector_bytes // self.dtype.itemsize, columns), 1)
        #: How many vectors of columns a tile has, and how many rows.
        self.wide = 2 if columns >= 2 * self.lanes else 1
        sums = 24 if vector_bytes >= 64 else 12
        self.high = sums // 2 if self.wide == 2 else sums - 4
        self.vector = scalars.memory_type(self.dtype, self.lanes)

    # ---- values

    def at(self, pointer: ir.Value, *offsets: tuple[ir.Value, int] | int) -> ir.Value:
        """A pointer moved by constants and by (number, factor) pairs, in elements."""
        b, constant, total = self.b, 0, None
        for offset in offsets:
            if isinstance(offset, int):
                constant += offset
                continue
            value, factor = offset
            part = value if factor == 1 else b.mul(value, _int(factor))
            total = part if total is None else b.add(total, part)
        pointer = pointer if total is None else b.gep(pointer, [total], source_etype=self.item)
        return b.gep(pointer, [_int(constant)], source_etype=self.item) if constant else pointer

    def load(self, pointer: ir.Value, mask: ir.Value | None = None) -> ir.Value:
        """A vector."""
        if mask is None:
            return self.b.load(pointer, typ=self.vector, align=self.dtype.itemsize)
        name = f"llvm.masked.load.{scalars.mangled(self.vector)}.p0"
        masked = scalars.declared(self.b.module, name, self.vector, [POINTER, mask.type, self.vector])
        return self.b.call(masked, [pointer, mask, ir.Constant(self.vector, None)])

    def store(self, value: ir.Value, pointer: ir.Value, mask: ir.Value | None) -> None:
        """Put a vector in memory."""
        if mask is None:
            self.b.store(value, pointer, align=self.dtype.itemsize)
            return
        name = f"llvm.masked.store.{scalars.mangled(self.vector)}.p0"
        masked = scalars.declared(self.b.module, name, ir.VoidType(), [self.vector, POINTER, mask.type])
        self.b.call(masked, [value, pointer, mask])

    def number(self, pointer: ir.Value) -> ir.Value:
        """A number in all lanes."""
        return scalars.splat(self.b, self.b.load(pointer, typ=self.item, align=self.dtype.itemsize), self.lanes)

    def added(self, total: ir.Value, x: ir.Value, y: ir.Value) -> ir.Value:
        """total + x * y, rounded once where the processor can."""
        if self.dtype.kind != "f":
            return self.b.add(total, self.b.mul(x, y))
        name = f"llvm.fmuladd.{scalars.mangled(self.vector)}"
        return self.b.call(scalars.declared(self.b.module, name, self.vector, [self.vector] * 3), [x, y, total])

    def zeros(self, count: int) -> list[ir.Value]:
        """Sums of nothing yet."""
        return [ir.Constant(self.vector, None)] * count

    def masks(self, left: ir.Value | int, wide: int) -> list[ir.Value | None]:
        """For each vector, which of its lanes are among the columns that are left; None: all."""
        if isinstance(left, int) and left >= wide * self.lanes:
            return [None] * wide
        if self.lanes == 1:
            return [None] * wide
        numbers = ir.Constant(ir.VectorType(I32, self.lanes), list(range(self.lanes)))
        count = _int(left) if isinstance(left, int) else left
        found: list[ir.Value | None] = []
        for i in range(wide):
            rest = self.b.trunc(self.b.sub(count, _int(i * self.lanes)), I32)
            found.append(self.b.icmp_signed("<", numbers, scalars.splat(self.b, rest, self.lanes)))
        return found

    # ---- units

    def share(self, share: ir.Value) -> tuple[ir.Value, ir.Value]:
        """The units of a share, from the first to behind the last."""
        b, length, units = self.b, self.step.length, self.step.units
        low = b.mul(share, _int(length))
        high = b.add(low, _int(length))
        return low, b.select(b.icmp_signed("<", high, _int(units)), high, _int(units)) if units % length else high

    def units(self, low: ir.Value, high: ir.Value, body: Callable[[ir.Value, ir.Value, ir.Value, ir.Value, ir.Value], None]) -> None:
        """For each unit let `body` write what is done with image, group, first row, number of rows, and where the taps read from."""
        b, step = self.b, self.step
        first = step.axes[0]
        x = self.address(step.x.place)
        window = self._empty_window() if step.copies else None

        def unit(i: ir.Value) -> None:
            chunk, rest = b.srem(i, _int(step.chunks)), b.sdiv(i, _int(step.chunks))
            image, group = b.srem(rest, _int(step.batch)), b.sdiv(rest, _int(step.batch))
            row = b.mul(chunk, _int(step.rows))
            left = b.sub(_int(first.outputs), row)
            rows = b.select(b.icmp_signed("<", left, _int(step.rows)), left, _int(step.rows))
            rows = _int(step.rows) if first.outputs % step.rows == 0 else rows
            size = strides(step.x.dims)[0]
            if window is None:
                at = sum((axis.start * pitch for axis, pitch in zip(step.axes, step.pitches, strict=True)), 0)
                source = self.at(x, (image, size), (row, first.stride * step.pitches[0]), at)
            else:
                source = window
                self._fill(window, self.at(x, (image, size), (group, step.channels)), row, rows)
            body(image, group, row, rows, source)

        counted(b, low, high, _int(1), unit)

    def _empty_window(self) -> ir.Value:
        step = self.step
        assert step.windows is not None
        window = self.at(self.address(step.windows.place), (self.task, step.window))
        self.clear(window, step.window)
        return window

    def clear(self, pointer: ir.Value, count: ir.Value | int) -> None:
        """Put zeros in memory."""
        memset = scalars.declared(self.b.module, "llvm.memset.p0.i64", ir.VoidType(), [POINTER, I8, I64, ir.IntType(1)])
        bytes_each = self.dtype.itemsize
        size = _int(count * bytes_each) if isinstance(count, int) else self.b.mul(count, _int(bytes_each))
        self.b.call(memset, [pointer, ir.Constant(I8, 0), size, ir.Constant(ir.IntType(1), 0)])

    def _copy(self, to: ir.Value, of: ir.Value, count: int) -> None:
        memcpy = scalars.declared(self.b.module, "llvm.memcpy.p0.p0.i64", ir.VoidType(), [POINTER, POINTER, I64, ir.IntType(1)])
        self.b.call(memcpy, [to, of, _int(count * self.dtype.itemsize), ir.Constant(ir.IntType(1), 0)])

    def _fill(self, window: ir.Value, image: ir.Value, row: ir.Value, rows: ir.Value) -> None:
        """Copy what the taps of some rows see; rows that lie outside are cleared, what lies beside the image is zero and stays so."""
        b, step = self.b, self.step
        first, inner = step.axes[0], step.axes[1:]
        apart = strides(step.x.dims)[1:-1]
        start = b.add(b.mul(row, _int(first.stride)), _int(first.start))
        count = b.add(b.mul(b.sub(rows, _int(1)), _int(first.stride)), _int(first.reach))
        within = [(max(axis.start, 0), min(axis.length, axis.start + axis.span(axis.outputs))) for axis in inner]

        def along(depth: int, to: ir.Value, of: ir.Value) -> None:
            low, high = within[depth]
            if high <= low:
                return
            to = self.at(to, (low - inner[depth].start) * step.pitches[depth + 1])
            of = self.at(of, low * apart[depth + 1])
            if depth == len(inner) - 1 and step.groups == 1:
                self._copy(to, of, (high - low) * step.channels)
                return

            def each(i: ir.Value) -> None:
                there, here = self.at(to, (i, step.pitches[depth + 1])), self.at(of, (i, apart[depth + 1]))
                if depth == len(inner) - 1:
                    self._copy(there, here, step.channels)
                else:
                    along(depth + 1, there, here)

            counted(b, _int(0), _int(high - low), _int(1), each)

        def line(i: ir.Value) -> None:
            at = b.add(start, i)
            to = self.at(window, (i, step.pitches[0]))
            with b.if_else(b.icmp_unsigned("<", at, _int(first.length))) as (some, none):
                with some:
                    along(0, to, self.at(image, (at, apart[0])))
                with none:
                    self.clear(to, step.pitches[0])

        counted(b, _int(0), count, _int(1), line)

    def over_outputs(
        self,
        dims: Sequence[int],
        rows: ir.Value,
        source: ir.Value,
        given: ir.Value,
        sums: Sequence[ir.Value],
        terms: Callable[[ir.Value, ir.Value, Sequence[ir.Value]], list[ir.Value]],
    ) -> list[ir.Value]:
        """Sums with the terms of each output of a unit; terms: of where the first tap reads and where an array of `dims` has the output."""
        axes, apart, pitches = self.step.axes, strides(dims)[1:-1], self.step.pitches

        def along(depth: int, of: ir.Value, g: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
            if depth == len(axes):
                return terms(of, g, sums)
            count = rows if depth == 0 else _int(axes[depth].outputs)

            def each(i: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
                return along(depth + 1, self.at(of, (i, axes[depth].stride * pitches[depth])), self.at(g, (i, apart[depth])), sums)

            return carried(self.b, _int(0), count, _int(1), sums, each)

        return along(0, source, given, sums)

    def add_to(self, where: ir.Value, value: ir.Value, mask: ir.Value | None) -> None:
        """Add a vector to one in memory."""
        before = self.load(where, mask)
        self.store((self.b.fadd if self.dtype.kind == "f" else self.b.add)(before, value), where, mask)

    def starts(self) -> ir.Value:
        """A table of where the runs of taps start."""
        values = self.step.runs[0]
        name = self.b.module.get_unique_name("taps")
        table = ir.GlobalVariable(self.b.module, ir.ArrayType(I64, len(values)), name)
        table.linkage, table.global_constant = "internal", True
        table.initializer = ir.Constant(table.type.pointee if hasattr(table.type, "pointee") else table.value_type, list(values))
        return self.b.bitcast(table, POINTER)

    def of_run(self, table: ir.Value, run: ir.Value) -> ir.Value:
        """Where a run starts."""
        if len(self.step.runs[0]) == 1:
            return _int(self.step.runs[0][0])
        return self.b.load(self.b.gep(table, [run], source_etype=I64), typ=I64)


class _Forward(_Loops):
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
                left = b.sub(_int(step.outputs), i)
                block = self.at(own, (b.sdiv(i, _int(step.columns)), taps * step.columns), (b.srem(i, _int(step.columns)), 1))
                masks = self.masks(step.outputs if step.outputs % (self.wide * self.lanes) == 0 else left, self.wide)
                self._axis(0, rows, source, self.at(target, (i, 1)), block, masks)

            counted(b, _int(0), _int(step.outputs), _int(self.wide * self.lanes), columns)

        self.units(low, high, unit)

    def _axis(self, depth: int, rows: ir.Value, source: ir.Value, target: ir.Value, block: ir.Value, masks: list[ir.Value | None]) -> None:
        """Loops over the outputs along an axis, but for the last two, whose tiles are rectangles."""
        step = self.step
        axis = step.axes[depth]
        count = rows if depth == 0 else _int(axis.outputs)

        def moved(depth: int, i: ir.Value) -> tuple[ir.Value, ir.Value]:
            pitch = step.axes[depth].stride * step.pitches[depth]
            return self.at(source, (i, pitch)), self.at(target, (i, step.steps[depth + 1]))

        if depth < len(step.axes) - 2:
            counted(self.b, _int(0), count, _int(1), lambda i: self._axis(depth + 1, rows, *moved(depth, i), block, masks))
            return
        across = step.axes[-1].outputs
        tall = max(self.high // across, 1)
        tall = min(tall, step.rows if depth == 0 else axis.outputs)
        known = {axis.outputs} if depth else {step.rows, axis.outputs % step.rows or step.rows}

        def strip(height: int, i: ir.Value) -> None:
            of, to = moved(depth, i)
            for start, end, width in _tiles(across, self.high // tall):
                self._along(depth + 1, of, to, start, end, width, height, block, masks)

        whole = self.b.mul(self.b.sdiv(count, _int(tall)), _int(tall))
        counted(self.b, _int(0), whole, _int(tall), lambda i: strip(tall, i))
        rest = self.b.sub(count, whole)
        for height in sorted({n % tall for n in known} - {0}):
            with self.b.if_then(self.b.icmp_signed("==", rest, _int(height))):
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

        counted(self.b, _int(start), _int(end), _int(width), tile)

    def _sums(self, source: ir.Value, block: ir.Value, places: Sequence[int]) -> list[ir.Value]:
        """The sums over all taps for the outputs whose inputs are at `places`."""
        step = self.step

        def taps(of: ir.Value, filters: ir.Value, sums: Sequence[ir.Value], count: int) -> list[ir.Value]:
            for k in range(count):
                vectors = [self.load(self.at(filters, k * step.columns + v * self.lanes)) for v in range(self.wide)]
                numbers = [self.number(self.at(of, place + k)) for place in places]
                sums = [self.added(t, numbers[i // self.wide], vectors[i % self.wide]) for i, t in enumerate(sums)]
            return list(sums)

        def run(i: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
            of = self.at(source, (self.of_run(self.table, i), 1))
            filters = self.at(block, (i, self.length * step.columns))
            if self.length <= _WRITTEN_OUT:
                return taps(of, filters, sums, self.length)
            once = 2 - self.length % 2

            def some(j: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
                return taps(self.at(of, (j, 1)), self.at(filters, (j, step.columns)), sums, once)

            return carried(self.b, _int(0), _int(self.length), _int(once), sums, some)

        return carried(self.b, _int(0), _int(len(self.of_runs)), _int(1), self.zeros(len(places) * self.wide), run)


class _Sums(_Loops):
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
        share, part = b.sdiv(self.task, _int(step.parts)), b.srem(self.task, _int(step.parts))
        low, high = self.share(share)
        sums = self.at(self.address(step.out.place), *([] if step.apart else [(share, step.taps * self.depth)]))
        first, last = self._columns(part)
        own = step.units // max(step.groups, 1)
        left, right = (b.mul(b.sdiv(at, _int(own)), _int(step.outputs)) for at in (low, high)) if step.apart else (first, last)
        if step.tasks == step.shares:
            self.clear(sums, step.taps * self.depth)
        else:
            size = b.sub(right, left)
            counted(b, _int(0), _int(step.taps), _int(1), lambda k: self.clear(self.at(sums, (k, self.depth), (left, 1)), size))
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
                whole_row = step.parts == 1
                low, high = (_int(start), _int(end)) if whole_row else (self._within(first, start, end), self._within(last, start, end))

                def columns(i: ir.Value, wide: int = wide, masks: list[ir.Value | None] = masks) -> None:
                    def run(j: ir.Value) -> None:
                        to = self.at(own, (j, self.length * self.depth), (i, 1))
                        of = self.at(source, (self.of_run(self.table, j), 1))
                        for low, high, tall in _tiles(self.length, self.high):
                            counted(b, _int(low), _int(high), _int(tall), partial(tile, tall, of, to))

                    def tile(tall: int, of: ir.Value, to: ir.Value, k: ir.Value) -> None:
                        self._tile(rows, tall, wide, masks, self.at(of, (k, 1)), self.at(given, (i, 1)), self.at(to, (k, self.depth)))

                    counted(b, _int(0), _int(len(self.of_runs)), _int(1), run)

                counted(b, low, high, _int(each), columns)

        self.units(low, high, unit)

    def _columns(self, part: ir.Value) -> tuple[ir.Value, ir.Value]:
        """The columns of a part, from the first to behind the last."""
        first = self.b.mul(part, _int(self.step.each))
        return first, self._within(self.b.add(first, _int(self.step.each)), 0, self.step.outputs)

    def _within(self, at: ir.Value, low: int, high: int) -> ir.Value:
        at = self.b.select(self.b.icmp_signed("<", at, _int(high)), at, _int(high))
        return self.b.select(self.b.icmp_signed(">", at, _int(low)), at, _int(low)) if low else at

    def _tile(
        self, rows: ir.Value, tall: int, wide: int, masks: list[ir.Value | None], source: ir.Value, given: ir.Value, target: ir.Value
    ) -> None:
        def terms(of: ir.Value, g: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
            vectors = [self.load(self.at(g, v * self.lanes), masks[v]) for v in range(wide)]
            numbers = [self.number(self.at(of, k)) for k in range(tall)]
            return [self.added(t, numbers[i // wide], vectors[i % wide]) for i, t in enumerate(sums)]

        sums = self.over_outputs(self.step.g.dims, rows, source, given, self.zeros(tall * wide), terms)
        for i, value in enumerate(sums):
            self.add_to(self.at(target, i // wide * self.depth + i % wide * self.lanes), value, masks[i % wide])


class _EachChannel(_Loops):
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
                for first, last, count in _tiles(len(starts), self.high):
                    for tap in range(first, last, count):

                        def channels(i: ir.Value, tap: int = tap, count: int = count, mask: ir.Value | None = mask) -> None:
                            of, to = self.at(source, (i, 1)), self.at(sums, (i, 1), tap * step.channels)
                            self._taps(rows, of, self.at(given, (i, 1)), to, starts[tap : tap + count], mask)

                        if start < end:
                            counted(b, _int(start), _int(end), _int(self.lanes), channels)

        self.units(low, high, unit)

    def _taps(
        self, rows: ir.Value, source: ir.Value, given: ir.Value, target: ir.Value, starts: Sequence[int], mask: ir.Value | None
    ) -> None:
        def terms(of: ir.Value, g: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
            one = self.load(g, mask)
            return [self.added(t, one, self.load(self.at(of, start), mask)) for t, start in zip(sums, starts, strict=True)]

        sums = self.over_outputs(self.step.g.dims, rows, source, given, self.zeros(len(starts)), terms)
        for i, value in enumerate(sums):
            self.add_to(self.at(target, i * self.step.channels), value, mask)
