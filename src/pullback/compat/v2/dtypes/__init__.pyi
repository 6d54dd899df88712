"""The names of `pullback.compat.v2.dtypes`, written by docs/make_exports.py."""

from pullback.base.dtypes import DType as DType
from pullback.base.dtypes import QUANTIZED as QUANTIZED_DTYPES
from pullback.base.dtypes import as_dtype as as_dtype
from pullback.base.dtypes import bfloat16 as bfloat16
from pullback.base.dtypes import bool as bool
from pullback.base.dtypes import complex128 as complex128
from pullback.base.dtypes import complex64 as complex64
from pullback.base.dtypes import float16 as float16
from pullback.base.dtypes import float16 as half
from pullback.base.dtypes import float32 as float32
from pullback.base.dtypes import float64 as double
from pullback.base.dtypes import float64 as float64
from pullback.base.dtypes import int16 as int16
from pullback.base.dtypes import int32 as int32
from pullback.base.dtypes import int64 as int64
from pullback.base.dtypes import int8 as int8
from pullback.base.dtypes import qint16 as qint16
from pullback.base.dtypes import qint32 as qint32
from pullback.base.dtypes import qint8 as qint8
from pullback.base.dtypes import quint16 as quint16
from pullback.base.dtypes import quint8 as quint8
from pullback.base.dtypes import resource as resource
from pullback.base.dtypes import string as string
from pullback.base.dtypes import uint16 as uint16
from pullback.base.dtypes import uint32 as uint32
from pullback.base.dtypes import uint64 as uint64
from pullback.base.dtypes import uint8 as uint8
from pullback.base.dtypes import variant as variant
from pullback.compat.v2.dtypes import experimental as experimental
from pullback.ops.math.complex import complex as complex
from pullback.ops.math.saturate import saturate_cast as saturate_cast
from pullback.ops.primitives.cast import cast as cast

__all__ = [
    "DType",
    "QUANTIZED_DTYPES",
    "as_dtype",
    "bfloat16",
    "bool",
    "cast",
    "complex",
    "complex128",
    "complex64",
    "double",
    "experimental",
    "float16",
    "float32",
    "float64",
    "half",
    "int16",
    "int32",
    "int64",
    "int8",
    "qint16",
    "qint32",
    "qint8",
    "quint16",
    "quint8",
    "resource",
    "saturate_cast",
    "string",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "variant",
]
