"""A few words in which vector math is written: numbers with operators, that become LLVM instructions.

A `Code` is where instructions go and what they are made for: the format, the lanes, the machine.  A `Number` is a value in it, real,
integer of the same width or mask; the same formula serves scalars and vectors, float32 and float64.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from .. import llvm_ir as ir
from ..runtime.machine import Machine
from .registers import Splat

I1, I32 = ir.IntType(1), ir.IntType(32)
_CURRENT_ROUNDING = 4
_THREE_QUARTERS_OR_NAN = 0b1011  # VGETMANT's interval from 3/4 to 3/2, NaN for negative numbers
# VFIXUPIMM: what to answer for each kind of number, four bits each: quiet NaN, signalling NaN, 0, 1, -inf, inf, negative, positive.
# 0 is the answer itself, 1 the number, 2 the quiet NaN of it, 3 a new NaN, 4 -inf, 5 inf.
_LOG_CASES = sum(what << 4 * kind for kind, what in enumerate((2, 2, 4, 0, 3, 5, 3, 0)))


Operator = Callable[["Number", "Number | float"], "Number"]


def _operators(real: str, integer: str) -> tuple[Operator, Operator]:
    """An instruction as the operator of what stands on its left, and of what stands on its right."""

    def write(x: Number, y: Number) -> Number:
        return Number(x.code, getattr(x.code.b, real if x.is_real else integer)(x.value, y.value))

    return lambda self, other: write(self, self._like(other)), lambda self, other: write(self._like(other), self)


def _comparison(sign: str) -> Operator:
    def compare(self: Number, other: Number | float) -> Number:
        b, y = self.code.b, self._like(other)
        return Number(self.code, (b.fcmp_ordered if self.is_real else b.icmp_signed)(sign, self.value, y.value))

    return compare


class Number:
    """A real, an integer or a mask, in every lane."""

    __slots__ = ("code", "value")

    def __init__(self, code: Code, value: ir.Value) -> None:
        self.code, self.value = code, value

    @property
    def is_real(self) -> bool:
        """Whether it is a floating-point number."""
        kind = self.value.type
        return not isinstance(kind.element if isinstance(kind, ir.VectorType) else kind, ir.IntType)

    def _like(self, other: Number | float) -> Number:
        if isinstance(other, Number):
            return other
        return self.code.real(other) if self.is_real else self.code.integer(int(other))

    __add__, __radd__ = _operators("fadd", "add")
    __sub__, __rsub__ = _operators("fsub", "sub")
    __mul__, __rmul__ = _operators("fmul", "mul")
    __truediv__, __rtruediv__ = _operators("fdiv", "sdiv")
    __and__, __or__, __xor__ = (_operators(name, name)[0] for name in ("and_", "or_", "xor"))
    __lshift__, __rshift__ = _operators("shl", "shl")[0], _operators("ashr", "ashr")[0]  # the sign moves in from the left
    __lt__, __le__, __gt__, __ge__ = (_comparison(sign) for sign in ("<", "<=", ">", ">="))

    def __neg__(self) -> Number:
        return Number(self.code, self.code.b.fneg(self.value) if self.is_real else self.code.b.neg(self.value))

    def __invert__(self) -> Number:
        return Number(self.code, self.code.b.not_(self.value))

    def equals(self, other: Number | float) -> Number:
        """A mask; false where either is NaN."""
        return _comparison("==")(self, other)

    def is_nan(self) -> Number:
        """A mask."""
        return Number(self.code, self.code.b.fcmp_unordered("uno", self.value, self.value))


class Code:
    """Where instructions go, and what they are made for.

    bits: 32 or 64, of the reals and of the integers beside them.  lanes: 1 for scalars.
    """

    def __init__(self, b: ir.IRBuilder, bits: int, lanes: int, machine: Machine) -> None:
        self.b, self.bits, self.lanes, self.machine = b, bits, lanes, machine
        self.mantissa, self.bias = (23, 127) if bits == 32 else (52, 1023)
        self._real: ir.Type = ir.FloatType() if bits == 32 else ir.DoubleType()
        self.real_type = self._spread_type(self._real)
        self.integer_type = self._spread_type(ir.IntType(bits))
        self.mask_type = self._spread_type(I1)

    def _spread_type(self, kind: ir.Type) -> ir.Type:
        return ir.VectorType(kind, self.lanes) if self.lanes > 1 else kind

    def with_bits(self, bits: int) -> Code:
        """The same place and lanes, in the other format."""
        return Code(self.b, bits, self.lanes, self.machine)

    # ---- constants

    def _constant(self, kind: ir.Type, value: Any) -> Number:
        scalar = ir.Constant(kind.element if isinstance(kind, ir.VectorType) else kind, value)
        return Number(self, Splat(kind, scalar) if self.lanes > 1 else scalar)

    def real(self, value: float) -> Number:
        """A number in all lanes, rounded to the format."""
        if self.bits == 32 and abs(value) < 3.5e38:
            value = struct.unpack("f", struct.pack("f", value))[0]
        return self._constant(self.real_type, value)

    def integer(self, value: int) -> Number:
        """A whole number in all lanes."""
        return self._constant(self.integer_type, value)

    # ---- functions that are instructions

    def intrinsic(self, name: str, *args: Number) -> Number:
        """One of LLVM's functions of reals."""
        own = f"llvm.{name}.v{self.lanes}f{self.bits}" if self.lanes > 1 else f"llvm.{name}.f{self.bits}"
        known = self.b.module.globals.get(own)
        if known is None:
            known = ir.Function(self.b.module, ir.FunctionType(self.real_type, [self.real_type] * len(args)), own)
        return Number(self, self.b.call(known, [a.value for a in args]))

    def fma(self, x: Number, y: Number | float, z: Number | float) -> Number:
        """x y + z, rounded once."""
        return self.intrinsic("fma", x, x._like(y), x._like(z))

    def abs(self, x: Number) -> Number:
        """|x|."""
        return self.intrinsic("fabs", x)

    def sqrt(self, x: Number) -> Number:
        """The square root, rounded once."""
        return self.intrinsic("sqrt", x)

    def rint(self, x: Number) -> Number:
        """The nearest whole number, half to even."""
        return self.intrinsic("rint", x)

    def floor(self, x: Number) -> Number:
        """The whole number below."""
        return self.intrinsic("floor", x)

    def copysign(self, size: Number, sign: Number) -> Number:
        """|size| with the sign of `sign`."""
        return self.intrinsic("copysign", size, sign)

    def select(self, mask: Number, x: Number | float, y: Number | float) -> Number:
        """x where the mask is set, y elsewhere; one of the two is a Number."""
        like = x if isinstance(x, Number) else y
        assert isinstance(like, Number)
        return Number(self, self.b.select(mask.value, like._like(x).value, like._like(y).value))

    def at_most(self, x: Number, bound: float) -> Number:
        """The lesser of x and the bound; NaN stays."""
        limit = self.real(bound)
        return self.select(limit < x, limit, x)

    def at_least(self, x: Number, bound: float) -> Number:
        """The greater of x and the bound; NaN stays."""
        limit = self.real(bound)
        return self.select(limit > x, limit, x)

    # ---- the format's bits

    def bits_of(self, x: Number) -> Number:
        """The bits of a real, as an integer."""
        return Number(self, self.b.bitcast(x.value, self.integer_type))

    def real_of(self, x: Number) -> Number:
        """The real that has these bits."""
        return Number(self, self.b.bitcast(x.value, self.real_type))

    def to_real(self, x: Number) -> Number:
        """A whole number below 2^51 as a real."""
        if self.bits == 64 and self.machine.vector_bits == 256:  # AVX2 has no such conversion
            return self.real_of(x + self.integer(self.pattern(self.magic))) - self.magic
        return Number(self, self.b.sitofp(x.value, self.real_type))

    def widen(self, x: Number) -> Number:
        """A float32 as a float64."""
        wide = self.with_bits(64)
        return Number(wide, self.b.fpext(x.value, wide.real_type))

    def narrow(self, x: Number) -> Number:
        """A float64 as a float32."""
        narrow = self.with_bits(32)
        return Number(narrow, self.b.fptrunc(x.value, narrow.real_type))

    def pattern(self, value: float) -> int:
        """The bits of a constant, as a signed integer."""
        codes = ("f", "i") if self.bits == 32 else ("d", "q")
        return int(struct.unpack(codes[1], struct.pack(codes[0], value))[0])

    # ---- polynomials and powers of two

    def horner(self, x: Number, coefficients: Sequence[float]) -> Number:
        """c0 + c1 x + c2 x^2 + ... in the fewest instructions, each waiting for the one before."""
        total = self.real(coefficients[-1])
        for c in coefficients[-2::-1]:
            total = self.fma(total, x, c)
        return total

    def polynomial(self, x: Number, coefficients: Sequence[float], square: Number | None = None) -> Number:
        """c0 + c1 x + c2 x^2 + ...; square: x^2 where that is known.

        Processors look some two hundred instructions ahead: long chains would leave them waiting.  From 5 terms on the even and the
        odd powers go side by side, from 11 on four parts.
        """
        if len(coefficients) < 5:
            return self.horner(x, coefficients)
        square = square if square is not None else x * x
        if len(coefficients) < 11:
            return self.fma(self.horner(square, coefficients[1::2]), x, self.horner(square, coefficients[::2]))
        fourth = square * square
        parts = [self.horner(fourth, coefficients[k::4]) for k in range(4)]
        return self.fma(self.fma(parts[3], x, parts[2]), square, self.fma(parts[1], x, parts[0]))

    @property
    def magic(self) -> float:
        """What rounds to whole numbers when it is added: 1.5 times the power of two whose last bit is 1."""
        return 1.5 * 2.0**self.mantissa

    def nearest(self, x: Number, factor: float) -> tuple[Number, Number]:
        """The whole number n nearest to x times the factor, |n| < 2^(mantissa - 2), and a real whose low bits are n's."""
        shifted = self.fma(x, factor, self.magic)
        return shifted - self.magic, shifted

    def power_of_two(self, shifted: Number, offset: int = 0) -> Number:
        """2^(n + offset) where that is a normal number, of what `nearest` gave."""
        exponent = self.bits_of(shifted) << self.mantissa
        return self.real_of(exponent + self.integer((self.bias + offset) << self.mantissa))

    # ---- AVX-512

    @property
    def is_avx512(self) -> bool:
        """Whether values are registers of AVX-512, which takes exponents apart."""
        return self.machine.vector_bits == 512 and self.bits * self.lanes == 512

    def _avx512(self, name: str, *args: Number | int) -> Number:
        """An instruction of AVX-512, unmasked; integers among the arguments are immediate operands."""
        kinds = [I32 if isinstance(a, int) else a.value.type for a in args]
        values = [ir.Constant(I32, a) if isinstance(a, int) else a.value for a in args]
        mask = ir.IntType(self.lanes)
        own = f"llvm.x86.avx512.mask.{name}.p{'s' if self.bits == 32 else 'd'}.512"
        passed = [] if name == "fixupimm" else [self.real_type]
        known = self.b.module.globals.get(own)
        if known is None:
            known = ir.Function(self.b.module, ir.FunctionType(self.real_type, [*kinds, *passed, mask, I32]), own)
        rest = [ir.Constant(self.real_type, None)] if passed else []
        return Number(self, self.b.call(known, [*values, *rest, ir.Constant(mask, -1), ir.Constant(I32, _CURRENT_ROUNDING)]))

    def exponent_and_mantissa(self, x: Number) -> tuple[Number, Number]:
        """e and m of x = 2^e m with m from 3/4 to 3/2; of 0 -inf and 1, of inf inf and 1, of negative numbers NaN."""
        m = self._avx512("getmant", x, _THREE_QUARTERS_OR_NAN)
        return self._avx512("getexp", x) - self._avx512("getexp", m), m

    def replace_special(self, answer: Number, x: Number) -> Number:
        """The answer, but -inf where x is 0, x where that is inf or NaN, and NaN where x is negative: log's special cases."""
        return self._avx512("fixupimm", answer, x, self.integer(_LOG_CASES), 0)

    def scale_by_power(self, x: Number, n: Number, shifted: Number) -> Number:
        """x 2^n, rounded once, for x near 1: n from -2 bias to 1 + bias."""
        if self.is_avx512:
            return self._avx512("scalef", x, n)
        whole = self.bits_of(shifted) - self.integer(self.pattern(self.magic))
        half = whole >> 1
        one = self.integer(self.pattern(1.0))
        first = self.real_of((half << self.mantissa) + one)
        second = self.real_of(((whole - half) << self.mantissa) + one)
        return x * first * second
