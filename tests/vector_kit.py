"""Loops over arrays in native code, for the tests of vector functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pullback.engine import llvm_ir as ir
from pullback.engine.scalars.counting import count_loop

I64, POINTER = ir.IntType(64), ir.PointerType()


def looped(module: ir.Module, name: str, bits: int, lanes: int, given: int, made: int, emit: Callable[..., Any]) -> None:
    """Add `name.bits(given arrays..., made arrays..., n)` to a module: n numbers, a multiple of the lanes.

    emit: from a builder and a value of each given array to a list of the values made.
    """
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER] * (given + made) + [I64]), f"{name}.{bits}")
    b = ir.IRBuilder(function.append_basic_block())
    scalar = ir.FloatType() if bits == 32 else ir.DoubleType()
    kind = ir.VectorType(scalar, lanes) if lanes > 1 else scalar

    def step(at: ir.Value) -> None:
        places = [b.gep(p, [at], source_etype=scalar) for p in function.args[:-1]]
        values = [b.load(p, typ=kind, align=bits // 8) for p in places[:given]]
        for value, place in zip(emit(b, *values), places[given:], strict=True):
            b.store(value, place, align=bits // 8)

    count_loop(b, ir.Constant(I64, 0), function.args[-1], ir.Constant(I64, lanes), step)
    b.ret_void()
