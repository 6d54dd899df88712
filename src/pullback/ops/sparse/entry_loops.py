"""Plain loops over the entries of sparse tensors, which run natively where they can (`kernels.native_loops`).

All arrays are flat: index vector i of `rank` numbers begins at `i * rank`.  A negative number returned says that the entries are not as
the loop wants them; the caller then goes the long way, which finds the words of an error too.
"""

from __future__ import annotations

from typing import Any

from ...kernels.loops import Array


def place_of(at: Array, first: int, shape: Array, rank: int) -> int:
    """The place of an entry of an array whose index vector begins at `first`; -1 where it is outside the shape."""
    place = 0
    inside = True
    for d in range(rank):
        k = at[first + d]
        inside = inside & (k >= 0) & (k < shape[d])
        place = place * shape[d] + k
    return place if inside else -1


def align_values(out: Array, values: Array, at: Array, start: Array, part: Array, count: int, part_count: int, *, rank: int) -> int:
    """The values of the entries `part`, which come in this order among the entries `at` (less `start`), put there; 0 elsewhere.

    Returns how many were found.
    """
    i = 0
    j = 0
    while i < count and j < part_count:
        same = True
        for d in range(rank):
            same = same & (at[i * rank + d] == part[j * rank + d] + start[d])
        if same:  # not a choice of values: a guess does not wait for what the last entry was
            out[i] = values[j]
            j += 1
        else:
            out[i] = 0
        i += 1
    for k in range(i, count):
        out[k] = 0
    return j


def pick_entries(
    of_a: Array, of_b: Array, values: Array, a: Array, b: Array, whole: Array, count_a: int, count_b: int, count: int, *, rank: int
) -> int:
    """The values of the entries `whole` at those of them that are `a` and `b`, each of which come in the same order.

    `of_a` and `of_b` have one place more than a and b.  Returns how many were found.  Both at a time: each waits for what it found last.
    """
    i = 0
    j = 0
    k = 0
    while i < count and j < count_a and k < count_b:
        same = True
        other = True
        for d in range(rank):
            same = same & (a[j * rank + d] == whole[i * rank + d])
            other = other & (b[k * rank + d] == whole[i * rank + d])
        of_a[j] = values[i]
        of_b[k] = values[i]
        j += same
        k += other
        i += 1
    while i < count:
        same = j < count_a
        other = k < count_b
        for d in range(rank):
            same = same and a[j * rank + d] == whole[i * rank + d]
            other = other and b[k * rank + d] == whole[i * rank + d]
        of_a[j] = values[i]
        of_b[k] = values[i]
        j += same
        k += other
        i += 1
    return j + k


def add_entries(out: Array, values: Array, at: Any, shape: Any, count: int, *, rank: int) -> int:
    """Each value added at its index vector; -1 where one is outside the shape."""
    for i in range(count):
        place = place_of(at, i * rank, shape, rank)
        if place < 0:
            return -1
        out[place] += values[i]
    return 0


def put_values(out: Array, values: Array, step: int, at: Any, shape: Any, count: int, *, rank: int) -> int:
    """Every `step`-th value put at its index vector; 1 where these are in order, none twice, 0 where not, -1 for one outside the shape."""
    before = -1
    rising = True
    for i in range(count):
        place = place_of(at, i * rank, shape, rank)
        if place < 0:
            return -1
        rising = rising & (place > before)
        before = place
        out[place] = values[i * step]
    return int(rising)


def check_entries(at: Any, shape: Any, count: int, *, rank: int) -> int:
    """1 for index vectors within a shape and in order, none twice; 0 for others within it, -1 where one is not."""
    before = -1
    rising = True
    for i in range(count):
        place = place_of(at, i * rank, shape, rank)
        if place < 0:
            return -1
        rising = rising & (place > before)
        before = place
    return int(rising)


def take_and_clear(out: Array, added: Array, values: Array, places: Array, count: int, size: int) -> int:
    """The value at each place, which `added` is cleared at; -1 where there is no such place."""
    for i in range(count):
        k = places[i]
        if k < 0 or k >= size:
            return -1
        out[i] = values[k]
        added[k] = 0
    return 0


def tally_rows(out: Array, rows: Array, step: int, values: Array, count: int, height: int, size: int) -> int:
    """Counts each value in the row that every `step`-th number of `rows` names; -1 for a negative value or a row that is not there."""
    for i in range(count):
        row = rows[i * step]
        value = values[i]
        if value < 0 or row < 0 or row >= height:
            return -1
        if value < size:
            out[row * size + value] += 1
    return 0


def tally_row_values(out: Array, splits: Array, values: Array, count: int, height: int, size: int) -> int:
    """The same for values row after row; -1 for splits that fall, or do not go from 0 to the number of values, too."""
    if splits[0] != 0 or splits[height] != count:
        return -1
    for row in range(height):
        first = splits[row]
        end = splits[row + 1]
        if end < first or end > count:
            return -1
        for i in range(first, end):
            value = values[i]
            if value < 0:
                return -1
            if value < size:
                out[row * size + value] += 1
    return 0
