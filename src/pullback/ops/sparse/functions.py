"""Functions of sparse tensors that make them, arrange them and read them: `tf.sparse` but for what computes with their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import nest
from ...base.dtypes import as_dtype, float32, int32, int64
from ...base.export import export
from ...base.shapes import Shape, is_fully_known
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import DTypeLike, IndexedSlices, IntLike, NumberLike, ShapeLike, Tensor, TensorLike
from ..array.basic import ZEROS_LIKE, fill, identity, reshape, shape_of, zeros_of
from ..array.create import RANGE
from ..array.gather import gather
from ..array.gather_nd import gather_nd
from ..array.join import concat, stack
from ..array.shape import size
from ..array.transpose import transpose
from ..array.type_rules import dims_in
from ..array.where import where
from ..effects.asserts import assert_equal, assert_less_equal, wait_for
from ..math.arithmetic import maximum, minimum
from ..math.magnitude import sign
from ..primitives.cast import cast
from ..primitives.compare import not_equal
from ..reduce.reductions import MAX, PROD
from ..search.search import LIST_DIFF
from .counting_composites import sparse_bincount
from .dense import TO_DENSE
from .empty_rows import FILL_ROWS
from .indices import REORDER, RESHAPE, SLICE
from .join import CONCAT, SPLIT
from .tensor import SparseTensor, SparseTensorValue, is_sparse, to_sparse

Array = np.ndarray[Any, Any]


def make_sparse(indices: TensorLike, values: TensorLike, dense_shape: TensorLike, dims: Shape = None) -> SparseTensor:
    """A sparse tensor of what an op gave, with what is known of its shape."""
    found = SparseTensor(indices, values, np.array(dims, np.int64) if dims is not None and is_fully_known(dims) else dense_shape)
    if dims is not None:
        found.set_shape(dims)
    return found


@export("sparse.from_dense")
def from_dense(tensor: TensorLike, name: str | None = None) -> SparseTensor:
    """The entries of a dense tensor that are not 0, as a sparse one.

    >>> tf.sparse.from_dense([[0, 3], [0, 0]]).indices.numpy().tolist()
    [[0, 1]]
    """
    with scope(name, "dense_to_sparse"):
        x = convert_to_tensor(tensor)
        places = where(not_equal(x, zeros_of(x)))
        return make_sparse(places, gather_nd(x, places), shape_of(x, int64), x.dims)


@export("sparse.to_dense", v1="sparse_tensor_to_dense")
def to_dense(
    sp_input: SparseTensor | SparseTensorValue, default_value: TensorLike | None = None, validate_indices: bool = True,
    name: str | None = None
) -> Tensor:
    """A sparse tensor as a dense one, `default_value` (0) where no entry is.

    validate_indices: whether entries must be in row-major order, without repetitions.  Raises InvalidArgumentError where they are not,
    and for an index out of range.  Gradient: that of the values is gathered; the default gets the rest of the sum.

    >>> tf.sparse.to_dense(tf.sparse.eye(2), default_value=7.0).numpy().tolist()
    [[1.0, 7.0], [7.0, 1.0]]
    """
    x = to_sparse(sp_input)
    if default_value is None:
        default_value = convert_to_tensor(np.zeros((), x.dtype.numpy_dtype) if x.dtype.numpy_dtype.kind != "O" else np.array(b"", object))
    return TO_DENSE(x.indices, x.dense_shape, x.values, default_value, validate_indices=validate_indices, name=name)


@export("sparse.eye")
def sparse_eye(num_rows: IntLike, num_columns: IntLike | None = None, dtype: DTypeLike = float32, name: str | None = None) -> SparseTensor:
    """Ones on the diagonal of a matrix of `num_rows` by `num_columns` (as many, by default).

    >>> tf.sparse.eye(2, 3).dense_shape.numpy().tolist()
    [2, 3]
    """
    with scope(name, "eye"):
        rows = _to_whole(num_rows, "num_rows")
        across = rows if num_columns is None else _to_whole(num_columns, "num_columns")
        places = RANGE.call(*(np.int64(0), minimum(rows, across), np.int64(1)))
        values = fill(shape_of(places), np.ones((), as_dtype(dtype).numpy_dtype))
        return SparseTensor(stack([places, places], 1), values, stack([rows, across], 0))


def _to_whole(value: Any, name: str) -> Any:
    if isinstance(value, (int, np.integer)):
        return convert_to_tensor(np.int64(value), name=name)
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be an integer value")
    return cast(value, int64)


@export("sparse.expand_dims")
def expand_dims(sp_input: SparseTensor, axis: IntLike | None = None, name: str | None = None) -> SparseTensor:
    """A sparse tensor with an axis of size 1 more, at `axis` (the end, by default).

    >>> tf.sparse.expand_dims(tf.sparse.eye(2), 0).dense_shape.numpy().tolist()
    [1, 2, 2]
    """
    rank = sp_input.shape.rank
    with scope(name, "expand_dims"):
        count = size(sp_input.dense_shape) if rank is None else rank
        at = -1 if axis is None else axis
        if isinstance(at, (int, np.integer)) and rank is not None:
            if not -rank - 1 <= at <= rank:
                raise ValueError(f"axis must be an integer value in range [{-rank - 1}, {rank}], got {at}")
            at = int(at) if at >= 0 else int(at) + rank + 1
        elif not isinstance(at, (int, np.integer, Tensor)):
            raise TypeError("axis must be an integer value in range [-rank(sp_input) - 1, rank(sp_input)]")
        else:
            at = cast(convert_to_tensor(at), int32)
            at = where(at >= 0, at, at + count + 1)
        indices, sizes = sp_input.indices, sp_input.dense_shape
        column = fill(stack([shape_of(indices)[0], 1], 0), np.int64(0))
        new_indices = concat([indices[:, :at], column, indices[:, at:]], 1)
        new_sizes = concat([sizes[:at], np.ones(1, np.int64), sizes[at:]], 0)
        return SparseTensor(new_indices, sp_input.values, new_sizes)


@export("sparse.reorder", v1="sparse_reorder")
def sparse_reorder(sp_input: SparseTensor | SparseTensorValue, name: str | None = None) -> SparseTensor:
    """The same sparse tensor with its entries in row-major order; its gradient puts them back.

    >>> tf.sparse.reorder(tf.SparseTensor([[1], [0]], [5, 6], [2])).values.numpy().tolist()
    [6, 5]
    """
    x = to_sparse(sp_input)
    indices, values = REORDER(x.indices, x.values, x.dense_shape, name=name)
    return make_sparse(indices, values, identity(x.dense_shape), x.dims)


@export("sparse.reshape", v1="sparse_reshape")
def sparse_reshape(sp_input: SparseTensor | SparseTensorValue, shape: ShapeLike, name: str | None = None) -> SparseTensor:
    """A sparse tensor in another shape of as many elements; one size may be -1.

    Raises InvalidArgumentError (ValueError where shapes are known) where the number of elements is another.

    >>> tf.sparse.reshape(tf.sparse.eye(2), [4]).indices.numpy().tolist()
    [[0], [3]]
    """
    x = to_sparse(sp_input)
    wanted = cast(convert_to_tensor(shape), int64)
    with scope(name, "SparseReshape") as inner:
        indices, sizes = RESHAPE(x.indices, x.dense_shape, wanted, name=inner or None)
        return make_sparse(indices, identity(x.values), sizes, dims_in(sizes))


@export("sparse.slice", v1="sparse_slice")
def sparse_slice(sp_input: SparseTensor | SparseTensorValue, start: NumberLike, size: IntLike, name: str | None = None) -> SparseTensor:
    """The part of a sparse tensor that begins at `start` and has at most `size`.

    >>> tf.sparse.slice(tf.sparse.eye(3), [1, 0], [2, 2]).indices.numpy().tolist()
    [[0, 1]]
    """
    x = to_sparse(sp_input)
    parts = (convert_to_tensor(p, int64) for p in (start, size))
    return SparseTensor(*SLICE(x.indices, x.values, x.dense_shape, *parts, name=name))


@export(v2="sparse.concat")
def sparse_concat(axis: int, sp_inputs: Any, expand_nonconcat_dims: bool = False, name: str | None = None) -> SparseTensor:
    """Sparse tensors joined along an axis.

    sp_inputs: a list of them, of one rank and equal in their other sizes, unless `expand_nonconcat_dims` lets the others grow to the
    largest.  Raises InvalidArgumentError where shapes do not fit.

    >>> tf.sparse.concat(0, [tf.sparse.eye(1), tf.sparse.eye(1)]).indices.numpy().tolist()
    [[0, 0], [1, 0]]
    """
    if not isinstance(sp_inputs, (list, tuple)):
        raise TypeError("Inputs must be a list or tuple.")
    given = [to_sparse(x) for x in sp_inputs]
    if len(given) == 1:
        return given[0]
    sizes = [x.dense_shape for x in given]
    if expand_nonconcat_dims:
        largest = MAX.call(stack(sizes, 0), [0])
        sizes = [_grow_axis(largest, s, axis) for s in sizes]
    indices, values, whole = CONCAT([x.indices for x in given], [x.values for x in given], sizes, concat_dim=axis, name=name)
    return make_sparse(indices, values, whole, _join_dims([x.dims for x in given], axis, expand_nonconcat_dims))


def _grow_axis(largest: Any, size: Any, axis: int) -> Any:
    own = size[-1:] if axis == -1 else size[axis : axis + 1]
    rest = [] if axis == -1 else [largest[axis + 1 :]]
    return concat([largest[:axis], own, *rest], 0)


def _join_dims(all_dims: list[Shape], axis: int, expand: bool) -> Shape:
    if any(d is None for d in all_dims):
        return None
    columns: list[Any] = [[None if d is None else d[i] for d in all_dims] for i in range(len(all_dims[0] or ()))]
    dims = [None if None in c else max(c) if expand else c[0] for c in columns]
    dims[axis] = None if None in columns[axis] else sum(columns[axis])
    return tuple(dims)


@export(v2="sparse.split")
def sparse_split(
    sp_input: SparseTensor | SparseTensorValue | None = None, num_split: Any = None, axis: Any = None, name: str | None = None
) -> list[SparseTensor]:
    """A sparse tensor split into `num_split` pieces along an axis; the first are one longer where it does not divide.

    >>> [x.dense_shape.numpy().tolist() for x in tf.sparse.split(tf.sparse.eye(3), 2, 0)]
    [[2, 3], [1, 3]]
    """
    for what, value in (("sp_input", sp_input), ("num_split", num_split), ("axis", axis)):
        if value is None:
            raise ValueError(f"{what} is required")
    x = to_sparse(sp_input)
    count = int(num_split)
    found = SPLIT(convert_to_tensor(axis, int64), x.indices, x.values, x.dense_shape, num_split=count, name=name)
    return [SparseTensor(found[i], found[count + i], found[2 * count + i]) for i in range(count)]


@export("sparse.transpose", v1="sparse_transpose")
def sparse_transpose(sp_input: SparseTensor, perm: NumberLike | None = None, name: str | None = None) -> SparseTensor:
    """A sparse tensor with its axes in another order (turned round, by default), entries in row-major order.

    >>> tf.sparse.transpose(tf.SparseTensor([[0, 2]], [5], [1, 3])).indices.numpy().tolist()
    [[2, 0]]
    """
    with scope(name, "SparseTranspose"):
        rank = sp_input.shape.rank
        if perm is None:
            perm = np.arange(rank)[::-1] if rank is not None else size(sp_input.dense_shape) - 1 - _count_entries(sp_input)
        order = convert_to_tensor(perm)
        count = order.dims[0] if order.dims else None
        if rank is not None and count is not None and count < rank:
            raise ValueError(f"Dimensions {count} and {rank} are not compatible: perm has a number for each axis")
        indices = transpose(gather(transpose(sp_input.indices), order))
        sizes = gather(sp_input.dense_shape, order)
        return sparse_reorder(make_sparse(indices, sp_input.values, sizes, dims_in(sizes)))


def _count_entries(sp_input: Any) -> Any:
    return RANGE.call(0, size(sp_input.dense_shape), 1)


@export("sparse.retain", v1="sparse_retain")
def sparse_retain(sp_input: SparseTensor | SparseTensorValue, to_retain: TensorLike) -> SparseTensor:
    """The entries of a sparse tensor for which `to_retain`, a vector of booleans, is true; the shape stays.

    >>> tf.sparse.retain(tf.sparse.eye(2), [False, True]).indices.numpy().tolist()
    [[1, 1]]
    """
    x = to_sparse(sp_input)
    kept = convert_to_tensor(to_retain)
    if kept.dims is not None and len(kept.dims) != 1:
        raise ValueError(f"Shape {kept.shape} must have rank 1")
    if not x.values.shape[:1].is_compatible_with(kept.shape):
        raise ValueError(f"Dimensions {x.values.shape[0]} and {kept.shape[0]} are not compatible")
    places = reshape(where(kept), [-1])
    return make_sparse(gather(x.indices, places), gather(x.values, places), identity(x.dense_shape), x.dims)


@export("sparse.reset_shape", v1="sparse_reset_shape")
def sparse_reset_shape(sp_input: SparseTensor | SparseTensorValue, new_shape: ShapeLike | None = None) -> SparseTensor:
    """A sparse tensor whose dense shape is another: the least that holds its entries, or `new_shape`, which must be no smaller.

    >>> tf.sparse.reset_shape(tf.SparseTensor([[1, 0]], [5], [9, 9])).dense_shape.numpy().tolist()
    [2, 1]
    """
    x = to_sparse(sp_input)
    indices, values, sizes = (identity(t) for t in x._components())
    if new_shape is None:
        bounds = MAX.call(indices, [0]) + 1
        return SparseTensor(indices, values, maximum(np.int64(0), bounds))
    wanted = cast(convert_to_tensor(new_shape), int64)
    if wanted.dims is not None and len(wanted.dims) != 1:
        raise ValueError(f"Shape {wanted.shape} must have rank 1")
    if wanted.dims is not None and x.dims is not None and wanted.dims[0] not in (None, len(x.dims)):
        raise ValueError(f"Dimensions {wanted.dims[0]} and {len(x.dims)} are not compatible")
    known = dims_in(wanted)
    if known is not None and is_fully_known(known) and x.dims is not None and is_fully_known(x.dims):
        if any(m > n for m, n in zip(x.dims, known, strict=True)):
            raise ValueError(
                f"Requested new_shape should have dimension sizes >= sp_input.shape.  Found new_shape ({known}), sp_input.shape ({x.dims})."
            )
        return SparseTensor(indices, values, wanted)
    checks = [assert_equal(shape_of(sizes), shape_of(wanted)), assert_less_equal(sizes, wanted)]
    return SparseTensor(indices, values, wait_for(checks, wanted))


@export("sparse.fill_empty_rows", v1="sparse_fill_empty_rows")
def sparse_fill_empty_rows(
    sp_input: SparseTensor | SparseTensorValue, default_value: TensorLike, name: str | None = None
) -> tuple[SparseTensor, Tensor]:
    """A sparse tensor with an entry `default_value` in the first column of each row that has none, and which rows those were.

    >>> x, empty = tf.sparse.fill_empty_rows(tf.SparseTensor([[1, 1]], [5], [3, 2]), -1)
    >>> x.values.numpy().tolist(), empty.numpy().tolist()
    ([-1, 5, -1], [True, False, True])
    """
    x = to_sparse(sp_input)
    with scope(name, "SparseFillEmptyRows"):
        default = convert_to_tensor(default_value, x.dtype)
        indices, values, empty, _ = FILL_ROWS(x.indices, x.values, x.dense_shape, default)
        return make_sparse(indices, values, x.dense_shape, x.dims), empty


def merge_ids(sp_ids: Any, sp_values: Any, vocab_size: Any, name: str | None = None, already_sorted: bool = False) -> SparseTensor:
    """A sparse tensor whose last axis is numbered by the values of `sp_ids`: what `tf.sparse.merge` gives."""
    if is_sparse(sp_ids):
        if not isinstance(vocab_size, (Tensor, int, np.integer)):
            raise TypeError(f"vocab_size has to be a Tensor or Python int. Found {type(vocab_size)}")
        sp_ids, vocab_size = [sp_ids], [vocab_size]
    elif not isinstance(sp_ids, (list, tuple)) or not isinstance(vocab_size, (list, tuple)):
        kinds = f"{type(sp_ids)}, {type(vocab_size)}"
        raise TypeError(f"sp_ids and vocab_size have to be lists, or a SparseTensor and an integer. Found {kinds}")
    if len(sp_ids) != len(vocab_size):
        raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    with scope(name, "SparseMerge"):
        ids, values = [to_sparse(x) for x in sp_ids], to_sparse(sp_values)
        columns = [reshape(cast(x.values, int64), [-1, 1]) for x in ids]
        indices = concat([ids[0].indices[:, :-1], *columns], 1)
        sizes = concat([ids[0].dense_shape[:-1], stack([cast(convert_to_tensor(n), int64) for n in vocab_size], 0)], 0)
        found = SparseTensor(indices, values.values, sizes)
        return found if already_sorted else sparse_reorder(found)


@export("sparse.to_indicator", v1="sparse_to_indicator")
def sparse_to_indicator(sp_input: SparseTensor | SparseTensorValue, vocab_size: IntLike, name: str | None = None) -> Tensor:
    """A dense tensor of booleans: true at the numbers that are among the values of each row of a sparse tensor of integers.

    >>> tf.sparse.to_indicator(tf.SparseTensor([[0, 0], [1, 0]], [2, 0], [2, 1]), 3).numpy().tolist()
    [[False, False, True], [True, False, False]]
    """
    x = to_sparse(sp_input)
    with scope(name, "SparseToIndicator"):
        marks = fill(shape_of(x.values), np.array(True))
        found = merge_ids(x, x.with_values(marks), vocab_size)
        return to_dense(found, default_value=False, validate_indices=False)


@export("sparse.mask", v1="sparse_mask")
def mask(a: IndexedSlices, mask_indices: TensorLike, name: str | None = None) -> IndexedSlices:
    """An `IndexedSlices` without the rows that `mask_indices` name: what `tf.sparse.mask` gives.

    >>> rows = tf.IndexedSlices(tf.constant([[1.0], [2.0], [3.0]]), tf.constant([4, 5, 6]))
    >>> tf.sparse.mask(rows, [5]).indices.numpy().tolist()
    [4, 6]
    """
    with scope(name, "sparse_mask"):
        kept, places = LIST_DIFF.call(a.indices, convert_to_tensor(mask_indices, a.indices.dtype))
        return type(a)(gather(a.values, places), kept, a.dense_shape)


@export(v2="sparse.map_values")
def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> SparseTensor:
    """`op` of the values of sparse tensors, in the places of the first, among arguments that may have them in any structure.

    Raises ValueError where there is none, InvalidArgumentError where their shapes or indices differ.

    >>> tf.sparse.map_values(tf.add, tf.sparse.eye(2), 5.0).values.numpy().tolist()
    [6.0, 6.0]
    """
    found: list[SparseTensor] = []

    def value(x: Any) -> Any:
        if not isinstance(x, SparseTensor):
            return x
        found.append(x)
        return x.values

    plain_args, plain_kwargs = nest.map_structure(value, list(args)), nest.map_structure(value, kwargs)
    if not found:
        raise ValueError("No SparseTensor in argument list of map_values")
    first, checks = found[0], []
    for x in found[1:]:
        checks.append(assert_equal(first.dense_shape, x.dense_shape, message="Mismatched shapes!"))
        checks.append(assert_equal(first.indices, x.indices, message="Mismatched indices!"))
    result = convert_to_tensor(op(*plain_args, **plain_kwargs))
    return make_sparse(first.indices, wait_for(checks, result), first.dense_shape, first.dims)


def sparse_size(input: SparseTensor, out_type: DTypeLike = int32, name: str | None = None) -> Any:
    """`tf.size` of a sparse tensor: the number of elements of the whole."""
    return cast(PROD.call(input.dense_shape, [0]), out_type or int32)


def sparse_rank(input: SparseTensor, name: str | None = None) -> Any:
    """`tf.rank` of a sparse tensor."""
    return size(input.dense_shape)


def sparse_shape(input: SparseTensor, out_type: DTypeLike | None = None, name: str | None = None) -> Any:
    """`tf.shape` of a sparse tensor."""
    return cast(input.dense_shape, out_type or int32)


def sparse_cast(x: SparseTensor, dtype: DTypeLike, name: str | None = None) -> Any:
    """`tf.cast` of a sparse tensor's values."""
    return x.with_values(cast(x.values, dtype, name))


def element(x: SparseTensor, i: Any) -> SparseTensor:
    """Row `i` of a sparse tensor, with one axis less."""
    start = concat([reshape(cast(i, int64), [1]), ZEROS_LIKE.call(x.dense_shape[1:])], 0)
    row = sparse_slice(x, start, concat([np.ones(1, np.int64), x.dense_shape[1:]], 0))
    return sparse_reshape(row, x.dense_shape[1:])


def lift_to_sparse(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one tensor as a function of a sparse tensor's values."""
    return lambda x, *args, **kwargs: x.with_values(function(x.values, *args, **kwargs))


SparseTensor.functions.update(abs=lift_to_sparse(abs), sign=lift_to_sparse(sign))
SparseTensor.functions.update(printed=lambda x: ("SparseTensor(indices={}, values={}, shape={})", x._components()))
SparseTensor.functions.update(bincount=sparse_bincount)
SparseTensor.functions.update(element=element, count=lambda x: x.dense_shape[0])
SparseTensor.functions.update(size=sparse_size, rank=sparse_rank, shape=sparse_shape, cast=sparse_cast)
