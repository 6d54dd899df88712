"""How matrix products are lowered for the engine: one call of the BLAS, or one for each matrix of a stack."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def matmul(steps: Any, a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    """MatMul of two matrices."""
    return batch_matmul(steps, a, b, adj_x=transpose_a, adj_y=transpose_b)


def batch_matmul(steps: Any, x: Any, y: Any, *, adj_x: bool = False, adj_y: bool = False) -> Any:
    """BatchMatMulV2: the stacks are broadcast against each other; a factor that all share is not copied."""
    if x.dtype not in (np.float32, np.float64):
        raise steps.Unsupported(f"matrix products of {x.dtype} are computed by their kernel")
    (x, adj_x), (y, adj_y) = _turned(steps, x, adj_x), _turned(steps, y, adj_y)
    m, k = x.dims[-2:][::-1] if adj_x else x.dims[-2:]
    n = y.dims[-2] if adj_y else y.dims[-1]
    stack = tuple(int(s) for s in np.broadcast_shapes(x.dims[:-2], y.dims[:-2]))
    out_dims = (*stack, m, n)
    if 0 in (*out_dims, k):
        return steps.scalar(0, steps.iota(out_dims, 0, x.dtype)) if out_dims else steps.scalar(0, x)
    if not adj_x and math.prod(y.dims[:-2]) == 1 and stack:
        return steps.product(steps.memory(x), steps.memory(y), out_dims, (math.prod(stack) * m, n, k), (False, adj_y), 1, (0, 0, 0))
    a, stride_a = _stacked(steps, x, stack)
    b, stride_b = _stacked(steps, y, stack)
    batch = math.prod(stack)
    return steps.product(a, b, out_dims, (m, n, k), (adj_x, adj_y), batch, (stride_a, stride_b, m * n))


def _turned(steps: Any, x: Any, flag: bool) -> tuple[Any, bool]:
    """A factor without the transpose at its end, which becomes the routine's flag."""
    plain = steps.untransposed(x)
    return (x, flag) if plain is None else (plain, not flag)


def _stacked(steps: Any, x: Any, stack: tuple[int, ...]) -> tuple[Any, int]:
    """A factor in memory, and how far apart its matrices are: 0 where all are the same one."""
    if math.prod(x.dims[:-2]) == 1:
        return steps.memory(x), 0
    return steps.memory(steps.broadcast(x, (*stack, *x.dims[-2:]))), math.prod(x.dims[-2:])
