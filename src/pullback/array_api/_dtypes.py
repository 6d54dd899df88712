"""Dtypes of the Array API: which there are, what two of them come to, and what can be asked of them.

Types promote within a kind (integers, real and complex floats) as the standard's table has it, which is NumPy's for those pairs. Pairs
that the standard leaves open (an integer array and a float array) are refused: what TensorFlow's users mean there is a cast.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..base.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    bool as bool_,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ..ir.apply import convert_to_tensor
from ..ir.tensor import DTypeLike, Tensor
from ..ops.primitives.cast import cast

SIGNED, UNSIGNED = (int8, int16, int32, int64), (uint8, uint16, uint32, uint64)
REAL, COMPLEX = (float32, float64), (complex64, complex128)
_KINDS: dict[str, tuple[DType, ...]] = {
    "bool": (bool_,),
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": SIGNED + UNSIGNED,
    "real floating": (float16, bfloat16, *REAL),
    "complex floating": COMPLEX,
    "numeric": (*SIGNED, *UNSIGNED, float16, bfloat16, *REAL, *COMPLEX),
}


def kind_of(dtype: DType) -> str:
    """The kind that a dtype promotes within."""
    return next((kind for kind in ("bool", "integral", "real floating", "complex floating") if dtype in _KINDS[kind]), dtype.name)


def isdtype(dtype: DTypeLike, kind: object) -> bool:
    """Whether a dtype is of a kind: a dtype, a kind's name such as "real floating" or "integral", or a tuple of these.

    >>> xp.isdtype(xp.float32, "real floating"), xp.isdtype(xp.int8, ("bool", xp.int8))
    (True, True)
    """
    dtype = as_dtype(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"isdtype: there is no kind {kind!r}; the kinds are {', '.join(_KINDS)}")
        return dtype in _KINDS[kind]
    return bool(dtype == as_dtype(kind))


def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype that arrays, dtypes and Python numbers come to; at least one is an array or a dtype.

    Raises TypeError for an integer and a floating array: the standard does not say what they come to, `astype` does.

    >>> xp.result_type(xp.int8, xp.int16, 3), xp.result_type(xp.float32, xp.complex64, 1j)
    (tf.int16, tf.complex64)
    """
    dtypes = [v.dtype if hasattr(v, "dtype") else as_dtype(v) for v in arrays_and_dtypes if not isinstance(v, (bool, int, float, complex))]
    if not dtypes:
        raise ValueError("result_type: at least one array or dtype is needed beside Python numbers")
    found = dtypes[0]
    for other in dtypes[1:]:
        found = _promote_pair(found, other)
    for number in arrays_and_dtypes:
        if isinstance(number, (bool, int, float, complex)):
            found = _promote_number(found, number)
    return found


def _promote_pair(a: DType, b: DType) -> DType:
    if a == b:
        return a
    kinds = kind_of(a), kind_of(b)
    floats = {"real floating", "complex floating"}
    if kinds[0] != kinds[1] and not set(kinds) <= floats:
        raise TypeError(f"{a.name} and {b.name} are of different kinds, which do not promote; use astype on one of them")
    return as_dtype(np.promote_types(a.numpy_dtype, b.numpy_dtype))


def _promote_number(dtype: DType, number: Any) -> DType:
    kind = kind_of(dtype)
    if isinstance(number, bool):
        fits = kind == "bool"
    elif isinstance(number, int):
        fits = kind != "bool"
    elif isinstance(number, float):
        fits = kind in ("real floating", "complex floating")
    else:
        if kind == "real floating":
            return complex64 if dtype != float64 else complex128
        fits = kind == "complex floating"
    if not fits:
        raise TypeError(f"a Python {type(number).__name__} does not go with an array of {dtype.name}; use astype on the array")
    return dtype


def promote_arrays(*values: Any) -> list[Tensor]:
    """Arrays and Python numbers as tensors of the one dtype they come to."""
    dtype = result_type(*values)
    return [cast(v, dtype) if hasattr(v, "dtype") else convert_to_tensor(v, dtype) for v in values]


def can_cast(from_: object, to: object, /) -> bool:
    """Whether values of a dtype, or of an array's, become those of another without loss of kind or range.

    >>> xp.can_cast(xp.int8, xp.int16), xp.can_cast(xp.float64, xp.float32)
    (True, False)
    """
    source = from_.dtype if hasattr(from_, "dtype") else as_dtype(from_)
    return bool(np.can_cast(source.numpy_dtype, as_dtype(to).numpy_dtype))


def astype(x: Tensor, dtype: DTypeLike, /, *, copy: bool = True, device: str | None = None) -> Tensor:
    """`x` with elements of another dtype; gradients flow between floats.

    copy: accepted; nobody can tell, as nothing changes an array.

    >>> xp.astype(xp.asarray([1.5, -1.5]), xp.int32).numpy().tolist()
    [1, -1]
    """
    if kind_of(x.dtype) == "complex floating" and kind_of(as_dtype(dtype)) != "complex floating":
        raise TypeError(f"astype: {x.dtype.name} has an imaginary part that {as_dtype(dtype).name} cannot hold; take real(x) first")
    return cast(x, dtype)


class FloatInfo(NamedTuple):
    """What `finfo` says."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class IntegerInfo(NamedTuple):
    """What `iinfo` says."""

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: object, /) -> FloatInfo:
    """Limits of a floating dtype, or of an array's; of a complex one, of its parts.

    >>> xp.finfo(xp.float32).bits, xp.finfo(xp.complex128).dtype
    (32, tf.float64)
    """
    given = type.dtype if hasattr(type, "dtype") else as_dtype(type)
    dtype = given.real_dtype
    if kind_of(dtype) != "real floating":
        raise TypeError(f"finfo: {given.name} is not a floating dtype; iinfo tells of integers")
    if dtype == bfloat16:
        import ml_dtypes

        said: Any = ml_dtypes.finfo(dtype.numpy_dtype)
    else:
        said = np.finfo(dtype.numpy_dtype)
    return FloatInfo(said.bits, float(said.eps), float(said.max), float(said.min), float(said.smallest_normal), dtype)


def iinfo(type: object, /) -> IntegerInfo:
    """Limits of an integer dtype, or of an array's.

    >>> xp.iinfo(xp.uint8).max
    255
    """
    dtype = type.dtype if hasattr(type, "dtype") else as_dtype(type)
    if kind_of(dtype) != "integral":
        raise TypeError(f"iinfo: {dtype.name} is not an integer dtype; finfo tells of floats")
    said = np.iinfo(dtype.numpy_dtype)
    return IntegerInfo(said.bits, int(said.max), int(said.min), dtype)
