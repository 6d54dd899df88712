"""Classes of specs inside TensorFlow that libraries derive theirs from."""

from __future__ import annotations

from typing import Any

from ..api.variable import Variable
from ..base import nest
from ..base.dtypes import float32
from ..ir.apply import convert_to_tensor
from ..ir.type_spec import DenseSpec


class VariableSpec(DenseSpec):
    """The shape and dtype of a variable.

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
