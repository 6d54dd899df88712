"""Matrix products with factors put in order first, as loops of our own.

The second factor lies in panels, (panels, inner, width), one as wide as a tile of `tiles`, so that it is read from front to back; the first
one lies row by row.  Large products run at nine tenths of what the processor can do so, a tenth quicker than in the BLAS.  In a loop, a
factor that does not change is put in order once, before the loop; the BLAS would do so at each call, which for a few rows takes longer than
the product.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import llvm_ir as ir
from ..lowering.builder import Builder, Layout, Product
from ..lowering.index_expr import Buffer
from ..lowering.reorder import Reorder
from ..lowering.sharing import count_blocks
from ..runtime.machine import host
from ..scalars.counting import count_loop
from ..scalars.scalars import memory_type
from .tiles import VECTORS, Strides, emit_tiles

I64 = ir.IntType(64)
#: A product in a loop: the most rows, and the least elements of the factor that stays the same.
_FEW_ROWS, _ELEMENTS = 128, 1 << 11
#: Others: the least rows, columns and sum, and multiplications; longer sums have a turned first factor put in order.
_ROWS, _SIDE, _WORK, _TURNED = 64, 32, 1 << 20, 128
#: Rows of a multiple of so many bytes have a gap behind them in a factor that is turned.
_ALIASED = 1024
#: Multiplications worth a block of their own, the greatest number of blocks, and the fewest rows of one.
_BLOCK_WORK, _MOST_BLOCKS, _BLOCK_ROWS = 1 << 20, 16, 64


def pack_steady(turn: Builder) -> None:
    """Put the second factors of a loop's products in panels before the loop, where they do not change in it."""
    for product in turn.steps:
        if isinstance(product, Product) and _is_plain(product) and product.m <= _FEW_ROWS and product.n * product.k >= _ELEMENTS:
            home = turn.where_steady(product.b)
            if home is not None:
                _pack(product, home)


def pack_factors(product: Product, builder: Builder) -> bool:
    """Let a large product have its factors in order, with what must be done for it before added to `builder`; whether it is one."""
    m, n, k = product.m, product.n, product.k
    if product.panel or not _is_plain(product) or m < _ROWS or min(n, k) < _SIDE or product.work < _WORK:
        return False
    _pack(product, builder)
    of_a = product.layouts[0]
    if of_a.turned and k > _TURNED:
        item = product.a.dtype.itemsize
        # rows that begin a multiple of 4 KB apart take each other's places in the cache
        width = k if k * item % _ALIASED else k + host().lanes(item)
        product.a = _pack_panels(builder, product.a, (m, k), of_a, width)
        product.layouts = Layout(0, width, 1), *product.layouts[1:]
    return True


def _is_plain(product: Product) -> bool:
    return product.batch == 1 and product.out.dtype.kind == "f"


def _pack(product: Product, home: Builder) -> None:
    """Put the second factor in panels."""
    width = panel_width(product)
    product.b = _pack_panels(home, product.b, (product.k, product.n), product.layouts[1], width)
    product.panel = width
    product.layouts = product.layouts[0], Layout(0, width, 1), product.layouts[2]


def _pack_panels(home: Builder, given: Buffer, sizes: tuple[int, int], layout: Layout, width: int) -> Buffer:
    """A matrix in panels of so many columns; the last one may end early, and what is behind is never read."""
    panels = home.temporary((-(-sizes[1] // width), sizes[0], width), given.dtype)
    home.steps.append(Reorder(given, panels, sizes, layout.row, layout.column))
    return panels


def panel_width(product: Product) -> int:
    """How many columns of the second factor a panel has: as many as a tile, in whole vectors."""
    lanes = host().lanes(product.out.dtype.itemsize)
    return min(VECTORS, -(-product.n // lanes)) * lanes


def _grid(product: Product) -> tuple[int, int]:
    """The rows and the panels of one block, by sizes alone."""
    panels = product.b.dims[0]
    count = count_blocks(product.work, _BLOCK_WORK, _MOST_BLOCKS)
    by_rows = max(1, min(product.m // _BLOCK_ROWS, count))
    rows = -(-product.m // (8 * by_rows)) * 8
    by_panels = max(1, min(panels, count // -(-product.m // rows)))
    return min(rows, product.m), -(-panels // by_panels)


def panel_blocks(product: Product) -> int:
    """How many blocks such a product is cut in."""
    rows, panels = _grid(product)
    return -(-product.m // rows) * -(-product.b.dims[0] // panels)


def emit_panels(b: ir.IRBuilder, product: Product, block: ir.Value, pointers: Sequence[ir.Value]) -> int:
    """Write one block of a product whose second factor lies in panels; gives the number of blocks."""
    rows, panels = _grid(product)
    across = -(-product.b.dims[0] // panels)
    of_a, _, of_out = product.layouts
    real = memory_type(product.out.dtype, 1)
    top, left = b.mul(b.udiv(block, _int(across)), _int(rows)), b.mul(b.urem(block, _int(across)), _int(panels))
    a, out = (b.gep(p, [b.mul(top, _int(layout.row))], source_etype=real) for p, layout in ((pointers[0], of_a), (pointers[2], of_out)))
    low = b.sub(_int(product.m), top)
    _panels(b, product, (a, pointers[1], out), left, panels, b.select(b.icmp_signed("<", low, _int(rows)), low, _int(rows)))
    return panel_blocks(product)


def _panels(b: ir.IRBuilder, product: Product, pointers: Sequence[ir.Value], left: ir.Value, count: int, rows: ir.Value) -> None:
    """Some rows of the result, in `count` panels from `left` on."""
    of_a, _, of_out = product.layouts
    _, k, width = product.b.dims
    whole, tail = divmod(product.n, width)
    real = memory_type(product.out.dtype, 1)
    a, matrix, out = pointers
    right = b.add(left, _int(count))

    def panel(at: ir.Value, columns: int) -> None:
        c, to = (b.gep(p, [b.mul(at, _int(step))], source_etype=real) for p, step in ((matrix, k * width), (out, width)))
        strides = Strides(of_a.row, of_a.column, width, of_out.row)
        emit_tiles(b, product.out.dtype, (a, c, to), (rows, columns, k), strides, host().vector_bits // 8)

    end = b.select(b.icmp_signed("<", right, _int(whole)), right, _int(whole))
    count_loop(b, left, end, _int(1), lambda at: panel(at, width))
    if tail:
        with b.if_then(b.icmp_signed(">", right, _int(whole))):
            panel(_int(whole), tail)


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
