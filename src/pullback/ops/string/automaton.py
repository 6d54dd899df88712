"""Regular expressions as automata over bytes: what a set of threads of the expression can be in is one state, and a byte leads to the next.

States and their transitions are made when a string first asks for them (K. Thompson, 1968), so an expression costs what its strings use,
and a match takes one step for each byte, whatever the expression.  In an automaton with `ordered` threads the first ones are those that
RE2 and Perl prefer, and a match ends all behind it: then the last match seen is the one that they find (R. Cox, 2010).

What an automaton cannot do, or only with more states than `LIMIT`, is `Unsupported`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..array.types import Array
from .threads import BYTE, END, FORK, LINE, LOOK, LOOKS, MATCH, OTHER, SAVE, START, WORD, Range, Threads, Unsupported, holds, is_in

LIMIT = 2000
_WORDS = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")


class Automaton:
    """States and transitions made so far.

    table: `table[state + c]` is where class c of bytes leads, twice the next state, and one more where a match ended before that byte; -1
    where nobody has asked yet.  A state is a multiple of `width`, 0 the one without threads.  The last class is the end of the text.
    steps: what is known of it, for whoever takes one step after another in Python.
    classes: of each byte.  begins: the first states: at the start of a text, behind a line's end, behind a word's character, or another.
    before: which of them comes behind each byte.  lock: whoever runs the automaton holds it.  is_full: whether it wanted more states than
    there may be.  differs: whether Python's expressions may match
    otherwise: another turn of what is repeated and may be empty, and what is within a character.
    """

    def __init__(self, expression: re.Pattern[str], text: str, ordered: bool, kept: bool = False) -> None:
        self._threads = Threads(expression, text, kept)
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
        self.steps: dict[int, int] = {}
        self._states: dict[Any, int] = {}
        self._keys: list[Any] = []
        self.table = np.full(16 * self.width, -1, np.int32)
        self._state((), OTHER)
        self.table[: self.width] = 0
        first = (self._threads.first,)
        self.begins = np.array([self._state(first, kind) for kind in (START if start else OTHER, LINE, WORD, OTHER)])
        self._alone, self._none = bool((self.begins == self.begins[0]).all()), np.zeros(256, np.uint8)

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
        return (self.table[self.begins[0] + self.classes] == 0).view(np.uint8) if self._alone else self._none

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
            if kind == "byte" and at < stop and is_in(s[at], rest[0]):
                left.append((rest[1], at + 1, slots))
            elif kind == "fork":
                left += [(following, at, slots) for following in reversed(rest[0])]
            elif kind == "save":
                left.append((rest[1], at, {**slots, rest[0]: at}))
            elif kind == "look":
                before = START if at == 0 else self._kinds[s[at - 1]]
                if holds(rest[0], before, END if at == len(s) else self._kinds[s[at]]):
                    left.append((rest[1], at, slots))
            elif kind == "match" and at == stop:
                break
        return slots

    def known_classes(self, s: bytes) -> bytes:
        """The class of each byte of a string."""
        return s.translate(self._translation)

    def follow(self, state: int, c: int) -> int:
        """The transition from a state with class `c`, made if it was not."""
        known = self.steps.get(state + c)
        if known is not None:
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
            elif byte is not None and is_in(byte, what[1]):
                following[what[2]] = None
        order = list(following) if self._ordered else sorted(following)
        made = 2 * self._state(order, behind) + matched
        self.table[state + c] = self.steps[state + c] = made
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
                if holds(place[1], before, behind):
                    left.append(place[2])
            else:
                yield at


__all__ = ["LIMIT", "Automaton"]
