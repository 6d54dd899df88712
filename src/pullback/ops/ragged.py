"""Ragged tensors with all that belongs to them: who asks for the class here has its operators and functions too."""

from __future__ import annotations

from . import (
    ragged_array,
    ragged_convert,
    ragged_elementwise,
    ragged_index,
    ragged_items,
    ragged_math,
    ragged_more,
    ragged_ops,
    ragged_reduce,
    ragged_shape,
    ragged_text,
)
from .ragged_elementwise import by_element, differs, divided, elementwise, equals
from .ragged_shape import DynamicRaggedShape
from .ragged_spec import RaggedTensorSpec
from .ragged_tensor import RaggedTensor
from .ragged_value import RaggedTensorValue

RaggedTensor.functions.update(elementwise=elementwise, equals=equals, differs=differs, by_element=by_element, divided=divided)
MODULES = (
    ragged_array, ragged_convert, ragged_elementwise, ragged_index, ragged_items, ragged_math, ragged_more, ragged_ops, ragged_reduce,
    ragged_shape, ragged_text,
)  # fmt: skip
__all__ = ["MODULES", "DynamicRaggedShape", "RaggedTensor", "RaggedTensorSpec", "RaggedTensorValue"]
