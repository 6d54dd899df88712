"""Orders of axes that bring one of them to the end, where the operations work."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.errors import InvalidArgumentError
from ..ir.tensor import Tensor
from ..ops.array.create import range as range_of
from ..ops.array.join import concat
from ..ops.array.shape import rank
from ..ops.math.division import floormod


def orders_to_last(axis: int | Tensor, x: Tensor, what: str = "") -> tuple[Any, Any]:
    """The orders of axes that bring `axis` of `x` to the end and back: tensors where only a run knows the rank, or the axis."""
    if x.dims is None or isinstance(axis, Tensor):
        count = rank(x)
        at = floormod(axis, count)
        there = concat([range_of(at), range_of(at + 1, count), [at]], 0)
        return there, concat([range_of(at), [count - 1], range_of(at, count - 1)], 0)
    known = len(x.dims)
    if not -known <= axis < known:
        text = f"{what}`dim` must be in the range [{-known}, {known}) where {known} is the number of dimensions in the input."
        raise InvalidArgumentError(None, None, f"{text} Received: dim={axis}")
    order = np.array([i for i in range(known) if i != axis % known] + [axis % known], np.int32)
    return order, np.argsort(order).astype(np.int32)
