"""Where the parts of a concatenation begin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import INDEX
from ...ir.op import define
from ...ir.tensor import TensorType
from .type_rules import Array, invalid


def _offset_type(concat_dim: Any, shape: Any) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, t.dtype) for t in shape)


def _offsets(concat_dim: Array, shape: Sequence[Array]) -> list[Array]:
    axis, first = int(concat_dim), shape[0]
    if not -len(first) <= axis < len(first):
        raise invalid(f"Concat dim is out of range: {axis} vs. {len(first)}")
    axis %= len(first)
    found, total, wanted = [], 0, first.tolist()
    for i, sizes in enumerate(shape):
        mine = sizes.tolist()
        wanted[axis] = mine[axis] if len(mine) == len(wanted) else None
        if mine != wanted:
            raise invalid(f"All dimensions except {axis} must match. Input {i} has shape {sizes}, input 0 has shape {first}")
        found.append(np.array([0] * axis + [total] + [0] * (len(mine) - axis - 1), sizes.dtype))
        total += mine[axis]
    return found


CONCAT_OFFSET = define(
    "ConcatOffset", "concat_dim:int32 *shape:shape_type", _offset_type, _offsets, {}, outputs="*offset", dtypes={"shape_type": INDEX},
    batch="a few sizes, checked together",
)
