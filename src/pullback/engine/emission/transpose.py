"""Copies that turn a matrix: read along one axis and written along another, a square of both at a time in registers.

A vector loop reads or writes such a copy one element at a time, each in a cache line of its own.  A square as wide as a vector is read row
by row, turned in registers by swapping ever smaller quarters, and written column by column.  What is left at the edges is copied singly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import llvm_ir as ir
from ..lowering.index import Lin
from ..lowering.kernel import Kernel
from ..scalars import scalars
from ..scalars.counting import count_loop

I32, I64, POINTER = ir.IntType(32), ir.IntType(64), ir.PointerType()
#: The rows of a square that registers hold.
_IN_REGISTERS = 8


class Turned:
    """Writes the loops of such a copy; `rows` is the variable written along, `columns` the one read along."""

    def __init__(self, b: ir.IRBuilder, kernel: Kernel, axes: tuple[int, int], lanes: int, pointers: Mapping[Any, ir.Value]) -> None:
        self.b, self.kernel, self.lanes = b, kernel, lanes
        self.rows, self.columns = axes
        (load,), (root,) = kernel.instrs, kernel.roots
        self.dtype = load.dtype
        self._read: Lin = load.data[1]
        self._written: Lin = root.position
        self._from, self._to = pointers[load.data[0]], pointers[root.buffer.place]
        self._variables: dict[int, ir.Value] = {}

    def emit(self, order: list[int], low: ir.Value, high: ir.Value) -> None:
        """Write all loops, the first one from low to high; the last two of `order` are those over rows and columns."""
        if len(order) > 2:
            count_loop(self.b, low, high, _int(1), lambda at: self._at(order[0], at, order[1:]))
        else:
            self._matrix(low, high)

    def _at(self, variable: int, at: ir.Value, rest: list[int]) -> None:
        self._variables[variable] = at
        if len(rest) > 2:
            count_loop(self.b, _int(0), _int(self.kernel.extents[rest[0]]), _int(1), lambda inner: self._at(rest[0], inner, rest[1:]))
        else:
            self._matrix(_int(0), _int(self.kernel.extents[self.rows]))

    def _matrix(self, low: ir.Value, high: ir.Value) -> None:
        """Squares, and the edges below and beside them."""
        columns, lanes = self.kernel.extents[self.columns], self.lanes
        whole, side = columns - columns % lanes, _int(lanes)
        end = self.b.sub(high, self.b.srem(self.b.sub(high, low), side))
        count_loop(self.b, low, end, side, lambda i: count_loop(self.b, _int(0), _int(whole), side, lambda j: self._square(i, j)))
        self._single(low, end, _int(whole), _int(columns))
        self._single(end, high, _int(0), _int(columns))

    def _single(self, low: ir.Value, high: ir.Value, left: ir.Value, right: ir.Value) -> None:
        kind = scalars.memory_type(self.dtype, 1)

        def copy_element(i: ir.Value, j: ir.Value) -> None:
            value = self.b.load(self._where(self._from, self._read, i, j), typ=kind, align=self.dtype.itemsize)
            self.b.store(value, self._where(self._to, self._written, i, j), align=self.dtype.itemsize)

        count_loop(self.b, low, high, _int(1), lambda i: count_loop(self.b, left, right, _int(1), lambda j: copy_element(i, j)))

    def _square(self, i: ir.Value, j: ir.Value) -> None:
        steps = [_int(dict(lin[1])[v]) for lin, v in ((self._read, self.rows), (self._written, self.columns))]
        places = self._where(self._from, self._read, i, j), self._where(self._to, self._written, i, j)
        self.b.call(square_function(self.b.module, self.dtype, self.lanes), [*places, *steps])

    def _where(self, pointer: ir.Value, lin: Lin, i: ir.Value, j: ir.Value) -> ir.Value:
        """The address of an element."""
        constant, terms = lin
        at: ir.Value = _int(constant)
        for variable, step in terms:
            value = i if variable == self.rows else j if variable == self.columns else self._variables[variable]
            at = self.b.add(at, self.b.mul(value, _int(step)))
        return self.b.gep(pointer, [at], source_etype=scalars.memory_type(self.dtype, 1))


def square_function(module: ir.Module, dtype: np.dtype[Any], lanes: int) -> ir.Function:
    """`void (ptr from, ptr to, i64 from_step, i64 to_step)`: copies a square whose rows are so many elements apart, turned."""
    return scalars.declare_function(module, f"pb_square_{dtype}_{lanes}", ir.VoidType(), [POINTER, POINTER, I64, I64])


def write_square(module: ir.Module, dtype: np.dtype[Any], lanes: int) -> ir.Function:
    """Write the routine `square_function`.

    Its rows, some at a time, are interleaved in blocks of 128 bits, and whole blocks change places after that: each step is one cheap
    instruction.  Of wide squares both are loops, with the stack between: LLVM takes three times as long for all of it in one piece.
    """
    function = square_function(module, dtype, lanes)
    b = ir.IRBuilder(function.append_basic_block("entry"))
    given, to, from_step, to_step = function.args
    one, kind = (scalars.memory_type(dtype, n) for n in (1, lanes))
    block = min(16 // dtype.itemsize, lanes)

    def interleave(first: ir.Value) -> list[ir.Value]:
        """The part of each column of a block that some rows from `first` on hold."""
        places = [b.gep(given, [b.mul(b.add(first, _int(n)), from_step)], source_etype=one) for n in range(block)]
        return _interleave(b, [b.load(place, typ=kind, align=dtype.itemsize) for place in places], lanes)

    def write_columns(first: ir.Value, parts: list[ir.Value]) -> None:
        """The columns that are `first` in their blocks."""
        for n, column in enumerate(_exchange_blocks(b, parts, lanes)):
            place = b.gep(to, [b.mul(b.add(first, _int(n * block)), to_step)], source_etype=one)
            b.store(column, place, align=dtype.itemsize)

    if lanes <= _IN_REGISTERS:
        rows = [interleave(_int(first)) for first in range(0, lanes, block)]
        for first, parts in enumerate(zip(*rows, strict=True)):
            write_columns(_int(first), [*parts])
    else:
        between = b.alloca(kind, lanes)

        def keep(first: ir.Value) -> None:
            for column, part in enumerate(interleave(first)):
                b.store(part, b.gep(between, [b.add(first, _int(column))], source_etype=kind))

        def take(first: ir.Value) -> None:
            places = [b.gep(between, [b.add(first, _int(n))], source_etype=kind) for n in range(0, lanes, block)]
            write_columns(first, [b.load(place, typ=kind) for place in places])

        count_loop(b, _int(0), _int(lanes), _int(block), keep)
        count_loop(b, _int(0), _int(block), _int(1), take)
    b.ret_void()
    return function


def _interleave(b: ir.IRBuilder, rows: list[ir.Value], lanes: int) -> list[ir.Value]:
    """For each column of a block, vectors that hold what lies in it and in those so many further on, row after row."""
    block, step = len(rows), 1
    while step < block:
        runs = [start + x + i for start in range(0, block // 2, step) for x in (0, lanes) for i in range(step)]
        low = [start + i for start in range(0, lanes, block) for i in runs]
        _pair_up(b, rows, step, low, [i + block // 2 for i in low])
        step *= 2
    bits = block.bit_length() - 1
    return [rows[int(f"{column:0{bits}b}"[::-1], 2)] for column in range(block)]


def _exchange_blocks(b: ir.IRBuilder, vectors: list[ir.Value], lanes: int) -> list[ir.Value]:
    """The square of blocks that the vectors are, turned."""
    block, step = lanes // len(vectors), 1
    even = [start + i for start in range(0, 2 * lanes, 2 * block) for i in range(block)]
    while step < len(vectors):
        _pair_up(b, vectors, step, even, [i + block for i in even])
        step *= 2
    return vectors


def _pair_up(b: ir.IRBuilder, vectors: list[ir.Value], step: int, *picked: list[int]) -> None:
    """Make of each two vectors that are so many apart two others, of the elements of both that are picked."""
    for n in range(len(vectors)):
        if not n & step:
            pair = vectors[n], vectors[n + step]
            vectors[n], vectors[n + step] = (b.shuffle_vector(*pair, _lanes(lanes)) for lanes in picked)


def _lanes(picked: list[int]) -> ir.Constant:
    return ir.Constant(ir.VectorType(I32, len(picked)), picked)


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
