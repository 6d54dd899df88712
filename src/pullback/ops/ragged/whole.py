"""The classes of ragged tensors; what they are asked for by name (`RaggedTensor.functions`) loads then."""

from __future__ import annotations

from .row_partition import RowPartition
from .shape import DynamicRaggedShape
from .spec import RaggedTensorSpec
from .tensor import RaggedTensor
from .value import RaggedTensorValue

__all__ = ["DynamicRaggedShape", "RaggedTensor", "RaggedTensorSpec", "RaggedTensorValue", "RowPartition"]
