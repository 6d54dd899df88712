"""Ragged tensors gathered, joined, stacked, masked, turned and widened: functions of tensors that take ragged ones too."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...base.dtypes import as_dtype, bool as bool_, int32, int64
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import NumberLike, Tensor, TensorLike
from ...ops.array.basic import reshape, shape_of, zeros_of
from ...ops.array.create import RANGE, one_hot as plain_one_hot
from ...ops.array.gather import gather as plain_gather
from ...ops.array.gather_nd import gather_nd as plain_gather_nd
from ...ops.array.join import concat as plain_concat, stack as plain_stack
from ...ops.array.order import reverse as plain_reverse
from ...ops.array.shape import RANK, SIZE, expand_dims as plain_expand, squeeze as plain_squeeze
from ...ops.array.where import SELECT_V2, WHERE
from ...ops.indexing.mask import boolean_mask as plain_mask
from ...ops.math.arithmetic import ADD
from ...ops.primitives.cast import cast
from ...ops.segment.dense import unsorted_segment_sum
from .convert import as_ragged
from .elementwise import map_ragged, nest_above, require_same_splits
from .items import COLUMNS, WITHIN
from .ops import GATHER
from .partitions import axis_of
from .tensor import RaggedTensor, nest_under, splits_of_lengths

# ---- rows by number


def gather_rows(params: NumberLike, indices: NumberLike) -> Any:
    """The rows of a ragged tensor (or a tensor) at indices of any rank."""
    if not isinstance(params, RaggedTensor):
        return plain_gather(params, indices)
    at = convert_to_tensor(indices)
    if at.dims is None:
        raise ValueError("indices.shape.ndims must be known statically")
    rank = params.ragged_rank + len(at.dims) - 1
    *splits, values = GATHER(list(params.nested_row_splits), params.flat_values, at, OUTPUT_RAGGED_RANK=rank)
    lead = [n if isinstance(n, int) else None for n in at.dims[1:]]
    uniforms = [*lead, *params._uniforms()] if at.dims else params._uniforms()[1:]
    return nest_under(values, splits, uniforms) if splits else values


def gather(
    params: TensorLike, indices: TensorLike, validate_indices: object = None, axis: Any = None, batch_dims: int = 0, name: str | None = None
) -> RaggedTensor:
    """`tf.gather` where `params` or `indices` is ragged."""
    given, at = as_ragged(params), as_ragged(indices)
    where = batch_dims if axis is None else int(axis)
    if batch_dims:
        return _batch_gather(given, at, batch_dims, where)
    if isinstance(at, RaggedTensor):
        where = axis_of(where, given.shape.rank)
        return nest_above(at, gather_rows(given, at.flat_values)) if where == 0 else _gather_along_rows(given, at, where)
    return gather_rows(given, at) if where == 0 else _gather_along(given, at, where)


def _gather_along(params: Any, indices: Any, axis: int) -> Any:
    if not isinstance(params, RaggedTensor):
        return plain_gather(params, indices, axis=axis)
    axis = axis_of(axis, params.shape.rank)
    if axis == 0:
        return gather_rows(params, indices)
    if axis > 1:
        return params.with_values(_gather_along(params.values, indices, axis - 1))
    at = convert_to_tensor(indices, dtype_hint=params.row_splits.dtype)
    flat = cast(reshape(at, [-1]), params.row_splits.dtype)
    places = COLUMNS.call(params.row_splits, flat)
    shape = plain_concat([shape_of(places)[:1], shape_of(at)], 0)
    return gather_rows(params.values, reshape(places, shape))


def _gather_along_rows(params: Any, indices: RaggedTensor, axis: int) -> Any:
    """Ragged indices along an axis that is not the first: the same ones for each row."""
    ragged = _make_ragged(params, indices)
    if axis > 1:
        return ragged.with_values(_gather_along_rows(ragged.values, indices, axis - 1))
    rows = RaggedTensor.from_uniform_row_length(indices, indices.nrows(), nrows=1)
    return _batch_gather(ragged, gather_rows(rows, zeros_of(ragged.row_starts())), 1, 1)


def _make_ragged(params: Any, like: RaggedTensor) -> RaggedTensor:
    return params if isinstance(params, RaggedTensor) else RaggedTensor.from_tensor(params, row_splits_dtype=like.row_splits.dtype)


def _batch_gather(params: Any, indices: Any, batch_dims: int, axis: int) -> Any:
    """Row by row: the indices of each row count from where the row of params begins."""
    axis = axis_of(axis, params.shape.rank)
    if batch_dims != 1 or axis < 1:
        raise ValueError(f"tf.gather of ragged tensors takes batch_dims of 0 or 1 and an axis after those, not {batch_dims} and {axis}")
    if not isinstance(indices, RaggedTensor):
        indices = RaggedTensor.from_tensor(indices)
    params = _make_ragged(params, indices)
    if axis > 1:
        again = gather_rows(indices, params.value_rowids())
        return params.with_values(_batch_gather(params.values, again, 1, axis - 1))
    rows = indices.value_rowids()
    for layer in indices._layers()[1:]:
        rows = plain_gather(rows, layer.value_rowids())
    starts, limits = (plain_gather(t, rows) for t in (params.row_starts(), params.row_limits()))
    places = WITHIN.call(cast(indices.flat_values, starts.dtype), starts, limits)
    return nest_above(indices, gather_rows(params.values, places))


def gather_nd(params: TensorLike, indices: TensorLike, batch_dims: int = 0, name: str | None = None, bad_indices_policy: str = "") -> Any:
    """`tf.gather_nd` of a ragged tensor: index vectors that name rows, or items of rows."""
    given, at = as_ragged(params), as_ragged(indices)
    if batch_dims:
        raise ValueError("tf.gather_nd of ragged tensors takes batch_dims=0")
    if isinstance(at, RaggedTensor):
        if at.flat_values.dims is not None and len(at.flat_values.dims) < 2:
            raise ValueError("The innermost dimension of indices may not be ragged")
        return nest_above(at, gather_nd(given, at.flat_values))
    if not isinstance(given, RaggedTensor):
        return plain_gather_nd(given, at)
    depth = at.dims[-1] if at.dims else None
    if depth is None:
        raise ValueError("indices.shape[-1] must be known statically")
    rows = cast(at[..., 0], given.row_splits.dtype)
    if depth == 1:
        return gather_rows(given, rows)
    items = ADD.call(plain_gather(given.row_starts(), rows), cast(at[..., 1], given.row_splits.dtype))
    rest = plain_concat([plain_expand(items, -1), cast(at[..., 2:], items.dtype)], -1)
    return gather_nd(given.values, rest) if isinstance(given.values, RaggedTensor) else plain_gather_nd(given.values, rest)


# ---- joining


def _as_ragged(values: Sequence[Any]) -> list[Any]:
    """Tensors and ragged tensors of one rank as ragged tensors of one ragged rank."""
    found = [as_ragged(v) for v in values]
    depth = max(v.ragged_rank for v in found if isinstance(v, RaggedTensor))
    kinds = {v.row_splits.dtype for v in found if isinstance(v, RaggedTensor)}
    kind = int64 if len(kinds) > 1 else kinds.pop()
    out = []
    for v in found:
        own = v if isinstance(v, RaggedTensor) else RaggedTensor.from_tensor(v, ragged_rank=depth, row_splits_dtype=kind)
        own = own.with_row_splits_dtype(kind) if own.row_splits.dtype is not kind else own
        if own.ragged_rank < depth:
            inner = RaggedTensor.from_tensor(own.flat_values, ragged_rank=depth - own.ragged_rank, row_splits_dtype=kind)
            own = own.with_flat_values(inner) if own.ragged_rank == 1 else nest_above(own, inner)
        out.append(own)
    return out


def concat(values: object, axis: Any, name: str = "concat") -> Any:
    """`tf.concat` where some of the values are ragged."""
    given = list(values) if isinstance(values, (list, tuple)) else [values]
    if len(given) == 1:
        return as_ragged(given[0])
    parts = _as_ragged(given)
    ranks = {p.shape.rank for p in parts} - {None}
    if len(ranks) > 1:
        raise ValueError(f"tf.concat needs values of one rank, got {sorted(ranks)}")
    return _join_parts(parts, axis_of(int(axis), ranks.pop() if ranks else None))


def _join_parts(parts: list[Any], axis: int) -> Tensor | RaggedTensor:
    if not isinstance(parts[0], RaggedTensor):
        return plain_concat(parts, axis)
    if axis == 0:
        return _stack_below(parts)
    if axis == 1:
        return _join_beside(parts)
    first = parts[0]
    splits = first.row_splits
    for other in parts[1:]:
        splits = splits if other.row_splits is splits else require_same_splits(splits, other.row_splits)
    return RaggedTensor(_join_parts([p.values for p in parts], axis - 1), splits, internal=True, uniform=first._uniform)


def _stack_below(parts: list[Any]) -> RaggedTensor:
    """Rows after rows."""
    values = _join_parts([p.values for p in parts], 0)
    pieces, count = [parts[0].row_splits], parts[0].row_splits[-1]
    for p in parts[1:]:
        pieces.append(p.row_splits[1:] + count)
        count = count + p.row_splits[-1]
    uniforms = {p._uniform if isinstance(p._uniform, int) else None for p in parts}
    return RaggedTensor(values, plain_concat(pieces, 0), internal=True, uniform=uniforms.pop() if len(uniforms) == 1 else None)


def _join_beside(parts: list[Any]) -> Any:
    """The items of each row after those of the same row: all rows below each other, put in another order, and made longer rows."""
    rows = parts[0].nrows()
    for p in parts[1:]:
        rows = require_same_splits(reshape(rows, [1]), reshape(p.nrows(), [1]))[0]
    together = _stack_below(parts)
    count = len(parts)
    numbers = RANGE.call(np.array(0, rows.dtype.numpy_dtype), rows * count, np.array(1, rows.dtype.numpy_dtype))
    order = (numbers % count) * rows + numbers // count
    mixed = gather_rows(together, order)
    uniforms = [p._uniform if isinstance(p._uniform, int) else None for p in parts]
    total = None if None in uniforms else sum(u for u in uniforms if u is not None)
    return RaggedTensor(mixed.values, mixed.row_splits[::count], internal=True, uniform=total)


@export("ragged.stack")
def stack(values: Any, axis: int = 0, name: str = "stack") -> RaggedTensor | Tensor:
    """Tensors or ragged tensors of one rank, whose shapes may differ, as items of a new axis: ragged where they have an axis.

    values: a list or a tuple of them, or a single one.

    >>> tf.ragged.stack([[1, 2], [3]])
    <tf.RaggedTensor [[1, 2], [3]]>
    """
    if values is None:
        as_ragged(values)  # which says why not
    given = [as_ragged(v) for v in (values if isinstance(values, (list, tuple)) else [values])]
    rank = next((v.shape.rank for v in given if v.shape.rank is not None), None)
    if rank is None or any(v.shape.rank not in (None, rank) for v in given):
        raise ValueError("ragged.stack needs values of one known rank")
    at = axis_of(axis, rank + 1)
    if not any(isinstance(v, RaggedTensor) for v in given):
        if rank == 0 or at:
            return plain_stack(given, at)
        given = [plain_expand(v, 0) for v in given]
        if rank == 1:
            lengths = plain_stack([shape_of(v[0])[0] for v in given], 0)
            return RaggedTensor.from_row_lengths(plain_concat([v[0] for v in given], 0), lengths, validate=False)
        return concat([RaggedTensor.from_tensor(v, ragged_rank=rank) for v in given], 0)
    return concat([expand_dims(v, at) for v in given], at)


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    """`tf.expand_dims` of a ragged tensor."""
    if not isinstance(input, RaggedTensor):
        return plain_expand(input, axis)
    rank = input.shape.rank
    at = axis_of(int(axis), None if rank is None else rank + 1)
    if at == 0:
        return RaggedTensor.from_uniform_row_length(
            input, input.nrows() if input.dims is None or input.dims[0] is None else input.dims[0], np.int64(1), validate=False
        )
    if at == 1:
        return RaggedTensor.from_uniform_row_length(input, 1, input.nrows(), validate=False)
    if isinstance(input.values, RaggedTensor):
        return input.with_values(expand_dims(input.values, at - 1))
    return input.with_values(plain_expand(input.values, at - 1))


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> RaggedTensor:
    """`tf.squeeze` of a ragged tensor: axes that are named, each of size 1."""
    if axis is None:
        raise ValueError("Ragged.squeeze must have an axis argument.")
    rank = input.shape.rank
    axes = sorted({axis_of(int(a), rank) for a in (axis if isinstance(axis, (list, tuple)) else [axis])}, reverse=True)
    found = input
    for at in axes:
        found = _squeeze_axis(found, at)
    return found


def _squeeze_axis(x: Any, axis: int) -> Any:
    if not isinstance(x, RaggedTensor):
        return plain_squeeze(x, [axis])
    if axis == 0:
        checked = require_same_splits(x.row_splits[:1], x.row_splits[:1] * 0)
        return x.values if x.dims is not None and x.dims[0] == 1 else x.values[checked[0] : x.row_splits[1]]
    if axis == 1:
        ones = RANGE.call(np.array(0, x.row_splits.dtype.numpy_dtype), x.nrows() + 1, np.array(1, x.row_splits.dtype.numpy_dtype))
        checked = require_same_splits(x.row_splits, ones)
        values = x.values
        return gather_rows(values, checked[:-1]) if isinstance(values, RaggedTensor) else plain_gather(values, checked[:-1])
    return x.with_values(_squeeze_axis(x.values, axis - 1))


# ---- masks and conditions


@export("ragged.boolean_mask")
def boolean_mask(data: TensorLike, mask: TensorLike, name: str | None = None) -> RaggedTensor | Tensor:
    """The items for which a mask is true, in rows as long as they are many.

    data: a tensor or ragged tensor.  mask: booleans, tensor or ragged, whose shape begins data's.  A mask of one axis takes whole rows;
    of more axes, the result is ragged.  Raises InvalidArgumentError where the rows differ.

    >>> tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]])
    <tf.RaggedTensor [[1], [3, 4]]>
    """
    x, kept = as_ragged(data), as_ragged(mask, dtype=bool_)
    rank = kept.shape.rank
    if rank is None:
        raise ValueError("mask.shape.ndims must be known statically.")
    if rank == 0:
        raise ValueError("mask cannot be scalar.")
    if rank == 1:
        if isinstance(x, RaggedTensor):
            return gather_rows(x, cast(reshape(WHERE.call(kept), [-1]), x.row_splits.dtype))
        return plain_mask(x, kept)
    if not isinstance(kept, RaggedTensor) and not isinstance(x, RaggedTensor) and not kept.shape.is_compatible_with(x.shape[:rank]):
        raise ValueError(f"Shapes {x.shape[:rank]} and {kept.shape} are incompatible")
    if not isinstance(kept, RaggedTensor):
        depth = min(x.ragged_rank, rank - 1) if isinstance(x, RaggedTensor) else rank - 1
        kind = x.row_splits.dtype if isinstance(x, RaggedTensor) else int64
        kept = RaggedTensor.from_tensor(kept, ragged_rank=depth, row_splits_dtype=kind)
    if not isinstance(x, RaggedTensor):
        x = RaggedTensor.from_tensor(x, ragged_rank=kept.ragged_rank, row_splits_dtype=kept.row_splits.dtype)
    return _mask_rows(x, kept)


def _mask_rows(x: RaggedTensor, mask: Any) -> Any:
    splits = require_same_splits(x.row_splits, mask.row_splits)
    if mask.shape.rank > 2:
        inner = boolean_mask(x.values, mask.values)
        return RaggedTensor(inner, splits, internal=True)
    flags = cast(mask.values, splits.dtype)
    lengths = unsorted_segment_sum(flags, mask.value_rowids(), mask.nrows())
    return RaggedTensor.from_row_splits(boolean_mask(x.values, mask.values), splits_of_lengths(lengths), validate=False)


def where(condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None, name: str | None = None) -> Any:
    """`tf.where` of ragged tensors: the places of what is true, or a choice element by element."""
    if (x is None) != (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    if x is None:
        found = RaggedTensor.functions["to_sparse"](condition, None)
        return plain_mask(found.indices, found.values)
    return map_ragged(SELECT_V2.call, (as_ragged(condition), as_ragged(x), as_ragged(y)))


# ---- the order and number of rows


def reverse(tensor: Any, axis: Any, name: str | None = None) -> RaggedTensor:
    """`tf.reverse` of a ragged tensor."""
    axes = {axis_of(int(a), tensor.shape.rank) for a in np.ravel(axis)}
    return _reverse_axes(tensor, axes)


def _reverse_axes(x: Any, axes: set[int]) -> Any:
    if not isinstance(x, RaggedTensor):
        return plain_reverse(x, sorted(axes)) if axes else x
    found = x[::-1] if 0 in axes else x
    if 1 in axes:
        found = found[:, ::-1]
    inner = {a - 1 for a in axes if a > 1}
    return found.with_values(_reverse_axes(found.values, inner)) if inner else found


def tile(input: Any, multiples: Any, name: str | None = None) -> RaggedTensor:
    """`tf.tile` of a ragged tensor; the numbers must be known."""
    counts = np.asarray(convert_to_tensor(multiples).constant)
    if counts.dtype == object or counts.shape != (input.shape.rank,):
        raise ValueError(f"tf.tile of a ragged tensor needs known multiples, one for each of its {input.shape.rank} axes; got {multiples}")
    found = input
    for axis, count in enumerate(counts.tolist()):
        if count == 0:
            raise ValueError("tf.tile of a ragged tensor needs multiples of at least 1")
        found = concat([found] * count, axis) if count > 1 else found
    return found


def split(value: Any, num_or_size_splits: Any, axis: Any = 0, num: Any = None, name: str = "split") -> list[Any]:
    """`tf.split` of the rows of a ragged tensor; sizes must be known."""
    rows = value.dims[0] if value.dims is not None else None
    if axis_of(int(axis), value.shape.rank) != 0:
        raise ValueError("tf.split of a ragged tensor is along axis 0")
    if isinstance(num_or_size_splits, (int, np.integer)):
        if rows is None or rows % num_or_size_splits:
            raise ValueError(f"Cannot exactly split {rows} rows in {num_or_size_splits} parts")
        sizes = [rows // int(num_or_size_splits)] * int(num_or_size_splits)
    else:
        sizes = [int(n) for n in num_or_size_splits]
    ends = np.cumsum([0, *sizes]).tolist()
    if rows is not None and ends[-1] != rows:
        raise ValueError(f"The sizes {sizes} do not add up to {rows} rows")
    return [value[a:b] for a, b in pairwise(ends)]


# ---- what it is


def size(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """`tf.size` of a ragged tensor: the number of its elements."""
    return SIZE.call(input.flat_values, out_type=as_dtype(out_type or int32))


def rank(input: Any, name: str | None = None) -> Tensor:
    """`tf.rank` of a ragged tensor."""
    if input.shape.rank is not None:
        return convert_to_tensor(np.int32(input.shape.rank))
    return ADD.call(RANK.call(input.flat_values), np.int32(input.ragged_rank))


def one_hot(indices: Any, depth: Any, *args: Any, **kwargs: Any) -> RaggedTensor:
    """`tf.one_hot` of a ragged tensor of integers, along a last axis."""
    return indices.with_flat_values(plain_one_hot(indices.flat_values, depth, *args, **kwargs))


def add_n(inputs: Any, name: str | None = None) -> RaggedTensor:
    """`tf.add_n` of ragged tensors."""
    found = inputs[0]
    for other in inputs[1:]:
        found = found + other
    return found


def ragged_cast(x: Any, dtype: Any, name: str | None = None) -> RaggedTensor:
    """`tf.cast` of a ragged tensor's values."""
    return x.with_flat_values(cast(x.flat_values, dtype, name))


RaggedTensor.functions.update(
    gather=gather, gather_nd=gather_nd, concat=concat, stack=stack, expand_dims=expand_dims, squeeze=squeeze, boolean_mask=boolean_mask,
    where=where, reverse=reverse, tile=tile, split=split, size=size, rank=rank, one_hot=one_hot, add_n=add_n, cast=ragged_cast,
)  # fmt: skip
