"""Strings matched and changed by regular expressions of RE2 (see string_pattern.py)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..base.dtypes import bool as boolean
from ..base.dtypes import string
from ..base.shapes import show
from ..ir.op import define
from ..ir.tensor import TensorType
from .array_types import Array, invalid, require_rank
from .rows import alike
from .string_kernels import counted, mapped, raw
from .string_pattern import compiled

_TEXT = "surrogateescape"


def _replaced(input: Array, pattern: bytes, rewrite: bytes, everywhere: bool) -> Array:
    expression, parts = compiled(pattern), _parts(rewrite)
    if any(isinstance(part, int) and part > expression.groups for part in parts):
        return input.copy()
    change = _replacer(expression, parts, everywhere)
    return mapped(lambda s: change(s.decode("utf-8", _TEXT)).encode("utf-8", _TEXT), input)


def _replacer(expression: re.Pattern[str], parts: list[str | int], everywhere: bool) -> Callable[[str], str]:
    """Python's own replacing, until a match is empty: there the rules of RE2 are others."""
    text = "".join(part for part in parts if isinstance(part, str))
    constant = not any(isinstance(part, int) for part in parts)
    empty = False

    def rewrite(found: re.Match[str]) -> str:
        nonlocal empty
        empty = empty or found.start() == found.end()
        return text if constant else "".join(part if isinstance(part, str) else found[part] or "" for part in parts)

    def change(given: str) -> str:
        if not empty:
            changed = expression.sub(rewrite, given, 0 if everywhere else 1)
            if not empty:
                return changed
        return _rewritten(given, expression, parts, everywhere)

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


def _rewritten(text: str, expression: re.Pattern[str], parts: list[str | int], everywhere: bool) -> str:
    """No match is empty right behind the one before: the expression a* changes "baac" to XbXcX."""
    out: list[str] = []
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
        out += [part if isinstance(part, str) else found[part] or "" for part in parts]
        at = last = found.end()
        if not everywhere:
            break
    return "".join(out) + text[at:]


def _scalar(x: Array, name: str) -> bytes:
    if x.ndim:
        raise invalid(f"{name} must be scalar, but received {show(x.shape)}")
    found: bytes = x.item()
    return found


def _replace_type(input: Any, pattern: Any, rewrite: Any, *, replace_global: bool = True) -> TensorType:
    require_rank(pattern, 0, f"Pattern must be scalar, but received {show(pattern.dims)}")
    require_rank(rewrite, 0, f"Rewrite must be scalar, but received {show(rewrite.dims)}")
    return TensorType(input.dims, string)


def _match_type(input: Any, pattern: Any) -> TensorType:
    require_rank(pattern, 0, f"Pattern must be scalar, but received {show(pattern.dims)}")
    return TensorType(input.dims, boolean)


def _matched(input: Array, pattern: bytes) -> Array:
    expression = compiled(pattern)
    return counted(lambda s: expression.fullmatch(s.decode("utf-8", _TEXT)) is not None, input, bool)


REGEX_REPLACE = define(
    "RegexReplace",
    "input:string pattern:string rewrite:string",
    _replace_type,
    lambda input, pattern, rewrite, *, replace_global=True: _replaced(
        input, _scalar(pattern, "Pattern"), _scalar(rewrite, "Rewrite"), replace_global
    ),
    {},
    batch=alike("input"),
)
STATIC_REGEX_REPLACE = define(
    "StaticRegexReplace",
    "input:string",
    lambda input, *, pattern, rewrite, replace_global=True: TensorType(input.dims, string),
    lambda input, *, pattern, rewrite, replace_global=True: _replaced(input, raw(pattern), raw(rewrite), replace_global),
    {},
    batch=alike(),
)
REGEX_FULL_MATCH = define(
    "RegexFullMatch",
    "input:string pattern:string",
    _match_type,
    lambda input, pattern: _matched(input, _scalar(pattern, "Pattern")),
    {},
    batch=alike("input"),
)
STATIC_REGEX_FULL_MATCH = define(
    "StaticRegexFullMatch",
    "input:string",
    lambda input, *, pattern: TensorType(input.dims, boolean),
    lambda input, *, pattern: _matched(input, raw(pattern)),
    {},
    batch=alike(),
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
