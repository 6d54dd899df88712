"""The turns of a loop in which whatever a view asks for is there: no edge, no padding, so nothing to test and nothing to mask.

A stencil, and the gradient of a slice, read neighbours that the first or the last elements do not have.  Their loops are written in three:
a masked one over the elements before the interior, one over the interior, where the neighbours are there, and a masked one behind it.
"""

from __future__ import annotations

from ...base.named_values import NamedValues
from ..lowering.kernel import Instr, Kernel


class Interior(NamedValues):
    """The turns of a loop from `first` on and before `end`, and the conditions that hold in all of them."""

    first: int
    end: int
    holds: frozenset[Instr]


def find_interior(kernel: Kernel, variable: int) -> Interior | None:
    """The interior of a loop; None where nothing is asked for beyond its edges, or what is hangs on other loops as well."""
    if variable in kernel.clipped:
        return None
    first, end = 0, kernel.extents[variable]
    holds: set[Instr] = set()
    for instr in kernel.instrs:
        if instr.op == "within" and instr.variables == {variable}:
            (start, ((_, factor),)), size = instr.data
            low, high = (start, size - start) if factor > 0 else (size - 1 - start, start + 1)
            first, end = max(first, -(low // abs(factor))), min(end, -(-high // abs(factor)))
            holds.add(instr)
        elif instr.op == "and" and all(arg in holds for arg in instr.args):
            holds.add(instr)
    return Interior(first, end, frozenset(holds)) if holds else None
