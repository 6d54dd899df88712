"""SciPy's special functions in native code: `scipy_<name>` of a vector is one call of the loop that the kernel runs on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir

from .registers import declared, lanes_of, mangled
from .steps import Unsupported
from .ufunc_loops import loop, symbols

_PREFIX = "scipy_"
I32, I64, POINTER = ir.IntType(32), ir.IntType(64), ir.PointerType()


def is_known(function: str) -> bool:
    """Whether a scalar function's name is that of one of these."""
    return function.startswith(_PREFIX)


def emit(b: ir.IRBuilder, function: str, args: list[ir.Value], dtype: np.dtype[Any]) -> ir.Value:
    """The value of a function of floats, all of one dtype."""
    name, kinds = function.removeprefix(_PREFIX), f"{dtype.char * len(args)}->{dtype.char}"
    found = loop(name, kinds)
    if found is None:
        raise Unsupported(f"SciPy's {name} has no loop for {dtype}")
    kind = args[0].type
    own = f"pullback.{function}.{mangled(kind)}"
    known = b.module.globals.get(own)
    if known is None:
        known = ir.Function(b.module, ir.FunctionType(kind, [kind] * len(args)), own)
        known.linkage = "internal"
        known.attributes.add("noinline")
        _define(known, symbols(name, kinds), bool(found[1]), lanes_of(args[0]), dtype.itemsize)
    return b.call(known, args)


def _define(function: ir.Function, names: tuple[str, str], has_data: bool, lanes: int, size: int) -> None:
    """Put the arguments in memory, call the loop, and read the results."""
    b = ir.IRBuilder(function.append_basic_block())
    count = len(function.args) + 1
    room = [b.alloca(function.return_value.type) for _ in range(count)]
    pointers, steps, length = (b.alloca(ir.ArrayType(kind, n)) for kind, n in ((POINTER, count), (I64, count), (I64, 1)))
    for i, slot in enumerate(room):
        b.store(slot, b.gep(pointers, [ir.Constant(I64, i)], source_etype=POINTER))
        b.store(ir.Constant(I64, size), b.gep(steps, [ir.Constant(I64, i)], source_etype=I64))
    for value, slot in zip(function.args, room, strict=False):
        b.store(value, slot)
    b.store(ir.Constant(I64, lanes), b.gep(length, [ir.Constant(I64, 0)], source_etype=I64))
    run = declared(b.module, names[0], ir.VoidType(), [POINTER] * 4)
    data: ir.Value = ir.Constant(POINTER, None)
    if has_data:
        known = b.module.globals.get(names[1]) or ir.GlobalVariable(b.module, ir.IntType(8), names[1])
        data = b.bitcast(known, POINTER)
    b.call(run, [*(b.bitcast(p, POINTER) for p in (pointers, length, steps)), data])
    b.ret(b.load(room[-1], typ=function.return_value.type))
