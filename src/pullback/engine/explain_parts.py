"""A native program taken apart for people: its parts with what is fused in them, their bytes and operations, and their times.

What an operation computes is found from the expressions that it was lowered to: expressions that are reached from its outputs and from no
earlier operation's are its own.  A kernel computes the operations whose expressions it evaluates.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..ir.node import Node
from ..ir.tensor import SymbolicTensor
from .emission.scheduling import schedule
from .emission.segment import Segment, Stretch
from .lowering.builder import Branch, Builder, Loop, PartMove, Point, Product, Scatter
from .lowering.convolution import ChannelSums, Convolution, EachConvolution, Windowed
from .lowering.deferred_sums import DeferredProduct
from .lowering.factors import Factorisation
from .lowering.index import Lin
from .lowering.index_expr import Buffer, IndexExpr, Place
from .lowering.kernel import Kernel, cost_of
from .lowering.materialise import list_reachable
from .lowering.reorder import Reorder
from .lowering.row_tiling import RowBlocks, list_reads, list_writes
from .lowering.scans import Scan
from .parts import ARGUMENTS, LoopShape, Part
from .scalars import scalars

if TYPE_CHECKING:
    from .program import Program

_PLAIN = frozenset({"load", "scalar", "linear", "within"})


def parts_of(program: Program) -> tuple[Part, ...]:
    """What a program runs, in order."""
    owners = _Owners(program)
    found: list[_Work] = []
    for at, stage in enumerate(program._stages):
        if stage.builder is None:
            found += [_Work(_part_of_call(node, program), _uids(node.inputs), _uids(node.outputs)) for node in stage.nodes]
        elif at in program.planned:
            buffers = zip((*stage.builder.inputs, *stage.builder.outputs), (*stage.given, *stage.gives), strict=True)
            uids: dict[Hashable, Hashable] = {buffer.place: uid for buffer, uid in buffers}
            for part, read, written in _works(program.planned[at], owners):
                found.append(_Work(part, [uids.get(p, p) for p in read], [uids.get(p, p) for p in written]))
    wanted = [*program.spec.outputs, *(t for _, t in program._variables.written)]
    return _link_parts(found, program._fed, frozenset(_uids(wanted)))


def _uids(tensors: Sequence[Any]) -> list[Hashable]:
    return [t.uid for t in tensors if isinstance(t, SymbolicTensor)]


# ---- which operation an expression belongs to


class _Owners:
    """By expression, the operation that it is computed for, and the operations in the order of the program."""

    def __init__(self, program: Program) -> None:
        self.of: dict[IndexExpr, Node] = {}
        for at, exprs in program._exprs.items():
            builder = program._stages[at].builder
            #: What was computed to be in memory, by where it is.
            self._kept = {buffer.place: expr for expr, buffer in builder.realised.items()} if builder is not None else {}
            for node in program._stages[at].nodes:
                for t in node.outputs:
                    expr = exprs.get(t.uid)
                    if isinstance(expr, IndexExpr):
                        self._claim(expr, node)

    def _claim(self, expr: IndexExpr, node: Node) -> None:
        pending = [expr]
        while pending:
            at = pending.pop()
            if at not in self.of:
                self.of[at] = node
                pending += at.parts
                kept = self._kept.get(at.place) if isinstance(at, Buffer) else None
                pending += [] if kept is None else [kept]

    def operations(self, kernel: Kernel, builder: Builder) -> tuple[str, ...]:
        """The operations that a kernel computes something of."""
        found: dict[Node, None] = {}
        for target in kernel.exprs:
            for expr in list_reachable(target, builder.realised):
                if expr in self.of and not isinstance(expr, Buffer) and (expr is target or expr not in builder.realised):
                    found[self.of[expr]] = None
        return tuple([node.primitive.name for node in sorted(found, key=lambda node: node.position)])


# ---- parts


class _Work(NamedTuple):
    """A part, and what it reads and writes: places of memory, or tensors by their uids."""

    part: Part
    read: Sequence[Hashable]
    written: Sequence[Hashable]


def _link_parts(works: Sequence[_Work], given: Set[Hashable] = frozenset(), wanted: Set[Hashable] = frozenset()) -> tuple[Part, ...]:
    """The parts, each with those whose results it reads.  given, wanted: what the caller gives and gets."""
    makers: dict[Hashable, str] = dict.fromkeys(given, ARGUMENTS)
    found = []
    for part, read, written in works:
        takes = dict.fromkeys(makers[key] for key in read if key in makers)
        found.append(replace(part, takes=tuple(takes), gives=not wanted.isdisjoint(written)))
        makers.update(dict.fromkeys(written, part.name))
    return tuple(found)


def _works(segment: Segment, owners: _Owners) -> list[_Work]:
    named = [(f"{segment.name}_{i}", s) for i, s in enumerate(segment.stretches) if not isinstance(s, Point)]
    named += [(f"{segment.name}_late_{i}", scatter) for i, scatter in enumerate(segment.builder.deferred)]
    return [_Work(_part(name, s, segment, owners), _places(s, list_reads), _places(s, list_writes)) for name, s in named]


def _places(stretch: Stretch, of: Callable[[Any], list[Place]]) -> list[Place]:
    return [p for s in ([m.stretch for m in stretch.members] if isinstance(stretch, RowBlocks) else [stretch]) for p in of(s)]


def _parts(segment: Segment, owners: _Owners) -> tuple[Part, ...]:
    return _link_parts(_works(segment, owners))


def _kernel(name: str, kernel: Kernel, segment: Segment, owners: _Owners) -> Part:
    plan = schedule(kernel, segment.vector_bytes)
    loops = [
        LoopShape(kernel.extents[v], v in kernel.reduced, *((plan.lanes, plan.unroll) if v == plan.vector else ())) for v in plan.order
    ]
    functions = Counter(i.op for i in kernel.instrs if i.op not in _PLAIN)
    functions.update(f"{root.reduce} over" for root in kernel.roots if root.reduce)
    widest = max((i.dtype for i in kernel.instrs if scalars.is_float(i.dtype)), key=lambda d: d.itemsize, default=np.dtype(np.float32))
    return Part(
        "kernel",
        name,
        owners.operations(kernel, segment.builder),
        tuple(functions.items()),
        tuple(loops),
        (),
        _count_bytes_read(kernel),
        sum(_turns(kernel, _variables_of(root.position)) * root.buffer.dtype.itemsize for root in kernel.roots),
        _flops(kernel),
        widest.name,
    )


def _variables_of(lin: Lin) -> frozenset[int]:
    return frozenset([v for v, _ in lin[1]])


def _turns(kernel: Kernel, variables: frozenset[int]) -> int:
    return math.prod(n for v, n in kernel.extents.items() if v in variables)


def _count_bytes_read(kernel: Kernel) -> int:
    """The bytes of the distinct elements that a kernel loads, at most the whole of each array."""
    found: Counter[Any] = Counter()
    for instr in kernel.instrs:
        if instr.op == "load":
            place, position, looked_up, _ = instr.data
            variables = _variables_of(position).union(*(a.variables for a in instr.args[: len(looked_up)]))
            found[place] += _turns(kernel, variables) * instr.dtype.itemsize
    return sum(min(n, place.size) if place.size else n for place, n in found.items())


def _flops(kernel: Kernel) -> int:
    own = [i for i in kernel.instrs if i.op not in _PLAIN]
    total = sum(_turns(kernel, i.variables) * cost_of(i.op) for i in own)
    every = math.prod(kernel.extents.values())
    return total + every * sum(1 for root in kernel.roots if root.reduce)


def _part(name: str, stretch: Stretch, segment: Segment, owners: _Owners) -> Part:
    return _kernel(name, stretch, segment, owners) if isinstance(stretch, Kernel) else _block(name, stretch, segment, owners)


def _run(name: str, run: RowBlocks, segment: Segment, owners: _Owners) -> Part:
    """Kernels and products by rows, each as it is for one block of them."""
    inside = []
    for i, member in enumerate(run.members):
        part, rows = f"{name}_{i}", run.block * member.inner
        if isinstance(member.stretch, Kernel):
            made = _kernel(part, member.stretch, segment, owners)
        else:
            p = member.stretch
            sizes = {"rows": (p.batch, rows, p.n, p.k), "sums": (p.batch, p.m, p.n, rows), "stack": (rows, p.m, p.n, p.k)}
            made = _product(part, p, sizes[member.role])
        inside.append(_Work(made, list_reads(member.stretch), list_writes(member.stretch)))
    return Part("run", name, loops=(LoopShape(run.count), LoopShape(run.block)), inside=_link_parts(inside))


def _product(name: str, product: Product, sizes: tuple[int, int, int, int]) -> Part:
    batch, m, n, k = sizes
    item = product.out.dtype.itemsize
    read, written = (m * k + k * n) * batch * item, m * n * batch * item
    return Part("product", name, ("MatMul",), (), (), sizes, read, written, 2 * math.prod(sizes), product.out.dtype.name)


def _block(name: str, block: Stretch, segment: Segment, owners: _Owners) -> Part:
    if isinstance(block, RowBlocks):
        return _run(name, block, segment, owners)
    if isinstance(block, Product):
        return _product(name, block, (block.batch, block.m, block.n, block.k))
    if isinstance(block, Reorder):
        moved = block.rows * block.columns * block.out.dtype.itemsize
        shape = LoopShape(block.rows), LoopShape(block.columns)
        return Part("order", name, (), (("turn" if block.column != 1 else "copy", 1),), shape, (), moved, moved, dtype=block.out.dtype.name)
    if isinstance(block, DeferredProduct):
        (k, m), n = block.a.dims, block.b.dims[1]
        moved = k * (m + n) * block.a.dtype.itemsize
        return Part("deferred product", name, ("MatMul",), (), (), (1, m, n, k), moved, moved, 2 * k * m * n, block.a.dtype.name)
    if isinstance(block, Windowed):
        return _convolution(name, block)
    if isinstance(block, (Loop, Branch)):
        inside = tuple([part for inner in segment.inner[block] for part in _parts(inner, owners)])
        return Part("loop" if isinstance(block, Loop) else "branch", name, inside=inside)
    if isinstance(block, Scatter):
        moved = block.rows.size * block.inner * block.target.dtype.itemsize
        read = block.rows.size * block.rows.dtype.itemsize + moved
        function, rows = ((block.function, 1),), (LoopShape(block.rows.size), LoopShape(block.inner))
        return Part("scatter", name, (), function, rows, (), read, moved, dtype=block.target.dtype.name)
    if isinstance(block, Factorisation):
        loops = tuple([LoopShape(n) for n in (block.stack, block.size, block.columns)])
        read, written = (sum(place.size for place in places) for places in (block.reads, block.writes))
        return Part("factors", name, (), ((block.routine, 1),), loops, (), read, written, block.work, block.dtype.name)
    if isinstance(block, Scan):
        loops = tuple([LoopShape(n) for n in (block.outer, block.length, block.inner)])
        size = block.x.size * block.x.dtype.itemsize
        read = size * (1 if block.factors is None else 2)
        return Part("scan", name, (), ((block.function, 1),), loops, (), read, size, block.work, block.x.dtype.name)
    if isinstance(block, PartMove):
        size = block.row.size * block.row.dtype.itemsize
        return Part("row", name, (), ((block.function, 1),), (LoopShape(block.row.size),), (), size, size, dtype=block.row.dtype.name)
    raise TypeError(block)


def _convolution(name: str, block: Windowed) -> Part:
    outs, taps = (math.prod(n) for n in zip(*((axis.outputs, axis.taps) for axis in block.axes), strict=True))
    item, x = block.x.dtype.itemsize, block.x.size
    whole, filters = block.batch * outs * block.groups * block.outputs, taps * block.channels * block.groups * block.outputs
    forward, each = isinstance(block, (Convolution, EachConvolution)), isinstance(block, (EachConvolution, ChannelSums))
    read = x + (filters if forward else whole)
    sizes = (block.batch * outs, block.groups * block.outputs, taps * block.channels)
    computes = (("Depthwise" if each else "Conv") + ("" if forward else "BackpropFilter"),)
    written = whole if forward else filters
    return Part("product", name, computes, (), (), (1, *sizes), read * item, written * item, 2 * block.work, block.x.dtype.name)


def _part_of_call(node: Node, program: Program) -> Part:
    stateful = "it has a state or effects" if node.primitive.stateful else "a dtype or a shape that is not known has no native code"
    return Part("call", node.name, (node.primitive.name,), reason=program.refusals.get(node, stateful))
