"""The stacks that the gradients of TensorFlow 1's loops kept values in: `tf.raw_ops.StackV2` and what goes with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import DType, as_dtype, resource
from ...base.errors import InvalidArgumentError
from ...ir.apply import Site
from ...ir.op import define
from ...ir.tensor import TensorType
from ...ops.batching import answer_once, write_once
from .operations import resource_type

Array = np.ndarray[Any, Any]


class Stack:
    """Tensors of one dtype, the last one first.  most: how many there may be; any number where it is negative."""

    tensor_dtype = resource

    def __init__(self, name: str, dtype: DType, most: int) -> None:
        self.name, self.dtype, self.most = name, dtype, most
        self.items: list[Array] = []
        self.is_closed = False

    def push(self, item: Array) -> None:
        """Put a tensor on top."""
        self._check_open()
        dtype = as_dtype(item.dtype)
        if dtype is not self.dtype:
            raise self._wrong(f"Must have type {self.dtype.name} but got {dtype.name}")
        if 0 <= self.most <= len(self.items):
            raise self._wrong(f"Stack[{self.name}] overflowed its max_size ({self.most})")
        self.items.append(item)

    def pop(self, dtype: DType) -> Array:
        """Take the tensor on top."""
        self._check_open()
        if not self.items:
            raise self._wrong(f"Stack[{self.name}] is empty when calling Pop().")
        if dtype is not self.dtype:
            raise self._wrong(f"Type mismatch: actual {self.dtype.name} vs. expect {dtype.name}")
        return self.items.pop()

    def _check_open(self) -> None:
        if self.is_closed:
            raise self._wrong(f"Stack[{self.name}] has already been closed.")

    def _wrong(self, text: str) -> InvalidArgumentError:
        return InvalidArgumentError(None, None, text)

    def close(self) -> None:
        """Let go of all tensors."""
        self.items, self.is_closed = [], True


def _stack(max_size: Array, *, site: Site, elem_type: DType, stack_name: str = "") -> Stack:
    if np.ndim(max_size):
        raise InvalidArgumentError(None, None, f"Stack size must be a scalar, but had shape: {list(np.shape(max_size))}")
    return Stack(site.name or "StackV2", elem_type, int(max_size))


STACK = define(
    "StackV2", "max_size:int32", resource_type, _stack, {}, outputs="handle",
    stateful=True, batch=answer_once,
)  # fmt: skip
PUSH = define(
    "StackPushV2", "handle:R elem", lambda handle, elem, *, swap_memory=False: TensorType(elem.dims, elem.dtype),
    lambda handle, elem, *, site, swap_memory=False: handle.push(elem) or elem, {}, stateful=True, effects=True, batch=write_once,
)  # fmt: skip
POP = define(
    "StackPopV2", "handle:R", lambda handle, *, elem_type: TensorType(None, elem_type),
    lambda handle, *, site, elem_type: handle.pop(elem_type), {}, outputs="elem", stateful=True, effects=True, batch=write_once,
)  # fmt: skip
CLOSE = define(
    "StackCloseV2", "handle:R", lambda handle: (), lambda handle, *, site: handle.close(), {}, outputs="", stateful=True, effects=True,
    batch=write_once,
)  # fmt: skip
