"""SciPy's special functions in native code: `scipy_<name>` of a vector is one call of the loop that the kernel runs on arrays.

`scipy_<name>@<i>` is the result number i of a function that has two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import llvm_ir as ir
from ..lowering.builder import Unsupported
from ..runtime.ufunc_loops import loop, symbols
from .code import Code, Number
from .registers import declare_function, lanes_of
from .wide import where_any

_PREFIX = "scipy_"
I32, I64, POINTER = ir.IntType(32), ir.IntType(64), ir.PointerType()


def is_known(function: str) -> bool:
    """Whether a scalar function's name is that of one of these."""
    return function.startswith(_PREFIX)


def emit(b: ir.IRBuilder, function: str, args: list[ir.Value], dtype: np.dtype[Any]) -> ir.Value:
    """The value of a function of floats, all of one dtype."""
    name, _, number = function.removeprefix(_PREFIX).partition("@")
    kinds = f"{dtype.char * len(args)}->{dtype.char * (2 if number else 1)}"
    found = loop(name, kinds)
    if found is None:
        raise Unsupported(f"SciPy's {name} has no loop for {dtype}")
    kind = args[0].type
    own = f"pullback.{function}.{kind.mangled}"
    known = b.module.globals.get(own)
    if known is None:
        known = ir.Function(b.module, ir.FunctionType(kind, [kind] * len(args)), own)
        known.linkage = "internal"
        known.attributes.add("noinline")
        arrays = len(kinds) - 2, len(args) + int(number or 0)
        _define(known, symbols(name, kinds), bool(found[1]), (lanes_of(args[0]), dtype.itemsize), arrays)
    return b.call(known, args)


def fall_back_on_scipy(name: str, build: Callable[..., tuple[Number, Number]], wide: bool = False) -> Callable[..., Number]:
    """A function of either format computed in float64 where that can be, else SciPy's function.

    build: from a code of float64, the bits of the result and the arguments to the value, and the mask of where it is.  wide: whether
    SciPy's function is that of float64 always.
    """

    def scipys(c: Code, args: Sequence[Number]) -> Number:
        return Number(c, emit(c.b, _PREFIX + name, [a.value for a in args], np.dtype(f"f{c.bits // 8}")))

    def function(narrow: Code, *args: Number) -> Number:
        given = [narrow.widen(a) for a in args] if narrow.bits == 32 else list(args)
        c = given[0].code
        value, inside = build(c, narrow.bits, *given)
        if wide:
            value = where_any(c, ~inside, lambda: scipys(c, given), value)
        if narrow.bits == 32:
            value = narrow.narrow(value)
        return value if wide else where_any(narrow, ~inside, lambda: scipys(narrow, args), value)

    return function


def _define(function: ir.Function, names: tuple[str, str], has_data: bool, lane: tuple[int, int], arrays: tuple[int, int]) -> None:
    """Put the arguments in memory, call the loop, and read a result.

    lane: how many there are, and their bytes.  arrays: how many the loop takes, results among them, and which one is the answer.
    """
    b = ir.IRBuilder(function.append_basic_block())
    (lanes, size), (count, answer) = lane, arrays
    vector = function.function_type.return_type
    room = [_allocate_opaque(b, vector) for _ in range(count)]
    pointers, steps, length = _allocate_opaque(b, POINTER, count), _allocate_opaque(b, I64, count), _allocate_opaque(b, I64)
    for i, slot in enumerate(room):
        b.store(slot, b.gep(pointers, [ir.Constant(I64, i)], source_etype=POINTER))
        b.store(ir.Constant(I64, size), b.gep(steps, [ir.Constant(I64, i)], source_etype=I64))
    for value, slot in zip(function.args, room, strict=False):
        b.store(value, slot)
    b.store(ir.Constant(I64, lanes), length)
    run = declare_function(b.module, names[0], ir.VoidType(), [POINTER] * 4)
    data: ir.Value = ir.Constant(POINTER, None)
    if has_data:
        known = b.module.globals.get(names[1]) or ir.GlobalVariable(b.module, ir.IntType(8), names[1])
        data = b.bitcast(known, POINTER)
    b.call(run, [pointers, length, steps, data])
    b.ret(b.load(room[answer], typ=vector))


def _allocate_opaque(b: ir.IRBuilder, kind: ir.Type, count: int = 1) -> ir.Value:
    """Memory for some values of a type."""
    return b.bitcast(b.alloca(kind, count), POINTER)
