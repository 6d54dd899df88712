"""`tf.compat`'s small functions: text and bytes, and the size behind a dimension."""

from __future__ import annotations

import numbers
import os
from typing import Any

import numpy as np

from ..base.export import export
from ..base.shapes import Dimension, TensorShape
from ..ir.tensor import ShapeLike, TensorLike

#: Classes for `isinstance`: numbers of Python and of NumPy, and text.
integral_types = export("compat.integral_types")((numbers.Integral, np.integer))
real_types = export("compat.real_types")((numbers.Real, np.integer, np.floating))
complex_types = export("compat.complex_types")((numbers.Complex, np.number))
bytes_or_text_types = export("compat.bytes_or_text_types")((bytes, str))


@export(v2="compat.as_bytes")
def as_bytes(bytes_or_text: str | bytes | bytearray, encoding: str = "utf-8") -> bytes:
    """Bytes as they are, text encoded.

    Raises:
        TypeError: neither.
    """
    if isinstance(bytes_or_text, bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


@export(v2=("compat.as_str", "compat.as_text"))
def as_text(bytes_or_text: str | bytes, encoding: str = "utf-8") -> str:
    """Text as it is, bytes decoded.

    Raises:
        TypeError: neither.

    >>> as_text(b"loss")
    'loss'
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


@export(v2="compat.as_str_any")
def as_str_any(value: TensorLike, encoding: str = "utf-8") -> str:
    """Bytes decoded, anything else as `str` shows it.

    >>> as_str_any(b"loss"), as_str_any(0.5)
    ('loss', '0.5')
    """
    return value.decode(encoding) if isinstance(value, bytes) else str(value)


@export(v2="compat.path_to_str")
def path_to_str(path: str | os.PathLike[str]) -> str:
    """The string of a path object; anything else as it is.

    >>> from pathlib import PurePosixPath
    >>> path_to_str(PurePosixPath("logs/run")), path_to_str("logs")
    ('logs/run', 'logs')
    """
    return os.fspath(path) if isinstance(path, os.PathLike) else path


@export(v2="compat.dimension_value", v1="dimension_value")
def dimension_value(dimension: Any) -> int | None:
    """The int or None behind a `Dimension`; an int or None as it is.

    >>> dimension_value(Dimension(3)), dimension_value(None)
    (3, None)
    """
    return dimension.value if isinstance(dimension, Dimension) else dimension


@export(v2="compat.dimension_at_index", v1="dimension_at_index")
def dimension_at_index(shape: ShapeLike, index: int) -> Dimension:
    """One dimension of a shape as a `Dimension`; unknown where the rank is.

    >>> tf1.dimension_at_index(tf1.TensorShape([2, None]), 0)
    Dimension(2)
    """
    dims = TensorShape(shape).dims
    return Dimension(None) if dims is None else dims[index]
