"""Putting a matrix in order for a product: as panels of columns, each row by row."""

from __future__ import annotations

from .index_expr import Buffer, Place
from .sharing import Block, InTasks


class Reorder(Block, InTasks):
    """out[p, i, j] = the element (i, p * width + j) of a matrix of `rows` and `columns` that lies in `given`.

    row, column: how far apart neighbours along a column and along a row are; one of them is 1.  out: (panels, rows, width); what is behind
    the last column is not written.
    """

    __slots__ = ("column", "columns", "given", "out", "row", "rows")

    def __init__(self, given: Buffer, out: Buffer, sizes: tuple[int, int], row: int, column: int) -> None:
        self.given, self.out, self.row, self.column = given, out, row, column
        self.rows, self.columns = sizes

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        return [self.given.place]

    @property
    def writes(self) -> list[Place]:
        """What it writes to."""
        return [self.out.place]

    @property
    def work(self) -> int:
        """What it costs, in plain operations."""
        return 2 * self.rows * self.columns
