"""What lowering rules write to where the target is XLA: the same expressions and requests as natively, written as StableHLO at once.

So there is no second table of operations: each rule of the engine says what its operation is in a few kinds of expressions and a few
routines, and here those are said in StableHLO.  XLA decides itself what shares a loop.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..lowering.blocks import Box
from ..lowering.builder import Builder, Unsupported
from ..lowering.convolution import Axis
from ..lowering.index_expr import Affine, Buffer, Dims, Gather, IndexExpr, Iota, Place, Pointwise, Reduce, Reshape, Scalar
from . import factor, routines
from .client import client
from .module import BOOL, Value, Writer, is_known_dtype
from .scalars import scalar, select
from .views import broadcast, reshape, reverse, view


class XlaBuilder(Builder):
    """The operations of one module, or of a region of one (`outer`)."""

    def __init__(self, outer: XlaBuilder | None = None, writer: Writer | None = None) -> None:
        super().__init__(outer)
        self.outer = outer
        #: Whether it is for all devices.
        self.is_cut = False
        self.root: XlaBuilder = self if outer is None else outer.root
        self.writer = writer or Writer()
        #: What is at each place, in the builder that put it there.
        self.values: dict[Place, Value] = {}
        self.written: dict[IndexExpr, Value] = {}
        #: The rows that were looked at, by name, and how many there are; whether for negative ones too.
        self._looked_at: dict[tuple[str, int], bool] = {}
        #: What was scattered, by the name of what came of it.
        self.scattered: dict[str, tuple[Value, Value, Value, str]] = {}
        #: What some numbers are at most, that are not known.
        self.at_most: dict[Any, int] = {}
        self._log: list[tuple[dict[Any, Any], Any, Any]] = []

    # ---- going back

    def mark(self) -> tuple[int, ...]:
        """Where it is now, for `rollback`."""
        return len(self._log), len(self.checks)

    def rollback(self, mark: tuple[int, ...]) -> None:
        """Forget what was written since `mark`; lines that nobody reads are dropped by XLA."""
        while len(self._log) > mark[0]:
            held, key, before = self._log.pop()
            if before is None:
                del held[key]
            else:
                held[key] = before
        del self.checks[mark[1] :]

    def _note(self, held: dict[Any, Any], key: Any, value: Any) -> None:
        self._log.append((held, key, held.get(key)))
        held[key] = value

    # ---- values

    def value(self, expr: IndexExpr) -> Value:
        """An expression as a tensor of the module."""
        if isinstance(expr, Buffer):
            return self._at(expr)
        if isinstance(expr, Scalar):
            return self.writer.constant(expr.value, self._require_dtype(expr.dtype), expr.dims)
        at: XlaBuilder | None = self
        while at is not None:
            if expr in at.written:
                return at.written[expr]
            at = at.outer
        pending = [expr]
        while pending:  # what is below first, or a sum of a thousand terms would be a thousand calls deep
            top = pending[-1]
            wanted = [part for part in top.parts if isinstance(part, Pointwise) and part not in self.written]
            if wanted and isinstance(top, Pointwise):
                pending += wanted
                continue
            pending.pop()
            if top not in self.written:
                self._note(self.written, top, self._write(top))
        return self.written[expr]

    def _require_dtype(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        if not is_known_dtype(dtype):
            raise Unsupported(f"XLA has no {dtype.name}")
        return dtype

    def _write(self, expr: IndexExpr) -> Value:
        w = self.writer
        self._require_dtype(expr.dtype)
        if isinstance(expr, Pointwise):
            return scalar(w, expr.function, [self.value(a) for a in expr.args], expr.dtype)
        if isinstance(expr, Affine | Gather):
            return view(self, expr)
        if isinstance(expr, Reshape):
            return reshape(w, self.value(expr.arg), expr.dims)
        if isinstance(expr, Iota):
            if expr.dtype.kind == "b":
                raise Unsupported("an index as bool")
            return w.op("iota", (), expr.dims, expr.dtype, f"iota_dimension = {expr.axis} : i64")
        assert isinstance(expr, Reduce)
        return routines.reduce_axes(w, expr.kind, self.value(expr.arg), expr.axes)

    def _at(self, buffer: Buffer) -> Value:
        """What is in a buffer, by its dims and dtype."""
        found: Value | None = None
        at: XlaBuilder | None = self
        while at is not None and found is None:
            found, at = at.values.get(buffer.place), at.outer
        if found is None:
            if buffer.place.kind != "constant":
                raise AssertionError(f"nothing was put in {buffer.place}")
            known = self.root.constants[buffer.place.index]
            found = self.writer.constant(known, self._require_dtype(known.dtype))
        return routines.reread(self.writer, found, buffer.dims, buffer.dtype)

    def define(self, value: Value) -> Buffer:
        """A buffer that holds a tensor of the module."""
        made = self._buffer("temporary", self.count, value.dims, value.dtype)
        self._note(self.values, made.place, value)
        return made

    def _put(self, buffer: Buffer, value: Value) -> None:
        self._note(self.values, buffer.place, value)

    def input(self, dims: Dims, dtype: np.dtype[Any]) -> Buffer:
        """The next argument of the module."""
        made = super().input(dims, dtype)
        self.values[made.place] = Value(f"%arg{len(self.inputs) - 1}", dims, self._require_dtype(dtype))
        return made

    def output(self, expr: IndexExpr) -> Buffer:
        """Give the values of an expression away in the next result."""
        self.outputs.append(self.memory(expr) if not isinstance(expr, Scalar) else self.define(self.value(expr)))
        return self.outputs[-1]

    def memory(self, expr: IndexExpr) -> Buffer:
        """The values of an expression."""
        return expr if isinstance(expr, Buffer) else self.define(self.value(expr))

    def copy_values(self, expr: IndexExpr) -> Buffer:
        """The values of an expression, to put other values into."""
        return self.define(self.value(expr))

    def fill_memory(self, dims: Dims, dtype: np.dtype[Any], value: object) -> Buffer:
        """One number everywhere, to put other values into."""
        return self.define(self.writer.constant(value, dtype, dims))

    def reread(self, expr: IndexExpr, dims: Dims, dtype: np.dtype[Any]) -> Buffer:
        """The bytes of an expression's values as elements of another dtype."""
        return self.define(routines.reread(self.writer, self.value(expr), dims, dtype))

    def put(self, expr: IndexExpr, buffer: Buffer, steps: Sequence[int], offset: int, over: bool = True) -> None:
        """Put the values of an expression in a part of a buffer: element (i, j, ...) at offset + i * steps[0] + j * steps[1] + ..."""
        before = self._at(buffer) if buffer.place in self.values else self.writer.constant(0, buffer.dtype, buffer.dims)
        self._put(buffer, routines.place_part(self.writer, before, self.value(expr), steps, offset))

    # ---- routines

    def within(self, index: IndexExpr, count: int, drops: bool = False) -> np.ndarray | None:
        """As natively, but once for each index: what is looked at costs as much as what is computed where that is little."""
        key = (self.value(index).name, count)
        if key in self._looked_at and (drops or self._looked_at[key]):
            return None
        known = super().within(index, count, drops)
        if known is None:
            self._note(self._looked_at, key, not drops)
        return known

    def scatter(self, target: IndexExpr, rows: IndexExpr, updates: IndexExpr, function: str, drops: bool = False) -> IndexExpr:
        """`target` with rows of `updates` put in or combined; rows are checked, but that negative ones may drop."""
        self.within(rows, target.dims[0], drops)
        if not updates.size or not target.size:
            return target
        before, at, new = (self.value(expr) for expr in (target, rows, updates))
        found = routines.scatter_rows(self.writer, before, at, new, function)
        self.scattered[found.name] = (before, at, new, function)
        return self.define(found)

    def unless(self, fault: Value, new: Value, old: Value) -> Value:
        """The new value of a variable, or the old one where there was a fault; a scatter that then has no rows copies nothing."""
        w = self.writer
        if new.name in self.scattered and self.scattered[new.name][0] == old:
            _, rows, updates, function = self.scattered[new.name]
            nowhere = w.constant(-1, rows.dtype, rows.dims)
            return routines.scatter_rows(w, old, select(w, broadcast(w, fault, rows.dims, ()), nowhere, rows), updates, function)
        return select(w, broadcast(w, fault, new.dims, ()), old, new)

    def change(self, target: IndexExpr, function: str, index: IndexExpr, box: Box, part: IndexExpr) -> IndexExpr | None:
        """XLA changes nothing where it is: None."""
        return None

    def hoist_values(self, view: IndexExpr) -> Buffer | None:
        """XLA moves what does not change out of loops itself: None."""
        return None

    def contract(self, x: IndexExpr, y: IndexExpr, a: str, b: str, out: str) -> IndexExpr:
        """A product of any size: XLA knows which are loops."""
        return self.define(routines.contract(self.writer, self.value(x), self.value(y), a, b, out))

    def scan(
        self, function: str, x: IndexExpr, axis: int, *, exclusive: bool = False, reverse: bool = False, factors: IndexExpr | None = None
    ) -> Buffer:
        """A scan, or a recurrence, along an axis."""
        given = [self.value(x), *([] if factors is None else [self.value(factors)])]
        return self.define(routines.scan_axis(self.writer, function, given, axis, exclusive, reverse))

    def shard(self, expr: IndexExpr, parts: Sequence[int]) -> IndexExpr:
        """The same values, cut over the devices."""
        devices = len(client().devices)
        if devices == 1:
            return expr
        self.root.is_cut = True
        said = f'call_target_name = "Sharding", mhlo.sharding = "{routines.tile_sharding(parts, len(expr.dims), devices)}"'
        x = self.value(expr)
        return self.define(self.writer.op("custom_call", (x,), x.dims, x.dtype, said))

    def factorise(self, routine: str, *, lower: bool = True, adjoint: bool = False, vectors: bool = True, **buffers: Buffer) -> None:
        """A factorisation of each matrix of a stack."""
        given = {name: self._at(buffer) for name, buffer in buffers.items() if name in ("a", "right")}
        asked = {name: b.dims for name, b in buffers.items()}
        found = factor.factorise(self.writer, routine, given, asked, lower=lower, adjoint=adjoint, vectors=vectors)
        for name, buffer in buffers.items():
            if name in found:
                self._put(buffer, found[name])

    def convolve(
        self, x: Buffer, w: Buffer, out: Buffer, axes: tuple[Axis, ...], outputs: int, steps: tuple[int, ...], offset: int, over: bool
    ) -> None:
        """Put a convolution in `out`; the filter is (groups, blocks of columns, *taps, channels, columns)."""
        found = routines.convolve(self.writer, self._at(x), routines.unblock_filter(self.writer, self._at(w), outputs), axes, w.dims[0])
        before = self._at(out) if out.place in self.values else self.writer.constant(0, out.dtype, out.dims)
        self._put(out, routines.place_part(self.writer, before, found, (*steps, 1), offset))

    def convolve_each(self, x: Buffer, w: Buffer, out: Buffer, axes: tuple[Axis, ...], turned: bool) -> None:
        """A convolution with a filter (taps, channels) for each channel."""
        channels = x.dims[-1]
        kernel = reshape(self.writer, self._at(w), (*(axis.taps for axis in axes), 1, channels))
        kernel = reverse(self.writer, kernel, range(len(axes))) if turned else kernel
        self._put(out, routines.convolve(self.writer, self._at(x), kernel, axes, channels))

    def filter_sums(self, x: Buffer, g: Buffer, axes: tuple[Axis, ...], groups: int) -> Buffer:
        """The gradient of a convolution with respect to its filter, as (taps * channels, groups * outputs)."""
        taps = math.prod(axis.taps for axis in axes) * (x.dims[-1] // groups)
        found = routines.filter_sums(self.writer, self._at(x), self._at(g), axes, groups)
        return self.define(reshape(self.writer, found, (taps, g.dims[-1])))

    def channel_sums(self, x: Buffer, g: Buffer, axes: tuple[Axis, ...]) -> Buffer:
        """The gradient of a convolution with a filter for each channel, as (taps, channels)."""
        return self.filter_sums(x, g, axes, x.dims[-1])

    # ---- faults

    def fault(self) -> Value:
        """Whether any check found something, now."""
        w = self.writer
        found = w.constant(False)
        for check in self.checks:
            found = w.op("or", (found, self._at(check)), (), BOOL)
        return found
