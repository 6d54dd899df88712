"""The order and the sizes of an image's dimensions, as functions of `tf.nn` are given them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import int32, int64
from ..ir.apply import convert_to_tensor
from ..ir.convert import is_tensor_like
from ..ir.tensor import ShapeLike, Tensor
from ..ops.primitives.cast import cast


def convert_beside(value: Any, other: Any, name: str, rank: int | None = None) -> Tensor:
    """`value` as a tensor: an array (of at most `rank` axes) in the dtype of a tensor beside it, as operations take their arguments."""
    adopts = isinstance(value, np.ndarray) and (rank is None or value.ndim <= rank) and is_tensor_like(other)
    return convert_to_tensor(value, other.dtype if adopts else None, name=name)


def as_sizes(sizes: ShapeLike | None) -> Tensor:
    """Sizes as int32, of which tensors may be of int64."""
    given = convert_to_tensor(sizes, None if isinstance(sizes, Tensor) else int32, name="input_sizes")
    return cast(given, int32) if given.dtype is int64 else given


def layout_of(data_format: Any, default: str) -> str:
    """The order of dimensions that is given, the default for None; errors of TensorFlow's classes for what is no text."""
    if data_format is None:
        return default
    if isinstance(data_format, bytes):
        raise TypeError(f"startswith first arg must be bytes or a tuple of bytes, not str: data_format is text, not {data_format!r}")
    if not isinstance(data_format, str):
        kind = type(data_format).__name__
        raise AttributeError(f"'{kind}' object has no attribute 'startswith': data_format is a word, not {data_format!r}")
    return data_format or default
