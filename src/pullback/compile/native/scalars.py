"""Scalar functions as LLVM instructions, on single values and on vectors alike.

float16 and bfloat16 are computed in float32 and rounded after each function, as NumPy's kernels do; bool is one bit in a register.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
from llvmlite import ir

from .steps import Unsupported
from .vector_math import emit as emit_math
from .vector_math import supported as math_supported

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_FLOATS: dict[Any, Callable[[], ir.Type]] = {
    np.dtype(np.float16): ir.HalfType,
    np.dtype(np.float32): ir.FloatType,
    np.dtype(np.float64): ir.DoubleType,
}
NARROW = (np.dtype(np.float16), BFLOAT16)
F32, INT64 = np.dtype(np.float32), np.dtype(np.int64)


def is_float(dtype: np.dtype[Any]) -> bool:
    """Whether numbers of the dtype are real floating-point ones."""
    return dtype.kind == "f" or dtype == BFLOAT16


def has_registers(dtype: np.dtype[Any]) -> bool:
    """Whether values of the dtype can be in a register here."""
    return dtype.kind in "biuf"


def register_type(dtype: np.dtype[Any], lanes: int) -> ir.Type:
    """The LLVM type of a value, or of a vector of `lanes`, in a register."""
    if dtype.kind == "b":
        scalar: ir.Type = ir.IntType(1)
    elif dtype.kind in "iu":
        scalar = ir.IntType(8 * dtype.itemsize)
    elif dtype in _FLOATS:
        scalar = _FLOATS[dtype]()
    else:
        raise Unsupported(f"no native code for {dtype}")
    return ir.VectorType(scalar, lanes) if lanes > 1 else scalar


def memory_type(dtype: np.dtype[Any], lanes: int) -> ir.Type:
    """The LLVM type of a value in memory: as in a register, but for bool, a byte."""
    if dtype.kind == "b":
        return ir.VectorType(ir.IntType(8), lanes) if lanes > 1 else ir.IntType(8)
    return register_type(dtype, lanes)


class Splat(ir.Constant):  # type: ignore[misc]  # llvmlite is untyped
    """A vector constant with one number in all lanes, printed once instead of once a lane."""

    def get_reference(self) -> str:
        """The constant as LLVM's language has it."""
        return f"splat ({self.constant[0]})"


def constant(value: Any, dtype: np.dtype[Any], lanes: int = 1) -> ir.Constant:
    """A number, the same in all lanes."""
    kind = register_type(dtype, lanes)
    plain: Any = value.item() if hasattr(value, "item") else value
    if dtype.kind == "b":
        plain = int(bool(plain))
    return Splat(kind, [plain] * lanes) if lanes > 1 else ir.Constant(kind, plain)


def splat(b: ir.IRBuilder, value: ir.Value, lanes: int) -> ir.Value:
    """A value in all lanes of a vector."""
    if lanes == 1 or isinstance(value.type, ir.VectorType):
        return value
    kind = ir.VectorType(value.type, lanes)
    first = b.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return b.shuffle_vector(first, ir.Constant(kind, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes))


def lanes_of(value: ir.Value) -> int:
    """How many lanes a value has."""
    return value.type.count if isinstance(value.type, ir.VectorType) else 1


def emit(b: ir.IRBuilder, function: str, args: list[ir.Value], given: np.dtype[Any], result: np.dtype[Any]) -> ir.Value:
    """The value of a scalar function; given: the dtype of the last argument."""
    if function == "cast":
        return _cast(b, args[0], given, result)
    if function == "select":
        return b.select(*args)
    if given in NARROW:
        wide = [_cast(b, a, given, F32) for a in args]
        answer = emit(b, function, wide, F32, result if result.kind == "b" else F32)
        return answer if result.kind == "b" else _cast(b, answer, F32, result)
    if is_float(given):
        return _float(b, function, args, given)
    if given.kind == "b":
        return _bool(b, function, args)
    return _integer(b, function, args, given)


def mangled(kind: ir.Type) -> str:
    """A type as the names of LLVM's intrinsics spell it."""
    if isinstance(kind, ir.VectorType):
        return f"v{kind.count}{mangled(kind.element)}"
    return {"half": "f16", "float": "f32", "double": "f64"}.get(str(kind), str(kind))


def declared(module: ir.Module, name: str, result: ir.Type, args: Sequence[ir.Type]) -> ir.Function:
    """A function from elsewhere, declared once."""
    known = module.globals.get(name)
    return known if known is not None else ir.Function(module, ir.FunctionType(result, args), name)


def _intrinsic(b: ir.IRBuilder, name: str, args: list[ir.Value]) -> ir.Value:
    kind = args[0].type
    return b.call(declared(b.module, f"llvm.{name}.{mangled(kind)}", kind, [kind] * len(args)), args)


_FLOAT_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=="}
_FLOAT_INTRINSICS = {"abs": "fabs", "floor": "floor", "ceil": "ceil", "rint": "rint", "trunc": "trunc", "sqrt": "sqrt"}


def _float(b: ir.IRBuilder, function: str, args: list[ir.Value], dtype: np.dtype[Any]) -> ir.Value:
    if function in _FLOAT_BINARY:
        return getattr(b, _FLOAT_BINARY[function])(*args)
    if function in _COMPARISONS:
        return b.fcmp_ordered(_COMPARISONS[function], *args)
    if function == "ne":
        return b.fcmp_unordered("!=", *args)
    if function in _FLOAT_INTRINSICS:
        return _intrinsic(b, _FLOAT_INTRINSICS[function], args)
    if function in ("max", "min"):
        return _float_extreme(b, function, *args)
    lanes = lanes_of(args[0])
    if function == "neg":
        return b.fneg(args[0])
    if function == "square":
        return b.fmul(args[0], args[0])
    if function == "isnan":
        return b.fcmp_unordered("uno", args[0], args[0])
    if function in ("isinf", "isfinite"):
        size = _intrinsic(b, "fabs", args)
        infinite = constant(math.inf, dtype, lanes)
        return b.fcmp_ordered("==", size, infinite) if function == "isinf" else b.fcmp_ordered("<", size, infinite)
    if function == "sign":
        return _float_sign(b, args[0], dtype)
    bits = 8 * dtype.itemsize
    if math_supported(function, bits):
        return emit_math(b, function, *args)
    raise Unsupported(f"no native code for {function} of {dtype}")


def _float_extreme(b: ir.IRBuilder, function: str, x: ir.Value, y: ir.Value) -> ir.Value:
    """The greater or smaller of two; NaN where one of them is, as NumPy's maximum."""
    first = b.fcmp_ordered(">" if function == "max" else "<", x, y)
    chosen = b.select(first, x, y)
    return b.select(b.fcmp_unordered("uno", x, x), x, chosen)


def _float_sign(b: ir.IRBuilder, x: ir.Value, dtype: np.dtype[Any]) -> ir.Value:
    lanes = lanes_of(x)
    zero, one, less = (constant(v, dtype, lanes) for v in (0.0, 1.0, -1.0))
    sign = b.select(b.fcmp_ordered(">", x, zero), one, b.select(b.fcmp_ordered("<", x, zero), less, zero))
    return b.select(b.fcmp_unordered("uno", x, x), x, sign)


_INTEGER_BINARY = {"add": "add", "sub": "sub", "mul": "mul", "and": "and_", "or": "or_", "xor": "xor"}


def _integer(b: ir.IRBuilder, function: str, args: list[ir.Value], dtype: np.dtype[Any]) -> ir.Value:
    signed = dtype.kind == "i"
    if function in _INTEGER_BINARY:
        return getattr(b, _INTEGER_BINARY[function])(*args)
    if function in _COMPARISONS or function == "ne":
        sign = _COMPARISONS.get(function, "!=")
        return (b.icmp_signed if signed else b.icmp_unsigned)(sign, *args)
    if function in ("max", "min"):
        return _intrinsic(b, ("s" if signed else "u") + function, args)
    if function == "neg":
        return b.neg(args[0])
    if function == "not":
        return b.not_(args[0])
    if function == "square":
        return b.mul(args[0], args[0])
    if function == "abs":
        return b.select(b.icmp_signed("<", args[0], _zero(args[0])), b.neg(args[0]), args[0]) if signed else args[0]
    if function == "sign":
        return _integer_sign(b, args[0], signed)
    raise Unsupported(f"no native code for {function} of {dtype}")


def _zero(value: ir.Value) -> ir.Constant:
    return ir.Constant(value.type, None)


def _integer_sign(b: ir.IRBuilder, x: ir.Value, signed: bool) -> ir.Value:
    positive = b.zext((b.icmp_signed if signed else b.icmp_unsigned)(">", x, _zero(x)), x.type)
    return b.sub(positive, b.zext(b.icmp_signed("<", x, _zero(x)), x.type)) if signed else positive


def _bool(b: ir.IRBuilder, function: str, args: list[ir.Value]) -> ir.Value:
    if function in ("and", "min", "mul"):
        return b.and_(*args)
    if function in ("or", "max"):
        return b.or_(*args)
    if function in ("xor", "ne"):
        return b.xor(*args)
    if function == "not":
        return b.not_(args[0])
    if function == "eq":
        return b.not_(b.xor(*args))
    raise Unsupported(f"no native code for {function} of bool")


def _cast(b: ir.IRBuilder, x: ir.Value, given: np.dtype[Any], wanted: np.dtype[Any]) -> ir.Value:
    if given == wanted:
        return x
    lanes = lanes_of(x)
    kind = register_type(wanted, lanes) if wanted != BFLOAT16 else ir.VectorType(ir.IntType(16), lanes)
    if BFLOAT16 in (given, wanted):
        raise Unsupported("no native code for bfloat16")
    if wanted.kind == "b":
        return b.fcmp_unordered("!=", x, constant(0.0, given, lanes)) if is_float(given) else b.icmp_unsigned("!=", x, _zero(x))
    if given.kind == "b":
        return b.uitofp(x, kind) if is_float(wanted) else b.zext(x, kind)
    if is_float(given) and is_float(wanted):
        return b.fptrunc(x, kind) if wanted.itemsize < given.itemsize else b.fpext(x, kind)
    if is_float(wanted):
        return b.sitofp(x, kind) if given.kind == "i" else b.uitofp(x, kind)
    if is_float(given):
        raise Unsupported("numbers out of range become what the processor makes of them: NumPy's cast is called")
    if wanted.itemsize < given.itemsize:
        return b.trunc(x, kind)
    if wanted.itemsize == given.itemsize:
        return x
    return b.sext(x, kind) if given.kind == "i" else b.zext(x, kind)


def check(function: str, given: Sequence[np.dtype[Any]], result: np.dtype[Any]) -> None:
    """Raise Unsupported where a scalar function of arguments of dtypes `given` has no native code."""
    key = (function, tuple(given), result)
    if key not in _answers:
        builder = ir.IRBuilder(ir.Function(ir.Module(), ir.FunctionType(ir.VoidType(), []), "probe").append_basic_block())
        try:
            args = [ir.Constant(register_type(dtype, 1), ir.Undefined) for dtype in given]
            emit(builder, function, list(args), given[-1], result)
            _answers[key] = None
        except Unsupported as reason:
            _answers[key] = str(reason)
    if _answers[key] is not None:
        raise Unsupported(_answers[key])


_answers: dict[Any, str | None] = {}
