"""Where the parts of a concatenation begin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import INDEX
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import define
from ...ir.tensor import TensorType
from .type_rules import Array, invalid_argument


def _offset_type(concat_dim: Any, shape: Any) -> tuple[TensorType, ...]:
    if len(shape) < 2:
        raise ShapeError(
            f"List argument 'shape' to 'ConcatOffset' Op with length {len(shape)} shorter than minimum length 2.",
            f"Value for attr 'N' of {len(shape)} must be at least minimum 2",
        )
    return tuple(TensorType(t.dims, t.dtype) for t in shape)


def _offsets(concat_dim: Array, shape: Sequence[Array]) -> list[Array]:
    if len(shape) < 2:
        raise ValueError("two shapes at least")  # the type rule finds the words
    axis, first = int(concat_dim), shape[0]
    if first.ndim != 1:
        raise invalid_argument(f"input 0 should be a vector, but got shape {show(first.shape)}")
    if not -len(first) <= axis < len(first):
        raise invalid_argument(f"Concat dim is out of range: {axis} vs. {len(first)}")
    axis %= len(first)
    found, total, wanted = [], 0, first.tolist()
    for i, sizes in enumerate(shape):
        if sizes.ndim != 1:
            raise invalid_argument(f"input {i} should be a vector, but got shape {show(sizes.shape)}")
        mine = sizes.tolist()
        if len(mine) != len(wanted):
            raise invalid_argument(f"input {i} should contain {len(wanted)} elements, but got {len(mine)}")
        wanted[axis] = mine[axis]
        if mine != wanted:
            sides = f"Input {i} has shape [{' '.join(map(str, mine))}] and doesn't match input 0 with shape"
            raise invalid_argument(f"All dimensions except {axis} must match. {sides} [{' '.join(map(str, first.tolist()))}]")
        found.append(np.array([0] * axis + [total] + [0] * (len(mine) - axis - 1), sizes.dtype))
        total += mine[axis]
    return found


CONCAT_OFFSET = define(
    "ConcatOffset", "concat_dim:int32 *shape:shape_type", _offset_type, _offsets, {}, outputs="*offset", dtypes={"shape_type": INDEX},
    batch="a few sizes, checked together",
)
