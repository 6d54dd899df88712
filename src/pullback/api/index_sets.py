"""Sets of source elements for each element of a tensor, as rows of a boolean CSR matrix: choosing rows and uniting them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Pattern = Any
Array = np.ndarray


def size_of(shape: Sequence[int]) -> int:
    """The number of elements of a shape."""
    return int(np.prod(shape, dtype=np.int64))


def numbers(shape: Sequence[int]) -> Array:
    """The elements of a tensor of a shape, numbered."""
    return np.arange(size_of(shape)).reshape(tuple(shape))


def rows_by_name(pattern: Pattern, where: Array) -> Pattern:
    """Rows by number from 1; none for 0."""
    from scipy.sparse import csr_array

    reached = np.flatnonzero(where)
    pick = csr_array((np.ones(reached.size, bool), (reached, where[reached] - 1)), shape=(where.size, pattern.shape[0]))
    return pick @ pattern if reached.size < where.size else pattern[where - 1]


def unions(pattern: Pattern, groups: Array) -> Pattern:
    """For each row of `groups` (numbers of rows of the pattern), the union of those."""
    from scipy.sparse import csr_array

    count, size = groups.shape
    indptr = np.arange(0, count * size + 1, size) if size else np.zeros(count + 1, np.int64)
    pick = csr_array((np.ones(count * size, bool), groups.ravel(), indptr), shape=(count, pattern.shape[0]))
    return pick @ pattern


def unite_present(pattern: Pattern, mine: Array, present: Array) -> Pattern:
    """For each batch entry, row r of `mine` and row s of `present`: the union of those numbers of row r that row s has."""
    from scipy.sparse import csr_array

    count, rows, inner = mine.shape
    others = present.shape[1]
    chosen = np.broadcast_to(present[:, None], (count, rows, others, inner))
    numbers = np.broadcast_to(mine[:, :, None], chosen.shape)[chosen]
    indptr = np.concatenate([[0], np.cumsum(chosen.sum(-1))])
    pick = csr_array((np.ones(numbers.size, bool), numbers, indptr), shape=(count * rows * others, pattern.shape[0]))
    return pick @ pattern
