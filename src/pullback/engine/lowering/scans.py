"""Scans and linear recurrences along an axis as steps of a program: what there is to compute, and how it is cut in tasks."""

from __future__ import annotations

import math

from .index_expr import Buffer, Place
from .sharing import Block, InTasks, count_blocks

#: Plain operations that are worth a task of their own, and the greatest number of tasks.
_BLOCK_WORK, _MOST_BLOCKS = 200_000, 32
_COST = {"add": 1, "mul": 1, "max": 1, "min": 1, "recurrence": 2, "logaddexp": 40}


class Scan(Block, InTasks):
    """out[k] = out[k - 1] combined with x[k] along `axis`, by `function`: add, mul, max, min or logaddexp.

    "recurrence": out[0] = 0, out[1] = x[0], out[k] = x[k - 1] + factors[k - 1] out[k - 1].  exclusive: out[k] is of what comes before k.
    reverse: from the end.
    """

    def __init__(
        self, function: str, x: Buffer, out: Buffer, axis: int, *, exclusive: bool, reverse: bool, factors: Buffer | None = None
    ) -> None:
        self.function, self.x, self.out, self.factors = function, x, out, factors
        self.exclusive, self.reverse = exclusive, reverse
        self.outer, self.length, self.inner = math.prod(x.dims[:axis]), x.dims[axis], math.prod(x.dims[axis + 1 :])

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        return [self.x.place, *([] if self.factors is None else [self.factors.place])]

    @property
    def writes(self) -> list[Place]:
        """What it writes to."""
        return [self.out.place]

    @property
    def work(self) -> int:
        """What it costs, in plain operations, each of which waits for the one before."""
        return 4 * self.x.size * _COST[self.function]

    def tasks(self, width: int) -> tuple[int, int]:
        """How many runs of `width` elements side by side a task takes, and the number of tasks."""
        runs = self.outer * -(-self.inner // width)
        count = max(min(count_blocks(self.work, _BLOCK_WORK, _MOST_BLOCKS), runs), 1)
        length = -(-runs // count)
        return length, -(-runs // max(length, 1))
