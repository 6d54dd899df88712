"""What a tensor is known to hold, and conversion to tensors that leaves slices as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import as_dtype
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.op import is_known
from ...ir.tensor import IndexedSlices, Tensor
from ...ir.tracebacks import trims_errors


@export("get_static_value")
def get_static_value(tensor: Any, partial: bool = False) -> np.ndarray | None:
    """What a tensor is known to hold before anything runs, as an array; None where nothing is known.

    partial: also an array of objects, None for the elements that are not known.

    >>> import pullback as tf
    >>> tf.get_static_value(tf.constant([1, 2])).tolist()
    [1, 2]
    """
    if not isinstance(tensor, Tensor):
        return tensor if not hasattr(tensor, "handle") else None
    found = tensor.constant
    if found is None or is_known(found):
        return found
    return found if partial else None


@export(v1="convert_to_tensor_or_indexed_slices")
@trims_errors
def convert_to_tensor_or_indexed_slices(value: Any, dtype: Any = None, name: str | None = None) -> Tensor | IndexedSlices:
    """`value` as a tensor, unless it is an `IndexedSlices`, which stays; a ValueError for one of another dtype than asked for.

    >>> import pullback as tf
    >>> tf.compat.v1.convert_to_tensor_or_indexed_slices([1, 2]).numpy().tolist()
    [1, 2]
    """
    if isinstance(value, IndexedSlices):
        if dtype is not None and as_dtype(dtype) is not value.dtype:
            raise ValueError(f"Tensor conversion requested dtype {as_dtype(dtype).name} for slices of dtype {value.dtype.name}")
        return value
    return convert_to_tensor(value, dtype=dtype, name=name)
