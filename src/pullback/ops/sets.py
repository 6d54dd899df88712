"""Sets: each row of the last axis of a tensor, dense or sparse, is a set of its values; union, intersection, difference and size.

All rows are worked on at once: a value and the set it is in are one number, the place of the value among all values beside the number
of its set, and sets of numbers are NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtypes import int8, int16, int32, int64, string, uint8, uint16
from ..base.export import export
from ..base.shapes import show
from ..ir.apply import ShapeError, convert_to_tensor
from ..ir.op import define
from ..ir.tensor import Tensor, TensorLike, TensorType
from .array.type_rules import dims_in, invalid_argument, rank_of
from .sparse.classes import SparseTensor, SparseTensorValue
from .sparse.keys import check_inside, check_matrix, check_order
from .vmap_rules import sparse as rows_sparse

Array = np.ndarray[Any, Any]
#: The sets of a tensor: the number of the set of each value, the values, and the shape of the sets.
Sets = tuple[Array, Array, tuple[int, ...]]
_DTYPES = frozenset({int8, int16, int32, int64, uint8, uint16, string})


# ---- sets of a tensor


def _dense(x: Array) -> Sets:
    if x.ndim < 2:
        raise invalid_argument(f"Shape [{','.join(map(str, x.shape))}] has rank {x.ndim} < 2")
    shape = x.shape[:-1]
    return np.repeat(np.arange(int(np.prod(shape))), x.shape[-1]), x.reshape(-1), shape


def _sparse(indices: Array, values: Array, shape: Array, validate_indices: bool) -> Sets:
    check_matrix(indices, values, shape)
    if len(shape) < 2:
        raise invalid_argument(f"Invalid input rank {len(shape)} < 2")
    if validate_indices:
        check_inside(indices, shape)
        check_order(indices)
    sizes = tuple(shape[:-1].tolist())
    numbers = np.zeros(len(indices), np.int64)
    for column, size in enumerate(sizes):
        numbers = numbers * size + indices[:, column]
    return numbers, values, sizes


def _distinct(numbers: Array) -> Array:
    """Numbers in order, each once; NumPy's `unique` looks them up in a table first, which takes longer than to sort them."""
    numbers = np.sort(numbers)
    first = np.ones(len(numbers), bool)
    first[1:] = numbers[1:] != numbers[:-1]
    return numbers[first]


def _are_members(a: Array, b: Array) -> Array:
    """Which of `a` are in `b`, both in order and each once."""
    if not len(b):
        return np.zeros(len(a), bool)
    return np.asarray(b[np.minimum(np.searchsorted(b, a), len(b) - 1)] == a)


_OPERATIONS: dict[str, Callable[[Array, Array], Array]] = {
    "a-b": lambda a, b: a[~_are_members(a, b)],
    "b-a": lambda a, b: b[~_are_members(b, a)],
    "intersection": lambda a, b: a[_are_members(a, b)],
    "union": lambda a, b: _distinct(np.concatenate([a, b])),
}


def _number_values(values: Array, sets: int) -> tuple[Callable[[Array], Array], Array, int]:
    """Values as numbers from 0 in their order, how many numbers there are, and the way back."""
    if values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if (high - low + 1) * max(sets, 1) < 2**62:
            return (lambda n: n + low), values.astype(np.int64) - low, high - low + 1
    distinct, places = np.unique(values, return_inverse=True)
    return distinct.__getitem__, places.reshape(-1), max(len(distinct), 1)


def _combine_sets(first: Sets, second: Sets, set_operation: str) -> tuple[Array, Array, Array]:
    combine = _OPERATIONS.get(set_operation)
    if combine is None:
        raise invalid_argument(f"Invalid set_operation {set_operation}.")
    (of_a, a, shape), (of_b, b, other) = first, second
    if shape != other:
        raise invalid_argument(f"Mismatched shapes [{','.join(map(str, shape))}] vs [{','.join(map(str, other))}]")
    values, places, count = _number_values(np.concatenate([a, b]), int(np.prod(shape)))
    found = combine(_distinct(of_a * count + places[: len(a)]), _distinct(of_b * count + places[len(a) :]))
    sets = found // count
    first_ones = np.searchsorted(sets, sets)
    within = np.arange(len(found)) - first_ones
    columns = [*np.unravel_index(sets, shape)] if len(found) else [np.zeros(0, np.int64)] * len(shape)
    size = int(within.max(initial=-1)) + 1
    indices = np.stack([*columns, within], 1).astype(np.int64)
    return indices, values(found % count).astype(a.dtype), np.array([*shape, size], np.int64)


# ---- types


def _result_type(rank: int | None, dtype: Any) -> tuple[TensorType, ...]:
    return TensorType((None, rank), int64), TensorType((None,), dtype), TensorType((rank,), int64)


def _rank(dense: Any = None, shape: Any = None) -> int | None:
    if dense is not None:
        if dense.dims is not None and len(dense.dims) < 2:
            rank = len(dense.dims)
            raise ShapeError(f"Input must have rank at least 2 but has rank {rank}", f"Shape {list(dense.dims)} has rank {rank} < 2")
        return None if dense.dims is None else len(dense.dims)
    return shape.dims[0] if shape.dims else None


_RESULT = "result_indices result_values result_shape"


def _dense_to_dense(set1: Array, set2: Array, *, set_operation: str, validate_indices: bool = True) -> Any:
    return _combine_sets(_dense(set1), _dense(set2), set_operation)


def _dense_to_dense_type(set1: Any, set2: Any, *, set_operation: str, validate_indices: bool = True) -> tuple[TensorType, ...]:
    rank, other = _rank(set1), rank_of(set2)
    if rank is not None and other is not None:
        outer, own = set1.dims[:-1], set2.dims[:-1]
        if rank != other:
            low = f"Shape {show(set2.dims)} has rank {other} < 2" if other < 2 else f"Mismatched shapes {show(outer)} vs {show(own)}"
            raise ShapeError(f"Shape must be rank {rank} but is rank {other}", low)
        for i, (m, n) in enumerate(zip(outer, own, strict=True)):
            if None not in (m, n) and m != n:
                both = f"Shapes are {show(outer)} and {show(own)}."
                text = f"Mismatched shapes {show(outer)} vs {show(own)}"
                raise ShapeError(f"Dimension {i} in both shapes must be equal, but are {m} and {n}. {both}", text)
    return _result_type(rank or _rank(set2), set1.dtype)


def _dense_to_sparse(
    set1: Array, set2_indices: Array, set2_values: Array, set2_shape: Array, *, set_operation: str, validate_indices: bool = True
) -> Any:
    return _combine_sets(_dense(set1), _sparse(set2_indices, set2_values, set2_shape, validate_indices), set_operation)


def _dense_to_sparse_type(set1: Any, set2_indices: Any, set2_values: Any, set2_shape: Any, **_: Any) -> tuple[TensorType, ...]:
    return _result_type(_rank(set1) or _rank(shape=set2_shape), set1.dtype)


def _sparse_to_sparse(
    set1_indices: Array, set1_values: Array, set1_shape: Array, set2_indices: Array, set2_values: Array, set2_shape: Array, *,
    set_operation: str, validate_indices: bool = True,
) -> Any:  # fmt: skip
    first = _sparse(set1_indices, set1_values, set1_shape, validate_indices)
    return _combine_sets(first, _sparse(set2_indices, set2_values, set2_shape, validate_indices), set_operation)


def _sparse_to_sparse_type(
    set1_indices: Any, set1_values: Any, set1_shape: Any, set2_indices: Any, set2_values: Any, set2_shape: Any, **_: Any
) -> tuple[TensorType, ...]:
    return _result_type(_rank(shape=set1_shape) or _rank(shape=set2_shape), set1_values.dtype)


def _size(set_indices: Array, set_values: Array, set_shape: Array, *, validate_indices: bool = True) -> Array:
    numbers, values, shape = _sparse(set_indices, set_values, set_shape, validate_indices)
    _, places, count = _number_values(values, int(np.prod(shape)))
    sets = _distinct(numbers * count + places) // count
    return np.bincount(sets, minlength=int(np.prod(shape))).astype(np.int32).reshape(shape)


def _size_type(set_indices: Any, set_values: Any, set_shape: Any, *, validate_indices: bool = True) -> TensorType:
    dims = dims_in(set_shape)
    return TensorType(None if dims is None else dims[:-1], int32)


DENSE_TO_DENSE = define(
    "DenseToDenseSetOperation", "set1 set2", _dense_to_dense_type, _dense_to_dense, {}, outputs=_RESULT, dtypes=_DTYPES,
    batch="shape depends on values",
)
DENSE_TO_SPARSE = define(
    "DenseToSparseSetOperation",
    "set1 set2_indices:int64 set2_values set2_shape:int64",
    _dense_to_sparse_type,
    _dense_to_sparse,
    {},
    outputs=_RESULT,
    dtypes=_DTYPES,
    batch="shape depends on values",
)
SPARSE_TO_SPARSE = define(
    "SparseToSparseSetOperation",
    "set1_indices:int64 set1_values set1_shape:int64 set2_indices:int64 set2_values set2_shape:int64",
    _sparse_to_sparse_type,
    _sparse_to_sparse,
    {},
    outputs=_RESULT,
    dtypes=_DTYPES,
    batch="shape depends on values",
)
SIZE = define(
    "SetSize", "set_indices:int64 set_values set_shape:int64", _size_type, _size, {}, dtypes=_DTYPES, batch=rows_sparse.batch_sets
)


# ---- functions


def _convert_set(x: Any) -> Any:
    if isinstance(x, SparseTensorValue):
        return SparseTensor.from_value(x)
    return x if isinstance(x, SparseTensor) else convert_to_tensor(x)


def _operation(a: Any, b: Any, how: str, validate_indices: bool) -> SparseTensor:
    a, b = _convert_set(a), _convert_set(b)
    if b.dtype.base_dtype != a.dtype.base_dtype:
        raise TypeError(f"Types don't match, {a.dtype} vs {b.dtype}.")
    options: dict[str, Any] = {"set_operation": how, "validate_indices": validate_indices}
    if isinstance(a, SparseTensor) and isinstance(b, SparseTensor):
        parts = SPARSE_TO_SPARSE(*a._components(), *b._components(), **options)
    elif isinstance(b, SparseTensor):
        parts = DENSE_TO_SPARSE(a, *b._components(), **options)
    elif isinstance(a, SparseTensor):
        options["set_operation"] = {"a-b": "b-a", "b-a": "a-b"}.get(how, how)
        parts = DENSE_TO_SPARSE(b, *a._components(), **options)
    else:
        parts = DENSE_TO_DENSE(a, b, **options)
    return SparseTensor(*parts)


@export("sets.size", v1="sets.set_size")
def set_size(a: Any, validate_indices: bool = True) -> Tensor:
    """How many different values each row of a sparse tensor has.

    a: a `SparseTensor`, its indices in row-major order; integers or strings.  The result lacks the last axis.  Raises TypeError for a
    tensor that is not sparse, InvalidArgumentError for indices out of order.

    >>> tf.sets.size(tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 1, 4], [3, 2])).numpy().tolist()
    [1, 1, 0]
    """
    x = _convert_set(a) if isinstance(a, SparseTensorValue) else a
    if not isinstance(x, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {a}.")
    if not x.dtype.is_integer and x.dtype is not string:
        raise TypeError(f"Invalid dtype `{x.dtype}` not in supported dtypes: {sorted(d.name for d in _DTYPES)}")
    return SIZE(*x._components(), validate_indices=validate_indices)


@export("sets.intersection", v1="sets.set_intersection")
def set_intersection(a: TensorLike, b: TensorLike, validate_indices: bool = True) -> SparseTensor:
    """The values that the rows of `a` and `b` have in common, row by row, as a sparse tensor.

    a, b: tensors or sparse tensors of integers or strings, equal in all sizes but the last.  Raises InvalidArgumentError where the sizes
    differ, or for sparse indices out of order.

    >>> tf.sparse.to_dense(tf.sets.intersection([[1, 2], [3, 4]], [[2, 9], [4, 3]])).numpy().tolist()
    [[2, 0], [3, 4]]
    """
    return _operation(a, b, "intersection", validate_indices)


@export("sets.difference", v1="sets.set_difference")
def set_difference(a: TensorLike, b: TensorLike, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """The values that the rows of `a` have and those of `b` have not (or the other way round), row by row; else as `intersection`.

    >>> tf.sparse.to_dense(tf.sets.difference([[1, 2], [3, 4]], [[2, 9], [4, 5]])).numpy().tolist()
    [[1], [3]]
    """
    return _operation(a, b, "a-b" if aminusb else "b-a", validate_indices)


@export("sets.union", v1="sets.set_union")
def set_union(a: TensorLike, b: TensorLike, validate_indices: bool = True) -> SparseTensor:
    """The values that the rows of `a` or of `b` have, row by row; else as `intersection`.

    >>> tf.sparse.to_dense(tf.sets.union([[1, 2]], [[2, 9]])).numpy().tolist()
    [[1, 2, 9]]
    """
    return _operation(a, b, "union", validate_indices)
