"""In how many blocks work is cut that threads share: by its size alone, so that their number changes no bit."""

from __future__ import annotations


def count_blocks(work: int, each: int, most: int) -> int:
    """How many blocks a work has that is worth one for each `each` of it, and at most so many.

    1, 2, 4, 8 or a multiple of 8: two, four or eight threads then have as much to do, where three blocks would leave one of two idle.

    >>> [count_blocks(work, 100, 32) for work in (50, 250, 350, 900, 10_000)]
    [1, 2, 4, 16, 32]
    """
    count = max(min(work // each, most), 1)
    even = 1 << (count - 1).bit_length() if count <= 8 else -(-count // 8) * 8
    return min(even, most)
