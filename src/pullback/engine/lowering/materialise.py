"""Which values are kept in memory though no step asks for it: what several kernels would compute, and where a large kernel is cut.

Nothing here looks at pairs of values, so that the cost stays in proportion to the program.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice

from .index_expr import Buffer, Gather, IndexExpr, Iota, Pointwise, Reduce
from .kernel import cost_of

#: What computing a value again may cost, in plain operations.
AGAIN = 6
#: The bytes of a table that is likely to be in a processor's own cache.
_CACHED = 1 << 20
#: How many expressions steps may go through between them before any is kept: so many, and so many times as there are different ones.
_FEW, _TIMES = 8_000, 4
#: How many expressions are looked at to find out that a gather is scattered.
_SEARCHED = 256

#: What is in memory, with where it is; where that does not matter, alone.
Realised = Mapping[IndexExpr, Buffer]
InMemory = Container[IndexExpr]


def list_reachable(expr: IndexExpr, realised: InMemory, seen: set[IndexExpr] | None = None) -> Iterable[IndexExpr]:
    """The expressions that are computed for `expr`, itself first; those in memory already are given, but not what they are made of.

    seen: others that are left out, with all that is found by way of them alone; grows.
    """
    seen = set() if seen is None else seen
    pending = [expr]
    first = True
    while pending:
        at = pending.pop()
        if at in seen and not first:
            continue
        seen.add(at)
        yield at
        if first or at not in realised:
            pending += at.parts
        first = False


# ---- what is better kept


def overlap_much(groups: Sequence[Sequence[IndexExpr]], realised: Realised) -> bool:
    """Whether steps need so many of the same expressions that going through what each needs would not be linear in their number."""
    left = _FEW + _TIMES * len(order_below(groups, realised))
    for group in groups:
        for expr in group:
            for _ in list_reachable(expr, realised):
                left -= 1
                if left < 0:
                    return True
    return False


def choose_kept_values(groups: Sequence[Sequence[IndexExpr]], realised: Realised) -> list[IndexExpr]:
    """Values that several kernels would compute and that cost more than reading them; groups: what each kernel is asked for.

    One of which such values are made is kept too where a kernel reads it and none of those; then those that cost little to make of it
    are not (1 + tanh(x), say, where tanh(x) is).
    """
    below = order_below(groups, realised)
    several = _read_by_several(groups, below, realised)
    shared = [expr for expr in below if expr in several and isinstance(expr, (Pointwise, Gather)) and expr not in realised]
    found = [expr for expr in shared if cost_to_compute(expr, realised) > AGAIN]
    if not found:
        return []
    wanted = set(found)
    kept = {expr for roots in groups for expr in _list_read(roots, wanted, realised)}
    chosen: list[IndexExpr] = []
    known = set(realised)
    for expr in found:
        if expr in kept and (not chosen or cost_to_compute(expr, known) > AGAIN):
            chosen.append(expr)
            known.add(expr)
    return chosen[::-1]


def _parts_to_compute(expr: IndexExpr, root: bool, realised: InMemory) -> tuple[IndexExpr, ...]:
    return expr.parts if root or expr not in realised else ()


def order_below(
    groups: Iterable[Iterable[IndexExpr]], realised: Realised, height: Mapping[IndexExpr, int] | None = None
) -> list[IndexExpr]:
    """All expressions that groups compute, each after those it is made of.

    height: how many expressions stand above one another below each; the highest part comes first then, so that few values wait for others.
    """
    found: dict[IndexExpr, None] = {}
    roots = {expr for group in groups for expr in group}
    pending: list[tuple[IndexExpr, bool]] = [(expr, False) for group in groups for expr in group]
    pending.reverse()
    while pending:
        expr, ready = pending.pop()
        if expr in found:
            continue
        if ready:
            found[expr] = None
            continue
        pending.append((expr, True))
        parts = [part for part in _parts_to_compute(expr, expr in roots, realised) if part not in found]
        pending += [(part, False) for part in (parts if height is None else sorted(parts, key=height.__getitem__))]
    return list(found)


def _read_by_several(groups: Iterable[Iterable[IndexExpr]], below: list[IndexExpr], realised: Realised) -> set[IndexExpr]:
    """The expressions that more than one group computes."""
    several: set[IndexExpr] = set()
    reader: dict[IndexExpr, int] = {}

    def read(expr: IndexExpr, group: int) -> None:
        if reader.setdefault(expr, group) != group:
            several.add(expr)

    roots = set()
    for number, group in enumerate(groups):
        for expr in group:
            roots.add(expr)
            read(expr, number)
    for expr in reversed(below):
        for part in _parts_to_compute(expr, expr in roots, realised):
            if part not in realised:
                read(part, reader[expr])
                if expr in several:
                    several.add(part)
    return several


def _list_read(roots: Sequence[IndexExpr], wanted: Collection[IndexExpr], realised: InMemory) -> Iterator[IndexExpr]:
    """Those of the expressions `wanted` that a group reads otherwise than by way of another one."""
    tops, seen = set(roots), set(roots)
    pending = list(roots)
    while pending:
        expr = pending.pop()
        if expr in wanted:
            yield expr
            continue
        parts = [part for part in _parts_to_compute(expr, expr in tops, realised) if part not in seen]
        seen.update(parts)
        pending += parts


def cost_to_compute(expr: IndexExpr, realised: InMemory, most: int = AGAIN) -> int:
    """What computing one element costs, in plain operations, up to a few more than `most`, the most that matter."""
    total = 0
    for part in list_reachable(expr, realised):
        if part is not expr and part in realised:
            continue
        if isinstance(part, Pointwise):
            total += cost_of(part.function)
        elif _is_scattered(part, realised):
            total += most + 1
        if total > most:
            break
    return total


def _is_scattered(expr: IndexExpr, realised: InMemory) -> bool:
    """Whether an expression reads here and there in a large table, so that each row has to come from far away."""
    if not isinstance(expr, Gather) or expr.table.size * expr.dtype.itemsize < _CACHED:
        return False
    below = (part for index in expr.indices if index is not None for part in list_reachable(index, realised))
    varies = (part.size > 1 and (isinstance(part, (Buffer, Gather, Iota, Reduce)) or part in realised) for part in below)
    return any(islice(varies, _SEARCHED))


# ---- what is too large for one kernel


def choose_cuts(roots: Iterable[IndexExpr], realised: Realised, most: int) -> list[IndexExpr]:
    """Values in the midst of what steps compute, to be kept so that none computes more than `most` expressions."""
    found: dict[IndexExpr, None] = {}
    for root in roots:
        if root.size and any(islice(list_reachable(root, realised), most, None)):
            height: dict[IndexExpr, int] = {}
            for expr in order_below([[root]], realised):
                height[expr] = 1 + max((height[part] for part in expr.parts if part in height), default=0)
            computed = order_below([[root]], realised, height)
            found.update(dict.fromkeys(_cuts(computed, realised, most)))
    return list(found)


def _cuts(computed: list[IndexExpr], realised: Realised, most: int) -> Iterator[IndexExpr]:
    """The values that go from one piece of what is computed to another, where pieces are cut so that there are few of them."""
    last: dict[IndexExpr, int] = {}
    for i, expr in enumerate(computed):
        last.update(dict.fromkeys(expr.parts, i))
    made = [i for i, expr in enumerate(computed) if isinstance(expr, (Pointwise, Gather)) and expr not in realised and expr in last]
    change = [0] * (len(computed) + 1)
    for i in made:
        change[i + 1] += 1
        change[last[computed[i]] + 1] -= 1
    alive = list(accumulate(change))
    start = at = 0
    waiting: list[int] = []
    while len(computed) - start > most:
        start = min(range(start + most, start + most // 2, -1), key=alive.__getitem__)
        end = bisect_left(made, start)
        waiting = [i for i in (*waiting, *made[at:end]) if last[computed[i]] >= start]
        yield from (computed[i] for i in waiting)
        at = end
