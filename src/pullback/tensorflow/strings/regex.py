"""Strings matched and changed by regular expressions of RE2: by RE2 itself, in time linear in the text whatever the expression."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ...base.dtypes import bool as boolean, string
from ...base.export import export
from ...base.shapes import show
from ...ir.op import define
from ...ir.tensor import Tensor, TensorType, TextLike
from ...kernels.strings import StringArray, from_list
from ...ops.array.type_rules import Array, invalid_argument, require_rank
from ...ops.batching import stack_rows
from .columns import raw

_PARTS = re.compile(rb"\\([0-9\\])|([^\\]+)", re.DOTALL)
#: What says something else than itself in an expression; one without is the text that it matches.
_SPECIAL = frozenset(b"\\.+*?()|[]{}^$")
_TAIL = b"[\x80-\xbf]"
_CHARACTER = re.compile(
    b"[\xc2-\xdf]%b|(?:\xe0[\xa0-\xbf]|[\xe1-\xef]%b)%b|(?:\xf0[\x90-\xbf]|[\xf1-\xf3]%b|\xf4[\x80-\x8f])%b%b" % ((_TAIL,) * 6)
)


@lru_cache(1 << 7)
def _compile_pattern(pattern: bytes, groups: bool = True) -> Any:
    """The expression, without its groups where nobody asks for them; an InvalidArgumentError for what is none.

    It is RE2's own object, not the package's, whose searches take three times as long for short strings.
    """
    from re2 import _re2

    options = _re2.RE2.Options()
    options.log_errors = False
    options.never_capture = not groups
    expression = _re2.RE2(pattern, options)
    if not expression.ok():
        error = expression.error().decode("utf-8", "backslashreplace")
        raise invalid_argument(f"Invalid pattern: {pattern.decode('utf-8', 'backslashreplace')}, error: {error}")
    return expression


def _replace_matches(input: StringArray, pattern: bytes, rewrite: bytes, everywhere: bool) -> StringArray:
    parts, is_whole = _read_rewriting(rewrite)
    most = max((part for part in parts if isinstance(part, int)), default=0)
    expression = _compile_pattern(pattern)
    if most > expression.NumberOfCapturingGroups() or not (is_whole or everywhere):
        return input
    strings = input.tolist()
    if pattern and not most and _SPECIAL.isdisjoint(pattern):
        text = b"".join(pattern if isinstance(part, int) else part for part in parts)
        return from_list([s.replace(pattern, text, -1 if everywhere else 1) for s in strings], input.shape)
    if not most:
        expression = _compile_pattern(pattern, False)
    search = partial(expression.Match, expression.Anchor.UNANCHORED)
    return from_list([_rewrite_string(search, s, parts, everywhere) for s in strings], input.shape)


def _read_rewriting(rewrite: bytes) -> tuple[list[bytes | int], bool]:
    """A rewriting as text and numbers of groups, and whether that is all of it: it ends where a backslash has no meaning.

    As in TensorFlow a single replacement is not made then, others are as far as it goes.
    """
    parts: list[bytes | int] = []
    at = 0
    while found := _PARTS.match(rewrite, at):
        parts.append(found[2] or (int(found[1]) if found[1].isdigit() else found[1]))
        at = found.end()
    return parts, at == len(rewrite)


def _rewrite_string(search: Any, s: bytes, parts: list[bytes | int], everywhere: bool) -> bytes:
    """No match is empty right behind the one before: the expression a* changes "baac" to XbXcX."""
    end = len(s)
    out: list[bytes] = []
    at, behind = 0, -1
    while at <= end:
        spans = search(s, at, end)
        start, stop = spans[0]
        if start < 0:
            break
        out.append(s[at:start])
        if start == stop == behind:
            found = _CHARACTER.match(s, stop)
            at = found.end() if found else stop + 1
            out.append(s[stop:at])
            continue
        for part in parts:
            if isinstance(part, bytes):
                out.append(part)
            elif spans[part][0] >= 0:
                out.append(s[slice(*spans[part])])
        at = behind = stop
        if not everywhere:
            break
    out.append(s[at:])
    return b"".join(out)


def _scalar(x: StringArray, name: str) -> bytes:
    if x.ndim:
        raise invalid_argument(f"{name} must be scalar, but received {show(x.shape)}")
    return x.item()


def _replace_type(input: Any, pattern: Any, rewrite: Any, *, replace_global: bool = True) -> TensorType:
    require_rank(pattern, 0, f"Pattern must be scalar, but received {show(pattern.dims)}")
    require_rank(rewrite, 0, f"Rewrite must be scalar, but received {show(rewrite.dims)}")
    return TensorType(input.dims, string)


def _match_type(input: Any, pattern: Any) -> TensorType:
    require_rank(pattern, 0, f"Pattern must be scalar, but received {show(pattern.dims)}")
    return TensorType(input.dims, boolean)


def _match_whole(input: StringArray, pattern: bytes) -> Array:
    expression = _compile_pattern(pattern, False)
    search, whole = expression.Match, expression.Anchor.ANCHOR_BOTH
    return np.array([search(whole, s, 0, len(s))[0][0] == 0 for s in input.tolist()], bool).reshape(input.shape)


REGEX_REPLACE = define(
    "RegexReplace",
    "input:string pattern:string rewrite:string",
    _replace_type,
    lambda input, pattern, rewrite, *, replace_global=True: _replace_matches(
        input, _scalar(pattern, "Pattern"), _scalar(rewrite, "Rewrite"), replace_global
    ),
    {},
    batch=stack_rows("input"),
    packed=True,
    by_element=True,
)
STATIC_REGEX_REPLACE = define(
    "StaticRegexReplace",
    "input:string",
    lambda input, *, pattern, rewrite, replace_global=True: TensorType(input.dims, string),
    lambda input, *, pattern, rewrite, replace_global=True: _replace_matches(input, raw(pattern), raw(rewrite), replace_global),
    {},
    batch=stack_rows(),
    packed=True,
    by_element=True,
)
REGEX_FULL_MATCH = define(
    "RegexFullMatch",
    "input:string pattern:string",
    _match_type,
    lambda input, pattern: _match_whole(input, _scalar(pattern, "Pattern")),
    {},
    batch=stack_rows("input"),
    packed=True,
    by_element=True,
)
STATIC_REGEX_FULL_MATCH = define(
    "StaticRegexFullMatch",
    "input:string",
    lambda input, *, pattern: TensorType(input.dims, boolean),
    lambda input, *, pattern: _match_whole(input, raw(pattern)),
    {},
    batch=stack_rows(),
    packed=True,
    by_element=True,
)


@export("strings.regex_replace", v1="regex_replace")
def regex_replace(input: TextLike, pattern: object, rewrite: object, replace_global: bool = True, name: str | None = None) -> Tensor:
    """Strings with every match of `pattern`, or the first one, replaced by `rewrite`, in which \\1 to \\9 are the groups and \\0 is all.

    pattern: a regular expression of RE2, text or a scalar.  Raises InvalidArgumentError for one that is none.

    >>> tf.strings.regex_replace("one two", "(\\\\w+) (\\\\w+)", "\\\\2 \\\\1").numpy()
    b'two one'
    """
    if isinstance(pattern, (str, bytes)) and isinstance(rewrite, (str, bytes)):
        return STATIC_REGEX_REPLACE(input, pattern=pattern, rewrite=rewrite, replace_global=replace_global, name=name)
    return REGEX_REPLACE(input, pattern, rewrite, replace_global=replace_global, name=name)


@export("strings.regex_full_match")
def regex_full_match(input: TextLike, pattern: object, name: str | None = None) -> Tensor:
    """Whether `pattern`, a regular expression of RE2, matches a string from its beginning to its end.

    >>> tf.strings.regex_full_match(["abc", "b"], "a.*").numpy().tolist()
    [True, False]
    """
    if isinstance(pattern, (str, bytes)):
        return STATIC_REGEX_FULL_MATCH(input, pattern=pattern, name=name)
    return REGEX_FULL_MATCH(input, pattern, name=name)
