"""Columns side by side: a vector loop down the columns of an array goes through its rows instead, a square of them at a time.

A vector of one column is a gather or a scatter, an access for each element.  Eight vectors of eight columns side by side are also eight
pieces of rows, which are read or written whole and turned (`reorder`): half the time and less.  The columns of a strip lie in memory of the
function meanwhile, one after another.  Rows of two to four elements are all read at once, and their lanes picked; but not where some
lanes do not count.

A piece of a row lies between elements of that row which the kernel itself reads or writes, so it is there.  What is written in it and is no
column of the kernel's is read before, and put back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ...base.lazy_import import LazyModule
from ...base.named_values import NamedValues
from .. import llvm_ir as ir
from ..lowering.index import Lin
from ..lowering.index_expr import Place
from ..lowering.kernel import Instr, Kernel, Root
from ..runtime.machine import host
from ..scalars import scalars
from .scheduling import Schedule

if TYPE_CHECKING:
    from . import reorder
else:  # few kernels have strips
    reorder = LazyModule("pullback.engine.emission.reorder")

I32, I64 = ir.IntType(32), ir.IntType(64)
#: The most columns of a strip, and of one whose lanes are picked; the least side of a square.
_WIDEST, _FEW, _LEAST = 64, 4, 8

T = TypeVar("T")


class Strip(NamedValues):
    """`width` columns of an array whose rows are `pitch` apart: the leftmost at `position`.

    side: of its squares.  starts: their first columns; none where lanes are picked.  holes: columns of the squares that are none of the
    kernel's.
    """

    place: Place
    position: Lin
    dtype: np.dtype[Any]
    pitch: int
    width: int
    side: int
    starts: tuple[int, ...]
    holes: tuple[int, ...]


class Strips:
    """The strips that a kernel reads and writes, and the code for them.

    address: where the element of lane 0 of a copy is, in an array, at a position.
    """

    def __init__(
        self, b: ir.IRBuilder, kernel: Kernel, plan: Schedule, address: Callable[[Place, np.dtype[Any], Lin, int], ir.Value]
    ) -> None:
        self._b, self._plan, self._address = b, plan, address
        loads = [(i, i.data[0], i.data[1], i.dtype) for i in kernel.instrs if i.op == "load" and not i.args]
        stores = [(r, r.buffer.place, r.position, r.buffer.dtype) for r in kernel.roots if r.reduce is None]
        terms: dict[Place, set[Any]] = {}
        for _, place, position, _ in stores:
            terms.setdefault(place, set()).add(position[1])
        # what fills a hole is read before other loops' results are there
        alone = [found for found in stores if len(terms[found[1]]) == 1]
        self._loads: dict[Instr, tuple[Strip, int]] = find_strips(loads, plan)
        self._stores: dict[Root, tuple[Strip, int]] = find_strips(alone, plan, is_written=True)
        self._memory: dict[tuple[bool, Strip, int], ir.Alloca] = {}
        #: What has been read in this turn: the rows of strips whose lanes are picked, and where others lie.
        self._read: dict[tuple[Strip, int], ir.Value] = {}
        self._noted: dict[tuple[Strip, int], dict[int, ir.Value]] = {}

    def reads(self, instr: Instr, is_masked: bool) -> bool:
        """Whether a load is of a strip."""
        return instr in self._loads and (not is_masked or bool(self._loads[instr][0].starts))

    def writes(self, root: Root, is_masked: bool) -> bool:
        """Whether a result is put in a strip."""
        return root in self._stores and (not is_masked or bool(self._stores[root][0].starts))

    def begin_turn(self) -> None:
        """Have strips read anew when they are next asked for."""
        self._read.clear()

    def load(self, instr: Instr, copy: int, count: ir.Value) -> ir.Value:
        """The column that a load reads, of `count` rows."""
        strip, column = self._loads[instr]
        if (strip, copy) not in self._read:
            self._read[strip, copy] = self._read_rows(strip, copy, count)
        found, lanes = self._read[strip, copy], self._plan.lanes
        if strip.starts:
            return self._b.load(self._column(found, strip, column), typ=scalars.memory_type(strip.dtype, lanes))
        return scalars.lanes_at(self._b, found, range(column, strip.width * lanes, strip.width))

    def _read_rows(self, strip: Strip, copy: int, count: ir.Value) -> ir.Value:
        if not strip.starts:
            kind = scalars.memory_type(strip.dtype, strip.width * self._plan.lanes)
            row = self._address(strip.place, strip.dtype, strip.position, copy)
            return self._b.load(row, typ=kind, align=strip.dtype.itemsize)
        memory = self._reserve(False, strip, copy)
        for start in strip.starts:
            row = self._address(strip.place, strip.dtype, _move(strip.position, start), copy)
            numbers = (strip.side, count, strip.pitch, self._plan.lanes)
            self._turn(strip, row, self._column(memory, strip, start), numbers)
        return memory

    def put(self, root: Root, copy: int, value: ir.Value) -> None:
        """Note the column that a result is."""
        strip, column = self._stores[root]
        noted = self._noted.setdefault((strip, copy), {})
        if strip.starts:
            self._b.store(value, self._column(self._reserve(True, strip, copy), strip, column))
        noted[column] = value

    def write(self, count: ir.Value, gather: Callable[[Strip, Lin, int], ir.Value]) -> None:
        """Write the strips whose columns have been noted; gather: gives a column as it is."""
        for (strip, copy), noted in self._noted.items():
            if strip.starts:
                memory = self._reserve(True, strip, copy)
                for hole in strip.holes:
                    self._b.store(gather(strip, _move(strip.position, hole), copy), self._column(memory, strip, hole))
                for start in strip.starts:
                    row = self._address(strip.place, strip.dtype, _move(strip.position, start), copy)
                    numbers = (count, strip.side, self._plan.lanes, strip.pitch)
                    self._turn(strip, self._column(memory, strip, start), row, numbers)
            else:
                row = self._address(strip.place, strip.dtype, strip.position, copy)
                self._b.store(self._join([noted[column] for column in range(strip.width)]), row, align=strip.dtype.itemsize)
        self._noted.clear()

    def _join(self, columns: Sequence[ir.Value]) -> ir.Value:
        """Rows, one after another, of columns."""
        lanes, width = self._plan.lanes, len(columns)
        nothing = ir.Constant(columns[0].type, None)
        both = ir.Constant(ir.VectorType(I32, 2 * lanes), list(range(2 * lanes)))
        halves = [self._b.shuffle_vector(x, y, both) for x, y in zip(columns[::2], (*columns[1::2], nothing), strict=False)]
        picked = [k % width * lanes + k // width for k in range(width * lanes)]
        order = ir.Constant(ir.VectorType(I32, width * lanes), picked)
        return self._b.shuffle_vector(halves[0], halves[-1], order)

    def _turn(self, strip: Strip, given: ir.Value, to: ir.Value, numbers: Sequence[int | ir.Value]) -> None:
        turn = reorder.declare_copy(self._b.module, strip.dtype, strip.side, True)
        self._b.call(turn, [given, to, *(_int(n) if isinstance(n, int) else n for n in numbers)])

    def _reserve(self, is_written: bool, strip: Strip, copy: int) -> ir.Value:
        key = is_written, strip, copy
        if key not in self._memory:
            with self._b.goto_entry_block():
                self._memory[key] = self._b.alloca(scalars.memory_type(strip.dtype, self._plan.lanes), strip.width)
        return self._memory[key]

    def _column(self, memory: ir.Value, strip: Strip, column: int) -> ir.Value:
        return self._b.gep(memory, [_int(column)], source_etype=scalars.memory_type(strip.dtype, self._plan.lanes))


def find_strips(
    accesses: Iterable[tuple[T, Place, Lin, np.dtype[Any]]], plan: Schedule, is_written: bool = False
) -> dict[T, tuple[Strip, int]]:
    """The strip of each access (what it is, an array, a position, a dtype) that is better part of one, and its column."""
    sides: dict[Any, dict[int, list[T]]] = {}
    for what, place, position, dtype in accesses:
        pitch = dict(position[1]).get(plan.vector, 0) if plan.vector is not None else 0
        if pitch > 1 and dtype.kind in "fiu" and dtype.itemsize in (4, 8):
            sides.setdefault((place, position[1], dtype, pitch), {}).setdefault(position[0], []).append(what)
    found: dict[T, tuple[Strip, int]] = {}
    for (place, terms, dtype, pitch), beside in sides.items():
        widest = min(host().lanes(dtype.itemsize), plan.lanes)
        for columns in _cut(sorted(beside), min(_WIDEST, pitch) if is_written or pitch <= _FEW else _WIDEST, widest):
            first, width = columns[0], columns[-1] + 1 - columns[0]
            side = widest if width >= widest else widest // 2
            starts = _place_squares(columns, side)
            if len(columns) == pitch <= _FEW:
                starts = []
            elif side < _LEAST or not 2 * len(columns) >= side * len(starts) > 0:
                continue
            covered = {start + i for start in starts for i in range(side)}
            holes = tuple(sorted(at - first for at in covered.difference(columns)))
            strip = Strip(place, (first, terms), dtype, pitch, width, side, tuple(start - first for start in starts), holes)
            found.update({what: (strip, at - first) for at in columns for what in beside[at]})
    return found


def _cut(columns: Sequence[int], widest: int, lanes: int) -> list[list[int]]:
    """Columns in parts of a width, cut where a square would find none."""
    parts: list[list[int]] = []
    for at in columns:
        if parts and at - parts[-1][-1] < lanes and at - parts[-1][0] < widest:
            parts[-1].append(at)
        else:
            parts.append([at])
    return parts


def _place_squares(columns: Sequence[int], lanes: int) -> list[int]:
    """The first columns of squares that cover the columns and reach beyond none of the outer ones; none where these are too near."""
    end = columns[-1] + 1
    starts: list[int] = []
    for at in columns if end - columns[0] >= lanes else ():
        if not starts or at >= starts[-1] + lanes:
            starts.append(min(at, end - lanes))
    return starts


def _move(position: Lin, by: int) -> Lin:
    return position[0] + by, position[1]


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
