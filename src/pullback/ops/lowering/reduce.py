"""How reductions are lowered for the engine; narrow floats are reduced in float32, as their kernels do."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr


def is_narrow(x: Any) -> bool:
    """Whether an array or an expression is of float16, or bfloat16, which is of no NumPy kind: sums of it are better taken in float32."""
    return x.dtype.itemsize == 2 and x.dtype.kind not in "iu"


def widen(builder: Builder, x: Any) -> IndexExpr:
    """An expression in float32 where it is of a narrow float."""
    return builder.cast(x, np.float32) if is_narrow(x) else x


def _axes(builder: Builder, reduction_indices: Any) -> list[int]:
    return [int(a) for a in builder.get_constant(reduction_indices).ravel()]


def reduction(kind: str) -> Callable[..., Any]:
    """The lowering of a reduction: sum, prod, max, min, any or all."""

    def lower(builder: Any, input: Any, reduction_indices: Any, *, keep_dims: bool = False) -> IndexExpr:
        x = widen(builder, input) if kind in ("sum", "prod") else input
        return builder.cast(builder.reduce(kind, x, _axes(builder, reduction_indices), keep_dims), input.dtype)

    return lower


def mean(builder: Builder, input: IndexExpr, reduction_indices: IndexExpr, *, keep_dims: bool = False) -> IndexExpr:
    """Mean: the sum over the number of elements; of whole numbers rounded towards 0."""
    axes = _axes(builder, reduction_indices)
    count = math.prod(input.dims[a] for a in axes)
    if input.dtype.kind in "iu":
        whole = builder.cast(input, np.uint64 if input.dtype.kind == "u" else np.int64)
        total = builder.reduce("sum", whole, axes, keep_dims)
        return builder.cast(builder.truncdiv(total, max(count, 1)), input.dtype)
    total = builder.reduce("sum", widen(builder, input), axes, keep_dims)
    return builder.cast(total / float(count), input.dtype)


def norm(builder: Builder, input: IndexExpr, reduction_indices: IndexExpr, *, keep_dims: bool = False) -> IndexExpr:
    """EuclideanNorm."""
    if input.dtype.kind in "iu":
        raise builder.Unsupported("the norm of integers")
    x = widen(builder, input)
    x = builder.pointwise("abs", x, dtype=np.zeros(0, x.dtype).real.dtype) if x.dtype.kind == "c" else x
    return builder.cast(builder.sqrt(builder.reduce("sum", x * x, _axes(builder, reduction_indices), keep_dims)), input.dtype)


def l2_loss(builder: Builder, t: IndexExpr) -> IndexExpr:
    """L2Loss: half the sum of squares."""
    x = widen(builder, t)
    return builder.cast(builder.reduce("sum", x * x, list(range(len(t.dims)))) * 0.5, t.dtype)
