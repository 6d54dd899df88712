"""What steps of a native program are: values put in memory, products, scatters, moves of rows, loops and branches.

Each says which places it reads and writes; `fuse` puts them in order by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .index_expr import Buffer, Dims, IndexExpr, Place
from .sharing import Block, InTasks

if TYPE_CHECKING:
    from .builder import Builder
    from .deferred_sums import DeferredProduct


#: How many elements there are and how far apart, along each axis of a part of an array.
Box = Sequence[tuple[int, int]]


class Materialise:
    """Compute an expression and put it in a buffer; `steps` and `offset` say where in it, row by row by default.

    over: whether it is put over what was written there before.
    """

    __slots__ = ("buffer", "expr", "offset", "over", "steps")

    def __init__(self, expr: IndexExpr, buffer: Buffer, steps: Sequence[int] | None = None, offset: int = 0, over: bool = False) -> None:
        self.expr, self.buffer, self.steps, self.offset, self.over = expr, buffer, steps, offset, over

    @property
    def writes(self) -> list[Place]:
        """What it writes to."""
        return [self.buffer.place]


class Layout(NamedTuple):
    """Where the elements of a stack of matrices are: how far apart the matrices, the rows and the columns; one of the latter two is 1.

    every, outer: of a stack of stacks, which have `every` matrices each (0: there is one), how far apart those are.
    """

    stack: int
    row: int
    column: int
    every: int = 0
    outer: int = 0

    @property
    def turned(self) -> bool:
        """Whether columns, not rows, are what lies in order."""
        return self.column != 1

    @property
    def lead(self) -> int:
        """How far apart the rows are, or the columns of a turned one."""
        return self.column if self.turned else self.row


class Product(Block, InTasks):
    """out[i] = a[i] @ b[i] for `batch` matrices, by the BLAS.

    sizes: rows and columns of the result, and what is summed over.  layouts: of a, b and out; the rows of out lie in order.
    offset: where in out the first matrix begins.  panel: for a b that lies in panels (`panels`), how wide they are; 0 for others.
    """

    __slots__ = ("a", "b", "batch", "k", "layouts", "m", "n", "offset", "out", "panel")

    def __init__(
        self, a: Buffer, b: Buffer, out: Buffer, sizes: tuple[int, int, int], batch: int, layouts: tuple[Layout, Layout, Layout]
    ) -> None:
        self.a, self.b, self.out, self.batch, self.layouts = a, b, out, batch, layouts
        self.m, self.n, self.k = sizes
        self.offset = self.panel = 0

    @property
    def is_simple(self) -> bool:
        """Whether its stacks are of matrices as far apart as each other, from the start of the result on."""
        return not self.offset and not any(layout.every for layout in self.layouts)

    @property
    def work(self) -> int:
        """How many multiplications it takes."""
        return self.m * self.n * self.k * self.batch

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        return [self.a.place, self.b.place]

    @property
    def writes(self) -> list[Place]:
        """What it writes to."""
        return [self.out.place]


class Scatter(Block):
    """Rows of `updates`, of `inner` elements each, put in (`function` "put") or combined with the rows of `target` that `rows` name.

    count: how many rows the target has.  after, makes: as those of a `PartMove`, for a target of which there are versions.
    """

    __slots__ = ("after", "count", "function", "inner", "makes", "rows", "target", "updates")

    def __init__(
        self, target: Buffer, rows: Buffer, updates: Buffer, count: int, inner: int, function: str,
        after: Sequence[Place] = (), makes: Place | None = None,
    ) -> None:  # fmt: skip
        self.target, self.rows, self.updates, self.count, self.inner, self.function = target, rows, updates, count, inner, function
        self.after, self.makes = after, makes

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        return [self.rows.place, self.updates.place, *self.after]

    @property
    def writes(self) -> list[Place]:
        """What it writes to."""
        return [self.target.place if self.makes is None else self.makes]


class Stack:
    """Elements that a loop leaves behind, one after another in memory that grows: four words, where, for how many, how many, the first.

    of: the dims and dtype of an element, known once one is pushed.  home: the steps that the loop stands in.
    is_kept: whether those are in the body of another loop, each turn of which pushes the list to a list of its own.  Then the elements
    of all turns lie one after another, and what the outer stack has is where those of each turn begin and end.
    inner: of such an outer one, the stack that they lie in; where it `is_borrowing`, others fill that one.  values, same: where all
    elements of an inner list are one that is not stored, a stack with that of each list, or what it is for all of them.
    """

    __slots__ = ("home", "inner", "is_borrowing", "is_kept", "of", "place", "same", "values", "word")

    def __init__(self, word: int, home: Builder) -> None:
        self.word, self.home = word, home
        self.place = Place("stack", word, 0)
        self.of: tuple[Dims, np.dtype[Any]] | None = None
        self.is_kept = self.is_borrowing = False
        self.inner: Stack | None = None
        self.values: Stack | None = None
        self.same: Any = None

    def list_all(self) -> list[Stack]:
        """This stack and those that are filled with it."""
        parts = (None if self.is_borrowing else self.inner, self.values)
        return [self, *(stack for part in parts if part is not None for stack in part.list_all())]


class Point(Block):
    """Let a slot point to an element of a stack: a new one at its end (`cursor` None), or the one before the cursor, a word."""

    __slots__ = ("cursor", "slot", "stack")

    def __init__(self, stack: Stack, slot: Place, cursor: int | None) -> None:
        self.stack, self.slot, self.cursor = stack, slot, cursor

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        return [self.stack.place] if self.cursor is not None else []

    @property
    def writes(self) -> list[Place]:
        """What it writes to."""
        return [self.slot]


class PartMove(Block):
    """A part of an array read ("read"), replaced ("put") or added to ("add"), a row by default.

    index, pace, limit: the part begins at the element index * pace, where the index is below the limit; elsewhere it is a fault.
    box: how many elements there are and how far apart, along each axis of the part, whose elements are in `row` one after another.
    after: places that must have been written before, a list that may still grow; makes: the place that stands for this being done.
    """

    __slots__ = ("after", "array", "box", "function", "index", "limit", "makes", "pace", "row")

    def __init__(
        self, function: str, array: Buffer, index: Buffer | int, row: Buffer, after: list[Place], makes: Place, box: Box | None = None
    ) -> None:  # fmt: skip
        self.function, self.array, self.index, self.row, self.after, self.makes = function, array, index, row, after, makes
        inner = array.size // max(array.dims[0], 1) if array.dims else 1
        self.box = ((inner, 1),) if box is None else box
        self.pace, self.limit = (inner, array.dims[0]) if box is None else (1, array.size)

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        computed = [] if isinstance(self.index, int) else [self.index.place]
        return [*computed, *self.after, *([] if self.function == "read" else [self.row.place])]

    @property
    def writes(self) -> list[Place]:
        """What it writes to."""
        return [self.makes]


class Variable:
    """A loop variable: where its value is now (a slot), where the next one is put (None: it does not change), and the two buffers."""

    __slots__ = ("buffers", "next", "now")

    def __init__(self, now: Place, next: Place | None, buffers: tuple[Buffer, Buffer]) -> None:
        self.now, self.next, self.buffers = now, next, buffers


class Loop(Block):
    """Builder again and again while `verdict`, made by the steps of `condition`, holds.

    grown: stacks that start empty.  cursors: (word, stack, end) for those that are read from their end, or from where a buffer says.
    counted: words and what each turn adds to them, for stacks and cursors whose elements are not stored.  deferred: products of the body
    that are put off.  after: lists, which may still grow, of places that must have been written before.
    """

    __slots__ = ("after", "body", "condition", "counted", "cursors", "deferred", "grown", "variables", "verdict")

    def __init__(self, condition: Builder, verdict: Buffer, body: Builder, variables: list[Variable]) -> None:
        self.condition, self.verdict, self.body, self.variables = condition, verdict, body, variables
        self.grown: list[Stack] = []
        self.counted: list[tuple[int, int]] = []
        self.cursors: list[tuple[Place, Stack, Buffer | None]] = []
        self.deferred: list[DeferredProduct] = []
        self.after: list[list[Place]] = []

    @property
    def reads(self) -> list[Place]:
        """What it reads from outside."""
        before = [place for places in self.after for place in places]
        own = [b.place for v in self.variables for b in v.buffers] + [kept.place for deferred in self.deferred for kept in deferred.kept]
        if self.verdict.place not in self.condition.places:
            own.append(self.verdict.place)
        read = [place for _, stack, end in self.cursors for place in (stack.place, *([] if end is None else [end.place]))]
        return [*before, *own, *self.condition.outside(), *self.body.outside(), *read]

    @property
    def writes(self) -> list[Place]:
        """What it writes to."""
        stacks = [stack.place for grown in self.grown for stack in grown.list_all()]
        return [*(v.now for v in self.variables), *stacks, *(cursor for cursor, _, _ in self.cursors)]


class Branch(Block):
    """The steps of one of several programs, by the value of `index`; the last one where it is out of range.

    after: as that of a `Loop`.  grown: stacks that loops in the branches fill for others.  makes: what stands for this being done.
    """

    __slots__ = ("after", "branches", "grown", "index", "makes", "results")

    def __init__(self, index: Buffer, branches: list[Builder]) -> None:
        self.index, self.branches = index, branches
        self.results: list[Buffer] = []
        self.grown: list[Stack] = []
        self.makes = Place("version", -1, 0)
        self.after: list[list[Place]] = []

    @property
    def reads(self) -> list[Place]:
        """What it reads from outside."""
        before = [place for places in self.after for place in places]
        return [self.index.place, *before, *(place for steps in self.branches for place in steps.outside())]

    @property
    def writes(self) -> list[Place]:
        """What it writes to."""
        stacks = [stack.place for grown in self.grown for stack in grown.list_all()]
        return [self.makes, *(b.place for b in self.results), *stacks]


Step = Materialise | Block
