"""`RaggedTensorSpec`: what is known of a ragged tensor beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.dtypes import INDEX, DType, as_dtype, float32, int64
from ...base.shapes import TensorShape, as_dims
from ...ir.composite import CompositeSpec
from ...ir.tensor import Tensor
from ...ir.type_spec import Shaped, describe
from ...ops.array.basic import reshape, shape
from ...ops.constant import TensorSpec
from .tensor import RaggedTensor, nest_under, part_dims
from .value import RaggedTensorValue


class RaggedTensorSpec(CompositeSpec, Shaped):
    """What is known of a ragged tensor beforehand: its shape, None for ragged axes, its dtype, and how many partitions it has.

    >>> total = tf.function(lambda x: tf.reduce_sum(x, axis=1), input_signature=[tf.RaggedTensorSpec([None, None])])
    >>> total(tf.ragged.constant([[1.0, 2.0], []])).numpy().tolist()
    [3.0, 0.0]
    """

    def __init__(
        self, shape: Any = None, dtype: Any = float32, ragged_rank: int | None = None, row_splits_dtype: Any = int64,
        flat_values_spec: Any = None,
    ) -> None:  # fmt: skip
        self._shape, self._row_splits_dtype = TensorShape(shape), as_dtype(row_splits_dtype)
        self._dtype = flat_values_spec.dtype if dtype is None and flat_values_spec is not None else as_dtype(dtype)
        if flat_values_spec is not None and flat_values_spec.dtype != self._dtype:
            raise ValueError(f"dtype must be the same as flat_values_spec.dtype: {self._dtype.name} and {flat_values_spec.dtype.name}")
        self._flat_values_spec = flat_values_spec
        rank = self._shape.rank
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank!r}.")
        if rank is not None and ragged_rank >= rank:
            raise ValueError(f"Argument `ragged_rank` ({ragged_rank}) must be less than rank ({rank}).")
        self._ragged_rank = ragged_rank
        if self._row_splits_dtype not in INDEX:
            raise ValueError(f"Argument `row_splits_dtype` must be int32 or int64. Received {row_splits_dtype}.")

    @property
    def ragged_rank(self) -> int:
        """The number of partitions."""
        return self._ragged_rank

    @property
    def row_splits_dtype(self) -> DType:
        """The dtype of the row splits."""
        return self._row_splits_dtype

    @property
    def flat_values_spec(self) -> Any:
        """The spec of the flat values that was given; None otherwise."""
        return self._flat_values_spec

    @property
    def value_type(self) -> type:
        """The class of what it describes."""
        return RaggedTensor if self._ragged_rank else Tensor

    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        """The spec of a ragged tensor, or of the value of one."""
        return cls(value.shape, value.dtype, value.ragged_rank, value.row_splits.dtype)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a ragged tensor or spec has this dtype, as many partitions and a shape that fits; without partitions, a tensor."""
        if not self._ragged_rank and isinstance(spec_or_value, (Tensor, TensorSpec)):
            return TensorSpec(self._shape, self._dtype).is_compatible_with(spec_or_value)
        return super().is_compatible_with(spec_or_value)

    def _serialize(self) -> tuple[Any, ...]:
        parts = self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype
        return parts if self._flat_values_spec is None else (*parts, self._flat_values_spec)

    def _components(self) -> list[Any]:
        dims = as_dims(self._shape)
        if not self._ragged_rank:
            return [TensorSpec(dims, self._dtype)]
        inner, *splits = part_dims(dims, self._ragged_rank)
        return [TensorSpec(inner, self._dtype), *(TensorSpec(rows, self._row_splits_dtype) for rows in splits)]

    def _from_components(self, parts: Sequence[Any]) -> Tensor | RaggedTensor:
        return nest_under(parts[0], parts[1:], list(self._form)) if self._ragged_rank else parts[0]

    # ---- rows, for `map_fn`

    def _of_a_row(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self._shape[1:], self._dtype, max(self._ragged_rank - 1, 0), self._row_splits_dtype)

    def _of_rows(self, count: int | None) -> RaggedTensorSpec:
        return RaggedTensorSpec(TensorShape([count]) + self._shape, self._dtype, self._ragged_rank + 1, self._row_splits_dtype)

    def _row_part_specs(self) -> list[Any]:
        dims = as_dims(self._shape)
        inner = None if dims is None else [None, *dims[self._ragged_rank + 1 :]]
        return [TensorSpec(inner, self._dtype), *[TensorSpec([None], self._row_splits_dtype)] * (self._ragged_rank + 1)]

    def _row_parts(self, value: Any) -> list[Any]:
        if not self._ragged_rank:
            flat, lengths = value, []
        else:
            flat, lengths = value.flat_values, list(value.nested_row_lengths())
        count = value.nrows() if self._ragged_rank else shape(value, out_type=self._row_splits_dtype)[0]
        return [flat, reshape(count, [1]), *lengths]

    def _from_rows(self, parts: Sequence[Any]) -> RaggedTensor:
        return RaggedTensor.from_nested_row_lengths(parts[0], parts[1:], validate=False)

    @property
    def _form(self) -> Any:
        dims = as_dims(self._shape) or ()
        return tuple(dims[i + 1] if len(dims) > i + 1 else None for i in range(self._ragged_rank))

    def _cast(self, value: Any) -> Any:
        if not self._ragged_rank and not isinstance(value, (RaggedTensor, RaggedTensorSpec)):
            return TensorSpec(self._shape, self._dtype).to_tensors(value)[0]
        if not isinstance(value, (RaggedTensor, RaggedTensorSpec)):
            value = RaggedTensor.functions["convert"](value, self._dtype, self._ragged_rank, self._row_splits_dtype)
        if not self.is_compatible_with(value):
            shown = value if isinstance(value, RaggedTensorSpec) else RaggedTensorSpec.from_value(value)
            raise TypeError(f"Can not cast {shown!r} to {self!r}")
        return value if isinstance(value, RaggedTensorSpec) else self._from_components(value._components())


RaggedTensor.functions.update(spec=RaggedTensorSpec.from_value)
describe([RaggedTensorValue], RaggedTensorSpec.from_value)
