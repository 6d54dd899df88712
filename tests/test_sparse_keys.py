"""Index vectors as numbers: every way of finding and merging them, against sets and dictionaries of tuples."""

from __future__ import annotations

import numpy as np
import pytest

import pullback as tf
from pullback.ops.sparse.keys import find_places, unite_keys

#: How far apart vectors lie: marks for every place, a merge, and ranks where no integer counts the places.
EXTENTS = {"dense": 4, "wide": 10**6, "beyond integers": 2**40}
SEEDS = range(6)


def _drawn(rng: np.random.Generator, extent: int, shuffled: bool) -> np.ndarray:
    low = int(rng.integers(-3, 4))
    found = np.unique(rng.integers(low, low + extent, (int(rng.integers(1, 12)), 2)), axis=0)
    return np.asarray(rng.permutation(found) if shuffled else found)


def _shared(rng: np.random.Generator, extent: int, shuffled: bool) -> tuple[np.ndarray, np.ndarray]:
    """Two lots of index vectors with some in common."""
    a, b = _drawn(rng, extent, shuffled), _drawn(rng, extent, shuffled)
    b = np.unique(np.concatenate([b, a[: len(a) // 2]]), axis=0)
    return a, b


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("extent", EXTENTS)
def test_all_of_two(extent: str, shuffled: bool) -> None:
    for seed in SEEDS:
        a, b = _shared(np.random.default_rng(seed), EXTENTS[extent], shuffled)
        union, of_a, of_b = unite_keys(a, b)
        assert [tuple(row) for row in union.tolist()] == sorted({tuple(row) for row in [*a.tolist(), *b.tolist()]})
        assert np.array_equal(union[of_a], a)
        assert np.array_equal(union[of_b], b)
        same, one, other = unite_keys(a, a.copy())
        assert np.array_equal(same[one], a)
        assert np.array_equal(one, other)


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("extent", EXTENTS)
def test_the_first_of_equal_ones_is_found(extent: str, shuffled: bool) -> None:
    for seed in SEEDS:
        a, b = _shared(np.random.default_rng(seed), EXTENTS[extent], shuffled)
        among = np.concatenate([a, a])
        first = {tuple(row): i for i, row in reversed(list(enumerate(among.tolist())))}
        assert find_places(b, among).tolist() == [first.get(tuple(row), -1) for row in b.tolist()]


@pytest.mark.parametrize("shuffled", [False, True])
def test_rows_without_entries_are_filled(shuffled: bool) -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        at = np.stack([rng.integers(0, 8, 10), rng.integers(0, 5, 10)], 1)
        at = at if shuffled else at[np.argsort(at[:, 0], kind="stable")]
        values = rng.normal(size=10)
        filled, empty = tf.sparse.fill_empty_rows(tf.SparseTensor(at, values, [8, 5]), -7.0)
        expected = [
            entry
            for row in range(8)
            for entry in [(*p, v) for p, v in zip(at.tolist(), values.tolist(), strict=True) if p[0] == row] or [(row, 0, -7.0)]
        ]
        assert [(*p, v) for p, v in zip(filled.indices.numpy().tolist(), filled.values.numpy().tolist(), strict=True)] == expected
        assert empty.numpy().tolist() == [row not in at[:, 0] for row in range(8)]
