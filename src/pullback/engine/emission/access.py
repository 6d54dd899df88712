"""Vectors read from memory and written to it: in order, masked, or each element at a place of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import llvm_ir as ir
from ..scalars import scalars

I1, POINTER = ir.IntType(1), ir.PointerType()


def load_vector(b: ir.IRBuilder, where: ir.Value, dtype: np.dtype[Any], lanes: int, guard: ir.Value | None) -> ir.Value:
    """The elements that lie in order; guard: in which lanes, all where None."""
    if dtype in scalars.PARTS:
        guard = guard if guard is None else scalars.repeat_twice(b, guard)
        return scalars.split_pairs(b, load_vector(b, where, scalars.PARTS[dtype], 2 * lanes, guard))
    kind = scalars.memory_type(dtype, lanes)
    if guard is None:
        return b.load(where, typ=kind, align=dtype.itemsize)
    if few := _first_lanes(guard):
        return scalars.widen(b, b.load(where, typ=scalars.memory_type(dtype, few), align=dtype.itemsize), lanes)
    name = f"llvm.masked.load.{kind.mangled}.p0"
    masked = scalars.declare_function(b.module, name, kind, [POINTER, guard.type, kind])
    found = b.call(masked, [where, guard, ir.Constant(kind, None)])
    # LLVM 20 would merge a selection between it and zeros with the load, and then read without a mask where a whole register is known zeros
    return b.freeze(found) if dtype.kind in "iu" and dtype.itemsize == 8 else found


def store_vector(b: ir.IRBuilder, value: ir.Value, where: ir.Value, mask: ir.Value | None, align: int) -> None:
    """Write elements in order; mask: of which lanes, all where None."""
    if mask is None:
        b.store(value, where, align=align)
        return
    if few := _first_lanes(mask):
        b.store(scalars.lanes_at(b, value, range(few)), where, align=align)
        return
    name = f"llvm.masked.store.{value.type.mangled}.p0"
    store = scalars.declare_function(b.module, name, ir.VoidType(), [value.type, POINTER, mask.type])
    b.call(store, [value, where, mask])


def gather(
    b: ir.IRBuilder, pointer: ir.Value, offsets: ir.Value, dtype: np.dtype[Any], lanes: int, guard: ir.Value | None
) -> ir.Value:
    """The elements at offsets from a pointer; guard: in which lanes, all where None."""
    if dtype in scalars.PARTS:
        either = [gather(b, pointer, at, scalars.PARTS[dtype], lanes, guard) for at in offsets_of_parts(b, offsets, lanes)]
        return scalars.make_pair(b, *either)
    kind = scalars.memory_type(dtype, lanes)
    where = _places(b, pointer, offsets, dtype, lanes)
    guard = guard if guard is not None else _all_lanes(lanes)
    name = f"llvm.masked.gather.{kind.mangled}.v{lanes}p0"
    function = scalars.declare_function(b.module, name, kind, [where.type, guard.type, kind])
    return b.call(function, [where, guard, ir.Constant(kind, None)])


def scatter(
    b: ir.IRBuilder, pointer: ir.Value, offsets: ir.Value, value: ir.Value, dtype: np.dtype[Any], mask: ir.Value | None
) -> None:
    """Write elements at offsets from a pointer; mask: of which lanes, all where None."""
    lanes = scalars.lanes_of(value)
    if dtype in scalars.PARTS:
        for at, part in zip(offsets_of_parts(b, offsets, lanes), scalars.parts(b, value), strict=True):
            scatter(b, pointer, at, part, scalars.PARTS[dtype], mask)
        return
    where = _places(b, pointer, offsets, dtype, lanes)
    mask = mask if mask is not None else _all_lanes(lanes)
    name = f"llvm.masked.scatter.{value.type.mangled}.v{lanes}p0"
    b.call(scalars.declare_function(b.module, name, ir.VoidType(), [value.type, where.type, mask.type]), [value, where, mask])


def offsets_of_parts(b: ir.IRBuilder, offsets: ir.Value, lanes: int) -> list[ir.Value]:
    """Where the real and the imaginary parts are, of complex numbers at `offsets`."""
    twice = b.shl(offsets, scalars.constant(1, np.dtype(np.int64), lanes))
    return [twice, b.add(twice, scalars.constant(1, np.dtype(np.int64), lanes))]


def _places(b: ir.IRBuilder, pointer: ir.Value, offsets: ir.Value, dtype: np.dtype[Any], lanes: int) -> ir.Value:
    where = b.gep(pointer, [offsets], source_etype=scalars.memory_type(dtype, 1))
    where.type = ir.VectorType(POINTER, lanes)
    return where


def _all_lanes(lanes: int) -> ir.Constant:
    return ir.Constant(ir.VectorType(I1, lanes), [1] * lanes)


def _first_lanes(mask: ir.Value) -> int:
    """How many lanes a known mask leaves, the first ones, where a narrower vector has as many; or else 0."""
    flags = mask.constant if type(mask) is ir.Constant and isinstance(mask.constant, list) else []
    count = sum(flags)
    return count if count & (count - 1) == 0 and all(flags[:count]) else 0
