"""Values of tensors and of structures of them, eagerly and in graphs, as NumPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..api.fetches import IndexedSlicesValue
from ..base.nest import flatten, map_structure
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeTensor
from ..ir.indexed_slices import IndexedSlices
from ..ir.operators import TensorCounterpart
from ..ops.sparse.tensor import SparseTensor, SparseTensorValue
from ..tensorflow.ragged.tensor import RaggedTensor
from ..tensorflow.ragged.value import RaggedTensorValue


def evaluate_eagerly(tensors: object) -> Any:
    """The values of a structure of eager tensors; a ValueError where a leaf is no tensor."""
    return map_structure(_eager_value, tensors)


def evaluate_tensors(structure: object, evaluate: Callable[[list[Any]], Any]) -> Any:
    """A structure with its tensors evaluated, and what is none as it is."""
    tensors = [leaf for leaf in flatten(structure) if _is_tensor(leaf)]
    values = iter(evaluate(tensors) if tensors else ())
    return map_structure(lambda leaf: next(values) if _is_tensor(leaf) else leaf, structure)


def _is_tensor(value: Any) -> bool:
    return isinstance(value, (TensorCounterpart, CompositeTensor, IndexedSlices))


def _eager_value(value: Any) -> Any:
    if isinstance(value, RaggedTensor):
        return RaggedTensorValue(_eager_value(value.values), value.row_splits.numpy())
    if isinstance(value, SparseTensor):
        return SparseTensorValue(value.indices.numpy(), value.values.numpy(), value.dense_shape.numpy())
    if isinstance(value, IndexedSlices):
        shape = value.dense_shape
        return IndexedSlicesValue(_eager_value(value.values), _eager_value(value.indices), None if shape is None else _eager_value(shape))
    if isinstance(value, TensorCounterpart):
        return convert_to_tensor(value).numpy()
    if isinstance(value, CompositeTensor):
        return map_structure(_eager_value, value, expand_composites=True)
    if callable(value):
        return evaluate_eagerly(value())
    if value is None:
        return None
    raise ValueError(f"Unsupported type {type(value)}.")


def as_array(value: object) -> np.ndarray:
    """An array of a value that is evaluated: strings as bytes."""
    array = np.array(value)
    return np.char.encode(array, "utf-8").astype(object) if array.dtype.kind == "U" else array


def is_ragged(value: object) -> bool:
    """Whether it is a ragged tensor or its value."""
    return isinstance(value, (RaggedTensor, RaggedTensorValue))


def nested_lists(value: object) -> Any:
    """The elements of a ragged or other value as lists."""
    if isinstance(value, RaggedTensorValue):
        return value.to_list()
    if isinstance(value, list):
        return [nested_lists(v) for v in value]
    return value.encode() if isinstance(value, str) else as_array(value).tolist()
