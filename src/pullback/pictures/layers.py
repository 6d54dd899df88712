"""Columns: for each group, which of its boxes stand in which column and in what order, so that arrows go right and cross little.

Work is O(n log n) for n boxes and arrows: an arrow goes through the groups around its ends up to the one around both, every group is
sorted a fixed number of times, and arrows over several columns get at most a few times as many turning points as there are boxes and
arrows.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from .folding import Tree

_SWEEPS = 4
#: Turning points for each box and arrow of a group, at most.
_TURNS = 8
#: From how many tensors on they share places on one side of a group's border, by the box in it that they lead from or to.
_SHARE = 16
Link = tuple[int, int]


class Band:
    """The columns of one direction of a group: forward, or backward beneath it, from right to left.

    left, right: whether the first and the last column are the places at the group's border where arrows pass it.
    """

    def __init__(self, columns: list[list[int]], backward: bool, left: bool, right: bool) -> None:
        self.columns = columns
        self.backward = backward
        self.left, self.right = left, right


class Arrangement:
    """Where boxes stand relative to each other.

    bands: by group.  place: the position of each box among those beside it; an arrow leads onward when it leads to a higher one.
    ports: for a group, where arrows pass its left and its right border, by the leaf that they start from; where there are many, by the box
    beside the border's inside (`~box`).  routes: for what is linked in a group (boxes, and boxes with ports), the turning points on its
    way.  Ports and turning points are items like boxes, numbered after them.  before, after: the neighbours of items in the columns to
    both sides.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.count = len(tree.boxes)
        self.bands: dict[int, list[Band]] = {}
        self.routes: dict[Link, list[int]] = {}
        self.before: dict[int, list[int]] = {}
        self.after: dict[int, list[int]] = {}
        self.place = [0] * self.count
        self.ports: dict[int, tuple[dict[int, int], dict[int, int]]] = {}
        #: Of each arrow, whether all the boxes around its ends in the group around both run in one direction.
        self.level: list[bool] = []
        links: dict[int, dict[Link, None]] = {}
        ways = {}
        for arrow in tree.diagram.arrows:
            a, b, group = self.lift_boxes(arrow.start, arrow.end)
            self.level.append(self._is_level(arrow.start, arrow.end, group))
            if a != b and self.level[-1]:
                links.setdefault(group, {})[a, b] = None
                ways[arrow.start, arrow.end] = a, b
        for group in tree.downwards():
            for i, box in enumerate(_order_items(self._by_first(group), list(links.get(group, ())))):
                self.place[box] = i
        passing: dict[tuple[int, bool], dict[Link, None]] = {}
        for (start, end), (a, b) in ways.items():
            onward = self.place[a] < self.place[b]
            for top, leaf, right in ((a, start, onward), (b, end, not onward)):
                for box in self.inside(leaf, top):
                    passing.setdefault((tree.boxes[box].parent, right), {})[start, box] = None
        for (group, right), pairs in passing.items():
            self._make_ports(group, right, list(pairs), links.setdefault(group, {}))
        for group in tree.downwards():
            children = tree.boxes[group].children
            if children or group == tree.root:
                self.bands[group] = self._arrange_bands(children, list(links.get(group, ())))

    def lift_boxes(self, start: int, end: int) -> tuple[int, int, int]:
        """The boxes around two leaves that stand side by side, and the group that both are in."""
        boxes = self.tree.boxes
        while boxes[start].depth > boxes[end].depth:
            start = boxes[start].parent
        while boxes[end].depth > boxes[start].depth:
            end = boxes[end].parent
        while boxes[start].parent != boxes[end].parent:
            start, end = boxes[start].parent, boxes[end].parent
        return start, end, boxes[start].parent

    def inside(self, box: int, outer: int) -> Iterator[int]:
        """A box and those around it, up to the one before `outer`."""
        while box != outer:
            yield box
            box = self.tree.boxes[box].parent

    def _is_level(self, start: int, end: int, group: int) -> bool:
        boxes = self.tree.boxes
        backward = boxes[start].backward
        return all(boxes[i].backward is backward for box in (start, end) for i in self.inside(box, group))

    def _by_first(self, group: int) -> list[int]:
        boxes = self.tree.boxes
        return sorted(boxes[group].children, key=lambda i: boxes[i].first)

    def _make_ports(self, group: int, right: bool, pairs: Sequence[Link], links: dict[Link, None]) -> None:
        """Let arrows pass a border of a group.  pairs: the leaf that each starts from, and the box inside."""
        ports = self.ports.setdefault(group, ({}, {}))[right]
        shared = len({leaf for leaf, _ in pairs}) > _SHARE
        for leaf, box in pairs:
            key = ~box if shared else leaf
            if key not in ports:
                ports[key] = self.count
                self.count += 1
            links[(box, ports[key]) if right else (ports[key], box)] = None

    def port(self, box: int, leaf: int, right: bool) -> int:
        """Where an arrow that starts from a leaf passes a border of the group of a box."""
        ports = self.ports[self.tree.boxes[box].parent][right]
        return ports[leaf] if leaf in ports else ports[~box]

    def _arrange_bands(self, children: Sequence[int], links: Sequence[Link]) -> list[Band]:
        boxes = self.tree.boxes
        bands = []
        for backward in (False, True):
            own = sorted([c for c in children if boxes[c].backward is backward], key=self.place.__getitem__)
            if own:
                inside = set(own)
                within = [link for link in links if link[0] in inside or link[1] in inside]
                bands.append(self._band(own, within, backward))
        return bands

    def _band(self, order: Sequence[int], links: Sequence[Link], backward: bool) -> Band:
        boxes = len(self.tree.boxes)
        onward = []  # what leads back is laid as if it led onward
        for start, end in links:
            turned = start < boxes and end < boxes and self.place[start] > self.place[end]
            onward.append((end, start) if turned else (start, end))
        rank = _ranks(order, [link for link in onward if max(link) < boxes])
        left = [start for start, _ in onward if start >= boxes]
        right = [end for _, end in onward if end >= boxes]
        if left:
            rank = {item: number + 1 for item, number in rank.items()}
        last = max(rank.values()) + 1
        rank |= dict.fromkeys(left, 0) | dict.fromkeys(right, last)
        columns: list[list[int]] = [[] for _ in range(last + bool(right))]
        for item, number in rank.items():
            columns[number].append(item)
        self._route(list(dict.fromkeys(onward)), rank, columns)
        self._order(columns)
        return Band(columns, backward, bool(left), bool(right))

    def _route(self, links: Sequence[Link], rank: dict[int, int], columns: list[list[int]]) -> None:
        """Give arrows over several columns turning points, the shortest first, as long as there are not too many.

        The arrows from one item share theirs, as far as they go.
        """
        left = _TURNS * (len(rank) + len(links))
        shared: dict[int, list[int]] = {}
        for link in sorted(links, key=lambda link: rank[link[1]] - rank[link[0]]):
            start, end = link
            turns = shared.setdefault(start, [])
            span = rank[end] - rank[start] - 1
            if span - len(turns) <= left:
                left -= max(span - len(turns), 0)
                while len(turns) < span:
                    self._join(turns[-1] if turns else start, self.count)
                    turns.append(self.count)
                    columns[rank[start] + len(turns)].append(self.count)
                    self.count += 1
                self.routes[link] = turns[:span]
            self._join(turns[span - 1] if 0 < span <= len(turns) else start, end)

    def _join(self, a: int, b: int) -> None:
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


def _order_items(items: Sequence[int], links: Sequence[Link]) -> Iterator[int]:
    """Items each after those that lead to it, where that can be: of those in a ring the one that comes first in `items`."""
    readers: dict[int, list[int]] = {i: [] for i in items}
    awaited = dict.fromkeys(items, 0)
    for start, end in links:
        readers[start].append(end)
        awaited[end] += 1
    place = {item: i for i, item in enumerate(items)}
    ready = [place[i] for i in items if not awaited[i]]
    done: set[int] = set()
    rest = iter(items)
    while len(done) < len(items):
        item = items[heapq.heappop(ready)] if ready else next(i for i in rest if i not in done)
        if item in done:
            continue
        done.add(item)
        yield item
        for end in readers[item]:
            awaited[end] -= 1
            if not awaited[end] and end not in done:
                heapq.heappush(ready, place[end])


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
