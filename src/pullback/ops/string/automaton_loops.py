"""Strings taken along an automaton (string/automaton.py): all of them, which lie in one buffer, string i from starts[i] to starts[i + 1].

A loop stops where the automaton has no transition yet, and goes on when it is called again: `where` holds what it needs for that, and at
last the state and the class that are asked for.
"""

from __future__ import annotations

from ...base.loops import Bools, Bytes, Ints, Ints32, copy
from .threads import BYTE, END, FORK, LINE, LOOK, SAVE, START, WORD

DONE, UNKNOWN, FULL = 0, 1, 2


def matched(
    data: Bytes, starts: Ints, count: int, table: Ints32, classes: Bytes, begins: Ints, last: int, where: Ints, out: Bools
) -> int:
    """Which strings an expression matches as a whole.  where: string, place (-1 for its beginning), state, state, class."""
    i = where[0]
    at = where[1]
    state = where[2]
    while i < count:
        end = starts[i + 1]
        if at < 0:
            at = starts[i]
            state = begins[0]
        c = last
        known = 0
        while state != 0 and known >= 0 and at <= end:
            if at < end:
                c = classes[data[at]]
            else:
                c = last
            known = table[state + c]
            if known >= 0:
                state = known >> 1
                at += 1
        if known < 0:
            where[0] = i
            where[1] = at
            where[2] = state
            where[3] = state
            where[4] = c
            return UNKNOWN
        out[i] = at > end and known & 1 == 1
        at = -1
        i += 1
    return DONE


def character(data: Bytes, at: int, end: int) -> int:
    """How many bytes the character of UTF-8 at a place has; 1 for what is none, and at the end."""
    if at >= end:
        return 1
    first = data[at]
    if first < 0xC2 or first > 0xF4:
        return 1
    length = 2
    if first >= 0xF0:
        length = 4
    elif first >= 0xE0:
        length = 3
    if at + length > end:
        return 1
    for i in range(1, length):
        if data[at + i] < 0x80 or data[at + i] > 0xBF:
            return 1
    second = data[at + 1]
    if (first == 0xE0 and second < 0xA0) or (first == 0xF0 and second < 0x90) or (first == 0xF4 and second > 0x8F):
        return 1
    return length


def holds(what: int, data: Bytes, begin: int, end: int, at: int, before: Bytes) -> bool:
    """Whether what is looked for, one of `LOOKS`, is at a place of a text from `begin` to `end`."""
    left = START
    if at > begin:
        left = before[data[at - 1]]
    right = END
    if at < end:
        right = before[data[at]]
    if what == 0:
        return at == begin
    if what == 1:
        return at == end
    if what == 2:
        return at == begin or left == LINE
    if what == 3:
        return at == end or right == LINE
    edge = (left == WORD) != (right == WORD)
    return edge == (what == 4)


def captured(
    data: Bytes, begin: int, end: int, start: int, stop: int, code: Ints32, forks: Ints32, sets: Bytes, first: int, before: Bytes,
    marks: Ints32, mark: int, stack: Ints, slots: Ints,
) -> bool:  # fmt: skip
    """Where the groups of the match from `start` to `stop` begin and end: the way of the preferred threads, none of whose places is tried
    twice; `marks` has a number for each place and each byte, which becomes `mark` then.
    """
    stack[0] = first
    stack[1] = start
    top = 2
    span = stop - start + 1
    while top > 0:
        top -= 2
        place = stack[top]
        at = stack[top + 1]
        if place < 0:  # a group, as it was before a way that led nowhere
            slots[-1 - place] = at
        while place >= 0:
            tried = place * span + at - start
            kind = code[4 * place]
            x = code[4 * place + 1]
            y = code[4 * place + 2]
            following = code[4 * place + 3]
            if marks[tried] == mark:
                following = -1
            elif kind == BYTE:
                if at < stop and sets[x + data[at]] == 1:
                    at += 1
                else:
                    following = -1
            elif kind == FORK:
                for k in range(y - 1):
                    stack[top] = forks[x + y - 1 - k]
                    stack[top + 1] = at
                    top += 2
                following = -1
                if y > 0:
                    following = forks[x]
            elif kind == LOOK:
                if not holds(x, data, begin, end, at, before):
                    following = -1
            elif kind == SAVE:
                stack[top] = -1 - x
                stack[top + 1] = slots[x]
                top += 2
                slots[x] = at
            elif at == stop:
                return True
            else:
                following = -1
            marks[tried] = mark
            place = following
    return False


def replaced(
    data: Bytes, starts: Ints, count: int, table: Ints32, classes: Bytes, begins: Ints, before: Bytes, idle: Bytes, last: int,
    text: Bytes, parts: Ints, part_count: int, everywhere: int, where: Ints, out: Bytes, room: int, ends: Ints,
    code: Ints32, forks: Ints32, sets: Bytes, first: int, marks: Ints32, stack: Ints, slots: Ints, slot_count: int,
) -> int:  # fmt: skip
    """Strings with matches replaced by parts: parts[2 k + 1] bytes of `text` from parts[2 k] on, or where that is negative the group that
    -1 less it is.

    idle: which bytes begin no match.
    where: string, place from which on it is looked for a match (-1 for the beginning), where the last match ended, how much of `out` is
    filled, where a match is tried; state and class, or how much more room is wanted; how many matches were taken apart.  No match is empty
    right behind the one before.
    """
    i = where[0]
    at = where[1]
    behind = where[2]
    filled = where[3]
    trying = where[4]
    stopped = DONE
    while i < count and stopped == DONE:
        begin = starts[i]
        end = starts[i + 1]
        if at < 0:
            at = begin
            trying = begin
            behind = -1
        going_on = True
        while going_on and stopped == DONE:
            found = -1
            while trying <= end and found < 0 and stopped == DONE:
                while trying < end and idle[data[trying]] == 1:
                    trying += 1
                state = begins[0]
                if trying > begin:
                    state = begins[before[data[trying - 1]]]
                place = trying
                while state != 0 and stopped == DONE:
                    c = last
                    if place < end:
                        c = classes[data[place]]
                    known = table[state + c]
                    if known < 0:
                        where[5] = state
                        where[6] = c
                        stopped = UNKNOWN
                    else:
                        if known & 1 == 1:
                            found = place
                        state = known >> 1
                        if place >= end:
                            state = 0
                        place += 1
                if found < 0 and stopped == DONE:
                    trying += 1
            if stopped == DONE and found < 0:
                going_on = False
            if stopped == DONE and found >= 0:
                wanted = trying - at + 4
                if slot_count > 0:
                    for k in range(slot_count):
                        slots[k] = -1
                    where[7] += 1
                    captured(data, begin, end, trying, found, code, forks, sets, first, before, marks, where[7], stack, slots)
                slots[0] = trying
                slots[1] = found
                for k in range(part_count):
                    if parts[2 * k] < 0:
                        group = -1 - parts[2 * k]
                        wanted += slots[2 * group + 1] - slots[2 * group]
                    else:
                        wanted += parts[2 * k + 1]
                if filled + wanted > room:
                    where[5] = wanted
                    stopped = FULL
                else:
                    copy(out, filled, data, at, trying - at)
                    filled += trying - at
                    at = found
                    if found == trying and found == behind:
                        if found < end:
                            length = character(data, found, end)
                            copy(out, filled, data, found, length)
                            filled += length
                            at = found + length
                        else:
                            going_on = False
                    else:
                        for k in range(part_count):
                            if parts[2 * k] < 0:
                                group = -1 - parts[2 * k]
                                size = slots[2 * group + 1] - slots[2 * group]
                                copy(out, filled, data, slots[2 * group], size)
                                filled += size
                            else:
                                copy(out, filled, text, parts[2 * k], parts[2 * k + 1])
                                filled += parts[2 * k + 1]
                        behind = found
                        going_on = everywhere == 1
                    trying = at
        if stopped == DONE and filled + end - at > room:
            where[5] = end - at
            trying = end + 1
            stopped = FULL
        if stopped == DONE:
            copy(out, filled, data, at, end - at)
            filled += end - at
            ends[i + 1] = filled
            at = -1
            i += 1
    where[0] = i
    where[1] = at
    where[2] = behind
    where[3] = filled
    where[4] = trying
    return stopped
