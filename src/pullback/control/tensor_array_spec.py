"""`TensorArraySpec`: what is known of a `TensorArray` beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.dtypes import as_dtype, float32, variant
from ..base.export import export
from ..base.shapes import TensorShape, as_dims
from ..ir.composite import CompositeSpec
from ..ir.type_spec import TypeSpec, type_spec_from_value
from ..ops.constant import TensorSpec
from .tensor_array import TensorArray


@export("TensorArraySpec")
class TensorArraySpec(CompositeSpec):
    """What is known of a `TensorArray` beforehand: the shape of its elements, their dtype, and whether it grows.

    >>> import pullback as tf
    >>> total = tf.function(lambda ta: tf.reduce_sum(ta.stack()), input_signature=[tf.TensorArraySpec([2])])
    >>> total(tf.TensorArray(tf.float32, size=3, element_shape=[2]).unstack(tf.ones([3, 2]))).numpy().item()
    6.0
    """

    def __init__(self, element_shape: Any = None, dtype: Any = float32, dynamic_size: bool = False, infer_shape: bool = True) -> None:
        self._element_shape, self._dtype = TensorShape(element_shape), as_dtype(dtype)
        self._dynamic_size, self._infer_shape = dynamic_size, infer_shape

    @property
    def value_type(self) -> type[TensorArray]:
        """The class of what it describes."""
        return TensorArray

    @staticmethod
    def from_value(value: Any) -> TensorArraySpec:
        """The spec of a `TensorArray`; a TypeError for anything else."""
        if not isinstance(value, TensorArray):
            raise TypeError(f"Expected value to be a TensorArray, but got: `{type(value)}`")
        return TensorArraySpec(value.element_shape, value.dtype, bool(value.dynamic_size), value._known.infer)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a `TensorArray` or spec has this dtype, elements of a shape that fits, and grows likewise."""
        spec = other if isinstance(other, TypeSpec) else type_spec_from_value(other)
        if not self.is_subtype_of(spec):
            return False
        return self._element_shape.is_compatible_with(spec._element_shape)  # type: ignore[attr-defined]  # of this class

    def is_subtype_of(self, other: Any) -> bool:
        """Whether `other` has the same dtype and grows likewise."""
        return isinstance(other, TensorArraySpec) and (self._dtype, self._dynamic_size) == (other._dtype, other._dynamic_size)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        """The narrowest spec that this and all `others` fit; None where there is none."""
        others = list(others)
        if not all(self.is_subtype_of(other) for other in others):
            return None
        shape = self._element_shape.most_specific_common_supertype(other._element_shape for other in others)
        infer = self._infer_shape and all(other._infer_shape for other in others)
        return TensorArraySpec(shape, self._dtype, self._dynamic_size, infer)

    def to_tensors(self, value: Any) -> list[Any]:
        """The list of tensors that a `TensorArray` is; a TypeError for anything else, or one that does not fit."""
        if not self.is_compatible_with(self.from_value(value)):
            raise TypeError(f"Can not cast {self.from_value(value)!r} to {self!r}")
        return [value.flow]

    def _serialize(self) -> tuple[Any, ...]:
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape

    def _components(self) -> list[Any]:
        return [TensorSpec([], variant)]

    def _from_components(self, parts: Sequence[Any]) -> TensorArray:
        return TensorArray(
            self._dtype, dynamic_size=self._dynamic_size, flow=parts[0], infer_shape=self._infer_shape,
            element_shape=as_dims(self._element_shape),
        )  # fmt: skip

    @property
    def _form(self) -> Any:
        return self._dtype, as_dims(self._element_shape), self._infer_shape, self._dynamic_size, True, None

    def _cast(self, value: Any) -> Any:
        if isinstance(value, TensorArraySpec):
            if not self.is_compatible_with(value):
                raise TypeError(f"Can not cast {value!r} to {self!r}")
            return self
        return self._from_components(self.to_tensors(value))
