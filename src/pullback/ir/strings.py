"""Tensors of strings, which hold Python's objects, a packed column, or both: each is made of the other when it is first asked for.

What goes from one string kernel to the next stays packed; all else reads `value`, as of any eager tensor, and finds an array of `bytes`.
Graphs and compiled programs pass arrays of objects: `map_objects` makes a kernel for them of one over columns.  Within a plan, what only
such kernels read stays packed too (`map_columns`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.counterparts import name_class
from ..base.dtypes import DType, string
from ..kernels.strings import OBJECTS, StringArray, pack_strings
from .tensor import EagerTensor, fresh_uid


@name_class("framework.ops.EagerTensor")
class StringTensor(EagerTensor):
    """An eager tensor of strings."""

    __slots__ = ("_column", "_objects")
    _objects: np.ndarray | None
    _column: StringArray | None

    def __init__(self, value: np.ndarray | StringArray) -> None:
        self._objects, self._column = (None, value) if isinstance(value, StringArray) else (value, None)
        self.uid = fresh_uid()

    @property
    def value(self) -> np.ndarray:  # type: ignore[override]  # made when it is asked for
        """The strings as an array of `bytes`, which nobody changes."""
        if self._objects is None:
            assert self._column is not None
            self._objects = self._column.objects()
        return self._objects

    @property
    def packed(self) -> StringArray:
        """The strings as a column."""
        if self._column is None:
            assert self._objects is not None
            self._column = pack_strings(self._objects)
        return self._column

    @property
    def dims(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return self._objects.shape if self._objects is not None else self.packed.shape

    @property
    def dtype(self) -> DType:
        """`tf.string`."""
        return string

    def numpy(self) -> Any:
        """A copy of the value, an array of `bytes`; a scalar as `bytes`."""
        if self._objects is None and not self.dims:
            return self.packed.item()
        return super().numpy()

    def __copy__(self) -> StringTensor:
        return StringTensor(self.packed if self._objects is None else self._objects)

    def __deepcopy__(self, memo: dict[int, Any]) -> StringTensor:
        return StringTensor(self.value.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.value,)


def _restore(value: np.ndarray) -> StringTensor:
    """A tensor from what it was pickled as: not by its class, which may be called as TensorFlow's."""
    return StringTensor(value)


def tensor_of(value: np.ndarray) -> EagerTensor:
    """An array as an eager tensor of the class for its dtype."""
    return StringTensor(value) if value.dtype is OBJECTS else EagerTensor(value)


def columns_of(tensor: Any) -> Any:
    """A tensor's value for a kernel over columns; those of a list of tensors."""
    if type(tensor) is StringTensor:
        return tensor.packed
    if isinstance(tensor, tuple):
        return [columns_of(t) for t in tensor]
    return _column(tensor.value)


def _column(value: Any) -> Any:
    """An array of objects as a column, anything else as it is."""
    if isinstance(value, list):
        return [_column(v) for v in value]
    return pack_strings(value) if isinstance(value, np.ndarray) and value.dtype.kind == "O" else value


def _unpack_value(value: Any) -> np.ndarray:
    return value.objects() if type(value) is StringArray else value


def give_arrays(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that gives `bytes` for a single string as one that gives an array."""

    @functools.wraps(kernel)
    def call_kernel(*values: Any, **attrs: Any) -> Any:
        result = kernel(*values, **attrs)
        return type(result)(map(wrap_string, result)) if type(result) in (tuple, list) else wrap_string(result)

    return call_kernel


def wrap_string(value: Any) -> Any:
    """A string as an array, anything else as it is; NumPy itself would lose the zeros at a string's end."""
    if type(value) is not bytes:
        return value
    array = np.empty((), object)
    array[()] = value
    return array


def map_objects(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel over columns as one that takes and gives arrays of objects."""

    @functools.wraps(kernel)
    def call_kernel(*values: Any, **attrs: Any) -> np.ndarray:
        result = kernel(*[_column(v) for v in values], **attrs)
        return type(result)(map(_unpack_value, result)) if type(result) in (tuple, list) else _unpack_value(result)

    return call_kernel


def map_columns(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel over columns as one that takes arrays of objects too, and gives what it gives."""

    @functools.wraps(kernel)
    def call_kernel(*values: Any, **attrs: Any) -> Any:
        return kernel(*[_column(v) for v in values], **attrs)

    return call_kernel
