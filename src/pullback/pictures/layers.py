"""Columns: for each group, which of its boxes stand in which column and in what order, so that arrows go right and cross little.

Work is O(n log n) for n boxes and arrows: an arrow belongs to the innermost group around both its ends, every group is sorted a fixed
number of times, and arrows over several columns get at most as many turning points as there are boxes and arrows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .folding import Tree

_SWEEPS = 4
Link = tuple[int, int]


class Band:
    """The columns of one direction of a group: forward, or backward beneath it, from right to left."""

    def __init__(self, columns: list[list[int]], backward: bool) -> None:
        self.columns = columns
        self.backward = backward


class Arrangement:
    """Where boxes stand relative to each other.

    bands: by group.  routes: for an arrow between two boxes of one group, the turning points on its way; these are items like boxes,
    numbered after them.  before, after: the neighbours of items in the columns to both sides.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.count = len(tree.boxes)
        self.bands: dict[int, list[Band]] = {}
        self.routes: dict[Link, list[int]] = {}
        self.before: dict[int, list[int]] = {}
        self.after: dict[int, list[int]] = {}
        links: dict[int, dict[Link, None]] = {}
        for arrow in tree.diagram.arrows:
            start, end, group = self.lifted(arrow.start, arrow.end)
            if start != end:
                links.setdefault(group, {})[start, end] = None
        for group in tree.downwards():
            children = tree.boxes[group].children
            if children or group == tree.root:
                self.bands[group] = self._arranged(children, list(links.get(group, ())))

    def lifted(self, start: int, end: int) -> tuple[int, int, int]:
        """The boxes around two leaves that stand side by side, and the group that both are in."""
        boxes = self.tree.boxes
        while boxes[start].depth > boxes[end].depth:
            start = boxes[start].parent
        while boxes[end].depth > boxes[start].depth:
            end = boxes[end].parent
        while boxes[start].parent != boxes[end].parent:
            start, end = boxes[start].parent, boxes[end].parent
        return start, end, boxes[start].parent

    def _arranged(self, children: Sequence[int], links: Sequence[Link]) -> list[Band]:
        boxes = self.tree.boxes
        bands = []
        for backward in (False, True):
            own = [c for c in children if boxes[c].backward is backward]
            if own:
                inside = set(own)
                within = [link for link in links if link[0] in inside and link[1] in inside]
                bands.append(Band(self._columns(own, within), backward))
        return bands

    def _columns(self, items: Sequence[int], links: Sequence[Link]) -> list[list[int]]:
        boxes = self.tree.boxes
        order = sorted(items, key=lambda i: boxes[i].first)
        place = {item: i for i, item in enumerate(order)}
        onward = [link for link in links if place[link[0]] < place[link[1]]]  # what leads back does not count
        rank = _ranks(order, onward)
        columns: list[list[int]] = [[] for _ in range(max(rank.values()) + 1)]
        for item in order:
            columns[rank[item]].append(item)
        self._route(onward, rank, columns)
        self._order(columns)
        return columns

    def _route(self, links: Sequence[Link], rank: dict[int, int], columns: list[list[int]]) -> None:
        """Give arrows over several columns turning points, the shortest first, as long as there are not too many."""
        left = len(rank) + len(links)
        for link in sorted(links, key=lambda link: rank[link[1]] - rank[link[0]]):
            start, end = link
            span = rank[end] - rank[start] - 1
            left -= span
            turns = list(range(self.count, self.count + span)) if left >= 0 else []
            self.count += len(turns)
            if turns:
                self.routes[link] = turns
            for column, turn in enumerate(turns, rank[start] + 1):
                columns[column].append(turn)
            way = [start, *turns, end]
            for a, b in pairwise(way):
                self.after.setdefault(a, []).append(b)
                self.before.setdefault(b, []).append(a)

    def _order(self, columns: list[list[int]]) -> None:
        """Sort each column by where its items' neighbours stand, from left to right and back."""
        place: dict[int, float] = {}
        for column in columns:
            _number(column, place)
        for sweep in range(_SWEEPS):
            forward = sweep % 2 == 0
            known = self.before if forward else self.after
            for column in columns if forward else reversed(columns):
                wanted = {i: _mean([place[n] for n in known.get(i, ())], place[i]) for i in column}
                column.sort(key=wanted.__getitem__)
                _number(column, place)


def _ranks(order: Sequence[int], links: Sequence[Link]) -> dict[int, int]:
    """The column of each item: right of all that it reads, and what reads nothing just left of its first reader."""
    readers: dict[int, list[int]] = {i: [] for i in order}
    rank = dict.fromkeys(order, 0)
    reads = set()
    for start, end in links:
        readers[start].append(end)
        reads.add(end)
    for item in order:
        for end in readers[item]:
            rank[end] = max(rank[end], rank[item] + 1)
    for item in order:
        if item not in reads and readers[item]:
            rank[item] = min(rank[end] for end in readers[item]) - 1
    return rank


def _number(column: Sequence[int], place: dict[int, float]) -> None:
    for i, item in enumerate(column):
        place[item] = (i + 0.5) / len(column)


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
