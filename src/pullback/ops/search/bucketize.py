"""Which of several buckets numbers fall into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import float32, float64, int32, int64
from ...ir.op import define
from ...ir.tensor import TensorType
from ...kernels.native_loops import LEAST_ENTRIES, run_natively
from ..array.type_rules import Array, invalid_argument
from ..batching import stack_rows
from ..lowering import search as native_search
from . import entry_loops


def _bucket_type(input: Any, *, boundaries: Sequence[float]) -> TensorType:
    return TensorType(input.dims, int32)


def _bucketize(input: Array, *, boundaries: Sequence[float]) -> Array:
    edges = np.asarray(boundaries, np.float32)
    if (edges[1:] < edges[:-1]).any():
        raise invalid_argument("Expected sorted boundaries")
    if edges.size and input.size >= LEAST_ENTRIES:
        found = np.empty(input.shape, np.int32)
        given = input.reshape(-1), edges if input.dtype == np.float32 else edges.astype(np.float64)
        if run_natively(entry_loops.upper_bounds, input.size, found.reshape(-1), *given, input.size, edges.size) is not None:
            return found
    return np.asarray(np.searchsorted(edges, input, side="right")).astype(np.int32)


BUCKETIZE = define(
    "Bucketize", "input", _bucket_type, _bucketize, {}, dtypes={int32, int64, float32, float64}, batch=stack_rows(),
    lower=native_search.bucketize,
)  # fmt: skip
