"""Specs of `IndexedSlices` and of None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.dtypes import as_dtype, float32, int64
from ..base.export import export
from ..base.shapes import TensorShape
from ..ir.composite import CompositeSpec
from ..ir.indexed_slices import IndexedSlices
from ..ir.type_spec import describe
from .constant import TensorSpec


@export("IndexedSlicesSpec")
class IndexedSlicesSpec(CompositeSpec):
    """What is known of an `IndexedSlices` beforehand.

    shape: the dense shape, perhaps in part.  dtype, indices_dtype: of the values and the indices.  dense_shape_dtype: of the dense
    shape, None where it has none.  indices_shape: a vector's shape, the number of slices; a ValueError for another rank.

    >>> rows = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([4]))
    >>> f = tf.function(lambda x: x.indices + 1, input_signature=[tf.IndexedSlicesSpec([9, 2], indices_dtype=tf.int32)])
    >>> f(rows).numpy().tolist()
    [5]
    """

    def __init__(
        self, shape: Any = None, dtype: Any = float32, indices_dtype: Any = int64, dense_shape_dtype: Any = None, indices_shape: Any = None
    ) -> None:
        self._shape = TensorShape(shape)
        self._values_dtype, self._indices_dtype = as_dtype(dtype), as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else as_dtype(dense_shape_dtype)
        self._indices_shape = TensorShape(indices_shape).with_rank(1)

    @property
    def value_type(self) -> type[IndexedSlices]:
        """The class of what it describes."""
        return IndexedSlices

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._values_dtype, self._indices_dtype, self._dense_shape_dtype, self._indices_shape

    def _components(self) -> list[Any]:
        parts = [
            TensorSpec(self._indices_shape.concatenate(self._shape[1:]), self._values_dtype),
            TensorSpec(self._indices_shape, self._indices_dtype),
        ]
        return parts if self._dense_shape_dtype is None else [*parts, TensorSpec([self._shape.rank], self._dense_shape_dtype)]

    def _from_components(self, parts: Sequence[Any]) -> IndexedSlices:
        return IndexedSlices(*parts)

    def _cast(self, value: Any) -> Any:
        if isinstance(value, IndexedSlicesSpec):
            if not value.is_subtype_of(self):
                raise TypeError(f"Can not cast {value!r} to {self!r}")
            return self
        if not isinstance(value, IndexedSlices):
            raise TypeError(f"Can not cast {value!r} to {self!r}: it is no IndexedSlices")
        return self._from_components(self.to_tensors(value))


@export("NoneTensorSpec")
class NoneTensorSpec(CompositeSpec):
    """The spec of None.

    >>> tf.type_spec_from_value(None)
    NoneTensorSpec()
    """

    @property
    def value_type(self) -> type[None]:
        """The class of what it describes."""
        return type(None)

    @staticmethod
    def from_value(value: object) -> NoneTensorSpec:
        """The spec, whatever `value` is."""
        return NoneTensorSpec()

    def most_specific_compatible_shape(self, other: object) -> NoneTensorSpec:
        """The spec itself; a ValueError where `other` is the spec of anything else."""
        if type(self) is not type(other):
            raise ValueError(f"No `TypeSpec` is compatible with both {self} and {other}")
        return self

    def to_tensors(self, value: Any) -> list[Any]:
        """No tensors."""
        return []

    def _serialize(self) -> tuple[Any, ...]:
        return ()

    def _components(self) -> list[Any]:
        return []

    def _from_components(self, parts: Sequence[Any]) -> None:
        return None

    def _cast(self, value: Any) -> Any:
        if value is not None and not isinstance(value, NoneTensorSpec):
            raise TypeError(f"Can not cast {value!r} to {self!r}")
        return value


def _spec_of_slices(rows: Any) -> IndexedSlicesSpec:
    values, indices, dense = rows.values, rows.indices, rows.dense_shape
    shape = [None, *values.shape[1:]] if dense is None or dense.constant is None else rows.dims
    return IndexedSlicesSpec(shape, values.dtype, indices.dtype, None if dense is None else dense.dtype, indices.shape)


describe([IndexedSlices], _spec_of_slices)
describe([type(None)], NoneTensorSpec.from_value)
