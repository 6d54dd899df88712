"""The memory plan: where in one arena each temporary result lies, so that memory is used again once nobody reads what was there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .forms import Place

_LINE = 64


def arena(uses: Sequence[Iterable[Place]]) -> tuple[dict[Place, int], int]:
    """Where each temporary place starts, and how many bytes there are in all.

    uses: for each stretch of the program in turn, the places it reads or writes.
    """
    first: dict[Place, int] = {}
    last: dict[Place, int] = {}
    for at, places in enumerate(uses):
        for place in places:
            if place.kind == "temporary":
                first.setdefault(place, at)
                last[place] = at
    starts: dict[Place, int] = {}
    taken: list[tuple[int, int, Place]] = []
    total = 0
    for place in sorted(first, key=lambda p: (first[p], -p.size)):
        taken = [t for t in taken if last[t[2]] >= first[place]]
        starts[place] = start = _gap(sorted(taken, key=lambda t: t[0]), _rounded(place.size))
        taken.append((start, start + _rounded(place.size), place))
        total = max(total, start + _rounded(place.size))
    return starts, total


def _gap(taken: list[tuple[int, int, Place]], size: int) -> int:
    """Where `size` bytes fit between those taken: the smallest gap that does."""
    at, best = 0, None
    for start, end, _ in taken:
        if start - at >= size and (best is None or start - at < best[0]):
            best = start - at, at
        at = max(at, end)
    return at if best is None else best[1]


def _rounded(size: int) -> int:
    return -(-max(size, 1) // _LINE) * _LINE
