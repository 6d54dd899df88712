"""The dtype of Python's numbers and of lists of them, NumPy's among them: the first one says the kind, as in TensorFlow.

Eagerly `[np.int64(1), 2.5]` is float32, `[np.float64(1), 2]` float64 and `[np.int8(1), np.int64(2)]` int32, however NumPy would
promote them; graphs take NumPy's promotion, then single precision and 32 bits where the values fit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import DType, complex128, float16, float32, float64, int32, int64, uint64
from .context import executing_eagerly

_NARROW = {np.dtype(np.float64): np.dtype(np.float32), np.dtype(np.int64): np.dtype(np.int32)}
_INT32 = np.iinfo(np.int32)
_KINDS = {bool: "b", int: "i", float: "f", complex: "c"}
#: The floating types of NumPy's numbers that a list keeps where they come first; every other float is float32.
_KEPT = {np.dtype(np.float64), np.dtype(np.float16)}
#: What TensorFlow makes of Python's True and False eagerly; in graphs it makes any number of them.
_OF_BOOLEANS = frozenset([float16, float32, float64, int32, int64, uint64, complex128])
#: What integers of 64 bits without a sign become eagerly.
_OF_LARGEST = frozenset([float16, float32, float64, uint64])
_LARGEST = 2**63


def array_of_numbers(value: object, leaf: object, array: np.ndarray, dtype: DType | None, hint: DType | None) -> np.ndarray:
    """`array`, which NumPy made of the numbers in `value`, in `dtype`, or in the dtype that TensorFlow gives them.

    leaf: the first number, or the first array.  hint: the dtype to take where it fits.
    Raises TypeError: `dtype` is of another kind.  ValueError: numbers that do not go together, integers out of range.
    """
    eager = executing_eagerly()
    first = leaf.dtype if isinstance(leaf, (np.generic, np.ndarray)) else None
    kind = array.dtype.kind
    begins = _KINDS.get(type(leaf)) if first is None else first.kind
    if eager and (begins != kind or kind == "u"):
        _check_mixture(value, begins or kind, kind, first is None and dtype in _OF_BOOLEANS and fits(kind, dtype))
        _check_range(value, array, dtype, isinstance(leaf, int) if first is None else first.kind in "iu")
    if dtype is None and hint is not None and not _is_beyond(array, hint) and fits(kind, hint) and (hint.is_bool or kind != "b"):
        dtype = hint
    if dtype is not None:
        if not fits(kind, dtype) or (first == np.bool_ and not dtype.is_bool):
            raise refusal(value, dtype, leaf)
        if dtype is uint64 and array.size and kind == "i" and int(array.min()) < 0 and eager:
            raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype uint64: out of range")
        return array.astype(dtype.numpy_dtype)
    if eager and kind in "iufc":
        return array.astype(_eager_dtype(first, array))
    if array.dtype == np.int64 and not _is_within_32_bits(array):
        return array
    return array.astype(_NARROW.get(array.dtype, array.dtype))


def fits(kind: str, dtype: DType) -> bool:
    """Whether Python's numbers of a kind (NumPy's letter) may become `dtype`."""
    if kind == "b":
        return dtype.is_bool or dtype in _OF_BOOLEANS or (dtype.is_numeric and not executing_eagerly())
    if dtype.is_bool:
        return False
    if kind in "iu":
        return dtype.is_integer or dtype.is_floating or dtype.is_complex
    if kind == "f":
        return dtype.is_floating or dtype.is_complex
    return kind != "c" or dtype.is_complex


def refusal(value: object, dtype: DType, leaf: object) -> TypeError:
    """The error of a value that is of another kind than the dtype asked for."""
    return TypeError(
        f"Cannot convert {value!r} to EagerTensor of dtype {dtype.name} (Expected {dtype.name}, but got {leaf!r} of type "
        f"'{type(leaf).__name__}'.)"
    )


def _check_mixture(value: Any, first: str, kind: str, numbers: bool) -> None:
    """Refuse numbers that come after others of a kind that does not hold them; `numbers`: booleans among them count as 0 and 1."""
    if (first == "b" != kind and not numbers) or (first in "iuf" and kind == "c"):
        raise ValueError(f"Can't convert Python sequence with mixed types to Tensor: {value!r}")


def _check_range(value: Any, array: np.ndarray, dtype: DType | None, of_integers: bool) -> None:
    """Refuse integers of more than 63 bits, but for the dtypes that TensorFlow makes of them."""
    if dtype in _OF_LARGEST or not array.size or array.dtype.kind not in "uf" or array.dtype.itemsize < 8 or not of_integers:
        return
    if array.max() >= _LARGEST and (array.dtype.kind == "u" or {*map(type, np.array(value, object).ravel().tolist())} == {int}):
        raise ValueError(f"Can't convert Python sequence with out-of-range integer to Tensor: {value!r}")


def _eager_dtype(first: np.dtype[Any] | None, array: np.ndarray) -> Any:
    if array.dtype.kind == "c":
        return np.complex128
    if array.dtype.kind == "f":
        return first if first in _KEPT else np.float32
    return np.int32 if _is_within_32_bits(array) else np.int64


def _is_within_32_bits(array: np.ndarray) -> bool:
    return array.dtype.itemsize < 4 or not array.size or bool(array.max() <= _INT32.max and array.min() >= _INT32.min)


def _is_beyond(array: np.ndarray, dtype: DType) -> bool:
    """Whether an array of integers has some that an integer dtype lacks."""
    if not dtype.is_integer or array.dtype.kind not in "iu" or not array.size:
        return False
    least, most = dtype._bounds("maximum")
    return bool(array.max() > most or array.min() < least)
