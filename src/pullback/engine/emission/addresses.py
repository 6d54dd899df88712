"""Linear functions of loop variables, and addresses: each part is computed once, as far out as its variables are set.

LLVM would find most of this itself, but takes longer the more it is given: its work is most of what a first call costs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import llvm_ir as ir
from ..lowering.index import Lin

I64 = ir.IntType(64)


class Addresses:
    """The loop variables of a kernel, set from the outermost on, and what was computed of them.

    order: the variables from the outermost on.  vector, lanes: the one that is spread over lanes, if any, and over how many.
    """

    def __init__(self, b: ir.IRBuilder, order: list[int], vector: int | None, lanes: int) -> None:
        self.b, self.order, self.vector, self.lanes = b, order, vector, lanes
        self._variables: dict[int, ir.Phi] = {}
        self._fixed: dict[int, int] = {}
        self._homes: dict[int, ir.Block] = {}
        self._known: dict[Any, ir.Value] = {}
        self._multiples: dict[int, list[tuple[ir.Phi, int]]] = {}

    def set_variable(self, variable: int, value: ir.Value) -> None:
        """Let a variable be what counts the turns of a loop, in whose body the builder stands."""
        assert isinstance(value, ir.Phi)
        self._variables[variable], self._homes[variable] = value, self.b.block
        self._fixed.pop(variable, None)

    def fix_variable(self, variable: int, value: int) -> None:
        """Let a variable be a number, in a turn of a loop that is written turn after turn."""
        self._fixed[variable] = value

    def variable(self, variable: int) -> ir.Value:
        """The value of a variable."""
        return self._variables[variable]

    def once(self, key: tuple[Any, ...], write: Callable[[], ir.Value]) -> ir.Value:
        """What `write` gives, written once in a turn or a block for all that have the key."""
        key = (self.b.block, *self._fixed.values(), *key)
        if key not in self._known:
            self._known[key] = write()
        return self._known[key]

    def value(self, lin: Lin, copy: int) -> ir.Value:
        """A linear function, in lane 0 of a copy."""
        total: ir.Value | None = None
        done: tuple[Any, ...] = ()
        for variable, factor in self._outermost_first(lin):
            done, before = (*done, self._variables[variable], factor), total
            total = self._known.get(done)
            if total is None:
                part = self._multiple(variable, factor)
                with self.b.goto_block(self._homes[variable]):
                    total = self._known[done] = part if before is None else self.b.add(before, part)
        constant = self._constant(lin, copy)
        return _int(constant) if total is None else total if not constant else self.b.add(total, _int(constant))

    def address(self, start: ir.Value, kind: ir.Type, lin: Lin, copy: int, chosen: ir.Value | None = None) -> ir.Value:
        """Where an element of type `kind` is, `chosen` further on; what differs from copy to copy comes last."""
        at = start
        done: tuple[Any, ...] = (start, kind)
        for variable, factor in self._outermost_first(lin):
            done, before = (*done, self._variables[variable], factor), at
            found = self._known.get(done)
            if found is None:
                part = self._multiple(variable, factor)
                with self.b.goto_block(self._homes[variable]):
                    found = self._known[done] = self.b.gep(before, [part], source_etype=kind)
            at = found
        at = at if chosen is None else self.b.gep(at, [chosen], source_etype=kind)
        constant = self._constant(lin, copy)
        return self.once((at, kind, constant), lambda: self.b.gep(at, [_int(constant)], source_etype=kind)) if constant else at

    def _constant(self, lin: Lin, copy: int) -> int:
        """What a linear function has besides multiples of variables that count, in lane 0 of a copy."""
        fixed = sum(factor * self._fixed[variable] for variable, factor in lin[1] if variable in self._fixed)
        return lin[0] + fixed + (0 if self.vector is None else copy * self.lanes * dict(lin[1]).get(self.vector, 0))

    def _multiple(self, variable: int, factor: int) -> ir.Value:
        """A multiple of a variable: a number that goes along with it in its loop."""
        value = self._variables[variable]
        if factor == 1:
            return value
        found = self._known.get((value, factor))
        if found is None:
            with self.b.goto_block(value.block):
                self.b.position_at_start(value.block)
                found = made = self._known[value, factor] = self.b.phi(I64)
            self._multiples.setdefault(variable, []).append((made, factor))
        return found

    def close_loop(self, variable: int, step: int) -> None:
        """Say how multiples of a variable begin and go on, once its loop is written."""
        for multiple, factor in self._multiples.pop(variable, ()):
            (low, before), (_, last) = self._variables[variable].incomings
            with self.b.goto_block(before):
                first = _int(low.constant * factor) if isinstance(low, ir.Constant) else self.b.mul(low, _int(factor))
            with self.b.goto_block(last):
                following = self.b.add(multiple, _int(step * factor))
            multiple.add_incoming(first, before)
            multiple.add_incoming(following, last)

    def _outermost_first(self, lin: Lin) -> list[tuple[int, int]]:
        return sorted((term for term in lin[1] if term[0] not in self._fixed), key=lambda term: self.order.index(term[0]))


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
