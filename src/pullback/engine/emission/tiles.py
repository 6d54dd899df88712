"""Products of small matrices as loops of our own: a tile of the result stays in registers while what is summed over goes by.

The BLAS takes about half a microsecond to begin a product, as long as one of 64 x 10 x 10 takes in all.  A tile is some rows by some
vectors of columns, as many as hide the latency of a multiply-add and leave registers for the factors; the last vector may be masked.  Each
element is summed up in order, with fused multiply-adds where the processor has them, as the BLAS does.

The loops over rows and sums are routines that all programs share (`routines`), one for each dtype and width.  Short sums have functions in
their own module, to which LLVM hands on the numbers they are called with: that is a twentieth quicker where a tile has little to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.named_values import NamedValues
from .. import llvm_ir as ir
from ..runtime.machine import host
from ..scalars import scalars
from ..scalars.counting import carry_loop, count_loop

I1, I32, I64, POINTER = ir.IntType(1), ir.IntType(32), ir.IntType(64), ir.PointerType()
#: How many vectors wide a tile is at most.
VECTORS = 2
#: The longest sum for which the module has a function of its own.
_SHORT = 32


class Strides(NamedValues):
    """How far apart the elements of the factors and the result are: of `a` by rows and by what is summed over, and so on."""

    a_row: int
    a_inner: int
    b_inner: int
    out_row: int


def emit_tiles(
    b: ir.IRBuilder,
    dtype: np.dtype[Any],
    pointers: Sequence[ir.Value],
    sizes: tuple[int | ir.Value, int, int | ir.Value],
    strides: Strides,
    vector_bytes: int,
    adds: bool = False,
) -> None:
    """Write out = a @ b, or out += a @ b (`adds`), for matrices a of any order, and b and out whose rows lie in order.

    pointers: of a, b and out.  sizes: rows and columns of the result, and what is summed over; the first and the last may be values.
    """
    a, c, out = pointers
    rows, n, inner = sizes
    lanes = max(vector_bytes // dtype.itemsize, 1)
    real = scalars.memory_type(dtype, 1)
    width = lanes * min(VECTORS, -(-n // lanes))
    given = [_value(x) for x in (rows, inner, strides.a_row, strides.a_inner, strides.b_inner, strides.out_row)]
    function_for = _define_own if isinstance(inner, int) and inner <= _SHORT else _routine

    def panel(at: ir.Value, columns: int) -> None:
        function = function_for(b.module, dtype, lanes, -(-columns // lanes), columns % lanes, int(adds))
        moved = [b.gep(p, [at], source_etype=real) for p in (c, out)]
        b.call(function, [a, *moved, *given])

    whole = n - n % width
    if whole > width:
        count_loop(b, _int(0), _int(whole), _int(width), lambda at: panel(at, width))
    elif whole:
        panel(_int(0), width)
    if whole < n:
        panel(_int(whole), n - whole)


def _routine(module: ir.Module, dtype: np.dtype[Any], *numbers: int) -> ir.Function:
    name = "_".join(map(str, ("pb_tiles", dtype, *numbers)))
    return scalars.declare_function(module, name, ir.VoidType(), [POINTER] * 3 + [I64] * 6)


def write_routine(module: ir.Module, dtype: np.dtype[Any], lanes: int, vectors: int, last: int, adds: int) -> ir.Function:
    """`void (ptr a, ptr b, ptr out, i64 rows, i64 inner, i64 a_row, i64 a_inner, i64 b_inner, i64 out_row)`: so many vectors of columns.

    last: how many lanes of the last vector count, 0 for all.  adds: 1 where the product is added to what is there, or else 0.
    """
    function = _routine(module, dtype, lanes, vectors, last, adds)
    _Tiles(function, dtype, lanes, vectors, last, bool(adds)).emit()
    return function


def _define_own(module: ir.Module, dtype: np.dtype[Any], lanes: int, vectors: int, last: int, adds: int) -> ir.Function:
    """The same as a function of the module itself."""
    name = "_".join(map(str, ("pb_short_tiles", dtype, lanes, vectors, last, adds)))
    known = module.globals.get(name)
    if isinstance(known, ir.Function):
        return known
    function = scalars.declare_function(module, name, ir.VoidType(), [POINTER] * 3 + [I64] * 6)
    function.linkage = "internal"
    function.attributes.add("noinline")
    _Tiles(function, dtype, lanes, vectors, last, bool(adds)).emit()
    return function


class _Tiles:
    """Writes such a function."""

    def __init__(self, function: ir.Function, dtype: np.dtype[Any], lanes: int, vectors: int, last: int, adds: bool) -> None:
        self.b = ir.IRBuilder(function.append_basic_block("entry"))
        self.dtype, self.lanes, self.vectors, self.adds = dtype, lanes, vectors, adds
        self.a, self.c, self.out, self.rows, self.inner, self.a_row, self.a_inner, self.b_inner, self.out_row = function.args
        self.real = scalars.memory_type(dtype, 1)
        narrow = 1 << (last - 1).bit_length() if last else lanes
        #: How many lanes each vector has: the last one as many as will do.
        self.widths = [lanes] * (vectors - 1) + [narrow]
        self.kinds = [scalars.memory_type(dtype, n) for n in self.widths]
        self.mask = ir.Constant(ir.VectorType(I1, narrow), [int(i < last) for i in range(narrow)]) if last not in (0, narrow) else None

    def emit(self) -> None:
        """Tiles of 8 rows, or of 6 where registers are few, and what is left of the rows in smaller ones."""
        top: ir.Value = _int(0)
        for tile in (8 if self.lanes * self.dtype.itemsize == 64 else 6, 2, 1):
            top = self._tiles(top, tile)
        self.b.ret_void()

    def _tiles(self, top: ir.Value, tile: int) -> ir.Value:
        end = self.b.sub(self.rows, self.b.urem(self.b.sub(self.rows, top), _int(tile)))
        count_loop(self.b, top, end, _int(tile), lambda at: self._tile(at, tile))
        return end

    def _tile(self, top: ir.Value, rows: int) -> None:
        with self.b.goto_entry_block():
            slots = [[self.b.alloca(kind) for kind in self.kinds] for _ in range(rows)]
        for slot in (slot for row in slots for slot in row):
            self.b.store(ir.Constant(slot.allocated_type, None), slot)
        lines = [self._move_pointer(self.a, self.b.mul(self.b.add(top, _int(row)), self.a_row)) for row in range(rows)]

        def step(_: ir.Value, now: Sequence[ir.Value]) -> list[ir.Value]:
            line, place = now
            vectors = [self._load(line, i) for i in range(self.vectors)]
            for row, own in zip(lines, slots, strict=True):
                factor = self.b.load(self._move_pointer(row, place), typ=self.real, align=self.dtype.itemsize)
                splats = {width: scalars.splat(self.b, factor, width) for width in dict.fromkeys(self.widths)}
                for slot, vector, width in zip(own, vectors, self.widths, strict=True):
                    self.b.store(self._multiply_add(splats[width], vector, self.b.load(slot, typ=vector.type)), slot)
            return [self._move_pointer(line, self.b_inner), self.b.add(place, self.a_inner)]

        carry_loop(self.b, _int(0), self.inner, _int(1), [self.c, _int(0)], step)
        for row, own in enumerate(slots):
            line = self._move_pointer(self.out, self.b.mul(self.b.add(top, _int(row)), self.out_row))
            for i, slot in enumerate(own):
                value = self.b.load(slot, typ=self.kinds[i])
                self._store(line, i, self.b.fadd(self._load(line, i), value) if self.adds else value)

    def _multiply_add(self, x: ir.Value, y: ir.Value, total: ir.Value) -> ir.Value:
        if not host().fma:
            return self.b.fadd(self.b.fmul(x, y), total)
        name = f"llvm.fma.{x.type.mangled}"
        return self.b.call(scalars.declare_function(self.b.module, name, x.type, [x.type] * 3), [x, y, total])

    # ---- memory

    def _move_pointer(self, pointer: ir.Value, count: ir.Value) -> ir.Value:
        return self.b.gep(pointer, [count], source_etype=self.real)

    def _load(self, line: ir.Value, vector: int) -> ir.Value:
        where, kind = self._move_pointer(line, _int(vector * self.lanes)), self.kinds[vector]
        if self.mask is None or vector < self.vectors - 1:
            return self.b.load(where, typ=kind, align=self.dtype.itemsize)
        name = f"llvm.masked.load.{kind.mangled}.p0"
        load = scalars.declare_function(self.b.module, name, kind, [POINTER, self.mask.type, kind])
        return self.b.call(load, [where, self.mask, ir.Constant(kind, None)])

    def _store(self, line: ir.Value, vector: int, value: ir.Value) -> None:
        where = self._move_pointer(line, _int(vector * self.lanes))
        if self.mask is None or vector < self.vectors - 1:
            self.b.store(value, where, align=self.dtype.itemsize)
            return
        name = f"llvm.masked.store.{value.type.mangled}.p0"
        store = scalars.declare_function(self.b.module, name, ir.VoidType(), [value.type, POINTER, self.mask.type])
        self.b.call(store, [value, where, self.mask])


def _value(x: int | ir.Value) -> ir.Value:
    return _int(x) if isinstance(x, int) else x


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
