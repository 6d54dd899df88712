"""Casts between dtypes, as NumPy's `astype` makes them.

A float that an integer cannot hold is undefined in C; here it becomes what TensorFlow makes of a single number: on x86 what the
conversion to 32 bits (to 64 for those and for uint32) gives, the least integer, cut to the width; on other processors conversions
saturate and NaN is 0.
bfloat16 is rounded to nearest, ties to even; a NaN stays one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import llvm_ir as ir
from ..runtime.machine import host
from ..vector.registers import (
    BFLOAT16,
    F32,
    F64,
    PARTS,
    constant,
    declare_function,
    is_float,
    lanes_of,
    make_pair,
    parts,
    register_type,
    zero,
)

_X86 = ("x86_64", "i686", "amd64")


def cast(b: ir.IRBuilder, x: ir.Value, given: np.dtype[Any], wanted: np.dtype[Any]) -> ir.Value:
    """A value of dtype `given` as one of dtype `wanted`."""
    if given == wanted:
        return x
    if given in PARTS:
        real, imaginary = parts(b, x)
        own = PARTS[given]
        if wanted not in PARTS:
            return cast(b, real, own, wanted)
        return make_pair(b, cast(b, real, own, PARTS[wanted]), cast(b, imaginary, own, PARTS[wanted]))
    if wanted in PARTS:
        real = cast(b, x, given, PARTS[wanted])
        return make_pair(b, real, zero(real))
    if given == BFLOAT16:
        return cast(b, _widen_bfloat16(b, x), F32, wanted)
    if wanted == BFLOAT16:
        return _narrow_float(b, _cast_single(b, x, given))
    return _cast_plain(b, x, given, wanted)


def _cast_single(b: ir.IRBuilder, x: ir.Value, given: np.dtype[Any]) -> ir.Value:
    return cast(b, x, given, F32)


def _widen_bfloat16(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """A bfloat16 as a float32: its bits are the upper half."""
    lanes = lanes_of(x)
    wide = b.shl(b.zext(x, register_type(np.dtype(np.uint32), lanes)), constant(16, np.dtype(np.uint32), lanes))
    return b.bitcast(wide, register_type(F32, lanes))


def _narrow_float(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    lanes = lanes_of(x)
    word = np.dtype(np.uint32)
    bits = b.bitcast(x, register_type(word, lanes))
    upper = b.lshr(bits, constant(16, word, lanes))
    odd = b.and_(upper, constant(1, word, lanes))
    rounded = b.lshr(b.add(bits, b.add(odd, constant(0x7FFF, word, lanes))), constant(16, word, lanes))
    sign = b.and_(upper, constant(0x8000, word, lanes))
    nan = b.or_(sign, constant(0x7FC0, word, lanes))
    return b.trunc(b.select(b.fcmp_unordered("uno", x, x), nan, rounded), register_type(BFLOAT16, lanes))


def _cast_plain(b: ir.IRBuilder, x: ir.Value, given: np.dtype[Any], wanted: np.dtype[Any]) -> ir.Value:
    lanes = lanes_of(x)
    kind = register_type(wanted, lanes)
    if wanted.kind == "b":
        return b.fcmp_unordered("!=", x, constant(0.0, given, lanes)) if is_float(given) else b.icmp_unsigned("!=", x, zero(x))
    if given.kind == "b":
        return b.uitofp(x, kind) if is_float(wanted) else b.zext(x, kind)
    if is_float(given) and is_float(wanted):
        return b.fptrunc(x, kind) if wanted.itemsize < given.itemsize else b.fpext(x, kind)
    if is_float(wanted):
        return b.sitofp(x, kind) if given.kind == "i" else b.uitofp(x, kind)
    if is_float(given):
        return _cast_whole(b, x, given, wanted)
    if wanted.itemsize < given.itemsize:
        return b.trunc(x, kind)
    if wanted.itemsize == given.itemsize:
        return x
    return b.sext(x, kind) if given.kind == "i" else b.zext(x, kind)


def _cast_whole(b: ir.IRBuilder, x: ir.Value, given: np.dtype[Any], wanted: np.dtype[Any]) -> ir.Value:
    """A float as an integer."""
    if given.itemsize == 2:
        x, given = b.fpext(x, register_type(F32, lanes_of(x))), F32
    convert = _convert_to_integer if any(name in host().triple for name in _X86) else _saturate
    bits, signed = 8 * wanted.itemsize, wanted.kind == "i"
    if convert is _convert_to_integer and bits == 64 and not signed:
        return _unsigned_64(b, x, given)
    wide = 64 if bits == 64 or (bits == 32 and not signed and convert is _convert_to_integer) else 32
    found = convert(b, x, given, wide, signed or convert is _convert_to_integer or bits < 32)
    return found if wide == bits else b.trunc(found, register_type(wanted, lanes_of(x)))


def _convert_to_integer(b: ir.IRBuilder, x: ir.Value, given: np.dtype[Any], bits: int, signed: bool) -> ir.Value:
    """The integer of an x86: the least one for what it cannot hold."""
    lanes = lanes_of(x)
    whole = np.dtype(f"i{bits // 8}")
    low, high = -(2.0 ** (bits - 1)), 2.0 ** (bits - 1)
    above = b.fcmp_ordered(">", x, constant(low - 1, given, lanes)) if given == F64 and bits == 32 else None
    above = above if above is not None else b.fcmp_ordered(">=", x, constant(low, given, lanes))
    fits = b.and_(above, b.fcmp_ordered("<", x, constant(high, given, lanes)))
    found = b.fptosi(b.select(fits, x, constant(0.0, given, lanes)), register_type(whole, lanes))
    return b.select(fits, found, constant(-(2 ** (bits - 1)), whole, lanes))


def _unsigned_64(b: ir.IRBuilder, x: ir.Value, given: np.dtype[Any]) -> ir.Value:
    """As compilers do for an x86, the upper half of the range by way of the lower; what is beyond it is 2^63, as NaN is."""
    lanes = lanes_of(x)
    half = constant(2.0**63, given, lanes)
    small = b.fcmp_unordered("<", x, half)
    lower = _convert_to_integer(b, x, given, 64, True)
    upper = b.xor(_convert_to_integer(b, b.fsub(x, half), given, 64, True), constant(1 << 63, np.dtype(np.uint64), lanes))
    beyond = b.fcmp_ordered(">=", x, constant(2.0**64, given, lanes))
    return b.select(b.or_(small, beyond), b.select(beyond, constant(1 << 63, np.dtype(np.uint64), lanes), lower), upper)


def _saturate(b: ir.IRBuilder, x: ir.Value, given: np.dtype[Any], bits: int, signed: bool) -> ir.Value:
    kind = register_type(np.dtype(f"i{bits // 8}"), lanes_of(x))
    name = f"llvm.fpto{'s' if signed else 'u'}i.sat.{kind.mangled}.{x.type.mangled}"
    return b.call(declare_function(b.module, name, kind, [x.type]), [x])
