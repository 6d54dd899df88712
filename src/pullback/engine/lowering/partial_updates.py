"""Loop variables of which a turn changes a part, changed where they are.

Each change makes a new version of the variable, a place of its own though the memory is the same, after everything that reads the version
before.  What takes a part of a version is put in memory at once, so that it is read before the next change.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir.in_place import chained_links
from ...ir.node import Node
from .blocks import Box, PartMove, Scatter
from .index_expr import Buffer, IndexExpr, Place, Reshape, Scalar, reshape

if TYPE_CHECKING:
    from .builder import Builder

#: The fewest changes of a chain, and times the elements of what is changed.
_LINKS, _WORK = 4, 1 << 14


class PartState:
    """One version of a loop variable that is changed where it is.

    before: what stands for its having been made, and for each of its reads; a change waits for all of them, also for those asked for
    after it.
    """

    def __init__(self, buffer: Buffer, before: Sequence[Place] = ()) -> None:
        self.buffer = buffer
        self.before = list(before)

    @staticmethod
    def hold(builder: Builder, buffer: Buffer, before: Sequence[Place] = ()) -> PartState:
        """The version in a buffer, known from now on by its place."""
        made = builder.root.parts[buffer.place] = PartState(buffer, before)
        return made

    @staticmethod
    def copy_of(builder: Builder, expr: IndexExpr) -> PartState:
        """The first version of what an expression is."""
        whole = builder.copy_values(expr)
        return PartState.hold(builder, Buffer(whole.dims, whole.dtype, Place("alias", 0, whole.place.size, (whole.place,))), [whole.place])

    def is_in(self, other: PartState) -> bool:
        """Whether it is a version of the same variable."""
        one, two = self.buffer.place, other.buffer.place
        return (one.kind, one.index, one.backing) == (two.kind, two.index, two.backing)

    def inside(self, builder: Builder, before: Sequence[Place] = ()) -> PartState:
        """Another version in the same memory."""
        buffer, old = self.buffer, self.buffer.place
        return PartState.hold(builder, Buffer(buffer.dims, buffer.dtype, Place(old.kind, old.index, old.size, old.backing)), before)

    def next(self, builder: Builder) -> PartState:
        """The version after a change."""
        made = self.inside(builder)
        made.before.append(made.buffer.place)
        return made

    def read(self, builder: Builder, expr: IndexExpr) -> Buffer:
        """The values of an expression that reads this version, in memory."""
        taken = builder.copy_values(expr)
        self.before.append(taken.place)
        return taken

    def scatter(self, builder: Builder, rows: IndexExpr, updates: IndexExpr, sizes: tuple[int, int], function: str) -> PartState:
        """The version with rows of `updates` put in, or combined; sizes: how many rows it has, and their elements."""
        after = self.next(builder)
        made = after.buffer.place
        builder.steps.append(Scatter(self.buffer, builder.memory(rows), builder.memory(updates), *sizes, function, self.before, made))
        return after

    def move(self, builder: Builder, function: str, index: IndexExpr, box: Box, part: IndexExpr) -> PartState:
        """The version with a part replaced or added to."""
        after = self.next(builder)
        row, made = builder.memory(reshape(part, (part.size,))), after.buffer.place
        at = int(index.value) if isinstance(index, Scalar) else builder.memory(index)
        builder.steps.append(PartMove(function, self.buffer, at, row, self.before, made, box))
        return after

    def replace_values(self, builder: Builder, value: IndexExpr) -> PartState:
        """The version with other values throughout."""
        return self.move(builder, "put", builder.number(0, np.int64), ((value.size, 1),), value)


def choose_chained(nodes: Sequence[Node], outputs: Sequence[Any]) -> set[Node]:
    """The nodes of long chains that change parts of large tensors; short ones are better fused."""
    long = {node: length for node, length in chained_links(nodes, outputs).items() if length >= _LINKS}
    return {node for node, length in long.items() if length * math.prod(n or 0 for n in node.outputs[0].dims or ()) >= _WORK}


def state_of(builder: Builder, expr: IndexExpr) -> PartState | None:
    """The version that an expression is, or a reshaped view of."""
    while isinstance(expr, Reshape):
        expr = expr.arg
    return builder.root.parts.get(expr.place) if isinstance(expr, Buffer) else None
