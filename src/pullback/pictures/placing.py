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

    points: where it starts, where it leaves its column, the ends of its turning points, where it arrives.
    """

    start: int
    end: int
    arrows: list[int]
    points: list[tuple[float, float]]


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
        self.routes = self._routes()

    def _measured(self, item: int) -> tuple[float, float, float]:
        """Width and height of an item, and how far below its top arrows arrive."""
        if item in self._size:
            return *self._size[item], self._size[item][1] / 2
        boxes = self.arrangement.tree.boxes
        width, height, port = (boxes[item].width, boxes[item].height, HEIGHT / 2) if item < len(boxes) else (0.0, TURN, TURN / 2)
        self._size[item] = width, height
        return width, height, port

    def _place(self, group: int) -> None:
        top, width = HEAD, 0.0
        placed: list[tuple[Band, float]] = []
        for band in self.arrangement.bands[group]:
            wide, high = self._place_band(band, top)
            placed.append((band, wide))
            top += high + ROW * 2
            width = max(width, wide)
        for band, wide in placed:
            if band.backward:
                self._mirror(band, wide, width)
        box = self.arrangement.tree.boxes[group]
        self._size[group] = max(width + 2 * PAD, box.width + 2 * PAD), top - ROW * 2 + PAD

    def _place_band(self, band: Band, top: float) -> tuple[float, float]:
        """Place the items of a band below `top`; its width and height."""
        sizes = {item: self._measured(item) for column in band.columns for item in column}
        x = PAD
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
                for item, center in zip(column, _apart(wanted, [sizes[item] for item in column]), strict=True):
                    centers[item] = center
        first = min(centers[item] - sizes[item][2] for item in centers)
        last = max(centers[item] - sizes[item][2] + sizes[item][1] for item in centers)
        for item, center in centers.items():
            self._local[item] = self._local[item][0], center - sizes[item][2] - first + top
        return x - GAP - PAD, last - first

    def _mirror(self, band: Band, wide: float, width: float) -> None:
        """Let a band run from right to left, at the right end of its group."""
        for column in band.columns:
            for item in column:
                x, y = self._local[item]
                span = self._edge[item] - x
                left = PAD + width - (x - PAD) - span
                self._local[item], self._edge[item] = (left, y), left + span

    def shown(self, leaf: int) -> int:
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
        shown = [self.shown(i) for i in range(len(tree.diagram.leaves))]
        for i, arrow in enumerate(tree.diagram.arrows):
            start, end = shown[arrow.start], shown[arrow.end]
            if start != end:
                found.setdefault((start, end), []).append(i)
        return [Route(*link, arrows, self._points(*link)) for link, arrows in found.items()]

    def port(self, item: int, right: bool) -> tuple[float, float]:
        """Where arrows leave or reach a box."""
        box, (x, y, _, _) = self.arrangement.tree.boxes[item], self.rectangles[item]
        return x + box.shift + (box.box if right else 0.0), y + HEIGHT / 2

    def _points(self, start: int, end: int) -> list[tuple[float, float]]:
        a, b, _ = self.arrangement.lifted(start, end)
        onward = self.rectangles[a].x <= self.rectangles[b].x
        x, y = self.port(start, right=onward)
        points = [(x, y), (max(self.edges[start], x) if onward else self.rectangles[start].x, y)]
        for turn in self.arrangement.routes.get((a, b), ()):
            left, top, width, height = self.rectangles[turn]
            ends = [(left, top + height / 2), (left + width, top + height / 2)]
            points += ends if onward else ends[::-1]
        return [*points, self.port(end, right=not onward)]


def _apart(wanted: Sequence[float], sizes: Sequence[tuple[float, float, float]]) -> list[float]:
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
