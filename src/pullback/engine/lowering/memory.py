"""The memory plan: where in one arena each temporary result lies, so that memory is used again once nobody reads what was there."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence

from .index_expr import Place

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
    ends: list[list[Place]] = [[] for _ in uses]
    for place, at in last.items():
        ends[at].append(place)
    starts: dict[Place, int] = {}
    gaps = _Gaps()
    freed = 0
    for place in sorted(first, key=lambda p: (first[p], -p.size)):
        while freed < first[place]:
            for gone in ends[freed]:
                gaps.free(starts[gone], _round_size(gone.size))
            freed += 1
        starts[place] = gaps.take(_round_size(place.size))
    return starts, gaps.most


class _Gaps:
    """What is free below the end of all that is taken: a place goes to the smallest gap that it fits in, or to the end."""

    def __init__(self) -> None:
        self.end = self.most = 0
        self._by_size: list[tuple[int, int]] = []
        self._end_of: dict[int, int] = {}
        self._start_of: dict[int, int] = {}

    def take(self, size: int) -> int:
        """Where `size` bytes are free from now on taken."""
        at = bisect_left(self._by_size, (size, 0))
        if at == len(self._by_size):
            start, self.end = self.end, self.end + size
            self.most = max(self.most, self.end)
            return start
        start = self._by_size[at][1]
        end = self._remove(start)
        if start + size < end:
            self._add(start + size, end)
        return start

    def free(self, start: int, size: int) -> None:
        """Give bytes back; neighbouring gaps become one."""
        end = start + size
        if start in self._start_of:
            start = self._start_of[start]
            self._remove(start)
        if end in self._end_of:
            end = self._remove(end)
        if end == self.end:
            self.end = start
        else:
            self._add(start, end)

    def _add(self, start: int, end: int) -> None:
        self._end_of[start], self._start_of[end] = end, start
        insort(self._by_size, (end - start, start))

    def _remove(self, start: int) -> int:
        end = self._end_of.pop(start)
        del self._start_of[end], self._by_size[bisect_left(self._by_size, (end - start, start))]
        return end


def _round_size(size: int) -> int:
    return -(-max(size, 1) // _LINE) * _LINE
