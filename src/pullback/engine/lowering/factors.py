"""Factorisations of stacks of matrices, and what is solved with them, as steps of a program: calls of LAPACK, one matrix a call."""

from __future__ import annotations

import math
from collections.abc import Mapping

from .index_expr import Buffer, Place
from .sharing import Block, InTasks, count_blocks

#: Multiplications that are worth a task of their own, and the greatest number of tasks.
_BLOCK_WORK, _MOST_BLOCKS = 200_000, 32


#: The routines that code can be written for; those of the others are their kernels' alone.
WRITTEN = frozenset({"cholesky", "triangular", "lu", "solve", "inverse", "eigen"})


class Factorisation(Block, InTasks):
    """`routine` of each matrix of a stack.

    buffers: by name, what it reads and writes; all have the stack in front.
        cholesky: a, out (the triangle that is the lower one row by row; the rest as in a), info
        triangular: a, right, out
        lu: a, out, pivots (from 1), info
        solve: a and right laid out by columns, factors, pivots, out (by columns), info
        inverse: a, pivots, out, info
        eigen: a, out (a's eigenvectors as rows), values, info
        For other engines, which take and give matrices row by row:
        ordered: as lu, the order of the rows in place of pivots
        qr: a, q and r as wide and high as they are
        svd: a, values, u, v (as rows), info
        general: a, values, out (a's eigenvectors as columns), info
    `info` is 0 for each matrix that went well.  lower, adjoint: of a triangular matrix.  vectors: whether eigenvectors are wanted.
    """

    def __init__(self, routine: str, buffers: Mapping[str, Buffer], *, lower: bool, adjoint: bool, vectors: bool) -> None:
        self.routine, self.buffers, self.lower, self.adjoint, self.vectors = routine, dict(buffers), lower, adjoint, vectors
        a, out = buffers["a"], buffers["out"]
        self.dtype, self.size, self.stack = a.dtype, a.dims[-1], math.prod(a.dims[:-2])
        self.columns = out.dims[-1] if routine == "triangular" else out.dims[-2]

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        return [buffer.place for name, buffer in self.buffers.items() if name in ("a", "right")]

    @property
    def writes(self) -> list[Place]:
        """What it writes to."""
        return [buffer.place for name, buffer in self.buffers.items() if name not in ("a", "right")]

    @property
    def work(self) -> int:
        """What it costs, roughly, in plain operations."""
        return self.stack * self.size * self.size * (self.size + self.columns) + 1000 * self.stack

    def tasks(self) -> tuple[int, int]:
        """How many matrices a task takes, and the number of tasks."""
        count = max(min(count_blocks(self.work, _BLOCK_WORK, _MOST_BLOCKS), self.stack), 1)
        length = -(-self.stack // count)
        return length, -(-self.stack // max(length, 1))
