"""Classes of a program's own that convert to tensors: by a function that is registered for them, or a method `__tf_tensor__`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtypes import DType
from ..base.export import export
from .tensor import Tensor

_Conversion = Callable[..., Any]

#: What is converted without asking: numbers and arrays.
_NUMBERS = (int, float, np.generic, np.ndarray)
#: From here on, a conversion comes after the one that there is for lists and tuples, or for everything else, and so never.
_LAST_FOR_LISTS, _LAST = 99, 200


class _Registry:
    """The functions by their priority, in the order in which they were registered, and which of them serve a class."""

    def __init__(self) -> None:
        self.entries: list[tuple[float, tuple[type, ...], _Conversion]] = []
        self.of: dict[type, list[_Conversion]] = {}

    def add(self, kinds: tuple[type, ...], conversion: _Conversion, priority: float) -> None:
        self.entries.append((priority, kinds, conversion))
        self.entries.sort(key=lambda entry: entry[0])
        self.of = {}

    def serving(self, kind: type) -> list[_Conversion]:
        found = self.of.get(kind)
        if found is None:
            last = _LAST_FOR_LISTS if issubclass(kind, (list, tuple)) else _LAST
            found = [f for priority, kinds, f in self.entries if priority < last and issubclass(kind, kinds)]
            self.of[kind] = found
        return found


_registry = _Registry()


@export("register_tensor_conversion_function")
def register_tensor_conversion_function(base_type: object, conversion_func: _Conversion, priority: float = 100) -> None:
    """Let `conversion_func` make tensors of objects of a class (or of several, a tuple), wherever a tensor is taken.

    conversion_func: called as `conversion_func(value, dtype=None, name=None, as_ref=False)`, gives a tensor of `dtype` where that is given,
    or NotImplemented, and the next one is asked.  priority: those with a smaller one are asked first.
    Raises TypeError: `base_type` no class, or one of numbers or arrays; `conversion_func` no function.

    >>> class Celsius:
    ...     def __init__(self, degrees):
    ...         self.degrees = degrees
    >>> tf.register_tensor_conversion_function(
    ...     Celsius, lambda value, dtype=None, name=None, as_ref=False: tf.constant(value.degrees + 273.15, dtype, name=name or "Const")
    ... )
    >>> float(tf.square(Celsius(-272.15)))
    1.0
    """
    kinds = base_type if isinstance(base_type, tuple) else (base_type,)
    if not all(isinstance(kind, type) for kind in kinds):
        raise TypeError(f"Argument `base_type` must be a type or a tuple of types. Obtained: {base_type}")
    if any(issubclass(kind, _NUMBERS) for kind in kinds):
        raise TypeError("Cannot register conversions for Python numeric types and NumPy scalars and arrays.")
    if not callable(conversion_func):
        raise TypeError(f"Argument `conversion_func` must be callable. Received {conversion_func}.")
    _registry.add(kinds, conversion_func, priority)


def converts(value: object) -> bool:
    """Whether a value says itself, or a function that is registered for its class may say, which tensor it is."""
    kind = type(value)
    return bool(_registry.entries and _registry.serving(kind)) or hasattr(kind, "__tf_tensor__")


def convert_registered(value: Any, dtype: DType | None, name: str | None, kinds: tuple[type[Any], ...] = (Tensor,)) -> Tensor:
    """The tensor, or other value of these classes, that a value is converted to; NotImplemented where nobody converts it.

    Raises RuntimeError where a registered function gives no tensor, or one of another dtype.
    """
    if hasattr(type(value), "__tf_tensor__"):
        return value.__tf_tensor__(dtype, name)
    for conversion in _registry.serving(type(value)):
        found = conversion(value, dtype=dtype, name=name, as_ref=False)
        if found is NotImplemented:
            continue
        tensor = found.__as_tensor__() if hasattr(found, "__as_tensor__") else found
        by = f"{f'{name}: ' if name else ''}Conversion function {conversion!r} for type {type(value)} returned"
        if not isinstance(tensor, kinds):
            raise RuntimeError(f"{by} non-Tensor: {found!r}")
        if dtype is not None and tensor.dtype.base_dtype is not dtype:
            raise RuntimeError(f"{by} incompatible dtype: requested = {dtype.name}, actual = {tensor.dtype.name}")
        return tensor
    return NotImplemented
