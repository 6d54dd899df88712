"""Products of a loop with a matrix that does not change in it: the matrix is put in order once, before the loop.

The BLAS puts both factors of a product in order each time it is called, which for a few rows takes longer than the product.  Here the
matrix lies in panels, (panels, inner, width): one is as wide as a tile of `tiles`, so that it is read from front to back.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir

from .counting import counted
from .forms import Affine, Buffer
from .machine import host
from .scalars import memory_type
from .steps import Layout, Product, Steps
from .tiles import Strides, TileProduct

I64 = ir.IntType(64)
#: The most rows, and the least elements of the matrix; multiplications worth a block of their own, and the greatest number of blocks.
_ROWS, _ELEMENTS, _BLOCK_WORK, _MOST_BLOCKS = 128, 1 << 11, 1_000_000, 8


def pack_steady(turn: Steps) -> None:
    """Put the second factors of a loop's products in panels before the loop, where they do not change in it."""
    for product in turn.steps:
        if isinstance(product, Product) and product.batch == 1 and product.m <= _ROWS and product.n * product.k >= _ELEMENTS:
            if product.a.dtype.kind == "f":
                _pack(turn, product)


def _pack(turn: Steps, product: Product) -> None:
    given, (_, row, column) = product.b, product.layouts[1]
    width = _width(product.n, given.dtype)
    flat = Buffer((given.place.size // given.dtype.itemsize,), given.dtype, given.place)
    matrix = Affine(flat, (product.k, product.n), ((0, tuple((axis, step) for axis, step in enumerate((row, column)) if step)),))
    dims = (-(-product.n // width), product.k, width)
    packed = turn.steadied(Affine(matrix, dims, ((0, ((1, 1),)), (0, ((0, width), (2, 1)))), 0))
    if packed is not None:
        product.b, product.panel = packed, width
        product.layouts = product.layouts[0], Layout(0, width, 1), product.layouts[2]


def _width(n: int, dtype: np.dtype[Any]) -> int:
    lanes = host().lanes(dtype.itemsize)
    return min(4, -(-n // lanes)) * lanes


def panel_blocks(product: Product) -> int:
    """How many blocks such a product is cut in."""
    panels = product.b.dims[0]
    count = max(1, min(panels, product.work // _BLOCK_WORK, _MOST_BLOCKS))
    return -(-panels // -(-panels // count))


def emit_panels(b: ir.IRBuilder, product: Product, block: ir.Value, pointers: list[ir.Value]) -> int:
    """Write one block of a product whose second factor lies in panels; gives the number of blocks."""
    of_a, _, of_out = product.layouts
    panels, k, width = product.b.dims
    whole, tail = divmod(product.n, width)
    real, blocks = memory_type(product.out.dtype, 1), panel_blocks(product)
    length = -(-panels // blocks)
    low = b.mul(block, _int(length))
    high = b.add(low, _int(length))
    a, matrix, out = pointers

    def panel(at: ir.Value, columns: int) -> None:
        strides = Strides(of_a.row, of_a.column, width, of_out.row)
        tiles = TileProduct(b, product.out.dtype, columns, strides, False, host().vector_bits // 8)
        c = b.gep(matrix, [b.mul(at, _int(k * width))], source_etype=real)
        tiles.emit(a, c, b.gep(out, [b.mul(at, _int(width))], source_etype=real), product.m, k)

    last = b.select(b.icmp_signed("<", high, _int(whole)), high, _int(whole))
    counted(b, low, last, _int(1), lambda at: panel(at, width))
    if tail:
        with b.if_then(b.icmp_signed(">=", high, _int(panels))):
            panel(_int(whole), tail)
    return blocks


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)


__all__ = ["emit_panels", "pack_steady", "panel_blocks"]
