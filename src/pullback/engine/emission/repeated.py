"""Parts of a program that are the same code with other memory: emitted once, and called through a table.

The layers of a network and the turns of an unrolled loop become kernels and products that differ in nothing but where they read and write.
LLVM takes some milliseconds for each, so a program of a thousand layers would take seconds.  Here parts are compared by what they do, with
their places numbered in the order in which they come up.  What comes several times becomes one function of a list of addresses, and
stretches of calls become a table of numbers that one short loop goes through: neither LLVM's work nor the code grows with their number.

A table has, for each call: the function's number, the number of blocks, how many addresses there are, and for each of those three numbers:
which table it starts from (`ARENA`, `CONTEXT` or `BUFFERS`, plus `FOLLOW` where an address is read there), how many bytes further on, and
how many bytes after that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from ...base.named_values import NamedValues
from .. import llvm_ir as ir
from ..lowering.builder import Product
from ..lowering.index import Lin
from ..lowering.index_expr import Buffer, Place
from ..lowering.kernel import Instr, Kernel, Root
from ..scalars.counting import count_loop
from .interrupts import Watch, check_interrupt, share

I8, I32, I64, POINTER = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.PointerType()
ARENA, CONTEXT, BUFFERS, FOLLOW = 0, 1, 2, 4
#: What the code of a part is.
TASK = ir.FunctionType(ir.VoidType(), [POINTER, I64])
#: Parts of a segment from which on it is worth looking for equal ones.
_FEWEST = 8


class Location(NamedValues):
    """Where a place begins: `offset` bytes after a table's start, or (`follow`) what is written there."""

    table: int
    offset: int
    follow: bool


class Part(NamedValues):
    """What a part computes, with places of its own in the order of their numbers; and what those stand for: a place and bytes after it."""

    key: Hashable
    stretch: Kernel | Product
    places: list[tuple[Place, int]]


class Call(NamedValues):
    """A call of a repeated part: the function, how many blocks it has, and the places that it is given."""

    function: ir.Function
    blocks: int
    places: list[tuple[Place, int]]


def find_repeated(stretches: Sequence[object]) -> dict[int, Part]:
    """The parts that come several times, by the number of their stretch."""
    if sum(isinstance(s, (Kernel, Product)) for s in stretches) < _FEWEST:
        return {}
    found = {i: abstract(s) for i, s in enumerate(stretches) if isinstance(s, (Kernel, Product))}
    times = Counter(part.key for part in found.values())
    return {i: part for i, part in found.items() if times[part.key] > 1}


def abstract(stretch: Kernel | Product) -> Part:
    """A kernel or a product with places of its own instead of those it works on."""
    return _abstract_kernel(stretch) if isinstance(stretch, Kernel) else _abstract_product(stretch)


class _Places:
    """Stand-ins for places: one for each place and number of bytes after it."""

    def __init__(self) -> None:
        self.of: dict[tuple[Place, int], Place] = {}

    def stand_in(self, place: Place, bytes_after: int) -> Place:
        known = self.of.get((place, bytes_after))
        if known is None:
            known = self.of[place, bytes_after] = Place("given", len(self.of), place.size)
        return known


def _abstract_kernel(kernel: Kernel) -> Part:
    places = _Places()
    new: dict[Instr, Instr] = {}
    number: dict[Instr, int] = {}
    lines: list[Hashable] = []
    for instr in kernel.instrs:
        data = said = instr.data
        if instr.op == "load":
            place, position, looked_up, guarded = data
            start = 0 if looked_up or guarded else position[0]
            place = places.stand_in(place, start * instr.dtype.itemsize)
            position = (position[0] - start, position[1])
            data, said = (place, position, looked_up, guarded), (place.index, position, looked_up, guarded)
        elif instr.op == "scalar":
            said = data.tobytes()
        new[instr] = Instr(instr.op, tuple([new[a] for a in instr.args]), data, instr.dtype, instr.variables)
        number[instr] = len(number)
        lines.append((instr.op, tuple([number[a] for a in instr.args]), said, instr.dtype))
    roots = []
    for root in kernel.roots:
        start = root.position[0]
        place = places.stand_in(root.buffer.place, start * root.buffer.dtype.itemsize)
        after: Lin = (0, root.position[1])
        made = Root(new[root.value], Buffer(root.buffer.dims, root.buffer.dtype, place), after, root.reduce)
        made.adds = root.adds
        roots.append(made)
        lines.append((place.index, number[root.value], root.buffer.dims, root.buffer.dtype, after, root.reduce, root.adds))
    copy = Kernel(dict(kernel.extents), kernel.reduced, list(new.values()), roots)
    copy.clipped, copy.counters, copy.rows, copy.even = kernel.clipped, kernel.counters, kernel.rows, kernel.even
    loops = (tuple(kernel.extents.items()), kernel.reduced, tuple(kernel.clipped.items()), tuple(sorted(kernel.counters)))
    return Part((loops, kernel.rows, kernel.even, tuple(lines)), copy, list(places.of))


def _abstract_product(product: Product) -> Part:
    places = _Places()
    starts = (0, 0, product.offset * product.out.dtype.itemsize)
    given = zip((product.a, product.b, product.out), starts, strict=True)
    a, b, out = (Buffer(x.dims, x.dtype, places.stand_in(x.place, start)) for x, start in given)
    copy = Product(a, b, out, (product.m, product.n, product.k), product.batch, product.layouts)
    copy.panel = product.panel
    same = tuple((x.place.index, x.dtype) for x in (a, b, out))
    sizes = (product.m, product.n, product.k, product.batch, product.panel, b.dims if product.panel else None)
    return Part((same, sizes, product.layouts), copy, list(places.of))


def load_address(b: ir.IRBuilder, given: Sequence[ir.Value], place: Place) -> ir.Value:
    """Where a stand-in is, in a function whose first argument is a list of addresses."""
    return b.load(b.gep(given[0], [_int(place.index)], source_etype=POINTER), typ=POINTER)


def emit_calls(
    b: ir.IRBuilder, name: str, calls: Sequence[Call], both: ir.Value, locate: Callable[[Place], Location], watch: Watch | None
) -> None:
    """Write calls of repeated parts, one after another, as a table that is gone through; watch: the function's way out."""
    functions = list(dict.fromkeys(call.function for call in calls))
    table = [number for call in calls for number in _row(call, functions, locate)]
    targets = _constant(b.module, f"{name}_functions", ir.ArrayType(POINTER, len(functions)), functions)
    rows = _constant(b.module, f"{name}_calls", ir.ArrayType(I64, len(table)), [_int(n) for n in table])
    longest = max(len(call.places) for call in calls)
    look = ir.Constant(POINTER, None) if watch is None else watch.look
    tables = [b.bitcast(targets, POINTER), b.bitcast(rows, POINTER)]
    hit = b.call(_runner(b.module, watch is not None), [both, *tables, _int(len(calls)), _int(longest), look])
    if watch is not None:
        watch.leave_if(b, hit)


def _row(call: Call, functions: list[ir.Function], locate: Callable[[Place], Location]) -> list[int]:
    row = [functions.index(call.function), call.blocks, len(call.places)]
    for place, after in call.places:
        at = locate(place)
        row += [at.table + (FOLLOW if at.follow else 0), at.offset, after]
    return row


def _constant(module: ir.Module, name: str, kind: ir.Type, value: Sequence[ir.Value]) -> ir.GlobalVariable:
    made = ir.GlobalVariable(module, kind, name)
    made.initializer, made.global_constant, made.linkage = ir.Constant(kind, value), True, "internal"
    return made


def _runner(module: ir.Module, stops: bool) -> ir.Function:
    """`i32 pb_repeated(ptr both, ptr functions, ptr calls, i64 count, i64 longest, ptr look)`: goes through a table of calls.

    stops: whether it ends when Ctrl-C is pressed, and answers so.
    """
    known = module.globals.get("pb_repeated")
    if isinstance(known, ir.Function):
        return known
    function = ir.Function(module, ir.FunctionType(I32, [POINTER, POINTER, POINTER, I64, I64, POINTER]), "pb_repeated")
    function.linkage = "internal"
    both, functions, calls, count, longest, look = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    out = function.append_basic_block("interrupted")
    ir.IRBuilder(out).ret(ir.Constant(I32, 1))
    watch = Watch(look, out) if stops else None
    frame = b.alloca(POINTER, longest)
    tables = b.alloca(POINTER, 3)
    row = b.alloca(POINTER)
    buffers, context = (_entry(b, both, i, POINTER) for i in range(2))
    for i, start in enumerate((b.load(context, typ=POINTER), context, buffers)):
        b.store(start, b.gep(tables, [_int(i)], source_etype=POINTER))
    b.store(calls, row)

    def call(_: ir.Value) -> None:
        at = b.load(row, typ=POINTER)
        target, blocks, places = (_entry(b, at, i, I64) for i in range(3))

        def address(i: ir.Value) -> None:
            said = b.gep(at, [b.add(b.mul(i, _int(3)), _int(3))], source_etype=I64)
            _address(b, tables, said, b.gep(frame, [i], source_etype=POINTER))

        count_loop(b, _int(0), places, _int(1), address)
        code = b.load(b.gep(functions, [target], source_etype=POINTER), typ=POINTER)
        with b.if_else(b.icmp_signed("==", blocks, _int(1))) as (alone, several):
            with alone:
                b.call(code, [frame, _int(0)], TASK)
                if watch is not None:
                    watch.leave_if(b, check_interrupt(b, look))
            with several:
                hit = share(b, code, frame, blocks, look if stops else None)
                if watch is not None and hit is not None:
                    watch.leave_if(b, hit)
        b.store(b.gep(at, [b.add(b.mul(places, _int(3)), _int(3))], source_etype=I64), row)

    count_loop(b, _int(0), count, _int(1), call)
    b.ret(ir.Constant(I32, 0))
    return function


def _address(b: ir.IRBuilder, tables: ir.Value, said: ir.Value, to: ir.Value) -> None:
    """Put the address that three numbers say where it belongs in the list."""
    which, offset, after = (_entry(b, said, i, I64) for i in range(3))
    table = b.load(b.gep(tables, [b.and_(which, _int(FOLLOW - 1))], source_etype=POINTER), typ=POINTER)
    place = b.gep(table, [offset], source_etype=I8)
    b.store(b.gep(place, [after], source_etype=I8), to)
    with b.if_then(b.icmp_unsigned(">=", which, _int(FOLLOW))):
        b.store(b.gep(b.load(place, typ=POINTER), [after], source_etype=I8), to)


def _entry(b: ir.IRBuilder, table: ir.Value, i: int, kind: ir.Type) -> ir.Value:
    return b.load(b.gep(table, [_int(i)], source_etype=kind), typ=kind)


def _int(value: int) -> ir.Constant:
    return ir.Constant(I64, value)
