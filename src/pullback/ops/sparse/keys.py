"""Index vectors of sparse tensors as numbers: one int64 for each, in the same order, so that sorting and matching are NumPy's.

A vector is the number that it has in row-major order in the smallest box that holds all vectors at hand; where that box has more
places than an int64 counts, its rank among the distinct ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..array.type_rules import invalid_argument

Array = np.ndarray[Any, Any]
_MOST = 2**62


#: How many places a box may have for each index vector so that all of them are marked to find the distinct ones.
_DENSE = 8


class Box:
    """The smallest box that holds all rows of some matrices of index vectors, of the same rank and not all empty."""

    def __init__(self, indices: Sequence[Array]) -> None:
        self.columns = [columns_of(i) for i in indices]
        some = [of for of in self.columns if of[0].size]
        self.low = [min(int(of[c].min()) for of in some) for c in range(len(some[0]))]
        self.extents = [max(int(of[c].max()) for of in some) - low + 1 for c, low in enumerate(self.low)]
        self.size = math.prod(self.extents)

    def keys(self) -> list[Array]:
        """The place of each vector in the box."""
        return [places_in(of, self.low, self.extents) for of in self.columns]

    def vectors(self, keys: Array) -> Array:
        """The index vectors with these keys."""
        found = np.empty((len(keys), len(self.low)), np.int64)
        for c in range(len(self.low) - 1, -1, -1):
            rest = keys // self.extents[c] if c else np.zeros_like(keys)
            np.subtract(keys, rest * self.extents[c], out=found[:, c])
            if self.low[c]:
                found[:, c] += self.low[c]
            keys = rest
        return found


def columns_of(indices: Array) -> Array:
    """The columns of a matrix of index vectors, each in one piece, where NumPy's loops are several times as fast."""
    return np.ascontiguousarray(indices.T)


def places_in(columns: Array, low: Sequence[int], extents: Sequence[int]) -> Array:
    """Where each index vector is in row-major order in a box from `low` on."""
    columns = columns.astype(np.int64, copy=False)
    keys: Array = columns[0] - low[0] if low[0] else columns[0]
    for c in range(1, len(columns)):
        keys = keys * extents[c]
        keys += columns[c]
        if low[c]:
            keys -= low[c]
    return keys


def keys_of(*indices: Array) -> list[Array]:
    """Numbers for the index vectors (rows) of matrices with equally many columns: equal for equal vectors, and in their order."""
    if not indices[0].shape[1] or not any(i.size for i in indices):
        return [np.zeros(len(i), np.int64) for i in indices]
    box = Box(indices)
    if box.size >= _MOST:
        ranks = np.unique(np.concatenate(indices), axis=0, return_inverse=True)[1].reshape(-1)
        return np.split(ranks, np.cumsum([len(i) for i in indices])[:-1])
    return box.keys()


def is_rising(keys: Array, strictly: bool = False) -> bool:
    """Whether numbers never fall (or always rise)."""
    return bool((keys[1:] > keys[:-1]).all() if strictly else (keys[1:] >= keys[:-1]).all())


def order_of(indices: Array) -> Array:
    """The places of index vectors in row-major order; equal ones stay in the order they had."""
    (keys,) = keys_of(indices)
    return np.arange(len(keys)) if is_rising(keys) else np.argsort(keys, kind="stable")


def groups_of(indices: Array) -> tuple[Array, Array]:
    """The distinct index vectors in order, and for each vector the number of its like among them."""
    (keys,) = keys_of(indices)
    if is_rising(keys):
        first = np.ones(len(keys), bool)
        first[1:] = keys[1:] != keys[:-1]
        return indices[first], np.cumsum(first) - 1
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return indices[first], inverse.reshape(-1)


def unite_keys(a: Array, b: Array) -> tuple[Array, Array, Array]:
    """All index vectors that `a` or `b` have, in order, and the place of each of a and of b among them."""
    if np.array_equal(a, b) and is_rising(keys_of(a)[0], strictly=True):
        places = np.arange(len(a))
        return a, places, places
    box = Box([a, b]) if len(a) and len(b) and a.shape[1] else None
    if box is not None and box.size < _MOST:
        mine, other = box.keys()
        if is_rising(mine, strictly=True) and is_rising(other, strictly=True):
            is_dense = box.size <= _DENSE * (len(a) + len(b))
            keys, of_a, of_b = _mark_keys(mine, other, box.size) if is_dense else _merge_keys(mine, other)
            return box.vectors(keys), of_a, of_b
    union, places = groups_of(np.concatenate([a, b]))
    return union, places[: len(a)], places[len(a) :]


def _mark_keys(mine: Array, other: Array, size: int) -> tuple[Array, Array, Array]:
    """The distinct ones of keys below `size`, rising, and the place of each among them: by a mark for every key that may be."""
    marks = np.zeros(size, bool)
    marks[mine] = True
    marks[other] = True
    keys = np.flatnonzero(marks)
    places = np.empty(size, np.int64)
    places[keys] = np.arange(len(keys))
    return keys, places[mine], places[other]


def _merge_keys(mine: Array, other: Array) -> tuple[Array, Array, Array]:
    """The same for two lots of rising keys, which a stable sort merges; the last bit tells whose a key is."""
    both = np.concatenate([mine * 2, other * 2 + 1])
    both.sort(kind="stable")
    keys, is_other = both >> 1, (both & 1).astype(bool)
    first = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    places = np.cumsum(first) - 1
    at, of_a, of_b = (np.flatnonzero(mask) for mask in (first, ~is_other, is_other))  # masks themselves are guessed wrong
    return keys.take(at), places.take(of_a), places.take(of_b)


def rows_at(indices: Array, places: Array) -> Array:
    """Some rows of a matrix of index vectors, each taken as one element, which is several times as fast."""
    if not indices.shape[1]:
        return indices[places]
    as_one = np.dtype((np.void, indices.itemsize * indices.shape[1]))
    found: Array = np.ascontiguousarray(indices).view(as_one)[:, 0].take(places)
    return found.view(indices.dtype).reshape(len(found), indices.shape[1])


def find_places(queries: Array, indices: Array) -> Array:
    """The place of each index vector of `queries` among `indices` (the first, if several are equal), -1 where it is not there."""
    if not len(indices):
        return np.full(len(queries), -1, np.int64)
    box = Box([queries, indices]) if indices.shape[1] else None
    if box is not None and box.size <= _DENSE * (len(queries) + len(indices)):
        wanted, keys = box.keys()
        table = np.full(box.size, -1, np.int64)
        table[keys[::-1]] = np.arange(len(keys) - 1, -1, -1)  # of equal ones the first is put last, and stays
        return table.take(wanted)
    wanted, keys = keys_of(queries, indices)
    places = None if is_rising(keys) else np.argsort(keys, kind="stable")
    ordered = keys if places is None else keys[places]
    at = np.searchsorted(ordered, wanted)
    at[at == len(ordered)] = 0
    there = ordered[at] == wanted
    return np.where(there, at if places is None else places[at], -1)


def check_matrix(indices: Array, values: Array, shape: Array) -> None:
    """Refuse what is not the indices, values and shape of a sparse tensor."""
    if indices.ndim != 2:
        raise invalid_argument(f"Input indices should be a matrix but received shape {list(indices.shape)}")
    if values.ndim != 1:
        raise invalid_argument(f"Input values should be a vector but received shape {list(values.shape)}")
    if shape.ndim != 1:
        raise invalid_argument(f"Input shape should be a vector but received shape {list(shape.shape)}")
    if len(indices) != len(values):
        raise invalid_argument(f"Number of indices ({len(indices)}) does not match number of values ({len(values)})")
    if indices.shape[1] != len(shape):
        raise invalid_argument(f"Number of dimensions ({indices.shape[1]}) of the indices does not match that of the shape ({len(shape)})")


def check_inside(indices: Array, shape: Array) -> None:
    """Refuse an index vector outside the shape; the message names the first."""
    if not len(indices) or are_inside(columns_of(indices), shape):
        return
    outside = ((indices < 0) | (indices >= shape)).any(axis=1)
    if outside.any():
        at = int(np.flatnonzero(outside)[0])
        row, sizes = (",".join(map(str, v.tolist())) for v in (indices[at], np.asarray(shape)))
        raise invalid_argument(f"indices[{at}] = [{row}] is out of bounds: need 0 <= index < [{sizes}]")


def are_inside(columns: Array, shape: Array) -> bool:
    """Whether all numbers of each column are among 0, 1, ... below its size; negative ones are the greatest without a sign."""
    kind: Any = f"u{columns.dtype.itemsize}"
    return not columns.size or all(int(c.view(kind).max()) < n for c, n in zip(columns, shape.tolist(), strict=True))


def check_order(indices: Array) -> None:
    """Refuse index vectors that are not in row-major order, or repeated."""
    (keys,) = keys_of(indices)
    wrong = np.flatnonzero(keys[1:] <= keys[:-1])
    if not len(wrong):
        return
    at = int(wrong[0]) + 1
    row = ",".join(map(str, indices[at].tolist()))
    if keys[at] == keys[at - 1]:
        raise invalid_argument(f"indices[{at}] = [{row}] is repeated")
    raise invalid_argument(
        f"indices[{at}] = [{row}] is out of order. Many sparse ops require sorted indices. Use `tf.sparse.reorder` to create a correctly "
        "ordered copy."
    )
