"""Regular expressions of RE2, as expressions of Python's `re` that match the same.

RE2 has no back references and no looking around, `$` is the end of the text alone, classes like \\d are of ASCII, and there are POSIX
classes and Unicode categories.  What it refuses is refused here; what Python's module cannot say (single bytes) is refused too,
by name.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable
from functools import cache

from ..array.types import invalid
from .script_names import NAMES
from .scripts import RUNS

_POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": "\\x00-\\x7f", "blank": "\\t ", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9",
    "graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": "\\t\\n\\v\\f\\r ", "upper": "A-Z",
    "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_SHORT = {"d": "0-9", "s": "\\t\\n\\f\\r ", "w": "0-9A-Za-z_"}
_WORD = "[0-9A-Za-z_]"
_BOUNDARY = f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))"
_INSIDE = f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))"
_CONTROL = {"a": "\\x07", "f": "\\f", "n": "\\n", "r": "\\r", "t": "\\t", "v": "\\v"}
_REPEAT = re.compile(r"\{(\d+)(,(\d*))?\}")
_FLAGS = re.compile(r"\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])")
_LARGEST_REPEAT = 1000


@cache
def compiled(pattern: bytes) -> re.Pattern[str]:
    """The expression that `pattern` of RE2 stands for; an InvalidArgumentError where it stands for none."""
    try:
        text = pattern.decode()
    except UnicodeDecodeError:
        raise invalid(f"Invalid pattern: {pattern.decode('utf-8', 'backslashreplace')}, error: invalid UTF-8") from None
    try:
        return re.compile(_Translation(text).whole())
    except re.error as error:
        raise invalid(f"Invalid pattern: {text}, error: {error.msg}") from None


_ESCAPE = re.compile(r"\\(?:U000000([0-7][0-9a-f])|.)", re.DOTALL)


@cache
def of_bytes(expression: re.Pattern[str]) -> re.Pattern[bytes] | None:
    """The same expression for text in ASCII that is not decoded; None for one that names other characters."""
    pattern = _ESCAPE.sub(lambda found: f"\\x{found[1]}" if found[1] else found[0], expression.pattern)
    named = (found[0] for found in _ESCAPE.finditer(pattern))
    if not pattern.isascii() or any(escape in ("\\U", "\\u") for escape in named):
        return None
    return re.compile(pattern.encode())


def with_edges(expression: re.Pattern[str]) -> str:
    """An expression with \\b and \\B again, for whoever knows that they are of ASCII."""
    return expression.pattern.replace(_BOUNDARY, r"(?:\b)").replace(_INSIDE, r"(?:\B)")


_PLAIN = r"[\w !\"#%&',/:;<=>@`~]"
_SIMPLE = re.compile(rf"(?:(?:{_PLAIN}|\\[dsw.*+?()$|^\[\]]|\[(?:{_PLAIN}|-|\\[dsw])+\])\+?)+", re.ASCII)


@cache
def is_simple(pattern: bytes) -> bool:
    """Whether an expression is no more than characters and classes of some, one or more of each: then no match is empty, depends on
    what stands around it, or has a zero byte.
    """
    return _SIMPLE.fullmatch(pattern.decode("latin-1")) is not None


class _Translation:
    """One pass over a pattern, from the left."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines = [False]  # whether `^` and `$` are about lines, in each open group
        self.pending: list[list[str]] = [[]]  # how the groups for flags begin that are open in each group
        self.ungreedy = [False]  # whether repeats are, in each open group

    def refused(self, why: str) -> Exception:
        return invalid(f"Invalid pattern: {self.text}, error: {why}")

    def whole(self) -> str:
        out: list[str] = []
        while self.at < len(self.text):
            out.append(self.piece())
        if len(self.lines) > 1:
            raise self.refused(f"missing ): {self.text}")
        return "".join(out) + ")" * len(self.pending[0])

    def piece(self) -> str:
        c = self.text[self.at]
        if c == "\\":
            return self.escaped(inside=False)
        if c == "[":
            return self.bracket()
        if c == "(":
            return self.opened()
        self.at += 1
        if c == ")":
            if len(self.lines) == 1:
                raise self.refused(f"unexpected ): {self.text}")
            self.lines.pop()
            self.ungreedy.pop()
            return ")" * (1 + len(self.pending.pop()))
        if c == "|":  # flags stay as they are
            return ")" * len(self.pending[-1]) + "|" + "".join(self.pending[-1])
        if c == "$":
            return "(?:$)" if self.lines[-1] else "(?:\\Z)"
        if c in "*+?" or c == "{":
            return self.repeated(c)
        return "(?:^)" if c == "^" else c if c == "." else re.escape(c)

    def repeated(self, c: str) -> str:
        start = self.at - 1
        if c == "{":
            found = _REPEAT.match(self.text, start)
            if not found:
                return "\\{"
            self.at = found.end()
            if max(int(n) for n in (found[1], found[3] or 0)) > _LARGEST_REPEAT:
                raise self.refused(f"invalid repetition size: {found[0]}")
        mark = self.text[start : self.at]
        few = self.text[self.at : self.at + 1] == "?"
        self.at += few
        following = self.text[self.at : self.at + 1]
        if following and (following in "*+?" or (following == "{" and _REPEAT.match(self.text, self.at))):
            raise self.refused(f"bad repetition operator: {mark}{'?' * few}{following}")
        return mark + "?" * (few != self.ungreedy[-1])

    def opened(self) -> str:
        rest = self.text[self.at + 1 :]
        if rest.startswith("?P<"):
            self.at += 4
            return self.group("(?P<")
        if not rest.startswith("?"):
            self.at += 1
            return self.group("(")
        found = _FLAGS.match(rest)
        if not found or not set(found[1] + (found[2] or "")) <= set("imsU"):
            raise self.refused(f"invalid perl operator: ({rest[:2]}")
        self.at += 1 + found.end()
        off = dict.fromkeys(found[2] or "")
        on = dict.fromkeys(flag for flag in found[1] if flag not in off)
        before = ("m", self.lines[-1]), ("U", self.ungreedy[-1])
        lines, ungreedy = (flag in on or (was and flag not in off) for flag, was in before)
        known = ["".join(flag for flag in flags if flag != "U") for flags in (on, off)]
        opener = f"(?{known[0]}{'-' if known[1] else ''}{known[1]}:"
        if found[3] == ":":
            opener = self.group(opener)
        else:
            self.pending[-1].append(opener)
        self.lines[-1], self.ungreedy[-1] = lines, ungreedy
        return opener

    def group(self, mark: str) -> str:
        self.lines.append(self.lines[-1])
        self.ungreedy.append(self.ungreedy[-1])
        self.pending.append([])
        return mark if mark != "(?P<" else mark + self.name()

    def name(self) -> str:
        end = self.text.find(">", self.at)
        name = self.text[self.at : end]
        if end < 0 or not re.fullmatch(r"\w+", name, re.ASCII):
            raise self.refused(f"invalid named capture group: {self.text}")
        self.at = end + 1
        return f"{name}>"

    # ---- escapes and classes

    def escaped(self, inside: bool) -> str:
        """What begins with a backslash; `inside` a class, as its members."""
        self.at += 1
        if self.at == len(self.text):
            raise self.refused("trailing \\")
        c = self.text[self.at]
        self.at += 1
        if c.lower() in _SHORT and c in "dswDSW":
            members = _SHORT[c.lower()]
            if inside:
                return members if c.islower() else _others(members)
            return f"[{'' if c.islower() else '^'}{members}]"
        if c in "pP":
            ranges, negated = self.category(c == "P")
            if inside:
                return _gaps(ranges) if negated else _written(ranges)
            return f"[{'^' if negated else ''}{_written(ranges)}]"  # in either case it is the other characters in either case
        if c in _CONTROL:
            return _CONTROL[c]
        if c == "x":
            return self.hexadecimal()
        if c in "01234567" and (c == "0" or (self.text[self.at : self.at + 1] or "8") in "01234567"):
            digits = re.compile("[0-7]{1,3}").match(self.text, self.at - 1)
            assert digits is not None
            self.at = digits.end()
            return re.escape(chr(int(digits[0], 8)))
        if not inside and c in "AzbBQC":
            return self.place(c)
        if c.isascii() and c.isalnum():
            raise self.refused(f"invalid escape sequence: \\{c}")
        return re.escape(c) if not inside else _member(c)

    def place(self, c: str) -> str:
        if c == "C":
            raise self.refused("\\C, any byte, is not supported here")
        if c == "Q":
            end = self.text.find("\\E", self.at)
            literal = self.text[self.at : end] if end >= 0 else self.text[self.at :]
            self.at = end + 2 if end >= 0 else len(self.text)
            return "".join(map(re.escape, literal))
        return {"A": "(?:\\A)", "z": "(?:\\Z)", "b": _BOUNDARY, "B": _INSIDE}[c]

    def hexadecimal(self) -> str:
        found = re.compile(r"\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2})").match(self.text, self.at)
        if not found or int(found[1] or found[2], 16) > sys.maxunicode:
            raise self.refused("invalid escape sequence: \\x")
        self.at = found.end()
        return _member(chr(int(found[1] or found[2], 16)))

    def category(self, negated: bool) -> tuple[list[tuple[int, int]], bool]:
        """Characters, and whether all others are meant."""
        found = re.compile(r"\{(\^?)(\w+)\}|(\w)").match(self.text, self.at)
        if not found:
            raise self.refused("invalid character class range: \\p")
        self.at = found.end()
        name = found[2] or found[3]
        ranges = [(0, sys.maxunicode)] if name == "Any" else _of_category(name) or _of_script(name)
        if not ranges:
            raise self.refused(f"the character class \\p{{{name}}} is not supported here: Unicode's general categories and scripts are")
        return ranges, negated != bool(found[1])

    def bracket(self) -> str:
        start = self.at
        self.at += 1
        negated = self.text[self.at : self.at + 1] == "^"
        self.at += negated
        out: list[str] = []
        first = True
        while first or self.text[self.at : self.at + 1] != "]":
            if self.at >= len(self.text):
                raise self.refused(f"missing ]: {self.text[start:]}")
            out.append(self.members())
            first = False
        self.at += 1
        return f"[{'^' if negated else ''}{''.join(out)}]"

    def members(self) -> str:
        rest = self.text[self.at :]
        named = re.match(r"\[:(\^?)(\w+):\]", rest)
        if named:
            if named[2] not in _POSIX:
                raise self.refused(f"invalid character class range: {named[0]}")
            self.at += named.end()
            return _others(_POSIX[named[2]]) if named[1] else _POSIX[named[2]]
        low = self.one()
        if self.text[self.at : self.at + 1] != "-" or self.text[self.at + 1 : self.at + 2] in ("]", ""):
            return low
        self.at += 1
        return f"{low}-{self.one()}"

    def one(self) -> str:
        if self.text[self.at] == "\\":
            return self.escaped(inside=True)
        self.at += 1
        return _member(self.text[self.at - 1])


def _member(c: str) -> str:
    return c if c.isascii() and c.isalnum() else f"\\U{ord(c):08x}"


def _runs(flags: Iterable[bool]) -> list[tuple[int, int]]:
    """Where flags are true, as ranges."""
    found: list[tuple[int, int]] = []
    for i, flag in enumerate(flags):
        if flag and found and found[-1][1] == i - 1:
            found[-1] = (found[-1][0], i)
        elif flag:
            found.append((i, i))
    return found


def _written(ranges: list[tuple[int, int]]) -> str:
    return "".join(f"\\U{a:08x}-\\U{b:08x}" for a, b in ranges)


def _gaps(ranges: list[tuple[int, int]]) -> str:
    """All code points outside ranges, as members of a class."""
    edges = [-1, *(n for pair in ranges for n in pair), sys.maxunicode + 1]
    return _written([(a + 1, b - 1) for a, b in zip(edges[::2], edges[1::2], strict=True) if a + 1 < b])


@cache
def _others(members: str) -> str:
    """All code points that are not among members, which are of ASCII."""
    inside = re.compile(f"[{members}]")
    return _gaps(_runs(inside.match(chr(i)) is not None for i in range(128)))


@cache
def _of_category(name: str) -> list[tuple[int, int]]:
    """The code points of a general category of Unicode, "L" or "Lu"; none for another name."""
    if len(name) > 2:
        return []
    return _runs(category.startswith(name) for category in map(unicodedata.category, map(chr, range(sys.maxunicode + 1))))


@cache
def _of_script(name: str) -> list[tuple[int, int]]:
    """The code points of a script, "Greek"; none for another name."""
    wanted = dict(pair.split(":") for pair in NAMES.split()).get(name)
    found: list[tuple[int, int]] = []
    at = 0
    for run in RUNS.split() if wanted else ():
        length, script = (int(part, 16) for part in run.split(":"))
        if str(script) == wanted:
            found.append((at, at + length - 1))
        at += length
    return found


__all__ = ["compiled", "is_simple", "of_bytes", "with_edges"]
