"""Plain loops over matrices of compressed rows, which run natively where they can (`kernels.native_loops`)."""

from __future__ import annotations

from typing import Any

from ...kernels.loops import Array
from ...ops.sparse.entry_loops import place_of


def gather_elements(out: Array, dense: Array, at: Any, shape: Any, count: int, *, rank: int) -> int:
    """The elements of an array at index vectors: 1 where these are within it and in order, none twice, else 0 or -1."""
    before = -1
    rising = True
    for i in range(count):
        place = place_of(at, i * rank, shape, rank)
        if place < 0:
            return -1
        rising = rising & (place > before)
        before = place
        out[i] = dense[place]
    return int(rising)


def split(pointers: Array, columns: Array, at: Array, count: int, height: int) -> int:
    """Where each of `height` rows begins among entries in order, and their columns; `at`: pairs of row and column."""
    row = 0
    for i in range(count):
        while row <= at[2 * i]:
            pointers[row] = i
            row += 1
        columns[i] = at[2 * i + 1]
    for r in range(row, height + 1):
        pointers[r] = count
    return 0


def transpose_rows(
    new_pointers: Array, new_columns: Array, new_values: Array, pointers: Array, columns: Array, values: Array, height: int, width: int,
    count: int,
) -> int:  # fmt: skip
    """The transpose; `new_pointers` are zeros, one more than it has rows and the end."""
    for k in range(count):
        new_pointers[columns[k] + 2] += 1
    for c in range(width):
        new_pointers[c + 2] += new_pointers[c + 1]
    for r in range(height):
        for k in range(pointers[r], pointers[r + 1]):
            place = new_pointers[columns[k] + 1]
            new_columns[place] = r
            new_values[place] = values[k]
            new_pointers[columns[k] + 1] = place + 1
    return 0


def product(out: Array, pointers: Array, columns: Array, values: Array, dense: Array, height: int, width: int, *, block: int) -> int:
    """The product with a matrix of rows of `width` numbers, `block` of them at a time, as many as there is code for without a loop.

    Sums go over the entries in order, four at a time to spare the memory.
    """
    whole = width // block * block
    for r in range(height):
        end = pointers[r + 1]
        for first in range(0, whole, block):
            o = r * width + first
            k = pointers[r]
            for c in range(block):
                out[o + c] = 0
            while k + 4 <= end:
                v, w, x, y = values[k], values[k + 1], values[k + 2], values[k + 3]
                p, q = columns[k] * width + first, columns[k + 1] * width + first
                s, t = columns[k + 2] * width + first, columns[k + 3] * width + first
                for c in range(block):
                    out[o + c] = out[o + c] + v * dense[p + c] + w * dense[q + c] + x * dense[s + c] + y * dense[t + c]
                k += 4
            while k < end:
                v = values[k]
                p = columns[k] * width + first
                for c in range(block):
                    out[o + c] += v * dense[p + c]
                k += 1
        for c in range(whole, width):
            out[r * width + c] = 0
        for k in range(pointers[r], end):
            for c in range(whole, width):
                out[r * width + c] += values[k] * dense[columns[k] * width + c]
    return 0


def spread(out: Array, pointers: Array, columns: Array, values: Array, height: int, width: int) -> int:
    """The entries put into an array of zeros."""
    for r in range(height):
        for k in range(pointers[r], pointers[r + 1]):
            out[r * width + columns[k]] = values[k]
    return 0
