"""Boxes in boxes: leaves are folded by their scopes, by layers that repeat, and where there are still too many, by hundreds."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from .diagram import Diagram, columns, shorten

#: Scopes of what runs backwards.
_BACKWARD = re.compile(r"gradients(_\d+)?|gradient_tape(_\d+)?")
_NUMBER = re.compile(r"[_/]?\d+$")
#: How many boxes stand side by side at most, and how many are folded into one where there are more.
MOST, FEWER = 120, 60
#: A repetition is folded from so many times, and so many leaves in all, on.
_TIMES, _LEAVES = 3, 8
#: How many distances to an equal box are tried as the length of a layer.
_TRIES = 8
#: Sizes in pixels: of a character of a label and of a note, of a box, and of a line of a sentence.
LETTER, SMALL, HEIGHT, LINE = 7.3, 6.1, 26.0, 13.0
_SENTENCE = 44


@dataclass(slots=True)
class Box:
    """A leaf, or a group of boxes.

    width, height: what it takes folded, with its words around it.  box, shift: the width of the rectangle itself, and where it begins.
    """

    label: str
    kind: str
    parent: int = -1
    children: list[int] = field(default_factory=list)
    note: str = ""
    hover: str = ""
    sentence: list[str] = field(default_factory=list)
    backward: bool = False
    leaves: int = 1
    first: int = 0
    depth: int = 0
    box: float = 0.0
    shift: float = 0.0
    width: float = 0.0
    height: float = 0.0

    def measure(self) -> None:
        """Work out its sizes from its words."""
        self.box = round(16 + LETTER * columns(self.label), 1)
        words = round(SMALL * columns(self.note) + 10, 1) if self.note else 0.0
        self.shift = words if self.backward else 0.0
        told = SMALL * max((columns(line) for line in self.sentence), default=0)
        self.width = round(max(self.box + words, told), 1)
        self.height = HEIGHT + LINE * len(self.sentence) + (4 if self.sentence else 0)


class Tree:
    """The boxes of a diagram: the leaves under their own numbers, then the groups; `root` holds all."""

    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram
        self.boxes = [
            Box(shorten(leaf.label), leaf.kind, note=shorten(leaf.note), hover=leaf.hover, first=i,
                sentence=textwrap.wrap(leaf.sentence, _SENTENCE)) for i, leaf in enumerate(diagram.leaves)
        ]  # fmt: skip
        self.root = self._group("", "group", -1)
        self._fold_by_scope()
        signatures = self._signatures()
        for group in range(self.root, len(self.boxes)):
            self._fold_repeated(group, signatures)
        for group in range(self.root, len(self.boxes)):
            self._fold_many(group)
        self._finish()

    def _group(self, label: str, kind: str, parent: int) -> int:
        self.boxes.append(Box(label, kind, parent))
        return len(self.boxes) - 1

    def _fold_by_scope(self) -> None:
        groups: dict[tuple[int, str], int] = {}
        count = {self.root: 0}
        homes = []
        for leaf in self.diagram.leaves:
            home = self.root
            for name in leaf.scope:
                inner = groups.get((home, name))
                if inner is None:
                    inner = groups[home, name] = self._group(shorten(name), "group", home)
                    self.boxes[inner].backward = bool(_BACKWARD.fullmatch(name))
                    count[home] += 1
                    count[inner] = 0
                home = inner
            count[home] += 1
            homes.append(home)
        placed = {self.root}
        for i, home in enumerate(homes):
            box, at = i, home
            while True:
                while count[at] == 1 and at != self.root:  # a group of one box is that box
                    at = self.boxes[at].parent
                self.boxes[box].parent = at
                self.boxes[at].children.append(box)
                if at in placed:
                    break
                placed.add(at)
                box, at = at, self.boxes[at].parent

    def _signatures(self) -> list[int]:
        """Numbers that are equal where boxes look alike inside and out."""
        known: dict[Hashable, int] = {}
        found = [known.setdefault((box.label, box.note, box.kind), len(known)) for box in self.boxes[: self.root]]
        found += [0] * (len(self.boxes) - self.root)
        for i in range(len(self.boxes) - 1, self.root - 1, -1):
            box = self.boxes[i]
            found[i] = known.setdefault((_NUMBER.sub("", box.label), *[found[c] for c in box.children]), len(known))
            box.leaves = sum(self.boxes[c].leaves for c in box.children)
        return found

    def _fold_repeated(self, group: int, signatures: Sequence[int]) -> None:
        children = self.boxes[group].children
        kept: list[int] = []
        at = 0
        for start, period, times in repetitions([signatures[c] for c in children]):
            unit = children[start : start + period]
            if times < _TIMES or times * sum(self.boxes[c].leaves for c in unit) < _LEAVES:
                continue
            kept += children[at:start]
            at = start + period * times
            if period * times == len(children) and group != self.root:  # the group itself is the repetition
                outer, box = group, self.boxes[group]
                box.label, box.kind, box.children = f"{_NUMBER.sub('', box.label)} × {times}", "repeated", []
            else:
                name = _NUMBER.sub("", self.boxes[unit[0]].label) if period == 1 else " ".join(self.boxes[c].label for c in unit[:3])
                outer = self._group(f"{shorten(name, 22)} × {times}", "repeated", group)
                kept.append(outer)
            if period == 1:
                self._move(children[start:at], outer)
                continue
            rounds = [children[i : i + period] for i in range(start, at, period)]
            for number, boxes in enumerate(rounds, 1):
                one = self._group(f"{number} of {times}", "group", outer)
                self.boxes[outer].children.append(one)
                self._move(boxes, one)
        if kept:
            self.boxes[group].children = kept + children[at:]

    def _fold_many(self, group: int) -> None:
        while len(self.boxes[group].children) > MOST:
            children, self.boxes[group].children = self.boxes[group].children, []
            for i in range(0, len(children), FEWER):
                part = children[i : i + FEWER]
                name = f"{shorten(self.boxes[part[0]].label, 12)} … {shorten(self.boxes[part[-1]].label, 12)}"
                inner = self._group(name, "many", group)
                self.boxes[group].children.append(inner)
                self._move(part, inner)

    def _move(self, children: Sequence[int], group: int) -> None:
        self.boxes[group].children += children
        for child in children:
            self.boxes[child].parent = group

    def _finish(self) -> None:
        """What groups tell of what is in them, and all sizes."""
        for i in self.downwards():
            box = self.boxes[i]
            for child in box.children:
                self.boxes[child].depth = box.depth + 1
                self.boxes[child].backward |= box.backward
        leaving = self._leaving()
        for i in reversed(list(self.downwards())):
            box = self.boxes[i]
            if box.children:
                given = leaving.get(i, {})
                box.note = next(iter(given.values())) if len(given) == 1 else f"{len(given)} tensors" if given else ""
                inside = [self.boxes[c] for c in box.children]
                box.leaves, box.first = sum(b.leaves for b in inside), min(b.first for b in inside)
                box.hover = f"{box.label}: {box.leaves} operations" + (f"\n{box.hover}" if box.hover else "")
                box.label = f"{box.label} ({box.leaves})" if i != self.root else self.diagram.title
                if any(b.kind in ("broken", "breaking") for b in inside):
                    box.kind = "breaking"
            box.measure()

    def _leaving(self) -> dict[int, dict[int, str]]:
        """For each group the leaves in it with arrows that leave it, and their notes."""
        found: dict[int, dict[int, str]] = {}
        boxes = self.boxes
        for arrow in self.diagram.arrows:
            at, end = boxes[arrow.start].parent, boxes[arrow.end].parent
            while boxes[end].depth > boxes[at].depth:
                end = boxes[end].parent
            while at != end:
                found.setdefault(at, {})[arrow.start] = boxes[arrow.start].note
                if boxes[at].depth == boxes[end].depth:
                    end = boxes[end].parent
                at = boxes[at].parent
        return found

    def downwards(self) -> Iterator[int]:
        """All boxes, each after the one that it is in."""
        pending = [self.root]
        while pending:
            box = pending.pop()
            yield box
            pending += self.boxes[box].children

    def open_groups(self, most: int) -> set[int]:
        """The groups to unfold at first: the way to each break, then from the outside in, until there are `most` boxes."""
        found = {self.root}
        for i, leaf in enumerate(self.diagram.leaves):
            at = self.boxes[i].parent if leaf.sentence else self.root
            while at not in found:
                found.add(at)
                at = self.boxes[at].parent
        count = sum(len(self.boxes[i].children) for i in found) - len(found)
        level = [self.root]
        while level:
            for i in [c for g in level for c in self.boxes[g].children if self.boxes[c].kind == "group" and self.boxes[c].children]:
                if i not in found and count + len(self.boxes[i].children) <= most:
                    found.add(i)
                    count += len(self.boxes[i].children)
            level = [c for g in level for c in self.boxes[g].children if c in found]
        return found


def repetitions(signatures: Sequence[int]) -> list[tuple[int, int, int]]:
    """Where a sequence repeats itself: (start, length, times), in order and apart, times at least 2.

    >>> repetitions([5, 1, 2, 1, 2, 1, 2, 7])
    [(1, 2, 3)]
    """
    count = len(signatures)
    following: list[int] = [count] * count
    last: dict[int, int] = {}
    for i in range(count - 1, -1, -1):
        following[i] = last.get(signatures[i], count)
        last[signatures[i]] = i
    hashes = _Hashes(signatures)
    found = []
    at = 0
    while at < count:
        best, other = (at, 1, 1), following[at]
        for _ in range(_TRIES):
            period = other - at
            if other >= count or other + period > count:
                break
            times = 1
            while at + (times + 1) * period <= count and hashes.of(at, period) == hashes.of(at + times * period, period):
                times += 1
            if times > 1 and times * period > best[1] * best[2]:
                best = (at, period, times)
            other = following[other]
        if best[2] > 1:
            found.append(best)
        at += best[1] * best[2]
    return found


class _Hashes:
    """Hashes of any stretch of a sequence, each in one step."""

    _MODULUS, _BASE = (1 << 61) - 1, 1_000_003

    def __init__(self, sequence: Sequence[int]) -> None:
        self._sums, self._powers = [0], [1]
        for value in sequence:
            self._sums.append((self._sums[-1] * self._BASE + value + 1) % self._MODULUS)
            self._powers.append(self._powers[-1] * self._BASE % self._MODULUS)

    def of(self, start: int, length: int) -> int:
        """The hash of `length` values from `start` on."""
        return (self._sums[start + length] - self._sums[start] * self._powers[length]) % self._MODULUS
