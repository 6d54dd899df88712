"""Strings matched and changed by regular expressions of RE2 (see string/pattern.py).

Automata do it (string/automata.py), and Python's expressions what these do not: groups in what replaces a match, and expressions of too
many states.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, AnyStr

import numpy as np

from ...base.dtypes import bool as boolean
from ...base.dtypes import string
from ...base.shapes import show
from ...base.strings import StringArray, from_list
from ...ir.op import define
from ...ir.tensor import TensorType
from ..array.types import Array, invalid, require_rank
from ..rows.kinds import alike
from .automata import full_match, replace
from .kernels import raw
from .pattern import compiled, is_simple, of_bytes

_TEXT = "surrogateescape"


def _replaced(input: StringArray, pattern: bytes, rewrite: bytes, everywhere: bool) -> Array | StringArray:
    expression, parts = compiled(pattern), _parts(rewrite)
    if any(isinstance(part, int) and part > expression.groups for part in parts):
        return input
    pieces = [part if isinstance(part, int) else part.encode("utf-8", _TEXT) for part in _runs(parts)]
    found = replace(input, pattern, pieces, everywhere)
    if found is None and not _is_text(input):
        found = replace(input, pattern, pieces, everywhere, always=True)
    if found is not None:
        return found
    rows = input.tolist()
    if everywhere and is_simple(pattern) and not any(isinstance(part, int) for part in parts):
        whole = _all_replaced(rows, expression, "".join(map(str, parts)))
        if whole is not None:
            return from_list(whole, input.shape)
    unread = of_bytes(expression)
    if unread is not None and rewrite.isascii() and input.is_ascii():
        change = _replacer(unread, [part if isinstance(part, int) else part.encode() for part in parts], everywhere, b"")
        return from_list([*map(change, rows)], input.shape)
    read = _replacer(expression, parts, everywhere, "")
    return from_list([read(s.decode("utf-8", _TEXT)).encode("utf-8", _TEXT) for s in rows], input.shape)


def _runs(parts: Iterable[str | int]) -> list[str | int]:
    """Parts with the characters between two groups as one."""
    found: list[str | int] = []
    for is_text, run in groupby(parts, lambda part: isinstance(part, str)):
        together = [*run]
        found += ["".join(map(str, together))] if is_text else together
    return found


def _is_text(x: StringArray) -> bool:
    """Whether strings are in UTF-8: then Python's expressions match what RE2's do."""
    try:
        x.data.tobytes().decode()
    except UnicodeDecodeError:
        return False
    return True


def _all_replaced(rows: list[bytes], expression: re.Pattern[str], text: str) -> list[bytes] | None:
    """All strings as one, with zero bytes between them, which no match reaches over; None where they have such bytes themselves."""
    data = b"\0".join(rows)
    if "\0" in text or data.count(b"\0") != len(rows) - 1:
        return None
    changed = expression.sub(text.replace("\\", r"\\"), data.decode("utf-8", _TEXT))
    return changed.encode("utf-8", _TEXT).split(b"\0")


def _replacer(expression: re.Pattern[AnyStr], parts: list[AnyStr | int], everywhere: bool, nothing: AnyStr) -> Callable[[AnyStr], AnyStr]:
    """Python's own replacing, until a match is empty: there the rules of RE2 are others."""
    text = nothing.join(part for part in parts if not isinstance(part, int))
    constant = not any(isinstance(part, int) for part in parts)
    empty = False

    def rewrite(found: re.Match[AnyStr]) -> AnyStr:
        nonlocal empty
        empty = empty or found.start() == found.end()
        return text if constant else nothing.join((found[part] or nothing) if isinstance(part, int) else part for part in parts)

    def change(given: AnyStr) -> AnyStr:
        if not empty:
            changed = expression.sub(rewrite, given, 0 if everywhere else 1)
            if not empty:
                return changed
        return _rewritten(given, expression, parts, everywhere, nothing)

    return change


def _parts(rewrite: bytes) -> list[str | int]:
    """A rewriting as text and numbers of groups; it ends where a backslash has no meaning, as in TensorFlow."""
    parts: list[str | int] = []
    text = rewrite.decode("utf-8", _TEXT)
    at = 0
    while at < len(text):
        c, following = text[at], text[at + 1 : at + 2]
        if c != "\\":
            parts.append(c)
            at += 1
        elif following == "\\" or (following.isascii() and following.isdigit()):
            parts.append("\\" if following == "\\" else int(following))
            at += 2
        else:
            break
    return parts


def _rewritten(text: AnyStr, expression: re.Pattern[AnyStr], parts: list[AnyStr | int], everywhere: bool, nothing: AnyStr) -> AnyStr:
    """No match is empty right behind the one before: the expression a* changes "baac" to XbXcX."""
    out: list[AnyStr] = []
    at, last = 0, -1
    while at <= len(text):
        found = expression.search(text, at)
        if not found:
            break
        out.append(text[at : found.start()])
        if found.end() == found.start() == last:
            out.append(text[last : last + 1])
            at = last + 1
            continue
        out += [(found[part] or nothing) if isinstance(part, int) else part for part in parts]
        at = last = found.end()
        if not everywhere:
            break
    return nothing.join(out) + text[at:]


def _scalar(x: StringArray, name: str) -> bytes:
    if x.ndim:
        raise invalid(f"{name} must be scalar, but received {show(x.shape)}")
    return x.item()


def _replace_type(input: Any, pattern: Any, rewrite: Any, *, replace_global: bool = True) -> TensorType:
    require_rank(pattern, 0, f"Pattern must be scalar, but received {show(pattern.dims)}")
    require_rank(rewrite, 0, f"Rewrite must be scalar, but received {show(rewrite.dims)}")
    return TensorType(input.dims, string)


def _match_type(input: Any, pattern: Any) -> TensorType:
    require_rank(pattern, 0, f"Pattern must be scalar, but received {show(pattern.dims)}")
    return TensorType(input.dims, boolean)


def _matched(input: StringArray, pattern: bytes) -> Array:
    found = full_match(input, pattern)
    if found is None:
        match = compiled(pattern).fullmatch
        found = np.array([match(s.decode("utf-8", _TEXT)) is not None for s in input.tolist()], bool)
    return found.reshape(input.shape)


REGEX_REPLACE = define(
    "RegexReplace",
    "input:string pattern:string rewrite:string",
    _replace_type,
    lambda input, pattern, rewrite, *, replace_global=True: _replaced(
        input, _scalar(pattern, "Pattern"), _scalar(rewrite, "Rewrite"), replace_global
    ),
    {},
    batch=alike("input"),
    packed=True,
)
STATIC_REGEX_REPLACE = define(
    "StaticRegexReplace",
    "input:string",
    lambda input, *, pattern, rewrite, replace_global=True: TensorType(input.dims, string),
    lambda input, *, pattern, rewrite, replace_global=True: _replaced(input, raw(pattern), raw(rewrite), replace_global),
    {},
    batch=alike(),
    packed=True,
)
REGEX_FULL_MATCH = define(
    "RegexFullMatch",
    "input:string pattern:string",
    _match_type,
    lambda input, pattern: _matched(input, _scalar(pattern, "Pattern")),
    {},
    batch=alike("input"),
    packed=True,
)
STATIC_REGEX_FULL_MATCH = define(
    "StaticRegexFullMatch",
    "input:string",
    lambda input, *, pattern: TensorType(input.dims, boolean),
    lambda input, *, pattern: _matched(input, raw(pattern)),
    {},
    batch=alike(),
    packed=True,
)


def regex_replace(input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None) -> Any:
    """Strings with every match of `pattern`, or the first one, replaced by `rewrite`, in which \\1 to \\9 are the groups and \\0 is all.

    pattern: a regular expression of RE2, text or a scalar.  Raises InvalidArgumentError for one that is none.

    >>> import pullback as tf
    >>> tf.strings.regex_replace("one two", "(\\\\w+) (\\\\w+)", "\\\\2 \\\\1").numpy()
    b'two one'
    """
    if isinstance(pattern, (str, bytes)) and isinstance(rewrite, (str, bytes)):
        return STATIC_REGEX_REPLACE(input, pattern=pattern, rewrite=rewrite, replace_global=bool(replace_global), name=name)
    return REGEX_REPLACE(input, pattern, rewrite, replace_global=bool(replace_global), name=name)


def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Any:
    """Whether `pattern`, a regular expression of RE2, matches a string from its beginning to its end.

    >>> import pullback as tf
    >>> tf.strings.regex_full_match(["abc", "b"], "a.*").numpy().tolist()
    [True, False]
    """
    if isinstance(pattern, (str, bytes)):
        return STATIC_REGEX_FULL_MATCH(input, pattern=pattern, name=name)
    return REGEX_FULL_MATCH(input, pattern, name=name)
