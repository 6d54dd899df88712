"""Which loop of a kernel is spread over the lanes of vectors, how wide, and in which order the loops stand."""

from __future__ import annotations

import math
from collections.abc import Container

from ..lowering.kernel import Instr, Kernel, cost_of
from ..scalars import scalars

#: The work of a body that is short: it takes four vectors a step. A long one takes no second vector; where one is longer, four registers
#: may make a vector.
_SHORT, _LONG, _LONGER = 16, 75, 190
#: The bytes of vectors that have sixteen registers (AVX2).  These are too few for the constants of several vectors a step: each vector
#: loads them again, where registers that make one vector share a load.  So functions (`exp`) take four registers a vector, other bodies
#: that are not short take two: loops over one function take 0.8 of the time.  The end of a loop takes a whole vector under a mask, so the
#: loop must be as long as so many vectors.
_OF_SIXTEEN, _WIDE_STEPS = 32, 4
#: So many chains of operations that do not wait for each other keep the processor busy with one register a vector; so few need four.
_CHAINS, _FEW_CHAINS = 10, 4
#: The work of a load at a place that was computed: what comes of it waits for memory.
_LOOKED_UP = 4
#: The bytes of results that are summed in memory, of the shortest rows that this is done for, and of all that is read.
_SUMS, _ROW, _READ = 16 << 10, 1 << 10, 256 << 10
#: How much work of a column may be done again in each row for that.
_AGAIN = 6
#: So many turns of a loop fill vectors well.
_FILLED = 16
#: The bytes of the narrowest vectors that are read and written under a mask by one instruction.
_LEAST_MASKED = 32


class Schedule:
    """How a kernel's loops run: their order, the vector variable and its lanes and how many vectors a step takes.

    masked: whether each step is masked, not only the last one: a long body is then written once.
    sums_rows: whether the loops that reduce stand outside the vector variable's, so that memory is read row by row: results are summed
    where they will be, not in registers.
    turned: of a copy that turns a matrix (`transpose`), the variables that it is written and read along.
    """

    __slots__ = ("lanes", "masked", "order", "sums_rows", "turned", "unroll", "vector")

    def __init__(
        self, order: list[int], vector: int | None, lanes: int, unroll: int, masked: bool = False, turned: tuple[int, int] | None = None
    ) -> None:
        self.order, self.vector, self.lanes, self.unroll, self.masked, self.turned = order, vector, lanes, unroll, masked, turned
        self.sums_rows = False


def schedule(kernel: Kernel, vector_bytes: int) -> Schedule:
    """The schedule of a kernel on a machine with vectors of so many bytes."""
    turned = _find_turned_axes(kernel, vector_bytes)
    if turned is not None:
        outer = [v for v in kernel.extents if v not in turned]
        return Schedule([*outer, *turned], turned[0], vector_bytes // kernel.instrs[0].dtype.itemsize, 1, turned=turned)
    widest = max((scalars.real_part(i.dtype).itemsize for i in kernel.instrs if i.dtype.kind in "fc"), default=4)
    lanes = max(vector_bytes // max(widest, 4), 1)
    vector = _vector_variable(kernel)
    if vector is None:
        return Schedule(sorted(kernel.extents, key=lambda v: v in kernel.reduced), None, 1, 1)
    order = _order(kernel, vector)
    work, longest = _work(kernel, vector)
    if _LONG < work < _CHAINS * longest:
        lanes *= 4 if _LONGER < work < _FEW_CHAINS * longest else 2
    while lanes > 1 and lanes // 2 >= kernel.extents[vector]:
        lanes //= 2
    if lanes == 1:
        return Schedule(order, None, 1, 1)
    unroll = _unroll(kernel, vector, lanes, work)
    if unroll > 1 and vector_bytes == _OF_SIXTEEN:
        registers = 4 if _calls_function(kernel, vector) else 2 if work > _SHORT else 1
        while registers > 1 and kernel.extents[vector] < _WIDE_STEPS * registers * lanes:
            registers //= 2
        if registers > 1:
            lanes, unroll = registers * lanes, 1
    found = Schedule(order, vector, lanes, unroll, masked=work > _LONG and vector_bytes >= _LEAST_MASKED)
    if _sums_rows(kernel, order, vector):
        found.sums_rows = True
        found.order = [v for v in order if v != vector] + [vector]
    return found


def _sums_rows(kernel: Kernel, order: list[int], vector: int) -> bool:
    """Whether sums down columns are better added up row by row: where the columns of long rows would each be read by themselves."""
    sums = [root for root in kernel.roots if root.reduce is not None]
    reduced = [v for v in order if v in kernel.reduced]
    if not sums or vector in kernel.reduced or not reduced or order[0] == vector or vector == kernel.rows or vector in kernel.clipped:
        return False
    if any(r.reduce != "sum" or r.adds or r.buffer.dtype.kind != "f" or dict(r.position[1]).get(vector) != 1 for r in sums):
        return False
    if _work_of_columns(kernel, vector, set(reduced)) > _AGAIN:
        return False
    row = kernel.extents[vector] * sums[0].buffer.dtype.itemsize
    loads = [i for i in kernel.instrs if i.op == "load" and dict(i.data[1][1]).get(vector) == 1 and i.variables >= set(reduced)]
    read = sum(math.prod(kernel.extents[v] for v in i.variables) * i.dtype.itemsize for i in loads)
    return row >= _ROW and row * len(sums) <= _SUMS and read >= _READ


def _work_of_columns(kernel: Kernel, vector: int, reduced: set[int]) -> int:
    """What is done once for a column where it is added up by itself, and again in each row where all columns are added up together."""
    alone = (i for i in kernel.instrs if vector in i.variables and i.op != "load" and reduced.isdisjoint(i.variables))
    return sum(cost_of(instr.op) for instr in alone)


def _work(kernel: Kernel, vector: int) -> tuple[int, int]:
    """What a step costs, and the longest chain of operations in it that wait for each other.

    Where most wait, several registers make a vector, so that the others have their turn meanwhile.
    """
    ends: dict[Instr, int] = {}
    work = 0
    for instr in kernel.instrs:
        if vector in instr.variables:
            cost = _LOOKED_UP if instr.op == "load" and instr.data[2] else cost_of(instr.op)
            ends[instr] = cost + max((ends.get(arg, 0) for arg in instr.args), default=0)
            work += cost
    return work, max(ends.values(), default=1)


def _calls_function(kernel: Kernel, vector: int) -> bool:
    return any(vector in instr.variables and cost_of(instr.op) > 1 for instr in kernel.instrs)


def _vector_variable(kernel: Kernel) -> int | None:
    """The variable along which memory is best read and written a vector at a time."""
    steps = [(dict(i.data[1][1]), i.variables) for i in kernel.instrs if i.op == "load"]
    stores = [dict(r.position[1]) for r in kernel.roots]

    def merit(variable: int) -> tuple[float, int]:
        order = _order(kernel, variable)
        total = sum(_share(kernel, order, own) * _weigh_step(lin.get(variable, 0)) for lin, own in steps)
        for lin in stores:
            if variable not in kernel.reduced or lin.get(variable):
                total += _share(kernel, order, lin) * _weigh_step(lin.get(variable, 0), 2)
        turns = min(kernel.extents[variable], _FILLED)
        return total * (turns if total > 0 else _FILLED**2 / turns), variable

    found = max((v for v in kernel.extents if kernel.extents[v] > 1 and v not in kernel.counters), key=merit, default=None)
    return found


def _order(kernel: Kernel, vector: int) -> list[int]:
    """The loops from the outermost on, where one variable is spread over lanes: those that reduce are inside.

    A variable that counts blocks of the vector variable stands inside the others, so that memory is read on in order.
    """
    counter, *_ = kernel.clipped.get(vector, (None,))
    kept = sorted((v for v in kernel.extents if v not in kernel.reduced and v != vector), key=lambda v: v == counter)
    reduced = [v for v in kernel.extents if v in kernel.reduced and v != vector]
    return [*kept, *reduced, vector] if vector in kernel.reduced else [*kept, vector, *reduced]


def _share(kernel: Kernel, order: list[int], variables: Container[int]) -> float:
    """In which part of all turns an access happens that hangs on some variables: once for each turn of the innermost of their loops."""
    inside = 1
    for variable in reversed(order):
        if variable in variables:
            break
        inside *= kernel.extents[variable]
    return 1 / inside


def _weigh_step(step: int, weight: int = 1) -> int:
    return 3 * weight if step == 1 else 1 if step == 0 else -4 * weight


def _unroll(kernel: Kernel, vector: int, lanes: int, work: int) -> int:
    most = 4 if work <= _SHORT else 2 if work <= _LONG else 1
    while most > 1 and kernel.extents[vector] < lanes * most:
        most //= 2
    return most


def _find_turned_axes(kernel: Kernel, vector_bytes: int) -> tuple[int, int] | None:
    """The variables along which what only copies (`transpose`) is written and read in order, where these are two, both long enough."""
    if len(kernel.instrs) != 1 or len(kernel.roots) != 1 or kernel.reduced or kernel.rows is not None or kernel.clipped:
        return None
    (load,), (root,) = kernel.instrs, kernel.roots
    if load.op != "load" or load.args or root.adds or load.dtype != root.buffer.dtype or load.dtype.kind not in "fiu":
        return None
    if load.dtype.itemsize not in (4, 8):
        return None
    read, written = dict(load.data[1][1]), dict(root.position[1])
    lanes = vector_bytes // load.dtype.itemsize
    along = [v for v, n in kernel.extents.items() if n >= lanes]
    rows = [v for v in along if written.get(v) == 1 and read.get(v, 0) not in (0, 1)]
    columns = [v for v in along if read.get(v) == 1 and written.get(v, 0) not in (0, 1)]
    return (rows[0], columns[0]) if rows and columns and lanes > 1 else None
