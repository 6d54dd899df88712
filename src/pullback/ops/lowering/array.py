"""How ops that move elements, and make them, are lowered for the engine: views that cost nothing, where they can be."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir.op import OPS

if TYPE_CHECKING:
    from ...base.dtypes import DType
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr


def sizes(builder: Builder, shape: Any) -> tuple[int, ...]:
    """A shape that is known."""
    return tuple(int(n) for n in builder.get_constant(shape).ravel())


def reshape(builder: Builder, tensor: IndexExpr, shape: IndexExpr) -> IndexExpr:
    """Reshape: the same elements; -1 is what is left over."""
    wanted = sizes(builder, shape)
    rest = infer_size(wanted, tensor.dims) if -1 in wanted else 0
    return builder.reshape(tensor, tuple(rest if n == -1 else n for n in wanted))


def infer_size(sizes: Sequence[int], dims: Sequence[int]) -> int:
    """The size that -1 stands for in a tensor of `dims`: without elements 0, or with a 0 beside it what its other sizes leave to it."""
    if 0 in dims and 0 not in sizes:
        return 0
    return math.prod(n for n in dims if n) // math.prod(n for n in sizes if n > 0)


def broadcast_to(builder: Builder, input: IndexExpr, shape: IndexExpr) -> IndexExpr:
    """BroadcastTo."""
    return builder.broadcast(input, sizes(builder, shape))


def sum_to(builder: Builder, input: IndexExpr, shape: IndexExpr) -> IndexExpr:
    """SumTo: sums over the axes along which `shape` was broadcast."""
    wanted = sizes(builder, shape)
    extra = len(input.dims) - len(wanted)
    axes = [*range(extra), *(i + extra for i, n in enumerate(wanted) if n == 1 and input.dims[i + extra] != 1)]
    return builder.reshape(builder.reduce("sum", input, axes), wanted)


def transpose(builder: Builder, x: IndexExpr, perm: IndexExpr) -> IndexExpr:
    """Transpose."""
    return builder.permute(x, [p % max(len(x.dims), 1) for p in sizes(builder, perm)])


def fill(builder: Builder, dims: IndexExpr, value: IndexExpr) -> IndexExpr:
    """Fill: one number everywhere."""
    return builder.broadcast(value, sizes(builder, dims))


def squeeze(builder: Builder, input: IndexExpr, *, squeeze_dims: Any = ()) -> IndexExpr:
    """Squeeze: dims of size 1 gone."""
    gone = {d % len(input.dims) for d in squeeze_dims} if squeeze_dims else {i for i, n in enumerate(input.dims) if n == 1}
    return builder.reshape(input, tuple(n for i, n in enumerate(input.dims) if i not in gone))


def expand_dims(builder: Builder, input: IndexExpr, axis: IndexExpr) -> IndexExpr:
    """ExpandDims: a dim of size 1 more."""
    at = sizes(builder, axis)[0] % (len(input.dims) + 1)
    return builder.reshape(input, (*input.dims[:at], 1, *input.dims[at:]))


def cast(builder: Builder, x: IndexExpr, *, DstT: DType) -> IndexExpr:
    """Cast."""
    return builder.cast(x, DstT.numpy_dtype)


# ---- slices, and whatever else a kernel answers with a view


def view_array(builder: Builder, expr: Any, kernel: Callable[[Any], Any]) -> IndexExpr:
    """The expression of a kernel that gives a view of its array: its strides, asked one axis at a time, are the index map."""
    view, rows = view_rows(builder, expr.dims, kernel)
    return builder.affine(expr, view.shape, rows)


def view_rows(builder: Builder, dims: tuple[int, ...], kernel: Callable[[Any], Any]) -> tuple[Any, tuple[Any, ...]]:
    """A view of an array of `dims` (whose content nobody reads), and the index into each axis that an index into it means."""
    base = np.zeros(1, np.int8)
    view = kernel(np.lib.stride_tricks.as_strided(base, dims, (0,) * len(dims)))
    rows = []
    for axis in range(len(dims)):
        alone = np.lib.stride_tricks.as_strided(base, dims, [int(i == axis) for i in range(len(dims))])
        part = kernel(alone)
        if not np.may_share_memory(part, alone) and part.size:
            raise builder.Unsupported("a copy where a view is looked for")
        start = part.__array_interface__["data"][0] - base.__array_interface__["data"][0] if part.size else 0
        rows.append((start, tuple((i, step) for i, step in enumerate(part.strides) if step and view.shape[i] > 1)))
    return view, tuple(rows)


def lower_view(op: str) -> Callable[..., Any]:
    """The lowering of an op whose kernel gives views of its first input, the others being known; the kernel says which."""

    def lower(builder: Any, first: Any, *rest: Any, **attrs: Any) -> Any:
        known = [builder.get_constant(r) for r in rest]
        return view_array(builder, first, lambda array: OPS[op].kernel(array, *known, **attrs))

    return lower


def is_known(builder: Builder, expr: Any) -> bool:
    """Whether an expression is known before the program runs."""
    try:
        builder.get_constant(expr)
    except builder.Unsupported:
        return False
    return True


def pad(builder: Builder, input: IndexExpr, paddings: IndexExpr, constant_values: Any = None) -> IndexExpr:
    """Pad, PadV2: numbers all around."""
    widths = builder.get_constant(paddings).reshape(-1, 2).tolist()
    fill = 0 if constant_values is None else builder.get_constant(constant_values).reshape(())[()]
    return builder.pad(
        input, [low for low, _ in widths], tuple(low + n + high for n, (low, high) in zip(input.dims, widths, strict=True)), fill
    )


# ---- joining and repeating


def stitch(builder: Builder, indices: Any, data: Any) -> IndexExpr:
    """DynamicStitch where the indices are known: the last row put at each place, zeros at places that none has."""
    known = [builder.get_constant(index).ravel() for index in indices]
    places = np.concatenate(known)
    if places.size and places.min() < 0:
        raise builder.Unsupported("negative indices")
    rest = data[0].dims[len(indices[0].dims) :]
    source = np.full(int(places.max()) + 1 if places.size else 0, -1, np.int32)
    source[places] = np.arange(places.size, dtype=np.int32)
    dims = (source.size, *rest)
    if 0 in dims:
        return builder.fill_memory(dims, data[0].dtype, 0)
    rows = join_values(builder, [builder.reshape(d, (index.size, *rest)) for index, d in zip(known, data, strict=True)], 0)
    at = builder.affine(builder.constant(source), dims, ((0, ((0, 1),)),))
    inner = tuple((0, ((i + 1, 1),)) for i in range(len(rest)))
    taken = builder.gather(rows, dims, ((0, ()), *inner), (builder.max(at, 0), *(None,) * len(rest)))
    return taken if (source >= 0).all() else builder.select(builder.compare("ge", at, 0), taken, 0)


def concat(builder: Builder, values: Any, axis: IndexExpr) -> IndexExpr:
    """ConcatV2: each value written to its part."""
    at = sizes(builder, axis)[0] % len(values[0].dims)
    return join_values(builder, values, at)


def pack(builder: Builder, values: Any, *, axis: int = 0) -> IndexExpr:
    """Pack: each value with an axis more, joined."""
    at = axis % (len(values[0].dims) + 1)
    dims = values[0].dims
    return join_values(builder, [builder.reshape(v, (*dims[:at], 1, *dims[at:])) for v in values], at)


def join_values(builder: Builder, values: Any, at: int) -> IndexExpr:
    """Values put one after another along an axis."""
    if len(values) == 1:
        return values[0]
    first = values[0].dims
    dims = (*first[:at], sum(v.dims[at] for v in values), *first[at + 1 :])
    whole = builder.temporary(dims, values[0].dtype)
    apart = [int(np.prod(dims[i + 1 :], dtype=np.int64)) for i in range(len(dims))]
    start = 0
    for v in values:
        builder.put(v, whole, apart, start * apart[at], over=False)
        start += v.dims[at]
    return whole


def unpack(builder: Builder, value: IndexExpr, *, num: int, axis: int = 0) -> list[IndexExpr]:
    """Unpack: one slice for each index along an axis."""
    at = axis % len(value.dims)
    return [view_array(builder, value, partial(_slice_at, at, i)) for i in range(value.dims[at])]


def _slice_at(axis: int, i: int, array: Any) -> Any:
    return np.moveaxis(array, axis, 0)[i, ...]


def _part(axis: int, start: int, end: int, array: Any) -> Any:
    return array[(*(slice(None),) * axis, slice(start, end))]


def _column(d: int, array: Any) -> np.ndarray:
    return array[..., d]


def split(builder: Builder, split_dim: IndexExpr, value: IndexExpr, *, num_split: int) -> list[IndexExpr]:
    """Split in equal parts."""
    at = sizes(builder, split_dim)[0] % len(value.dims)
    return _cut_parts(builder, value, at, [value.dims[at] // num_split] * num_split)


def split_v(builder: Builder, value: IndexExpr, size_splits: IndexExpr, split_dim: IndexExpr, *, num_split: int) -> list[IndexExpr]:
    """SplitV: parts of given sizes; -1 is what is left over."""
    at = sizes(builder, split_dim)[0] % len(value.dims)
    parts = sizes(builder, size_splits)
    rest = value.dims[at] - sum(n for n in parts if n != -1)
    return _cut_parts(builder, value, at, [rest if n == -1 else n for n in parts])


def _cut_parts(builder: Builder, value: Any, at: int, parts: Any) -> Any:
    ends = np.cumsum(parts).tolist()
    return [view_array(builder, value, partial(_part, at, end - n, end)) for n, end in zip(parts, ends, strict=True)]


def tile(builder: Builder, input: IndexExpr, multiples: IndexExpr) -> IndexExpr:
    """Tile: an axis for the repetitions before each axis, merged with it."""
    times = sizes(builder, multiples)
    apart = builder.reshape(input, tuple(m for n in input.dims for m in (1, n)))
    spread = builder.broadcast(apart, tuple(m for t, n in zip(times, input.dims, strict=True) for m in (t, n)))
    return builder.reshape(spread, tuple(t * n for t, n in zip(times, input.dims, strict=True)))


# ---- choosing


def select(builder: Builder, condition: IndexExpr, t: IndexExpr, e: IndexExpr) -> IndexExpr:
    """SelectV2, and Select, whose condition may be one for each row."""
    return builder.select(condition, t, e)


def select_rows(builder: Builder, condition: IndexExpr, t: IndexExpr, e: IndexExpr) -> IndexExpr:
    """Select: a condition of rank 1 chooses rows."""
    if len(condition.dims) == 1 and len(t.dims) > 1:
        condition = builder.reshape(condition, (*condition.dims, *(1,) * (len(t.dims) - 1)))
    return builder.select(condition, t, e)


def one_hot(
    builder: Builder, indices: IndexExpr, depth: IndexExpr, on_value: IndexExpr, off_value: IndexExpr, *, axis: int = -1
) -> IndexExpr:
    """OneHot: where the index along the new axis is that of the row."""
    at = len(indices.dims) if axis == -1 else axis
    dims = (*indices.dims[:at], sizes(builder, depth)[0], *indices.dims[at:])
    own = builder.reshape(indices, (*indices.dims[:at], 1, *indices.dims[at:]))
    return builder.select(builder.compare("eq", own, builder.iota(dims, at, indices.dtype)), on_value, off_value)


def clip(builder: Builder, t: IndexExpr, clip_value_min: IndexExpr, clip_value_max: IndexExpr) -> IndexExpr:
    """ClipByValue, as its kernel has it."""
    return builder.max(builder.min(t, clip_value_max), clip_value_min)


# ---- gathering


def gather(builder: Builder, params: IndexExpr, indices: IndexExpr, axis: IndexExpr, *, batch_dims: int = 0) -> IndexExpr:
    """GatherV2: slices along an axis, at indices that are checked."""
    at, rank = sizes(builder, axis)[0] % len(params.dims), len(indices.dims)
    batch = batch_dims % max(rank, 1) if batch_dims < 0 else batch_dims
    inner = rank - batch
    dims = (*params.dims[:at], *indices.dims[batch:], *params.dims[at + 1 :])
    n = params.dims[at]
    builder.within(indices, n)
    places = tuple((0, ((j if j < batch else at + j - batch, 1),)) for j in range(rank))
    chosen = builder.affine(indices, dims, places)
    rows = tuple((0, ()) if p == at else (0, ((p if p < at else p - 1 + inner, 1),)) for p in range(len(params.dims)))
    return builder.gather(params, dims, rows, tuple(chosen if p == at else None for p in range(len(params.dims))))


def gather_rows(builder: Builder, params: IndexExpr, indices: IndexExpr, *, validate_indices: bool = True) -> IndexExpr:
    """Gather along axis 0."""
    return gather(builder, params, indices, builder.scalar(0, builder.iota((1,), 0, np.int32)))


def gather_nd(builder: Builder, params: IndexExpr, indices: IndexExpr) -> IndexExpr:
    """GatherNd: entries at index vectors, each column of which is an index."""
    depth, lead = indices.dims[-1], indices.dims[:-1]
    if not params.size or not params.dims:
        raise builder.Unsupported("entries of a scalar, or of nothing")
    if not depth:
        return builder.broadcast(params, (*lead, *params.dims))
    dims = (*lead, *params.dims[depth:])
    chosen: list[Any] = []
    for d in range(depth):
        column = view_array(builder, indices, partial(_column, d))
        builder.check(builder.compare("lt", column, 0) | builder.compare("ge", column, params.dims[d]))
        chosen.append(builder.affine(column, dims, tuple((0, ((j, 1),)) for j in range(len(lead)))))
    rows = tuple((0, ()) if p < depth else (0, ((p - depth + len(lead), 1),)) for p in range(len(params.dims)))
    return builder.gather(params, dims, rows, (*chosen, *(None,) * (len(params.dims) - depth)))


# ---- scattering


def scatter_rows(builder: Builder, target: Any, indices: Any, updates: Any, combine: str) -> IndexExpr:
    """ScatterAdd and its kin: rows of a variable changed."""
    if target.dtype != updates.dtype or not target.dims:
        raise builder.Unsupported("updates of another dtype")
    rows = builder.reshape(indices, (indices.size,))
    spread = builder.broadcast(updates, (*indices.dims, *target.dims[1:]))
    return builder.scatter(target, rows, builder.reshape(spread, (indices.size, *target.dims[1:])), combine)


def gather_adjoint(
    builder: Builder, updates: IndexExpr, indices: IndexExpr, axis: IndexExpr, shape: IndexExpr, *, batch_dims: int = 0
) -> IndexExpr:
    """GatherAdjoint: slices added where they were taken from."""
    if batch_dims:
        raise builder.Unsupported("gathers with batch dims are transposed by their kernel")
    dims = sizes(builder, shape)
    at, rank = sizes(builder, axis)[0] % len(dims), len(indices.dims)
    inner = [*range(at, at + rank), *(i for i in range(len(updates.dims)) if not at <= i < at + rank)]
    rest = (*dims[:at], *dims[at + 1 :])
    front = builder.reshape(builder.permute(updates, inner), (indices.size, *rest))
    zeros = builder.broadcast(builder.number(0, updates.dtype), (dims[at], *rest))
    added = builder.scatter(zeros, builder.reshape(indices, (indices.size,)), front, "add")
    return builder.permute(added, [*range(1, at + 1), 0, *range(at + 1, len(dims))])


def scatter_nd(builder: Builder, indices: IndexExpr, updates: IndexExpr, shape: IndexExpr) -> IndexExpr:
    """ScatterNd: slices added at index vectors."""
    dims = sizes(builder, shape)
    return scatter_tensor("add")(builder, builder.broadcast(builder.number(0, updates.dtype), dims), indices, updates)


def scatter_tensor(combine: str) -> Callable[..., Any]:
    """The lowering of TensorScatterAdd and its kin: index vectors become numbers of rows."""

    def lower(builder: Any, tensor: Any, indices: Any, updates: Any) -> Any:
        depth, lead = indices.dims[-1], indices.dims[:-1]
        if not depth or 0 in tensor.dims:
            raise builder.Unsupported("index vectors without entries")
        row, count = None, int(np.prod(tensor.dims[:depth], dtype=np.int64))
        for d in range(depth):
            if builder.is_known(indices):
                column = builder.constant(builder.get_constant(indices)[..., d].astype(np.int64))
            else:
                column = builder.cast(view_array(builder, indices, partial(_column, d)), np.int64)
            builder.within(column, tensor.dims[d])
            row = column if row is None else row * tensor.dims[d] + column
        rows, rest = int(np.prod(lead, dtype=np.int64)), tensor.dims[depth:]
        flat = builder.reshape(tensor, (count, *rest))
        changed = builder.scatter(flat, builder.reshape(row, (rows,)), builder.reshape(updates, (rows, *rest)), combine)
        return builder.reshape(changed, tensor.dims)

    return lower
