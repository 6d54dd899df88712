"""What the specs of datasets, of iterators and of optional elements have in common: the spec of an element."""

from __future__ import annotations

from typing import Any

from ...base.dtypes import DType, variant
from ...ir.composite import CompositeSpec
from ...ops.constant import TensorSpec
from .structure import spec_key


class ElementSpec(CompositeSpec):
    """The spec of one tensor that stands for elements of a spec."""

    #: The dtype of that tensor.
    _holder: DType = variant

    def __init__(self, element_spec: Any) -> None:
        self._element_spec = element_spec

    @property
    def element_spec(self) -> Any:
        """The spec of an element."""
        return self._element_spec

    def _serialize(self) -> tuple[Any, ...]:
        return (self._element_spec,)

    def __hash__(self) -> int:
        return hash((type(self), spec_key(self._element_spec)))

    __eq__ = CompositeSpec.__eq__

    @property
    def _form(self) -> Any:
        return spec_key(self._element_spec)

    def _components(self) -> list[Any]:
        return [TensorSpec([], self._holder)]

    def _cast(self, value: Any) -> Any:
        if not isinstance(value, (type(self), self.value_type)) or not self.is_compatible_with(value):
            raise TypeError(f"Can not cast {value!r} to {self!r}")
        return value
