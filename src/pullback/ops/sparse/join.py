"""Sparse tensors joined along an axis, and split into pieces along one.

TensorFlow has no gradients for these; here the values' cotangents are gathered at the places where the entries went, found by ops of
our own (`SparseConcatPlaces`, `SparseSplitPlaces`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import int64
from ...ir.op import define
from ...ir.tensor import TensorType
from ..array.gather import gather
from ..array.join import CONCAT as CONCAT_V2
from ..array.type_rules import invalid_argument, known_value
from .indices import VALUES, check_types, columns, entries, sparse_type, take_values
from .keys import check_matrix, order_of, rows_at

Array = np.ndarray[Any, Any]


def _offsets(shapes: Any, axis: int) -> tuple[Array, Array]:
    """Where each piece begins along the axis, and the whole shape."""
    rank = len(shapes[0])
    for i, shape in enumerate(shapes):
        if len(shape) != rank:
            raise invalid_argument(f"Ranks of all input tensors must match: expected {rank} but got {len(shape)} at position {i}")
        for d in range(rank):
            if d != axis % max(rank, 1) and shape[d] != shapes[0][d]:
                raise invalid_argument(
                    f"Input shapes must match: expected {shapes[0][d]} for dimension {d} but got {shape[d]} at position {i}"
                )
    if not -rank <= axis < rank:
        raise invalid_argument(f"Concat dimension must be in range [{-rank}, {rank}), got {axis}")
    sizes = np.array([shape[axis] for shape in shapes], np.int64)
    whole = shapes[0].astype(np.int64)
    whole[axis] = sizes.sum()
    return np.cumsum(sizes) - sizes, whole


def _join_indices(indices: Any, shapes: Any, axis: int) -> tuple[Array, Array, Array]:
    """All index vectors in their new places, the order that sorts them, and the whole shape."""
    starts, whole = _offsets(shapes, axis)
    pieces = []
    for one, start in zip(indices, starts, strict=True):
        moved = one.copy()
        moved[:, axis] += start
        pieces.append(moved)
    together = np.concatenate(pieces)
    return together, order_of(together), whole


def _concat(indices: Any, values: Any, shapes: Any, *, concat_dim: int) -> tuple[Array, Array, Array]:
    for i, v, s in zip(indices, values, shapes, strict=True):
        check_matrix(i, v, s)
    together, order, whole = _join_indices(indices, shapes, concat_dim)
    return together[order], np.concatenate(values)[order], whole


def _concat_type(indices: Any, values: Any, shapes: Any, *, concat_dim: int) -> tuple[TensorType, ...]:
    for i, v, s in zip(indices, values, shapes, strict=True):
        check_types(i, v, s)
    counts = [entries(i, v) for i, v in zip(indices, values, strict=True)]
    rank = next((r for i, s in zip(indices, shapes, strict=True) if (r := columns(s, i)) is not None), None)
    sizes = [known_value(s) for s in shapes]
    whole = None if any(s is None for s in sizes) else _offsets(sizes, concat_dim)[1]
    count = None if None in counts else sum(n for n in counts if n is not None)
    return (*sparse_type(count, rank, values[0].dtype), TensorType((rank,), int64, whole))


def _concat_places(indices: Any, shapes: Any, *, concat_dim: int) -> list[Array]:
    _, order, _ = _join_indices(indices, shapes, concat_dim)
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return np.split(places, np.cumsum([len(i) for i in indices])[:-1])


CONCAT_PLACES = define(
    "SparseConcatPlaces",
    "*indices:int64 *shapes:int64",
    lambda indices, shapes, *, concat_dim: tuple(TensorType((entries(i),), int64) for i in indices),
    _concat_places,
    {},
    outputs="*places",
)


def _concat_back(g_output_values: Any, indices: Any, shapes: Any, concat_dim: int) -> Any:
    places = CONCAT_PLACES(list(indices), list(shapes), concat_dim=concat_dim)
    return [take_values(g_output_values, p) for p in places]


CONCAT = define(
    "SparseConcat",
    "*indices:int64 *values *shapes:int64",
    _concat_type,
    _concat,
    {"values": _concat_back},
    outputs="output_indices output_values output_shape",
    dtypes=VALUES,
    holomorphic=False,
)


def _pieces(split_dim: Array, indices: Array, shape: Array, count: int) -> tuple[int, Array, Array]:
    """The axis, where each piece begins along it and where the last ends, and the piece of each entry."""
    axis, rank = int(split_dim), len(shape)
    if not -rank <= axis < rank:
        raise invalid_argument(f"Input split_dim should be between [{-rank}, {rank}), got {axis}")
    axis %= rank
    size = int(shape[axis])
    if not 1 <= count <= size:
        raise invalid_argument(f"Input num_split should be between 1 and the splitting dimension size ({size}), got {count}")
    each, more = divmod(size, count)
    ends = np.concatenate([[0], np.cumsum([each + (i < more) for i in range(count)])])
    index = np.ascontiguousarray(indices[:, axis])
    return axis, ends, np.where(index < ends[more], index // (each + 1), (index - more) // each) if more else index // each


def _split(split_dim: Array, indices: Array, values: Array, shape: Array, *, num_split: int) -> list[Array]:
    check_matrix(indices, values, shape)
    axis, ends, piece = _pieces(split_dim, indices, shape, num_split)
    found: tuple[list[Array], list[Array], list[Array]] = ([], [], [])
    for i in range(num_split):
        mine = np.flatnonzero(piece == i)
        moved = rows_at(indices, mine)
        moved[:, axis] -= ends[i]
        size = shape.copy()
        size[axis] = ends[i + 1] - ends[i]
        for group, part in zip(found, (moved, values.take(mine), size), strict=True):
            group.append(part)
    return [*found[0], *found[1], *found[2]]


def _split_type(split_dim: Any, indices: Any, values: Any, shape: Any, *, num_split: int) -> tuple[TensorType, ...]:
    check_types(indices, values, shape)
    rank = columns(shape, indices)
    i, v = sparse_type(None, rank, values.dtype)
    return (*(i,) * num_split, *(v,) * num_split, *(TensorType((rank,), int64),) * num_split)


SPLIT_PLACES = define(
    "SparseSplitPlaces",
    "split_dim:int64 indices:int64 shape:int64",
    lambda split_dim, indices, shape, *, num_split: TensorType((entries(indices),), int64),
    lambda split_dim, indices, shape, *, num_split: np.argsort(
        np.argsort(_pieces(split_dim, indices, shape, num_split)[2], kind="stable"), kind="stable"
    ),
    {},
)


def _split_back(gs: Any, split_dim: Any, indices: Any, shape: Any, num_split: int) -> Any:
    places = SPLIT_PLACES(split_dim, indices, shape, num_split=num_split)
    return gather(CONCAT_V2.call(list(gs[num_split : 2 * num_split]), 0), places, axis=0)


#: The outputs are the indices of all pieces, then their values, then their shapes.
SPLIT = define(
    "SparseSplit",
    "split_dim:int64 indices:int64 values shape:int64",
    _split_type,
    _split,
    {"values": _split_back},
    outputs="*pieces",
    dtypes=VALUES,
    holomorphic=False,
)
