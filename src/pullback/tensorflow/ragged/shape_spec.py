"""The spec of a `DynamicRaggedShape`: what is known beforehand of a shape that is known when a program runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.dtypes import DType, int64
from ...base.shapes import TensorShape, as_dims
from ...ir.composite import CompositeSpec
from ...ir.type_spec import describe
from ...ops.constant import TensorSpec
from .row_partition import RowPartitionSpec
from .shape import DynamicRaggedShape


class DynamicRaggedShapeSpec(CompositeSpec):
    """The specs of the partitions of a shape, and what is known of the shape of the items under them.

    >>> tf.type_spec_from_value(tf.experimental.DynamicRaggedShape.from_lengths([2, 3])).shape
    TensorShape([2, 3])
    """

    def __init__(self, row_partitions: Sequence[RowPartitionSpec], static_inner_shape: Any, dtype: DType = int64) -> None:
        self.row_partitions, self.static_inner_shape, self.dtype = tuple(row_partitions), TensorShape(static_inner_shape), dtype

    @property
    def value_type(self) -> type[DynamicRaggedShape]:
        """The class of what it describes."""
        return DynamicRaggedShape

    @property
    def shape(self) -> TensorShape:
        """The whole shape as far as it is known, None for ragged axes."""
        if not self.row_partitions:
            return self.static_inner_shape
        rows = [self.row_partitions[0].nrows, *(p.uniform_row_length for p in self.row_partitions)]
        return TensorShape(rows).concatenate(self.static_inner_shape[1:])

    def _serialize(self) -> tuple[Any, ...]:
        return self.row_partitions, self.static_inner_shape, self.dtype

    def is_subtype_of(self, other: Any) -> bool:
        """Whether all shapes of this spec are of `other`."""
        if not self._is_like(other):
            return False
        pairs = zip(self.row_partitions, other.row_partitions, strict=True)
        return self.static_inner_shape.is_subtype_of(other.static_inner_shape) and all(a.is_subtype_of(b) for a, b in pairs)

    def _is_like(self, other: Any) -> bool:
        alike = isinstance(other, DynamicRaggedShapeSpec) and self.dtype is other.dtype
        return alike and len(self.row_partitions) == len(other.row_partitions)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        """The narrowest spec of which this and all `others` are; None where there is none."""
        if not all(map(self._is_like, others)):
            return None
        inner = self.static_inner_shape.most_specific_common_supertype([other.static_inner_shape for other in others])
        columns = zip(self.row_partitions, *(other.row_partitions for other in others), strict=True)
        rows: list[Any] = [mine.most_specific_common_supertype(theirs) for mine, *theirs in columns]
        if any(part is None for part in (inner, *rows)):
            return None
        return DynamicRaggedShapeSpec(rows, inner, self.dtype)

    def _components(self) -> list[Any]:
        return [TensorSpec([self.static_inner_shape.rank], self.dtype), *(t for p in self.row_partitions for t in p._components())]

    def _from_components(self, parts: Sequence[Any]) -> DynamicRaggedShape:
        found = DynamicRaggedShape.of_splits(parts[1:], parts[0], [p.uniform_row_length for p in self.row_partitions], self.dtype)
        return found.with_known(as_dims(self.static_inner_shape))

    @property
    def _form(self) -> Any:
        inner = as_dims(self.static_inner_shape)
        return tuple(p.uniform_row_length for p in self.row_partitions), self.dtype, inner

    def _cast(self, value: Any) -> Any:
        if not self.is_compatible_with(value):
            raise TypeError(f"Can not cast {value!r} to {self!r}")
        return value


def _spec_of(value: DynamicRaggedShape) -> DynamicRaggedShapeSpec:
    specs = [RowPartitionSpec(p.static_nrows, p.static_nvals, p.static_uniform_row_length, p.dtype) for p in value.row_partitions]
    return DynamicRaggedShapeSpec(specs, value.find_known_inner(), value.dtype)


describe([DynamicRaggedShape], _spec_of)
