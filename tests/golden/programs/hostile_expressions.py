"""Regular expressions that make a search by trial run for ever, and others on which engines differ: what RE2 answers."""

from __future__ import annotations

from typing import Any

FACE = "v2"

A = "a" * 60
HOSTILE = {
    "(a|aa)+$b": A, "(a+)+b": A, "(a*)*b": A, "(a|a)*b": A, "(a?){60}a{60}": A, "(.*)*x": A, "(a|b|ab)*c": "ab" * 40,
    "([a-z]+)*=": A, "^(([a-z])+.)+[A-Z]([a-z])+$": A,
}  # fmt: skip
EDGES = ["a*", "a*?", "", "^", "$", r"\b", r"\B", r"\C", r"\pN+", r"\p{Greek}", "(?s).", "(?i)É", r"[[:word:]]", r"(?P<n>a)|b", "a{2,3}", r"\z", r"(?m)$"]
INVALID = ["(", ")", "a**", "a{1001}", r"\1", "(?=a)", "(?<!a)", "[b-a]", r"\p{Nowhere}", "x{2}{3}", "(?P<", "[[:nope:]]", "*"]
TEXT = ["baac", "", "aaa\n", "α1 É", "b\na", "  "]


def hostile(tf: Any) -> dict[str, Any]:
    return {
        f"{pattern} {what}": lambda pattern=pattern, text=text, call=call: call(text * 20, pattern)
        for pattern, text in HOSTILE.items()
        for what, call in {
            "matched": lambda text, pattern: tf.strings.regex_full_match(text, pattern),
            "replaced": lambda text, pattern: tf.strings.regex_replace(text, pattern, "<\\0>"),
            "first": lambda text, pattern: tf.strings.regex_replace(text, pattern, "-", replace_global=False),
        }.items()
    }


def edges(tf: Any) -> dict[str, Any]:
    ways = {
        "matched": lambda p: tf.strings.regex_full_match(TEXT, p),
        "replaced": lambda p: tf.strings.regex_replace(TEXT, p, "<\\0>"),
        "first": lambda p: tf.strings.regex_replace(TEXT, p, "[\\0\\\\]", replace_global=False),
        "no such group": lambda p: tf.strings.regex_replace(TEXT, p, "\\7"),
        "no meaning": lambda p: tf.strings.regex_replace(TEXT, p, "x\\yz"),
    }
    return {f"{p!r} {name}": lambda p=p, call=call: call(p) for p in EDGES for name, call in ways.items()}


def invalid(tf: Any) -> dict[str, Any]:
    from .kit import raises

    return {p: raises(lambda p=p: tf.strings.regex_full_match("a", p), "Invalid pattern: ", "error: ") for p in INVALID}
