"""Ragged tensors from lists, tensors and sparse tensors, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, as_dtype, float32, int32, int64
from ...base.export import export
from ...base.shapes import TensorShape, are_compatible
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import DTypeLike, ShapeLike, Tensor, TensorLike
from ...ops.array.basic import reshape, shape_of
from ...ops.array.create import RANGE, zeros
from ...ops.array.gather import gather
from ...ops.array.join import STACK, concat
from ...ops.array.where import where
from ...ops.constant import constant as plain_constant
from ...ops.indexing.mask import boolean_mask
from ...ops.math.arithmetic import ADD, maximum, minimum, multiply
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal, less
from ...ops.reduce.reductions import ALL_OF, MAX, PROD
from ...ops.sparse.classes import SparseTensor
from .dense import TO_SPARSE, TO_TENSOR
from .items import SPARSE_ROWS
from .partitions import axis_of
from .tensor import RaggedTensor, nest_under
from .value import RaggedTensorValue

Array = np.ndarray[Any, Any]


# ---- lists


def _depth(item: Any) -> tuple[int | None, int]:
    """The depth at which scalars stand in nested lists (None where there are none), and the depth of the lists."""
    if isinstance(item, np.ndarray):
        return item.ndim, item.ndim
    if not isinstance(item, (list, tuple)):
        return 0, 0
    scalars: set[int] = set()
    deepest = 0
    for part in item:
        depth, below = _depth(part)
        deepest = max(deepest, below)
        if depth is not None:
            scalars.add(depth)
    if len(scalars) > 1:
        raise ValueError("all scalar values must have the same nesting depth")
    scalar = scalars.pop() + 1 if scalars else None
    return scalar, (scalar if scalar is not None else deepest + 1)


def _inner_shape(item: Any) -> tuple[int, ...]:
    return (len(item), *(_inner_shape(item[0]) if len(item) else ())) if isinstance(item, (list, tuple, np.ndarray)) else ()


def _part_list(pylist: Any, ragged_rank: int | None, inner_shape: Any) -> tuple[list[Array], Any, tuple[int, ...] | None, int]:
    """Row splits, the items under them, the shape of an item where it is given, and the number of ragged axes."""
    scalar, deepest = _depth(pylist)
    if scalar is not None and ragged_rank is not None and ragged_rank >= max(scalar, 1):
        raise ValueError(f"Invalid pylist={pylist!r}, max depth smaller than ragged_rank={ragged_rank}")
    if inner_shape is not None:
        inner: tuple[int, ...] | None = tuple(inner_shape)
        rank = deepest - 1 - len(inner or ()) if ragged_rank is None else ragged_rank
    elif ragged_rank is None:
        inner, rank = (), max(1, deepest - 1)
    else:
        inner, rank = None, ragged_rank
    splits, items = [], pylist
    for _ in range(rank):
        splits.append(np.cumsum([0, *(len(row) for row in items)]))
        items = [part for row in items for part in row]
    if inner is None:
        inner = _inner_shape(items[0]) if items else ()
    return splits, items, inner, rank


@export("ragged.constant")
def constant(
    pylist: Any, dtype: DTypeLike | None = None, ragged_rank: int | None = None, inner_shape: Any = None, name: str | None = None,
    row_splits_dtype: DTypeLike = int64,
) -> RaggedTensor | Any:  # fmt: skip
    """A ragged tensor of nested lists.

    pylist: a list whose scalars stand at one depth.  ragged_rank: how many axes are ragged; by default all but the first.
    inner_shape: the shape of an item.  Raises ValueError for scalars at different depths or lists that are not deep enough.

    >>> tf.ragged.constant([[1, 2], [], [3]])
    <tf.RaggedTensor [[1, 2], [], [3]]>
    """
    kind = as_dtype(row_splits_dtype)
    if kind not in INDEX:
        raise ValueError(f"Invalid value for row_splits_dtype: {row_splits_dtype!r}")
    if not isinstance(pylist, (list, tuple)) or (_depth(pylist)[1] == 1 and not ragged_rank):
        if ragged_rank:
            raise ValueError(f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank}")
        return plain_constant(pylist, dtype)
    splits, items, inner, _ = _part_list(pylist, ragged_rank, inner_shape)
    with scope(name, "RaggedConstant"):
        values = plain_constant(items, dtype, name="values") if len(items) else zeros((0, *(inner or ())), dtype or float32)
        if inner and len(items):
            values = reshape(values, np.array([-1, *inner]))
        return nest_under(values, [s.astype(kind.numpy_dtype) for s in splits], [None] * len(splits))


@export(v1="ragged.constant_value")
def constant_value(
    pylist: Any, dtype: Any = None, ragged_rank: int | None = None, inner_shape: Any = None, row_splits_dtype: DTypeLike = "int64"
) -> RaggedTensorValue | np.ndarray:
    """The value of a ragged tensor of nested lists: arrays, to be fed to a session.

    >>> tf.compat.v1.ragged.constant_value([[1, 2], [], [3]]).row_splits
    array([0, 2, 2, 3])
    """
    kind = as_dtype(row_splits_dtype).numpy_dtype
    if not isinstance(pylist, (list, tuple)) or (_depth(pylist)[1] == 1 and not ragged_rank):
        return np.array(pylist, dtype)
    splits, items, inner, _ = _part_list(pylist, ragged_rank, inner_shape)
    found: Any = np.array(items, dtype).reshape(-1, *(inner or ()))
    for one in reversed(splits):
        found = RaggedTensorValue(found, one.astype(kind))
    return found


def from_value(value: RaggedTensorValue) -> Any:
    """A ragged tensor of the value of one."""
    return nest_under(value.flat_values, value.nested_row_splits, [None] * value.ragged_rank)


def as_ragged(value: object, dtype: DTypeLike | None = None, ragged_rank: int | None = None, row_splits_dtype: DTypeLike = int64) -> Any:
    """A ragged tensor, the value of one, nested lists, or what converts to a tensor."""
    if isinstance(value, (RaggedTensor, Tensor)):
        return value
    if isinstance(value, RaggedTensorValue):
        return from_value(value)
    if isinstance(value, (list, tuple)) and _depth(value)[1] > 1 and ragged_rank:
        return constant(value, dtype, ragged_rank, row_splits_dtype=row_splits_dtype)
    return convert_to_tensor(value, dtype)


# ---- tensors


def to_tensor(x: RaggedTensor, default_value: TensorLike | None, name: str | None, shape: ShapeLike | None) -> Tensor:
    """See `RaggedTensor.to_tensor`."""
    if default_value is None:
        default_value = np.zeros((), x.dtype.numpy_dtype) if x.dtype.numpy_dtype.kind != "O" else b""
    default = convert_to_tensor(default_value, x.dtype, name="default_value")
    kinds = ["ROW_SPLITS"] * x.ragged_rank
    wanted = np.int64(-1) if shape is None else shape
    if isinstance(wanted, (list, tuple)) or hasattr(wanted, "as_list"):
        sizes = [-1 if n is None else n for n in (wanted.as_list() if hasattr(wanted, "as_list") else wanted)]
        wanted = np.array(sizes, np.int64) if not any(isinstance(n, Tensor) for n in sizes) else STACK.call(sizes, axis=0)
    return TO_TENSOR(wanted, x.flat_values, default, list(x.nested_row_splits), row_partition_types=kinds, name=name)


def _whole_lengths(lengths: Any) -> Tensor:
    given = convert_to_tensor(lengths)
    if not given.dtype.is_integer:
        words = f"must be of type integer. Received `tensor` = {lengths} of dtype: {given.dtype!r}"
        raise TypeError(f"Argument `tensor` (name: lengths) {words}")
    return given


def from_tensor(tensor: Any, lengths: Any, padding: object, ragged_rank: int, row_splits_dtype: DTypeLike) -> RaggedTensor:
    """See `RaggedTensor.from_tensor`."""
    kind = as_dtype(row_splits_dtype)
    if lengths is not None and padding is not None:
        raise ValueError("Specify argument `lengths` or `padding`, but not both.")
    if not isinstance(ragged_rank, int):
        raise TypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank}.")
    if ragged_rank <= 0:
        raise ValueError(f"Argument `ragged_rank` must be greater than 0. Received {ragged_rank}.")
    x = convert_to_tensor(tensor, name="tensor")
    if padding is not None and x.dims is not None:
        padding, item = convert_to_tensor(padding, x.dtype, name="padding"), x.dims[ragged_rank + 1 :]
        if not are_compatible(padding.dims, item):
            raise ValueError(f"Shapes {padding.shape} and {TensorShape(item)} are incompatible: `padding` must be one item")
    nested = isinstance(lengths, (list, tuple)) and bool(lengths) and not isinstance(lengths[0], (int, np.integer, float))
    if nested:
        return _cut_nested(x, lengths, kind)
    if x.dims is not None and len(x.dims) <= ragged_rank:
        raise ValueError(f"ragged_rank must be less than the rank of the tensor: {ragged_rank} and {x.shape}")
    sizes = shape_of(x, kind)
    if lengths is not None or padding is not None:
        rows = reshape(x, concat([np.array([-1], kind.numpy_dtype), sizes[ragged_rank:]], 0))
        width = sizes[ragged_rank]
        found = _used_lengths(rows, padding, kind) if padding is not None else cast(_whole_lengths(lengths), kind)
        found = minimum(maximum(found, np.array(0, kind.numpy_dtype)), width)
        kept = less(RANGE.call(np.array(0, kind.numpy_dtype), width, np.array(1, kind.numpy_dtype)), reshape(found, [-1, 1]))
        inner: Any = RaggedTensor.from_row_lengths(boolean_mask(rows, kept), found, validate=False)
        return _partition_uniformly(inner, sizes, ragged_rank - 1)
    flat = reshape(x, concat([np.array([-1], kind.numpy_dtype), sizes[ragged_rank + 1 :]], 0))
    return _partition_uniformly(flat, sizes, ragged_rank)


def _partition_uniformly(items: Any, sizes: Any, count: int) -> RaggedTensor:
    """Items under `count` partitions into rows of the sizes of a tensor's axes."""
    found = items
    for axis in range(count, 0, -1):
        rows = PROD.call(convert_to_tensor(sizes[:axis]), [0])
        found = RaggedTensor.from_uniform_row_length(
            found, sizes[axis] if isinstance(sizes, Tensor) else int(sizes[axis]), rows, validate=False
        )
        if isinstance(sizes, np.ndarray) and sizes.dtype == np.int32:
            found = found.with_row_splits_dtype(int32)
    return found


def _used_lengths(rows: Any, padding: Any, kind: Any) -> Any:
    """How long each row is without the items at its end that equal the padding."""
    same = equal(rows, convert_to_tensor(padding, rows.dtype))
    rank = len(rows.dims)
    if rank > 2:
        same = ALL_OF.call(same, np.arange(2, rank, dtype=np.int32))
    nothing, one = np.array(0, kind.numpy_dtype), np.array(1, kind.numpy_dtype)
    places = ADD.call(RANGE.call(nothing, shape_of(rows, kind)[1], one), one)
    counted = where(same, np.array(0, kind.numpy_dtype), places)
    return maximum(MAX.call(counted, [1]), np.array(0, kind.numpy_dtype))


def _cut_nested(x: Any, lengths: Sequence[Any], kind: Any) -> Any:
    found: Any = from_tensor(x, convert_to_tensor(lengths[0], kind), None, 1, kind)
    splits = [found.row_splits]
    items = found.values
    for more in lengths[1:]:
        found = from_tensor(items, convert_to_tensor(more, kind), None, 1, kind)
        splits.append(found.row_splits)
        items = found.values
    return nest_under(items, splits, [None] * len(splits))


def to_sparse(x: RaggedTensor, name: str | None) -> SparseTensor:
    """See `RaggedTensor.to_sparse`."""
    return SparseTensor(*TO_SPARSE(list(x.nested_row_splits), x.flat_values, name=name))


def from_sparse(st_input: SparseTensor, row_splits_dtype: DTypeLike) -> Any:
    """See `RaggedTensor.from_sparse`."""
    kind = as_dtype(row_splits_dtype)
    if not hasattr(st_input, "dense_shape"):
        raise TypeError(f"Argument `st_input` must be of type SparseTensor. Received {type(st_input).__name__}.")
    rank = st_input.shape.rank
    if rank is not None and rank != 2:
        raise ValueError(f"rank(st_input) must be 2. Received {rank}")
    rows = SPARSE_ROWS.call(st_input.indices)
    return RaggedTensor.from_value_rowids(st_input.values, cast(rows, kind), st_input.dense_shape[0], validate=False)


def merge_dims(x: RaggedTensor, outer_axis: int, inner_axis: int) -> Any:
    """See `RaggedTensor.merge_dims`."""
    rank = x.shape.rank
    outer, inner = axis_of(outer_axis, rank), axis_of(inner_axis, rank)
    if outer > inner:
        raise ValueError(f"Expected outer_axis ({outer_axis}) to be less than or equal to inner_axis ({inner_axis})")
    if outer == inner:
        return x
    if outer == 1:
        return _merged_rows(x, inner)
    if outer > 0:
        values = x.values
        if isinstance(values, RaggedTensor):
            return x.with_values(merge_dims(values, outer - 1, inner - 1))
        return x.with_values(_flatten_axes(values, outer - 1, inner - 1))
    if inner == 1:
        return x.values
    return _merge_outer(x.values, inner - 1)


def _merge_outer(values: Any, inner: int) -> Any:
    return merge_dims(values, 0, inner) if isinstance(values, RaggedTensor) else _flatten_axes(values, 0, inner)


def _flatten_axes(tensor: Any, outer: int, inner: int) -> Any:
    sizes = shape_of(tensor)
    return reshape(tensor, concat([sizes[:outer], np.array([-1], np.int32), sizes[inner + 1 :]], 0))


def _merged_rows(x: RaggedTensor, inner: int) -> Any:
    """The axes 1 to `inner` of a ragged tensor made one."""
    values = x.values
    if isinstance(values, RaggedTensor):
        ends = gather(values.row_splits, x.row_splits, axis=0)
        found = RaggedTensor(values.values, ends, internal=True)
        return found if inner == 2 else _merged_rows(found, inner - 1)
    sizes = shape_of(values, x.row_splits.dtype)
    each = PROD.call(convert_to_tensor(sizes[1:inner]), [0])
    return RaggedTensor(_flatten_axes(values, 0, inner - 1), multiply(x.row_splits, each), internal=True)


RaggedTensor.functions.update(
    to_tensor=to_tensor, from_tensor=from_tensor, to_sparse=to_sparse, from_sparse=from_sparse, merge_dims=merge_dims, convert=as_ragged,
    of_value=from_value,
)  # fmt: skip
