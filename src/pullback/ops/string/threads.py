"""The threads of a regular expression: the places where it may be in a text, and which follows which by which bytes.

Characters are sequences of bytes (UTF-8), classes of them few ranges of such sequences.  What threads cannot say is `Unsupported`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
from re import _constants as of  # type: ignore[attr-defined]  # typeshed does not know where Python 3.11 has it
from re import _parser  # type: ignore[attr-defined]
from typing import Any

_LARGEST = 8000
#: What stands before a place, or behind it.
START, LINE, WORD, OTHER, END = range(5)
_LAST, _LAST_WITH_CASE = 0x10FFFF, 0x1F000
BYTE, FORK, LOOK, SAVE, MATCH = range(5)
LOOKS = ("text begins", "text ends", "line begins", "line ends", "edge", "no edge")
Range = tuple[int, int]


class Unsupported(Exception):
    """No automaton for this: the reason is the message."""


# ---- characters as bytes


def byte_ranges(low: int, high: int) -> Iterator[list[Range]]:
    """The sequences of ranges of bytes that are the characters from `low` to `high` in UTF-8; like RE2's, all of them are a little more."""
    if (low, high) == (0x80, _LAST):
        tail = (0x80, 0xBF)
        yield from ([(0xC2, 0xDF), tail], [(0xE0, 0xEF), tail, tail], [(0xF0, 0xF4), tail, tail, tail])
        return
    for last in (0x7F, 0x7FF, 0xFFFF):
        if low <= last < high:
            yield from byte_ranges(low, last)
            yield from byte_ranges(last + 1, high)
            return
    if high > 0x7F:
        for i in (1, 2, 3):
            mask = (1 << 6 * i) - 1
            if low & ~mask != high & ~mask:
                middle = low | mask if low & mask else (high & ~mask) - 1 if high & mask != mask else None
                if middle is not None:
                    yield from byte_ranges(low, middle)
                    yield from byte_ranges(middle + 1, high)
                    return
    first, last_bytes = (chr(c).encode("utf-8", "surrogatepass") for c in (low, high))
    yield [*zip(first, last_bytes, strict=True)]


def _joined(ranges: Iterable[Range]) -> list[Range]:
    """Ranges in order that do not touch."""
    found: list[Range] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return found


def _complement(ranges: Iterable[Range]) -> list[Range]:
    edges = [-1, *(n for pair in _joined(ranges) for n in pair), _LAST + 1]
    return [(a + 1, b - 1) for a, b in zip(edges[::2], edges[1::2], strict=True) if a + 1 < b]


#: The characters beyond ASCII that differ in case alone from letters of it.
_BEYOND_ASCII = {"k": "\u212a", "s": "\u017f"}


@cache
def _alike() -> dict[int, list[int]]:
    """Characters that differ in case alone, by each of them: as Unicode's simple folding has it, which makes one character of one."""
    groups: dict[str, list[int]] = {}
    for code in range(_LAST_WITH_CASE):
        c = chr(code)
        if c.isalpha() or not c.isascii():
            folded = c.casefold()
            folded = folded if len(folded) == 1 else c.lower()
            groups.setdefault(folded if len(folded) == 1 else c, []).append(code)
    return {code: group for group in groups.values() if len(group) > 1 for code in group}


def _in_any_case(ranges: list[Range]) -> list[Range]:
    joined = _joined(ranges)
    if joined and joined[-1][1] < 128:
        letters = [c for low, high in joined for c in map(chr, range(low, high + 1)) if c.isalpha()]
        return [*joined, *((ord(d), ord(d)) for c in letters for d in (c.swapcase(), _BEYOND_ASCII.get(c.lower(), c)))]
    lows = [low for low, _ in joined]
    found = list(joined)
    for code, group in _alike().items():
        k = bisect_right(lows, code) - 1
        if k >= 0 and code <= joined[k][1]:
            found += [(other, other) for other in group]
    return found


# ---- an expression as threads


_LOOKS = {
    of.AT_BEGINNING_STRING: "text begins", of.AT_END_STRING: "text ends", of.AT_BOUNDARY: "edge", of.AT_NON_BOUNDARY: "no edge",
}  # fmt: skip


class Threads:
    """The places that threads can be in: `("byte", ranges, next)`, `("fork", nexts)`, first the preferred one, `("look", what, next)`,
    `("match",)`, and where groups begin and end, if they are `kept`, `("save", number, next)`.
    """

    def __init__(self, expression: re.Pattern[str], text: str, kept: bool) -> None:
        self._kept = kept
        self.places: list[tuple[Any, ...]] = [("match",)]
        self.looks: set[str] = set()
        self._bytes: dict[Any, int] = {}
        self.differs = False
        tree = _parser.parse(text)
        self.first = self.sequence(tree, 0, expression.flags)

    def place(self, *what: Any) -> int:
        known = self._bytes.get(what) if what[0] == "byte" else None
        if known is not None:
            return known  # the same bytes before the same place: characters of a class end alike
        if len(self.places) >= _LARGEST:
            raise Unsupported("an expression of so many parts")
        self.places.append(what)
        if what[0] == "byte":
            self._bytes[what] = len(self.places) - 1
        return len(self.places) - 1

    def sequence(self, tree: Any, then: int, flags: int) -> int:
        for what, details in reversed(list(tree)):
            then = self.one(what, details, then, flags)
        return then

    def one(self, what: Any, details: Any, then: int, flags: int) -> int:
        if what is of.LITERAL:
            return self.characters([(details, details)], False, then, flags)
        if what is of.NOT_LITERAL:
            return self.characters([(details, details)], True, then, flags)
        if what is of.ANY:
            return self.characters([] if flags & re.DOTALL else [(10, 10)], True, then, 0)
        if what is of.IN:
            return self.members(details, then, flags)
        if what is of.BRANCH:
            return self.place("fork", [self.sequence(tree, then, flags) for tree in details[1]])
        if what is of.SUBPATTERN:
            group, added, dropped, tree = details
            if group is None or not self._kept:
                return self.sequence(tree, then, (flags | added) & ~dropped)
            return self.place("save", 2 * group, self.sequence(tree, self.place("save", 2 * group + 1, then), flags))
        if what in (of.MAX_REPEAT, of.MIN_REPEAT):
            low, high, tree = details
            return self.repeated(tree, low, None if high is of.MAXREPEAT else high, what is of.MAX_REPEAT, then, flags)
        if what is of.AT:
            return self.look(details, then, flags)
        raise Unsupported(str(what))

    def members(self, details: Any, then: int, flags: int) -> int:
        ranges = []
        negated = False
        for kind, what in details:
            if kind is of.NEGATE:
                negated = True
            elif kind is of.LITERAL:
                ranges.append((what, what))
            elif kind is of.RANGE:
                ranges.append(what)
            else:
                raise Unsupported(str(kind))
        return self.characters(ranges, negated, then, flags)

    def characters(self, ranges: list[Range], negated: bool, then: int, flags: int) -> int:
        if any(0xDC80 <= low <= 0xDCFF and low == high for low, high in ranges):
            raise Unsupported("a byte that is no character")
        if flags & re.IGNORECASE:
            ranges = _in_any_case(ranges)
        ranges = _complement(ranges) if negated else _joined(ranges)
        sequences = [sequence for low, high in ranges for sequence in byte_ranges(low, high)]
        alone = tuple(sequence[0] for sequence in sequences if len(sequence) == 1)
        starts = [self.place("byte", alone, then)] if alone else []
        for sequence in sequences:
            at = then
            for one in reversed(sequence):
                at = self.place("byte", (one,), at)
            starts += [at] * (len(sequence) > 1)
        return starts[0] if len(starts) == 1 else self.place("fork", starts)

    def repeated(self, tree: Any, low: int, high: int | None, greedy: bool, then: int, flags: int) -> int:
        def maybe(body: int) -> int:
            return self.place("fork", [body, then] if greedy else [then, body])

        self.differs |= tree.getwidth()[0] == 0
        if high is None:
            fork = self.place("fork", [])
            body = self.sequence(tree, fork, flags)
            self.places[fork] = ("fork", [body, then] if greedy else [then, body])
            nullable = low == 0 and tree.getwidth()[0] == 0
            # One fork does not keep the order of threads where a turn may be empty: at least one turn, or none.
            then = maybe(body) if nullable else fork if low == 0 else body
            low -= 1
        else:
            end = then
            for _ in range(high - low):
                body = self.sequence(tree, then, flags)
                then = self.place("fork", [body, end] if greedy else [end, body])
        for _ in range(low):
            then = self.sequence(tree, then, flags)
        return then

    def look(self, where: Any, then: int, flags: int) -> int:
        lines = bool(flags & re.MULTILINE)
        if where is of.AT_BEGINNING:
            what = "line begins" if lines else "text begins"
        elif where is of.AT_END and lines:
            what = "line ends"
        else:
            what = _LOOKS.get(where, "")
            if not what:
                raise Unsupported(str(where))
        self.looks.add(what)
        self.differs |= what == "no edge"
        return self.place("look", what, then)


def is_in(byte: int, ranges: Iterable[Range]) -> bool:
    return any(low <= byte <= high for low, high in ranges)


def holds(what: str, before: int, behind: int) -> bool:
    if what == "text begins":
        return before == START
    if what == "text ends":
        return behind == END
    if what == "line begins":
        return before in (START, LINE)
    if what == "line ends":
        return behind in (END, LINE)
    return ((before == WORD) != (behind == WORD)) == (what == "edge")


__all__ = [
    "BYTE", "END", "FORK", "LINE", "LOOK", "LOOKS", "MATCH", "OTHER", "SAVE", "START", "WORD", "Range", "Threads", "Unsupported",
    "byte_ranges", "holds", "is_in",
]  # fmt: skip
