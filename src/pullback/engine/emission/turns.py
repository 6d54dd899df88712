"""Values of a kernel that come again and again, each time made of the last ones: written once, in a loop.

A recurrence that Python unrolled (the steps of a solver, a series, a chain of layers) becomes one kernel of thousands of values.  LLVM
takes a tenth of a millisecond for each, and a loop of some of them does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any

import numpy as np

from ...base.named_values import NamedValues
from .. import llvm_ir as ir
from ..lowering.kernel import Instr
from ..scalars import scalars

I64 = ir.IntType(64)
#: How many turns, and how many values in them, are worth a loop; how long a turn is at most, and how many lengths are tried.
_TURNS, _VALUES, _LONGEST, _TRIED = 8, 64, 512, 4
#: How many values are compared, for each that there is, before no turns are looked for any more.
_COMPARED = 32
#: The numbers that may differ from turn to turn.
_LISTED = frozenset(np.dtype(kind) for kind in ("f4", "f8", "i4", "i8"))
Values = dict[Instr, list[ir.Value]]


class Turns(NamedValues):
    """Equal turns of `len(first)` values, so many times: those of the first turn and of the last.

    before: the values that the first turn reads of what came before it, where the others read what their predecessor made: with its number.
    numbers: for a number that the first turn reads, those of all turns.
    """

    first: Sequence[Instr]
    last: Sequence[Instr]
    times: int
    before: dict[Instr, int]
    numbers: dict[Instr, list[Instr]]


def group_turns(values: Sequence[Instr], wanted: Container[Instr]) -> Iterator[Instr | Turns]:
    """Values in the order in which they are computed, equal turns put together; wanted: those that are read elsewhere."""
    if len(values) < _VALUES:
        yield from values
        return
    search = _Search(values, wanted)
    at = 0
    while at < len(values):
        found = search.turns_at(at)
        if found is None:
            yield values[at]
            at += 1
        else:
            yield found
            at += len(found.first) * found.times


class _Search:
    """Finds turns: stretches in which the marks of values (what they do, along which loops, and how far back they read what) repeat."""

    def __init__(self, values: Sequence[Instr], wanted: Container[Instr]) -> None:
        self._values, self._at = values, {instr: i for i, instr in enumerate(values)}
        self._last: dict[Instr, int] = {}
        self._left = _COMPARED * len(values)
        marks: dict[Any, int] = {}
        self._marks: list[int] = []
        for i, instr in enumerate(values):
            self._marks.append(marks.setdefault(self._mark(i, instr), len(marks)))
            self._last.update(dict.fromkeys(instr.args, i))
        self._last.update({instr: len(values) for instr in values if instr in wanted})
        self._next: list[int] = [0] * len(values)
        seen: dict[int, int] = {}
        for i in range(len(values) - 1, -1, -1):
            self._next[i] = seen.get(self._marks[i], len(values))
            seen[self._marks[i]] = i

    def _mark(self, i: int, instr: Instr) -> Any:
        if instr.data is not None:
            return i, None
        return instr.op, instr.dtype, instr.variables, tuple([self._describe_read(i, arg) for arg in instr.args])

    def _describe_read(self, i: int, arg: Instr) -> Any:
        """How a value is read: how far back it is where turns may hand it on, and which it is otherwise."""
        if arg.op == "scalar" and arg.dtype in _LISTED:
            return arg.dtype
        return (i - self._at[arg], arg.dtype, arg.variables) if arg in self._at and arg.data is None else arg

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
            count = same // long + 1
            if count >= _TURNS and count * long >= _VALUES:
                return self._check_turns(start, long, count)
        return None

    def _check_turns(self, start: int, long: int, count: int) -> Turns | None:
        """Turns, where each reads of others only what the one before made, and what comes later reads only of the last."""
        values, end = self._values, start + long * count
        if any(self._last.get(values[i], -1) >= end for i in range(start, end - long)):
            return None
        before: dict[Instr, int] = {}
        numbers: dict[Instr, list[Instr]] = {}
        for i in range(start, start + long):
            for which, arg in enumerate(values[i].args):
                if arg.op == "scalar":
                    given = [values[i + turn * long].args[which] for turn in range(count)]
                    if numbers.setdefault(arg, given) != given:
                        return None
                elif arg in self._at and arg.data is None and self._at[arg] < start:
                    before[arg] = self._at[arg] + long - start
        if any(number < 0 for number in before.values()):
            return None
        differ = {arg: given for arg, given in numbers.items() if any(other is not arg for other in given)}
        return Turns(values[start : start + long], values[end - long : end], count, before, differ)


def emit_turns(b: ir.IRBuilder, turns: Turns, values: Values, compute: Callable[[Instr], None]) -> None:
    """Write turns as a loop: `compute` writes one value and notes it in `values`, where those of the last turn are in the end."""
    start, inside, after = b.block, b.append_basic_block("turn"), b.append_basic_block("turned")
    b.branch(inside)
    b.position_at_end(inside)
    turn = b.phi(I64)
    turn.add_incoming(_int(0), start)
    kept = {instr: values[instr] for instr in (*turns.before, *turns.numbers)}
    handed = {instr: b.phi(values[instr][0].type) for instr in turns.before}
    for instr, phi in handed.items():
        phi.add_incoming(values[instr][0], start)
        values[instr] = [phi]
    for instr, given in turns.numbers.items():
        values[instr] = [_pick_number(b, given, turn)]
    for instr in turns.first:
        compute(instr)
    for instr, phi in handed.items():
        phi.add_incoming(values[turns.first[turns.before[instr]]][0], b.block)
    following = b.add(turn, _int(1))
    turn.add_incoming(following, b.block)
    values.update(kept)
    values.update({last: values[first] for first, last in zip(turns.first, turns.last, strict=True)})
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
