"""`tf.math.bincount` of ragged and sparse tensors: of all items, or of those of each row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, as_dtype, int32, int64
from ...ir.apply import convert_to_tensor
from ...ir.op import OPS
from ..array.basic import reshape
from ..array.join import concat
from ..primitives.cast import cast
from ..reduce.reductions import MAX
from ..search.counting import DENSE_BINCOUNT


def bincount_of(items: Callable[[Any], Any], by_row: Callable[..., Any]) -> Callable[..., Any]:
    """`bincount` for a class whose values have these `items`; `by_row(arr, items, size, weights, binary_output)` counts row by row."""

    def bincount(
        arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None, dtype: Any = int32, name: str | None = None,
        axis: int | None = None, binary_output: bool = False,
    ) -> Any:  # fmt: skip
        if axis not in (None, 0, -1):
            raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
        if weights is not None and type(weights) is not type(arr):
            kind = type(arr).__name__
            raise ValueError(f"Argument `weights` must be a {kind} if `values` is a {kind}. Received weights={weights}")
        values = items(arr) if arr.dtype in INDEX else cast(items(arr), int32)
        amounts = convert_to_tensor(np.zeros(0, as_dtype(dtype).numpy_dtype)) if weights is None else items(weights)
        size = MAX.call(concat([reshape(values, [-1]), np.array([-1], values.dtype.numpy_dtype)], 0), [0]) + 1
        for bound, op in ((minlength, "Maximum"), (maxlength, "Minimum")):
            if bound is not None:
                size = OPS[op].call(size, convert_to_tensor(bound, values.dtype))
        if axis != -1:
            return DENSE_BINCOUNT.call(reshape(values, [-1]), size, reshape(amounts, [-1]), binary_output=binary_output)
        return by_row(arr, values, size, amounts, binary_output)

    return bincount


def _count_by_row(op: str, before: Callable[[Any], Any], after: Callable[[Any], Any]) -> Callable[..., Any]:
    def count_row(arr: Any, values: Any, size: Any, amounts: Any, binary_output: bool) -> Any:
        found: Any = OPS.find(op)
        return found.call(*before(arr), values, *after(arr), size, amounts, binary_output=binary_output)

    return count_row


ragged_bincount = bincount_of(
    lambda x: x.flat_values, _count_by_row("RaggedBincount", lambda x: [cast(x.row_splits, int64)], lambda x: [])
)
sparse_bincount = bincount_of(lambda x: x.values, _count_by_row("SparseBincount", lambda x: [x.indices], lambda x: [x.dense_shape]))
