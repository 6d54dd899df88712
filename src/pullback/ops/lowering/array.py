"""How ops that move elements, and make them, are lowered for the engine: views that cost nothing, where they can be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...ir.op import OPS


def sizes(steps: Any, shape: Any) -> tuple[int, ...]:
    """A shape that is known."""
    return tuple(int(n) for n in steps.known(shape).ravel())


def reshape(steps: Any, tensor: Any, shape: Any) -> Any:
    """Reshape: the same elements; -1 is what is left over."""
    wanted = sizes(steps, shape)
    known = int(np.prod([n for n in wanted if n != -1], dtype=np.int64))
    return steps.reshape(tensor, tuple((tensor.size // known if known else 0) if n == -1 else n for n in wanted))


def broadcast_to(steps: Any, input: Any, shape: Any) -> Any:
    """BroadcastTo."""
    return steps.broadcast(input, sizes(steps, shape))


def sum_to(steps: Any, input: Any, shape: Any) -> Any:
    """SumTo: sums over the axes along which `shape` was broadcast."""
    wanted = sizes(steps, shape)
    extra = len(input.dims) - len(wanted)
    axes = [*range(extra), *(i + extra for i, n in enumerate(wanted) if n == 1 and input.dims[i + extra] != 1)]
    return steps.reshape(steps.reduce("sum", input, axes), wanted)


def transpose(steps: Any, x: Any, perm: Any) -> Any:
    """Transpose."""
    return steps.permute(x, [p % max(len(x.dims), 1) for p in sizes(steps, perm)])


def fill(steps: Any, dims: Any, value: Any) -> Any:
    """Fill: one number everywhere."""
    return steps.broadcast(value, sizes(steps, dims))


def squeeze(steps: Any, input: Any, *, squeeze_dims: Any = ()) -> Any:
    """Squeeze: dims of size 1 gone."""
    gone = {d % len(input.dims) for d in squeeze_dims} if squeeze_dims else {i for i, n in enumerate(input.dims) if n == 1}
    return steps.reshape(input, tuple(n for i, n in enumerate(input.dims) if i not in gone))


def expand_dims(steps: Any, input: Any, axis: Any) -> Any:
    """ExpandDims: a dim of size 1 more."""
    at = sizes(steps, axis)[0] % (len(input.dims) + 1)
    return steps.reshape(input, (*input.dims[:at], 1, *input.dims[at:]))


def cast(steps: Any, x: Any, *, DstT: Any) -> Any:
    """Cast."""
    return steps.cast(x, DstT.numpy)


# ---- slices, and whatever else a kernel answers with a view


def viewed(steps: Any, form: Any, kernel: Callable[[Any], Any]) -> Any:
    """The form of a kernel that gives a view of its array: its strides, asked one axis at a time, are the index map."""
    view, rows = view_rows(steps, form.dims, kernel)
    return steps.affine(form, view.shape, rows)


def view_rows(steps: Any, dims: tuple[int, ...], kernel: Callable[[Any], Any]) -> tuple[Any, tuple[Any, ...]]:
    """A view of an array of `dims` (whose content nobody reads), and the index into each axis that an index into it means."""
    base = np.zeros(1, np.int8)
    view = kernel(np.lib.stride_tricks.as_strided(base, dims, (0,) * len(dims)))
    rows = []
    for axis in range(len(dims)):
        alone = np.lib.stride_tricks.as_strided(base, dims, [int(i == axis) for i in range(len(dims))])
        part = kernel(alone)
        if not np.may_share_memory(part, alone) and part.size:
            raise steps.Unsupported("a copy where a view is looked for")
        start = part.__array_interface__["data"][0] - base.__array_interface__["data"][0] if part.size else 0
        rows.append((start, tuple((i, step) for i, step in enumerate(part.strides) if step and view.shape[i] > 1)))
    return view, tuple(rows)


def viewing(op: str) -> Callable[..., Any]:
    """The lowering of an op whose kernel gives views of its first input, the others being known; the kernel says which."""

    def lower(steps: Any, first: Any, *rest: Any, **attrs: Any) -> Any:
        known = [steps.known(r) for r in rest]
        return viewed(steps, first, lambda array: OPS[op].kernel(array, *known, **attrs))

    return lower


def is_known(steps: Any, form: Any) -> bool:
    """Whether a form is known before the program runs."""
    try:
        steps.known(form)
    except steps.Unsupported:
        return False
    return True


def pad(steps: Any, input: Any, paddings: Any, constant_values: Any = None) -> Any:
    """Pad, PadV2: numbers all around."""
    widths = steps.known(paddings).reshape(-1, 2).tolist()
    fill = 0 if constant_values is None else steps.known(constant_values).reshape(())[()]
    return steps.pad(
        input, [low for low, _ in widths], tuple(low + n + high for n, (low, high) in zip(input.dims, widths, strict=True)), fill
    )


# ---- joining and repeating


def stitch(steps: Any, indices: Any, data: Any) -> Any:
    """DynamicStitch where the indices are known: the last row put at each place, zeros at places that none has."""
    known = [steps.known(index).ravel() for index in indices]
    places = np.concatenate(known)
    if places.size and places.min() < 0:
        raise steps.Unsupported("negative indices")
    rest = data[0].dims[len(indices[0].dims) :]
    source = np.full(int(places.max()) + 1 if places.size else 0, -1, np.int32)
    source[places] = np.arange(places.size, dtype=np.int32)
    dims = (source.size, *rest)
    if 0 in dims:
        return steps.filled(dims, data[0].dtype, 0)
    rows = joined(steps, [steps.reshape(d, (index.size, *rest)) for index, d in zip(known, data, strict=True)], 0)
    at = steps.affine(steps.constant(source), dims, ((0, ((0, 1),)),))
    inner = tuple((0, ((i + 1, 1),)) for i in range(len(rest)))
    taken = steps.gather(rows, dims, ((0, ()), *inner), (steps.max(at, 0), *(None,) * len(rest)))
    return taken if (source >= 0).all() else steps.select(steps.compare("ge", at, 0), taken, 0)


def concat(steps: Any, values: Any, axis: Any) -> Any:
    """ConcatV2: each value written to its part."""
    at = sizes(steps, axis)[0] % len(values[0].dims)
    return joined(steps, values, at)


def pack(steps: Any, values: Any, *, axis: int = 0) -> Any:
    """Pack: each value with an axis more, joined."""
    at = axis % (len(values[0].dims) + 1)
    dims = values[0].dims
    return joined(steps, [steps.reshape(v, (*dims[:at], 1, *dims[at:])) for v in values], at)


def joined(steps: Any, values: Any, at: int) -> Any:
    """Values put one after another along an axis."""
    if len(values) == 1:
        return values[0]
    first = values[0].dims
    dims = (*first[:at], sum(v.dims[at] for v in values), *first[at + 1 :])
    whole = steps.temporary(dims, values[0].dtype)
    apart = [int(np.prod(dims[i + 1 :], dtype=np.int64)) for i in range(len(dims))]
    start = 0
    for v in values:
        steps.put(v, whole, apart, start * apart[at], over=False)
        start += v.dims[at]
    return whole


def unpack(steps: Any, value: Any, *, num: int, axis: int = 0) -> Any:
    """Unpack: one slice for each index along an axis."""
    at = axis % len(value.dims)
    return [viewed(steps, value, partial(_slice_at, at, i)) for i in range(value.dims[at])]


def _slice_at(axis: int, i: int, array: Any) -> Any:
    return np.moveaxis(array, axis, 0)[i, ...]


def _part(axis: int, start: int, end: int, array: Any) -> Any:
    return array[(*(slice(None),) * axis, slice(start, end))]


def _column(d: int, array: Any) -> Any:
    return array[..., d]


def split(steps: Any, split_dim: Any, value: Any, *, num_split: int) -> Any:
    """Split in equal parts."""
    at = sizes(steps, split_dim)[0] % len(value.dims)
    return _cut(steps, value, at, [value.dims[at] // num_split] * num_split)


def split_v(steps: Any, value: Any, size_splits: Any, split_dim: Any, *, num_split: int) -> Any:
    """SplitV: parts of given sizes; -1 is what is left over."""
    at = sizes(steps, split_dim)[0] % len(value.dims)
    parts = sizes(steps, size_splits)
    rest = value.dims[at] - sum(n for n in parts if n != -1)
    return _cut(steps, value, at, [rest if n == -1 else n for n in parts])


def _cut(steps: Any, value: Any, at: int, parts: Any) -> Any:
    ends = np.cumsum(parts).tolist()
    return [viewed(steps, value, partial(_part, at, end - n, end)) for n, end in zip(parts, ends, strict=True)]


def tile(steps: Any, input: Any, multiples: Any) -> Any:
    """Tile: an axis for the repetitions before each axis, merged with it."""
    times = sizes(steps, multiples)
    apart = steps.reshape(input, tuple(m for n in input.dims for m in (1, n)))
    spread = steps.broadcast(apart, tuple(m for t, n in zip(times, input.dims, strict=True) for m in (t, n)))
    return steps.reshape(spread, tuple(t * n for t, n in zip(times, input.dims, strict=True)))


# ---- choosing


def select(steps: Any, condition: Any, t: Any, e: Any) -> Any:
    """SelectV2, and Select, whose condition may be one for each row."""
    return steps.select(condition, t, e)


def select_rows(steps: Any, condition: Any, t: Any, e: Any) -> Any:
    """Select: a condition of rank 1 chooses rows."""
    if len(condition.dims) == 1 and len(t.dims) > 1:
        condition = steps.reshape(condition, (*condition.dims, *(1,) * (len(t.dims) - 1)))
    return steps.select(condition, t, e)


def one_hot(steps: Any, indices: Any, depth: Any, on_value: Any, off_value: Any, *, axis: int = -1) -> Any:
    """OneHot: where the index along the new axis is that of the row."""
    at = len(indices.dims) if axis == -1 else axis
    dims = (*indices.dims[:at], sizes(steps, depth)[0], *indices.dims[at:])
    own = steps.reshape(indices, (*indices.dims[:at], 1, *indices.dims[at:]))
    return steps.select(steps.compare("eq", own, steps.iota(dims, at, indices.dtype)), on_value, off_value)


def clip(steps: Any, t: Any, clip_value_min: Any, clip_value_max: Any) -> Any:
    """ClipByValue, as its kernel has it."""
    return steps.max(steps.min(t, clip_value_max), clip_value_min)


# ---- gathering


def gather(steps: Any, params: Any, indices: Any, axis: Any, *, batch_dims: int = 0) -> Any:
    """GatherV2: slices along an axis, at indices that are checked."""
    at, rank = sizes(steps, axis)[0] % len(params.dims), len(indices.dims)
    batch = batch_dims % max(rank, 1) if batch_dims < 0 else batch_dims
    inner = rank - batch
    dims = (*params.dims[:at], *indices.dims[batch:], *params.dims[at + 1 :])
    n = params.dims[at]
    steps.within(indices, n)
    places = tuple((0, ((j if j < batch else at + j - batch, 1),)) for j in range(rank))
    chosen = steps.affine(indices, dims, places)
    rows = tuple((0, ()) if p == at else (0, ((p if p < at else p - 1 + inner, 1),)) for p in range(len(params.dims)))
    return steps.gather(params, dims, rows, tuple(chosen if p == at else None for p in range(len(params.dims))))


def gather_rows(steps: Any, params: Any, indices: Any, *, validate_indices: bool = True) -> Any:
    """Gather along axis 0."""
    return gather(steps, params, indices, steps.scalar(0, steps.iota((1,), 0, np.int32)))


def gather_nd(steps: Any, params: Any, indices: Any) -> Any:
    """GatherNd: entries at index vectors, each column of which is an index."""
    depth, lead = indices.dims[-1], indices.dims[:-1]
    if not depth:
        return steps.broadcast(params, (*lead, *params.dims))
    dims = (*lead, *params.dims[depth:])
    chosen: list[Any] = []
    for d in range(depth):
        column = viewed(steps, indices, partial(_column, d))
        steps.check(steps.compare("lt", column, 0) | steps.compare("ge", column, params.dims[d]))
        chosen.append(steps.affine(column, dims, tuple((0, ((j, 1),)) for j in range(len(lead)))))
    rows = tuple((0, ()) if p < depth else (0, ((p - depth + len(lead), 1),)) for p in range(len(params.dims)))
    return steps.gather(params, dims, rows, (*chosen, *(None,) * (len(params.dims) - depth)))


# ---- scattering

_COMBINE = {
    "ScatterUpdate": "put", "ScatterAdd": "add", "ScatterSub": "sub", "ScatterMul": "mul", "ScatterDiv": "div", "ScatterMin": "min",
    "ScatterMax": "max", "TensorScatterUpdate": "put", "TensorScatterAdd": "add", "TensorScatterSub": "sub", "TensorScatterMin": "min",
    "TensorScatterMax": "max",
}  # fmt: skip


def scatter_rows(steps: Any, target: Any, indices: Any, updates: Any, name: str) -> Any:
    """ScatterAdd and its kin: rows of a variable changed."""
    if target.dtype != updates.dtype or not target.dims:
        raise steps.Unsupported("updates of another dtype")
    rows = steps.reshape(indices, (indices.size,))
    spread = steps.broadcast(updates, (*indices.dims, *target.dims[1:]))
    return steps.scatter(target, rows, steps.reshape(spread, (indices.size, *target.dims[1:])), _COMBINE[name])


def gather_adjoint(steps: Any, updates: Any, indices: Any, axis: Any, shape: Any, *, batch_dims: int = 0) -> Any:
    """GatherAdjoint: slices added where they were taken from."""
    if batch_dims:
        raise steps.Unsupported("gathers with batch dims are transposed by their kernel")
    dims = sizes(steps, shape)
    at, rank = sizes(steps, axis)[0] % len(dims), len(indices.dims)
    inner = [*range(at, at + rank), *(i for i in range(len(updates.dims)) if not at <= i < at + rank)]
    rest = (*dims[:at], *dims[at + 1 :])
    front = steps.reshape(steps.permute(updates, inner), (indices.size, *rest))
    zeros = steps.broadcast(steps.number(0, updates.dtype), (dims[at], *rest))
    added = steps.scatter(zeros, steps.reshape(indices, (indices.size,)), front, "add")
    return steps.permute(added, [*range(1, at + 1), 0, *range(at + 1, len(dims))])


def scatter_nd(steps: Any, indices: Any, updates: Any, shape: Any) -> Any:
    """ScatterNd: slices added at index vectors."""
    dims = sizes(steps, shape)
    return scatter_tensor("TensorScatterAdd")(steps, steps.broadcast(steps.number(0, updates.dtype), dims), indices, updates)


def scatter_tensor(name: str) -> Callable[..., Any]:
    """The lowering of TensorScatterAdd and its kin: index vectors become numbers of rows."""

    def lower(steps: Any, tensor: Any, indices: Any, updates: Any) -> Any:
        depth, lead = indices.dims[-1], indices.dims[:-1]
        if not depth or 0 in tensor.dims:
            raise steps.Unsupported("index vectors without entries")
        row, count = None, int(np.prod(tensor.dims[:depth], dtype=np.int64))
        for d in range(depth):
            if steps.is_known(indices):
                column = steps.constant(steps.known(indices)[..., d].astype(np.int64))
            else:
                column = steps.cast(viewed(steps, indices, partial(_column, d)), np.int64)
            steps.within(column, tensor.dims[d])
            row = column if row is None else row * tensor.dims[d] + column
        rows, rest = int(np.prod(lead, dtype=np.int64)), tensor.dims[depth:]
        flat = steps.reshape(tensor, (count, *rest))
        changed = steps.scatter(flat, steps.reshape(row, (rows,)), steps.reshape(updates, (rows, *rest)), _COMBINE[name])
        return steps.reshape(changed, tensor.dims)

    return lower
