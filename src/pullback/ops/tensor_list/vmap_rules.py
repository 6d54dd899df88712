"""Lists of tensors as batching sees them: a list of every row is one list, each of whose elements has a leading axis of rows.

`REPEAT` makes such a list of one that is the same for every row; its adjoint partner is `SUM`.  `SWAP` exchanges an
axis of each element and the next, and is its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ir.op import Op, define
from .items import LIST
from .value import ListValue


def _map_items(change: Callable[[Any], Any], items: ListValue) -> ListValue:
    return ListValue([None if item is None else change(item) for item in items.items()])


def _repeat(input_handle: ListValue, rows: Any) -> ListValue:
    return _map_items(lambda item: np.broadcast_to(item, (int(rows), *np.shape(item))), input_handle)


def _sum(input_handle: ListValue, rows: Any) -> ListValue:
    return _map_items(lambda item: np.add.reduce(item, axis=0, dtype=item.dtype), input_handle)


REPEAT: Op = define(
    "TensorListRepeatRows", "input_handle:variant rows:int32", lambda input_handle, rows: LIST, _repeat,
    {"input_handle": lambda g, rows: SUM(g, rows)}, holomorphic=False,
)  # fmt: skip
SUM: Op = define(
    "TensorListSumRows", "input_handle:variant rows:int32", lambda input_handle, rows: LIST, _sum,
    {"input_handle": lambda g, rows: REPEAT(g, rows)}, holomorphic=False,
)  # fmt: skip
SWAP: Op = define(
    "TensorListSwapAxes", "input_handle:variant", lambda input_handle, *, axis=0: LIST,
    lambda input_handle, *, axis=0: _map_items(lambda item: np.swapaxes(item, axis, axis + 1), input_handle),
    {"input_handle": lambda g, axis: SWAP(g, axis=axis)}, holomorphic=False,
)  # fmt: skip
