"""Counted loops and cleared memory, written into a function: what the loops of native programs are made with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import llvm_ir as ir
from ..vector.registers import declare_function

I1, I8, I64, POINTER = ir.IntType(1), ir.IntType(8), ir.IntType(64), ir.PointerType()


def emit_min(b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    """The lesser of two integers with signs."""
    return b.select(b.icmp_signed("<", x, y), x, y)


def emit_max(b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    """The greater of two integers with signs."""
    return b.select(b.icmp_signed(">", x, y), x, y)


def clear_bytes(b: ir.IRBuilder, at: ir.Value, size: ir.Value) -> None:
    """Put zeros in `size` bytes of memory."""
    memset = declare_function(b.module, "llvm.memset.p0.i64", ir.VoidType(), [POINTER, I8, I64, I1])
    b.call(memset, [at, ir.Constant(I8, 0), size, ir.Constant(I1, 0)])


def count_loop(b: ir.IRBuilder, low: ir.Value, high: ir.Value, step: ir.Value, body: Callable[[ir.Value], None]) -> None:
    """Let `body` write what is done for low, low + step, ... below high; `b` stands after the loop at the end."""
    head, inside, after = (b.function.append_basic_block(n) for n in ("head", "inside", "after"))
    before = b.block
    b.branch(head)
    b.position_at_end(head)
    at = b.phi(I64)
    at.add_incoming(low, before)
    b.cbranch(b.icmp_signed("<", at, high), inside, after)
    b.position_at_end(inside)
    body(at)
    at.add_incoming(b.add(at, step), b.block)
    b.branch(head)
    b.position_at_end(after)


def carry_loop(
    b: ir.IRBuilder,
    low: ir.Value,
    high: ir.Value,
    step: ir.Value,
    values: Sequence[ir.Value],
    body: Callable[[ir.Value, Sequence[ir.Value]], Sequence[ir.Value]],
) -> list[ir.Value]:
    """A counted loop that hands values on from turn to turn: `body` gives the next ones; the last ones are the result."""
    head, inside, after = (b.function.append_basic_block(n) for n in ("head", "inside", "after"))
    before = b.block
    b.branch(head)
    b.position_at_end(head)
    at, now = b.phi(I64), [b.phi(value.type) for value in values]
    at.add_incoming(low, before)
    for phi, value in zip(now, values, strict=True):
        phi.add_incoming(value, before)
    b.cbranch(b.icmp_signed("<", at, high), inside, after)
    b.position_at_end(inside)
    following = body(at, now)
    at.add_incoming(b.add(at, step), b.block)
    for phi, value in zip(now, following, strict=True):
        phi.add_incoming(value, b.block)
    b.branch(head)
    b.position_at_end(after)
    return list(now)
