"""Parts of a tensor replaced, at places that a tensor tells."""

from __future__ import annotations

from typing import Any

from ...ir.apply import convert_to_tensor
from ...ir.tracebacks import trim
from ..array.basic import ONES_LIKE, ZEROS_LIKE, shape
from ..array.strided_slice import TENSOR_STRIDED_SLICE_UPDATE
from ..math.arithmetic import ADD, maximum, minimum, subtract


def dynamic_update_slice(x: object, updates: object, start_indices: object) -> Any:
    """`x` with `updates` in the place of the slice of their shape that begins at `start_indices`, moved so that it lies within `x`.

    >>> dynamic_update_slice([1, 2, 3, 4], [8, 9], [3]).numpy().tolist()
    [1, 2, 8, 9]
    """
    try:
        x, updates, start = convert_to_tensor(x), convert_to_tensor(updates), convert_to_tensor(start_indices)
        sizes, last = (shape(t, out_type=start.dtype) for t in (updates, x))
        start = maximum(minimum(start, subtract(last, sizes)), ZEROS_LIKE.call(start))
        return TENSOR_STRIDED_SLICE_UPDATE(x, start, ADD.call(start, sizes), ONES_LIKE.call(start), updates)
    except Exception as error:
        trim(error)
        raise
