"""From Python and NumPy values to arrays of TensorFlow's dtypes.

Python's own numbers adopt the dtype asked for (an int may become a float, never the other way; one that does not fit an integer
dtype loses its high bits, as in TensorFlow);
NumPy arrays carry their dtype and are cast when another is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np

from ..base import nest
from ..base.dtypes import FROM_NUMPY, DType, as_dtype, float32, float64, int32, int64, string
from ..base.shapes import Dimension, TensorShape
from ..kernels.memory import LEAST_ALIGNED, copy_array
from .composite import CompositeTensor, NotATensor
from .context import Dispatch, executing_eagerly
from .conversions import convert_registered, converts
from .numbers import array_of_numbers, fits, refusal
from .tensor import LATE_BOUND, DTypeLike, IndexedSlices, Tensor

#: Classes that are no tensors, and of which no program says how they convert.
_PLAIN = frozenset([int, float, complex, bool, np.ndarray])
_LEAST, _MOST, _INTEGERS = -(2**31), 2**31 - 1, (None, int32)
_FLOATS: dict[DType | None, type[np.floating[Any]]] = {None: np.float32, float32: np.float32, float64: np.float64}


def is_tensor_like(value: object) -> TypeGuard[Any]:
    """Whether `value` is a tensor, or an object such as a variable that stands for one."""
    return isinstance(value, Tensor) or hasattr(value, "__as_tensor__")


_SINGLE = (bool, int, float, np.ndarray)


def is_single(value: object) -> bool:
    """Whether `value` is converted together with the tensors beside it: a tensor, a variable, an array or what makes one, a number."""
    if isinstance(value, _SINGLE):
        return True
    return (is_tensor_like(value) or hasattr(value, "__array__")) and not isinstance(value, (IndexedSlices, np.generic))


def holds_tensors(value: object) -> bool:
    """Whether a (nested) list or tuple has a tensor among its elements."""
    if isinstance(value, (list, tuple)):
        return not _PLAIN.issuperset(map(type, value)) and any(
            is_tensor_like(v) or (isinstance(v, (list, tuple)) and holds_tensors(v)) for v in value
        )
    return False


def first_leaf(value: Any) -> Any:
    """The first element of a nested list, the list itself where there is none."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return value


def _first_number(leaf: Any) -> Any:
    array = np.asarray(leaf) if hasattr(leaf, "__array__") else leaf
    return array.flat[0] if isinstance(array, np.ndarray) and array.size else array


def _bytes_array(value: Any) -> np.ndarray:
    given = np.asarray(value, dtype=object)
    flat = given.ravel().tolist()
    kinds = {*map(type, flat)}
    if str in kinds or np.str_ in kinds:
        flat = [v.encode() if isinstance(v, str) else v for v in flat]
        kinds = {*map(type, flat)}
    if kinds - {bytes}:
        for element in flat:
            if isinstance(element, (list, tuple)):
                raise _uneven_error(value)
            if not isinstance(element, bytes):
                if not executing_eagerly():
                    raise _failure_error(given.tolist())
                raise ValueError(f"Can't convert Python sequence with mixed types to Tensor: {element!r} among strings")
        flat = [*map(bytes, flat)]
    out = np.empty(len(flat), dtype=object)
    out[:] = flat
    return out.reshape(given.shape)


_KINDS = "biufcV"


_WORDS = frozenset([str, bytes, np.str_, np.bytes_])


def plain_array(value: object) -> np.ndarray:
    """What NumPy makes of `value`, but with strings of bytes as objects: its own fields of bytes lose the zeros at their end."""
    array = np.asarray(value)
    return np.asarray(value, object) if array.dtype.kind == "S" and not isinstance(value, (np.ndarray, np.generic)) else array


def array_of(value: object, dtype: DType | None = None, hint: DType | None = None) -> np.ndarray:
    """A fresh array of `value`; a TypeError where `dtype` is of another kind, a ValueError for ragged lists and what is no array.

    value: numbers, strings, nested lists of them, objects with `__array__`.  dtype: the dtype wanted, None to follow the value:
    Python ints int32 (int64 where they do not fit), floats float32, complex complex128, NumPy's own as they are.
    hint: the dtype to take where the value itself has none (an empty list).
    """
    if isinstance(value, (np.ndarray, np.generic)):
        return _from_numpy(value, dtype)
    if type(value) is int and _LEAST <= value <= _MOST and (hint if dtype is None else dtype) in _INTEGERS:
        return np.array(value, np.int32)
    if type(value) is float and (kind := _FLOATS.get(hint if dtype is None else dtype)) is not None:
        return np.array(value, kind)
    leaf = first_leaf(value)
    if type(leaf) not in _PLAIN:
        if isinstance(leaf, CompositeTensor):
            raise NotATensor(leaf)
        if leaf is value and hasattr(value, "__array__"):
            return _from_numpy(np.asarray(value), dtype)
        if leaf is value and type(leaf) in _SIZES:
            return _from_sizes(leaf, dtype, hint)
        if value is None or (leaf is None and executing_eagerly()):
            raise _unsupported_error(value, leaf)
        if isinstance(leaf, (str, bytes)):
            if leaf is not value and executing_eagerly() and {*map(type, np.array(value, object).ravel().tolist())} - _WORDS:
                raise ValueError(f"Can't convert Python sequence with mixed types to Tensor: {value!r}")
            if dtype is not None and dtype is not string:
                raise refusal(value, dtype, first_leaf(value))
            return _bytes_array(value)
    try:
        array = np.array(value)
    except ValueError as error:
        raise _uneven_error(value, dtype) from error
    except OverflowError as error:
        raise OverflowError(f"Python int too large to convert to a tensor: {value!r}") from error
    if isinstance(leaf, np.ndarray) and leaf.ndim and leaf is not value and not executing_eagerly():
        if dtype is not None and (array.dtype.kind in "US" or not fits(array.dtype.kind, dtype)):
            raise refusal(value, dtype, leaf)
        dims, got = [*array.shape[: -leaf.ndim]], [*array.shape]
        raise ValueError(f"Expected values {value!r} to be a dense tensor with shape {dims}, but got shape {got}.")
    if array.dtype.kind in "US" and executing_eagerly() and not isinstance(_first_number(leaf), (str, bytes)):
        raise ValueError(f"Can't convert Python sequence with mixed types to Tensor: {value!r}")
    if dtype is not None and dtype.is_floating and array.dtype == object and {*map(type, array.ravel().tolist())} == {int}:
        try:
            array = array.astype(np.float64)  # integers beyond 64 bits
        except OverflowError as error:
            raise _range_error(value) from error
    if array.dtype.kind not in _KINDS:
        return _from_objects(value, array, dtype, hint)
    if array.size == 0 and (not isinstance(leaf, np.ndarray) or executing_eagerly()):
        return array.astype((dtype or hint).numpy_dtype if dtype or hint else np.float32)  # type: ignore[union-attr]  # one of them is there
    if array.dtype.kind == "V":
        return _from_numpy(array, dtype)
    return array_of_numbers(value, _first_number(leaf), array, dtype, hint)


def _from_numpy(value: Any, dtype: DType | None) -> np.ndarray:
    array = np.array(value) if value.nbytes < LEAST_ALIGNED else copy_array(value, "K")
    if array.dtype.kind in "USO" or (array.dtype == object):
        if dtype is not None and dtype is not string:
            try:
                return array.astype(dtype.numpy_dtype)
            except (TypeError, ValueError) as error:
                if isinstance(error, ValueError):
                    raise
                raise refusal(value, dtype, first_leaf(value)) from error
        return _bytes_array(array)
    if array.dtype not in FROM_NUMPY:
        if array.dtype.newbyteorder("=") in FROM_NUMPY:
            array = array.astype(array.dtype.newbyteorder("="))
        else:
            raise ValueError(f"Failed to convert a NumPy array to a Tensor (Unsupported numpy type {array.dtype}).")
    if dtype is None or dtype.numpy_dtype == array.dtype:
        return array
    if dtype is string:
        if not executing_eagerly():
            raise refusal(value, dtype, first_leaf(value))
        raise ValueError(f"Failed to convert a NumPy array to a Tensor (Unsupported object type {type(array.flat[0].item()).__name__}).")
    if array.dtype.kind == "c" and not dtype.is_complex and not dtype.is_bool:
        array = array.real  # as TensorFlow, which drops the imaginary part of an array without a word
    return array.astype(dtype.numpy_dtype)


#: Parts of static shapes, which are integers where they are known.
_SIZES = frozenset([Dimension, TensorShape])


def _from_sizes(value: Any, dtype: DType | None, hint: DType | None) -> np.ndarray:
    """A `Dimension` or a `TensorShape`, which are int32 or int64."""
    kind = type(value).__name__
    if dtype not in (None, int32, int64):
        raise TypeError(f"Cannot convert {kind} {value} to dtype {dtype}. Allowed dtypes are tf.int32 and tf.int64.")
    sizes = value.value if kind == "Dimension" else value.as_tuple()
    if sizes is None or (kind == "TensorShape" and None in sizes):
        partly = "unknown Dimension" if kind == "Dimension" else "a partially known TensorShape"
        raise ValueError(f"Cannot convert {partly} {value} to a Tensor.")
    if dtype is int32 and kind == "TensorShape" and max(sizes, default=0) > _MOST:
        raise ValueError(f"Cannot convert {kind} {value} to dtype int32; a dimension is too large. Consider using tf.int64.")
    wide = int64 in (dtype, hint) or (dtype is None and kind == "TensorShape" and max(sizes, default=0) > _MOST)
    return np.array(sizes, (int64 if wide and dtype is not int32 else int32).numpy_dtype)


def _from_dimensions(value: Any, array: np.ndarray, dtype: DType | None) -> np.ndarray:
    """A list with `Dimension` objects among its numbers; in a graph only where integers are wanted, as in TensorFlow."""
    if (dtype is None or not dtype.is_integer) and (dtype is not None or not executing_eagerly()):
        raise TypeError(f"Failed to convert elements of {value!r} to Tensor. Consider casting elements to a supported type.")
    numbers = [x.value if type(x) is Dimension else x for x in array.ravel().tolist()]
    if None in numbers:
        raise TypeError(f"Failed to convert elements of {value!r} to Tensor: a dimension is unknown.")
    return array_of(np.array(numbers).reshape(array.shape).tolist(), dtype)


def _uneven_error(value: Any, dtype: DType | None = None) -> Exception:
    """The error of nested lists whose lengths or depths differ; in a graph that of the first element that does not fit `dtype`, if one."""
    if not executing_eagerly():
        for leaf in nest.flatten(value):
            if dtype is not None and (dtype is string or leaf is None or not fits(np.asarray(leaf).dtype.kind, dtype)):
                return refusal(value, dtype, leaf)
        return ValueError(f"setting an array element with a sequence: {value!r} is not rectangular")
    if isinstance(value[0], (list, tuple)):
        return ValueError(f"Can't convert non-rectangular Python sequence to Tensor: {value!r}")
    return ValueError(f"Can't convert Python sequence with mixed types to Tensor: {value!r}")


def _range_error(value: Any) -> Exception:
    """The error of Python integers that no dtype holds."""
    if executing_eagerly():
        return ValueError(f"Can't convert Python sequence with out-of-range integer to Tensor: {value!r}")
    return _failure_error(value)


_SCIPY = (
    " A matrix m of scipy.sparse becomes a dense tensor by tf.constant(m.toarray()), a sparse one by m = m.tocoo(); "
    "tf.SparseTensor(np.stack([m.row, m.col], axis=1), m.data, m.shape)."
)


def _own_class(leaf: object) -> str:
    """How an object of a program's own class becomes a structure."""
    if not hasattr(leaf, "__dict__") or callable(leaf):
        return ""
    kind = type(leaf).__name__
    return f" To use it as a structure, call tf.register_structure({kind}, flatten, unflatten) first; dataclasses need no such call."


def _unsupported_error(value: Any, leaf: Any) -> Exception:
    """The error of a value with something in it that is no number, text or tensor; None by itself is a ValueError in graphs too."""
    told = Dispatch.why_none() if leaf is None else _SCIPY if hasattr(leaf, "tocoo") else _own_class(leaf)
    if value is None and not executing_eagerly():
        return ValueError(f"None values not supported.{told}")
    if executing_eagerly():
        return ValueError(f"Attempt to convert a value ({leaf!r}) with an unsupported type ({type(leaf)}) to a Tensor.{told}")
    return _failure_error(value, told)


def _failure_error(value: Any, told: str = "") -> TypeError:
    return TypeError(f"Failed to convert elements of {value!r} to Tensor. Consider casting elements to a supported type.{told}")


def _from_objects(value: Any, array: np.ndarray, dtype: DType | None, hint: DType | None) -> np.ndarray:
    """Objects that only they themselves know to turn into arrays (`__array__`, lists of mixed things)."""
    if Dimension in {*map(type, array.ravel().tolist())}:
        return _from_dimensions(value, array, dtype or hint)
    for leaf in array.ravel():
        if isinstance(leaf, (str, bytes)):
            if dtype is not None and dtype is not string:
                raise refusal(value, dtype, leaf)
            return _bytes_array(value)
        if isinstance(leaf, CompositeTensor):
            raise NotATensor(leaf)
        if type(leaf) is int:
            raise _range_error(value)
        raise _unsupported_error(value, leaf)
    return _from_numpy(array, dtype)


def check_dtype(tensor: Tensor, dtype: DType | None) -> Tensor:
    """`tensor` itself; a ValueError where it is not of the dtype asked for."""
    if dtype is not None and tensor.dtype.base_dtype != dtype.base_dtype:
        raise ValueError(f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype {tensor.dtype.name}: {tensor!r}")
    return tensor


def to_tensor(
    value: object, dtype: DTypeLike | None = None, hint: DType | None = None, *, make: Callable[..., Any], name: str | None = None
) -> Tensor:
    """Convert `value`; `make(array, name)` turns an array into a tensor of the current interpreter."""
    wanted = None if dtype is None else as_dtype(dtype).base_dtype
    if isinstance(value, Tensor):
        return check_dtype(value, wanted)
    if hasattr(value, "__as_tensor__"):
        return check_dtype(value.__as_tensor__(name=name) if isinstance(value, IndexedSlices) else value.__as_tensor__(), wanted)
    if type(value) not in _PLAIN and converts(value):
        found = convert_registered(value, wanted, name)
        if found is not NotImplemented:
            return found
    if holds_tensors(value):
        return Dispatch.pack(value, wanted, hint, name)
    return make(array_of(value, wanted, hint), name)


LATE_BOUND["array_of"] = array_of

__all__ = ["array_of", "check_dtype", "holds_tensors", "int32", "is_tensor_like", "to_tensor"]
