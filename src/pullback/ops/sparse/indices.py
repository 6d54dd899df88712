"""Operations on the indices of sparse tensors: order, shape, slices.

What moves the entries of a sparse tensor to other places moves their values with them, and that is linear: its gradient gathers at
the places where the entries went, which `SparseFound` finds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import ANY, NUMERIC, QUANTIZED, int64
from ...ir.apply import ShapeError
from ...ir.op import Op, Traits, define
from ...ir.tensor import Tensor, TensorType
from ...kernels.native_loops import as_words, run_natively
from ..array.basic import shape_of
from ..array.create import RANGE
from ..array.gather import gather
from ..array.order import invert_permutation
from ..array.type_rules import invalid_argument, known_value
from ..batching import fold_rows
from ..math.arithmetic import subtract
from ..segment.dense import unsorted_segment_sum
from . import entry_loops
from .keys import check_matrix, columns_of, find_places, is_rising, keys_of, rows_at

Array = np.ndarray[Any, Any]
SPARSE = NUMERIC | QUANTIZED
VALUES = ANY


def columns(shape: Tensor | None, indices: Tensor | None = None) -> int | None:
    """The rank of a sparse tensor, as far as its shape and indices tell."""
    if shape is not None and shape.dims is not None and len(shape.dims) == 1 and shape.dims[0] is not None:
        return int(shape.dims[0])
    if indices is not None and indices.dims is not None and len(indices.dims) == 2:
        return indices.dims[1]
    return None


def entries(indices: Tensor | None, values: Tensor | None = None) -> int | None:
    """The number of entries, as far as it is known."""
    for t in (indices, values):
        if t is not None and t.dims:
            if t.dims[0] is not None:
                return t.dims[0]
    return None


def check_types(indices: Tensor | None, values: Tensor | None = None, shape: Tensor | None = None) -> None:
    """Refuse ranks and sizes that no sparse tensor has."""
    for name, t, rank in (("indices", indices, 2), ("values", values, 1), ("shape", shape, 1)):
        if t is not None and t.dims is not None and len(t.dims) != rank:
            text = f"Shape must be rank {rank} but is rank {len(t.dims)}"
            what = "matrix" if rank == 2 else "vector"
            raise ShapeError(text, f"Input {name} should be a {what} but received shape {list(t.dims)}")
    for a, b, i in ((indices, values, 0), (indices, shape, 1)):
        if a is not None and b is not None and a.dims and b.dims and None not in (a.dims[i], b.dims[0]) and a.dims[i] != b.dims[0]:
            text = f"Dimensions must be equal, but are {a.dims[i]} and {b.dims[0]}"
            raise ShapeError(text, f"indices of shape {list(a.dims)} do not fit values or a shape of shape {list(b.dims)}")


def sparse_type(count: int | None, rank: int | None, dtype: Any) -> tuple[TensorType, TensorType]:
    """The types of indices and values."""
    return TensorType((count, rank), int64), TensorType((count,), dtype)


# ---- places


def _found_type(queries: Any, indices: Any) -> TensorType:
    return TensorType((entries(queries),), int64)


#: The place of each index vector among others, -1 where it is not there.
FOUND = define("SparseFound", "queries:int64 indices:int64", _found_type, find_places, {}, batch=fold_rows("queries"))


def take_values(values: Tensor | None, places: Tensor | None) -> Any:
    """The values at places, 0 at place -1."""
    return TAKEN.call(values, places)


def put_values(values: Any, places: Any, count: Any) -> Any:
    """The adjoint of `take_values`: values added at their places among `count`."""
    return unsorted_segment_sum(values, places, count)


def _take_kernel(values: Array, places: Array) -> Array:
    if not len(values):
        return np.zeros((len(places), *values.shape[1:]), values.dtype)
    there = places >= 0
    found = values[np.where(there, places, 0)]
    if not there.all():
        found[~there] = 0
    return found


TAKEN = define(
    "SparseTaken",
    "values places:int64",
    lambda values, places: TensorType((entries(places), *(values.dims or (None,))[1:]), values.dtype),
    _take_kernel,
    {"values": lambda g, values_type, places: put_values(g, places, shape_of(values_type)[0])},
    dtypes=SPARSE,
    holomorphic=False,
)


# ---- order


def _reorder_type(input_indices: Any, input_values: Any, input_shape: Any) -> tuple[TensorType, TensorType]:
    check_types(input_indices, input_values, input_shape)
    return sparse_type(entries(input_indices, input_values), columns(input_shape, input_indices), input_values.dtype)


def _reorder(input_indices: Array, input_values: Array, input_shape: Array) -> tuple[Array, Array]:
    check_matrix(input_indices, input_values, input_shape)
    (keys,) = keys_of(input_indices)
    if is_rising(keys):
        return input_indices, input_values
    order = np.argsort(keys, kind="stable")
    return input_indices[order], input_values[order]


def _reorder_back(g_output_values: Any, input_indices: Any, input_shape: Any) -> Any:
    numbers = RANGE.call(0, shape_of(input_indices)[0], 1)
    order = REORDER(input_indices, numbers, input_shape)[1]
    return gather(g_output_values, invert_permutation(order), axis=0)


REORDER: Op = define(
    "SparseReorder",
    "input_indices:int64 input_values input_shape:int64",
    _reorder_type,
    _reorder,
    {"input_values": _reorder_back},
    outputs="output_indices output_values",
    dtypes=VALUES,
    holomorphic=False,
)


# ---- reshape


def _reshape_sizes(input_shape: Array, new_shape: Array) -> Array:
    sizes = new_shape.astype(np.int64)
    size = int(np.prod(input_shape))
    open_ones = np.flatnonzero(sizes == -1)
    if len(open_ones) > 1:
        raise invalid_argument(f"only one output dimension may be -1, not both {open_ones[0]} and {open_ones[1]}")
    if (sizes < -1).any():
        at = int(np.flatnonzero(sizes < -1)[0])
        raise invalid_argument(f"size {at} must be non-negative, not {sizes[at]}")
    shown = f"input_shape=[{','.join(map(str, input_shape))}] output_shape=[{','.join(map(str, new_shape))}]"
    if len(open_ones):
        rest = int(np.prod(np.delete(sizes, open_ones[0])))
        if rest <= 0:
            raise invalid_argument(
                "reshape cannot infer the missing input size for an empty tensor unless all specified input sizes are non-zero"
            )
        if size % rest:
            what = f"a SparseTensor with {size} dense values, but the requested shape requires a multiple of {rest}"
            raise invalid_argument(f"Input to reshape is {what}. {shown}")
        sizes = sizes.copy()
        sizes[open_ones[0]] = size // rest
    if int(np.prod(sizes)) != size:
        raise invalid_argument(
            f"Input to reshape is a tensor with {size} dense values, but the requested shape has {int(np.prod(sizes))}. {shown}"
        )
    return sizes


def _reshape(input_indices: Array, input_shape: Array, new_shape: Array) -> tuple[Array, Array]:
    if input_indices.ndim != 2 or input_shape.ndim != 1 or new_shape.ndim != 1 or input_indices.shape[1] != len(input_shape):
        raise ValueError("the indices do not fit")  # the type rule finds the words
    sizes = _reshape_sizes(input_shape, new_shape)
    out = np.zeros((len(input_indices), len(sizes)), np.int64)
    if not out.size:
        return out, sizes
    numbers = np.zeros(len(input_indices), np.int64)
    for column, size in enumerate(input_shape):
        numbers = numbers * size + input_indices[:, column]
    for column in range(len(sizes) - 1, -1, -1):
        numbers, out[:, column] = np.divmod(numbers, sizes[column])
    return out, sizes


def _reshape_type(input_indices: Any, input_shape: Any, new_shape: Any) -> tuple[TensorType, TensorType]:
    check_types(input_indices, None, input_shape)
    check_types(None, None, new_shape)
    rank = columns(new_shape)
    old, new = known_value(input_shape), known_value(new_shape)
    constant = _reshape_sizes(old, new) if old is not None and new is not None else None
    return TensorType((entries(input_indices), rank), int64), TensorType((rank,), int64, constant)


RESHAPE = define(
    "SparseReshape",
    "input_indices:int64 input_shape:int64 new_shape:int64",
    _reshape_type,
    _reshape,
    {},
    outputs="output_indices output_shape",
)


# ---- slices


def _slice_type(indices: Any, values: Any, shape: Any, start: Any, size: Any) -> tuple[TensorType, ...]:
    check_types(indices, values, shape)
    for t in (start, size):
        check_types(None, None, t)
    rank = columns(shape, indices)
    return (*sparse_type(None, rank, values.dtype), TensorType((rank,), int64))


def _are_inside(indices: Array, start: Array, size: Array) -> Array:
    kept = np.ones(len(indices), bool)
    for column, first, count in zip(columns_of(indices), start, size, strict=True):
        kept &= column >= first
        kept &= column < first + count
    return kept


def _slice(indices: Array, values: Array, shape: Array, start: Array, size: Array) -> tuple[Array, Array, Array]:
    check_matrix(indices, values, shape)
    for name, given in (("start", start), ("size", size)):
        if given.shape != shape.shape:
            raise invalid_argument(f"Expected {name} to be a vector of length {len(shape)} but got length {given.size}")
    if (size < 0).any():
        raise invalid_argument(f"Expected a non-negative size, got {size[size < 0][0]}")
    kept = np.flatnonzero(_are_inside(indices, start, size))
    return rows_at(indices, kept) - start, values.take(kept), np.maximum(np.minimum(size, shape - start), 0)


def _slice_back(g_output_values: Any, indices: Any, start: Any, output_indices: Any) -> Any:
    return SLICE_GRAD(g_output_values, indices, start, output_indices)


SLICE = define(
    "SparseSlice",
    "indices:int64 values shape:int64 start:int64 size:int64",
    _slice_type,
    _slice,
    {"values": _slice_back},
    outputs="output_indices output_values output_shape",
    dtypes=VALUES,
    holomorphic=False,
    traits=Traits(opens_scope=True),
)


def _move_indices(indices: Any, start: Any) -> Any:
    return subtract(indices, start)


def _slice_grad(backprop_val_grad: Array, input_indices: Array, input_start: Array, output_indices: Array) -> Array:
    if len(output_indices) and output_indices.shape[1]:
        # the slice is mostly as it came: then its entries are in order among those of the whole
        count, part = len(input_indices), len(output_indices)
        out = np.empty(count, backprop_val_grad.dtype)
        if backprop_val_grad.shape == (part,) and input_indices.shape[1] == output_indices.shape[1] == len(input_start):
            entries = (input_indices, input_start, output_indices, count, part)
            if run_natively(entry_loops.align_values, count, *as_words(out, backprop_val_grad), *entries, rank=len(input_start)) == part:
                return out
        low, high = np.array([(c.min(), c.max()) for c in columns_of(output_indices)]).T
        kept = np.flatnonzero(_are_inside(input_indices, input_start + low, high - low + 1))
        if len(kept) == len(output_indices) and np.array_equal(rows_at(input_indices, kept), output_indices + input_start):
            out = np.zeros(len(input_indices), backprop_val_grad.dtype)
            out[kept] = backprop_val_grad
            return out
    return _take_kernel(backprop_val_grad, find_places(input_indices - input_start, output_indices))


SLICE_GRAD: Op = define(
    "SparseSliceGrad",
    "backprop_val_grad input_indices:int64 input_start:int64 output_indices:int64",
    lambda backprop_val_grad, input_indices, input_start, output_indices: TensorType((entries(input_indices),), backprop_val_grad.dtype),
    _slice_grad,
    {
        "backprop_val_grad": lambda g, backprop_val_grad_type, input_indices, input_start, output_indices: put_values(
            g, FOUND(_move_indices(input_indices, input_start), output_indices), shape_of(backprop_val_grad_type)[0]
        )
    },
    dtypes=SPARSE,
    holomorphic=False,
)
