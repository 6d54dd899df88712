"""Scalar functions as LLVM instructions, on single values and on vectors alike.

float16 and bfloat16 are computed in float32 and rounded after each function, as NumPy's kernels do; bool is one bit in a register.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.lazy_import import LazyModule
from .. import llvm_ir as ir
from ..lowering.builder import Unsupported
from ..vector.math import emit as emit_math, is_supported as math_supported
from ..vector.registers import (
    F32,
    INT64,
    NARROW,
    PARTS,
    constant,
    declare_function,
    has_registers,
    interleave_pair,
    intrinsic,
    is_float,
    lanes_at,
    lanes_of,
    make_pair,
    memory_type,
    parts,
    real_part,
    register_type,
    repeat_twice,
    select_lanes,
    splat,
    split_pairs,
    widen,
)

if TYPE_CHECKING:
    from ..vector import special_calls
    from . import casts, complexes, integers
else:  # many programs compute floats of one dtype
    special_calls = LazyModule("pullback.engine.vector.special_calls")
    casts, complexes, integers = (LazyModule(f"pullback.engine.scalars.{name}") for name in ("casts", "complexes", "integers"))


def emit(b: ir.IRBuilder, function: str, args: list[ir.Value], given: np.dtype[Any], result: np.dtype[Any]) -> ir.Value:
    """The value of a scalar function; given: the dtype of the last argument."""
    if function == "cast":
        return casts.cast(b, args[0], given, result)
    if function == "select":
        return select_lanes(b, *args)
    if function == "bits":
        wanted = register_type(result, lanes_of(args[0]))
        return args[0] if args[0].type == wanted else b.bitcast(args[0], wanted)
    if function == "complex":
        return make_pair(b, *args)
    if given in PARTS:
        return complexes.complex_function(b, function, args, given)
    if given in NARROW:
        return _narrow(b, function, args, given, result)
    if is_float(given):
        return _float(b, function, args, given)
    return integers.truth(b, function, args) if given.kind == "b" else integers.integer(b, function, args, given)


def _narrow(b: ir.IRBuilder, function: str, args: list[ir.Value], given: np.dtype[Any], result: np.dtype[Any]) -> ir.Value:
    """A function of narrow floats, computed in float32."""
    wide = [casts.cast(b, a, given, F32) for a in args]
    answer = emit(b, function, wide, F32, result if result.kind == "b" else F32)
    return answer if result.kind == "b" else casts.cast(b, answer, F32, result)


_FLOAT_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_FLOAT_INTRINSICS = {"abs": "fabs", "floor": "floor", "ceil": "ceil", "rint": "rint", "trunc": "trunc", "sqrt": "sqrt"}


def _float(b: ir.IRBuilder, function: str, args: list[ir.Value], dtype: np.dtype[Any]) -> ir.Value:
    if function in _FLOAT_BINARY:
        return b.binary(_FLOAT_BINARY[function], *args)
    if function == "ne":
        return b.fcmp_unordered("!=", *args)
    if function in ir.COMPARISONS:
        return b.fcmp_ordered(ir.COMPARISONS[function], *args)
    if function in _FLOAT_INTRINSICS:
        return intrinsic(b, _FLOAT_INTRINSICS[function], args)
    if function in ("max", "min"):
        return _float_extreme(b, function, *args)
    if function == "neg":
        return b.fneg(args[0])
    if function == "square":
        return b.fmul(args[0], args[0])
    if function in ("isnan", "isinf", "isfinite"):
        return _float_kind(b, function, args[0], dtype)
    if function == "sign":
        return _float_sign(b, args[0], dtype)
    if function == "nextafter":
        return _next_after(b, args[0], args[1], dtype)
    if math_supported(function, 8 * dtype.itemsize):
        return emit_math(b, function, *args)
    if special_calls.is_known(function):
        return special_calls.emit(b, function, args, dtype)
    raise Unsupported(f"no native code for {function} of {dtype}")


def _float_extreme(b: ir.IRBuilder, function: str, x: ir.Value, y: ir.Value) -> ir.Value:
    """The greater or smaller of two; NaN where one of them is, as NumPy's maximum."""
    first = b.fcmp_ordered(">" if function == "max" else "<", x, y)
    found = b.select(first, x, y)
    return b.select(b.fcmp_unordered("uno", x, x), x, found)


def _float_kind(b: ir.IRBuilder, function: str, x: ir.Value, dtype: np.dtype[Any]) -> ir.Value:
    if function == "isnan":
        return b.fcmp_unordered("uno", x, x)
    infinite = constant(math.inf, dtype, lanes_of(x))
    return b.fcmp_ordered("==" if function == "isinf" else "<", intrinsic(b, "fabs", [x]), infinite)


def _float_sign(b: ir.IRBuilder, x: ir.Value, dtype: np.dtype[Any]) -> ir.Value:
    lanes = lanes_of(x)
    zero, one, less = (constant(v, dtype, lanes) for v in (0.0, 1.0, -1.0))
    sign = b.select(b.fcmp_ordered(">", x, zero), one, b.select(b.fcmp_ordered("<", x, zero), less, zero))
    return b.select(b.fcmp_unordered("uno", x, x), x, sign)


def _next_after(b: ir.IRBuilder, x: ir.Value, y: ir.Value, dtype: np.dtype[Any]) -> ir.Value:
    """The next number after x on the way to y: the bits of a number, without its sign, count the numbers from 0 on."""
    lanes = lanes_of(x)
    word = np.dtype(f"i{dtype.itemsize}")
    bits = b.bitcast(x, register_type(word, lanes))
    one, nought = constant(1, word, lanes), constant(0.0, dtype, lanes)
    outwards = b.xor(b.fcmp_ordered("<", x, y), b.fcmp_ordered("<", x, nought))
    moved = b.bitcast(b.select(outwards, b.add(bits, one), b.sub(bits, one)), x.type)
    least = intrinsic(b, "copysign", [b.bitcast(splat(b, constant(1, word), lanes), x.type), y])
    found = b.select(b.fcmp_ordered("==", x, nought), least, moved)
    found = b.select(b.fcmp_ordered("==", x, y), y, found)
    return b.select(b.fcmp_unordered("uno", x, y), b.fadd(x, y), found)


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

__all__ = [
    "INT64",
    "PARTS",
    "check",
    "constant",
    "declare_function",
    "emit",
    "has_registers",
    "interleave_pair",
    "is_float",
    "lanes_at",
    "lanes_of",
    "make_pair",
    "memory_type",
    "parts",
    "real_part",
    "register_type",
    "repeat_twice",
    "select_lanes",
    "splat",
    "split_pairs",
    "widen",
]  # fmt: skip
