"""Products that a loop puts off, as LLVM code: each turn's matrices are copied to where they are kept, and multiplied when it is full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import llvm_ir as ir
from ..lowering.builder import Layout, Product
from ..lowering.deferred_sums import DeferredProduct
from ..scalars import scalars
from .blas_calls import blocks_of, emit_product
from .tiles import Strides, emit_tiles

if TYPE_CHECKING:
    from .segment import Segment

I1, I8, I64, POINTER = ir.IntType(1), ir.IntType(8), ir.IntType(64), ir.PointerType()


def keep_turn(b: ir.IRBuilder, segment: Segment, deferred: DeferredProduct, both: ir.Value) -> None:
    """Keep the matrices of a turn; after the last one there is room for, multiply."""
    given = b.function.args[:2]
    word = segment.word(b, given[1], deferred.word)
    count = b.load(word, typ=I64)
    for matrix, kept in zip((deferred.a, deferred.b), deferred.kept, strict=True):
        size = matrix.size * matrix.dtype.itemsize
        to = b.gep(segment.address(b, given, kept.place), [b.mul(count, _int(size))], source_etype=I8)
        copy = scalars.declare_function(b.module, "llvm.memcpy.p0.p0.i64", ir.VoidType(), [POINTER, POINTER, I64, I1])
        b.call(copy, [to, segment.address(b, given, matrix.place), _int(size), ir.Constant(I1, 0)])
    more = b.add(count, _int(1))
    b.store(more, word)
    with b.if_then(b.icmp_signed("==", more, _int(deferred.turns)), likely=False):
        multiply_deferred(b, segment, deferred, both)


def multiply_deferred(b: ir.IRBuilder, segment: Segment, deferred: DeferredProduct, both: ir.Value) -> None:
    """Add the product of what is kept to the total; nothing is kept afterwards."""
    word = segment.word(b, b.function.args[1], deferred.word)
    with b.if_then(b.icmp_signed(">", b.load(word, typ=I64), _int(0))):
        product = _product(deferred)
        task = _task(b.module, segment, deferred, product)
        if blocks_of(product) == 1:
            b.call(task, [both, _int(0)])
        else:
            parallel = scalars.declare_function(b.module, "pb_parallel", ir.VoidType(), [POINTER, POINTER, I64])
            b.call(parallel, [task, both, _int(blocks_of(product))])
        b.store(_int(0), word)


def _product(deferred: DeferredProduct) -> Product:
    """The product of all that may be kept."""
    a, c = deferred.kept
    (k, m), n = a.dims, c.dims[1]
    return Product(a, c, deferred.total, (m, n, k), 1, (Layout(0, 1, max(m, 1)), Layout(0, n, 1), Layout(0, n, 1)))


def _task(module: ir.Module, segment: Segment, deferred: DeferredProduct, product: Product) -> ir.Function:
    """`void (ptr both, i64 block)`: one block of the product of what is kept."""
    name = f"{segment.name}_late_{deferred.word}"
    known = module.globals.get(name)
    if isinstance(known, ir.Function):
        return known
    task = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER, I64]), name)
    task.linkage = "internal"
    b = ir.IRBuilder(task.append_basic_block("entry"))
    given = [b.load(b.gep(task.args[0], [_int(i)], source_etype=POINTER), typ=POINTER) for i in range(2)]
    turns = b.load(segment.word(b, given[1], deferred.word), typ=I64)
    inner = b.mul(turns, _int(deferred.a.dims[0]))
    if blocks_of(product) > 1:
        emit_product(b, product, task.args[1], lambda place: segment.address(b, given, place), inner)
    else:
        a, c, total = (segment.address(b, given, buffer.place) for buffer in (product.a, product.b, product.out))
        sizes, strides = (product.m, product.n, inner), Strides(1, product.m, product.n, product.n)
        emit_tiles(b, product.out.dtype, (a, c, total), sizes, strides, segment.vector_bytes, adds=True)
    b.ret_void()
    return task


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
