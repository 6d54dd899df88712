"""What the elements of a dataset or an iterator are, asked for in the older ways."""

from __future__ import annotations

from typing import Any

from ...base.dtypes import variant
from ...base.export import export
from .structure import map_leaves


@export(v1="data.get_output_types")
def get_output_types(dataset_or_iterator: Any) -> Any:
    """The dtypes of the tensors in an element, nested as they are.

    >>> tf1.data.get_output_types(tf1.data.Dataset.range(3))
    tf.int64
    """
    return map_leaves(lambda leaf: getattr(leaf, "dtype", variant), dataset_or_iterator.element_spec)


@export(v1="data.get_output_shapes")
def get_output_shapes(dataset_or_iterator: Any) -> Any:
    """The shapes of the tensors in an element, nested as they are.

    >>> tf1.data.get_output_shapes(tf1.data.Dataset.range(3))
    TensorShape([])
    """
    return map_leaves(lambda leaf: leaf.shape, dataset_or_iterator.element_spec)


@export(v1="data.get_output_classes")
def get_output_classes(dataset_or_iterator: Any) -> Any:
    """The classes of the parts of an element, nested as they are.

    >>> tf1.data.get_output_classes(tf1.data.Dataset.range(3)) is tf1.Tensor
    True
    """
    return map_leaves(lambda leaf: leaf.value_type, dataset_or_iterator.element_spec)


class Described:
    """The older ways to ask for the spec of an element."""

    @property
    def output_types(self) -> Any:
        """The dtypes of the tensors in an element."""
        return get_output_types(self)

    @property
    def output_shapes(self) -> Any:
        """The shapes of the tensors in an element."""
        return get_output_shapes(self)

    @property
    def output_classes(self) -> Any:
        """The classes of the parts of an element."""
        return get_output_classes(self)
