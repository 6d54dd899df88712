"""From a kernel to LLVM code: loops, explicit vectors, masked tails, accumulators in registers.

One loop variable is spread over the lanes of vectors: the one along which most memory is read and written in order.  Its loop
takes several vectors a step where the body is short, so that their latencies overlap, and ends with one masked step.  Loops that
reduce are innermost, but for sums down the columns of large matrices; sums along the vector variable are added up across lanes in a
fixed tree at the end.
What does not depend on a loop's variable is computed outside that loop.

A kernel is written where a builder stands, in a function of several: LLVM takes a millisecond for each function, however short.  It is
given values: the buffers, the context, and where its first loop begins and ends.  One that is done for some rows at a time has the latter
for its loop over rows, and two values more for its addresses: its scratch memory and its task.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.lazy_import import LazyModule
from .. import llvm_ir as ir
from ..lowering.index import Lin
from ..lowering.index_expr import BOOL, identity
from ..lowering.kernel import INT, Instr, Kernel, Root, cost_of
from ..scalars import scalars
from ..scalars.counting import count_loop, emit_max, emit_min
from .access import gather, load_vector, scatter, store_vector
from .addresses import Addresses
from .interior import Interior, find_interior
from .scheduling import Schedule
from .strips import Strip, Strips
from .turns import Turns, Values, emit_turns, group_turns

if TYPE_CHECKING:
    from . import transpose
else:  # what only copies
    transpose = LazyModule("pullback.engine.emission.transpose")

I1, I32, I64 = ir.IntType(1), ir.IntType(32), ir.IntType(64)
Address = Callable[[ir.IRBuilder, Sequence[ir.Value], Any], ir.Value]
#: How many instructions the turns of a loop have that is written without one.
_SHORT = 32
#: How many steps an interior is long for which a loop is written in three, and the plain operations of a step.
_STEPS, _CHEAP = 4, 60


class Emitter:
    """Writes one kernel; `given` are its values."""

    def __init__(self, b: ir.IRBuilder, kernel: Kernel, plan: Schedule, address: Address, given: Sequence[ir.Value]) -> None:
        self.b, self.kernel, self.plan, self.given = b, kernel, plan, given
        self._positions = Addresses(b, plan.order, plan.vector, plan.lanes)
        self.pointers: dict[Any, ir.Value] = {}
        self._address = address
        self._env = Values(b)
        self._mask: ir.Value | None = None
        #: How many lanes of a vector count.
        self._count: ir.Value = _int(plan.lanes)
        self._copies = 1
        self._strips = Strips(b, kernel, plan, lambda place, dtype, at, copy: self._address_of(self.pointers[place], dtype, at, copy))
        #: The conditions that hold where the builder stands.
        self._holds: frozenset[Instr] = frozenset()
        depth = {v: i + 1 for i, v in enumerate(plan.order)}
        self._levels: list[list[Instr]] = [[] for _ in range(len(plan.order) + 1)]
        for instr in kernel.instrs:
            self._levels[max((depth[v] for v in instr.variables if v in depth), default=0)].append(instr)
        self._accumulators: dict[Root, list[ir.Value]] = {}
        self._odd: dict[Root, list[ir.Alloca]] = {}
        #: Whether results that are summed in memory are being given their first values.
        self._begins = False
        self._first_reduced = next((i for i, v in enumerate(plan.order) if v in kernel.reduced), len(plan.order))

    def emit(self) -> None:
        """Write the whole kernel."""
        for place in dict.fromkeys([i.data[0] for i in self.kernel.instrs if i.op == "load"] + [r.buffer.place for r in self.kernel.roots]):
            self.pointers[place] = self._address(self.b, self.given, place)
        if self.plan.turned is None:
            self._level(0)
        else:
            transpose.Turned(self.b, self.kernel, self.plan.turned, self.plan.lanes, self.pointers).emit(self.plan.order, *self.given[2:4])

    # ---- loops

    def _level(self, depth: int) -> None:
        if self._begins and depth == len(self.plan.order):
            self._begin_sums()
            return
        if depth == self._first_reduced:
            self._open_accumulators()
        if depth == len(self.plan.order):
            self._innermost()
            self._accumulate_or_store()
        else:
            for instr in self._levels[depth]:
                self._compute(instr)
            self._loop(depth)
        if depth == self._first_reduced:
            self._close_accumulators()

    def _innermost(self) -> None:
        values = self._levels[-1]
        wanted = [root.value for root in self.kernel.roots]
        for found in group_turns(values, wanted, self.plan.lanes) if self._copies == 1 else values:
            if isinstance(found, Turns):
                emit_turns(self.b, found, self._env, self._compute)
            else:
                self._compute(found)

    def _loop(self, depth: int) -> None:
        variable = self.plan.order[depth]
        low, high, known = self._bounds(variable, depth)
        if variable != self.plan.vector:
            if known is not None and self._is_short(depth, known):
                self._write_turns(variable, range(known), depth)
            else:
                self._count_loop(variable, low, high, 1, lambda at: self._at(variable, at, depth))
            return
        step = self.plan.lanes * self.plan.unroll
        if known == step:
            self._copies = self.plan.unroll
            self._write_turns(variable, [0], depth)
            return
        inside = find_interior(self.kernel, variable) if self._is_cheap() else None
        if inside is not None and inside.end - inside.first >= _STEPS * step:
            self._loop_in_three(variable, low, high, inside, depth)
            return
        is_whole = known % step == 0 if known is not None else self._is_whole(variable, step)
        left = known
        if is_whole or not (self.plan.masked or (known is not None and known < step)):
            left = None if known is None else known % step
            end = self.b.sub(high, self.b.srem(self.b.sub(high, low), _int(step))) if known is None else _int(known - known % step)
            self._copies = self.plan.unroll
            self._count_loop(variable, low, end, step, lambda at: self._at(variable, at, depth))
            low = end
        if is_whole:
            return
        self._copies = 1
        if known is not None and left is not None and left <= self.plan.lanes:
            self._mask = ir.Constant(ir.VectorType(I1, self.plan.lanes), [int(i < left) for i in range(self.plan.lanes)])
            self._count = _int(left)
            self._write_turns(variable, [known - left], depth)
            self._mask, self._count = None, _int(self.plan.lanes)
        else:
            self._count_loop(variable, low, high, self.plan.lanes, lambda at: self._mask_tail(variable, at, depth, high))

    def _is_cheap(self) -> bool:
        """Whether a step is of plain operations alone, and few, so that to test and to mask is much of it."""
        instrs = self.kernel.instrs
        return not self.plan.masked and len(instrs) <= _CHEAP and all(cost_of(instr.op) == 1 for instr in instrs)

    def _loop_in_three(self, variable: int, low: ir.Value, high: ir.Value, inside: Interior, depth: int) -> None:
        """The vector variable's loop: masked before the interior and behind it."""
        b, step = self.b, self.plan.lanes * self.plan.unroll
        first = emit_min(b, emit_max(b, _int(inside.first), low), high) if inside.first else low
        last = emit_max(b, emit_min(b, _int(inside.end), high), first)
        end = b.sub(last, b.srem(b.sub(last, first), _int(step)))
        if inside.first:
            self._copies = 1
            self._count_loop(variable, low, first, self.plan.lanes, lambda at: self._mask_tail(variable, at, depth, first))
        self._copies, self._holds = self.plan.unroll, inside.holds
        self._count_loop(variable, first, end, step, lambda at: self._at(variable, at, depth))
        self._copies, self._holds = 1, frozenset()
        self._count_loop(variable, end, high, self.plan.lanes, lambda at: self._mask_tail(variable, at, depth, high))

    def _is_short(self, depth: int, turns: int) -> bool:
        """Whether the innermost loop is so short that its turns are written one after the other."""
        return depth == len(self.plan.order) - 1 and turns * len(self._levels[-1]) <= _SHORT

    def _write_turns(self, variable: int, turns: Iterable[int], depth: int) -> None:
        """A loop without a jump: LLVM, which is asked for little, would leave it one."""
        for turn in turns:
            self._strips.begin_turn()
            self._positions.fix_variable(variable, turn)
            self._level(depth + 1)

    def _count_loop(self, variable: int, low: ir.Value, high: ir.Value, step: int, body: Callable[[ir.Value], None]) -> None:
        count_loop(self.b, low, high, _int(step), body)
        self._positions.close_loop(variable, step)

    def _bounds(self, variable: int, depth: int) -> tuple[ir.Value, ir.Value, int | None]:
        """Where a loop begins and ends, and how many turns that are where it is known."""
        rows = self.kernel.rows
        if variable == rows or (rows is None and depth == 0):
            return self.given[2], self.given[3], None
        known = None if variable in self.kernel.clipped else self.kernel.extents[variable]
        return _int(0), self._extent(variable), known

    def _is_whole(self, variable: int, step: int) -> bool:
        """Whether a loop whose bounds are not known is so many times `step` long nevertheless: blocks are cut so."""
        even = self.kernel.even if variable == self.kernel.rows else variable not in self.kernel.clipped
        return even and self.kernel.extents[variable] % step == 0

    def _extent(self, variable: int) -> ir.Value:
        """Where a loop ends: early in the last block of a loop cut in blocks."""
        if variable not in self.kernel.clipped:
            return _int(self.kernel.extents[variable])
        counter, length, whole = self.kernel.clipped[variable]
        left = self.b.sub(_int(whole), self.b.mul(self._positions.variable(counter), _int(length)))
        return self.b.select(self.b.icmp_signed("<", left, _int(length)), left, _int(length))

    def _mask_tail(self, variable: int, at: ir.Value, depth: int, high: ir.Value) -> None:
        rest = self.b.sub(high, at)
        left = scalars.splat(self.b, self.b.trunc(rest, I32), self.plan.lanes)
        lanes = ir.Constant(ir.VectorType(I32, self.plan.lanes), list(range(self.plan.lanes)))
        self._mask, self._count = self.b.icmp_signed("<", lanes, left), emit_min(self.b, rest, _int(self.plan.lanes))
        self._at(variable, at, depth)
        self._mask, self._count = None, _int(self.plan.lanes)

    def _at(self, variable: int, at: ir.Value, depth: int) -> None:
        self._strips.begin_turn()
        self._positions.set_variable(variable, at)
        self._level(depth + 1)

    # ---- values

    def _varies(self, instr: Instr) -> bool:
        return self.plan.vector is not None and self.plan.vector in instr.variables

    def _compute(self, instr: Instr) -> None:
        copies = self._copies if self._varies(instr) else 1
        self._env[instr] = [self._value(instr, copy) for copy in range(copies)]

    def _arg(self, instr: Instr, copy: int, lanes: int) -> ir.Value:
        values = self._env[instr]
        if len(values) > 1 or self._varies(instr) or lanes == 1:
            return scalars.splat(self.b, values[copy] if len(values) > 1 else values[0], lanes)
        return self._positions.once((instr, lanes), lambda: scalars.splat(self.b, values[0], lanes))

    def _value(self, instr: Instr, copy: int) -> ir.Value:
        lanes = self.plan.lanes if self._varies(instr) else 1
        if instr.op == "scalar":
            return scalars.constant(instr.data, instr.dtype)
        if instr.op == "linear":
            return self._number(self._linear(instr.data, copy, lanes), instr.dtype)
        if instr in self._holds:
            return ir.Constant(ir.VectorType(I1, lanes), [1] * lanes)
        if instr.op == "select" and instr.args[0] in self._holds:
            return self._arg(instr.args[1], copy, lanes)
        if instr.op == "within":
            at, n = self._linear(instr.data[0], copy, lanes), scalars.constant(instr.data[1], INT, lanes)
            return self.b.icmp_unsigned("<", at, n)
        if instr.op == "inside":
            at = self._number(self._arg(instr.args[0], copy, lanes), INT, instr.args[0].dtype)
            return self.b.icmp_unsigned("<", at, scalars.constant(instr.data, INT, lanes))
        if instr.op == "load":
            return self._load(instr, copy, lanes)
        args = [self._arg(a, copy, lanes) for a in instr.args]
        return scalars.emit(self.b, instr.op, args, instr.args[-1].dtype, instr.dtype)

    def _number(self, value: ir.Value, wanted: np.dtype[Any], given: np.dtype[Any] = INT) -> ir.Value:
        return scalars.emit(self.b, "cast", [value], given, wanted)

    def _linear(self, lin: Lin, copy: int, lanes: int) -> ir.Value:
        """A linear function of the loop variables: for vectors, of the variable in each lane."""
        base = self._positions.value(lin, copy)
        factor = dict(lin[1]).get(self.plan.vector, 0) if self.plan.vector is not None else 0
        if lanes == 1 or not factor:
            return base
        spread = ir.Constant(ir.VectorType(I64, lanes), [factor * i for i in range(lanes)])
        return self.b.add(scalars.splat(self.b, base, lanes), spread)

    # ---- memory

    def _load(self, instr: Instr, copy: int, lanes: int) -> ir.Value:
        place, position, looked_up, guarded = instr.data
        if lanes > 1 and self._strips.reads(instr, self._mask is not None):
            return self._in_register(self._strips.load(instr, copy, self._count), instr)
        pointer, kind = self.pointers[place], scalars.memory_type(instr.dtype, 1)
        guard = self._arg(instr.args[-1], copy, lanes) if guarded and instr.args[-1] not in self._holds else None
        factor = dict(position[1]).get(self.plan.vector, 0)
        steady = not any(self._varies(arg) for arg, _ in zip(instr.args, looked_up, strict=False))
        chosen = self._look_up(instr, looked_up, copy, 1 if steady else lanes)
        if lanes == 1:
            where = self._positions.address(pointer, kind, position, copy, chosen)
            where = where if guard is None else self.b.select(guard, where, pointer)
            return self._in_register(self.b.load(where, typ=kind, align=scalars.real_part(instr.dtype).itemsize), instr)
        guard = _and_masks(self.b, guard, self._mask)
        if steady and factor == 1:
            where = self._positions.address(pointer, kind, position, copy, chosen)
            return self._in_register(load_vector(self.b, where, instr.dtype, lanes, guard), instr)
        offsets = self._linear(position, copy, lanes)
        offsets = scalars.splat(self.b, offsets, lanes)
        offsets = offsets if chosen is None else self.b.add(offsets, scalars.splat(self.b, chosen, lanes))
        return self._in_register(gather(self.b, pointer, offsets, instr.dtype, lanes, guard), instr)

    def _look_up(self, instr: Instr, looked_up: Sequence[tuple[int, int]], copy: int, lanes: int) -> ir.Value | None:
        """The part of a position that comes from indices that are values; they are kept within the table."""
        total = None
        for arg, (step, n) in zip(instr.args, looked_up, strict=False):
            at = self._number(self._arg(arg, copy, lanes), INT, arg.dtype)
            last = scalars.constant(max(n - 1, 0), INT, lanes)
            at = self.b.select(self.b.icmp_unsigned("<", at, last), at, last)
            part = self.b.mul(at, scalars.constant(step, INT, lanes))
            total = part if total is None else self.b.add(total, part)
        return total

    def _in_register(self, value: ir.Value, instr: Instr) -> ir.Value:
        if instr.dtype == BOOL:
            return self.b.icmp_unsigned("!=", value, ir.Constant(value.type, None))
        return value

    def _store(self, root: Root, value: ir.Value, copy: int, adds: bool = False) -> None:
        lanes = scalars.lanes_of(value)
        dtype = root.buffer.dtype
        if adds or root.adds:
            value = scalars.emit(self.b, _STEP[str(root.reduce)], [self._before(root, copy, lanes), value], dtype, dtype)
        if dtype == BOOL:
            value = self.b.zext(value, scalars.memory_type(dtype, lanes))
        factor = dict(root.position[1]).get(self.plan.vector, 0) if self.plan.vector is not None else 0
        kind = scalars.memory_type(dtype, 1)
        pointer = self.pointers[root.buffer.place]
        align = scalars.real_part(dtype).itemsize
        if lanes == 1:
            self.b.store(value, self._positions.address(pointer, kind, root.position, copy), align=align)
        elif factor == 1:
            where = self._positions.address(pointer, kind, root.position, copy)
            mask = self._mask
            if dtype in scalars.PARTS:
                value = scalars.interleave_pair(self.b, value)
                mask = mask if mask is None else scalars.repeat_twice(self.b, mask)
            store_vector(self.b, value, where, mask, align)
        else:
            scatter(self.b, pointer, self._linear(root.position, copy, lanes), value, dtype, self._mask)

    def _before(self, root: Root, copy: int, lanes: int) -> ir.Value:
        """What stands where a result is put."""
        pointer, dtype = self.pointers[root.buffer.place], root.buffer.dtype
        factor = dict(root.position[1]).get(self.plan.vector, 0) if self.plan.vector is not None else 0
        kind = scalars.memory_type(dtype, 1)
        if lanes > 1 and factor != 1:
            offsets = self._linear(root.position, copy, lanes)
            return self._in_register(gather(self.b, pointer, offsets, dtype, lanes, self._mask), root.value)
        where = self._positions.address(pointer, kind, root.position, copy)
        found = load_vector(self.b, where, dtype, lanes, self._mask) if lanes > 1 else self.b.load(where, typ=kind, align=dtype.itemsize)
        return self._in_register(found, root.value)

    # ---- results

    def _accumulate_or_store(self) -> None:
        for root in self.kernel.roots:
            if root in self._accumulators:
                self._accumulate(root)
                continue
            stepped = self.plan.vector is not None and self.plan.vector in dict(root.position[1])
            for copy in range(self._copies if stepped else 1):
                value = self._arg(root.value, copy, self.plan.lanes if stepped else 1)
                if self._strips.writes(root, self._mask is not None):
                    self._strips.put(root, copy, value)
                else:
                    self._store(root, value, copy, adds=root.reduce is not None)
        self._strips.write(self._count, self._column)

    def _column(self, strip: Strip, position: Lin, copy: int) -> ir.Value:
        offsets = self._linear(position, copy, self.plan.lanes)
        return gather(self.b, self.pointers[strip.place], offsets, strip.dtype, self.plan.lanes, self._mask)

    def _address_of(self, pointer: ir.Value, dtype: np.dtype[Any], position: Lin, copy: int) -> ir.Value:
        return self._positions.address(pointer, scalars.memory_type(dtype, 1), position, copy)

    def _is_spread(self, root: Root) -> bool:
        """Whether an accumulator is a vector: over the vector variable, reduced or kept."""
        vector = self.plan.vector
        return vector is not None and (vector in self.kernel.reduced or vector in dict(root.position[1]))

    def _open_accumulators(self) -> None:
        if self.plan.sums_rows:
            self._begins = True
            self._loop(len(self.plan.order) - 1)
            self._begins = False
            return
        for root in self.kernel.roots:
            if root.reduce is None:
                continue
            lanes = self.plan.lanes if self._is_spread(root) else 1
            start = scalars.constant(identity(str(root.reduce), root.value.dtype), root.value.dtype, lanes)
            slots = self._accumulators.get(root)
            if slots is None:
                with self.b.goto_entry_block():
                    slots = [self.b.alloca(start.type) for _ in range(self.plan.unroll if lanes > 1 else 1)]
                    if _looks_for_nan(root):
                        self._odd[root] = [self.b.alloca(scalars.register_type(BOOL, lanes)) for _ in slots]
                self._accumulators[root] = slots
            for slot in slots:
                self.b.store(start, slot)
            for flag in self._odd.get(root, ()):
                self.b.store(ir.Constant(flag.allocated_type, None), flag)

    def _begin_sums(self) -> None:
        for root in self.kernel.roots:
            if root.reduce is not None:
                for copy in range(self._copies):
                    self._store(root, scalars.constant(identity(root.reduce, root.value.dtype), root.value.dtype, self.plan.lanes), copy)

    def _accumulate(self, root: Root) -> None:
        slots = self._accumulators[root]
        lanes = self.plan.lanes if self._is_spread(root) else 1
        dtype = root.value.dtype
        for copy in range(self._copies if lanes > 1 else 1):
            value = self._arg(root.value, copy, lanes)
            if self._mask is not None and self.plan.vector in self.kernel.reduced:
                value = scalars.select_lanes(self.b, self._mask, value, scalars.constant(identity(str(root.reduce), dtype), dtype, lanes))
            slot = slots[copy]
            before = self.b.load(slot, typ=value.type)
            if root in self._odd:
                self._take_extreme(root, before, value, copy)
            else:
                self.b.store(scalars.emit(self.b, _STEP[str(root.reduce)], [before, value], dtype, dtype), slot)

    def _take_extreme(self, root: Root, before: ir.Value, value: ir.Value, copy: int) -> None:
        """The greater or smaller number, which NaN never is; that there was one is noted beside it, so that no step waits for it."""
        b, flag = self.b, self._odd[root][copy]
        b.store(self._beyond(root, value, before), self._accumulators[root][copy])
        odd = b.fcmp_unordered("uno", value, value)
        b.store(b.or_(b.load(flag, typ=odd.type), odd), flag)

    def _beyond(self, root: Root, x: ir.Value, y: ir.Value) -> ir.Value:
        """The greater or smaller of two; y where x is NaN."""
        return self.b.select(self.b.fcmp_ordered(">" if root.reduce == "max" else "<", x, y), x, y)

    def _with_nan(self, root: Root, value: ir.Value, flag: ir.Value) -> ir.Value:
        return self.b.select(flag, scalars.constant(np.nan, root.value.dtype, scalars.lanes_of(value)), value)

    def _close_accumulators(self) -> None:
        across = self.plan.vector is not None and self.plan.vector in self.kernel.reduced
        for root, slots in self._accumulators.items():
            dtype = root.value.dtype
            step = _STEP[str(root.reduce)]
            lanes = self.plan.lanes if self._is_spread(root) else 1
            kind = scalars.register_type(dtype, lanes)
            used = len(slots) if across else self._copies
            values = [self.b.load(slot, typ=kind) for slot in slots[:used]]
            flags = [self.b.load(flag, typ=scalars.register_type(BOOL, lanes)) for flag in self._odd.get(root, ())[:used]]
            if not across:
                for copy, value in enumerate(values):
                    self._store(root, self._with_nan(root, value, flags[copy]) if flags else value, copy)
                continue

            def combine_pair(x: ir.Value, y: ir.Value, root: Root = root, step: str = step, dtype: np.dtype[Any] = dtype) -> ir.Value:
                return self._beyond(root, x, y) if root in self._odd else scalars.emit(self.b, step, [x, y], dtype, dtype)

            found = self._across(values, combine_pair)
            self._store(root, self._with_nan(root, found, self._any(flags)) if flags else found, 0)

    def _any(self, flags: list[ir.Value]) -> ir.Value:
        """Whether a lane of some vectors of flags is set: as one number, which one instruction holds against zero."""
        found = functools.reduce(self.b.or_, flags)
        lanes = scalars.lanes_of(found)
        if lanes == 1:
            return found
        bits = ir.IntType(lanes)
        return self.b.icmp_unsigned("!=", self.b.bitcast(found, bits), ir.Constant(bits, 0))

    def _across(self, values: list[ir.Value], both: Callable[[ir.Value, ir.Value], ir.Value]) -> ir.Value:
        """Vectors and then their lanes put together, halves first."""
        while len(values) > 1:
            values = [both(x, y) for x, y in zip(values[::2], values[1::2], strict=True)]
        value, lanes = values[0], scalars.lanes_of(values[0])
        while lanes > 1:
            lanes //= 2
            value = both(*(scalars.lanes_at(self.b, value, range(start, start + lanes)) for start in (0, lanes)))
        return value


def _looks_for_nan(root: Root) -> bool:
    return root.reduce in ("max", "min") and root.value.dtype in (np.float32, np.float64)


_STEP = {"sum": "add", "prod": "mul", "max": "max", "min": "min", "any": "or", "all": "and"}


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)


def _and_masks(b: ir.IRBuilder, x: ir.Value | None, y: ir.Value | None) -> ir.Value | None:
    return x if y is None else y if x is None else b.and_(x, y)
