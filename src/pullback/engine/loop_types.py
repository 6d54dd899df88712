"""What loops written in Python are made of: the types of numbers, arrays, and what their annotations call them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.loops import Kind
from . import llvm_ir as ir
from .runtime.loaded import NativeError


class Unsigned(ir.IntType):
    """Integers without a sign, which LLVM says of operations, and these lines of numbers."""

    def __call__(self, value: Any) -> ir.Constant:
        return ir.Constant(self, int(value) & ((1 << self.width) - 1))

    def format_constant(self, value: Any) -> str:
        """A constant as LLVM's text has it."""
        return str(value - (1 << self.width) if value >> (self.width - 1) else value)


I1, I32, I64, F32, F64 = ir.IntType(1), ir.IntType(32), ir.IntType(64), ir.FloatType(), ir.DoubleType()
WORD, WIDE = Unsigned(64), Unsigned(128)
FLOATS = (F32, F64)
POINTER = ir.PointerType()
_TYPES: dict[Kind, ir.Type] = {int: I64, bool: I1, float: F32, np.float64: F64, np.uint64: WORD}
_KINDS = {kind: name for name, kind in _TYPES.items()}


class Elements:
    """An array: where it starts, and the dtype of its elements."""

    def __init__(self, start: ir.Value, dtype: np.dtype[Any]) -> None:
        self.start, self.dtype = start, dtype

    @property
    def stored(self) -> ir.Type:
        """The type that an element has in memory."""
        return stored_type(self.dtype)


def stored_type(dtype: np.dtype[Any]) -> ir.Type:
    """The type of elements in memory."""
    if dtype.char in "QL" and dtype.itemsize == 8:
        return WORD
    if dtype.kind in "iub":
        return ir.IntType(8 * dtype.itemsize)
    if dtype.char in "fd":
        return F32 if dtype.char == "f" else F64
    raise NativeError(f"Loops have no numbers of dtype {dtype}.")


def type_of(kind: Kind) -> ir.Type:
    """The type of an argument."""
    if isinstance(kind, np.dtype):
        return POINTER
    if kind not in _TYPES:
        raise NativeError(f"Loops take no {kind.__name__}.")
    return _TYPES[kind]


def kind_of(value: ir.Value) -> Kind:
    """What a number is as an argument."""
    if value.type not in _KINDS:
        raise NativeError(f"Loops take no numbers of type {value.type}.")
    return _KINDS[value.type]


def result_of(kinds: tuple[Kind, ...]) -> ir.Type:
    """The type of what a function with these results returns."""
    types = [type_of(kind) for kind in kinds]
    return ir.VoidType() if not types else types[0] if len(types) == 1 else ir.LiteralStructType(types)
