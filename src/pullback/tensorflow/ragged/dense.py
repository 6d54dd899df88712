"""Ragged tensors as tensors, padded, and as sparse tensors: the operations, beside flat values and partitions of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX, int64
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.attributes import read_text
from ...ir.op import define
from ...ir.tensor import IndexedSlices, TensorType
from ...kernels.native_loops import run_natively
from ...ops.array.basic import ONES_LIKE, reshape, shape_of, sum_to
from ...ops.array.create import RANGE
from ...ops.array.join import CONCAT
from ...ops.array.type_rules import Array, dims_in, invalid_argument, known_value
from ...ops.math.arithmetic import multiply, subtract
from ...ops.primitives.cast import CAST
from ...ops.reduce.reductions import SUM
from ...ops.sparse.indices import put_values, take_values
from ...ops.tensor_list.items import declared_dims
from . import entry_loops
from .ops import ranges, rows_of_lengths

# ---- padded to a tensor


def _partition(kind: str, given: Array) -> tuple[Array, Array]:
    """The row of each item, and its place in the row."""
    if kind == "VALUE_ROWIDS":
        rows = given
        starts = np.searchsorted(rows, np.arange(int(rows[-1]) + 1 if len(rows) else 0))
        return rows, np.arange(len(rows)) - starts[rows] if len(rows) else rows
    lengths = np.diff(given)
    return rows_of_lengths(lengths), ranges(np.zeros(len(lengths), np.int64), lengths)


def _levels(kinds: Any, given: list[Array]) -> tuple[int, list[tuple[Array, Array]]]:
    names = [k.decode() if isinstance(k, bytes) else str(k) for k in kinds]
    if names[0] == "FIRST_DIM_SIZE":
        return int(given[0]), [_partition(n, a) for n, a in zip(names[1:], given[1:], strict=True)]
    if names[0] != "ROW_SPLITS":
        raise invalid_argument(f"Cannot handle row partition type {names[0]} first")
    return len(given[0]) - 1, [_partition(n, a) for n, a in zip(names, given, strict=True)]


def _place_items(shape: Array, values_shape: tuple[int, ...], kinds: Any, given: list[Array]) -> tuple[tuple[int, ...], Array]:
    """The shape of the padded tensor, and the place of each item among its cells (-1: cut off)."""
    count, levels = _levels(kinds, given)
    sizes = [count, *(int(at.max(initial=-1)) + 1 for _, at in levels)]
    whole = [*sizes, *values_shape[1:]]
    if shape.ndim:
        if len(shape) != len(whole):
            raise invalid_argument(
                f"rt_input.shape and shape={list(shape)} are incompatible: rt_input.rank = {len(whole)} but shape.rank = {len(shape)}"
            )
        for d in range(len(sizes), len(whole)):
            if shape[d] not in (-1, whole[d]):
                raise invalid_argument(
                    f"rt_input.shape and shape={list(shape)} are incompatible: rt_input.shape[{d}] = {whole[d]} but shape[{d}] = {shape[d]}"
                )
        whole = [n if m < 0 else int(m) for m, n in zip(shape, whole, strict=True)]
    place = np.arange(count)
    place[place >= whole[0]] = -1
    for (rows, at), size in zip(levels, whole[1:], strict=False):
        above = place[rows]
        place = np.where((above >= 0) & (at < size), above * size + at, -1)
    return tuple(whole), place


def _to_tensor(shape: Array, values: Array, default_value: Array, row_partition_tensors: list[Array], *, row_partition_types: Any) -> Array:
    inner = values.shape[1:]
    if not shape.ndim and shape != -1:
        raise invalid_argument(f"shape must be a vector, or -1 where none is given, not {shape}")
    if default_value.ndim > len(inner) or not values.ndim:
        raise invalid_argument(
            f"default_value.shape={list(default_value.shape)} and rt_input.flat_values.shape={list(values.shape)} are incompatible"
        )
    free = not shape.ndim or (len(shape) == 2 + len(inner) and (shape == -1).all())
    if free and len(row_partition_tensors) == 1 and read_text(row_partition_types[0]) == "ROW_SPLITS":
        return _pad_rows(np.diff(row_partition_tensors[0]), values, default_value)
    whole, place = _place_items(shape, values.shape, row_partition_types, row_partition_tensors)
    cells = int(np.prod(whole[: len(whole) - len(inner)]))
    out = np.empty((cells, *inner), values.dtype)
    out[...] = default_value
    there = place >= 0
    if there.all():
        out[place] = values
    else:
        out[place[there]] = values[there]
    return out.reshape(whole)


def _pad_rows(lengths: Array, values: Array, default_value: Array) -> Array:
    """Whole rows, by which cells have an item."""
    width = int(lengths.max(initial=0))
    out = np.empty((len(lengths), width, *values.shape[1:]), values.dtype)
    out[...] = default_value
    out[np.arange(width, dtype=lengths.dtype) < lengths[:, None]] = values
    return out


def _to_tensor_type(shape: Any, values: Any, default_value: Any, row_partition_tensors: Any, *, row_partition_types: Any) -> TensorType:
    wanted = declared_dims(shape)
    given, kinds = len(row_partition_tensors), len(row_partition_types)
    if given != kinds:
        text = f"Number of row partition tensors ({given}) does not equal the number of row partition types({kinds})."
        raise ShapeError(text, text)
    if values.dims is None:
        return TensorType(wanted, values.dtype)
    levels = len(row_partition_types) - (str(row_partition_types[0]) in ("FIRST_DIM_SIZE", "b'FIRST_DIM_SIZE'"))
    first = row_partition_tensors[0]
    count = None
    if first.dims is not None and len(first.dims) == 1 and first.dims[0] is not None:
        count = first.dims[0] - 1
    elif first.dims == () and (size := known_value(first)) is not None:
        count = int(size)
    dims = (count, *(None,) * levels, *values.dims[1:])
    if wanted is not None:
        if len(wanted) != len(dims):
            text = f"rt_input.shape and shape={list(wanted)} are incompatible: rt_input.rank = {len(dims)} but shape.rank = {len(wanted)}"
            raise ShapeError(text, text)
        dims = tuple(n if m is None else m for m, n in zip(wanted, dims, strict=True))
    elif shape.dims is None or (len(shape.dims) and wanted is None):
        dims = (None,) * len(dims)
    return TensorType(dims, values.dtype)


TO_TENSOR_PLACES = define(
    "RaggedTensorPlaces",
    "shape:Tshape values_shape:int32 *row_partition_tensors:Tindex",
    lambda shape, values_shape, row_partition_tensors, *, row_partition_types: TensorType((dims_in(values_shape) or (None,))[:1], int64),
    lambda shape, values_shape, row_partition_tensors, *, row_partition_types: _place_items(
        shape, tuple(values_shape.tolist()), row_partition_types, row_partition_tensors
    )[1].astype(np.int64),
    {},
    dtypes={"Tshape": INDEX, "Tindex": INDEX},
    batch="shape depends on values",
)


def _to_tensor_back(
    g: Any, shape: Any, values_type: Any, default_value_type: Any, row_partition_tensors: Any, row_partition_types: Any
) -> Any:
    sizes = shape_of(values_type)
    places = TO_TENSOR_PLACES(shape, sizes, list(row_partition_tensors), row_partition_types=row_partition_types)
    inner = sizes[1:]
    cells = reshape(g, np.append(-1, inner) if isinstance(inner, np.ndarray) else CONCAT.call([[-1], inner], 0))
    to_values = take_values(cells, places)
    count = shape_of(cells)[0]
    filled = put_values(ONES_LIKE.call(to_values), places, count)
    left = multiply(cells, subtract(ONES_LIKE.call(filled), filled))
    numbers = RANGE.call(np.int64(0), CAST.call(sizes[0], DstT=int64), np.int64(1))
    return IndexedSlices(to_values, numbers, convert_to_tensor(sizes)), sum_to(SUM.call(left, [0]), default_value_type)


TO_TENSOR = define(
    "RaggedTensorToTensor",
    "shape:Tshape= values default_value *row_partition_tensors:Tindex=",
    _to_tensor_type,
    _to_tensor,
    {("values", "default_value"): _to_tensor_back},
    dtypes={"T": ANY, "Tshape": INDEX, "Tindex": INDEX},
    holomorphic=False,
)


# ---- as a sparse tensor


def _to_sparse(rt_nested_splits: list[Array], rt_dense_values: Array) -> tuple[Array, Array, Array]:
    if len(rt_nested_splits) == rt_dense_values.ndim == rt_nested_splits[0].ndim == 1 and len(rt_nested_splits[0]):
        count, height = len(rt_dense_values), len(rt_nested_splits[0]) - 1
        pairs = np.empty((count, 2), np.int64)
        longest = run_natively(entry_loops.place_items, count, pairs, rt_nested_splits[0], height, count)
        if longest is not None and longest >= 0:
            return pairs, rt_dense_values, np.array([height, longest], np.int64)
    sizes = [len(rt_nested_splits[0]) - 1]
    path: list[Array] = [np.arange(sizes[0])]
    for splits in rt_nested_splits:
        rows, at = _partition("ROW_SPLITS", splits)
        path = [*(p[rows] for p in path), at]
        sizes.append(int(at.max(initial=-1)) + 1)
    inner = rt_dense_values.shape[1:]
    each = int(np.prod(inner))
    indices = np.empty((rt_dense_values.size, len(path) + len(inner)), np.int64)
    for column, p in enumerate(path):
        indices[:, column] = np.repeat(p, each) if inner else p
    if inner:
        grid = np.indices(inner).reshape(len(inner), -1)
        for column, line in enumerate(grid, len(path)):
            indices[:, column] = np.tile(line, len(rt_dense_values))
    return indices, rt_dense_values.reshape(-1), np.array([*sizes, *inner], np.int64)


def _to_sparse_type(rt_nested_splits: Any, rt_dense_values: Any) -> tuple[TensorType, ...]:
    dims = rt_dense_values.dims
    rank = None if dims is None else len(rt_nested_splits) + len(dims)
    count = None if dims is None or None in dims else int(np.prod(dims))
    return TensorType((count, rank), int64), TensorType((count,), rt_dense_values.dtype), TensorType((rank,), int64)


TO_SPARSE = define(
    "RaggedTensorToSparse",
    "*rt_nested_splits:Tsplits rt_dense_values",
    _to_sparse_type,
    _to_sparse,
    {"rt_dense_values": lambda g_sparse_values, rt_dense_values_type: reshape(g_sparse_values, shape_of(rt_dense_values_type))},
    outputs="sparse_indices sparse_values sparse_dense_shape",
    dtypes={"Tsplits": INDEX, "T": ANY},
    holomorphic=False,
    batch="shape depends on values",
)
