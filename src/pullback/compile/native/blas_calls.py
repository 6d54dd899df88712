"""Matrix products as calls of the BLAS from native code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir

from .forms import Place
from .steps import Product

I32, I64, POINTER = ir.IntType(32), ir.IntType(64), ir.PointerType()
_ROW_MAJOR, _PLAIN, _TURNED = 101, 111, 112
#: The routine for a dtype, under the names that modules declare and those of the library.
ROUTINES = {np.dtype(np.float32): "cblas_sgemm", np.dtype(np.float64): "cblas_dgemm"}


def emit_product(b: ir.IRBuilder, product: Product, address: Callable[[Place], ir.Value]) -> None:
    """Call the BLAS for each matrix of a product."""
    dtype = product.a.dtype
    real = ir.FloatType() if dtype == np.float32 else ir.DoubleType()
    routine = _declared(b.module, ROUTINES[dtype], real)
    pointers = [address(buffer.place) for buffer in (product.a, product.b, product.out)]
    if product.batch == 1:
        _call(b, routine, product, pointers, real)
        return
    function = b.function
    head, inside, after = (function.append_basic_block(n) for n in ("matrices", "matrix", "done"))
    before = b.block
    b.branch(head)
    b.position_at_end(head)
    i = b.phi(I64)
    i.add_incoming(ir.Constant(I64, 0), before)
    b.cbranch(b.icmp_signed("<", i, ir.Constant(I64, product.batch)), inside, after)
    b.position_at_end(inside)
    moved = [b.gep(p, [b.mul(i, ir.Constant(I64, s))], source_etype=real) for p, s in zip(pointers, product.strides, strict=True)]
    _call(b, routine, product, moved, real)
    i.add_incoming(b.add(i, ir.Constant(I64, 1)), b.block)
    b.branch(head)
    b.position_at_end(after)


def _call(b: ir.IRBuilder, routine: ir.Function, product: Product, pointers: list[Any], real: ir.Type) -> None:
    m, n, k = product.m, product.n, product.k
    flip_a, flip_b = product.turned
    lead_a, lead_b = (m if flip_a else k), (k if flip_b else n)
    flags = [_TURNED if flip else _PLAIN for flip in (flip_a, flip_b)]
    a, c, out = pointers
    numbers = [ir.Constant(I64, v) for v in (m, n, k)]
    one, zero = ir.Constant(real, 1.0), ir.Constant(real, 0.0)
    b.call(
        routine,
        [
            ir.Constant(I32, _ROW_MAJOR), *[ir.Constant(I32, f) for f in flags], *numbers, one,
            a, ir.Constant(I64, max(lead_a, 1)), c, ir.Constant(I64, max(lead_b, 1)), zero, out, ir.Constant(I64, max(n, 1)),
        ],
    )  # fmt: skip


def _declared(module: ir.Module, name: str, real: ir.Type) -> ir.Function:
    known = module.globals.get(name)
    if known is not None:
        return known
    kinds = [I32, I32, I32, I64, I64, I64, real, POINTER, I64, POINTER, I64, real, POINTER, I64]
    return ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), name)
