"""`tf.experimental.Optional`: an element, or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from ...base.export import export
from ...ir.composite import CompositeTensor
from ...ir.tensor import Tensor
from ...ir.type_spec import describe
from ...ops.tensor_list.optional import OPTIONAL, OPTIONAL_HAS_VALUE, OPTIONAL_NONE, OPTIONAL_VALUE
from .element_spec import ElementSpec
from .structure import E_co, Layout, R, as_leaf, map_leaves, spec_key, spec_of


@export("experimental.Optional", "data.experimental.Optional")
class Optional(CompositeTensor, Generic[E_co]):
    """An element of a dataset that may be missing.

    >>> there, missing = tf.experimental.Optional.from_value(5), tf.experimental.Optional.empty(tf.TensorSpec([], tf.int32))
    >>> bool(there.has_value()), int(there.get_value()), bool(missing.has_value())
    (True, 5, False)
    """

    _counts_as_tensor = False

    def __init__(self, variant_tensor: Any, element_spec: Any, layout: Layout | None = None) -> None:
        self._variant_tensor = variant_tensor
        self._last_layout = layout
        #: None until it is known, which Keras sets when it has traced what gives the element.
        self._element_spec = element_spec

    @property
    def element_spec(self) -> Any:
        """The spec of the element."""
        return self._element_spec

    @property
    def _layout(self) -> Layout:
        layout = self._last_layout
        if layout is None or layout.spec is not self._element_spec:
            layout = self._last_layout = Layout(self._element_spec)
        return layout

    def has_value(self, name: str | None = None) -> Tensor:
        """Whether there is an element."""
        return OPTIONAL_HAS_VALUE(self._variant_tensor, name=name)

    def get_value(self, name: str | None = None) -> E_co:
        """The element; InvalidArgumentError where there is none."""
        layout = self._layout
        return layout.pack(OPTIONAL_VALUE(self._variant_tensor, **layout.attributes, name=name))

    @staticmethod
    def from_value(value: R) -> Optional[R]:
        """One with an element."""
        structure = map_leaves(as_leaf, value)
        layout = Layout(spec_of(structure))
        return Optional(OPTIONAL(layout.tensors(structure)), layout.spec, layout)

    @staticmethod
    def empty(element_spec: object) -> Optional:
        """One without."""
        return Optional(OPTIONAL_NONE(), element_spec)

    def _components(self) -> list[Any]:
        return [self._variant_tensor]

    def _from_components(self, parts: Sequence[Any]) -> Optional[E_co]:
        return Optional(parts[0], self._element_spec, self._last_layout)

    @property
    def _form(self) -> Any:
        return spec_key(self.element_spec)


@export("OptionalSpec", v1="data.experimental.OptionalStructure")
class OptionalSpec(ElementSpec):
    """The spec of an `Optional`.

    >>> spec = tf.OptionalSpec(tf.TensorSpec([], tf.int32))
    >>> value_or_0 = tf.function(lambda o: tf.cond(o.has_value(), o.get_value, lambda: 0), input_signature=[spec])
    >>> int(value_or_0(tf.experimental.Optional.from_value(5)))
    5
    """

    @property
    def value_type(self) -> type[Optional]:
        """The class of what it describes."""
        return Optional

    @staticmethod
    def from_value(value: Optional) -> OptionalSpec:
        """The spec of an `Optional`."""
        return OptionalSpec(value.element_spec)

    def __repr__(self) -> str:
        return f"OptionalSpec({self._element_spec!r},)"

    def _from_components(self, parts: Sequence[Any]) -> Optional:
        return Optional(parts[0], self._element_spec)


describe([Optional], OptionalSpec.from_value)
