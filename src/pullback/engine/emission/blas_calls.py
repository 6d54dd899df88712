"""Matrix products as calls of the BLAS from native code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import llvm_ir as ir
from ..lowering.builder import Layout, Product
from ..lowering.index_expr import Place
from ..lowering.sharing import count_blocks
from ..runtime.machine import host
from ..scalars import scalars
from ..scalars.counting import count_loop
from ..scalars.scalars import declare_function
from .panels import emit_panels, panel_width
from .reorder import declare_copy
from .tiles import Strides, emit_tiles

I32, I64, POINTER = ir.IntType(32), ir.IntType(64), ir.PointerType()
#: Multiplications worth a block of their own, and the greatest number of blocks.
_BLOCK_WORK, _MOST_BLOCKS, _LEAST_SIDE = 2_000_000, 8, 128
#: Multiplications of a single product that loops of our own do, and the bytes of the second factor of those, and of those of stacks.
_TILES, _CACHED, _CACHED_OF_STACK = 1 << 20, 1 << 16, 1 << 18
#: Of stacks with a turned second factor: the bytes of a panel that is copied on the stack, the least rows that are multiplied by it, and
#: the multiplications that are worth the compiling of what turns it.
_PANEL, _ROWS, _WORTH = 1 << 14, 16, 1 << 22
_ROW_MAJOR, _PLAIN, _TURNED = 101, 111, 112
#: The routine for a dtype, under the names that modules declare and those of the library.
ROUTINES = {
    np.dtype(np.float32): "cblas_sgemm",
    np.dtype(np.float64): "cblas_dgemm",
    np.dtype(np.complex64): "cblas_cgemm",
    np.dtype(np.complex128): "cblas_zgemm",
}


def emit_product(
    b: ir.IRBuilder, product: Product, block: ir.Value, address: Callable[[Place], ir.Value], inner: ir.Value | None = None
) -> int:
    """Call the BLAS for one block of a product, rows of the result or matrices of the stack; gives the number of blocks.

    inner: of a single product, how much is summed over, at most the product's k; the result is then added to what is there.
    """
    dtype = product.a.dtype
    real = scalars.memory_type(dtype, 1)
    pointers = find_starts(b, product, address)
    if product.panel:
        return emit_panels(b, product, block, pointers)
    blocks = blocks_of(product)
    if product.batch == 1 and blocks == 1 and inner is None and product.work <= _TILES and _is_small(product):
        _tiles(b, product, pointers)
        return 1
    if product.batch == 1:
        return _emit_single(b, product, pointers, real, block, blocks, inner)
    length = -(-product.batch // blocks)
    low = b.mul(block, ir.Constant(I64, length))
    high = b.add(low, ir.Constant(I64, length))
    whole = ir.Constant(I64, product.batch)
    high = b.select(b.icmp_signed("<", high, whole), high, whole)
    count_loop(b, low, high, ir.Constant(I64, 1), lambda i: emit_matrix(b, product, i, pointers))
    return -(-product.batch // length)


def find_starts(b: ir.IRBuilder, product: Product, address: Callable[[Place], ir.Value]) -> list[Any]:
    """Where the first matrices of a product's factors and of its result begin."""
    starts = [address(buffer.place) for buffer in (product.a, product.b, product.out)]
    real = scalars.memory_type(product.a.dtype, 1)
    return [*starts[:2], b.gep(starts[2], [ir.Constant(I64, product.offset)], source_etype=real) if product.offset else starts[2]]


def emit_matrix(b: ir.IRBuilder, product: Product, i: ir.Value, starts: Sequence[Any]) -> None:
    """Write the product of the matrices `i` of two stacks; starts: see `find_starts`."""
    real = scalars.memory_type(product.a.dtype, 1)
    moved = [_move_to_matrix(b, p, i, layout, real) for p, layout in zip(starts, product.layouts, strict=True)]
    if _is_small(product):
        _tiles(b, product, moved)
        return
    _call(b, product, moved, real, ir.Constant(I64, product.m), ir.Constant(I64, product.n))


def _is_small(product: Product) -> bool:
    """Whether loops of our own are quicker than the BLAS, which takes its time to begin: the second factor stays in a cache as it lies."""
    item = product.out.dtype.itemsize
    most = _CACHED if product.batch == 1 else _CACHED_OF_STACK
    if product.out.dtype.kind != "f" or product.n * product.k * item > most:
        return False
    if not product.layouts[1].turned:
        return True
    if product.batch == 1 or product.work < _WORTH or product.m < _ROWS or product.n < host().lanes(item):
        return False
    return product.k * panel_width(product) * item <= _PANEL


def _tiles(b: ir.IRBuilder, product: Product, pointers: Sequence[ir.Value]) -> None:
    of_a, of_b, of_out = product.layouts
    m, n, k, dtype, vector_bytes = product.m, product.n, product.k, product.out.dtype, host().vector_bits // 8
    if not of_b.turned:
        emit_tiles(b, dtype, pointers, (m, n, k), Strides(of_a.row, of_a.column, of_b.row, of_out.row), vector_bytes)
        return
    a, c, out = pointers
    width, real, vector = panel_width(product), scalars.memory_type(dtype, 1), scalars.memory_type(dtype, host().lanes(dtype.itemsize))
    turn = declare_copy(b.module, dtype, vector_bytes // dtype.itemsize, True)
    strides = Strides(of_a.row, of_a.column, width, of_out.row)
    with b.goto_entry_block():
        panel = b.alloca(vector, k * width * dtype.itemsize // vector_bytes)

    def multiply(at: ir.Value, columns: int) -> None:
        """Turn a panel of the second factor on the stack, where it stays in the cache, and make those columns of the result."""
        numbers = [ir.Constant(I64, x) for x in (k, columns, of_b.column, width)]
        b.call(turn, [_move_pointer(b, c, at, of_b.column, real), panel, *numbers])
        emit_tiles(b, dtype, (a, panel, _move_pointer(b, out, at, 1, real)), (m, columns, k), strides, vector_bytes)

    whole = n - n % width
    count_loop(b, ir.Constant(I64, 0), ir.Constant(I64, whole), ir.Constant(I64, width), lambda at: multiply(at, width))
    if whole < n:
        multiply(ir.Constant(I64, whole), n - whole)


def blocks_of(product: Product) -> int:
    """How many blocks a product is cut in, by its size alone: the matrices of a stack, or the longer side of a single result."""
    longer = max(product.m, product.n)
    most = longer // _LEAST_SIDE if product.batch == 1 else product.batch
    count = max(min(count_blocks(product.work, _BLOCK_WORK, _MOST_BLOCKS), most), 1)
    whole = longer if product.batch == 1 else product.batch
    return -(-whole // -(-whole // count))


def _emit_single(
    b: ir.IRBuilder,
    product: Product,
    pointers: list[Any],
    real: ir.Type,
    block: ir.Value,
    blocks: int,
    inner: ir.Value | None,
) -> int:
    """One block of a single product: some of its rows, or some of its columns; gives the number of blocks."""
    by_rows = product.m >= product.n
    whole = product.m if by_rows else product.n
    length = -(-whole // blocks)
    low = b.mul(block, ir.Constant(I64, length))
    left = b.sub(ir.Constant(I64, whole), low)
    part = b.select(b.icmp_signed("<", left, ir.Constant(I64, length)), left, ir.Constant(I64, length))
    a, c, out = pointers
    of_a, of_b, of_out = product.layouts
    if by_rows:
        a = _move_pointer(b, a, low, of_a.row, real)
        out = _move_pointer(b, out, low, of_out.row, real)
        _call(b, product, [a, c, out], real, part, ir.Constant(I64, product.n), inner)
    else:
        c = _move_pointer(b, c, low, of_b.column, real)
        out = _move_pointer(b, out, low, of_out.column, real)
        _call(b, product, [a, c, out], real, ir.Constant(I64, product.m), part, inner)
    return -(-whole // length)


def _move_pointer(b: ir.IRBuilder, pointer: ir.Value, low: ir.Value, step: int, real: ir.Type) -> ir.Value:
    return b.gep(pointer, [b.mul(low, ir.Constant(I64, step))], source_etype=real)


def _move_to_matrix(b: ir.IRBuilder, pointer: ir.Value, i: ir.Value, layout: Layout, real: ir.Type) -> ir.Value:
    if not layout.every:
        return _move_pointer(b, pointer, i, layout.stack, real)
    every = ir.Constant(I64, layout.every)
    return _move_pointer(b, _move_pointer(b, pointer, b.udiv(i, every), layout.outer, real), b.urem(i, every), layout.stack, real)


def _call(
    b: ir.IRBuilder,
    product: Product,
    pointers: Sequence[Any],
    real: ir.Type,
    rows: ir.Value,
    columns: ir.Value,
    inner: ir.Value | None = None,
) -> None:
    flags = [_TURNED if layout.turned else _PLAIN for layout in product.layouts[:2]]
    lead_a, lead_b, lead_out = (ir.Constant(I64, max(layout.lead, 1)) for layout in product.layouts)
    a, c, out = pointers
    numbers = [rows, columns, ir.Constant(I64, product.k) if inner is None else inner]
    one, before = (factor(b, value, product.a.dtype) for value in (1.0, 0.0 if inner is None else 1.0))
    b.call(
        _declare_gemm(b.module, ROUTINES[product.a.dtype], real),
        [
            ir.Constant(I32, _ROW_MAJOR), *[ir.Constant(I32, f) for f in flags], *numbers, one,
            a, lead_a, c, lead_b, before, out, lead_out,
        ],
    )  # fmt: skip


def factor(b: ir.IRBuilder, value: float, dtype: np.dtype[Any]) -> ir.Value:
    """A factor as the BLAS takes it: a complex one by its address."""
    number = scalars.constant(value, dtype)
    if dtype not in scalars.PARTS:
        return number
    name = f"pullback.factor.{value:.0f}.{dtype}"
    known = b.module.globals.get(name)
    if known is None:
        known = ir.GlobalVariable(b.module, number.type, name)
        known.initializer, known.global_constant, known.linkage = number, True, "internal"
    return b.bitcast(known, POINTER)


def _declare_gemm(module: ir.Module, name: str, real: ir.Type) -> ir.Function:
    real = POINTER if isinstance(real, ir.LiteralStructType) else real
    kinds = [I32, I32, I32, I64, I64, I64, real, POINTER, I64, POINTER, I64, real, POINTER, I64]
    return declare_function(module, name, ir.VoidType(), kinds)
