"""Scalar functions of integers and truth values.

Division of integers of up to 32 bits goes through float64, where it is exact and a vector at a time.  A divisor 0 is for the lowering
rule to check: here the quotient is then the dividend.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import llvm_ir as ir
from ..lowering.builder import Unsupported
from ..vector.registers import constant, intrinsic, lanes_of, register_type, zero
from .counting import carry_loop

_BINARY = {"add": "add", "sub": "sub", "mul": "mul", "and": "and", "or": "or", "xor": "xor"}
_DIVISIONS = ("floordiv", "floormod", "truncdiv", "truncmod")


def integer(b: ir.IRBuilder, function: str, args: list[ir.Value], dtype: np.dtype[Any]) -> ir.Value:
    """A function of integers of a dtype."""
    signed = dtype.kind == "i"
    if function in _BINARY:
        return b.binary(_BINARY[function], *args)
    if function in ir.COMPARISONS:
        return (b.icmp_signed if signed else b.icmp_unsigned)(ir.COMPARISONS[function], *args)
    if function in ("max", "min"):
        return intrinsic(b, ("s" if signed else "u") + function, args)
    if function == "neg":
        return b.neg(args[0])
    if function == "not":
        return b.not_(args[0])
    if function == "popcount":
        return intrinsic(b, "ctpop", args)
    if function == "square":
        return b.mul(args[0], args[0])
    if function == "abs":
        return b.select(b.icmp_signed("<", args[0], zero(args[0])), b.neg(args[0]), args[0]) if signed else args[0]
    if function == "sign":
        return _sign(b, args[0], signed)
    if function in _DIVISIONS:
        return _division(b, function, args[0], args[1], dtype)
    if function in ("shl", "shr"):
        return b.binary("shl" if function == "shl" else "ashr" if signed else "lshr", *args)
    if function == "pow":
        return _power(b, args[0], args[1], dtype)
    raise Unsupported(f"no native code for {function} of {dtype}")


def _sign(b: ir.IRBuilder, x: ir.Value, signed: bool) -> ir.Value:
    positive = b.zext((b.icmp_signed if signed else b.icmp_unsigned)(">", x, zero(x)), x.type)
    return b.sub(positive, b.zext(b.icmp_signed("<", x, zero(x)), x.type)) if signed else positive


def _division(b: ir.IRBuilder, function: str, x: ir.Value, y: ir.Value, dtype: np.dtype[Any]) -> ir.Value:
    """A quotient or a remainder, rounded down or towards 0; the least integer by -1 is itself, as it wraps around."""
    lanes, signed = lanes_of(x), dtype.kind == "i"
    one = constant(1, dtype, lanes)
    minus = b.icmp_signed("==", y, constant(-1, dtype, lanes)) if signed else None
    odd = b.icmp_signed("==", y, zero(y))
    odd = odd if minus is None else b.or_(odd, minus)
    divisor = b.select(odd, one, y)
    quotient = _quotient(b, x, divisor, dtype)
    rest = b.sub(x, b.mul(quotient, divisor))
    if signed and function.startswith("floor"):
        apart = b.and_(b.icmp_signed("!=", rest, zero(x)), b.icmp_signed("<", b.xor(rest, divisor), zero(x)))
        quotient = b.select(apart, b.sub(quotient, one), quotient)
        rest = b.select(apart, b.add(rest, divisor), rest)
    if function.endswith("mod"):
        return rest
    return quotient if minus is None else b.select(minus, b.neg(x), quotient)


def _quotient(b: ir.IRBuilder, x: ir.Value, y: ir.Value, dtype: np.dtype[Any]) -> ir.Value:
    """x / y towards 0, of a y that is not 0 (nor -1)."""
    signed = dtype.kind == "i"
    if dtype.itemsize == 8:
        return b.sdiv(x, y) if signed else b.udiv(x, y)
    real = register_type(np.dtype(np.float64), lanes_of(x))
    to, back = (b.sitofp, b.fptosi) if signed else (b.uitofp, b.fptoui)
    return back(b.fdiv(to(x, real), to(y, real)), x.type)


def _power(b: ir.IRBuilder, x: ir.Value, y: ir.Value, dtype: np.dtype[Any]) -> ir.Value:
    """x to a power that is not negative, by squares; it wraps around.  A function of its own, with a loop over the power's bits."""
    own = f"pullback.power.{dtype.name}x{lanes_of(x)}"
    known = b.module.function(own)
    if known is None:
        known = ir.Function(b.module, ir.FunctionType(x.type, [x.type, x.type]), own)
        known.linkage = "internal"
        known.attributes.add("noinline")
        inside = ir.IRBuilder(known.append_basic_block())
        one, low, high = constant(1, dtype, lanes_of(x)), ir.Constant(ir.IntType(64), 0), ir.Constant(ir.IntType(64), 8 * dtype.itemsize)

        def bit(_: ir.Value, now: Sequence[ir.Value]) -> list[ir.Value]:
            found, base, left = now
            held = inside.icmp_unsigned("!=", inside.and_(left, one), zero(left))
            found = inside.select(held, inside.mul(found, base), found)
            return [found, inside.mul(base, base), inside.lshr(left, one)]

        inside.ret(carry_loop(inside, low, high, ir.Constant(ir.IntType(64), 1), [one, *known.args], bit)[0])
    return b.call(known, [x, y])


def truth(b: ir.IRBuilder, function: str, args: list[ir.Value]) -> ir.Value:
    """A function of truth values."""
    if function in ("and", "min", "mul"):
        return b.binary("and", *args)
    if function in ("or", "max"):
        return b.binary("or", *args)
    if function in ("xor", "ne"):
        return b.binary("xor", *args)
    if function == "not":
        return b.not_(args[0])
    if function == "eq":
        return b.not_(b.binary("xor", *args))
    raise Unsupported(f"no native code for {function} of bool")
