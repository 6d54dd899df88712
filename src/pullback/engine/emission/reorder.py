"""Matrices put in order for products, as LLVM code: by routines that all programs share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import llvm_ir as ir
from ..lowering.index_expr import Place
from ..lowering.reorder import Reorder
from ..scalars import scalars
from ..scalars.counting import count_loop, emit_min
from .transpose import square_function

I64, POINTER = ir.IntType(64), ir.PointerType()
#: Rows of a panel that one task copies, and elements worth a task of their own.
_ROWS, _WORTH = 64, 1 << 14
#: Bytes that are read of a row before the next one, and rows of one panel before the next: memory is slow where it is read in snatches.
_RUN, _FEW = 512, 8
#: Squares that are read along a row before the next ones.
_SQUARES = 4


def emit_reorder(b: ir.IRBuilder, block: Reorder, task: ir.Value, vector_bytes: int, address: Callable[[Place], ir.Value]) -> int:
    """Write one task of it; gives the number of tasks."""
    panels, rows, width = block.out.dims
    length = min(rows, max(_ROWS, -(-_WORTH // width // 16) * 16))
    chunks = -(-rows // length)
    dtype = block.out.dtype
    turned = block.column != 1
    group, few = (1, length) if turned else (min(panels, max(_RUN // (width * dtype.itemsize), 1)), _FEW)
    one = scalars.memory_type(dtype, 1)
    given, out = address(block.given.place), address(block.out.place)
    function = declare_copy(b.module, dtype, vector_bytes // dtype.itemsize, turned)
    first, top = b.mul(b.udiv(task, _int(chunks)), _int(group)), b.mul(b.urem(task, _int(chunks)), _int(length))
    last = emit_min(b, b.add(first, _int(group)), _int(panels))
    end = emit_min(b, b.add(top, _int(length)), _int(rows))

    def copy(top: ir.Value, panel: ir.Value) -> None:
        left = b.mul(panel, _int(width))
        count = emit_min(b, _int(few), b.sub(end, top))
        columns = emit_min(b, _int(width), b.sub(_int(block.columns), left))
        start = b.add(b.mul(top, _int(block.row)), b.mul(left, _int(block.column)))
        at = b.mul(b.add(b.mul(panel, _int(rows)), top), _int(width))
        places = [b.gep(place, [where], source_etype=one) for place, where in ((given, start), (out, at))]
        b.call(function, [*places, count, columns, _int(block.column if turned else block.row), _int(width)])

    count_loop(b, top, end, _int(few), lambda row: count_loop(b, first, last, _int(1), lambda panel: copy(row, panel)))
    return -(-panels // group) * chunks


def declare_copy(module: ir.Module, dtype: np.dtype[Any], lanes: int, turned: bool) -> ir.Function:
    """`void (ptr from, ptr to, i64 rows, i64 columns, i64 from_step, i64 to_step)`: copies a matrix, from its columns if `turned`."""
    name = f"pb_{'turn' if turned else 'copy'}_{dtype}_{lanes}"
    return scalars.declare_function(module, name, ir.VoidType(), [POINTER, POINTER, *[I64] * 4])


def write_copy(module: ir.Module, dtype: np.dtype[Any], lanes: int) -> ir.Function:
    """Write the routine that copies a matrix from its rows."""
    return _write(module, dtype, lanes, False)


def write_turn(module: ir.Module, dtype: np.dtype[Any], lanes: int) -> ir.Function:
    """Write the routine that copies a matrix from its columns."""
    return _write(module, dtype, lanes, True)


def _write(module: ir.Module, dtype: np.dtype[Any], lanes: int, turned: bool) -> ir.Function:
    """Vectors of columns at a time, or squares; what is left at the edges is copied singly."""
    function = declare_copy(module, dtype, lanes, turned)
    b = ir.IRBuilder(function.append_basic_block("entry"))
    given, to, rows, columns, from_step, to_step = function.args
    one, kind = (scalars.memory_type(dtype, n) for n in (1, lanes))
    step, align = _int(lanes), dtype.itemsize

    def places(i: ir.Value, j: ir.Value) -> list[ir.Value]:
        across, along = (i, j) if not turned else (j, i)
        starts = b.add(b.mul(across, from_step), along), b.add(b.mul(i, to_step), j)
        return [b.gep(p, [at], source_etype=one) for p, at in zip((given, to), starts, strict=True)]

    def move_element(i: ir.Value, j: ir.Value) -> None:
        source, target = places(i, j)
        b.store(b.load(source, typ=one, align=align), target, align=align)

    def move_elements(i: ir.Value, j: ir.Value) -> None:
        source, target = places(i, j)
        if turned:
            b.call(square_function(module, dtype, lanes), [source, target, from_step, to_step])
        else:
            b.store(b.load(source, typ=kind, align=align), target, align=align)

    one_row = _int(1)
    right, tall = b.sub(columns, b.urem(columns, step)), step if turned else one_row
    bottom = b.sub(rows, b.urem(rows, tall))
    if turned:
        run = _int(_SQUARES * lanes)

        def run_of_squares(first: ir.Value) -> None:
            end = emit_min(b, b.add(first, run), bottom)
            count_loop(b, _int(0), right, step, lambda j: count_loop(b, first, end, tall, lambda i: move_elements(i, j)))

        count_loop(b, _int(0), bottom, run, run_of_squares)
    else:
        count_loop(b, _int(0), bottom, tall, lambda i: count_loop(b, _int(0), right, step, lambda j: move_elements(i, j)))
    count_loop(b, _int(0), bottom, one_row, lambda i: count_loop(b, right, columns, one_row, lambda j: move_element(i, j)))
    count_loop(b, bottom, rows, one_row, lambda i: count_loop(b, _int(0), columns, one_row, lambda j: move_element(i, j)))
    b.ret_void()
    return function


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
