"""What a tensor is known to hold, and conversion to tensors that leaves slices as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import as_dtype
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.composite import CompositeTensor
from ...ir.conversions import convert_registered, converts
from ...ir.op import is_known
from ...ir.tensor import DTypeLike, IndexedSlices, Tensor, TensorLike
from .type_rules import dims_in, known_int


@export("get_static_value")
def get_static_value(tensor: Any, partial: bool = False) -> np.ndarray | None:
    """What a tensor is known to hold before anything runs, as an array; None where nothing is known.

    partial: also an array of objects, None for the elements that are not known.

    >>> tf.get_static_value(tf.constant([1, 2])).tolist()
    [1, 2]
    """
    if not isinstance(tensor, Tensor):
        return tensor if not hasattr(tensor, "handle") else None
    found = tensor.constant
    if found is None or is_known(found):
        return found
    return found if partial else None


def constant_value_as_shape(tensor: TensorLike) -> TensorShape:
    """The shape that a tensor describes, as far as it is known; a scalar describes that nothing is, and has to be -1.

    >>> constant_value_as_shape(tf.constant([2, -1]))
    TensorShape([2, None])
    """
    tensor = convert_to_tensor(tensor)
    if tensor.shape.rank == 0 and (value := known_int(tensor)) != -1:
        which = "scalar with unknown value" if value is None else f"scalar value '{value}'"
        raise ValueError(f"Received a {which} as shape; require a statically known scalar with value '-1' to describe an unknown shape.")
    return TensorShape(None if tensor.shape.rank == 0 else dims_in(tensor))


def convert_to_tensor_or_composite(
    value: TensorLike | IndexedSlices, dtype: DTypeLike | None = None, name: str | None = None
) -> Tensor | CompositeTensor:
    """`value` as a tensor, unless it is a composite value, which stays; a ValueError for one of another dtype than asked for."""
    if not isinstance(value, CompositeTensor):
        wanted = None if dtype is None else as_dtype(dtype)
        found = convert_registered(value, wanted, name, (Tensor, CompositeTensor)) if converts(value) else NotImplemented
        return convert_to_tensor(value, dtype=dtype, name=name) if found is NotImplemented else found
    own = getattr(value, "dtype", None)
    if dtype is not None and own is not None and as_dtype(dtype) is not own:
        raise ValueError(f"Tensor conversion requested dtype {as_dtype(dtype).name} for a composite value of dtype {own.name}: {value!r}")
    return value


@export(v1="convert_to_tensor_or_indexed_slices")
def convert_to_tensor_or_indexed_slices(
    value: TensorLike | IndexedSlices, dtype: DTypeLike | None = None, name: str | None = None
) -> Tensor | IndexedSlices:
    """`value` as a tensor, unless it is an `IndexedSlices`, which stays; a ValueError for one of another dtype than asked for.

    >>> tf.compat.v1.convert_to_tensor_or_indexed_slices([1, 2]).numpy().tolist()
    [1, 2]
    """
    if isinstance(value, IndexedSlices):
        if dtype is not None and as_dtype(dtype) is not value.dtype:
            raise ValueError(f"Tensor conversion requested dtype {as_dtype(dtype).name} for slices of dtype {value.dtype.name}")
        return value
    return convert_to_tensor(value, dtype=dtype, name=name)
