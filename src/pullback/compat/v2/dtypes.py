"""The names of `tf.dtypes`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...base.dtypes import (
        QUANTIZED_DTYPES,
        DType,
        as_dtype,
        bfloat16,
        bool,
        complex64,
        complex128,
        float16,
        float32,
        float64,
        int8,
        int16,
        int32,
        int64,
        qint8,
        qint16,
        qint32,
        quint8,
        quint16,
        resource,
        string,
        uint8,
        uint16,
        uint32,
        uint64,
        variant,
    )
    from ...base.dtypes import float16 as half
    from ...base.dtypes import float64 as double
    from ...ops.math.cast import cast, saturate_cast
    from ...ops.math.complex import complex

__all__ = [
    "QUANTIZED_DTYPES",
    "DType",
    "as_dtype",
    "bfloat16",
    "bool",
    "cast",
    "complex",
    "complex64",
    "complex128",
    "double",
    "float16",
    "float32",
    "float64",
    "half",
    "int8",
    "int16",
    "int32",
    "int64",
    "qint8",
    "qint16",
    "qint32",
    "quint8",
    "quint16",
    "resource",
    "saturate_cast",
    "string",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "variant",
]

__getattr__ = _missing("tf.dtypes", __all__, __name__)
