"""Classes of specs inside TensorFlow that libraries derive theirs from."""

from __future__ import annotations

from typing import Any

from ..api.variable import Variable
from ..base import nest
from ..base.dtypes import DType, as_dtype, float32
from ..base.shapes import TensorShape
from ..ir.apply import convert_to_tensor
from ..ir.type_spec import TypeSpec


class BatchableTypeSpec(TypeSpec):
    """The spec of values that can be put together and taken by rows."""


class DenseSpec(TypeSpec):
    """The shape, dtype and name of a value that is like one tensor."""

    def __init__(self, shape: Any, dtype: Any = float32, name: str | None = None) -> None:
        self._shape, self._dtype, self._name = TensorShape(shape), as_dtype(dtype), name

    @property
    def shape(self) -> TensorShape:
        """The shape."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return self._dtype

    @property
    def name(self) -> str | None:
        """The name, or None."""
        return self._name

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._name


class VariableSpec(DenseSpec):
    """The shape and dtype of a variable.

    >>> import pullback as tf
    >>> VariableSpec.from_value(tf.Variable([1.0, 2.0])).shape
    TensorShape([2])
    """

    def __init__(self, shape: Any, dtype: Any = float32, trainable: bool = True, alias_id: int | None = None) -> None:
        super().__init__(shape, dtype)
        self.trainable, self.alias_id = trainable, alias_id

    @property
    def value_type(self) -> type:
        """The class of variables."""
        return Variable

    @classmethod
    def from_value(cls, value: Variable) -> VariableSpec:
        """The spec of a variable."""
        return cls(value.shape, value.dtype, value.trainable)

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self.trainable, self.alias_id


def convert_variables_to_tensors(values: object) -> Any:
    """A structure whose variables are tensors of what they hold, also in composite values."""
    return nest.map_structure(lambda v: convert_to_tensor(v) if isinstance(v, Variable) else v, values, expand_composites=True)


def replace_variables_with_atoms(values: object) -> Any:
    """A structure with 0 in the place of each variable."""
    return nest.map_structure(lambda v: 0 if isinstance(v, Variable) else v, values, expand_composites=True)
