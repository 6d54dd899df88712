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


def einsum(steps: Any, inputs: Any, *, equation: str, stretch: Any = ()) -> Any:
    """Einsum of one or two tensors without an ellipsis or a label twice in one of them: sums, and one product of matrices."""
    left, _, out = equation.partition("->")
    labels = left.split(",")
    if stretch or "." in equation or any(len(set(each)) < len(each) for each in (*labels, out)) or len(labels) > 2:
        raise steps.Unsupported("an equation that is more than one product of matrices")
    size = {c: n for each, x in zip(labels, inputs, strict=True) for c, n in zip(each, x.dims, strict=True)}
    if any(size[c] != n for each, x in zip(labels, inputs, strict=True) for c, n in zip(each, x.dims, strict=True)):
        raise steps.Unsupported("sizes that broadcast")
    if len(labels) == 1:
        x, kept = _summed(steps, inputs[0], labels[0], out)
        return steps.permute(x, [kept.index(c) for c in out])
    (x, a), (y, c) = (_summed(steps, x, each, out + other) for x, each, other in zip(inputs, labels, reversed(labels), strict=True))
    both = [k for k in a if k in c]
    stack, inner = [k for k in both if k in out], [k for k in both if k not in out]
    rows, columns = [k for k in a if k not in c], [k for k in c if k not in a]
    left_form = _matrices(steps, x, a, stack, rows, inner, size)
    right_form = _matrices(steps, y, c, stack, inner, columns, size)
    product = batch_matmul(steps, left_form, right_form)
    order = [*stack, *rows, *columns]
    return steps.permute(steps.reshape(product, tuple(size[k] for k in order)), [order.index(k) for k in out])


def _summed(steps: Any, x: Any, labels: str, wanted: str) -> tuple[Any, str]:
    """A tensor summed over the axes that nothing else names."""
    gone = [i for i, k in enumerate(labels) if k not in wanted]
    return steps.reduce("sum", x, gone) if gone else x, "".join(k for k in labels if k in wanted)


def _matrices(steps: Any, x: Any, labels: str, stack: list[str], first: list[str], second: list[str], size: dict[str, int]) -> Any:
    """A tensor as a stack of matrices: transposed rather than moved where that will do."""
    count = [math.prod(size[k] for k in group) for group in (stack, first, second)]
    turned = [labels.index(k) for k in (*stack, *second, *first)]
    if turned == list(range(len(labels))):
        stored = steps.reshape(x, (count[0], count[2], count[1]) if stack else (count[2], count[1]))
        rank = len(stored.dims)
        return steps.permute(stored, [*range(rank - 2), rank - 1, rank - 2])
    moved = steps.permute(x, [labels.index(k) for k in (*stack, *first, *second)])
    return steps.reshape(moved, tuple(count) if stack else tuple(count[1:]))
