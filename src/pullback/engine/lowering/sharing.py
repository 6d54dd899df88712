"""What steps are, and in how many blocks their work is cut that threads share: by its size alone, so that their number changes no bit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .index_expr import Place


class Block:
    """A step that does more than to put a value in memory; over: whether what it writes to holds something before."""

    __slots__ = ()
    over = False

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        raise NotImplementedError

    @property
    def writes(self) -> list[Place]:
        """What it writes to."""
        raise NotImplementedError


class InTasks:
    """What is cut in tasks, each of which is a call of one function."""

    __slots__ = ()

    @property
    def work(self) -> int:
        """What it costs, in plain operations."""
        raise NotImplementedError


def count_blocks(work: int, each: int, most: int) -> int:
    """How many blocks a work has that is worth one for each `each` of it, and at most so many.

    1, 2, 4, 8 or a multiple of 8: two, four or eight threads then have as much to do, where three blocks would leave one of two idle.

    >>> [count_blocks(work, 100, 32) for work in (50, 250, 350, 900, 10_000)]
    [1, 2, 4, 16, 32]
    """
    count = max(min(work // each, most), 1)
    even = 1 << (count - 1).bit_length() if count <= 8 else -(-count // 8) * 8
    return min(even, most)
