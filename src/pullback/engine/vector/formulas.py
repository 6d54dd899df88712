"""The words of formulas that NumPy's arrays have too (`ops.special.arrays.Arrays`), as code for vectors of float64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...ops.special import pairs
from ...ops.special.quadrature import NODES, WEIGHTS
from .. import llvm_ir as ir
from .code import Code, Number
from .exp_log import exp, log1p_of, split
from .registers import splat
from .wide import repeat_while, where_any

_I64 = ir.IntType(64)
_FURTHEST = 2000.0
_STEPS = 100_000


class Words:
    """The functions of vectors: `Arrays` says what each gives."""

    def __init__(self, c: Code) -> None:
        self._code = c
        self.abs, self.sqrt, self.rint, self.floor, self.select = c.abs, c.sqrt, c.rint, c.floor, c.select
        self.polynomial, self.maximum, self.minimum = c.polynomial, c.at_least, c.at_most

    def product(self, x: Number | float, y: Number | float) -> tuple[Number, Number]:
        """One of the two is a Number."""
        if not isinstance(x, Number):
            x, y = y, x
        assert isinstance(x, Number)
        value = x * y
        return value, self._code.fma(x, y, -value)

    def split(self, x: Number) -> tuple[Number, Number]:
        """Of x > 0."""
        return split(self._code, x)

    def scale_by_power(self, x: Number | float, n: Number) -> Number:
        """Rounded once."""
        c = self._code
        bounded = c.at_most(c.at_least(n, -_FURTHEST), _FURTHEST)
        return c.scale_by_power(x if isinstance(x, Number) else c.real(x), bounded, bounded + c.magic)

    def exp(self, x: Number) -> Number:
        """exp(x)."""
        return exp(self._code, x)

    def log1p(self, x: Number) -> Number:
        """log(1 + x) for x > -1."""
        return log1p_of(self._code, x)

    def down(self, count: Number, stop: int, start: Sequence[Number], step: Callable[..., Sequence[Number]]) -> list[Number]:
        """Each lane takes as many steps as it asks for."""

        def run_step(k: Number, *values: Number) -> tuple[Number, Sequence[Number]]:
            n = count - (k - 1.0)
            return n > stop + 1.0, step(n, *values)

        return repeat_while(self._code, count > float(stop), start, run_step, _STEPS)

    def mean(self, f: Callable[[Number], Number], end: Number) -> Number:
        """A loop over the nodes, whose sum is one of two numbers."""
        c = self._code
        before, body, after = c.b.block, c.b.append_basic_block(), c.b.append_basic_block()
        tables = [_table(c.b.module, name, values) for name, values in (("nodes", NODES), ("weights", WEIGHTS))]
        nought = c.real(0.0)
        c.b.branch(body)
        c.b.position_at_end(body)
        i = c.b.phi(_I64)
        total, low = (c.b.phi(c.real_type) for _ in range(2))
        node, weight = (_element(c, table, i) for table in tables)
        value = f(node * end) * weight
        sum_: Number
        sum_, lost = pairs.two_sum(Number(c, total), value)
        rest: Number = Number(c, low) + lost
        following = c.b.sub(i, _I64(1))
        for phi, first, then in ((i, _I64(NODES.size - 1), following), (total, nought.value, sum_.value), (low, nought.value, rest.value)):
            phi.add_incoming(first, before)
            phi.add_incoming(then, c.b.block)
        c.b.cbranch(c.b.icmp_signed(">=", following, _I64(0)), body, after)
        c.b.position_at_end(after)
        return sum_ + rest

    def pieces(self, answer: Number, choices: Sequence[tuple[Number, Callable[..., Number], Sequence[float]]], *args: Number) -> Number:
        """What no lane needs is jumped over."""
        c = self._code
        for mask, f, known in choices:
            given = [c.select(mask, a, k) for a, k in zip(args, known, strict=True)]
            answer = where_any(c, mask, partial(f, *given), answer)
        return answer


def _table(module: ir.Module, name: str, values: np.ndarray[Any, Any]) -> ir.GlobalVariable:
    known = module.variable(f"pullback.{name}")
    if known is None:
        kind = ir.ArrayType(ir.DoubleType(), values.size)
        known = ir.GlobalVariable(module, kind, f"pullback.{name}")
        known.linkage, known.global_constant = "internal", True
        known.initializer = ir.Constant(kind, [ir.Constant(ir.DoubleType(), float(v)) for v in values])
    return known


def _element(c: Code, table: ir.GlobalVariable, i: ir.Value) -> Number:
    """A number of a table in all lanes."""
    place = c.b.gep(c.b.bitcast(table, ir.PointerType()), [i], source_etype=ir.DoubleType())
    return Number(c, splat(c.b, c.b.load(place, typ=ir.DoubleType()), c.lanes))
