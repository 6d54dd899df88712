"""What AutoGraph's statements ask of the values of variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import nest
from ..ir.apply import convert_to_tensor
from ..ir.context import current
from ..ir.node import show_source, user_frame
from ..ir.tensor import EagerTensor, SymbolicTensor, Tensor
from ..ops.array.create import zeros
from .autograph_kinds import Grown

State = tuple[Any, ...]


class Undefined:
    """A variable that has no value yet."""

    __slots__ = ("symbol_name",)

    def __init__(self, symbol_name: str) -> None:
        self.symbol_name = symbol_name

    def __repr__(self) -> str:
        return self.symbol_name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: Any) -> Any:
        return self


class UndefinedReturnValue:
    """The result of a function that has not returned yet."""


def is_undefined(value: object) -> bool:
    """Whether a value stands for a name that has none."""
    return isinstance(value, (Undefined, UndefinedReturnValue))


def as_symbolic(value: object) -> Any:
    """`value` as a symbolic tensor, if it is one or a variable in a graph; else None."""
    if isinstance(value, SymbolicTensor):
        return value
    if isinstance(value, Grown):
        size = value.size()
        return size > 0 if isinstance(size, SymbolicTensor) else None
    if current().graph is not None and not isinstance(value, EagerTensor) and not is_undefined(value) and hasattr(value, "__as_tensor__"):
        return convert_to_tensor(value)
    return None


def goes_into_graphs(value: object) -> bool:
    """Whether a variable with this value can be carried by a node: tensors, numbers, nests of them, a string."""
    if isinstance(value, (str, bytes)):
        return True
    leaves = nest.flatten(value, expand_composites=True)
    return bool(leaves) and all(isinstance(t, (Tensor, int, float, complex, np.ndarray, np.generic)) for t in leaves)


def read_variables(value: object) -> Any:
    """A value whose `tf.Variable`s are what they have now, where that makes it one that a node can carry."""
    leaves = nest.flatten(value)
    is_variable = [not is_undefined(t) and getattr(t, "handle", None) is not None for t in leaves]
    if not any(is_variable):
        return value
    read = nest.pack_sequence_as(value, [convert_to_tensor(t) if flag else t for t, flag in zip(leaves, is_variable, strict=True)])
    return read if goes_into_graphs(read) else value


def is_unchanged(before: object, after: object) -> bool:
    """Whether a variable that no node carries has the value it had."""
    if after is before:
        return True
    one, other = nest.flatten(before), nest.flatten(after)
    alike = type(before) is type(after) or (isinstance(before, list) and isinstance(after, list))
    return alike and len(one) == len(other) and all(map(_equal, one, other))


def _equal(a: Any, b: Any) -> bool:
    return a is b or (isinstance(a, _PLAIN) and type(a) is type(b) and a == b)


_PLAIN = (str, bytes, int, float, complex, frozenset, set)


def empty_of(dims: Any, dtype: Any) -> Any:
    """Zeros (of strings, empty ones) of a shape, for a value that nobody reads; unknown sizes are 0."""
    return zeros([0 if n is None else n for n in dims or ()], dtype)


def current_line() -> str:
    """The line of the program that is being traced, for messages."""
    return show_source(user_frame())
