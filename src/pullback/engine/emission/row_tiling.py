"""A run of rows as LLVM code: for each block of rows of a task, the members one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import llvm_ir as ir
from ..lowering.index_expr import Buffer, Place, identity
from ..lowering.kernel import Kernel
from ..lowering.row_tiling import Member, RowBlocks
from ..scalars import scalars
from ..scalars.counting import clear_bytes, count_loop, emit_min
from .blas_calls import emit_matrix, find_starts
from .emit import I1, I64, Emitter
from .scheduling import schedule
from .tiles import Strides, emit_tiles

if TYPE_CHECKING:
    from .segment import Segment

I8, POINTER = ir.IntType(8), ir.PointerType()


def emit_task(segment: Segment, b: ir.IRBuilder, name: str, run: RowBlocks, given: Sequence[ir.Value], task: ir.Value) -> None:
    """Write what a task of a run does; given: the buffers and the context."""
    code = _RunCode(segment, run)
    words = [segment.word(b, given[1], run.words), code.memory(b, given)]
    slot = b.call(_claim(b.module), [words[0], _int(run.tasks)])
    scratch = b.gep(words[1], [b.mul(slot, _int(run.scratch_bytes))], source_etype=I8)
    unknown = ir.Constant(POINTER, None)
    for parts_of, kind in run.sums.values():
        _fill(b, parts_of, kind, code.address(b, [*given, unknown, unknown, scratch, task], parts_of.place))
    first = b.mul(task, _int(run.length))
    last = emit_min(b, b.add(first, _int(run.length)), _int(run.count))

    def block(at: ir.Value) -> None:
        end = emit_min(b, b.add(at, _int(run.block)), last)
        for i, member in enumerate(run.members):
            start = segment.now(b)
            code.write(b, member, [*given, at, end, scratch, task])
            segment.record(b, f"{name}_{i}", member.stretch, start)

    count_loop(b, first, last, _int(run.block), block)
    b.atomic_rmw("xchg", b.gep(words[0], [slot], source_etype=I64), _int(0), "release")


def free_scratch(b: ir.IRBuilder, segment: Segment, run: RowBlocks) -> None:
    """Let all scratch memories of a run be free: in a forked child some may not be, whose threads are not there."""
    for i in range(run.tasks):
        b.store(_int(0), segment.word(b, b.function.args[1], run.words + i))


class _RunCode:
    """The code of a run's members; each is given the buffers, the context, its first row and the one after its last, scratch and task."""

    def __init__(self, segment: Segment, run: RowBlocks) -> None:
        self.segment, self.run = segment, run

    def write(self, b: ir.IRBuilder, member: Member, given: Sequence[ir.Value]) -> None:
        """Write a member."""
        if isinstance(member.stretch, Kernel):
            plan = schedule(member.stretch, self.segment.vector_bytes)
            Emitter(b, member.stretch, plan, self.address, given).emit()
        else:
            self._product(b, member, given)

    def memory(self, b: ir.IRBuilder, given: Sequence[ir.Value]) -> ir.Value:
        """Where the scratch memories lie."""
        return self.segment.address(b, given, self.run.memory)

    def address(self, b: ir.IRBuilder, given: Sequence[ir.Value], place: Place) -> ir.Value:
        """Where a place begins: in scratch memory that is where its first row would be."""
        _, _, first, _, scratch, task = given
        if place in self.run.scratch:
            start, size = self.run.scratch[place]
            return b.gep(scratch, [b.sub(_int(start), b.mul(first, _int(size)))], source_etype=I8)
        whole = self.segment.address(b, given, place)
        if place in self.run.sums:
            return b.gep(whole, [b.mul(task, _int(place.size // self.run.tasks))], source_etype=I8)
        return whole

    def _product(self, b: ir.IRBuilder, member: Member, given: Sequence[ir.Value]) -> None:
        product = member.stretch
        assert not isinstance(product, Kernel)
        if member.role == "stack":
            starts = find_starts(b, product, lambda place: self.address(b, given, place))
            low, high = (b.mul(row, _int(member.inner)) for row in given[2:4])
            count_loop(b, low, high, _int(1), lambda i: emit_matrix(b, product, i, starts))
            return
        of_a, of_b, of_out = product.layouts
        sums = member.role == "sums"
        first, rows = (b.mul(n, _int(member.inner)) for n in (given[2], b.sub(given[3], given[2])))
        real = scalars.register_type(product.out.dtype, 1)
        starts = [b.mul(first, _int(step)) for step in ((of_a.column, of_b.row, 0) if sums else (of_a.row, 0, of_out.row))]
        pointers = [
            b.gep(self.address(b, given, buffer.place), [start], source_etype=real)
            for buffer, start in zip((product.a, product.b, product.out), starts, strict=True)
        ]
        strides = Strides(of_a.row, of_a.column, of_b.row, of_out.row)
        sizes = (product.m, product.n, rows) if sums else (rows, product.n, product.k)

        def matrix(i: ir.Value) -> None:
            stacks = [b.mul(i, _int(layout.stack)) for layout in product.layouts]
            a, c, out = (b.gep(p, [at], source_etype=real) for p, at in zip(pointers, stacks, strict=True))
            emit_tiles(b, product.out.dtype, (a, c, out), sizes, strides, self.segment.vector_bytes, adds=sums)

        count_loop(b, _int(0), _int(product.batch), _int(1), matrix)


def _claim(module: ir.Module) -> ir.Function:
    """`i64 pb_claim(ptr words, i64 count)`: takes the first word that is free, of as many as there are tasks at most."""
    known = module.globals.get("pb_claim")
    if isinstance(known, ir.Function):
        return known
    function = ir.Function(module, ir.FunctionType(I64, [POINTER, I64]), "pb_claim")
    function.linkage = "internal"
    entry, tried, taken = (function.append_basic_block(n) for n in ("entry", "tried", "taken"))
    ir.IRBuilder(entry).branch(tried)
    b = ir.IRBuilder(tried)
    at = b.phi(I64)
    at.add_incoming(_int(0), entry)
    word = b.gep(function.args[0], [at], source_etype=I64)
    got = b.cmpxchg(word, _int(0), _int(1), "acquire", "monotonic")
    at.add_incoming(b.urem(b.add(at, _int(1)), function.args[1]), tried)
    b.cbranch(b.extract_value(got, 1), taken, tried)
    ir.IRBuilder(taken).ret(at)
    return function


def _fill(b: ir.IRBuilder, parts: Buffer, kind: str, where: ir.Value) -> None:
    """Let the sums of a task be those of nothing."""
    item = parts.dtype.itemsize
    if kind == "sum":
        clear_bytes(b, where, _int(parts.dims[1] * item))
        return
    value: ir.Value = scalars.constant(identity(kind, parts.dtype), parts.dtype)
    stored = scalars.memory_type(parts.dtype, 1)
    value = b.zext(value, stored) if value.type == I1 else value

    def store_value(at: ir.Value) -> None:
        b.store(value, b.gep(where, [at], source_etype=stored), align=item)

    count_loop(b, _int(0), _int(parts.dims[1]), _int(1), store_value)


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
