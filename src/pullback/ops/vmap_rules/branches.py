"""Which rows take a branch: the one place where batching makes shapes that depend on values.

A batching around such a batching would see a different number of rows in each of its own, so `TAKEN` refuses it, and the outer one runs
row by row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import int32
from ...ir.op import define
from ...ir.tensor import TensorType
from ..batching import Batched, NotBatched, Same
from .base import Rows


def _refuse_rows(rows: Rows, held: Any) -> Batched:
    if not rows.has(held):
        return Same(TAKEN(held))
    raise NotBatched("rows that part in a vectorized branch or loop inside")


TAKEN = define(
    "RowsTaken",
    "held:bool",
    lambda held: TensorType((None,), int32),
    lambda held: np.flatnonzero(held).astype(np.int32),
    {},
    batch=_refuse_rows,
)
