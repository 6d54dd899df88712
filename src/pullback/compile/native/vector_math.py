"""Mathematical functions as LLVM code, for scalars and vectors of float32 and float64.

Each becomes a function of the module, defined at its first use: inlined where it is short, called where it is long, so that a program
that uses it often is not larger for it.  Without a fused multiply-add, libmvec and libm are called.
Lanes are independent: what a lane gives does not depend on the width of the vector or on its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from llvmlite import ir

from . import vector_exp_log as e
from . import vector_inverse as i
from . import vector_power as p
from . import vector_special as s
from . import vector_trig as t
from .machine import Machine, host
from .vector_calls import called
from .vector_code import Code, Number


@dataclass(frozen=True)
class Function:
    """A mathematical function.

    build: gives the value.  ulps: how many units in the last place it may be off, by the bits of the format.  long: whether it stays a
    call.  library: the C library's name, called by machines without fused multiply-adds; where None, `build` serves them too.
    own: whether the value is computed here rather than by the C library.
    """

    build: Callable[..., Number]
    ulps: Mapping[int, float]
    arity: int = 1
    long: bool = False
    library: str | None = None
    own: bool = True


def _ulps(single: float, double: float | None = None) -> dict[int, float]:
    return {32: single, 64: single if double is None else double}


def _caller(name: str) -> Callable[..., Number]:
    return lambda c, *args: called(c, name, *args)


def _library(name: str, arity: int = 1) -> Function:
    return Function(_caller(name), _ulps(4), arity, True, own=False)


def _rsqrt(c: Code, x: Number) -> Number:
    return 1.0 / c.sqrt(x)


_EXACT, _ONE, _ONE_AND_HALF, _TWO, _THREE = _ulps(0.5), _ulps(1.0), _ulps(1.5), _ulps(2.0), _ulps(3.0)

FUNCTIONS = {
    "exp": Function(e.exp, _ONE, library="exp"),
    "exp2": Function(e.exp2, _TWO, library="exp2"),
    "expm1": Function(e.expm1, _TWO, library="expm1"),
    "tanh": Function(e.tanh, _TWO, library="tanh"),
    "sigmoid": Function(e.sigmoid, _ulps(2.5)),
    "softplus": Function(e.softplus, _TWO),
    "log": Function(e.log, _ulps(1.2), library="log"),
    "log2": Function(e.log2, _TWO, library="log2"),
    "log10": Function(e.log10, _TWO, library="log10"),
    "log1p": Function(e.log1p, _ONE_AND_HALF, library="log1p"),
    "sin": Function(t.sin, _TWO, library="sin"),
    "cos": Function(t.cos, _TWO, library="cos"),
    "tan": Function(t.tan, _ulps(4.0), library="tan"),
    "asin": Function(i.asin, _ulps(2.5), library="asin"),
    "acos": Function(i.acos, _ONE_AND_HALF, library="acos"),
    "atan": Function(i.atan, _ulps(2.5), library="atan"),
    "atan2": Function(i.atan2, _THREE, 2, library="atan2"),
    "sinh": Function(i.sinh, _ulps(2.5), library="sinh"),
    "cosh": Function(i.cosh, _TWO, library="cosh"),
    "asinh": Function(i.asinh, _TWO, library="asinh"),
    "acosh": Function(i.acosh, _TWO, library="acosh"),
    "atanh": Function(i.atanh, _ulps(2.5), library="atanh"),
    "pow": Function(p.power, _ulps(1.0, 2.0), 2, True, library="pow", own=False),
    "rsqrt": Function(_rsqrt, _ONE_AND_HALF),
    "sqrt": Function(lambda c, x: c.sqrt(x), _EXACT),
    "floor": Function(lambda c, x: c.floor(x), _EXACT),
    "ceil": Function(lambda c, x: c.intrinsic("ceil", x), _EXACT),
    "rint": Function(lambda c, x: c.rint(x), _EXACT),
    "trunc": Function(lambda c, x: c.intrinsic("trunc", x), _EXACT),
    "copysign": Function(lambda c, x, y: c.copysign(x, y), _EXACT, 2),
    "cbrt": _library("cbrt"),
    "erf": Function(s.erf, _TWO, library="erf"),
    "erfc": Function(s.erfc, _ulps(5.0, 4.0), long=True, library="erfc"),
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
