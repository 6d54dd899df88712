"""Regular expressions as automata over bytes: what a set of threads of the expression can be in is one state, and a byte leads to the next.

States and their transitions are made when a string first asks for them (K. Thompson, 1968), so an expression costs what its strings use,
and a match takes one step for each byte, whatever the expression.  In an automaton with `ordered` threads the first ones are those that
RE2 and Perl prefer, and a match ends all behind it: then the last match seen is the one that they find (R. Cox, 2010).

What an automaton cannot do, or only with more states than `LIMIT`, is `Unsupported`.
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from re import _constants as of  # type: ignore[attr-defined]  # typeshed does not know where Python 3.11 has it
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import numpy as np

from ..array.types import Array

LIMIT = 2000
_LARGEST = 8000
#: What stands before a place, or behind it.
START, LINE, WORD, OTHER, END = range(5)
_LAST, _LAST_WITH_CASE = 0x10FFFF, 0x1F000
_WORDS = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")
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


class _Threads:
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


def _is_in(byte: int, ranges: Iterable[Range]) -> bool:
    return any(low <= byte <= high for low, high in ranges)


def _holds(what: str, before: int, behind: int) -> bool:
    if what == "text begins":
        return before == START
    if what == "text ends":
        return behind == END
    if what == "line begins":
        return before in (START, LINE)
    if what == "line ends":
        return behind in (END, LINE)
    return ((before == WORD) != (behind == WORD)) == (what == "edge")


# ---- states


class Automaton:
    """States and transitions made so far.

    table: `table[state + c]` is where class c of bytes leads, twice the next state, and one more where a match ended before that byte; -1
    where nobody has asked yet.  A state is a multiple of `width`, 0 the one without threads.  The last class is the end of the text.
    classes: of each byte.  begins: the first states: at the start of a text, behind a line's end, behind a word's character, or another.
    before: which of them comes behind each byte.  lock: whoever runs the automaton holds it.  is_full: whether it wanted more states than
    there may be.  differs: whether Python's expressions may match
    otherwise: another turn of what is repeated and may be empty, and what is within a character.
    """

    def __init__(self, expression: re.Pattern[str], text: str, ordered: bool, kept: bool = False) -> None:
        self._threads = _Threads(expression, text, kept)
        self._ordered = ordered
        self.is_full = False
        self.differs = self._threads.differs
        self.lock = threading.RLock()
        looks = self._threads.looks
        lines, words = bool(looks & {"line begins", "line ends"}), bool(looks & {"edge", "no edge"})
        start = bool(looks & {"text begins", "line begins"})
        self._kinds = [LINE if lines and b == 10 else WORD if words and b in _WORDS else OTHER for b in range(256)]
        self.classes = self._classes()
        self._translation = self.classes.tobytes()
        self.last = int(self.classes.max()) + 1
        self.width = self.last + 1
        self._samples = [int(np.flatnonzero(self.classes == c)[0]) for c in range(self.last)]
        self.before = np.array(self._kinds, np.uint8)
        self._states: dict[Any, int] = {}
        self._keys: list[Any] = []
        self.table = np.full(16 * self.width, -1, np.int32)
        self._state((), OTHER)
        self.table[: self.width] = 0
        first = (self._threads.first,)
        self.begins = np.array([self._state(first, kind) for kind in (START if start else OTHER, LINE, WORD, OTHER)])

    def _classes(self) -> Array:
        """Bytes that no part of the expression tells from each other."""
        cuts = {0}
        for place in self._threads.places:
            if place[0] == "byte":
                cuts |= {cut for low, high in place[1] for cut in (low, high + 1)}
        cuts |= {b for b in range(1, 256) if self._kinds[b] != self._kinds[b - 1]}
        marks = np.zeros(256, np.int64)
        marks[[b for b in cuts if 0 < b < 256]] = 1
        return np.cumsum(marks).astype(np.uint8)

    def idle(self) -> Array:
        """Which bytes begin no match, wherever they stand, as far as that is known."""
        alone = bool((self.begins == self.begins[0]).all())
        return (self.table[self.begins[0] + self.classes] == 0).astype(np.uint8) if alone else np.zeros(256, np.uint8)

    def _state(self, threads: Sequence[int], before: int) -> int:
        key = (tuple(threads), before if self._threads.looks and threads else OTHER)
        found = self._states.get(key)
        if found is None:
            if len(self._keys) >= LIMIT:
                self.is_full = True
                raise Unsupported("an expression of so many states")
            found = self._states[key] = len(self._keys) * self.width
            self._keys.append(key)
            if found + self.width > len(self.table):
                self.table = np.concatenate([self.table, np.full(len(self.table), -1, np.int32)])
        return found

    def threads(self) -> tuple[Array, Array, Array, int]:
        """The places of threads in numbers, four each: the kind, two numbers, the next place; the next places of all forks, of which theirs
        are from the first number on and as many as the second says; sets of bytes, of which the first number is the place; the first place.
        """
        code: list[tuple[int, ...]] = []
        forks: list[int] = []
        sets: dict[tuple[Range, ...], int] = {}
        for kind, *rest in self._threads.places:
            if kind == "fork":
                code.append((FORK, len(forks), len(rest[0]), 0))
                forks += rest[0]
            elif kind == "byte":
                code.append((BYTE, 256 * sets.setdefault(rest[0], len(sets)), 0, rest[1]))
            elif kind == "look":
                code.append((LOOK, LOOKS.index(rest[0]), 0, rest[1]))
            elif kind == "save":
                code.append((SAVE, rest[0], 0, rest[1]))
            else:
                code.append((MATCH, 0, 0, 0))
        members = np.zeros((len(sets) + 1, 256), np.uint8)
        for row, ranges in zip(members, sets, strict=False):
            for low, high in ranges:
                row[low : high + 1] = 1
        return np.array(code, np.int32).reshape(-1), np.array(forks, np.int32), members.reshape(-1), self._threads.first

    def groups(self, s: bytes, start: int, stop: int) -> dict[int, int]:
        """Where the groups of a match begin (by twice their number) and end (by one more): the way of the preferred threads, none of whose
        places is tried twice at a byte.
        """
        slots: dict[int, int] = {}
        tried: set[tuple[int, int]] = set()
        left: list[tuple[int, int, dict[int, int]]] = [(self._threads.first, start, slots)]
        while left:
            place, at, slots = left.pop()
            if (place, at) in tried:
                continue
            tried.add((place, at))
            kind, *rest = self._threads.places[place]
            if kind == "byte" and at < stop and _is_in(s[at], rest[0]):
                left.append((rest[1], at + 1, slots))
            elif kind == "fork":
                left += [(following, at, slots) for following in reversed(rest[0])]
            elif kind == "save":
                left.append((rest[1], at, {**slots, rest[0]: at}))
            elif kind == "look":
                before = START if at == 0 else self._kinds[s[at - 1]]
                if _holds(rest[0], before, END if at == len(s) else self._kinds[s[at]]):
                    left.append((rest[1], at, slots))
            elif kind == "match" and at == stop:
                break
        return slots

    def known_classes(self, s: bytes) -> bytes:
        """The class of each byte of a string."""
        return s.translate(self._translation)

    def follow(self, state: int, c: int) -> int:
        """The transition from a state with class `c`, made if it was not."""
        known = int(self.table[state + c])
        if known >= 0:
            return known
        threads, before = self._keys[state // self.width]
        byte = None if c == self.last else self._samples[c]
        behind = END if byte is None else self._kinds[byte]
        following: dict[int, None] = {}
        matched = False
        for place in self._reached(threads, before, behind):
            what = self._threads.places[place]
            if what[0] == "match":
                matched = True
                if self._ordered:
                    break
            elif byte is not None and _is_in(byte, what[1]):
                following[what[2]] = None
        order = list(following) if self._ordered else sorted(following)
        made = 2 * self._state(order, behind) + matched
        self.table[state + c] = made
        return made

    def _reached(self, threads: Sequence[int], before: int, behind: int) -> Iterator[int]:
        """The bytes and matches that threads come to without a byte, the preferred ones first."""
        seen: set[int] = set()
        left = [*reversed(threads)]
        while left:
            at = left.pop()
            if at in seen:
                continue
            seen.add(at)
            place = self._threads.places[at]
            if place[0] == "fork":
                left += reversed(place[1])
            elif place[0] == "save":
                left.append(place[2])
            elif place[0] == "look":
                if _holds(place[1], before, behind):
                    left.append(place[2])
            else:
                yield at


__all__ = [
    "BYTE", "END", "FORK", "LIMIT", "LINE", "LOOK", "LOOKS", "MATCH", "OTHER", "SAVE", "START", "WORD", "Automaton", "Unsupported",
    "byte_ranges",
]  # fmt: skip
