"""Counting the values of sparse and ragged tensors, and counting into sparse tensors.

Weights have gradients, which TensorFlow does not give: each gets the cotangent of the count that it is part of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import INDEX, int64
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ...kernels.native_loops import run_natively
from ..array.basic import ZEROS_LIKE, broadcast_to, reshape, shape_of
from ..array.create import RANGE
from ..array.join import STACK
from ..array.type_rules import dims_in, invalid_argument, known_count, known_int, merge_dims, rank_of, read_whole
from ..array.where import where
from ..math.arithmetic import ADD, multiply
from ..primitives.cast import CAST
from ..primitives.compare import less
from ..search.counting import COUNTED, ONE_SIZE
from . import entry_loops
from .indices import FOUND, TAKEN, check_types
from .keys import are_inside, check_matrix, groups_of

Array = np.ndarray[Any, Any]


#: How far float32 counts one by one.
_EXACT = 1 << 24


def _check_weights(values: Array, weights: Array) -> None:
    if values.size and values.min() < 0:
        raise invalid_argument("Input values must all be non-negative")
    if weights.size and weights.shape != values.shape:
        shapes = f"Weight shape: {list(weights.shape)}; values shape: {list(values.shape)}"
        raise invalid_argument(f"Weights and values must have the same shape. {shapes}")


def _rows_of_splits(splits: Array, values: Array) -> Array:
    if not len(splits) or splits[0] != 0:
        raise invalid_argument("Splits must start with 0, not with " + (str(splits[0]) if len(splits) else "nothing"))
    if splits[-1] != len(values):
        raise invalid_argument(f"Splits must end with the number of values, got {splits[-1]} instead of {len(values)}")
    if (splits[1:] < splits[:-1]).any():
        raise invalid_argument("Splits must never fall")
    return np.repeat(np.arange(len(splits) - 1), np.diff(splits))


# ---- into dense tensors


def _count_rows(rows: Array, values: Array, weights: Array, count: int, size: int, binary_output: bool) -> Array:
    places: Array = rows * size
    places += values
    if values.size and values.max() >= size:
        inside = values < size
        places, weights = places[inside], weights[inside] if weights.size else weights
    if binary_output:
        out = np.zeros(count * size, weights.dtype)
        out[places] = 1
    elif weights.size:
        out = np.zeros(count * size, weights.dtype)
        np.add.at(out, places, weights)
    else:
        out = np.bincount(places, minlength=count * size).astype(weights.dtype)
    return out.reshape(count, size)


def _size_of(size: Array) -> int:
    count = read_whole(size, ONE_SIZE)
    if count < 0:
        raise invalid_argument(f"size ({count}) must be non-negative")
    return count


def _sparse_bincount(
    indices: Array, values: Array, dense_shape: Array, size: Array, weights: Array, *, binary_output: bool = False
) -> Array:
    check_matrix(indices, values, dense_shape)
    length, (count, rank) = _size_of(size), indices.shape
    if not binary_output and not weights.size and rank > 1 and count < _EXACT and dense_shape[0] >= 0:
        out = np.zeros((int(dense_shape[0]), length), weights.dtype)
        if run_natively(entry_loops.tally_rows, count, out, indices, rank, values, count, len(out), length) == 0:
            return out
    _check_weights(values, weights)
    if len(dense_shape) == 1:
        return np.asarray(_count_rows(np.zeros(len(values), np.int64), values, weights, 1, length, binary_output)[0])
    rows = np.ascontiguousarray(indices[:, 0])
    if not are_inside(rows[None], dense_shape[:1]):
        raise invalid_argument(f"Index out of bound: the rows are {dense_shape[0]}")
    return _count_rows(rows, values, weights, int(dense_shape[0]), length, binary_output)


def _sparse_bincount_type(indices: Any, values: Any, dense_shape: Any, size: Any, weights: Any, **_: Any) -> TensorType:
    check_types(indices, values, dense_shape)
    dims = dims_in(dense_shape)
    return TensorType(None if dims is None else (*dims[: len(dims) - 1][:1], known_count(size, ONE_SIZE)), weights.dtype)


def _ragged_bincount(splits: Array, values: Array, size: Array, weights: Array, *, binary_output: bool = False) -> Array:
    length = _size_of(size)
    if not binary_output and not weights.size and splits.ndim == values.ndim == 1 and len(splits) and len(values) < _EXACT:
        out = np.zeros((len(splits) - 1, length), weights.dtype)
        if run_natively(entry_loops.tally_row_values, len(values), out, splits, values, len(values), len(out), length) == 0:
            return out
    _check_weights(values, weights)
    return _count_rows(_rows_of_splits(splits, values), values, weights, len(splits) - 1, length, binary_output)


def _ragged_bincount_type(splits: Any, values: Any, size: Any, weights: Any, *, binary_output: bool = False) -> TensorType:
    count = splits.dims[0] if splits.dims else None
    return TensorType((None if count is None else count - 1, known_int(size)), weights.dtype)


def _take_cotangents(g: Any, rows: Any, values: Any, size: Any, weights_type: Any, binary_output: bool) -> Any:
    """The cotangents of the counts that the weights are part of: nothing for values that are not counted."""
    if binary_output or weights_type.dims == (0,):
        return None
    place = ADD.call(multiply(rows, CAST.call(size, DstT=int64)), CAST.call(values, DstT=int64))
    inside = less(values, size)
    place = where(inside, place, np.int64(-1))
    return TAKEN.call(reshape(g, [-1]), place)


def _sparse_bincount_back(
    g: Any, indices: Any, values: Any, dense_shape_type: Any, size: Any, weights_type: Any, binary_output: bool
) -> Any:
    flat = dense_shape_type.dims is not None and dense_shape_type.dims[0] == 1
    rows = ZEROS_LIKE.call(CAST.call(values, DstT=int64)) if flat else indices[:, 0]
    return _take_cotangents(g, rows, values, size, weights_type, binary_output)


def _ragged_bincount_back(g: Any, splits: Any, values: Any, size: Any, weights_type: Any, binary_output: bool) -> Any:
    return _take_cotangents(g, ROWS(splits, shape_of(values)), values, size, weights_type, binary_output)


#: The row of each value of a ragged tensor.
ROWS: Op = define(
    "RaggedRows",
    "splits:Tsplits value_shape:Tshape",
    lambda splits, value_shape: TensorType((dims_in(value_shape) or (None,))[:1], splits.dtype),
    lambda splits, value_shape: np.repeat(np.arange(len(splits) - 1, dtype=splits.dtype), np.diff(splits)),
    {},
    dtypes={"Tsplits": INDEX, "Tshape": INDEX},
    batch="shape depends on values",
)
SPARSE_BINCOUNT = define(
    "SparseBincount",
    "indices:int64 values:Tidx= dense_shape:int64 size:Tidx weights",
    _sparse_bincount_type,
    _sparse_bincount,
    {"weights": _sparse_bincount_back},
    dtypes={"Tidx": INDEX, "T": COUNTED},
)
RAGGED_BINCOUNT = define(
    "RaggedBincount",
    "splits:int64 values:Tidx= size:Tidx weights",
    _ragged_bincount_type,
    _ragged_bincount,
    {"weights": _ragged_bincount_back},
    dtypes={"Tidx": INDEX, "T": COUNTED},
)


# ---- into sparse tensors


def _sparse_counts(
    rows: Array | None, values: Array, weights: Array, count: int, minlength: int, maxlength: int, binary_output: bool
) -> tuple[Array, Array, Array]:
    """rows: the row of each value, None where there is only one, which then is no axis of the result."""
    inside = np.ones(len(values), bool) if maxlength < 0 else values < maxlength
    lines = [values[inside]] if rows is None else [rows[inside], values[inside]]
    indices, groups = groups_of(np.stack([line.astype(np.int64) for line in lines], 1))
    if binary_output:
        found = np.ones(len(indices), weights.dtype)
    elif weights.size:
        found = np.zeros(len(indices), weights.dtype)
        np.add.at(found, groups, weights[inside])
    else:
        found = np.bincount(groups, minlength=len(indices)).astype(weights.dtype)
    length = maxlength if maxlength >= 0 else max(int(values.max(initial=0)) + 1, minlength)
    return indices, found, np.array([length] if rows is None else [count, length], np.int64)


def _dense_rows(values: Array) -> tuple[Array | None, Array, int]:
    if values.ndim > 2 or not values.ndim:
        raise invalid_argument(f"Input must be a 1 or 2-dimensional tensor. Got: {list(values.shape)}")
    return (None if values.ndim == 1 else np.repeat(np.arange(len(values)), values.shape[1])), values.reshape(-1), len(values)


def _dense_count(values: Array, weights: Array, *, minlength: int = -1, maxlength: int = -1, binary_output: bool = False) -> Any:
    _check_weights(values, weights)
    rows, flat, count = _dense_rows(values)
    return _sparse_counts(rows, flat, weights.reshape(-1), count, minlength, maxlength, binary_output)


def _sparse_count(
    indices: Array,
    values: Array,
    dense_shape: Array,
    weights: Array,
    *,
    minlength: int = -1,
    maxlength: int = -1,
    binary_output: bool = False,
) -> Any:
    check_matrix(indices, values, dense_shape)
    _check_weights(values, weights)
    rows = None if len(dense_shape) == 1 else indices[:, 0]
    return _sparse_counts(rows, values, weights, int(dense_shape[0]), minlength, maxlength, binary_output)


def _ragged_count(
    splits: Array, values: Array, weights: Array, *, minlength: int = -1, maxlength: int = -1, binary_output: bool = False
) -> Any:
    _check_weights(values, weights)
    rows = _rows_of_splits(splits, values)
    return _sparse_counts(rows, values, weights, len(splits) - 1, minlength, maxlength, binary_output)


def _counts_types(op: str, rank: int | None, weights: Any, minlength: int, maxlength: int) -> tuple[TensorType, ...]:
    return TensorType((None, rank), int64), TensorType((None,), weights.dtype), TensorType((rank,), int64)


def _dense_count_types(
    values: Any, weights: Any, *, minlength: int = -1, maxlength: int = -1, binary_output: bool = False
) -> tuple[TensorType, ...]:
    if weights.dims not in ((0,), (None,)):  # else there may be none
        merge_dims(values.dims, weights.dims, "Weights and values must have the same shape")
    return _counts_types("DenseCountSparseOutput", rank_of(values), weights, minlength, maxlength)


def _pull_back(g: Any, out_indices: Any, values: Any, weights_type: Any, binary_output: bool, row: Any) -> Any:
    if binary_output or weights_type.dims == (0,):
        return None
    flat = CAST.call(reshape(values, [-1]), DstT=int64)
    queries = STACK.call([flat] if row is None else [row, flat], axis=1)
    places = FOUND.call(queries, out_indices)
    return reshape(TAKEN.call(g, places), shape_of(values))


def _dense_count_back(g_output_values: Any, output_indices: Any, values: Any, weights_type: Any, binary_output: bool) -> Any:
    row = None
    if values.dims is None or len(values.dims) == 2:
        sizes = shape_of(values)
        numbers = reshape(RANGE.call(0, sizes[0], 1), [-1, 1])
        row = CAST.call(reshape(broadcast_to(numbers, sizes), [-1]), DstT=int64)
    return _pull_back(g_output_values, output_indices, values, weights_type, binary_output, row)


def _sparse_count_back(
    g_output_values: Any, output_indices: Any, indices: Any, values: Any, dense_shape_type: Any, weights_type: Any, binary_output: bool
) -> Any:
    flat = dense_shape_type.dims is not None and dense_shape_type.dims[0] == 1
    return _pull_back(g_output_values, output_indices, values, weights_type, binary_output, None if flat else indices[:, 0])


def _ragged_count_back(g_output_values: Any, output_indices: Any, splits: Any, values: Any, weights_type: Any, binary_output: bool) -> Any:
    return _pull_back(g_output_values, output_indices, values, weights_type, binary_output, ROWS(splits, shape_of(values)))


_OUTPUTS = "output_indices output_values output_dense_shape"
DENSE_COUNT = define(
    "DenseCountSparseOutput",
    "values weights:output_type",
    _dense_count_types,
    _dense_count,
    {"weights": _dense_count_back},
    outputs=_OUTPUTS,
    dtypes={"T": INDEX, "output_type": COUNTED},
    batch="shape depends on values",
)
SPARSE_COUNT = define(
    "SparseCountSparseOutput",
    "indices:int64 values dense_shape:int64 weights:output_type",
    lambda indices, values, dense_shape, weights, *, minlength=-1, maxlength=-1, binary_output=False: _counts_types(
        "SparseCountSparseOutput",
        None if dense_shape.dims is None or dense_shape.dims[0] is None else min(dense_shape.dims[0], 2),
        weights,
        minlength,
        maxlength,
    ),
    _sparse_count,
    {"weights": _sparse_count_back},
    outputs=_OUTPUTS,
    dtypes={"T": INDEX, "output_type": COUNTED},
    batch="shape depends on values",
)
RAGGED_COUNT = define(
    "RaggedCountSparseOutput",
    "splits:int64 values weights:output_type",
    lambda splits, values, weights, *, minlength=-1, maxlength=-1, binary_output=False: _counts_types(
        "RaggedCountSparseOutput", 2, weights, minlength, maxlength
    ),
    _ragged_count,
    {"weights": _ragged_count_back},
    outputs=_OUTPUTS,
    dtypes={"T": INDEX, "output_type": COUNTED},
    batch="shape depends on values",
)
