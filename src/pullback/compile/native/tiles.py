"""Products of small matrices as loops of our own: a tile of the result stays in registers while what is summed over goes by.

The BLAS takes about half a microsecond to begin a product, as long as one of 64 x 10 x 10 takes in all.  A tile is some rows by some
vectors of columns, as many as hide the latency of a multiply-add and leave registers for the factors; the last vector is masked.  Each
element is summed up in order, with fused multiply-adds where the processor has them, as the BLAS does.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir

from . import scalars
from .counting import counted
from .machine import host

I1, I64, POINTER = ir.IntType(1), ir.IntType(64), ir.PointerType()
#: How many vectors wide a tile is at most.
VECTORS = 4


class Strides(NamedTuple):
    """How far apart the elements of the factors and the result are: of `a` by rows and by what is summed over, and so on."""

    a_row: int
    a_inner: int
    b_inner: int
    out_row: int


class TileProduct:
    """Writes out = a @ b, or out += a @ b (`adds`), for matrices with rows of `n` elements in b and out; `a` may lie in any way.

    `rows` and `inner` (what is summed over) are numbers, or values of the function it is written to.
    """

    def __init__(self, b: ir.IRBuilder, dtype: np.dtype[Any], n: int, strides: Strides, adds: bool, vector_bytes: int) -> None:
        self.b, self.dtype, self.n, self.strides, self.adds = b, dtype, n, strides, adds
        self.lanes = max(vector_bytes // dtype.itemsize, 1)
        self.real = scalars.register_type(dtype, 1)
        columns = -(-n // self.lanes)
        self.vectors = min(columns, VECTORS if vector_bytes == 64 else 2)
        self.tile = min(max((16 if vector_bytes == 64 else 8) // self.vectors, 4), 8)

    def emit(self, a: ir.Value, c: ir.Value, out: ir.Value, rows: int | ir.Value, inner: int | ir.Value) -> None:
        """Write the loops."""
        width = self.lanes * self.vectors
        whole = self.n - self.n % width

        def panel(at: ir.Value, columns: int) -> None:
            self._panel(a, self._moved(c, at, 1), self._moved(out, at, 1), rows, inner, columns)

        if whole > width:
            counted(self.b, _int(0), _int(whole), _int(width), lambda at: panel(at, width))
        elif whole:
            panel(_int(0), width)
        if whole < self.n:
            panel(_int(whole), self.n - whole)

    def _panel(self, a: ir.Value, c: ir.Value, out: ir.Value, rows: int | ir.Value, inner: int | ir.Value, width: int) -> None:
        """Some columns of the result: whole tiles of rows, and then what is left of them."""
        end: ir.Value
        if isinstance(rows, int):
            end = _int(rows - rows % self.tile)
        else:
            end = self.b.sub(rows, self.b.srem(rows, _int(self.tile)))

        def at_rows(at: ir.Value, count: int) -> None:
            self._tile(self._moved(a, at, self.strides.a_row), c, self._moved(out, at, self.strides.out_row), inner, count, width)

        counted(self.b, _int(0), end, _int(self.tile), lambda at: at_rows(at, self.tile))
        if not isinstance(rows, int):
            counted(self.b, end, rows, _int(1), lambda at: at_rows(at, 1))
        elif rows % self.tile:
            at_rows(end, rows % self.tile)

    def _tile(self, a: ir.Value, c: ir.Value, out: ir.Value, inner: int | ir.Value, rows: int, width: int) -> None:
        counts = [min(self.lanes, width - start) for start in range(0, width, self.lanes)]
        kind = scalars.register_type(self.dtype, self.lanes)
        with self.b.goto_entry_block():
            slots = [[self.b.alloca(kind) for _ in counts] for _ in range(rows)]
        for slot in (slot for row in slots for slot in row):
            self.b.store(ir.Constant(kind, None), slot)

        def step(at: ir.Value) -> None:
            line = self._moved(c, at, self.strides.b_inner)
            vectors = [self._load(line, i, count) for i, count in enumerate(counts)]
            for row in range(rows):
                where = self._moved(self._moved(a, at, self.strides.a_inner), _int(row), self.strides.a_row)
                factor = scalars.splat(self.b, self.b.load(where, typ=self.real, align=self.dtype.itemsize), self.lanes)
                for slot, vector in zip(slots[row], vectors, strict=True):
                    self.b.store(self._multiplied(factor, vector, self.b.load(slot, typ=kind)), slot)

        counted(self.b, _int(0), _int(inner) if isinstance(inner, int) else inner, _int(1), step)
        for row in range(rows):
            line = self._moved(out, _int(row), self.strides.out_row)
            for i, count in enumerate(counts):
                value = self.b.load(slots[row][i], typ=kind)
                self._store(line, i, count, self.b.fadd(self._load(line, i, count), value) if self.adds else value)

    def _multiplied(self, x: ir.Value, y: ir.Value, total: ir.Value) -> ir.Value:
        if not host().fma:
            return self.b.fadd(self.b.fmul(x, y), total)
        name = f"llvm.fma.{scalars.mangled(x.type)}"
        return self.b.call(scalars.declared(self.b.module, name, x.type, [x.type] * 3), [x, y, total])

    # ---- memory

    def _moved(self, pointer: ir.Value, count: ir.Value, step: int) -> ir.Value:
        return self.b.gep(pointer, [self.b.mul(count, _int(step))], source_etype=self.real)

    def _mask(self, count: int) -> ir.Constant:
        return ir.Constant(ir.VectorType(I1, self.lanes), [int(i < count) for i in range(self.lanes)])

    def _load(self, line: ir.Value, vector: int, count: int) -> ir.Value:
        kind = scalars.register_type(self.dtype, self.lanes)
        where = self._moved(line, _int(vector), self.lanes)
        if count == self.lanes:
            return self.b.load(where, typ=kind, align=self.dtype.itemsize)
        mask = self._mask(count)
        load = scalars.declared(self.b.module, f"llvm.masked.load.{scalars.mangled(kind)}.p0", kind, [POINTER, mask.type, kind])
        return self.b.call(load, [where, mask, ir.Constant(kind, None)])

    def _store(self, line: ir.Value, vector: int, count: int, value: ir.Value) -> None:
        where = self._moved(line, _int(vector), self.lanes)
        if count == self.lanes:
            self.b.store(value, where, align=self.dtype.itemsize)
            return
        mask = self._mask(count)
        store = scalars.declared(
            self.b.module, f"llvm.masked.store.{scalars.mangled(value.type)}.p0", ir.VoidType(), [value.type, POINTER, mask.type]
        )
        self.b.call(store, [value, where, mask])


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
