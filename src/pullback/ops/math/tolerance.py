"""Comparison to a tolerance, and the number of bits that are set."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import INTEGER, NUMERIC, bool, uint8
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError
from ...ir.op import define
from ...ir.tensor import TensorType
from ...kernels import blocked
from ..batching import stack_rows
from ..families import elementwise
from ..lowering import math as native_math

Array = np.ndarray[Any, Any]


def _near_type(x: Any, y: Any, *, tolerance: float = 1e-5) -> TensorType:
    if x.dims is None or y.dims is None:
        return TensorType(x.dims or y.dims, bool)
    if len(x.dims) != len(y.dims) or any(m is not None and n is not None and m != n for m, n in zip(x.dims, y.dims, strict=True)):
        text = f"x and y must be of the same shape. x shape: {show_dims(x.dims)}. y shape: {show_dims(y.dims)}"
        raise ShapeError(text, text)
    return TensorType(tuple(n if m is None else m for m, n in zip(x.dims, y.dims, strict=True)), bool)


def _compare_near(x: Array, y: Array, *, tolerance: float = 1e-5) -> Any:
    if x.shape != y.shape:
        raise ValueError("shapes differ")  # the type rule finds the words
    return np.abs(x - y) < np.float32(tolerance)


APPROXIMATE_EQUAL = define(
    "ApproximateEqual",
    "x y",
    _near_type,
    blocked.block_kernel(_compare_near),
    {},
    dtypes=NUMERIC,
    batch=stack_rows(),
    lower=native_math.compare_near,
)
POPULATION_COUNT = elementwise(
    "PopulationCount", "x", lambda x: np.bitwise_count(x.view(f"u{x.dtype.itemsize}")), {}, dtypes=INTEGER, output=uint8,
    lower=native_math.population_count,
)  # fmt: skip
