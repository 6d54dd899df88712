"""What dtypes come to in the conversion modes "safe" and "all" of `experimental_enable_numpy_behavior`.

Numbers of Python are weak: they take the dtype of a tensor that they meet, if it can hold their kind. The table is TensorFlow's,
whose entries follow no rule (uint8 with a weak float32 is a weak float64), so it is written down: a row and a column for each
dtype, "*" for a weak one, "!" for what the mode "safe" refuses. It is symmetric.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..api.variable import Variable
from ..base import nest
from ..base.dtypes import DType, as_dtype, bool as boolean, complex128, float32, int32, string
from ..base.shapes import TensorShape
from ..ir.indexed_slices import IndexedSlices
from ..ir.tensor import Tensor

_TABLE = """
b    b    u8    u16   u32   u64   i8    i16   i32   i64   bf16  f16   f32  f64   c64   c128 i32* i64* f32*  f64*  c128*
u8   u8   u8    u16   u32   u64   i16!  i16   i32   i64   bf16  f16   f32  f64   c64   c128 u8   u8   f64*! f64*  c128*
u16  u16  u16   u16   u32   u64   i32!  i32!  i32   i64   bf16! f16!  f32  f64   c64   c128 u16  u16  f64*! f64*  c128*
u32  u32  u32   u32   u32   u64   i64!  i64!  i64!  i64   bf16! f16!  f32! f64   c64!  c128 u32  u32  f64*! f64*  c128*
u64  u64  u64   u64   u64   u64   f64*! f64*! f64*! f64*! bf16! f16!  f32! f64!  c64!  c128! u64 u64  f64*! f64*! c128*!
i8   i8   i16!  i32!  i64!  f64*! i8    i16   i32   i64   bf16  f16   f32  f64   c64   c128 i8   i8   f64*! f64*  c128*
i16  i16  i16   i32!  i64!  f64*! i16   i16   i32   i64   bf16! f16!  f32  f64   c64   c128 i16  i16  f64*! f64*  c128*
i32  i32  i32   i32   i64!  f64*! i32   i32   i32   i64   bf16! f16!  f32! f64   c64!  c128 i32  i32  f64*! f64*  c128*
i64  i64  i64   i64   i64   f64*! i64   i64   i64   i64   bf16! f16!  f32! f64!  c64!  c128! i64 i64  f64*! f64*! c128*!
bf16 bf16 bf16  bf16! bf16! bf16! bf16  bf16! bf16! bf16! bf16  f32!  f32  f64   c64   c128 bf16 bf16 bf16  bf16  c64!
f16  f16  f16   f16!  f16!  f16!  f16   f16!  f16!  f16!  f32!  f16   f32  f64   c64   c128 f16  f16  f16   f16   c64!
f32  f32  f32   f32   f32!  f32!  f32   f32   f32!  f32!  f32   f32   f32  f64   c64   c128 f32  f32  f32   f32   c64!
f64  f64  f64   f64   f64   f64!  f64   f64   f64   f64!  f64   f64   f64  f64   c128! c128 f64  f64  f64   f64   c128
c64  c64  c64   c64   c64!  c64!  c64   c64   c64!  c64!  c64   c64   c64  c128! c64   c128 c64  c64  c64   c64   c64
c128 c128 c128  c128  c128  c128! c128  c128  c128  c128! c128  c128  c128 c128  c128  c128 c128 c128 c128  c128  c128
i32* i32* u8    u16   u32   u64   i8    i16   i32   i64   bf16  f16   f32  f64   c64   c128 i32* i64* f32*  f64*  c128*
i64* i64* u8    u16   u32   u64   i8    i16   i32   i64   bf16  f16   f32  f64   c64   c128 i64* i64* f32*  f64*  c128*
f32* f32* f64*! f64*! f64*! f64*! f64*! f64*! f64*! f64*! bf16  f16   f32  f64   c64   c128 f32* f32* f32*  f64*  c128*
f64* f64* f64*  f64*  f64*  f64*! f64*  f64*  f64*  f64*! bf16  f16   f32  f64   c64   c128 f64* f64* f64*  f64*  c128*
c128* c128* c128* c128* c128* c128*! c128* c128* c128* c128*! c64! c64! c64! c128 c64  c128 c128* c128* c128* c128* c128*
"""

_NAMES = {"b": "bool", "u": "uint", "i": "int", "bf": "bfloat", "f": "float", "c": "complex"}


class Promoted(NamedTuple):
    """A dtype, and whether it gives way to others."""

    dtype: DType
    weak: bool


def _spell_entry(entry: str) -> Promoted:
    code = entry.rstrip("*!")
    letters = code.rstrip("0123456789")
    return Promoted(as_dtype(_NAMES[letters] + code[len(letters) :]), "*" in entry)


def _read() -> dict[tuple[Promoted, Promoted], tuple[Promoted, bool]]:
    rows = [line.split() for line in _TABLE.strip().splitlines()]
    kinds = [_spell_entry(row[0]) for row in rows]
    return {
        (kind, other): (_spell_entry(entry), "!" in entry)
        for kind, row in zip(kinds, rows, strict=True)
        for other, entry in zip(kinds, row[1:], strict=True)
    }


_RESULTS = _read()
_TEXT = Promoted(string, False)
_RESULTS[_TEXT, _TEXT] = _TEXT, False
_PYTHON = {
    bool: Promoted(boolean, False),
    int: Promoted(int32, True),
    float: Promoted(float32, True),
    complex: Promoted(complex128, True),
}
_LIMITS = np.iinfo(np.int32)


class Weak:
    """What the tensors have in common whose dtype gives way to others."""

    __slots__ = ()


class Mode:
    """Which conversion mode is on: "off", "legacy", "safe" or "all"."""

    name = "off"

    @classmethod
    def is_automatic(cls) -> bool:
        """Whether dtypes are found by the table."""
        return cls.name in ("safe", "all")


def kind_of(x: Any) -> Promoted:
    """The dtype of a tensor, an array, a number or a dtype itself.

    Raises NotImplementedError for what is none of these, OverflowError for integers of Python above 32 bits.
    """
    if isinstance(x, (Tensor, Variable, IndexedSlices)):
        return Promoted(x.dtype.base_dtype, isinstance(x, Weak))
    if isinstance(x, DType):
        return Promoted(x.base_dtype, False)
    own = getattr(x, "dtype", None)
    if isinstance(x, (bytes, str)) or (isinstance(own, np.dtype) and own.kind in "OSU"):
        return _TEXT
    if isinstance(own, np.dtype):
        return Promoted(as_dtype(own), False)
    if isinstance(x, TensorShape):
        return Promoted(int32, False)
    if isinstance(x, int) and not isinstance(x, bool) and not _LIMITS.min <= x <= _LIMITS.max:
        raise OverflowError(f"Python int {x} too large to convert to np.int32")
    of = x if isinstance(x, type) else type(x)
    if of in _PYTHON:
        return _PYTHON[of]
    if isinstance(x, np.dtype) or (isinstance(x, type) and issubclass(x, np.generic)):
        return Promoted(as_dtype(x), False)
    raise NotImplementedError(f"Auto dtype conversion semantics does not support {type(x)} type.")


def result_of(*values: Any) -> Promoted:
    """What values and dtypes come to, sequences element by element, None left out; a weak float32 for nothing.

    Raises TypeError for what the mode "safe" refuses, NotImplementedError where there is no common dtype.
    """
    kinds = [kind_of(x) for x in nest.flatten(values) if x is not None]
    found = kinds[0] if kinds else _PYTHON[float]
    for kind in kinds[1:]:
        if (found, kind) not in _RESULTS:
            text = f"Implicit Conversion between {found.dtype} and {kind.dtype} is not allowed. Convert one of them by tf.cast."
            raise NotImplementedError(text)
        result, risky = _RESULTS[found, kind]
        if risky and Mode.name == "safe":
            raise TypeError(
                f"In promotion mode PromoMode.SAFE, implicit dtype promotion between ({found.dtype!r}, weak={found.weak}) and "
                f"({kind.dtype!r}, weak={kind.weak}) is disallowed. You need to explicitly specify the dtype in your op, or relax your "
                "dtype promotion rules (such as from SAFE mode to ALL mode)."
            )
        found = result
    return found
