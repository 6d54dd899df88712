"""What longer functions are made of: float64 for both formats, polynomials from tables, pieces and loops that only some lanes need.

Lanes stay independent of each other: a piece that no lane needs is jumped over, a loop goes on until the last lane is done, and lanes that
need neither keep what they had.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import llvm_ir as ir
from .code import Code, Number
from .tables import Table

Build = Callable[..., Number]


def compute_in_double(build: Build) -> Build:
    """A function of either format computed in float64.  build: from a code of float64, the bits of the result and the arguments."""

    def function(narrow: Code, *args: Number) -> Number:
        if narrow.bits == 64:
            return build(narrow, 64, *args)
        wide = [narrow.widen(a) for a in args]
        return narrow.narrow(build(wide[0].code, 32, *wide))

    return function


def evaluate_table(c: Code, bits: int, x: Number, table: Table) -> Number:
    """A table's polynomial at x, for a result of so many bits."""
    return c.polynomial(c.fma(x, table.scale, table.shift), table.coefficients[bits])


def _is_any_set(c: Code, mask: Number) -> ir.Value:
    """Whether a mask is set in some lane."""
    if c.lanes == 1:
        return mask.value
    kind = ir.IntType(c.lanes)
    return c.b.icmp_unsigned("!=", c.b.bitcast(mask.value, kind), ir.Constant(kind, 0))


def where_any(c: Code, mask: Number, build: Callable[[], Number], answer: Number) -> Number:
    """The answer, but what `build` gives where the mask is set: nothing of it runs where no lane is."""
    before, needed = c.b.block, _is_any_set(c, mask)
    with c.b.if_then(needed):
        found = c.select(mask, build(), answer)
        inside = c.b.block
    joined = c.b.phi(c.real_type)
    joined.add_incoming(answer.value, before)
    joined.add_incoming(found.value, inside)
    return Number(c, joined)


def repeat_while(
    c: Code, active: Number, start: Sequence[Number], step: Callable[..., tuple[Number, Sequence[Number]]], limit: int
) -> list[Number]:
    """Builder until no lane is active, at most `limit` of them.

    active: the lanes that take part.  start: what they begin with.  step: from the number of the step, from 1 on and a real, and the values
    so far, to the lanes that go on and the values that follow; those of lanes that are not active any more stay.
    """
    before = c.b.block
    body, after = c.b.append_basic_block(), c.b.append_basic_block()
    c.b.cbranch(_is_any_set(c, active), body, after)
    c.b.position_at_end(body)
    count = c.b.phi(c.real_type)
    mask = c.b.phi(c.mask_type)
    values = [c.b.phi(c.real_type) for _ in start]
    going, n = Number(c, mask), Number(c, count)
    more, found = step(n, *(Number(c, v) for v in values))
    kept = [c.select(going, new, Number(c, old)) for new, old in zip(found, values, strict=True)]
    still = going & more & (n < float(limit))
    last = c.b.block
    for phi, first, following in [
        (count, c.real(1.0), n + 1.0),
        (mask, active, still),
        *zip(values, start, kept, strict=True),
    ]:
        phi.add_incoming(first.value, before)
        phi.add_incoming(following.value, last)
    c.b.cbranch(_is_any_set(c, still), body, after)
    c.b.position_at_end(after)
    answers = []
    for first, following in zip(start, kept, strict=True):
        joined = c.b.phi(c.real_type)
        joined.add_incoming(first.value, before)
        joined.add_incoming(following.value, last)
        answers.append(Number(c, joined))
    return answers
