"""The classes of ragged tensors; what they are asked for by name (`RaggedTensor.functions`) loads then."""

from __future__ import annotations

from ...base.export import export
from .row_partition import RowPartition
from .shape import DynamicRaggedShape
from .shape_spec import DynamicRaggedShapeSpec
from .spec import RaggedTensorSpec
from .tensor import RaggedTensor
from .value import RaggedTensorValue

export("RaggedTensor")(RaggedTensor)
export("RaggedTensorSpec")(RaggedTensorSpec)
export("experimental.DynamicRaggedShape")(DynamicRaggedShape)
export("experimental.RowPartition")(RowPartition)
__all__ = ["DynamicRaggedShape", "DynamicRaggedShapeSpec", "RaggedTensor", "RaggedTensorSpec", "RaggedTensorValue", "RowPartition"]
