"""Strings matched and changed along automata: natively where there is code, else by NumPy or one byte after another."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ...base.loops import native_loop
from ...base.strings import StringArray, from_list
from ..array.types import Array
from .automaton import Automaton
from .automaton_loops import FULL, UNKNOWN, matched, replaced
from .pattern import compiled, with_edges
from .threads import SAVE, Unsupported

#: Strings and bytes from which native code is quicker to call, and strings from which going a byte of all of them at a time pays.
_FEW, _TOGETHER = 48, 64
#: For how many places and bytes it is noted that they were tried.
_TRIED = 1 << 24

_NO_GROUPS = (np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.uint8), 0, np.zeros(0, np.int32), np.zeros(0, np.int64))
_TAIL = b"[\x80-\xbf]"
_CHARACTER = re.compile(
    b"[\xc2-\xdf]%b|(?:\xe0[\xa0-\xbf]|[\xe1-\xef]%b)%b|(?:\xf0[\x90-\xbf]|[\xf1-\xf3]%b|\xf4[\x80-\x8f])%b%b" % ((_TAIL,) * 6)
)


@lru_cache(1 << 7)
def automaton(pattern: bytes, ordered: bool, kept: bool = False) -> Automaton | None:
    """The automaton of an expression of RE2, None where it has none; InvalidArgumentError for what is no expression."""
    expression = compiled(pattern)
    try:
        return Automaton(expression, with_edges(expression), ordered, kept)
    except Unsupported:
        return None


def full_match(x: StringArray, pattern: bytes) -> Array | None:
    """Which strings an expression matches from beginning to end, flat; None where it has no automaton."""
    made = automaton(pattern, False)
    if made is None or made.is_full:
        return None
    work = len(x.data) + x.size
    run = native_loop(matched, work) if work >= _FEW else None
    try:
        with made.lock:
            if run is None:
                return _full_match(made, x)
            out, where = np.empty(x.size, bool), np.array([0, -1, 0, 0, 0])
            while run(x.data, x.starts, x.size, made.table, made.classes, made.begins, made.last, where, out) == UNKNOWN:
                made.follow(int(where[3]), int(where[4]))
            return out
    except Unsupported:
        return None


def _full_match(made: Automaton, x: StringArray) -> Array:
    """A byte of all strings at a time while there are many that go on, the longest first; the rest one by one."""
    if x.size < _TOGETHER:
        return np.array([_is_match(made, int(made.begins[0]), s) for s in x.tolist()], bool)
    lengths = x.lengths()
    order = np.argsort(-lengths, kind="stable")
    starts, left = x.starts[:-1][order], lengths[order]
    states = np.full(x.size, made.begins[0])
    out = np.zeros(x.size, bool)
    step, going_on = 0, x.size
    while going_on >= _TOGETHER:
        ended = going_on
        going_on = int(np.searchsorted(-left[:ended], -step, "left"))  # how many have a byte more
        ends = _followed(made, states[going_on:ended], np.full(ended - going_on, made.last)) & 1
        out[order[going_on:ended]] = ends == 1
        classes = made.classes[x.data[starts[:going_on] + step]]
        states[:going_on] = _followed(made, states[:going_on], classes) >> 1
        step += 1
    for i in range(going_on):
        rest = x.data[starts[i] + step : starts[i] + left[i]].tobytes()
        out[order[i]] = _is_match(made, int(states[i]), rest)
    return out


def _is_match(made: Automaton, state: int, s: bytes) -> bool:
    """Whether a string leads from a state to a match at its end."""
    known = made.steps.get
    for c in made.known_classes(s):
        following = known(state + c)
        state = (made.follow(state, c) if following is None else following) >> 1
        if not state:
            return False
    return bool(made.follow(state, made.last) & 1)


def _followed(made: Automaton, states: Array, classes: Array) -> Array:
    """The transition of each state with a class."""
    places = states + classes
    found = made.table[places]
    for place in np.unique(places[found < 0]).tolist():
        made.follow(place - place % made.width, place % made.width)
    return np.asarray(made.table[places])


def replace(
    x: StringArray, pattern: bytes, parts: Sequence[bytes | int], everywhere: bool, always: bool = False
) -> StringArray | None:
    """Strings with all matches of an expression, or the first one, replaced by parts: text, and groups by number, 0 for the whole match.

    None where it has no automaton; or no native code, unless `always`, or unless Python's expressions would do it otherwise.
    """
    groups = max((part for part in parts if isinstance(part, int)), default=0)
    made = automaton(pattern, True, groups > 0)
    if made is None or made.is_full:
        return None
    work = len(x.data) + x.size
    run = native_loop(replaced, work) if work >= _FEW else None
    if run is None and not (always or made.differs):
        return None
    try:
        with made.lock:
            return _replaced(made, x, parts, everywhere) if run is None else _natively(run, made, x, parts, groups, everywhere)
    except Unsupported:
        return None


def _natively(
    run: Callable[..., int], made: Automaton, x: StringArray, parts: Sequence[bytes | int], groups: int, everywhere: bool
) -> StringArray:
    text = np.frombuffer(b"".join(part for part in parts if isinstance(part, bytes)), np.uint8)
    places, at = np.zeros(2 * len(parts), np.int64), 0
    for k, part in enumerate(parts):
        places[2 * k : 2 * k + 2] = (-1 - part, 0) if isinstance(part, int) else (at, len(part))
        at += len(part) if isinstance(part, bytes) else 0
    captures = _captures(made, x, groups)
    idle = made.idle()
    where, ends, out = np.array([0, -1, -1, 0, 0, 0, 0, 0]), np.zeros(x.size + 1, np.int64), np.empty(len(x.data) + 64, np.uint8)
    while stopped := run(
        x.data, x.starts, x.size, made.table, made.classes, made.begins, made.before, idle, made.last,
        text, places, len(parts), int(everywhere), where, out, len(out), ends, *captures,
    ):  # fmt: skip
        if stopped == FULL:
            out = np.concatenate([out, np.empty(len(out) + int(where[5]), np.uint8)])
        else:
            made.follow(int(where[5]), int(where[6]))
            idle = made.idle()
    return StringArray(out[: ends[-1]], ends, x.shape)


def _captures(made: Automaton, x: StringArray, groups: int) -> tuple[Any, ...]:
    """What a loop needs to find the groups of a match, of up to so high a number."""
    if not groups:
        return *_NO_GROUPS, np.zeros(2, np.int64), 0
    code, forks, sets, first = made.threads()
    span = int(x.lengths().max(initial=0)) + 1
    tried = len(code) // 4 * span
    if tried > _TRIED:
        raise Unsupported("groups of an expression of so many parts in so long a string")
    saved = int((code[::4] == SAVE).sum())
    slots = max(int(code[1::4][code[::4] == SAVE].max(initial=0)) + 1, 2 * groups + 2)  # what is repeated no times has no place
    stack = np.empty(2 * (span * (len(forks) + saved) + 1), np.int64)
    return code, forks, sets, first, np.zeros(tried, np.int32), stack, np.empty(slots, np.int64), slots


def _replaced(made: Automaton, x: StringArray, parts: Sequence[bytes | int], everywhere: bool) -> StringArray:
    return from_list([_one_replaced(made, s, parts, everywhere) for s in x.tolist()], x.shape)


def _one_replaced(made: Automaton, s: bytes, parts: Sequence[bytes | int], everywhere: bool) -> bytes:
    """One string; no match is empty right behind the one before."""
    out: list[bytes] = []
    taken_apart = any(isinstance(part, int) and part for part in parts)
    at, behind = 0, -1
    while found := _search(made, s, at):
        start, end = found
        out.append(s[at:start])
        if start == end == behind:
            at = end + _character(s, end)
            out.append(s[end:at])
            if end >= len(s):
                break
            continue
        slots = made.groups(s, start, end) if taken_apart else {}
        slots |= {0: start, 1: end}
        out += [part if isinstance(part, bytes) else s[slots.get(2 * part, 0) : slots.get(2 * part + 1, 0)] for part in parts]
        at = behind = end
        if not everywhere:
            break
    return b"".join(out) + s[at:]


def _search(made: Automaton, s: bytes, at: int) -> tuple[int, int] | None:
    """Where the first match from `at` on begins and ends."""
    classes = [*made.known_classes(s), made.last]
    for start in range(at, len(s) + 1):
        state = int(made.begins[made.before[s[start - 1]] if start else 0])
        found, place = -1, start
        while state and place <= len(s):
            known = made.follow(state, classes[place])
            if known & 1:
                found = place
            state = known >> 1
            place += 1
        if found >= 0:
            return start, found
    return None


def _character(s: bytes, at: int) -> int:
    """How many bytes the character of UTF-8 (or the surrogate) at a place has; 1 for what is none."""
    found = _CHARACTER.match(s, at)
    return len(found[0]) if found else 1


__all__ = ["automaton", "full_match", "replace"]
