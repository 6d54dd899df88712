"""Strings taken along an automaton (string/automaton.py): all of them, which lie in one buffer, string i from starts[i] to starts[i + 1].

A loop stops where the automaton has no transition yet, and goes on when it is called again: `where` holds what it needs for that, and at
last the state and the class that are asked for.
"""

from __future__ import annotations

from ...base.byte_loops import Bools, Bytes, Ints, Ints32, copy, loop

DONE, UNKNOWN, FULL = 0, 1, 2


@loop
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


@loop
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


@loop
def replaced(
    data: Bytes, starts: Ints, count: int, table: Ints32, classes: Bytes, begins: Ints, before: Bytes, idle: Bytes, last: int,
    text: Bytes, parts: Ints, part_count: int, everywhere: int, where: Ints, out: Bytes, room: int, ends: Ints,
) -> int:  # fmt: skip
    """Strings with matches replaced by parts of `text` (from parts[2 k] on, parts[2 k + 1] of them) and whole matches (where that is -1).

    idle: which bytes begin no match.
    where: string, place from which on it is looked for a match (-1 for the beginning), where the last match ended, how much of `out` is
    filled, where a match is tried; state and class, or how much more room is wanted.  No match is empty right behind the one before.
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
                for k in range(part_count):
                    if parts[2 * k] < 0:
                        wanted += found - trying
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
                                copy(out, filled, data, trying, found - trying)
                                filled += found - trying
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
