"""Mathematical functions as LLVM code, for scalars and vectors of float32 and float64.

Each becomes a function of the module, defined at its first use: inlined where it is short, called where it is long, so that a program
that uses it often is not larger for it.  Without a fused multiply-add, libmvec and libm are called; what they do not have, and complex
functions, call libm's fma: slow, and the same numbers.
Lanes are independent: what a lane gives does not depend on the width of the vector or on its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...base.lazy_import import LazyModule
from .. import llvm_ir as ir
from ..runtime.machine import Machine, host
from . import exp_log as e
from .code import Code, Number
from .function import Function, ulps

if TYPE_CHECKING:
    from . import calls, complex_math, rare
else:  # few programs need them, and their tables are long
    calls = LazyModule("pullback.engine.vector.calls")
    complex_math = LazyModule("pullback.engine.vector.complex_math")
    rare = LazyModule("pullback.engine.vector.rare")


def _in(module: str, name: str) -> Callable[..., Number]:
    """A function of a module that few programs need."""
    home = LazyModule(f"{__package__}.{module}")
    return lambda c, *args: getattr(home, name)(c, *args)


def _caller(name: str) -> Callable[..., Number]:
    return lambda c, *args: calls.call_library(c, name, *args)


def _library(name: str, arity: int = 1) -> Function:
    return Function(_caller(name), ulps(4), arity, True, own=False)


def _rsqrt(c: Code, x: Number) -> Number:
    return 1.0 / c.sqrt(x)


_EXACT, _ONE, _ONE_AND_HALF, _TWO, _THREE = ulps(0.5), ulps(1.0), ulps(1.5), ulps(2.0), ulps(3.0)

FUNCTIONS = {
    "exp": Function(e.exp, _ONE, library="exp"),
    "exp2": Function(e.exp2, _TWO, library="exp2"),
    "expm1": Function(e.expm1, _TWO, library="expm1"),
    "tanh": Function(e.tanh, _THREE, library="tanh"),
    "sigmoid": Function(e.sigmoid, ulps(2.5)),
    "softplus": Function(e.softplus, _TWO),
    "log": Function(e.log, ulps(1.2), library="log"),
    "log2": Function(e.log2, _TWO, library="log2"),
    "log10": Function(e.log10, _TWO, library="log10"),
    "log1p": Function(e.log1p, _ONE_AND_HALF, library="log1p"),
    "sin": Function(_in("trig", "sin"), _TWO, library="sin"),
    "cos": Function(_in("trig", "cos"), _TWO, library="cos"),
    "tan": Function(_in("trig", "tan"), ulps(4.0), library="tan"),
    "asin": Function(_in("inverse", "asin"), ulps(2.5), library="asin"),
    "acos": Function(_in("inverse", "acos"), _ONE_AND_HALF, library="acos"),
    "atan": Function(_in("inverse", "atan"), ulps(2.5), library="atan"),
    "atan2": Function(_in("inverse", "atan2"), _THREE, 2, library="atan2"),
    "sinh": Function(_in("inverse", "sinh"), ulps(2.5), library="sinh"),
    "cosh": Function(_in("inverse", "cosh"), _TWO, library="cosh"),
    "asinh": Function(_in("inverse", "asinh"), _TWO, library="asinh"),
    "acosh": Function(_in("inverse", "acosh"), _TWO, library="acosh"),
    "atanh": Function(_in("inverse", "atanh"), ulps(2.5), library="atanh"),
    "pow": Function(_in("power", "power"), ulps(1.0, 2.0), 2, True, library="pow"),
    "rsqrt": Function(_rsqrt, _ONE_AND_HALF),
    "sqrt": Function(lambda c, x: c.sqrt(x), _EXACT),
    "floor": Function(lambda c, x: c.floor(x), _EXACT),
    "ceil": Function(lambda c, x: c.intrinsic("ceil", x), _EXACT),
    "rint": Function(lambda c, x: c.rint(x), _EXACT),
    "trunc": Function(lambda c, x: c.intrinsic("trunc", x), _EXACT),
    "fmod": Function(_in("remainder", "fmod"), _EXACT, 2, library="fmod"),
    "floormod": Function(_in("remainder", "floormod"), _ONE, 2),
    "copysign": Function(lambda c, x, y: c.copysign(x, y), _EXACT, 2),
    "cbrt": _library("cbrt"),
    "erf": Function(_in("special", "erf"), _TWO, library="erf"),
    "erfc": Function(_in("special", "erfc"), ulps(1.5, 4.0), long=True, library="erfc"),
    "erfinv": Function(_in("special", "erfinv"), ulps(4.0), long=True),
    "ndtri": Function(_in("special", "ndtri"), ulps(4.0), long=True),
}


def is_supported(name: str, bits: int) -> bool:
    """Whether `emit` has code for a function of 32- or 64-bit numbers.

    >>> is_supported("tanh", 32), is_supported("bessel_j0", 32)
    (True, False)
    """
    return bits in (32, 64) and (name in FUNCTIONS or name in rare.FUNCTIONS)


#: Functions of complex numbers whose value is a real number.
REAL_VALUED = frozenset({"abs", "angle"})


def supported_complex(name: str, bits: int) -> bool:
    """Whether `emit_complex` has code for a function of complex numbers of two 32- or 64-bit parts."""
    return name in complex_math.COMPLEX and bits in (32, 64)


def emit(builder: ir.IRBuilder, name: str, *args: ir.Value, machine: Machine | None = None) -> ir.Value:
    """The value of a function of floats or vectors of floats, of doubles or vectors of doubles.

    Args:
        machine: what the code is made for; the host when None.

    Raises:
        KeyError: there is no function of that name.
    """
    function = FUNCTIONS.get(name) or rare.FUNCTIONS[name]
    like = _code_like(builder, args[0].type, machine)
    own = f"pullback.{name}.{like.lanes}x{like.bits}"
    known = builder.module.function(own)
    if known is None:
        build = function.build
        if function.library is not None and not like.machine.fma:
            build = _caller(function.library)
        known = _define(builder.module, own, like, function.arity, like.real_type, not function.long)
        c = Code(ir.IRBuilder(known.append_basic_block()), like.bits, like.lanes, like.machine)
        c.b.ret(build(c, *(Number(c, a) for a in known.args)).value)
    return builder.call(known, args)


def emit_complex(builder: ir.IRBuilder, name: str, *args: tuple[ir.Value, ir.Value], machine: Machine | None = None) -> Any:
    """The value of a function of complex numbers, each a pair of reals or of vectors: a pair, or one real for `REAL_VALUED`.

    Args:
        machine: what the code is made for; the host when None.

    Raises:
        KeyError: there is no function of that name.
    """
    build, arity = complex_math.COMPLEX[name]
    like = _code_like(builder, args[0][0].type, machine)
    own = f"pullback.complex.{name}.{like.lanes}x{like.bits}"
    known = builder.module.function(own)
    if known is None:
        pair = ir.LiteralStructType([like.real_type, like.real_type])
        short = name in ("mul", "square", "div", "reciprocal", "abs")
        known = _define(builder.module, own, like, 2 * arity, like.real_type if name in REAL_VALUED else pair, short)
        c = Code(ir.IRBuilder(known.append_basic_block()), like.bits, like.lanes, like.machine)
        parts = [Number(c, a) for a in known.args]
        found = build(c, *zip(parts[::2], parts[1::2], strict=True))
        if name in REAL_VALUED:
            c.b.ret(found.value)
        else:
            both = c.b.insert_value(ir.Constant(pair, ir.Undefined), found[0].value, 0)
            c.b.ret(c.b.insert_value(both, found[1].value, 1))
    answer = builder.call(known, [part for pair in args for part in pair])
    return answer if name in REAL_VALUED else (builder.extract_value(answer, 0), builder.extract_value(answer, 1))


def _code_like(builder: ir.IRBuilder, kind: ir.Type, machine: Machine | None) -> Code:
    lanes, scalar = (kind.count, kind.element) if isinstance(kind, ir.VectorType) else (1, kind)
    return Code(builder, 32 if isinstance(scalar, ir.FloatType) else 64, lanes, machine or host())


def _define(module: ir.Module, own: str, like: Code, arity: int, result: ir.Type, short: bool) -> ir.Function:
    made = ir.Function(module, ir.FunctionType(result, [like.real_type] * arity), own)
    made.linkage = "internal"
    made.attributes.add("alwaysinline" if short else "noinline")
    return made
