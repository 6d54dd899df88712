"""How matrix products are lowered for the engine: calls of the BLAS on tensors where they lie, and small ones as sums.

Each of the three tensors of a product is looked at as a stack of matrices: the strides of its stack, rows and columns.  Where the BLAS
can take them so (rows or columns in order), nothing is moved, whatever the order of the axes; else a tensor is put in order first.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .reduce import is_narrow, widen

if TYPE_CHECKING:
    from ...base.dtypes import DType
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

#: Up to this size of all sides a product is a sum of products in one loop with its neighbours.  So is one with a vector, and an outer one:
#: memory is what they wait for, and a gradient reads the matrix once for both of its products.
_SMALL, _WHOLE = 16, 1 << 24
#: So many columns, or twice as many, fill vectors; a result of others and of so many rows is better made of vectors of rows.
_FILLING, _MANY_ROWS = 8, 192


def matmul(builder: Builder, a: IndexExpr, b: IndexExpr, *, transpose_a: bool = False, transpose_b: bool = False) -> IndexExpr:
    """MatMul of two matrices."""
    return _contract(builder, a, b, "km" if transpose_a else "mk", "nk" if transpose_b else "kn", "mn")


def batch_matmul(builder: Builder, x: IndexExpr, y: IndexExpr, *, adj_x: bool = False, adj_y: bool = False) -> IndexExpr:
    """BatchMatMulV2: the stacks are broadcast against each other; a factor that all share is not copied."""
    stack = tuple(int(s) for s in np.broadcast_shapes(x.dims[:-2], y.dims[:-2]))
    names = "abcdefghij"[: len(stack)]
    parts = []
    for expr, flag, plain, turned in ((x, adj_x, "mk", "km"), (y, adj_y, "kn", "nk")):
        own = expr.dims[:-2]
        expr = builder.conj(expr) if flag and expr.dtype.kind == "c" else expr
        if math.prod(own) == 1:
            parts.append((builder.reshape(expr, expr.dims[-2:]), turned if flag else plain))
        else:
            parts.append((builder.broadcast(expr, (*stack, *expr.dims[-2:])), names + (turned if flag else plain)))
    (a, la), (b, lb) = parts
    if stack and la == "mk" and lb == "kn":
        return builder.broadcast(
            builder.reshape(_contract(builder, a, b, la, lb, "mn"), (*(1,) * len(stack), a.dims[0], b.dims[1])),
            (*stack, a.dims[0], b.dims[1]),
        )
    product = _contract(builder, a, b, la, lb, "".join(k for k in names if k in la or k in lb) + "mn")
    return builder.broadcast(product, (*stack, *product.dims[-2:]))


def cast_batch_matmul(builder: Builder, x: IndexExpr, y: IndexExpr, *, Tout: DType, adj_x: bool = False, adj_y: bool = False) -> IndexExpr:
    """BatchMatMulV3: both factors in the dtype of the product."""
    return batch_matmul(builder, builder.cast(x, Tout.numpy_dtype), builder.cast(y, Tout.numpy_dtype), adj_x=adj_x, adj_y=adj_y)


def sparse_matmul(
    builder: Builder, a: IndexExpr, b: IndexExpr, *, transpose_a: bool, transpose_b: bool, a_is_sparse: bool, b_is_sparse: bool
) -> IndexExpr:
    """SparseMatMul: a product in float32."""
    return matmul(builder, builder.cast(a, np.float32), builder.cast(b, np.float32), transpose_a=transpose_a, transpose_b=transpose_b)


def einsum(builder: Builder, inputs: Any, *, equation: str, stretch: Any = ()) -> IndexExpr:
    """Einsum without an ellipsis or a label twice in one tensor: sums, and products of two at a time."""
    left, _, out = equation.partition("->")
    labels = left.split(",")
    if stretch or "." in equation or any(len(set(each)) < len(each) for each in (*labels, out)):
        raise builder.Unsupported("an equation with an ellipsis that stretches, or a label twice in one tensor")
    if is_narrow(inputs[0]):
        return builder.cast(einsum(builder, [widen(builder, x) for x in inputs], equation=equation), inputs[0].dtype)
    parts = list(zip(inputs, labels, strict=True))
    size = {k: n for x, own in parts for k, n in zip(own, x.dims, strict=True)}

    def kept(pair: tuple[int, int]) -> str:
        """The labels of two tensors that others, or the result, name."""
        others = out + "".join(own for i, (_, own) in enumerate(parts) if i not in pair)
        return "".join(dict.fromkeys(k for i in pair for k in parts[i][1] if k in others))

    def growth(pair: tuple[int, int]) -> int:
        """How many elements there are more once two tensors are multiplied."""
        return math.prod(size[k] for k in kept(pair)) - sum(parts[i][0].size for i in pair)

    while len(parts) > 1:
        first, second = pair = min(itertools.combinations(range(len(parts)), 2), key=growth)
        wanted = kept(pair) if len(parts) > 2 else out
        (y, c), (x, a) = parts.pop(second), parts.pop(first)
        (x, a), (y, c) = _sum_alone(builder, x, a, wanted + c), _sum_alone(builder, y, c, wanted + a)
        parts.append((_contract(builder, x, y, a, c, wanted), wanted))
    ((x, own),) = parts
    x, own = _sum_alone(builder, x, own, out)
    return builder.permute(x, [own.index(k) for k in out])


def _sum_alone(builder: Builder, x: Any, labels: str, wanted: str) -> tuple[Any, str]:
    """A tensor summed over the axes that nothing else names."""
    gone = [i for i, k in enumerate(labels) if k not in wanted]
    return builder.reduce("sum", x, gone) if gone else x, "".join(k for k in labels if k in wanted)


class _Groups:
    """The labels of a product: of the stack, of rows and columns of the result, and those summed over."""

    def __init__(self, a: str, b: str, out: str, size: dict[str, int]) -> None:
        shared = [k for k in a if k in b]
        self.stack = [k for k in out if k in shared]
        self.inner = [k for k in shared if k not in out]
        self.rows, self.columns = [k for k in out if k in a and k not in b], [k for k in out if k in b and k not in a]
        self.size = size

    def count(self, group: list[str]) -> int:
        return math.prod(self.size[k] for k in group)


def _contract(builder: Builder, x: Any, y: Any, a: str, b: str, out: str) -> IndexExpr:
    """The sum over the labels that `out` does not name, of the product of two tensors whose axes are labelled."""
    if is_narrow(x):
        return builder.cast(_contract(builder, widen(builder, x), widen(builder, y), a, b, out), x.dtype)
    size: dict[str, int] = {}
    for labels, expr in ((a, x), (b, y)):
        for k, n in zip(labels, expr.dims, strict=True):
            if size.setdefault(k, n) != n:
                raise builder.Unsupported("sizes that broadcast")
    groups = _Groups(a, b, out, size)
    dims = tuple(size[k] for k in out)
    m, n, inner = (groups.count(g) for g in (groups.rows, groups.columns, groups.inner))
    if inner > 1 and 0 not in size.values() and x.dtype.kind in "fc":
        found = builder.contract(x, y, a, b, out)
        if found is not None:
            return found
    if max(m, n, inner) <= _SMALL or 1 in (m, n, inner) or 0 in size.values():
        return _as_sum(builder, x, y, a, b, out, size)
    if x.dtype.kind not in "fc":
        if m * n * inner > _WHOLE:
            raise builder.Unsupported("large matrix products of whole numbers are computed by their kernel")
        return _as_sum(builder, x, y, a, b, out, size)
    if out and out[-1] in groups.rows:
        x, y, a, b = y, x, b, a
        groups = _Groups(a, b, out, size)
    if _is_better_turned(a[builder.undo_transpose(x)[1][-1]], groups):
        x, y, a, b = y, x, b, a
        groups = _Groups(a, b, out, size)
    return _multiply_by_blas(builder, x, y, a, b, out, dims, groups)


def _is_better_turned(last: str, groups: _Groups) -> bool:
    """Whether a result is computed with its rows for columns: its few columns would leave part of each vector empty.

    last: the label of the left factor's elements that lie next to each other, which then make whole vectors.  What reads the result
    reads it turned, so it has to be small beside the factors.
    """
    rows, columns, inner = (groups.count(group) for group in (groups.rows, groups.columns, groups.inner))
    leaves_gaps = columns < _SMALL and columns % _FILLING != 0
    return leaves_gaps and last in groups.rows and rows >= _MANY_ROWS and inner >= 4 * rows


def _as_sum(builder: Builder, x: Any, y: Any, a: str, b: str, out: str, size: dict[str, int]) -> IndexExpr:
    """A small product as a sum of products, in a loop with what reads it."""
    inner = [k for k in size if k not in out]
    every = [*out, *inner]
    spread = []
    for expr, labels in (_columns_in_order(builder, x, a, inner), _columns_in_order(builder, y, b, inner)):
        moved = builder.permute(expr, [labels.index(k) for k in every if k in labels])
        spread.append(builder.reshape(moved, tuple(size[k] if k in labels else 1 for k in every)))
    whole = builder.broadcast(spread[0] * spread[1], tuple(size[k] for k in every))
    return builder.reduce("sum", whole, range(len(out), len(every))) if inner else whole


def _columns_in_order(builder: Builder, x: Any, labels: str, inner: list[str]) -> tuple[Any, str]:
    """A factor of a small product, and its labels: one that does not change in a loop is put in order before the loop, columns last."""
    order = builder.undo_transpose(x)[1]
    kept = [k for k in labels if k not in inner]
    if not kept or labels[order[-1]] not in inner:
        return x, labels
    wanted = [*(k for k in labels if k in inner), *kept]
    put = builder.hoist_values(builder.permute(x, [labels.index(k) for k in wanted]))
    return (x, labels) if put is None else (put, "".join(wanted))


def _multiply_by_blas(builder: Builder, x: Any, y: Any, a: str, b: str, out: str, dims: tuple[int, ...], groups: _Groups) -> Any:
    left, of_a = _put_in_memory(builder, x, a, groups, groups.rows, groups.inner)
    right, of_b = _put_in_memory(builder, y, b, groups, groups.inner, groups.columns)
    of_out = _layout(builder, dims, out, groups, groups.rows, groups.columns)
    order = out
    if of_out is None or of_out.turned:
        order = "".join([*groups.stack, *groups.rows, *groups.columns])
        dims = tuple(groups.size[k] for k in order)
        of_out = _layout(builder, dims, order, groups, groups.rows, groups.columns)
    sizes = groups.count(groups.rows), groups.count(groups.columns), groups.count(groups.inner)
    batch = groups.count(groups.stack)
    is_even = not any(layout.every for layout in (of_a, of_b, of_out))
    follow = all(layout.stack == sizes[0] * layout.row for layout in (of_a, of_out))
    if batch > 1 and is_even and of_b.stack == 0 and not of_a.turned and follow:
        sizes, batch = (sizes[0] * batch, *sizes[1:]), 1
    product = builder.product(left, right, dims, sizes, batch, (of_a, of_b, of_out))
    return product if order == out else builder.permute(product, [order.index(k) for k in out])


def _put_in_memory(builder: Builder, x: Any, labels: str, groups: _Groups, rows: list[str], columns: list[str]) -> tuple[Any, Any]:
    """A factor in memory and its layout: as it lies, or as the view that it is of something in memory, else put in order."""
    expr, order = builder.undo_transpose(x)
    named = "".join(labels[i] for i in order)
    layout = _layout(builder, expr.dims, named, groups, rows, columns)
    if layout is not None:
        return builder.memory(expr), layout
    stack = [k for k in groups.stack if k in labels]
    wanted = [*stack, *rows, *columns]
    moved = builder.memory(builder.permute(x, [labels.index(k) for k in wanted]))
    layout = _layout(builder, moved.dims, "".join(wanted), groups, rows, columns)
    return moved, layout


def _layout(builder: Builder, dims: tuple[int, ...], labels: str, groups: _Groups, rows: list[str], columns: list[str]) -> Any:
    """The layout of a tensor in memory with labelled axes, None where its axes do not lie as the BLAS takes them."""
    apart = {k: math.prod(dims[i + 1 :]) for i, k in enumerate(labels)}
    stack = [k for k in groups.stack if k in labels]
    between, row, column = _stack_strides(stack, apart, groups.size), *(_stride(group, apart, groups.size) for group in (rows, columns))
    if between is None or row is None or column is None:
        return None
    count_rows, count_columns = groups.count(rows), groups.count(columns)
    if count_columns == 1 or column == 1:
        return builder.layout(between[0], max(row, count_columns), 1, *between[1:])
    if count_rows == 1 or row == 1:
        return builder.layout(between[0], 1, max(column, count_rows), *between[1:])
    return None


def _stack_strides(stack: list[str], apart: dict[str, int], size: dict[str, int]) -> tuple[int, int, int] | None:
    """How far apart the matrices of a stack are; or those of each of several stacks, how many each has, and how far apart these are."""
    for place in range(len(stack) + 1):
        outer, inner = _stride(stack[:place], apart, size), _stride(stack[place:], apart, size)
        if inner is not None and outer is not None:
            return (inner, math.prod(size[k] for k in stack[place:]), outer) if outer else (inner, 0, 0)
    return None


def _stride(group: list[str], apart: dict[str, int], size: dict[str, int]) -> int | None:
    """How far apart the neighbours of several axes taken as one are; None where there is no such number, 0 where there is no axis."""
    live = [k for k in group if size[k] > 1]
    for outer, inner in itertools.pairwise(live):
        if apart[outer] != apart[inner] * size[inner]:
            return None
    return apart[live[-1]] if live else 0
