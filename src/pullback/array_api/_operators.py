"""Operators of tensors as NumPy has them: operands of different dtypes promote, and keys may hold arrays of integers.

TensorFlow's operators want one dtype on both sides; `tf.experimental.numpy.experimental_enable_numpy_behavior()` exchanges them, for the
whole process, as it does in TensorFlow. What is exchanged is the table that operators go through, so gradients stay what they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtypes import DType, as_dtype, complex64, float32
from ..ir.apply import convert_to_tensor
from ..ir.operators import METHODS
from ..ops.cast import cast
from . import _elementwise as elementwise
from ._dtypes import kind_of, result_type
from ._manipulation import getitem

_EXCHANGED = ("add", "sub", "mul", "truediv", "and", "or", "xor", "less", "less_equal", "greater", "greater_equal", "lshift", "rshift")
_STANDARD = {"floordiv": elementwise.floor_divide, "mod": elementwise.remainder, "pow": elementwise.pow}
_before: dict[str, Callable[..., Any]] = {}


def enable(prefer_float32: bool = False) -> None:
    """Exchange the operators."""
    if _before:
        return
    names = (*_EXCHANGED, *_STANDARD, "neg", "abs", "matmul", "equal_operator", "not_equal_operator", "getitem")
    _before.update({name: METHODS[name] for name in names})
    as_they_are = (*_EXCHANGED, "matmul", "equal_operator", "not_equal_operator")
    METHODS.update({name: _promoting(_before[name], prefer_float32) for name in as_they_are})
    METHODS.update({name: _promoting(lambda x, y, name=None, of=of: of(x, y), prefer_float32) for name, of in _STANDARD.items()})
    METHODS.update(neg=elementwise.negative, abs=elementwise.abs)
    METHODS["getitem"] = lambda tensor, key: getitem(tensor, key, _before["getitem"])


def disable() -> None:
    """Give tensors TensorFlow's operators back."""
    METHODS.update(_before)
    _before.clear()


def _promoting(operator: Callable[..., Any], prefer_float32: bool) -> Callable[..., Any]:
    def promoted(x: Any, y: Any, *rest: Any, **named: Any) -> Any:
        return operator(*_alike(x, y, prefer_float32), *rest, **named)

    return promoted


def _alike(x: Any, y: Any, prefer_float32: bool) -> tuple[Any, Any]:
    """Two operands with the dtype they come to; Python's numbers and what is no array go on as they are."""
    pair = [convert_to_tensor(v) if isinstance(v, (np.ndarray, np.generic)) or hasattr(v, "_to_tensor") else v for v in (x, y)]
    kinds: list[DType | None] = [getattr(v, "dtype", None) for v in pair]
    if kinds[0] is None or kinds[1] is None:
        known = kinds[0] or kinds[1]
        number = pair[0] if kinds[0] is None else pair[1]
        if known is None or not isinstance(number, (int, float, complex)) or isinstance(number, bool):
            return pair[0], pair[1]
        dtype = _with_number(known, number)
        return tuple(cast(v, dtype) if hasattr(v, "dtype") else convert_to_tensor(v, dtype) for v in pair)
    if kinds[0] == kinds[1]:
        return pair[0], pair[1]
    dtype = _of_two(kinds[0], kinds[1], prefer_float32)
    return cast(pair[0], dtype), cast(pair[1], dtype)


def _of_two(a: DType, b: DType, prefer_float32: bool) -> DType:
    if kind_of(a) == kind_of(b) or "complex floating" in (kind_of(a), kind_of(b)):
        return as_dtype(np.promote_types(a.numpy, b.numpy))
    if prefer_float32 and "real floating" in (kind_of(a), kind_of(b)):
        return a if kind_of(a) == "real floating" else b
    return as_dtype(np.promote_types(a.numpy, b.numpy))


def _with_number(dtype: DType, number: Any) -> DType:
    kind = kind_of(dtype)
    if isinstance(number, complex) and kind != "complex floating":
        return result_type(dtype, number) if kind == "real floating" else complex64
    if isinstance(number, float) and kind in ("integral", "bool"):
        return float32 if dtype.size < 4 else as_dtype("float64")
    return dtype


__all__ = ["disable", "enable"]
