"""TensorFlow 1's placeholder for ragged tensors."""

from __future__ import annotations

from typing import Any

from ...api.names import placeholder as plain_placeholder
from ...base.dtypes import int64
from ...base.export import export
from ...base.shapes import as_dims
from ...ir.tensor import DTypeLike, ShapeLike, Tensor
from ..ragged.classes import RaggedTensor


@export(v1="ragged.placeholder")
def placeholder(dtype: DTypeLike, ragged_rank: int, value_shape: ShapeLike | None = None, name: str | None = None) -> RaggedTensor | Tensor:
    """A ragged tensor to be fed with a `RaggedTensorValue`.

    ragged_rank: how many axes are ragged.  value_shape: the shape of an item of the flat values, if it is known.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     x = tf1.ragged.placeholder(tf1.float32, 1)
    ...     session.run(x * 2.0, {x: tf1.ragged.constant_value([[1.0, 2.0], [3.0]])}).to_list()
    [[2.0, 4.0], [6.0]]
    """
    if not ragged_rank:
        return plain_placeholder(dtype, value_shape, name)
    dims = as_dims(value_shape)
    found: Any = plain_placeholder(dtype, None if dims is None else [None, *dims], name)
    for _ in range(ragged_rank):
        found = RaggedTensor(found, plain_placeholder(int64, [None], None), internal=True)
    return found
