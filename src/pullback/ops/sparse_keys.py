"""Index vectors of sparse tensors as numbers: one int64 for each, in the same order, so that sorting and matching are NumPy's.

A vector is the number that it has in row-major order in the smallest box that holds all vectors at hand; where that box has more
places than an int64 counts, its rank among the distinct ones.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .array_types import invalid

Array = np.ndarray[Any, Any]
_MOST = 2**62


def keys_of(*indices: Array) -> list[Array]:
    """Numbers for the index vectors (rows) of matrices with equally many columns: equal for equal vectors, and in their order."""
    rank = indices[0].shape[1]
    some = [i for i in indices if i.size]
    if not rank or not some:
        return [np.zeros(len(i), np.int64) for i in indices]
    columns = [[np.ascontiguousarray(i[:, c]) for c in range(rank)] for i in indices]
    low = [min(int(of[c].min()) for of in columns if of[c].size) for c in range(rank)]
    extents = [max(int(of[c].max()) for of in columns if of[c].size) - low[c] + 1 for c in range(rank)]
    if math.prod(extents) >= _MOST:
        ranks = np.unique(np.concatenate(indices), axis=0, return_inverse=True)[1].reshape(-1)
        return np.split(ranks, np.cumsum([len(i) for i in indices])[:-1])
    found = []
    for of in columns:
        keys = of[0] - low[0]
        for c in range(1, rank):
            keys *= extents[c]
            keys += of[c]
            if low[c]:
                keys -= low[c]
        found.append(keys)
    return found


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


def united(a: Array, b: Array) -> tuple[Array, Array, Array]:
    """All index vectors that `a` or `b` have, in order, and the place of each of a and of b among them."""
    mine, other = keys_of(a, b)
    if not (len(mine) and is_rising(mine, strictly=True) and is_rising(other, strictly=True)):
        union, places = groups_of(np.concatenate([a, b]))
        return union, places[: len(a)], places[len(a) :]
    at = np.searchsorted(mine, other)
    new = mine[np.minimum(at, len(mine) - 1)] != other
    new |= at == len(mine)
    before = np.cumsum(np.bincount(at[new], minlength=len(mine) + 1))
    of_a = np.arange(len(mine)) + before[: len(mine)]
    of_b = np.where(new, at + np.cumsum(new) - 1, of_a[np.minimum(at, len(mine) - 1)])
    union = np.empty((len(mine) + int(new.sum()), a.shape[1]), a.dtype)
    union[of_a] = a
    union[of_b] = b
    return union, of_a, of_b


def found_at(queries: Array, indices: Array) -> Array:
    """The place of each index vector of `queries` among `indices` (the first, if several are equal), -1 where it is not there."""
    wanted, keys = keys_of(queries, indices)
    if not len(keys):
        return np.full(len(wanted), -1, np.int64)
    places = None if is_rising(keys) else np.argsort(keys, kind="stable")
    ordered = keys if places is None else keys[places]
    at = np.searchsorted(ordered, wanted)
    at[at == len(ordered)] = 0
    there = ordered[at] == wanted
    return np.where(there, at if places is None else places[at], -1)


def check_matrix(indices: Array, values: Array, shape: Array) -> None:
    """Refuse what is not the indices, values and shape of a sparse tensor."""
    if indices.ndim != 2:
        raise invalid(f"Input indices should be a matrix but received shape {list(indices.shape)}")
    if values.ndim != 1:
        raise invalid(f"Input values should be a vector but received shape {list(values.shape)}")
    if shape.ndim != 1:
        raise invalid(f"Input shape should be a vector but received shape {list(shape.shape)}")
    if len(indices) != len(values):
        raise invalid(f"Number of indices ({len(indices)}) does not match number of values ({len(values)})")
    if indices.shape[1] != len(shape):
        raise invalid(f"Number of dimensions ({indices.shape[1]}) of the indices does not match that of the shape ({len(shape)})")


def check_inside(indices: Array, shape: Array) -> None:
    """Refuse an index vector outside the shape; the message names the first."""
    if not len(indices) or all(c.min() >= 0 and c.max() < n for c, n in zip(indices.T, shape, strict=True)):
        return
    outside = ((indices < 0) | (indices >= shape)).any(axis=1)
    if outside.any():
        at = int(np.flatnonzero(outside)[0])
        row, sizes = (",".join(map(str, v.tolist())) for v in (indices[at], np.asarray(shape)))
        raise invalid(f"indices[{at}] = [{row}] is out of bounds: need 0 <= index < [{sizes}]")


def check_order(indices: Array) -> None:
    """Refuse index vectors that are not in row-major order, or repeated."""
    (keys,) = keys_of(indices)
    wrong = np.flatnonzero(keys[1:] <= keys[:-1])
    if not len(wrong):
        return
    at = int(wrong[0]) + 1
    row = ",".join(map(str, indices[at].tolist()))
    if keys[at] == keys[at - 1]:
        raise invalid(f"indices[{at}] = [{row}] is repeated")
    raise invalid(
        f"indices[{at}] = [{row}] is out of order. Many sparse ops require sorted indices. Use `tf.sparse.reorder` to create a correctly "
        "ordered copy."
    )
