"""Coordinates of a picture some of whose groups are unfolded.  `fold.js` does the same in a page: what changes here changes there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from .folding import HEIGHT
from .layers import Arrangement, Band

#: Pixels between columns, between rows, around the boxes of a group, above them, and of a turning point.
GAP, ROW, PAD, HEAD, TURN = 40.0, 14.0, 14.0, 28.0, 8.0
#: How often the boxes of columns move towards their neighbours.
SWEEPS = 6


class Rectangle(NamedTuple):
    """Where something stands: its left upper corner and its size."""

    x: float
    y: float
    width: float
    height: float


class Route(NamedTuple):
    """A visible arrow: its ends among the boxes, the arrows of the diagram that it stands for, and the points it goes through.

    points: where it starts, where it leaves and enters columns and passes borders of groups, where it arrives.  is_across: whether it
    leads between what runs forward and what runs backward; such a one goes straight, over whatever there is.
    """

    start: int
    end: int
    arrows: list[int]
    points: list[tuple[float, float]]
    is_across: bool


class Placement:
    """The rectangles of all visible items, and the arrows between the boxes among them."""

    def __init__(self, arrangement: Arrangement, opened: Collection[int]) -> None:
        self.arrangement, self.opened = arrangement, opened
        tree = arrangement.tree
        self._size: dict[int, tuple[float, float]] = {}
        self._local: dict[int, tuple[float, float]] = {}
        self._edge: dict[int, float] = {}
        groups = [tree.root]
        for group in groups:
            groups += [c for c in tree.boxes[group].children if c in opened and tree.boxes[c].children]
        for group in reversed(groups):
            self._place(group)
        self.rectangles: dict[int, Rectangle] = {tree.root: Rectangle(0.0, 0.0, *self._size[tree.root])}
        #: The right edge of each item's column.
        self.edges: dict[int, float] = {}
        for group in groups:
            x, y = self.rectangles[group][:2]
            for band in arrangement.bands[group]:
                for column in band.columns:
                    for item in column:
                        dx, dy = self._local[item]
                        self.rectangles[item] = Rectangle(x + dx, y + dy, *self._size[item])
                        self.edges[item] = x + self._edge[item]
        self.edges[tree.root] = self._size[tree.root][0]
        self.routes = self._routes()

    def _measure_item(self, item: int) -> tuple[float, float, float]:
        """Width and height of an item, and how far below its top arrows arrive."""
        if item in self._size:
            return *self._size[item], self._size[item][1] / 2
        boxes = self.arrangement.tree.boxes
        width, height, port = (boxes[item].width, boxes[item].height, HEIGHT / 2) if item < len(boxes) else (0.0, TURN, TURN / 2)
        self._size[item] = width, height
        return width, height, port

    def _place(self, group: int) -> None:
        top, width = HEAD, self.arrangement.tree.boxes[group].width + 2 * PAD
        for band in self.arrangement.bands[group]:
            wide, high = self._place_band(band, top)
            top += high + ROW * 2
            width = max(width, wide)
        for band in self.arrangement.bands[group]:
            if band.backward:
                self._mirror(band, width)
        self._size[group] = width, top - ROW * 2 + PAD

    def _place_band(self, band: Band, top: float) -> tuple[float, float]:
        """Place the items of a band below `top`; its width and height."""
        sizes = {item: self._measure_item(item) for column in band.columns for item in column}
        x = 0.0 if band.left else PAD
        centers: dict[int, float] = {}
        for column in band.columns:
            wide = max(sizes[item][0] for item in column)
            y = -sum(sizes[item][1] + ROW for item in column) / 2
            for item in column:
                self._local[item], self._edge[item] = (x, 0.0), x + wide
                if item >= len(self.arrangement.tree.boxes):
                    self._size[item] = wide, TURN
                centers[item] = y + sizes[item][2]
                y += sizes[item][1] + ROW
            x += wide + GAP
        for sweep in range(SWEEPS):
            known = self.arrangement.before if sweep % 2 == 0 else self.arrangement.after
            for column in band.columns if sweep % 2 == 0 else reversed(band.columns):
                wanted = []
                for item in column:
                    near = [centers[n] for n in known.get(item, ())]
                    wanted.append(sum(near) / len(near) if near else centers[item])
                for item, center in zip(column, _spread_centers(wanted, [sizes[item] for item in column]), strict=True):
                    centers[item] = center
        first = min(centers[item] - sizes[item][2] for item in centers)
        last = max(centers[item] - sizes[item][2] + sizes[item][1] for item in centers)
        for item, center in centers.items():
            self._local[item] = self._local[item][0], center - sizes[item][2] - first + top
        return x - GAP + (0.0 if band.right else PAD), last - first

    def _mirror(self, band: Band, width: float) -> None:
        """Let a band run from right to left, from the right end of its group on."""
        for column in band.columns:
            for item in column:
                x, y = self._local[item]
                left = width - self._edge[item]
                self._local[item], self._edge[item] = (left, y), left + self._edge[item] - x

    def find_shown(self, leaf: int) -> int:
        """The visible box that a leaf is in, or the leaf itself."""
        boxes = self.arrangement.tree.boxes
        at, found = leaf, leaf
        while at != self.arrangement.tree.root:
            at = boxes[at].parent
            if at not in self.opened:
                found = at
        return found

    def _routes(self) -> list[Route]:
        tree = self.arrangement.tree
        found: dict[tuple[int, int], list[int]] = {}
        shown = [self.find_shown(i) for i in range(len(tree.diagram.leaves))]
        for i, arrow in enumerate(tree.diagram.arrows):
            start, end = shown[arrow.start], shown[arrow.end]
            if start != end:
                found.setdefault((start, end), []).append(i)
        return [self._route(*link, arrows) for link, arrows in found.items()]

    def _route(self, start: int, end: int, arrows: list[int]) -> Route:
        level = [i for i in arrows if self.arrangement.level[i]]
        if level:
            return Route(start, end, arrows, self._way(start, end, self.arrangement.tree.diagram.arrows[level[0]].start), is_across=False)
        a, b, _ = self.arrangement.lift_boxes(start, end)
        right = self.rectangles[a].x <= self.rectangles[b].x
        return Route(start, end, arrows, [self.port(start, right), self.port(end, not right)], is_across=True)

    def port(self, item: int, right: bool) -> tuple[float, float]:
        """Where arrows leave or reach a box."""
        box, (x, y, _, _) = self.arrangement.tree.boxes[item], self.rectangles[item]
        return x + box.shift + (box.box if right else 0.0), y + HEIGHT / 2

    def _way(self, start: int, end: int, leaf: int) -> list[tuple[float, float]]:
        """The points of an arrow.  leaf: where the first that it stands for starts."""
        arrangement = self.arrangement
        a, b, _ = arrangement.lift_boxes(start, end)
        onward = arrangement.place[a] < arrangement.place[b]
        right = onward is not arrangement.tree.boxes[start].backward
        points = [self.port(start, right), (self._side(start, right), self.port(start, right)[1])]
        for box in arrangement.inside(start, a):
            points += self._through(box, arrangement.port(box, leaf, onward), right)
        points += self._turns(a, b, right)
        for box in [*arrangement.inside(end, b)][::-1]:
            points += self._through(box, arrangement.port(box, leaf, not onward), not right)[::-1]
        last = self.port(end, not right)
        return [*points, (self._side(end, not right), last[1]), last]

    def _side(self, item: int, right: bool) -> float:
        """A side of an item's column."""
        return self.edges[item] if right else self.rectangles[item].x

    def _through(self, box: int, port: int, right: bool) -> list[tuple[float, float]]:
        """The points from a box through the border of its group, to the side of the group's column."""
        x, y, _, height = self.rectangles[port]
        outside = self._side(self.arrangement.tree.boxes[box].parent, right)
        return [*self._turns(box, port, right), (x, y + height / 2), (outside, y + height / 2)]

    def _turns(self, start: int, end: int, right: bool) -> list[tuple[float, float]]:
        """The ends of the turning points between two items, in the direction of travel."""
        routes = self.arrangement.routes
        points = []
        for turn in routes[start, end] if (start, end) in routes else routes.get((end, start), [])[::-1]:
            left, top, width, height = self.rectangles[turn]
            ends = [(left, top + height / 2), (left + width, top + height / 2)]
            points += ends if right else ends[::-1]
        return points


def _spread_centers(wanted: Sequence[float], sizes: Sequence[tuple[float, float, float]]) -> list[float]:
    """The centers nearest to those that are wanted at which the items of a column, in this order, stand apart.

    Least squares: neighbours that come too near to each other are moved as one (pool adjacent violators).
    """
    pools: list[tuple[float, int]] = []  # the sum of what its items want, and their number
    offset = 0.0
    offsets = []
    for center, (_, height, port) in zip(wanted, sizes, strict=True):
        offsets.append(offset + port)
        total, count = center - offset - port, 1
        while pools and pools[-1][0] * count >= total * pools[-1][1]:
            before, number = pools.pop()
            total, count = total + before, count + number
        pools.append((total, count))
        offset += height + ROW
    starts = [total / count for total, count in pools for _ in range(count)]
    return [start + offset for start, offset in zip(starts, offsets, strict=True)]
