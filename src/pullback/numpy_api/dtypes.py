"""Dtypes of `tf.experimental.numpy`: what arrays, numbers and dtypes come to, as NumPy promotes them.

Unlike TensorFlow's, these functions take Python's integers for int64 and its floats for float64, unless
`experimental_enable_numpy_behavior(prefer_float32=True)` asked for float32. NumPy itself is asked what types come to, with Python's numbers
as they are: beside an array they give way to its dtype. In the conversion modes "safe" and "all" TensorFlow's own table is asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import DType, as_dtype
from ..base.export import export
from ..compat import v2 as tf
from ..ir.tensor import DTypeLike, Tensor, TensorLike
from .promotion import Mode, result_of

_preferences = {"float32": False}


def prefer_float32(wanted: bool) -> None:
    """Whether Python's floats and complex numbers count as float32 and complex64."""
    _preferences["float32"] = wanted


def default_float() -> DType:
    """The dtype of integers where a function needs floats: NumPy's, whatever is preferred for Python's own floats."""
    return tf.float32 if Mode.is_automatic() else as_dtype(np.result_type(float))


def fill_float() -> DType:
    """The dtype of arrays made without one."""
    return tf.float32 if _preferences["float32"] or Mode.is_automatic() else tf.float64


def default_int(unsigned: bool = False) -> DType:
    """The dtype of sums of smaller integers, and of positions."""
    if Mode.is_automatic():
        return tf.uint32 if unsigned else tf.int32
    return tf.uint64 if unsigned else tf.int64


@export(v2="experimental.numpy.result_type")
def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype that arrays, dtypes and numbers come to by NumPy's promotion, or by the table of the conversion mode.

    Sequences count element by element. Raises TypeError where NumPy knows no common dtype.

    >>> tnp = tf.experimental.numpy
    >>> tnp.result_type(tf.constant([1.0]), 2.0), tnp.result_type(1, 2.0), tnp.result_type(tnp.int8, tnp.float32)
    (tf.float32, tf.float64, tf.float32)
    """
    return result_of(*arrays_and_dtypes).dtype if Mode.is_automatic() else numpy_type(*arrays_and_dtypes)


def numpy_type(*arrays_and_dtypes: Any) -> DType:
    """The same by NumPy's promotion, whatever the conversion mode."""
    found = [_show_numpy(x) for x in tf.nest.flatten(arrays_and_dtypes)]
    return as_dtype(np.result_type(*found) if found else np.dtype(float))


def _show_numpy(x: Any) -> Any:
    if isinstance(x, DType):
        return x.as_numpy_dtype
    dtype = getattr(x, "dtype", None)
    if isinstance(dtype, DType):
        return dtype.as_numpy_dtype
    if _preferences["float32"] and isinstance(x, (float, complex)):  # NumPy's float64 is one of Python's floats
        return np.float32(x) if isinstance(x, float) else np.complex64(x)
    return x


def type_of(a: TensorLike | None, dtype: DTypeLike | None = None) -> DType:
    """The dtype asked for, else that of one value, which may be text."""
    if dtype is not None and dtype != "":
        return result_type(dtype)
    if isinstance(a, (str, bytes)):
        return tf.string
    return result_type(a)


def asked_dtype(dtype: Any) -> DType | None:
    """The dtype that a caller named, None for none."""
    return None if dtype is None else result_type(dtype)


@export(v2="experimental.numpy.promote_types")
def promote_types(type1: DTypeLike, type2: DTypeLike) -> np.dtype[Any]:
    """The smallest dtype that holds both, NumPy's own.

    >>> tf.experimental.numpy.promote_types(tf.int32, tf.float32)
    dtype('float64')
    """
    return np.promote_types(_own_dtype(type1), _own_dtype(type2))


@export(v2="experimental.numpy.finfo")
def finfo(dtype: DTypeLike) -> np.finfo[Any]:
    """Limits of a floating dtype, as NumPy tells them.

    >>> tf.experimental.numpy.finfo(tf.float32).bits
    32
    """
    return np.finfo(_own_dtype(dtype))


def _own_dtype(dtype: Any) -> Any:
    if isinstance(dtype, DType):
        return np.dtype(dtype.as_numpy_dtype)
    own = getattr(dtype, "dtype", None)
    return np.dtype(own.as_numpy_dtype) if isinstance(own, DType) else dtype


def is_inexact(x: Tensor) -> bool:
    """Whether a tensor's elements are real or complex floats."""
    return bool(x.dtype.is_floating or x.dtype.is_complex)


@export(v2="experimental.numpy.iscomplexobj")
def iscomplexobj(x: TensorLike) -> bool:
    """Whether the elements are of a complex dtype, whatever their values.

    >>> tf.experimental.numpy.iscomplexobj([1.0, 2j])
    True
    """
    return type_of(x).is_complex


@export(v2="experimental.numpy.isrealobj")
def isrealobj(x: TensorLike) -> bool:
    """Whether the elements are of a dtype that is not complex.

    >>> tf.experimental.numpy.isrealobj([1.0, 2.0])
    True
    """
    return not iscomplexobj(x)


iinfo = export(v2="experimental.numpy.iinfo")(np.iinfo)
issubdtype = export(v2="experimental.numpy.issubdtype")(np.issubdtype)
bool_ = export(v2="experimental.numpy.bool_")(np.bool_)
complex_ = complex128 = np.complex128
export(v2="experimental.numpy.complex128")(complex128)
export(v2="experimental.numpy.complex_")(complex_)
complex64 = export(v2="experimental.numpy.complex64")(np.complex64)
float16, float32, float64 = np.float16, np.float32, np.float64
export(v2="experimental.numpy.float16")(float16)
export(v2="experimental.numpy.float32")(float32)
export(v2="experimental.numpy.float64")(float64)
float_ = export(v2="experimental.numpy.float_")(np.float64)
inexact = export(v2="experimental.numpy.inexact")(np.inexact)
int_ = export(v2="experimental.numpy.int_")(np.int_)
int8, int16, int32, int64 = np.int8, np.int16, np.int32, np.int64
export(v2="experimental.numpy.int8")(int8)
export(v2="experimental.numpy.int16")(int16)
export(v2="experimental.numpy.int32")(int32)
export(v2="experimental.numpy.int64")(int64)
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
export(v2="experimental.numpy.uint8")(uint8)
export(v2="experimental.numpy.uint16")(uint16)
export(v2="experimental.numpy.uint32")(uint32)
export(v2="experimental.numpy.uint64")(uint64)
object_ = export(v2="experimental.numpy.object_")(np.object_)
string_ = export(v2="experimental.numpy.string_")(np.bytes_)
unicode_ = export(v2="experimental.numpy.unicode_")(np.str_)
