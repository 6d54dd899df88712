"""Which loop of a kernel is spread over the lanes of vectors, how wide, and in which order the loops stand."""

from __future__ import annotations

from collections.abc import Container

from ..lowering.kernel import Kernel, cost_of
from ..scalars import scalars
from .transpose import axes_turned


class Schedule:
    """How a kernel's loops run: their order, the vector variable and its lanes and how many vectors a step takes.

    turned: of a copy that turns a matrix (`transpose`), the variables that it is written and read along.
    """

    __slots__ = ("lanes", "order", "turned", "unroll", "vector")

    def __init__(self, order: list[int], vector: int | None, lanes: int, unroll: int, turned: tuple[int, int] | None = None) -> None:
        self.order, self.vector, self.lanes, self.unroll, self.turned = order, vector, lanes, unroll, turned


def schedule(kernel: Kernel, vector_bytes: int) -> Schedule:
    """The schedule of a kernel on a machine with vectors of so many bytes."""
    turned = axes_turned(kernel, vector_bytes)
    if turned is not None:
        outer = [v for v in kernel.extents if v not in turned]
        return Schedule([*outer, *turned], turned[0], vector_bytes // kernel.instrs[0].dtype.itemsize, 1, turned)
    widest = max((scalars.real_part(i.dtype).itemsize for i in kernel.instrs if i.dtype.kind in "fc"), default=4)
    lanes = max(vector_bytes // max(widest, 4), 1)
    vector = _vector_variable(kernel)
    if vector is None:
        return Schedule(sorted(kernel.extents, key=lambda v: v in kernel.reduced), None, 1, 1)
    order = _order(kernel, vector)
    wide = _width(kernel, vector)
    lanes *= wide
    while lanes > 1 and lanes // 2 >= kernel.extents[vector]:
        lanes //= 2
    return Schedule(order, vector, lanes, 1 if wide > 1 else _unroll(kernel, vector, lanes)) if lanes > 1 else Schedule(order, None, 1, 1)


def _width(kernel: Kernel, vector: int) -> int:
    """How many registers make a vector: long chains of dependent operations wait for each other, and several side by side do not."""
    work = sum(cost_of(i.op) for i in kernel.instrs if vector in i.variables)
    return 4 if work > 190 else 2 if work > 75 else 1


def _vector_variable(kernel: Kernel) -> int | None:
    """The variable along which memory is best read and written a vector at a time."""
    steps = [(dict(i.data[1][1]), i.variables) for i in kernel.instrs if i.op == "load"]
    stores = [dict(r.position[1]) for r in kernel.roots]

    def merit(variable: int) -> tuple[float, int]:
        order = _order(kernel, variable)
        total = sum(_share(kernel, order, own) * _worth(lin.get(variable, 0)) for lin, own in steps)
        for lin in stores:
            if variable not in kernel.reduced or lin.get(variable):
                total += _share(kernel, order, lin) * _worth(lin.get(variable, 0), 2)
        return total * min(kernel.extents[variable], 16), variable

    found = max((v for v in kernel.extents if kernel.extents[v] > 1 and v not in kernel.counters), key=merit, default=None)
    return found


def _order(kernel: Kernel, vector: int) -> list[int]:
    """The loops from the outermost on, where one variable is spread over lanes: those that reduce are inside."""
    kept = [v for v in kernel.extents if v not in kernel.reduced and v != vector]
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


def _worth(step: int, weight: int = 1) -> int:
    return 3 * weight if step == 1 else 1 if step == 0 else -4 * weight


def _unroll(kernel: Kernel, vector: int, lanes: int) -> int:
    work = sum(cost_of(i.op) for i in kernel.instrs if vector in i.variables)
    most = 4 if work <= 16 else 2 if work <= 75 else 1
    while most > 1 and kernel.extents[vector] < lanes * most:
        most //= 2
    return most


__all__ = ["Schedule", "schedule"]
