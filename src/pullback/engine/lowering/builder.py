"""Builder: what a native program does one after another, before fusion decides which of them share loops.

`Builder` is what lowering rules write to.  A rule gives back an expression for each output; where it needs values in memory, or a library's
routine, it asks for a step.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.lazy_import import LazyModule
from ...ir.node import Node
from ...kernels import blas
from . import index_expr
from .blocks import (
    Box,
    Branch,
    Layout,
    Loop,
    Materialise,
    PartMove,
    Point,
    Product,
    Scatter,
    Stack,
    Step,
    Variable,
)
from .index_expr import Affine, Buffer, Dims, IndexExpr, Place, Reshape, Scalar
from .partial_updates import PartState, state_of
from .sharing import Block

if TYPE_CHECKING:
    from ...ir.function_graph import Body
    from . import convolution, factors, scans, static_scatter
    from .convolution import Axis
    from .draws import LoopDraws
else:  # few programs have such steps
    convolution, factors, scans, static_scatter = (
        LazyModule(f"pullback.engine.lowering.{name}") for name in ("convolution", "factors", "scans", "static_scatter")
    )


class Unsupported(Exception):
    """What has no native code, and why: the op's kernel runs instead."""


class Builder:
    """The steps of a program, as lowering rules ask for them; the module `index_expr` under the name of each function is at hand too."""

    Unsupported = Unsupported

    def __init__(self, outer: Builder | None = None) -> None:
        self.steps: list[Step] = []
        self.realised: dict[IndexExpr, Buffer] = {}
        #: Index expressions known to have native code.
        self.checked: set[IndexExpr] = set()
        self.inputs: list[Buffer] = []
        self.outputs: list[Buffer] = []
        self.checks: list[Buffer] = []
        self.count = 0
        #: The places that were made here, and not by the steps around.
        self.places: set[Place] = set()
        self.root: Builder = self if outer is None else outer.root
        self.constants: list[np.ndarray] = [] if outer is None else self.root.constants
        #: Scatters into arrays that the program is given, which it changes itself, and those arrays' numbers.
        self.deferred: list[Scatter] = []
        self.changeable: set[Place] = set()
        self.changed: set[Place] = set()
        #: Index expressions that do not change while a loop that these steps are the body of runs.
        self.steady: set[IndexExpr] = set()
        #: The steps around that loop.
        self.around: Builder | None = None
        #: The body of a loop, or the whole program, that these steps are a branch of, or all of.
        self.turn: Builder = self
        self.words = 0
        self.stacks: list[Stack] = []
        #: How many rows the longest list has that was made so far.
        self.most_rows = 0
        #: The draws of the loop or the branch that is lowered, where it may have some.  Of the draws of this body, the key and the counter
        #: in this turn; of bodies with draws, this one and those in it, how often each has run.
        self.loop_draws: LoopDraws | None = None
        self.streams: dict[Node, tuple[IndexExpr, IndexExpr]] = {}
        self.times: dict[Body, IndexExpr] = {}
        #: The inputs of the loop or the branch that was lowered last which are variables whose values it replaces; the new ones come after
        #: its outputs.
        self.replaced: list[int] = []
        #: The versions of loop variables that are changed where they are, by place.
        self.parts: dict[Place, PartState] = {}
        #: Nodes that change what nobody else reads, one after another in one copy of it.
        self.chained: set[Node] = set()

    def is_known(self, expr: IndexExpr) -> bool:
        """Whether an expression is a constant."""
        return isinstance(expr, Scalar) or (isinstance(expr, Buffer) and expr.place.kind == "constant")

    def get_constant(self, expr: IndexExpr) -> np.ndarray:
        """The value of a constant; raises Unsupported where it is computed."""
        if isinstance(expr, Scalar):
            return np.full(expr.dims, expr.value, expr.dtype)
        if isinstance(expr, Buffer) and expr.place.kind == "constant":
            return self.constants[expr.place.index].reshape(expr.dims)
        raise Unsupported("a shape, an axis or the like is not known before the program runs")

    def shard(self, expr: IndexExpr, parts: Sequence[int]) -> IndexExpr:
        """An expression to be cut in parts for several devices: here there is one."""
        return expr

    # ---- memory

    def _buffer(self, kind: str, index: int, dims: Dims, dtype: np.dtype[Any]) -> Buffer:
        self.count += 1
        place = Place(kind, index, math.prod(dims) * dtype.itemsize)
        self.places.add(place)
        return Buffer(dims, dtype, place)

    def input(self, dims: Dims, dtype: np.dtype[Any]) -> Buffer:
        """The next array that the program is given."""
        self.inputs.append(self._buffer("input", len(self.inputs), dims, dtype))
        return self.inputs[-1]

    def constant(self, value: np.ndarray) -> Buffer:
        """An array that the program keeps."""
        self.constants.append(np.ascontiguousarray(value))
        return self._buffer("constant", len(self.constants) - 1, value.shape, value.dtype)

    def fix_array(self, value: np.ndarray) -> IndexExpr:
        """A known array: one number where it is one."""
        return Scalar(value, value.dtype) if not value.shape else self.constant(value)

    def output(self, expr: IndexExpr) -> Buffer:
        """Give the values of an expression away in the next array of results."""
        index = len(self.outputs)
        made = expr if isinstance(expr, Buffer) else self.realised.get(expr)
        if made is not None and made.place.kind == "temporary":
            made.place.kind, made.place.index = "output", index
        else:
            made = self._buffer("output", index, expr.dims, expr.dtype)
            self.steps.append(Materialise(expr, made))
            if not isinstance(expr, Buffer):
                self.realised.setdefault(expr, made)
        self.outputs.append(made)
        return made

    def outside(self) -> list[Place]:
        """The places that the steps read and do not write themselves."""
        found: dict[Place, None] = {}
        own: set[Place] = set()
        for step in self.steps:
            own.update(step.writes)
            if not isinstance(step, Materialise):
                found.update(dict.fromkeys(step.reads))
                continue
            pending, seen = [step.expr], set()
            while pending:
                expr = pending.pop()
                if expr not in seen:
                    seen.add(expr)
                    pending += expr.parts
                    if isinstance(expr, Buffer):
                        found[expr.place] = None
        return [place for place in found if place not in own]

    def mark(self) -> tuple[int, ...]:
        """Where the steps are now, for `rollback`."""
        return len(self.steps), len(self.checks), len(self.realised)

    def rollback(self, mark: tuple[int, ...]) -> None:
        """Take back the steps asked for since `mark`; what is in memory is only added to, so the newest entries are theirs."""
        del self.steps[mark[0] :], self.checks[mark[1] :]
        while len(self.realised) > mark[2]:
            self.realised.popitem()

    def word(self, count: int = 1) -> int:
        """New words of the program's table, the first one's number."""
        self.root.words += count
        return self.root.words - count

    def slot(self, dims: Dims, dtype: np.dtype[Any], backing: tuple[Place, ...] = ()) -> Buffer:
        """Values at a place that changes while the program runs."""
        return Buffer(dims, dtype, Place("slot", self.word(), math.prod(dims) * dtype.itemsize, backing))

    def stack(self) -> Stack:
        """A new stack, for a loop among these steps."""
        made = Stack(self.word(4), self)
        self.root.stacks.append(made)
        return made

    def leave(self, expr: IndexExpr, slot: Buffer) -> None:
        """Put the values of an expression where a slot points to: in place of its own buffer where these steps made it one."""
        made = expr if isinstance(expr, Buffer) else self.realised.get(expr)
        is_own = made is not None and made.place.kind == "temporary" and made.place in self.places
        if made is not None and is_own and made.place.size == slot.place.size:
            made.place.kind, made.place.index, made.place.backing = "slot", slot.place.index, slot.place.backing
        else:
            self.steps.append(Materialise(expr, slot))

    def temporary(self, dims: Dims, dtype: Any) -> Buffer:
        """Memory for an intermediate result."""
        return self._buffer("temporary", self.count, dims, np.dtype(dtype))

    def memory(self, expr: IndexExpr) -> Buffer:
        """The values of an expression in memory, row by row."""
        if isinstance(expr, Buffer):
            return expr
        known = self.realised.get(expr)
        if known is None:
            if isinstance(expr, Reshape):
                inner = self.memory(expr.arg)
                known = Buffer(expr.dims, expr.dtype, inner.place)
            else:
                known = self.temporary(expr.dims, expr.dtype)
                self.steps.append(Materialise(expr, known))
            self.realised[expr] = known
        return known

    def copy_values(self, expr: IndexExpr) -> Buffer:
        """The values of an expression in memory that is nobody else's, to put other values into."""
        buffer = self.temporary(expr.dims, expr.dtype)
        self.steps.append(Materialise(expr, buffer))
        return buffer

    def reread(self, expr: IndexExpr, dims: Dims, dtype: np.dtype[Any]) -> Buffer:
        """The bytes of an expression's values as elements of another dtype; larger ones may need another place, for their alignment."""
        inner = self.memory(expr)
        if dtype.itemsize > expr.dtype.itemsize and inner.place.kind == "input":
            inner = self.temporary(expr.dims, expr.dtype)
            self.steps.append(Materialise(expr, inner))
        return Buffer(dims, dtype, inner.place)

    def where_steady(self, view: IndexExpr) -> Builder | None:
        """The steps around the outermost loop in which a view does not change; None where these steps may change it, or are in no loop."""
        leaf = view
        while isinstance(leaf, (Affine, Reshape)):
            leaf = leaf.arg
        changes = not isinstance(leaf, Buffer) or leaf.place.kind in ("slot", "word", "stack") or leaf.place in self.places
        return None if self.around is None or changes else self.around.where_steady(view) or self.around

    def hoist_values(self, view: IndexExpr) -> Buffer | None:
        """The values of a view, put in memory before the loop that these steps are the body of; None where they may change in it."""
        home = self.where_steady(view)
        return None if home is None else home.memory(view)

    def fill_memory(self, dims: Dims, dtype: np.dtype[Any], value: object) -> Buffer:
        """Memory that holds one number everywhere, to put other values into."""
        buffer = self.temporary(dims, dtype)
        self.steps.append(Materialise(Scalar(value, dtype, dims), buffer))
        return buffer

    def put(self, expr: IndexExpr, buffer: Buffer, steps: Sequence[int], offset: int, over: bool = True) -> None:
        """Put the values of an expression in a part of a buffer: element (i, j, ...) at offset + i * steps[0] + j * steps[1] + ..."""
        self.steps.append(Materialise(expr, buffer, steps, offset, over))

    def scatter(self, target: IndexExpr, rows: IndexExpr, updates: IndexExpr, function: str, drops: bool = False) -> IndexExpr:
        """`target` with rows of `updates`, one for each of `rows`, put in or combined; rows are checked, but that negative ones may drop.

        An array that is the program's to change is changed itself, after all else has been done and no fault found.
        """
        count, inner = target.dims[0], math.prod(target.dims[1:])
        if target.dtype.kind == "c" and function not in ("put", "add", "sub"):
            raise Unsupported(f"scattered {function} of complex numbers")
        known = self.within(rows, count, drops)
        state = state_of(self, target)
        if state is not None:
            changed = state.scatter(self, rows, updates, (count, inner), function).buffer
            return Buffer(target.dims, target.dtype, changed.place)
        own = isinstance(target, Buffer) and target.place in self.changeable and target.place not in self.changed
        if known is not None and function == "add" and not own:
            found = static_scatter.add_rows(self, target, known, lambda: self.memory(updates))
            if found is not None:
                return found
        if own:
            assert isinstance(target, Buffer)
            self.changed.add(target.place)
            self.deferred.append(Scatter(target, self.memory(rows), self.memory(updates), count, inner, function))
            return Buffer(target.dims, target.dtype, target.place)
        copy = self.temporary(target.dims, target.dtype)
        self.steps.append(Materialise(target, copy))
        self.steps.append(Scatter(copy, self.memory(rows), self.memory(updates), count, inner, function))
        return copy

    def change(self, target: IndexExpr, function: str, index: IndexExpr, box: Box, part: IndexExpr) -> IndexExpr | None:
        """`target` with a part replaced ("put") or added to ("add") where it is; None where it must be copied for that.

        index: the part's first element, which is in range.  box: how many elements there are and how far apart, along each of its axes.
        """
        state = state_of(self, target)
        return None if state is None else state.move(self, function, index, box, part).buffer

    def within(self, index: IndexExpr, count: int, drops: bool = False) -> np.ndarray | None:
        """Let the program report a fault where an index is not below `count`, or negative unless those drop; indices that are known now,
        and good, are given back instead.
        """
        known = self.get_constant(index) if self.is_known(index) else None
        if known is not None and known.size and known.max() < count and (drops or known.min() >= 0):
            return known
        beyond = index_expr.compare("ge", index, count)
        self.check(beyond if drops else index_expr.compare("lt", index, 0) | beyond)
        return None

    def check(self, bad: IndexExpr) -> None:
        """Let the program report a fault where any element of `bad` holds."""
        if bad.size:
            self.checks.append(self.memory(index_expr.reduce("any", bad, range(len(bad.dims)))))

    def drop_checks(self) -> None:
        """Take back all checks: what they look for is not there."""
        unused = {check.place for check in self.checks}
        self.checks.clear()
        self.steps = [step for step in self.steps if not unused.issuperset(step.writes)]

    def contract(self, x: IndexExpr, y: IndexExpr, a: str, b: str, out: str) -> IndexExpr | None:
        """The sum of products of two tensors over the labels of their axes `a` and `b` that `out` does not name, where any such sum is one
        request; None where it depends on the sizes what it is.
        """
        return None

    def product(
        self, a: Buffer, b: Buffer, dims: Dims, sizes: tuple[int, int, int], batch: int, layouts: tuple[Layout, Layout, Layout]
    ) -> Buffer:
        """A product of matrices in memory of `dims`; see `Product`."""
        if why := blas.explain_not_found():
            raise Unsupported(f"products are NumPy's: {why}")
        out = self.temporary(dims, a.dtype)
        self.steps.append(Product(a, b, out, sizes, batch, layouts))
        return out

    def scan(
        self, function: str, x: IndexExpr, axis: int, *, exclusive: bool = False, reverse: bool = False, factors: IndexExpr | None = None
    ) -> Buffer:
        """A scan, or a recurrence, along an axis; see `Scan`."""
        held = None if factors is None else self.memory(factors)
        out = self.temporary(x.dims, x.dtype)
        self.steps.append(scans.Scan(function, self.memory(x), out, axis, exclusive=exclusive, reverse=reverse, factors=held))
        return out

    def factorise(self, routine: str, *, lower: bool = True, adjoint: bool = False, vectors: bool = True, **buffers: Buffer) -> None:
        """A routine of LAPACK for each matrix of a stack; see `Factorisation`."""
        if routine not in factors.WRITTEN:
            raise Unsupported("its kernel calls LAPACK for it")
        self.steps.append(factors.Factorisation(routine, buffers, lower=lower, adjoint=adjoint, vectors=vectors))

    layout = Layout

    def convolve(
        self, x: Buffer, w: Buffer, out: Buffer, axes: tuple[Axis, ...], outputs: int, steps: tuple[int, ...], offset: int, over: bool
    ) -> None:
        """Put a convolution in `out`; see `Convolution`."""
        made = convolution.Convolution(x, w, out, axes, outputs, steps, offset, over)
        if made.window:
            made.windows = self.temporary((made.tasks, made.window), x.dtype)
        self.steps.append(made)

    def convolve_each(self, x: Buffer, w: Buffer, out: Buffer, axes: tuple[Axis, ...], turned: bool) -> None:
        """A convolution with a filter for each channel; see `EachConvolution`."""
        made = convolution.EachConvolution(x, w, out, axes, turned)
        if made.window:
            made.windows = self.temporary((made.tasks, made.window), x.dtype)
        self.steps.append(made)

    def filter_sums(self, x: Buffer, g: Buffer, axes: tuple[Axis, ...], groups: int) -> Buffer:
        """The gradient of a convolution with respect to its filter, as (taps * channels, groups * outputs); see `FilterSums`."""
        return self._sum_windows(convolution.FilterSums(x, g, axes, groups), g.dims[-1])

    def channel_sums(self, x: Buffer, g: Buffer, axes: tuple[Axis, ...]) -> Buffer:
        """The gradient of a convolution with a filter for each channel, as (taps, channels); see `ChannelSums`."""
        return self._sum_windows(convolution.ChannelSums(x, g, axes), g.dims[-1])

    def _sum_windows(self, made: convolution.FilterSums | convolution.ChannelSums, depth: int) -> Buffer:
        dtype, dims = made.x.dtype, (made.taps, depth)
        made.out = self.temporary((made.shares, *dims), dtype)
        if made.window:
            made.windows = self.temporary((made.tasks, made.window), dtype)
        self.steps.append(made)
        return Buffer(dims, dtype, made.out.place) if made.shares == 1 else self.memory(index_expr.reduce("sum", made.out, [0]))

    @staticmethod
    def axis(length: int, taps: int, stride: int, dilation: int, start: int, outputs: int) -> Axis:
        """A spatial axis; see `convolution.Axis`."""
        return convolution.Axis(length, taps, stride, dilation, start, outputs)

    @staticmethod
    def columns(outputs: int, item_bytes: int) -> int:
        """How many columns of a filter are taken at a time; see `convolution.columns`."""
        return convolution.columns(outputs, item_bytes)

    # ---- expressions

    pointwise = staticmethod(index_expr.pointwise)
    compare = staticmethod(index_expr.compare)
    select = staticmethod(index_expr.select)
    cast = staticmethod(index_expr.cast)
    broadcast = staticmethod(index_expr.broadcast)
    reshape = staticmethod(index_expr.reshape)
    permute = staticmethod(index_expr.permute)
    strided = staticmethod(index_expr.stride_expr)
    pad = staticmethod(index_expr.pad)
    reduce = staticmethod(index_expr.reduce)
    iota = staticmethod(index_expr.iota)
    affine = staticmethod(index_expr.Affine)
    gather = staticmethod(index_expr.gather)

    @staticmethod
    def undo_transpose(expr: IndexExpr) -> tuple[IndexExpr, list[int]]:
        """What an expression is a transpose of (itself where it is none), and which axis of it each axis of that is."""
        rank = len(expr.dims)
        if isinstance(expr, Affine) and expr.fill is None and len(expr.arg.dims) == rank:
            axes = [row[1][0][0] if row[0] == 0 and len(row[1]) == 1 and row[1][0][1] == 1 else -1 for row in expr.rows]
            if sorted(axes) == list(range(rank)) and all(expr.arg.dims[i] == expr.dims[a] for i, a in enumerate(axes)):
                return expr.arg, axes
        return expr, list(range(rank))

    @staticmethod
    def number(value: Any, dtype: Any) -> IndexExpr:
        """One number."""
        return Scalar(value, np.dtype(dtype))

    @staticmethod
    def scalar(value: Any, like: IndexExpr) -> IndexExpr:
        """One number at every index, of the dims and dtype of an expression."""
        return index_expr.Scalar(value, like.dtype, like.dims)

    def __getattr__(self, function: str) -> Any:
        if function.startswith("_"):
            raise AttributeError(function)
        return lambda *args: index_expr.pointwise(function, *args)


__all__ = [
    "Block",
    "Branch",
    "Builder",
    "Layout",
    "Loop",
    "Materialise",
    "PartMove",
    "Point",
    "Product",
    "Scatter",
    "Stack",
    "Step",
    "Unsupported",
    "Variable",
]
