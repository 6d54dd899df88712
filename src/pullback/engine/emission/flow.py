"""Control flow inside native programs: loops, branches and stacks, written into the function of the segment they stand in.

A loop variable has two buffers: the body reads where `now` points to and writes where `next` does; after each turn the two pointers
change places.  A fault noted in the body ends the loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import llvm_ir as ir
from ..lowering.builder import Block, Branch, Loop, PartMove, Point, Stack
from ..lowering.deferred_sums import DeferredProduct
from ..scalars import scalars
from .deferred_sums import keep_turn, multiply_deferred
from .scatter import emit_part

if TYPE_CHECKING:
    from .segment import Segment

I8, I32, I64, POINTER = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.PointerType()
#: The status of a program that found no memory for a stack.
NO_MEMORY = 2


def emit(b: ir.IRBuilder, segment: Segment, block: Block, both: ir.Value, status: ir.Value) -> None:
    """Write a loop, a branch, or the move of a slot or of a part."""
    if isinstance(block, Loop):
        _loop(b, segment, block, both, status)
    elif isinstance(block, Branch):
        _branch(b, segment, block, both, status)
    elif isinstance(block, Point):
        _point(b, segment, block, status)
    elif isinstance(block, DeferredProduct):
        keep_turn(b, segment, block, both)
    elif isinstance(block, PartMove):
        emit_part(b, block, segment.vector_bytes, lambda place: segment.address(b, b.function.args[:2], place), status)
    else:
        raise TypeError(block)


def _loop(b: ir.IRBuilder, segment: Segment, loop: Loop, both: ir.Value, status: ir.Value) -> None:
    given = b.function.args[:2]
    context = given[1]
    condition, body = segment.inner[loop]
    for variable in loop.variables:
        slots = [variable.now] if variable.next is None else [variable.now, variable.next]
        for slot, buffer in zip(slots, variable.buffers, strict=False):
            b.store(segment.address(b, given, buffer.place), segment.word(b, context, slot.index))
    for stack in loop.grown:
        _open_stack(b, segment, stack)
    for deferred in loop.deferred:
        b.store(ir.Constant(I64, 0), segment.word(b, context, deferred.word))
    for cursor, stack, end in loop.cursors:
        where = segment.word(b, context, stack.word + 2) if end is None else segment.address(b, given, end.place)
        b.store(b.load(where, typ=I64), segment.word(b, context, cursor.index))
    test, turn, after = (b.function.append_basic_block(n) for n in ("test", "turn", "after"))
    b.branch(test)
    b.position_at_end(test)
    condition.emit_inside(b, both, status)
    holds = b.load(condition.address(b, given, loop.verdict.place), typ=I8)
    well = b.icmp_signed("==", b.load(status, typ=I32), ir.Constant(I32, 0))
    b.cbranch(b.and_(well, b.icmp_unsigned("!=", holds, ir.Constant(I8, 0))), turn, after)
    b.position_at_end(turn)
    if segment.watch is not None:
        segment.watch.in_turn(b, condition.work + body.work)
    body.emit_inside(b, both, status)
    for variable in loop.variables:
        if variable.next is not None:
            words = [segment.word(b, context, slot.index) for slot in (variable.now, variable.next)]
            values = [b.load(word, typ=POINTER) for word in words]
            for word, value in zip(words, reversed(values), strict=True):
                b.store(value, word)
    for number, step in loop.counted:
        word = segment.word(b, context, number)
        b.store(b.add(b.load(word, typ=I64), ir.Constant(I64, step)), word)
    b.branch(test)
    b.position_at_end(after)
    for deferred in loop.deferred:
        multiply_deferred(b, body, deferred, both)


def _open_stack(b: ir.IRBuilder, segment: Segment, stack: Stack) -> None:
    """Let a stack begin: empty, with those inside it; or behind what turns of the loop around have left in it."""
    context = b.function.args[1]
    if stack.is_kept:
        length = b.load(segment.word(b, context, stack.word + 2), typ=I64)
        b.store(length, segment.word(b, context, stack.word + 3))
        return
    for empty in stack.list_all():
        b.store(ir.Constant(I64, 0), segment.word(b, context, empty.word + 2))


def _branch(b: ir.IRBuilder, segment: Segment, branch: Branch, both: ir.Value, status: ir.Value) -> None:
    given = b.function.args[:2]
    index = b.load(segment.address(b, given, branch.index.place), typ=I32)
    parts = segment.inner[branch]
    blocks = [b.function.append_basic_block("branch") for _ in parts]
    after = b.function.append_basic_block("joined")
    chosen = b.switch(index, blocks[-1])
    for i, (block, part) in enumerate(zip(blocks, parts, strict=True)):
        if i < len(parts) - 1:
            chosen.add_case(ir.Constant(I32, i), block)
        b.position_at_end(block)
        part.emit_inside(b, both, status)
        b.branch(after)
    b.position_at_end(after)


def _point(b: ir.IRBuilder, segment: Segment, point: Point, status: ir.Value) -> None:
    """Let a slot point to an element of a stack; a stack without room gets twice as much.

    Where there is no memory for that it is a fault, and the element takes the place of the last one: the loop ends with this turn.
    """
    context = b.function.args[1]
    stack, size = point.stack, point.slot.size
    words = [segment.word(b, context, stack.word + i) for i in range(3)]
    one = ir.Constant(I64, 1)
    if point.cursor is not None:
        cursor = segment.word(b, context, point.cursor)
        at = b.sub(b.load(cursor, typ=I64), one)
        b.store(at, cursor)
    else:
        length = b.load(words[2], typ=I64)
        with b.if_then(b.icmp_signed("==", length, b.load(words[1], typ=I64)), likely=False):
            _grow(b, words, size, status)
        room = b.load(words[1], typ=I64)
        at = b.select(b.icmp_signed("<", length, room), length, b.sub(room, one))
        b.store(b.add(at, one), words[2])
    data = b.load(words[0], typ=POINTER)
    where = b.gep(data, [b.mul(at, ir.Constant(I64, size))], source_etype=I8)
    b.store(where, segment.word(b, context, point.slot.index))


def _grow(b: ir.IRBuilder, words: list[ir.Value], size: int, status: ir.Value) -> None:
    room = b.load(words[1], typ=I64)
    double = b.mul(room, ir.Constant(I64, 2))
    realloc = scalars.declare_function(b.module, "realloc", POINTER, [POINTER, I64])
    found = b.call(realloc, [b.load(words[0], typ=POINTER), b.mul(double, ir.Constant(I64, max(size, 1)))])
    with b.if_else(b.icmp_unsigned("==", found, ir.Constant(POINTER, None))) as (none, some):
        with none:
            b.store(ir.Constant(I32, NO_MEMORY), status)
        with some:
            b.store(found, words[0])
            b.store(double, words[1])
