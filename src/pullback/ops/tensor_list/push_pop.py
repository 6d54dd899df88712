"""Lists of tensors as values of dtype variant: what loops keep for their gradients and what a TensorArray is made of.

A cotangent of a list is a list of cotangents.  Adjoint partners: push and pop, read and write (at one place), stack and unstack.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import int32, variant
from ...ir.op import Op, Traits, define
from ...ir.tensor import Forgotten, Tensor, TensorType
from ..array.type_rules import invalid_argument
from ..batching import answer_once
from .value import ListValue

_LIST = TensorType((), variant)


EMPTY = define("EmptyTensorList", "", lambda: _LIST, lambda: ListValue([]), {}, batch=answer_once)
PUSH: Op = define(
    "TensorListPushBack", "input_handle:variant tensor:any", lambda input_handle, tensor: _LIST,
    lambda input_handle, tensor: input_handle.push(tensor),
    {("input_handle", "tensor"): lambda g, tensor_type: POP(g, element_dtype=tensor_type.dtype, dims=tensor_type.dims)}, holomorphic=False,
    traits=Traits(moves=True),
)  # fmt: skip


POP: Op = define(
    "TensorListPopBack", "input_handle:variant",
    lambda input_handle, *, element_dtype, dims: (_LIST, TensorType(dims, element_dtype)),
    lambda input_handle, *, element_dtype, dims: input_handle.pop(element_dtype=element_dtype),
    {"input_handle": lambda g_rest, g_element: SKIP(g_rest) if g_element is None else PUSH(g_rest, g_element)},
    outputs="rest element", holomorphic=False,
    traits=Traits(chooses="the reader took"),
)  # fmt: skip
#: The adjoint partners of pushing and popping an element that has no cotangent: a place that is empty, a place dropped.
SKIP: Op = define(
    "TensorListPushNothing", "input_handle:variant", lambda input_handle: _LIST, lambda input_handle: input_handle.push(None),
    {"input_handle": lambda g: DROP(g)}, holomorphic=False,
)  # fmt: skip
DROP: Op = define(
    "TensorListDropBack", "input_handle:variant", lambda input_handle: _LIST, lambda input_handle: input_handle.pop()[0],
    {"input_handle": lambda g: SKIP(g)}, holomorphic=False,
)  # fmt: skip
ZEROS = define(
    "TensorListZerosLike", "input_handle:variant", lambda input_handle: _LIST,
    lambda input_handle: ListValue([_zeros(item) for item in input_handle.items()]), {},
)  # fmt: skip


def _zeros(item: Any) -> Any:
    if item is None:
        return None
    return ListValue([_zeros(i) for i in item.items()]) if isinstance(item, ListValue) else np.zeros_like(item)


def _sum(x: Any, y: Any) -> Any:
    if x is None or y is None:
        return y if x is None else x
    if not isinstance(x, ListValue):
        return x + y
    if y.places is None and x.places is not None:
        x, y = y, x
    if y.length > x.length:
        x = x.resize(y.length)
    # x and y may be versions of one list, which writing x takes from y: so y is read first.
    for i, value in list(enumerate(y.items())) if y.places is None else y.places:
        if value is not None:
            x = x.write(i, _sum(x.items()[i], value))
    return x


ADD = define(
    "TensorListAdd",
    "x:variant y:variant",
    lambda x, y: _LIST,
    _sum,
    {"x": lambda g: g, "y": lambda g: g},
    holomorphic=False,
)


def _add_lists(x: ListValue, y: ListValue) -> ListValue:
    """Two lists added element by element, as users add them: as long as each other, with elements of the same shapes and dtypes."""
    if x.length != y.length:
        raise invalid_argument(f"Trying to add two lists of tensors with different lengths: {x.length} vs. {y.length}")
    for a, b in zip(list(x.items()), list(y.items()), strict=True):
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and (a.shape != b.shape or a.dtype != b.dtype):
            raise invalid_argument(f"Trying to add two tensors with incompatible element types: {_kind(a)} vs. {_kind(b)}")
    total = _sum(x, y)
    return total if total.kind is None else total.without_limit()


def _kind(x: np.ndarray[Any, Any]) -> str:
    return f"{x.dtype.name}{list(x.shape)}"


ADD_ALIKE: Op = define(
    "TensorListSum", "x:variant y:variant", lambda x, y: _LIST, _add_lists, {"x": lambda g: g, "y": lambda g: g}, holomorphic=False,
)  # fmt: skip
LENGTH = define(
    "TensorListLength",
    "input_handle:variant",
    lambda input_handle: TensorType((), int32),
    lambda input_handle: np.int32(input_handle.length),
    {},
)


def zero_list(like: Any) -> Tensor:
    """Zeros for a list of tensors; a tape that did not keep the list gets a list without elements, which counts as zeros."""
    return EMPTY() if isinstance(like, Forgotten) else ZEROS(like)


__all__ = ["ADD", "ADD_ALIKE", "EMPTY", "LENGTH", "POP", "PUSH", "ZEROS", "ListValue"]
