"""Values of every dtype in LLVM's registers and in memory: their types, constants, and vectors of them.

bool is one bit in a register and a byte in memory; a bfloat16 is its 16 bits; a complex number is a pair of reals, and a vector of
complex numbers a pair of vectors, which memory has interleaved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from .. import llvm_ir as ir
from ..lowering.builder import Unsupported

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_FLOATS: dict[Any, Callable[[], ir.Type]] = {
    np.dtype(np.float16): ir.HalfType,
    np.dtype(np.float32): ir.FloatType,
    np.dtype(np.float64): ir.DoubleType,
}
#: The reals that complex numbers consist of.
PARTS: dict[np.dtype[Any], np.dtype[Any]] = {np.dtype(np.complex64): np.dtype(np.float32), np.dtype(np.complex128): np.dtype(np.float64)}
NARROW = (np.dtype(np.float16), BFLOAT16)
F32, F64, INT32, INT64 = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int32), np.dtype(np.int64)
_I32 = ir.IntType(32)


def is_float(dtype: np.dtype[Any]) -> bool:
    """Whether numbers of the dtype are real floating-point ones."""
    return dtype.kind == "f" or dtype == BFLOAT16


def has_registers(dtype: np.dtype[Any]) -> bool:
    """Whether values of the dtype can be in a register here."""
    return dtype.kind in "biu" or dtype in _FLOATS or dtype in PARTS or dtype == BFLOAT16


def real_part(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of the reals that make a complex number; other dtypes themselves."""
    return PARTS.get(dtype, dtype)


def register_type(dtype: np.dtype[Any], lanes: int) -> ir.Type:
    """The LLVM type of a value, or of a vector of `lanes`, in a register."""
    if dtype in PARTS:
        return ir.LiteralStructType([register_type(PARTS[dtype], lanes)] * 2)
    if dtype.kind == "b":
        scalar: ir.Type = ir.IntType(1)
    elif dtype.kind in "iu" or dtype == BFLOAT16:
        scalar = ir.IntType(8 * dtype.itemsize)
    elif dtype in _FLOATS:
        scalar = _FLOATS[dtype]()
    else:
        raise Unsupported(f"no native code for {dtype}")
    return ir.VectorType(scalar, lanes) if lanes > 1 else scalar


def memory_type(dtype: np.dtype[Any], lanes: int) -> ir.Type:
    """The LLVM type of a value in memory: as in a register, but for bool, a byte, and vectors of complex numbers, reals in a row."""
    if dtype.kind == "b":
        return ir.VectorType(ir.IntType(8), lanes) if lanes > 1 else ir.IntType(8)
    if dtype in PARTS and lanes > 1:
        return register_type(PARTS[dtype], 2 * lanes)
    return register_type(dtype, lanes)


class Splat(ir.Constant):
    """A number in all lanes, written once: naming every lane takes half of the time in which code is written."""

    def __init__(self, kind: ir.Type, number: ir.Constant) -> None:
        self.type, self.constant, self.ref = kind, number, f"splat ({number})"


def constant(value: Any, dtype: np.dtype[Any], lanes: int = 1) -> ir.Constant:
    """A number, the same in all lanes."""
    kind = register_type(dtype, lanes)
    if dtype in PARTS:
        whole = complex(value)
        return ir.Constant(kind, [constant(part, PARTS[dtype], lanes) for part in (whole.real, whole.imag)])
    plain: Any = value.item() if hasattr(value, "item") else value
    if dtype.kind == "b":
        plain = int(bool(plain))
    if dtype == BFLOAT16:
        plain = int(np.asarray(value, dtype).view(np.uint16))
    return Splat(kind, register_type(dtype, 1)(plain)) if lanes > 1 else ir.Constant(kind, plain)


# ---- pairs


def make_pair(b: ir.IRBuilder, real: ir.Value, imaginary: ir.Value) -> ir.Value:
    """The pair of two values."""
    whole = ir.Constant(ir.LiteralStructType([real.type, real.type]), ir.Undefined)
    return b.insert_value(b.insert_value(whole, real, 0), imaginary, 1)


def parts(b: ir.IRBuilder, value: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The two values of a pair."""
    if isinstance(value, ir.Constant) and isinstance(value.constant, (list, tuple)):
        return value.constant[0], value.constant[1]
    return b.extract_value(value, 0), b.extract_value(value, 1)


def is_pair(value: ir.Value) -> bool:
    """Whether a value is a complex number, or a vector of some."""
    return isinstance(value.type, ir.LiteralStructType)


# ---- vectors


def _index_vector(*indices: int) -> ir.Constant:
    return ir.Constant(ir.VectorType(_I32, len(indices)), list(indices))


def splat(b: ir.IRBuilder, value: ir.Value, lanes: int) -> ir.Value:
    """A value in all lanes of a vector."""
    if is_pair(value):
        return value if lanes_of(value) == lanes else make_pair(b, *(splat(b, part, lanes) for part in parts(b, value)))
    if lanes == 1 or isinstance(value.type, ir.VectorType):
        return value
    kind = ir.VectorType(value.type, lanes)
    if type(value) is ir.Constant:
        return Splat(kind, value)
    first = b.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(_I32, 0))
    return b.shuffle_vector(first, ir.Constant(kind, ir.Undefined), _index_vector(*[0] * lanes))


def lanes_of(value: ir.Value) -> int:
    """How many lanes a value has."""
    kind = value.type.elements[0] if isinstance(value.type, ir.LiteralStructType) else value.type
    return kind.count if isinstance(kind, ir.VectorType) else 1


def lanes_at(b: ir.IRBuilder, value: ir.Value, indices: Sequence[int]) -> ir.Value:
    """Some lanes of a vector; of one lane, the value in it."""
    if is_pair(value):
        return make_pair(b, *(lanes_at(b, part, indices) for part in parts(b, value)))
    if len(indices) == 1:
        return b.extract_element(value, ir.Constant(_I32, indices[0]))
    return b.shuffle_vector(value, value, _index_vector(*indices))


def widen(b: ir.IRBuilder, value: ir.Value, lanes: int) -> ir.Value:
    """A vector, or one number, as the first lanes of a longer vector; zeros follow."""
    few = lanes_of(value)
    if few == 1:
        return b.insert_element(ir.Constant(ir.VectorType(value.type, lanes), None), value, ir.Constant(_I32, 0))
    return b.shuffle_vector(value, ir.Constant(value.type, None), _index_vector(*[min(i, few) for i in range(lanes)]))


def select_lanes(b: ir.IRBuilder, condition: ir.Value, yes: ir.Value, no: ir.Value) -> ir.Value:
    """One of two values, lane by lane."""
    if not is_pair(yes):
        return b.select(condition, yes, no)
    return make_pair(b, *(b.select(condition, x, y) for x, y in zip(parts(b, yes), parts(b, no), strict=True)))


def repeat_twice(b: ir.IRBuilder, mask: ir.Value) -> ir.Value:
    """A mask of complex numbers as one of the reals in memory."""
    return b.shuffle_vector(mask, mask, _index_vector(*[i // 2 for i in range(2 * lanes_of(mask))]))


def split_pairs(b: ir.IRBuilder, reals: ir.Value) -> ir.Value:
    """The reals of complex numbers in memory as a pair of vectors."""
    count = lanes_of(reals)
    return make_pair(b, lanes_at(b, reals, range(0, count, 2)), lanes_at(b, reals, range(1, count, 2)))


def interleave_pair(b: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """A pair of vectors as memory has it."""
    real, imaginary = parts(b, value)
    count = lanes_of(real)
    return b.shuffle_vector(real, imaginary, _index_vector(*[i // 2 + (i % 2) * count for i in range(2 * count)]))


def declare_function(module: ir.Module, name: str, result: ir.Type, args: Sequence[ir.Type]) -> ir.Function:
    """A function from elsewhere, declared once."""
    known = module.function(name)
    return known if known is not None else ir.Function(module, ir.FunctionType(result, args), name)


def intrinsic(b: ir.IRBuilder, name: str, args: Sequence[ir.Value]) -> ir.Value:
    """One of LLVM's functions whose arguments and value are of one type."""
    kind = args[0].type
    return b.call(declare_function(b.module, f"llvm.{name}.{kind.mangled}", kind, [kind] * len(args)), list(args))


def zero(value: ir.Value) -> ir.Constant:
    """Zero, or all zeros, of the type of a value."""
    return ir.Constant(value.type, None)
