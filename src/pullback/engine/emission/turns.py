"""Values of a kernel that come again and again, each time made of the last ones: written once, in a loop.

A recurrence that Python unrolled (the steps of a solver, a series, a chain of layers) becomes one kernel of thousands of values, its
gradient another that goes through them backwards.  LLVM takes a tenth of a millisecond for each, and a loop of some of them does the same.
What turns leave to others than the next one is kept in memory, a place for each turn; other turns read it there, forwards or backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, repeat, takewhile
from typing import Any

import numpy as np

from ...base.named_values import NamedValues
from .. import llvm_ir as ir
from ..lowering.kernel import Instr
from ..scalars import scalars

I64 = ir.IntType(64)
#: How many turns, and how many values in them, are worth a loop; how long a turn is at most, and how many lengths are tried.
_TURNS, _VALUES, _LONGEST, _TRIED = 8, 64, 512, 4
#: From so many values on, fewer are worth a loop, and what turns leave to others is kept in memory: in registers there is no room for it.
_MANY, _FEWER_VALUES = 256, 32
#: The bytes that are kept at most, on the stack, where values that wait would lie as well.
_KEPT = 512 << 10
#: How many values are compared, for each that there is, before no turns are looked for any more.
_COMPARED = 32
#: The numbers that may differ from turn to turn, and the values that are kept.
_LISTED = frozenset(np.dtype(kind) for kind in ("f4", "f8", "i4", "i8"))


class Values(dict[Instr, list[ir.Value]]):
    """The values that are written, by what computes them; what was kept of turns is loaded when it is first read."""

    def __init__(self, b: ir.IRBuilder) -> None:
        super().__init__()
        self._b = b
        self._kept: dict[Instr, tuple[ir.Value, ir.Type, int]] = {}

    def __missing__(self, instr: Instr) -> list[ir.Value]:
        self[instr] = found = [self.load(instr, _int(self._kept[instr][2]))]
        return found

    def load(self, instr: Instr, turn: ir.Value) -> ir.Value:
        """What a turn made of what another one makes `instr` of."""
        array, kind, _ = self._kept[instr]
        return self._b.load(self._b.gep(array, [turn], source_etype=kind), typ=kind)

    def turn_of(self, instr: Instr) -> int:
        """The turn that a kept value is of."""
        return self._kept[instr][2]

    def keep(self, turns: Sequence[Instr], value: ir.Value, turn: ir.Value) -> None:
        """Keep what a turn makes of what every turn makes; what was read of an earlier loop over the same turns is forgotten."""
        if turns[0] not in self._kept:
            with self._b.goto_entry_block():
                made = self._b.alloca(value.type, len(turns))
            self._kept.update({instr: (made, value.type, number) for number, instr in enumerate(turns)})
        array, kind, _ = self._kept[turns[0]]
        self._b.store(value, self._b.gep(array, [turn], source_etype=kind))
        for instr in turns:
            self.pop(instr, None)


class Turns(NamedValues):
    """Equal turns of `long` values each, so many times, of those that `values` begins with.

    before: the values that the first turn reads of what came before it, where the others read what their predecessor made: with its number.
    numbers: for a number that the first turn reads, those of all turns.
    past: for a value of other turns that the first turn reads, by how many of those turns each turn is further.
    kept: which values of a turn are read by others than the next one.
    """

    values: Sequence[Instr]
    long: int
    times: int
    before: dict[Instr, int]
    numbers: dict[Instr, list[Instr]]
    past: dict[Instr, int]
    kept: Sequence[int]


def group_turns(values: Sequence[Instr], wanted: Sequence[Instr], lanes: int) -> Iterator[Instr | Turns]:
    """Values in an order in which they can be computed, equal turns put together.

    wanted: those that are read elsewhere.  lanes: how many there are of each value.
    """
    if len(values) < _VALUES:
        yield from values
        return
    if len(values) >= _MANY:
        values = _order_by_need(values, wanted)
    search = _Search(values, wanted, lanes)
    at = 0
    while at < len(values):
        found = search.turns_at(at)
        if found is None:
            yield values[at]
            at += 1
        else:
            yield found
            at += found.long * found.times


def _order_by_need(values: Sequence[Instr], wanted: Sequence[Instr]) -> list[Instr]:
    """Values in the order in which they are first needed for those that are wanted: then few of them wait at a time."""
    left = dict.fromkeys(values)
    ordered: list[Instr] = []
    for root in (*wanted, *values):
        waiting = [root]
        while waiting:
            instr = waiting[-1]
            needed = [arg for arg in reversed(instr.args) if arg in left] if instr in left else []
            if needed:
                waiting += needed
            else:
                waiting.pop()
                if instr in left:
                    del left[instr]
                    ordered.append(instr)
    return ordered


class _Reads:
    """What the first turn reads of others, as `Turns` has it; steady: what every turn reads."""

    def __init__(self) -> None:
        self.before: dict[Instr, int] = {}
        self.numbers: dict[Instr, Any] = {}
        self.past: dict[Instr, int] = {}
        self.steady: dict[Instr, int] = {}

    def note(self, where: dict[Instr, Any], arg: Instr, how: Any) -> bool:
        """Note how a value is read; False where it is read otherwise too."""
        is_known = any(arg in other for other in (self.before, self.numbers, self.past, self.steady) if other is not where)
        return not is_known and where.setdefault(arg, how) == how

    def of_before(self) -> Iterator[Instr]:
        """What has to be there before the first turn."""
        return chain(self.before, self.past, self.steady)


class _Search:
    """Finds turns: stretches in which the marks of values (what they do, along which loops, to what) repeat."""

    def __init__(self, values: Sequence[Instr], wanted: Iterable[Instr], lanes: int) -> None:
        self._values, self._at = values, {instr: i for i, instr in enumerate(values)}
        self._last: dict[Instr, int] = {}
        self._left = _COMPARED * len(values)
        self._is_long = len(values) >= _MANY
        self._room, self._lanes = _KEPT if self._is_long else 0, lanes
        #: The turns that a value is in: where they begin, how long one is, where they end, and which values of each are kept.
        self._found: dict[int, tuple[int, int, int, list[int]]] = {}
        marks: dict[Any, int] = {}
        self._marks: list[int] = []
        for i, instr in enumerate(values):
            self._marks.append(marks.setdefault(self._mark(i, instr), len(marks)))
            self._last.update(dict.fromkeys(instr.args, i))
        self._last.update(dict.fromkeys(wanted, len(values)))
        self._next: list[int] = [0] * len(values)
        seen: dict[int, int] = {}
        for i in range(len(values) - 1, -1, -1):
            self._next[i] = seen.get(self._marks[i], len(values))
            seen[self._marks[i]] = i

    def _mark(self, i: int, instr: Instr) -> Any:
        if instr.data is not None:
            return i, None
        return instr.op, instr.dtype, instr.variables, tuple([self._describe_read(arg) for arg in instr.args])

    def _describe_read(self, arg: Instr) -> Any:
        """How a value is read: what it does where turns may hand it on, and which it is otherwise."""
        if arg.op == "scalar" and arg.dtype in _LISTED:
            return arg.dtype
        return (arg.op, arg.dtype, arg.variables) if self._place(arg) is not None else arg

    def _place(self, instr: Instr) -> int | None:
        """Where a value stands that turns may hand on."""
        return self._at.get(instr) if instr.data is None else None

    def turns_at(self, start: int) -> Turns | None:
        """The turns that begin at a value."""
        marks, second = self._marks, start
        for _ in range(_TRIED):
            second = self._next[second]
            long = second - start
            if second >= len(marks) or long > _LONGEST or self._left < 0:
                return None
            same = 0
            while second + same < len(marks) and marks[start + same] == marks[second + same]:
                same += 1
            self._left -= same
            found = self._check_turns(start, long, same // long + 1)
            if found is not None:
                return found
        return None

    def _are_worth_it(self, long: int, count: int) -> bool:
        return count >= _TURNS and count * long >= (_FEWER_VALUES if self._is_long else _VALUES)

    def _check_turns(self, start: int, long: int, most: int) -> Turns | None:
        """As many of the turns as read nothing of others but what the one before made, or what was kept of turns before."""
        values, count, reads = self._values, most, _Reads()
        for k in range(long):
            for which in range(len(values[start + k].args)):
                if not self._are_worth_it(long, count):
                    return None
                read = [values[i].args[which] for i in range(start + k, start + k + long * most, long)]
                count = min(count, self._count_alike(start, long, values[start + k], read, reads))
        count, kept = self._choose_kept(start, long, count)
        if not self._are_worth_it(long, count) or any(self._at.get(arg, -1) >= start for arg in reads.of_before()):
            return None
        end = start + long * count
        self._room -= sum(self._size(values[start + k]) for k in kept) * count
        self._found.update(dict.fromkeys(range(start, end), (start, long, end, kept)))
        numbers = {arg: given[:count] for arg, given in reads.numbers.items() if any(other is not arg for other in given[:count])}
        return Turns(values[start:end], long, count, reads.before, numbers, reads.past, kept)

    def _count_alike(self, start: int, long: int, reader: Instr, read: Sequence[Instr], reads: _Reads) -> int:
        """In how many turns a value reads what a loop of them could give it; `read`: in each turn.  Where it is from is noted."""
        values, first, second, place = self._values, read[0], read[1], self._place(read[1])
        if first.op == "scalar":
            return len(read) if reads.note(reads.numbers, first, read) else 0
        if first is second:
            return _count_same(read, repeat(first)) if reads.note(reads.steady, first, 0) else 0
        if place is None:
            return 0
        turn, number = divmod(place - start, long)
        if turn == 1:
            return _count_same(read, values[start + number :: long])
        if turn == 0:
            is_alike = first.dtype == second.dtype and first.variables == second.variables
            return 1 + _count_same(read[1:], values[place::long]) if is_alike and reads.note(reads.before, first, number) else 0
        at, turns = self._place(first), self._found.get(place)
        if at is None or turns is None or self._found.get(at) is not turns or first.variables != reader.variables:
            return 0
        begin, its, end, kept = turns
        step, odd = divmod(place - at, its)
        if odd or (at - begin) % its not in kept or not reads.note(reads.past, first, step):
            return 0
        others = range(at, end, place - at) if place > at else range(at, begin - 1, place - at)
        return _count_same(read, (values[i] for i in others))

    def _size(self, instr: Instr) -> int:
        return instr.dtype.itemsize * self._lanes

    def _choose_kept(self, start: int, long: int, count: int) -> tuple[int, list[int]]:
        """How many turns there are, and which values of each are kept; without room for them, turns end where others read them."""
        values, last, end = self._values, self._last, start + long * count
        kept = [k for k in range(long) if any(last.get(values[i], -1) >= end for i in range(start + k, end - long, long))]
        if all(values[start + k].dtype in _LISTED for k in kept) and sum(self._size(values[start + k]) for k in kept) * count <= self._room:
            return count, kept
        first = next(i for i in range(start, end) if last.get(values[i], -1) >= end)
        return (first - start) // long + 1, []


def _count_same(read: Iterable[Instr], expected: Iterable[Instr]) -> int:
    """How many reads are of what is expected."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(read, expected, strict=False)))


def emit_turns(b: ir.IRBuilder, turns: Turns, values: Values, compute: Callable[[Instr], None]) -> None:
    """Write turns as a loop: `compute` writes one value and notes it in `values`, where those of the last turn are in the end."""
    first, last = turns.values[: turns.long], turns.values[-turns.long :]
    handed_on = {instr: values[instr][0] for instr in turns.before}
    start, inside, after = b.block, b.append_basic_block("turn"), b.append_basic_block("turned")
    b.branch(inside)
    b.position_at_end(inside)
    turn = b.phi(I64)
    turn.add_incoming(_int(0), start)
    phis = {instr: b.phi(value.type) for instr, value in handed_on.items()}
    outside = {instr: values.pop(instr, None) for instr in (*turns.before, *turns.numbers, *turns.past)}
    for instr, phi in phis.items():
        phi.add_incoming(handed_on[instr], start)
        values[instr] = [phi]
    for instr, given in turns.numbers.items():
        values[instr] = [_pick_number(b, given, turn)]
    for instr, step in turns.past.items():
        values[instr] = [values.load(instr, b.add(_int(values.turn_of(instr)), b.mul(turn, _int(step))))]
    for instr in first:
        compute(instr)
    made = [values.pop(instr) for instr in first]
    for instr, phi in phis.items():
        phi.add_incoming(made[turns.before[instr]][0], b.block)
    for k in turns.kept:
        values.keep(turns.values[k :: turns.long], made[k][0], turn)
    following = b.add(turn, _int(1))
    turn.add_incoming(following, b.block)
    for instr, known in outside.items():
        values.pop(instr)
        if known is not None:
            values[instr] = known
    values.update(zip(last, made, strict=True))
    b.cbranch(b.icmp_signed("<", following, _int(turns.times)), inside, after)
    b.position_at_end(after)


def _pick_number(b: ir.IRBuilder, numbers: Sequence[Instr], turn: ir.Value) -> ir.Value:
    """One of the numbers."""
    dtype = numbers[0].dtype
    kind = scalars.register_type(dtype, 1)
    made = ir.GlobalVariable(b.module, ir.ArrayType(kind, len(numbers)), b.module.get_unique_name("numbers"))
    made.initializer = ir.Constant(made.value_type, [scalars.constant(number.data, dtype) for number in numbers])
    made.global_constant, made.linkage = True, "internal"
    return b.load(b.gep(made, [turn], source_etype=kind), typ=kind)


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
