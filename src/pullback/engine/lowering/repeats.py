"""Values that kernels would compute at several indices for each of their own, and that are better kept.

Neighbours in a stencil are read through views that shift them.  A stencil of what a stencil made of another is read at the indices of both,
so that what it would take to compute it grows with a power of the steps.  Expressions are gone through from the results down to what these
are made of, and each notes at which indices it is read, as long as these are few; one that is kept is read at its own again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import islice
from typing import Any

from .index import ZERO, Lin, bounds, combine_linear
from .index_expr import Affine, Gather, IndexExpr, Pointwise, Reduce, Reshape
from .materialise import AGAIN, Realised, cost_to_compute, order_below

#: What computing a value again may cost, in plain operations, where it would be kept in memory far from the processor; and the bytes of
#: an array that is near, together with others.
_FAR, _NEAR = 15, 1 << 18
#: At how many indices a value is noted to be read.
_MANY = 64
#: An array's dims and a number, an index of it, and a number for the conditions under which that is read; 0 stands for none.
Context = tuple[tuple[tuple[int, ...], int], tuple[Lin, ...], int]


def choose_repeated(roots: Iterable[IndexExpr], realised: Realised) -> list[IndexExpr]:
    """The values to be kept among those that are computed for `roots`."""
    tops = dict.fromkeys(roots)
    reads = _Reads()
    contexts: dict[IndexExpr, set[Context]] = {}
    kept: list[IndexExpr] = []
    for expr in reversed(order_below([tops], realised)):
        found = contexts.pop(expr, set())
        if expr in tops:
            found = {_at_own(expr.arg.dims if isinstance(expr, Reduce) else expr.dims)}
        elif expr in realised:
            continue
        elif isinstance(expr, Pointwise) and _is_dear(expr, found, realised):
            kept.append(expr)
            found = {_at_own(expr.dims)}
        elif len(found) > _MANY:  # a few elements of a large array, each for itself
            found = set(islice(found, _MANY))
        for part, inner in reads.of(expr, found):
            contexts.setdefault(part, set()).update(inner)
    return kept


def _at_own(dims: tuple[int, ...], number: int = 0) -> Context:
    return (dims, number), tuple([(0, ((axis, 1),)) if n > 1 else ZERO for axis, n in enumerate(dims)]), 0


def _is_dear(expr: IndexExpr, found: set[Context], realised: Realised) -> bool:
    """Whether computing an expression at so many indices costs more than computing it once and reading it."""
    if len(found) < 2 or sum(math.prod(dims) for (dims, _), _, _ in found) <= expr.size:
        return False
    most = AGAIN if expr.size * expr.dtype.itemsize <= _NEAR else _FAR
    kernels = len({dims for (dims, _), _, _ in found})  # each computes it for itself, which `choose_kept_values` sees to
    return (len(found) - kernels) * cost_to_compute(expr, realised, most) > most


class _Reads:
    """What expressions read, and in which contexts; what these hang on besides an index has a number, so that none grows."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def of(self, expr: IndexExpr, found: set[Context]) -> list[tuple[IndexExpr, set[Context]]]:
        """What an expression that is computed in some contexts reads, and in which."""
        if isinstance(expr, (Pointwise, Reduce)):
            return [(part, found) for part in expr.parts]
        if isinstance(expr, Affine):
            return [(expr.arg, {self._through(expr, *context) for context in found})]
        if isinstance(expr, Reshape):
            return [(expr.arg, {_at_own(expr.arg.dims, self._number(expr, context)) for context in found})]
        if isinstance(expr, Gather):
            return [(part, found) for part in expr.indices if part is not None]
        return []

    def _through(self, view: Affine, base: tuple[tuple[int, ...], int], index: tuple[Lin, ...], when: int) -> Context:
        """The context of what a view reads."""
        inner = tuple([combine_linear([(k, index[axis]) for axis, k in terms], c) for c, terms in view.rows])
        if view.fill is not None:
            extents = dict(enumerate(base[0]))
            for lin, n in zip(inner, view.arg.dims, strict=True):
                low, high = bounds(lin, extents)
                if low < 0 or high >= n:
                    when = self._number(when, lin, n)
        return base, inner, when

    def _number(self, *key: Any) -> int:
        return self._numbers.setdefault(key, len(self._numbers) + 1)
