"""Strings taken apart natively: each part's bytes one behind another, where they end, and which string and which of its parts it is.

A loop answers how many parts there are; `indices` and `ends` have room for as many as the loop that counts says at most, and `longest[0]`
becomes the most parts that a string has.
"""

from __future__ import annotations

from ...kernels.loops import Bytes, Ints, copy


def count_marked(data: Bytes, size: int, marks: Bytes) -> int:
    """How many bytes are marked."""
    found = 0
    for i in range(size):
        found += int(marks[data[i]])
    return found


def split_at_marks(
    data: Bytes, starts: Ints, count: int, marks: Bytes, skip_empty: bool,
    out: Bytes, ends: Ints, indices: Ints, longest: Ints,
) -> int:  # fmt: skip
    """At every marked byte.  skip_empty: leave out parts without bytes.  A string without bytes has no part."""
    n = 0
    filled = 0
    most = 0
    ends[0] = 0
    for i in range(count):
        begin = starts[i]
        end = starts[i + 1]
        first = begin
        k = 0
        for at in range(begin, end):
            if marks[data[at]] != 0:
                if at > first or not skip_empty:
                    copy(out, filled, data, first, at - first)
                    filled += at - first
                    indices[2 * n] = i
                    indices[2 * n + 1] = k
                    n += 1
                    k += 1
                    ends[n] = filled
                first = at + 1
        if end > first or (end > begin and not skip_empty):
            copy(out, filled, data, first, end - first)
            filled += end - first
            indices[2 * n] = i
            indices[2 * n + 1] = k
            n += 1
            k += 1
            ends[n] = filled
        most = max(most, k)
    longest[0] = most
    return n


def split_at(
    data: Bytes, starts: Ints, count: int, by: Bytes, width: int, limit: int, out: Bytes, ends: Ints, indices: Ints, longest: Ints
) -> int:
    """At every `by`, which has so many bytes, one at least; so often in each string at most, if `limit` is not negative."""
    n = 0
    filled = 0
    most = 0
    ends[0] = 0
    for i in range(count):
        end = starts[i + 1]
        first = starts[i]
        at = first
        k = 0
        while at <= end:
            here = False
            if at + width <= end and data[at] == by[0] and (limit < 0 or k < limit):
                here = True
                for j in range(1, width):
                    if data[at + j] != by[j]:
                        here = False
                        break
            if here or at == end:
                copy(out, filled, data, first, at - first)
                filled += at - first
                indices[2 * n] = i
                indices[2 * n + 1] = k
                n += 1
                k += 1
                ends[n] = filled
                if here:
                    first = at + width
                    at = first
                else:
                    at = end + 1
            else:
                at += 1
        most = max(most, k)
    longest[0] = most
    return n
