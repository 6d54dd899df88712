"""Scattering: rows of updates put into, or added to, rows of a target that indices name, one after another.

Indices may repeat, so the rows are taken in order, by one thread; along a row elements go a vector at a time.
An index out of range changes nothing: the program has checked it and reports the fault.

Where rows are short they are combined in registers as long as the index stays the same, and put away when another one comes: segments
whose ids rise cost little more than reading them, and others no more than before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from .. import llvm_ir as ir
from ..lowering.blocks import Box
from ..lowering.builder import PartMove, Scatter
from ..lowering.index_expr import BOOL, Place
from ..scalars import scalars
from ..scalars.counting import count_loop

I64 = ir.IntType(64)
#: How many registers, of any width, make a row that is combined in registers.
_REGISTERS = 8
#: How many rows of one register a step takes: a row costs less than going on to the next.
_TURNS = 4
_STEP = {"add": "add", "sub": "sub", "mul": "mul", "div": "div", "max": "max", "min": "min"}


def emit_scatter(b: ir.IRBuilder, scatter: Scatter, vector_bytes: int, address: Callable[[Place], ir.Value]) -> None:
    """Write the loops of a scatter into a function."""
    target, rows, updates = (address(buffer.place) for buffer in (scatter.target, scatter.rows, scatter.updates))
    kind, inner = _reals(scatter.target.dtype, scatter.inner)
    item = scalars.memory_type(kind, 1)
    lanes = max(vector_bytes // max(kind.itemsize, 1), 1) if kind != BOOL else 1
    whole = inner - inner % lanes
    index_type = scalars.memory_type(scatter.rows.dtype, 1)

    def place(i: ir.Value) -> ir.Value:
        at = b.load(b.gep(rows, [i], source_etype=index_type), typ=index_type)
        return scalars.emit(b, "cast", [at], scatter.rows.dtype, scalars.INT64)

    pieces = _pieces(inner, lanes)
    if scatter.function in _STEP and kind != BOOL and 0 < len(pieces) <= _REGISTERS:
        _combine_runs(b, scatter, kind, pieces, (target, updates), place)
        return

    def row(i: ir.Value) -> None:
        at = place(i)
        with b.if_then(b.icmp_unsigned("<", at, ir.Constant(I64, scatter.count)), likely=True):
            to, of = b.mul(at, ir.Constant(I64, inner)), b.mul(i, ir.Constant(I64, inner))
            for start, end, width in ((0, whole, lanes), (whole, inner, 1)):
                if end > start:
                    _emit_loop(b, start, end, width, partial(store_element, to, of, width))

    def store_element(to: ir.Value, of: ir.Value, width: int, j: ir.Value) -> None:
        to, of = b.add(to, j), b.add(of, j)
        memory = scalars.memory_type(kind, width)
        where = b.gep(target, [to], source_etype=item)
        value = b.load(b.gep(updates, [of], source_etype=item), typ=memory, align=kind.itemsize)
        if scatter.function in _STEP:
            before = b.load(where, typ=memory, align=kind.itemsize)
            value = scalars.emit(b, _STEP[scatter.function], [before, value], kind, kind)
        b.store(value, where, align=kind.itemsize)

    _emit_loop(b, 0, scatter.rows.size, 1, row)


def _pieces(inner: int, lanes: int) -> list[tuple[int, int]]:
    """A row as vectors, and ever shorter ones for what is left: where each begins, and how many numbers it has."""
    found, start = [], 0
    while start < inner:
        while lanes > inner - start:
            lanes //= 2
        found.append((start, lanes))
        start += lanes
    return found


def _combine_runs(
    b: ir.IRBuilder,
    scatter: Scatter,
    kind: np.dtype[Any],
    pieces: list[tuple[int, int]],
    arrays: tuple[ir.Value, ir.Value],
    place: Callable[[ir.Value], ir.Value],
) -> None:
    """The loop over rows that keeps the row of `target` which it changes in registers until another one is meant."""
    if not scatter.count:
        return
    target, updates = arrays
    _, inner = _reals(scatter.target.dtype, scatter.inner)
    item = scalars.memory_type(kind, 1)
    with b.goto_entry_block():
        current = b.alloca(I64)
        kept = [b.alloca(scalars.memory_type(kind, width)) for _, width in pieces]

    def values(array: ir.Value, row: ir.Value) -> Iterator[tuple[ir.Value, ir.Value, ir.Type]]:
        """Of each piece of a row where it is kept, where it is in an array, and its type."""
        for (start, width), slot in zip(pieces, kept, strict=True):
            at = b.add(b.mul(row, ir.Constant(I64, inner)), ir.Constant(I64, start))
            yield slot, b.gep(array, [at], source_etype=item), scalars.memory_type(kind, width)

    def keep(row: ir.Value) -> None:
        b.store(row, current)
        for slot, there, memory in values(target, row):
            b.store(b.load(there, typ=memory, align=kind.itemsize), slot)

    def put_away() -> None:
        for slot, there, memory in values(target, b.load(current, typ=I64)):
            b.store(b.load(slot, typ=memory), there, align=kind.itemsize)

    def row(i: ir.Value) -> None:
        at = place(i)
        with b.if_then(b.icmp_unsigned("<", at, ir.Constant(I64, scatter.count)), likely=True):
            with b.if_then(b.icmp_signed("!=", at, b.load(current, typ=I64))):
                put_away()
                keep(at)
            for slot, there, memory in values(updates, i):
                value = b.load(there, typ=memory, align=kind.itemsize)
                b.store(scalars.emit(b, _STEP[scatter.function], [b.load(slot, typ=memory), value], kind, kind), slot)

    def turns(i: ir.Value) -> None:
        for k in range(_TURNS):
            row(b.add(i, ir.Constant(I64, k)))

    keep(ir.Constant(I64, 0))
    whole = scatter.rows.size // _TURNS * _TURNS if len(pieces) == 1 else 0
    for low, high, step, body in ((0, whole, _TURNS, turns), (whole, scatter.rows.size, 1, row)):
        if high > low:
            _emit_loop(b, low, high, step, body)
    put_away()


def emit_part(b: ir.IRBuilder, move: PartMove, vector_bytes: int, address: Callable[[Place], ir.Value], status: ir.Value) -> None:
    """Write the move of a part; an index out of range is noted in `status`."""
    array, row = (address(buffer.place) for buffer in (move.array, move.row))
    kind, reals = _reals(move.array.dtype, 1)
    item = scalars.memory_type(kind, 1)
    lanes = max(vector_bytes // max(kind.itemsize, 1), 1) if kind != BOOL else 1
    if isinstance(move.index, int):
        at: ir.Value = ir.Constant(I64, move.index)
    else:
        index = b.load(address(move.index.place), typ=scalars.memory_type(move.index.dtype, 1))
        at = scalars.emit(b, "cast", [index], move.index.dtype, scalars.INT64)

    def element(within: ir.Value, behind: ir.Value, pace: int, width: int, j: ir.Value) -> None:
        memory = scalars.memory_type(kind, width)
        inside = b.gep(array, [b.add(within, b.mul(j, ir.Constant(I64, pace)))], source_etype=item)
        outside = b.gep(row, [b.add(behind, j)], source_etype=item)
        source, target = (inside, outside) if move.function == "read" else (outside, inside)
        value = b.load(source, typ=memory, align=kind.itemsize)
        if move.function == "add":
            value = scalars.emit(b, "add", [b.load(target, typ=memory, align=kind.itemsize), value], kind, kind)
        b.store(value, target, align=kind.itemsize)

    def visit_box(box: list[tuple[int, int]], within: ir.Value, behind: ir.Value) -> None:
        """The elements of a box that begins at `within` the array, and in the row `behind` others."""
        (count, pace), *rest = box
        if not rest:
            whole = count - count % lanes if pace == 1 else 0
            for low, high, width in ((0, whole, lanes), (whole, count, 1)):
                if high > low:
                    _emit_loop(b, low, high, width, partial(element, within, behind, pace, width))
            return
        size = math.prod(n for n, _ in rest)
        _emit_loop(
            b, 0, count, 1,
            lambda i: visit_box(rest, b.add(within, b.mul(i, ir.Constant(I64, pace))), b.add(behind, b.mul(i, ir.Constant(I64, size)))),
        )  # fmt: skip

    with b.if_else(b.icmp_unsigned("<", at, ir.Constant(I64, move.limit)), likely=True) as (within, outside):
        with within:
            visit_box(_merge_axes(move.box, reals), b.mul(at, ir.Constant(I64, move.pace * reals)), ir.Constant(I64, 0))
        with outside:
            b.store(ir.Constant(ir.IntType(32), 1), status)


def _merge_axes(box: Box, reals: int) -> list[tuple[int, int]]:
    """A box with as few axes as will do, of the reals that its elements are."""
    found = [(reals, 1)]
    for count, pace in reversed(box):
        inner, step = found[0]
        if count != 1 and pace * reals == inner * step:
            found[0] = count * inner, step
        elif count != 1:
            found.insert(0, (count, pace * reals))
    return found if len(found) == 1 or found[-1] != (1, 1) else found[:-1]


def _reals(dtype: np.dtype[Any], count: int) -> tuple[np.dtype[Any], int]:
    """The dtype and number of a row's elements; of complex ones, which are put and added like any pair of reals, those of the reals."""
    return (scalars.PARTS[dtype], 2 * count) if dtype in scalars.PARTS else (dtype, count)


def _emit_loop(b: ir.IRBuilder, low: int, high: int, step: int, body: Callable[[ir.Value], None]) -> None:
    count_loop(b, ir.Constant(I64, low), ir.Constant(I64, high), ir.Constant(I64, step), body)
