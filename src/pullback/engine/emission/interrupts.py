"""Where native code looks whether Ctrl-C was pressed: between the turns of loops, and after stretches that take long.

A program that finds so ends at once, with a status of its own.  Nothing has been changed by then, so the interpreter sees to the signal,
and if its handler does not raise, the run is done by kernels.
"""

from __future__ import annotations

from .. import llvm_ir as ir
from ..scalars import scalars

I32, I64, POINTER = ir.IntType(32), ir.IntType(64), ir.PointerType()
#: The status of a program that was interrupted.
INTERRUPTED = 3
#: Plain operations between two looks; each takes some nanoseconds.
_WORK_A_LOOK = 100_000


class Watch:
    """A function's way out: `look` has when the next look at the signal is due (see `host.interrupts`), `out` ends the function."""

    def __init__(self, look: ir.Value, out: ir.Block) -> None:
        self.look, self.out = look, out
        #: The work that was written down since the last look.
        self.work = 0

    def leave_if(self, b: ir.IRBuilder, hit: ir.Value) -> None:
        """End the function if `hit` is not zero."""
        on = b.function.append_basic_block("on")
        b.cbranch(b.icmp_unsigned("==", hit, ir.Constant(I32, 0)), on, self.out)
        b.position_at_end(on)

    def after(self, b: ir.IRBuilder, work: int) -> None:
        """Look after so much work, where it has come to enough."""
        self.work += work
        if self.work >= _WORK_A_LOOK:
            self.work = 0
            self.leave_if(b, check_interrupt(b, self.look))

    def in_turn(self, b: ir.IRBuilder, work: int) -> None:
        """Look in a turn of a loop that takes so much work: in each, or once in many."""
        turns = _WORK_A_LOOK // max(work, 1)
        if turns < 2:
            self.leave_if(b, check_interrupt(b, self.look))
            return
        with b.goto_entry_block():
            counter = b.alloca(I64)
            b.store(ir.Constant(I64, turns), counter)
        left = b.sub(b.load(counter, typ=I64), ir.Constant(I64, 1))
        b.store(left, counter)
        with b.if_then(b.icmp_signed("<=", left, ir.Constant(I64, 0)), likely=False):
            b.store(ir.Constant(I64, turns), counter)
            self.leave_if(b, check_interrupt(b, self.look))


def watch(b: ir.IRBuilder) -> Watch:
    """The way out of the function that is begun."""
    look = b.alloca(I64)
    b.store(ir.Constant(I64, 0), look)
    out = b.function.append_basic_block("interrupted")
    ir.IRBuilder(out).ret(ir.Constant(I32, INTERRUPTED))
    return Watch(look, out)


def check_interrupt(b: ir.IRBuilder, look: ir.Value) -> ir.Value:
    """Whether Ctrl-C was pressed: not zero if so."""
    return b.call(scalars.declare_function(b.module, "pb_interrupted", I32, [POINTER]), [look])


def share(b: ir.IRBuilder, task: ir.Value, context: ir.Value, blocks: ir.Value, look: ir.Value | None) -> ir.Value | None:
    """Have several threads run a task's blocks; with `look`, they stop when Ctrl-C is pressed, and the answer says so."""
    if look is None:
        b.call(scalars.declare_function(b.module, "pb_parallel", ir.VoidType(), [POINTER, POINTER, I64]), [task, context, blocks])
        return None
    shared = scalars.declare_function(b.module, "pb_parallel_until", I32, [POINTER, POINTER, I64, POINTER])
    return b.call(shared, [task, context, blocks, look])
