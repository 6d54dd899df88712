"""Views and gathers in StableHLO: an index that is linear in one axis is a slice, all others are indices of a gather."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..lowering.index_expr import Affine, Dims, Gather, IndexExpr, Iota, Pointwise, Row, Scalar
from .module import BOOL, Value, Writer, integers
from .scalars import cast, compare, select


def reshape(w: Writer, x: Value, dims: Dims) -> Value:
    """The same elements in the same order under other dims."""
    return x if x.dims == dims else w.op("reshape", (x,), dims, x.dtype)


def transpose(w: Writer, x: Value, axes: Sequence[int]) -> Value:
    """The transpose: axis i of the result is axis `axes[i]` of x."""
    if list(axes) == list(range(len(axes))):
        return x
    return w.op("transpose", (x,), tuple(x.dims[a] for a in axes), x.dtype, f"permutation = {integers(axes)}")


def broadcast(w: Writer, x: Value, dims: Dims, axes: Sequence[int]) -> Value:
    """x along more axes; axes: which of the result's axes each of its own is."""
    if x.dims == dims:
        return x
    return w.op("broadcast_in_dim", (x,), dims, x.dtype, f"broadcast_dimensions = {integers(axes)}")


def pad(w: Writer, x: Value, fill: object, low: Sequence[int], high: Sequence[int], between: Sequence[int]) -> Value:
    """x with a number around its elements and between them."""
    if not any((*low, *high, *between)):
        return x
    dims = tuple(a + n + max(n - 1, 0) * k + b for a, n, k, b in zip(low, x.dims, between, high, strict=True))
    said = f"edge_padding_low = {integers(low)}, edge_padding_high = {integers(high)}, interior_padding = {integers(between)}"
    return w.op("pad", (x, w.constant(fill, x.dtype)), dims, x.dtype, said)


def reverse(w: Writer, x: Value, axes: Sequence[int]) -> Value:
    """x from its end along axes."""
    return w.op("reverse", (x,), x.dims, x.dtype, f"dimensions = {integers(axes)}") if axes else x


def slice_spans(w: Writer, x: Value, spans: Sequence[tuple[int, int, int]]) -> Value:
    """The elements first, first + step, ... along each axis, as many as each span says; a negative step goes back."""
    starts, limits, steps = [], [], []
    for first, step, count in spans:
        last = first + step * (count - 1)
        starts.append(min(first, last) if count else 0)
        limits.append(max(first, last) + 1 if count else 0)
        steps.append(abs(step) or 1)
    dims = tuple(count for _, _, count in spans)
    if (starts, limits) != ([0] * len(dims), list(x.dims)) or any(s > 1 for s in steps):
        said = f"start_indices = {integers(starts)}, limit_indices = {integers(limits)}, strides = {integers(steps)}"
        x = w.op("slice", (x,), dims, x.dtype, said)
    return reverse(w, x, [axis for axis, (_, step, count) in enumerate(spans) if step < 0 and count > 1])


def axes_of(expr: IndexExpr) -> set[int]:
    """The axes that an expression changes along, as far as that is easily said."""
    if isinstance(expr, Scalar):
        return set()
    if isinstance(expr, Iota):
        return {expr.axis}
    if isinstance(expr, Pointwise):
        return set().union(*map(axes_of, expr.args))
    if isinstance(expr, Affine):
        inner = axes_of(expr.arg)
        return {axis for a, (_, terms) in enumerate(expr.rows) if a in inner for axis, _ in terms}
    return {axis for axis, n in enumerate(expr.dims) if n != 1}


class _Indexed(NamedTuple):
    """An axis of a table whose index is computed: a constant, a linear function of axes, and an index that is a value."""

    axis: int
    row: Row
    value: IndexExpr | None


def view(builder: Any, expr: Affine | Gather) -> Value:
    """The elements of a table, or of what a view is of, at the indices that an expression says."""
    table = expr.table if isinstance(expr, Gather) else expr.arg
    indices = expr.indices if isinstance(expr, Gather) else (None,) * len(expr.rows)
    w: Writer = builder.writer
    dims = expr.dims
    if 0 in dims:
        return w.constant(0, expr.dtype, dims)
    if 0 in table.dims:
        return w.constant(0 if expr.fill is None else expr.fill, expr.dtype, dims)
    rows: list[Row] = [(c, tuple((axis, k) for axis, k in terms if dims[axis] > 1)) for c, terms in expr.rows]
    users: dict[int, int] = {}
    for (_, terms), index in zip(rows, indices, strict=True):
        for axis in {axis for axis, _ in terms} | (set() if index is None else axes_of(index)):
            users[axis] = users.get(axis, 0) + 1
    computed, spans, low, high = [], [], [], []
    for a, ((c, terms), index) in enumerate(zip(rows, indices, strict=True)):
        n = table.dims[a]
        if index is not None or len(terms) > 1 or (terms and users[terms[0][0]] > 1):
            computed.append(_Indexed(a, (c, terms), index))
            c, step, count = 0, 1, n
        else:
            step, count = (terms[0][1], dims[terms[0][0]]) if terms else (1, 1)
        reach = (c, c + step * (count - 1))
        low.append(max(-min(reach), 0))
        high.append(max(max(reach) - n + 1, 0))
        spans.append((c + low[-1], step, count))
    base = builder.value(table)
    padded = pad(w, base, 0 if expr.fill is None else expr.fill, low, high, [0] * len(low))
    part = slice_spans(w, padded, spans)
    plain = {a: terms[0][0] if terms else None for a, (_, terms) in enumerate(rows) if a not in {i.axis for i in computed}}
    if not computed:
        return _spread(w, part, [plain[a] for a in range(len(rows))], dims)
    return _gather_computed(builder, part, computed, plain, dims, expr.fill)


def _spread(w: Writer, x: Value, axes: Sequence[int | None], dims: Dims) -> Value:
    """x under `dims`, where its axes are the axes `axes` of it; those that are none have one element."""
    kept = [a for a, axis in enumerate(axes) if axis is not None]
    x = reshape(w, x, tuple(x.dims[a] for a in kept))
    own = [axes[a] for a in kept]
    order = sorted(range(len(own)), key=lambda i: own[i] or 0)
    return broadcast(w, transpose(w, x, order), dims, [own[i] or 0 for i in order])


def _gather_computed(
    builder: Any, table: Value, computed: Sequence[_Indexed], plain: dict[int, int | None], dims: Dims, fill: Any
) -> Value:  # fmt: skip
    w: Writer = builder.writer
    own = [{axis for axis, _ in i.row[1]} | (set() if i.value is None else axes_of(i.value)) for i in computed]
    shared = sorted(set().union(*own))
    space = tuple(dims[axis] for axis in shared)
    columns, good = [], None
    for i in computed:
        at = _index(builder, i, shared, space, dims)
        if fill is not None:
            inside = compare(w, "GE", at, w.constant(0, at.dtype, space))
            below = compare(w, "LT", at, w.constant(table.dims[i.axis], at.dtype, space))
            for holds in (inside, below):
                good = holds if good is None else w.op("and", (good, holds), space, BOOL)
        columns.append(reshape(w, at, (*space, 1)))
    rank = len(space)
    numbers = columns[0] if len(columns) == 1 else w.op(
        "concatenate", columns, (*space, len(columns)), columns[0].dtype, f"dimension = {rank} : i64"
    )  # fmt: skip
    taken = [i.axis for i in computed]
    left = [a for a in range(len(table.dims)) if a not in taken]
    said = (
        f"dimension_numbers = #stablehlo.gather<offset_dims = {list(range(rank, rank + len(left)))}, collapsed_slice_dims = {taken}, "
        f"start_index_map = {taken}, index_vector_dim = {rank}>, indices_are_sorted = false, "
        f"slice_sizes = {integers([1 if a in taken else n for a, n in enumerate(table.dims)])}"
    )
    found = w.op("gather", (table, numbers), (*space, *(table.dims[a] for a in left)), table.dtype, said)
    if good is not None:
        good = broadcast(w, good, found.dims, range(rank))
        found = select(w, good, found, w.constant(fill, found.dtype, found.dims))
    return _spread(w, found, [*shared, *(plain[a] for a in left)], dims)


def _index(builder: Any, i: _Indexed, shared: Sequence[int], space: Dims, dims: Dims) -> Value:
    """An index as numbers over the axes that any index changes along."""
    w: Writer = builder.writer
    whole = np.dtype(np.int64)
    constant, terms = i.row
    at = w.constant(constant, whole, space)
    for axis, k in terms:
        along = w.op("iota", (), space, whole, f"iota_dimension = {shared.index(axis)} : i64")
        at = w.op("add", (at, w.op("multiply", (along, w.constant(k, whole, space)), space, whole)), space, whole)
    if i.value is None:
        return at
    rows: tuple[Row, ...] = tuple((0, ((shared.index(axis), 1),)) if axis in shared else (0, ()) for axis in range(len(dims)))
    value = cast(w, builder.value(i.value if i.value.dims == space and len(space) == len(dims) else Affine(i.value, space, rows)), whole)
    return w.op("add", (at, value), space, whole) if constant or terms else value
