"""What the loops of convolutions have in common: units, their windows, vectors of columns, and how sides are cut in tiles.

A tile is so many rows (outputs of a convolution, elements of a run of taps for a gradient) by one or two vectors of columns: as many
sums as there are registers, less those for the vectors and numbers that come in.  Sides that are no multiple of a tile's are cut in
tiles of nearly the same size, so that none is left with too few sums to hide how long an addition takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import llvm_ir as ir
from ..lowering.convolution import Windowed
from ..lowering.index import strides
from ..lowering.index_expr import Place
from ..scalars import scalars
from ..scalars.counting import carry_loop, clear_bytes, count_loop

I32, I64, POINTER = ir.IntType(32), ir.IntType(64), ir.PointerType()
Address = Callable[[Place], ir.Value]


def integer(value: int) -> ir.Constant:
    """A constant."""
    return ir.Constant(I64, value)


def tiles(extent: int, most: int) -> list[tuple[int, int, int]]:
    """Where runs of tiles of one size start and end, and the size: as few tiles as there can be, of nearly the same size."""
    count = -(-extent // most)
    small, large = extent // count, extent % count
    edge = large * (small + 1)
    return [part for part in ((0, edge, small + 1), (edge, extent, small)) if part[0] < part[1]]


class Loops:
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
            part = value if factor == 1 else b.mul(value, integer(factor))
            total = part if total is None else b.add(total, part)
        pointer = pointer if total is None else b.gep(pointer, [total], source_etype=self.item)
        return b.gep(pointer, [integer(constant)], source_etype=self.item) if constant else pointer

    def load(self, pointer: ir.Value, mask: ir.Value | None = None) -> ir.Value:
        """A vector."""
        if mask is None:
            return self.b.load(pointer, typ=self.vector, align=self.dtype.itemsize)
        name = f"llvm.masked.load.{self.vector.mangled}.p0"
        masked = scalars.declare_function(self.b.module, name, self.vector, [POINTER, mask.type, self.vector])
        return self.b.call(masked, [pointer, mask, ir.Constant(self.vector, None)])

    def store(self, value: ir.Value, pointer: ir.Value, mask: ir.Value | None) -> None:
        """Put a vector in memory."""
        if mask is None:
            self.b.store(value, pointer, align=self.dtype.itemsize)
            return
        name = f"llvm.masked.store.{self.vector.mangled}.p0"
        masked = scalars.declare_function(self.b.module, name, ir.VoidType(), [self.vector, POINTER, mask.type])
        self.b.call(masked, [value, pointer, mask])

    def number(self, pointer: ir.Value) -> ir.Value:
        """A number in all lanes."""
        return scalars.splat(self.b, self.b.load(pointer, typ=self.item, align=self.dtype.itemsize), self.lanes)

    def multiply_add(self, total: ir.Value, x: ir.Value, y: ir.Value) -> ir.Value:
        """total + x * y, rounded once where the processor can."""
        if self.dtype.kind != "f":
            return self.b.add(total, self.b.mul(x, y))
        name = f"llvm.fmuladd.{self.vector.mangled}"
        return self.b.call(scalars.declare_function(self.b.module, name, self.vector, [self.vector] * 3), [x, y, total])

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
        count = integer(left) if isinstance(left, int) else left
        found: list[ir.Value | None] = []
        for i in range(wide):
            rest = self.b.trunc(self.b.sub(count, integer(i * self.lanes)), I32)
            found.append(self.b.icmp_signed("<", numbers, scalars.splat(self.b, rest, self.lanes)))
        return found

    # ---- units

    def share(self, share: ir.Value) -> tuple[ir.Value, ir.Value]:
        """The units of a share, from the first to behind the last."""
        b, length, units = self.b, self.step.length, self.step.units
        low = b.mul(share, integer(length))
        high = b.add(low, integer(length))
        return low, b.select(b.icmp_signed("<", high, integer(units)), high, integer(units)) if units % length else high

    def units(self, low: ir.Value, high: ir.Value, body: Callable[[ir.Value, ir.Value, ir.Value, ir.Value, ir.Value], None]) -> None:
        """For each unit let `body` write what is done with image, group, first row, number of rows, and where the taps read from."""
        b, step = self.b, self.step
        first = step.axes[0]
        x = self.address(step.x.place)
        window = self._empty_window() if step.copies else None

        def unit(i: ir.Value) -> None:
            chunk, rest = b.srem(i, integer(step.chunks)), b.sdiv(i, integer(step.chunks))
            image, group = b.srem(rest, integer(step.batch)), b.sdiv(rest, integer(step.batch))
            row = b.mul(chunk, integer(step.rows))
            left = b.sub(integer(first.outputs), row)
            rows = b.select(b.icmp_signed("<", left, integer(step.rows)), left, integer(step.rows))
            rows = integer(step.rows) if first.outputs % step.rows == 0 else rows
            size = strides(step.x.dims)[0]
            if window is None:
                at = sum((axis.start * pitch for axis, pitch in zip(step.axes, step.pitches, strict=True)), 0)
                source = self.at(x, (image, size), (row, first.stride * step.pitches[0]), at)
            else:
                source = window
                self._fill(window, self.at(x, (image, size), (group, step.channels)), row, rows)
            body(image, group, row, rows, source)

        count_loop(b, low, high, integer(1), unit)

    def _empty_window(self) -> ir.Value:
        step = self.step
        assert step.windows is not None
        window = self.at(self.address(step.windows.place), (self.task, step.window))
        self.clear(window, step.window)
        return window

    def clear(self, pointer: ir.Value, count: ir.Value | int) -> None:
        """Put zeros in memory."""
        bytes_each = self.dtype.itemsize
        size = integer(count * bytes_each) if isinstance(count, int) else self.b.mul(count, integer(bytes_each))
        clear_bytes(self.b, pointer, size)

    def _copy(self, to: ir.Value, of: ir.Value, count: int) -> None:
        memcpy = scalars.declare_function(self.b.module, "llvm.memcpy.p0.p0.i64", ir.VoidType(), [POINTER, POINTER, I64, ir.IntType(1)])
        self.b.call(memcpy, [to, of, integer(count * self.dtype.itemsize), ir.Constant(ir.IntType(1), 0)])

    def _fill(self, window: ir.Value, image: ir.Value, row: ir.Value, rows: ir.Value) -> None:
        """Copy what the taps of some rows see; rows that lie outside are cleared, what lies beside the image is zero and stays so."""
        b, step = self.b, self.step
        first, inner = step.axes[0], step.axes[1:]
        apart = strides(step.x.dims)[1:-1]
        start = b.add(b.mul(row, integer(first.stride)), integer(first.start))
        count = b.add(b.mul(b.sub(rows, integer(1)), integer(first.stride)), integer(first.reach))
        within = [(max(axis.start, 0), min(axis.length, axis.start + axis.span(axis.outputs))) for axis in inner]

        def fill_axis(depth: int, to: ir.Value, of: ir.Value) -> None:
            low, high = within[depth]
            if high <= low:
                return
            to = self.at(to, (low - inner[depth].start) * step.pitches[depth + 1])
            of = self.at(of, low * apart[depth + 1])
            if depth == len(inner) - 1 and step.groups == 1:
                self._copy(to, of, (high - low) * step.channels)
                return

            def fill_element(i: ir.Value) -> None:
                there, here = self.at(to, (i, step.pitches[depth + 1])), self.at(of, (i, apart[depth + 1]))
                if depth == len(inner) - 1:
                    self._copy(there, here, step.channels)
                else:
                    fill_axis(depth + 1, there, here)

            count_loop(b, integer(0), integer(high - low), integer(1), fill_element)

        def line(i: ir.Value) -> None:
            at = b.add(start, i)
            to = self.at(window, (i, step.pitches[0]))
            with b.if_else(b.icmp_unsigned("<", at, integer(first.length))) as (some, none):
                with some:
                    fill_axis(0, to, self.at(image, (at, apart[0])))
                with none:
                    self.clear(to, step.pitches[0])

        count_loop(b, integer(0), count, integer(1), line)

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

        def sum_axis(depth: int, of: ir.Value, g: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
            if depth == len(axes):
                return terms(of, g, sums)
            count = rows if depth == 0 else integer(axes[depth].outputs)

            def add_element(i: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
                return sum_axis(depth + 1, self.at(of, (i, axes[depth].stride * pitches[depth])), self.at(g, (i, apart[depth])), sums)

            return carry_loop(self.b, integer(0), count, integer(1), sums, add_element)

        return sum_axis(0, source, given, sums)

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
        table.initializer = ir.Constant(table.value_type, list(values))
        return self.b.bitcast(table, POINTER)

    def of_run(self, table: ir.Value, run: ir.Value) -> ir.Value:
        """Where a run starts."""
        if len(self.step.runs[0]) == 1:
            return integer(self.step.runs[0][0])
        return self.b.load(self.b.gep(table, [run], source_etype=I64), typ=I64)
