"""Mathematical functions as LLVM code, for scalars and vectors of float32 and float64.

Each becomes a function of the module, defined at its first use: inlined where it is short, called where it is long, so that a program
that uses it often is not larger for it.  Without a fused multiply-add, libmvec and libm are called.
Lanes are independent: what a lane gives does not depend on the width of the vector or on its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from . import vector_exp_log as e
from . import vector_power as p
from . import vector_trig as t
from .machine import Machine, host
from .vector_calls import called
from .vector_code import Code, Number


@dataclass(frozen=True)
class Function:
    """A mathematical function.

    build: gives the value.  long: whether it stays a call.  library: the C library's name, for machines without fused multiply-adds;
    where None, `build` serves them too.
    """

    build: Callable[..., Number]
    arity: int = 1
    long: bool = False
    library: str | None = None


def _caller(name: str) -> Callable[..., Number]:
    return lambda c, *args: called(c, name, *args)


def _library(name: str, arity: int = 1) -> Function:
    return Function(_caller(name), arity, True)


def _rsqrt(c: Code, x: Number) -> Number:
    return 1.0 / c.sqrt(x)


FUNCTIONS = {
    "exp": Function(e.exp, library="exp"),
    "exp2": Function(e.exp2, library="exp2"),
    "expm1": Function(e.expm1, library="expm1"),
    "tanh": Function(e.tanh, library="tanh"),
    "sigmoid": Function(e.sigmoid),
    "softplus": Function(e.softplus),
    "log": Function(e.log, library="log"),
    "log2": Function(e.log2, library="log2"),
    "log10": Function(e.log10, library="log10"),
    "log1p": Function(e.log1p, library="log1p"),
    "sin": Function(t.sin, library="sin"),
    "cos": Function(t.cos, library="cos"),
    "tan": Function(t.tan, library="tan"),
    "pow": Function(p.power, 2, True, library="pow"),
    "rsqrt": Function(_rsqrt),
    "sqrt": Function(lambda c, x: c.sqrt(x)),
    "floor": Function(lambda c, x: c.floor(x)),
    "ceil": Function(lambda c, x: c.intrinsic("ceil", x)),
    "rint": Function(lambda c, x: c.rint(x)),
    "trunc": Function(lambda c, x: c.intrinsic("trunc", x)),
    "copysign": Function(lambda c, x, y: c.copysign(x, y), 2),
    **{name: _library(name) for name in ("asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "cbrt", "erf", "erfc")},
    "atan2": _library("atan2", 2),
    "hypot": _library("hypot", 2),
}


def supported(name: str, bits: int) -> bool:
    """Whether `emit` has code for a function of 32- or 64-bit numbers.

    >>> supported("tanh", 32), supported("bessel_j0", 32)
    (True, False)
    """
    return name in FUNCTIONS and bits in (32, 64)


def emit(builder: ir.IRBuilder, name: str, *args: ir.Value, machine: Machine | None = None) -> ir.Value:
    """The value of a function of floats or vectors of floats, of doubles or vectors of doubles.

    Args:
        machine: what the code is made for; the host when None.

    Raises:
        KeyError: there is no function of that name.
    """
    function = FUNCTIONS[name]
    kind = args[0].type
    lanes, scalar = (kind.count, kind.element) if isinstance(kind, ir.VectorType) else (1, kind)
    bits = 32 if isinstance(scalar, ir.FloatType) else 64
    own = f"pullback.{name}.{lanes}x{bits}"
    known = builder.module.globals.get(own)
    if known is None:
        known = _define(builder.module, own, function, Code(builder, bits, lanes, machine or host()))
    return builder.call(known, args)


def _define(module: ir.Module, own: str, function: Function, like: Code) -> ir.Function:
    made = ir.Function(module, ir.FunctionType(like.real_type, [like.real_type] * function.arity), own)
    made.linkage = "internal"
    made.attributes.add("noinline" if function.long else "alwaysinline")
    c = Code(ir.IRBuilder(made.append_basic_block()), like.bits, like.lanes, like.machine)
    build = function.build
    if function.library is not None and not like.machine.fma:
        build = _caller(function.library)
    c.b.ret(build(c, *(Number(c, a) for a in made.args)).value)
    return made
