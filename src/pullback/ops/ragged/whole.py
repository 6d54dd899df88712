"""Ragged tensors with all that belongs to them: who asks for the class here has its operators and functions too."""

from __future__ import annotations

from . import array as ragged_array
from . import convert as ragged_convert
from . import elementwise as ragged_elementwise
from . import index as ragged_index
from . import items as ragged_items
from . import math as ragged_math
from . import more as ragged_more
from . import ops as ragged_ops
from . import reduce as ragged_reduce
from . import shape as ragged_shape
from . import shape_spec as ragged_shape_spec
from . import text as ragged_text
from .elementwise import by_element, differs, divided, elementwise, equals
from .row_partition import RowPartition
from .shape import DynamicRaggedShape
from .spec import RaggedTensorSpec
from .tensor import RaggedTensor
from .value import RaggedTensorValue

RaggedTensor.functions.update(elementwise=elementwise, equals=equals, differs=differs, by_element=by_element, divided=divided)
MODULES = (
    ragged_array, ragged_convert, ragged_elementwise, ragged_index, ragged_items, ragged_math, ragged_more, ragged_ops, ragged_reduce,
    ragged_shape, ragged_shape_spec, ragged_text,
)  # fmt: skip
__all__ = ["MODULES", "DynamicRaggedShape", "RaggedTensor", "RaggedTensorSpec", "RaggedTensorValue", "RowPartition"]
