"""Rows of a sparse tensor that have no entry, filled with a default value."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import bool as bool_, int64
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import Tensor, TensorType
from ...kernels.native_loops import as_words, run_natively
from ..array.basic import ONES_LIKE, shape_of
from ..array.type_rules import invalid_argument, known_value, match_dims
from ..math.arithmetic import ADD, multiply, subtract
from . import entry_loops
from .indices import SPARSE, VALUES, check_types, columns, entries, put_values, sparse_type
from .keys import are_inside, check_matrix, is_rising

Array = np.ndarray[Any, Any]


def _fill_type(indices: Any, values: Any, dense_shape: Any, default_value: Any) -> tuple[TensorType, ...]:
    check_types(indices, values, dense_shape)
    if default_value.dims:
        raise ShapeError(
            f"Shape must be rank 0 but is rank {len(default_value.dims)}",
            f"default_value must be a scalar, saw: {list(default_value.dims)}",
        )
    sizes = known_value(dense_shape)
    rows = None if sizes is None or not len(sizes) else int(sizes[0])
    kinds = sparse_type(None, columns(dense_shape, indices), values.dtype)
    return (*kinds, TensorType((rows,), bool_), TensorType((entries(indices, values),), int64))


def _fill_rows(indices: Array, values: Array, dense_shape: Array, default_value: Array) -> tuple[Array, Array, Array, Array]:
    check_matrix(indices, values, dense_shape)
    if default_value.ndim:
        raise ValueError("the default is no scalar")  # the type rule finds the words
    if not len(dense_shape):
        raise invalid_argument("Dense shape cannot be empty")
    rows = int(dense_shape[0])
    if not rows and len(indices):
        raise invalid_argument(f"Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = {len(indices)}")
    row = np.ascontiguousarray(indices[:, 0])
    if not are_inside(row[None], dense_shape[:1]):
        at = int(np.flatnonzero((row < 0) | (row >= rows))[0])
        raise invalid_argument(f"indices({at}, 0) is invalid: {row[at]} {'< 0' if row[at] < 0 else f'>= {rows}'}")
    empty = np.ones(rows, bool)
    empty[row] = False
    missing = np.flatnonzero(empty)
    rising = is_rising(row)
    if not len(missing) and rising:
        return indices, values, empty, np.arange(len(indices))
    order = None if rising else np.argsort(row, kind="stable")
    by_row = row if order is None else row[order]
    places = np.arange(len(row))  # of the entries in order of rows: behind those and the missing rows before
    places += np.cumsum(empty).take(by_row)
    added = np.searchsorted(by_row, missing)
    added += np.arange(len(missing))
    if order is not None:
        places = places[np.argsort(order)]
    count = len(row) + len(missing)
    filled, whole = np.empty(count, values.dtype), np.zeros((count, indices.shape[1]), np.int64)
    whole[added, 0] = missing
    filled[added] = default_value
    as_one = np.dtype((np.void, whole.strides[0]))  # a row is one element, which NumPy puts in its place at once
    whole.view(as_one)[:, 0][places] = np.ascontiguousarray(indices).view(as_one)[:, 0]
    filled[places] = values
    return whole, filled, empty, places


def _fill_back(g_output_values: Any, reverse_index_map: Any) -> Any:
    return FILL_ROWS_GRAD(reverse_index_map, g_output_values)


FILL_ROWS = define(
    "SparseFillEmptyRows",
    "indices:int64 values dense_shape:int64 default_value",
    _fill_type,
    _fill_rows,
    {("values", "default_value"): _fill_back},
    outputs="output_indices output_values empty_row_indicator reverse_index_map",
    dtypes=VALUES,
    holomorphic=False,
)


def fill_grad(reverse_index_map: Array, grad_values: Array) -> tuple[Array, Any]:
    """The cotangents of the values and of the one default, from that of the filled values."""
    for name, given in (("reverse_index_map", reverse_index_map), ("grad_values", grad_values)):
        if given.ndim != 1:
            raise invalid_argument(f"{name} must be a vector, saw: {list(given.shape)}")
    added, count, size = np.ones(len(grad_values), bool), len(reverse_index_map), len(grad_values)
    found = np.empty(count, grad_values.dtype)
    words = as_words(found, grad_values)
    if run_natively(entry_loops.take_and_clear, count, words[0], added, words[1], reverse_index_map, count, size) != 0:
        if not are_inside(reverse_index_map[None], np.array([size])):
            raise invalid_argument(f"Elements in reverse index must be in [0, {size})")
        added[reverse_index_map] = False
        found = grad_values.take(reverse_index_map)
    return found, grad_values.take(np.flatnonzero(added)).sum(dtype=grad_values.dtype)


def fill_grad_type(reverse_index_map: Tensor, grad_values: Tensor) -> tuple[TensorType, TensorType]:
    """The types of `fill_grad`."""
    count = match_dims("n, _", reverse_index_map, grad_values)["n"]
    return TensorType((count,), grad_values.dtype), TensorType((), grad_values.dtype)


def fill_grad_back(g_d_values: Tensor, g_d_default_value: Tensor, reverse_index_map: Tensor, grad_values_type: object) -> Any:
    """The adjoint of `fill_grad`."""
    count = shape_of(grad_values_type)
    there = put_values(ONES_LIKE.call(g_d_values), reverse_index_map, count[0])
    return ADD.call(
        put_values(g_d_values, reverse_index_map, count[0]),
        multiply(subtract(ONES_LIKE.call(there), there), g_d_default_value),
    )


FILL_ROWS_GRAD: Op = define(
    "SparseFillEmptyRowsGrad",
    "reverse_index_map:int64 grad_values",
    fill_grad_type,
    fill_grad,
    {"grad_values": fill_grad_back},
    outputs="d_values d_default_value",
    dtypes=SPARSE,
    holomorphic=False,
)
