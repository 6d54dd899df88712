"""Batching rules of ops that read and write at indices: gather and scatter, slices, margins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.tensor import Tensor, TensorType
from ..array.basic import broadcast_to, fill, identity, reshape
from ..array.create import ONE_HOT
from ..array.gather import GATHER, GATHER_ADJOINT, GATHER_ROWS
from ..array.gather_nd import ADD, GATHER_ND, SCATTER_ND
from ..array.join import CONCAT
from ..array.mirror_pad import MIRROR_PAD, MIRROR_PAD_GRAD
from ..array.scatter import MAX, MIN, SUB, UPDATE
from ..array.slice import PAD, PAD_V2, SLICE, slice
from ..array.strided_slice import STRIDED_SLICE, STRIDED_SLICE_GRAD, TENSOR_STRIDED_SLICE_ADD, TENSOR_STRIDED_SLICE_UPDATE
from ..array.where import where
from ..batching import Batched, batches, content, next_axis
from ..math.arithmetic import ADD as ADD_V2, multiply
from ..primitives.compare import greater_equal, less, logical_and
from .base import Rows, cast, join_vectors, sizes

# ---- gather and scatter


@batches(GATHER)
def gather(rows: Rows, params: Any, indices: Tensor, axis: Tensor, *, batch_dims: int) -> Batched:
    """Rows share the indices: a gather along a later axis; rows share the params: one gather; else rows are a batch dimension more."""
    if rows.has(axis):
        return NotImplemented
    if not rows.has(indices) and batch_dims == 0:
        return GATHER(params, indices, rows.later(axis), batch_dims=0)
    at = content(axis)
    if not rows.has(params) and batch_dims == 0 and at is not None and (at == 0 or params.dims is not None):
        place = int(at) if at >= 0 else int(at) + len(params.dims)
        return rows.move_axis(GATHER(params, indices, axis, batch_dims=0), place, 0)
    return GATHER(rows.stack(params), rows.stack(indices), rows.later(axis), batch_dims=next_axis(batch_dims))


@batches(GATHER_ROWS)
def gather_rows(rows: Rows, params: Tensor, indices: Tensor, *, validate_indices: bool) -> Batched:
    """As `gather` along the first axis."""
    return gather(rows, params, indices, identity(np.int32(0)), batch_dims=0)


@batches(GATHER_ADJOINT)
def gather_adjoint(rows: Rows, updates: Tensor, indices: Tensor, axis: Tensor, shape: Tensor, *, batch_dims: int) -> Batched:
    """The transpose of `gather`."""
    if rows.has(axis, shape):
        return NotImplemented
    whole = rows.before(shape, shape.dtype)
    if not rows.has(indices) and batch_dims == 0:
        return GATHER_ADJOINT(updates, indices, rows.later(axis), whole, batch_dims=0)
    return GATHER_ADJOINT(rows.stack(updates), rows.stack(indices), rows.later(axis), whole, batch_dims=next_axis(batch_dims))


def number_rows(rows: Rows, indices: Tensor) -> Any:
    """Index vectors into rows as index vectors into the stack: each with the number of its row in front."""
    indices = rows.stack(indices)
    numbers = rows.widen(rows.mark(identity(rows.numbers(indices))), rows.widest([indices]))
    whole = sizes(indices)
    heads = broadcast_to(numbers, join_vectors(whole[:-1], (1,)))
    return CONCAT([heads, indices], -1)


def offset_ids(rows: Rows, ids: Any, count: Any) -> Any:
    """A vector of numbers below `count` for each row, counted on from the rows before it; what is out of range is -1."""
    ids, count = rows.stack(ids), cast(count, ids.dtype)
    there = logical_and(greater_equal(ids, np.zeros((), ids.dtype.numpy_dtype)), less(ids, count))
    first = multiply(reshape(rows.numbers(ids), [-1, 1]), count)
    return rows.mark(where(there, ADD_V2(ids, first), np.full((), -1, ids.dtype.numpy_dtype)))


@batches(GATHER_ND)
def gather_nd(rows: Rows, params: Tensor, indices: Tensor) -> Tensor:
    """One gather where rows share the params; else index vectors name their row."""
    if not rows.has(params):
        return GATHER_ND(params, indices)
    return GATHER_ND(params, number_rows(rows, indices))


@batches(SCATTER_ND)
def scatter_nd(rows: Rows, indices: Tensor, updates: Tensor, shape: Tensor) -> Batched:
    """Index vectors name their row."""
    if rows.has(shape):
        return NotImplemented
    return SCATTER_ND(number_rows(rows, indices), rows.stack(updates), rows.before(shape, shape.dtype))


@batches(ADD, SUB, UPDATE, MAX, MIN)
def tensor_scatter(rows: Rows, tensor: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Index vectors name their row."""
    return rows.op(rows.stack(tensor), number_rows(rows, indices), rows.stack(updates))


# ---- slices


@batches(SLICE)
def slice_of(rows: Rows, input: Tensor, begin: Tensor, size: Tensor) -> Batched:
    """All rows, and of each the slice; slices that begin elsewhere in each row are taken by their indices."""
    if rows.has(size):
        return NotImplemented
    if rows.has(begin):
        return _slices(rows, input, begin, size)
    return slice(input, join_vectors((0,), begin, begin.dtype), join_vectors((-1,), size, size.dtype))


def _slices(rows: Rows, input: Any, begin: Any, size: Any) -> Any:
    """Slices that begin at their row's own place: along each axis a gather of as many entries as the slice has."""
    dims, known = rows.dims(input), content(size)
    if dims is None or known is None or (known < 0).any():
        return NotImplemented
    found = rows.stack(input)
    for axis, length in enumerate(known.tolist()):
        if length == dims[axis]:
            continue
        places = ADD_V2(begin[:, axis : axis + 1], np.arange(length, dtype=begin.dtype.numpy_dtype))
        along = rows.move_axis(found, axis + 1, 1)
        along = GATHER(along, places, np.int32(1), batch_dims=1)
        found = rows.move_axis(along, 1, axis + 1)
    return found


def _masks(attrs: dict[str, Any]) -> dict[str, Any]:
    """The masks of a strided slice with an entry for all rows in front."""
    whole = {name: mask << 1 for name, mask in attrs.items()}
    return {**whole, "begin_mask": whole["begin_mask"] | 1, "end_mask": whole["end_mask"] | 1}


def _entries(*vectors: Any) -> list[Any]:
    return [join_vectors((first,), v, v.dtype) for first, v in zip((0, 0, 1), vectors, strict=True)]


@batches(STRIDED_SLICE)
def strided_slice(rows: Rows, input: Tensor, begin: Tensor, end: Tensor, strides: Tensor, **attrs: Any) -> Batched:
    """All rows, and of each the slice; `x[i]` with an i of each row is a gather."""
    if rows.has(begin) and _takes_one(strides, attrs):
        first = begin[:, 0]
        length = rows.shape(input, first.dtype)[0]
        first = where(less(first, 0), ADD_V2(first, length), first)
        return gather(rows, input, rows.mark(first), identity(np.int32(0)), batch_dims=0)
    if rows.has(begin, end, strides):
        return NotImplemented
    return STRIDED_SLICE(input, *_entries(begin, end, strides), **_masks(attrs))


def _takes_one(strides: Any, attrs: dict[str, Any]) -> bool:
    """Whether a strided slice takes one index of the first axis and all of the others."""
    steps = content(strides)
    if steps is None or (steps != 1).any() or attrs["shrink_axis_mask"] != 1 or attrs["new_axis_mask"]:
        return False
    rest = ((1 << len(steps)) - 1) & ~1
    return all((attrs[name] | attrs["ellipsis_mask"]) & rest == rest for name in ("begin_mask", "end_mask"))


@batches(STRIDED_SLICE_GRAD)
def strided_slice_grad(rows: Rows, shape: Tensor, begin: Tensor, end: Tensor, strides: Tensor, dy: Tensor, **attrs: Any) -> Batched:
    """All rows, and in each the slice."""
    if rows.has(shape, begin, end, strides):
        return NotImplemented
    return STRIDED_SLICE_GRAD(rows.before(shape, shape.dtype), *_entries(begin, end, strides), dy, **_masks(attrs))


@batches(TENSOR_STRIDED_SLICE_UPDATE, TENSOR_STRIDED_SLICE_ADD)
def strided_slice_update(rows: Rows, input: Tensor, begin: Tensor, end: Tensor, strides: Tensor, value: Tensor, **attrs: Any) -> Tensor:
    """All rows, and in each the slice; a value that broadcasts is brought to the rank of the slice first."""
    if rows.has(begin, end, strides):
        return NotImplemented
    dims = STRIDED_SLICE.infer(TensorType(rows.dims(input), input.dtype), begin, end, strides, **attrs).dims  # type: ignore[union-attr]  # one output
    if dims is None:
        return NotImplemented
    value = rows.widen(rows.stack(value), len(dims))
    return rows.op(rows.stack(input), *_entries(begin, end, strides), value, **_masks(attrs))


# ---- indices made


@batches(ONE_HOT)
def one_hot(rows: Rows, indices: Tensor, depth: Tensor, on_value: Tensor, off_value: Tensor, *, axis: int) -> Batched:
    """Vectors for the indices of each row; a value of each row's own is chosen afterwards."""
    if rows.has(depth):
        return NotImplemented
    at = next_axis(axis)
    if not rows.has(on_value, off_value):
        return ONE_HOT(indices, depth, on_value, off_value, axis=at)
    hot = ONE_HOT(rows.stack(indices), depth, np.bool_(True), np.bool_(False), axis=at)
    rank = rows.widest([rows.mark(hot)])
    return where(hot, rows.widen(on_value, rank), rows.widen(off_value, rank))


@batches(PAD_V2)
def pad_with(rows: Rows, input: Tensor, paddings: Tensor, constant_values: Tensor) -> Batched:
    """Margins of each row; where rows have a value of their own, it is put into the margins afterwards."""
    if rows.has(paddings):
        return NotImplemented
    entry = np.zeros((1, 2), paddings.dtype.numpy_dtype)
    known = content(paddings)
    whole = np.concatenate([entry, known]) if known is not None else CONCAT([entry, paddings], 0)
    if not rows.has(constant_values):
        return PAD_V2(input, whole, constant_values)
    input = rows.stack(input)
    inside = PAD_V2(fill(sizes(input), np.bool_(True)), whole, np.bool_(False))
    padded = rows.mark(PAD(input, whole))
    return where(inside, padded, rows.widen(constant_values, rows.widest([padded])))


@batches(MIRROR_PAD, MIRROR_PAD_GRAD)
def mirror(rows: Rows, input: Tensor, paddings: Tensor, *, mode: str) -> Batched:
    """Mirrored margins of each row; no axis may be empty, so where there may be no rows one more is added, and taken away again."""
    if rows.has(paddings):
        return NotImplemented
    known = content(paddings)
    entry = np.zeros((1, 2), paddings.dtype.numpy_dtype)
    whole = np.concatenate([entry, known]) if known is not None else CONCAT([entry, paddings], 0)
    if isinstance(rows.size, int) and rows.size:
        return rows.op(input, whole, mode=mode)
    more = fill(join_vectors((1,), rows.shape(input)), np.zeros((), input.dtype.numpy_dtype))
    return rows.op(CONCAT([input, more], 0), whole, mode=mode)[:-1]
