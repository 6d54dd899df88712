"""Plain loops over the items of ragged tensors, which run natively where they can (`kernels.native_loops`).

A negative number returned says that rows are not as the loop wants them; the caller then goes the long way, which finds the words of an
error too.
"""

from __future__ import annotations

from ...kernels.loops import Array


def place_items(indices: Array, splits: Array, height: int, count: int) -> int:
    """The row of each item and its place there, as pairs; the length of the longest row, -1 where splits do not part `count` items."""
    longest = 0
    if splits[0] != 0 or splits[height] != count:
        return -1
    for row in range(height):
        first, end = splits[row], splits[row + 1]
        if end < first or end > count:
            return -1
        longest = max(longest, end - first)
        for i in range(first, end):
            indices[2 * i] = row
            indices[2 * i + 1] = i - first
    return longest


def fill_empty_rows(
    new_rows: Array, new_values: Array, empty: Array, places: Array, rows: Array, values: Array, default: Array, count: int, height: int
) -> int:
    """Items of rows that never fall, and one in each row without any; how many there are then, -1 where rows do fall.

    `new_rows` and `new_values` have room for `count + height`; `empty` is all true.
    """
    size = 0
    row = -1  # the last one that has an item
    for i in range(count):
        mine = rows[i]
        if mine < row or mine >= height:
            return -1
        if mine != row:
            for gap in range(row + 1, mine):
                new_rows[size] = gap
                new_values[size] = default[0]
                size += 1
            row = mine
            empty[row] = 0
        new_rows[size] = row
        new_values[size] = values[i]
        places[i] = size
        size += 1
    for gap in range(row + 1, height):
        new_rows[size] = gap
        new_values[size] = default[0]
        size += 1
    return size


def lengths(new_splits: Array, splits: Array, picked: Array, count: int, height: int, size: int) -> int:
    """The splits of the rows picked, of `height` rows with `size` items; how many items there are then, -1 for what is no row."""
    total = 0
    new_splits[0] = 0
    for i in range(count):
        row = picked[i]
        if row < 0 or row >= height:
            return -1
        first, end = splits[row], splits[row + 1]
        if first < 0 or end < first or end > size:
            return -1
        total += end - first
        new_splits[i + 1] = total
    return total


def move_rows(out: Array, values: Array, splits: Array, picked: Array, count: int) -> int:
    """The items of the rows picked, one row after the other."""
    place = 0
    for i in range(count):
        row = picked[i]
        for k in range(splits[row], splits[row + 1]):
            out[place] = values[k]
            place += 1
    return place
