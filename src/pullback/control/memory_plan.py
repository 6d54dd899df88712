"""Which intermediates of a list of steps to keep for a gradient, and which to compute again, within a budget of bytes.

The list is cut into segments.  A segment that is kept holds what its gradient reads, and what it gives to others; one that is run
again holds nothing of its own, so that what it reads of earlier segments must be held, and needs room for its own intermediates
while its turn lasts.  The peak is what is held, and the room of the hungriest segment: one that is run again, or that has a loop.

For a bound on that room the cheapest cuts follow by dynamic programming over (bytes held, extra work), where only pairs that nothing
beats survive; several bounds are tried.  Of a long list only the cuts are considered where little crosses.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

CUTS = 48
BOUNDS = 12
FRONT = 24


@dataclass(frozen=True)
class Step:
    """One operation: what it makes and reads (tensors by number), what its gradient reads, its work, and whether it may run twice.

    room: what its gradient holds while it is under way, which is nothing but for loops.
    """

    label: str
    makes: tuple[int, ...]
    reads: tuple[int, ...]
    for_gradient: tuple[int, ...]
    work: float
    repeatable: bool
    room: int = 0


@dataclass(frozen=True)
class Segment:
    """Steps `start` up to `stop`, kept or run again."""

    start: int
    stop: int
    again: bool
    held: int
    room: int
    work: float


class Impossible(Exception):
    """No plan fits; the fewest bytes that one needs."""

    def __init__(self, least: int) -> None:
        super().__init__(least)
        self.least = least


class Planner:
    """The costs of all segments of a list of steps.

    sizes: the bytes of every tensor that steps make.  Tensors that are not in it cost nothing: they are held anyway.
    """

    def __init__(self, steps: Sequence[Step], sizes: dict[int, int]) -> None:
        self.steps, self.sizes = steps, sizes
        self.needed = {t for step in steps for t in step.for_gradient if t in sizes}
        self.last = {t: i for i, step in enumerate(steps) for t in step.reads}
        self.cuts = self._cuts()

    def plan(self, budget: int) -> list[Segment]:
        """The segments with the least extra work whose peak is within `budget`.  Raises `Impossible`."""
        whole = self.segment(0, len(self.steps), again=False)
        if not self.steps or whole.held + whole.room <= budget:
            return [whole]
        table = self._segments()
        rooms = sorted({s.room for row in table.values() for s in row if s.room})
        bounds = [0, *(rooms[(len(rooms) - 1) * k // (BOUNDS - 1)] for k in range(BOUNDS))] if rooms else [0]
        found = [front for room in dict.fromkeys(bounds) if (front := self._front(table, room, budget - room))]
        if not found:
            fronts = [(room, self._front(table, room, None)) for room in bounds]
            raise Impossible(min(room + min(held for held, _, _ in front) for room, front in fronts if front))
        return list(min((point for front in found for point in front), key=lambda point: (point[1], point[0]))[2])

    def segment(self, start: int, stop: int, again: bool) -> Segment:
        """The costs of one segment."""
        made = {t for step in self.steps[start:stop] for t in step.makes if t in self.sizes}
        given = {t for t in made if self.last.get(t, -1) >= stop}
        loops = max((step.room for step in self.steps[start:stop]), default=0)
        if not again:
            return Segment(start, stop, False, self._bytes(given | (made & self.needed)), loops, 0.0)
        room, work = self._estimate_rerun(start, stop, made)
        return Segment(start, stop, True, self._bytes(given), room + loops, work)

    def _bytes(self, tensors: set[int]) -> int:
        return sum(self.sizes[t] for t in tensors)

    def _estimate_rerun(self, start: int, stop: int, made: set[int]) -> tuple[int, float]:
        """The room and the work of computing again what a segment's gradient reads."""
        wanted = made & self.needed
        todo, run = set(wanted), []
        for step in reversed(self.steps[start:stop]):
            if todo.intersection(step.makes):
                run.append(step)
                todo.update(step.reads)
        run.reverse()
        last = {t: i for i, step in enumerate(run) for t in step.reads}
        live: set[int] = set()
        peak = 0
        for i, step in enumerate(run):
            live.update(t for t in step.makes if t in self.sizes)
            peak = max(peak, self._bytes(live))
            live = {t for t in live if t in wanted or last.get(t, -1) > i}
        return peak, sum(step.work for step in run)

    def _cuts(self) -> list[int]:
        """Where segments may begin and end: everywhere, or in a long list where least is handed across."""
        count = len(self.steps)
        if count <= CUTS:
            return list(range(count + 1))
        crossing = [0] * (count + 1)
        for at, step in enumerate(self.steps):
            for t in step.makes:
                for later in range(at + 1, self.last.get(t, at) + 1):
                    crossing[later] += self.sizes.get(t, 0)
        edges = [1 + (count - 1) * k // CUTS for k in range(CUTS + 1)]
        inner = {min(range(a, b), key=lambda i: crossing[i]) for a, b in itertools.pairwise(edges) if a < b}
        return sorted({0, count, *inner})

    def _segments(self) -> dict[int, list[Segment]]:
        """The segments that end at each cut."""
        table: dict[int, list[Segment]] = {}
        fixed = [i for i, step in enumerate(self.steps) if not step.repeatable]
        for j, stop in enumerate(self.cuts[1:], 1):
            row = table[stop] = []
            for start in self.cuts[:j]:
                row.append(self.segment(start, stop, again=False))
                if bisect.bisect_left(fixed, start) == bisect.bisect_left(fixed, stop):
                    row.append(self.segment(start, stop, again=True))
        return table

    def _front(self, table: dict[int, list[Segment]], room: int, budget: int | None) -> list[tuple[int, float, tuple[Segment, ...]]]:
        """The best (bytes held, extra work, segments) for the whole list with segments that need at most `room`."""
        fronts: dict[int, list[tuple[int, float, tuple[Segment, ...]]]] = {0: [(0, 0.0, ())]}
        for stop in self.cuts[1:]:
            points = [
                (held + s.held, work + s.work, (*chain, s))
                for s in table[stop]
                if s.room <= room
                for held, work, chain in fronts[s.start]
                if budget is None or held + s.held <= budget
            ]
            fronts[stop] = _keep_best(points)
        return fronts[len(self.steps)]


def _keep_best(points: list[tuple[int, float, tuple[Segment, ...]]]) -> list[tuple[int, float, tuple[Segment, ...]]]:
    """The points that no other beats in both, thinned when there are many."""
    kept: list[tuple[int, float, tuple[Segment, ...]]] = []
    for point in sorted(points, key=lambda p: (p[0], p[1])):
        if not kept or point[1] < kept[-1][1]:
            kept.append(point)
    if len(kept) <= FRONT:
        return kept
    return [kept[(len(kept) - 1) * k // (FRONT - 1)] for k in range(FRONT)]
