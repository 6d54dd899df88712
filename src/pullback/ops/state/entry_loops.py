"""The plain loop that changes rows of a variable one after the other, as TensorFlow does, which runs natively where it can."""

from __future__ import annotations

from ...kernels.loops import Array

UPDATE, ADD, SUB, MUL, DIV, MIN, MAX = range(7)


def change_rows(target: Array, indices: Array, updates: Array, count: int, rows: int, wide: int, *, how: int, width: int) -> int:
    """Row i of `updates` put into the row `indices[i]` of `target`, or combined with it.

    how: one of the numbers above.  width: how many numbers a row has, 0 for `wide` of them, which is code for any.  Gives 0; or 1 + i where
    index i is none of a row, and then nothing is changed.
    """
    for i in range(count):
        if indices[i] < 0 or indices[i] >= rows:
            return i + 1
    size = width if width > 0 else wide
    for i in range(count):
        to = indices[i] * size
        at = i * size
        for j in range(size):
            new = updates[at + j]
            if how > 0:
                old = target[to + j]
                if how == 1:
                    new = old + new
                elif how == 2:
                    new = old - new
                elif how == 3:
                    new = old * new
                elif how == 4:
                    new = old / new
                elif how == 5:
                    new = old if old <= new or old != old else new  # noqa: PLR0124  # a NaN is
                else:
                    new = old if old >= new or old != old else new  # noqa: PLR0124  # likewise
            target[to + j] = new
    return 0
