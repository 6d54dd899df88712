"""Regular expressions: what TensorFlow's RE2 matches and replaces."""

import json
from pathlib import Path

import numpy as np
import pytest

import pullback as tf

DATA = json.loads((Path(__file__).parent / "golden" / "data" / "expressions.json").read_text(encoding="utf-8"))
STRINGS = [s.encode("latin-1") for s in DATA["strings"]]


def replaced(pattern: str, rewrite: str, everywhere: bool = True) -> list[str]:
    return [s.decode("latin-1") for s in tf.strings.regex_replace(STRINGS, pattern, rewrite, everywhere).numpy().tolist()]


def test_expressions_match_what_tensorflow_s_match() -> None:
    wrong = []
    for pattern, matched, everywhere, once, by_group in DATA["expressions"]:
        found = [
            tf.strings.regex_full_match(STRINGS, pattern).numpy().astype(int).tolist(),
            replaced(pattern, "<\\0>"),
            replaced(pattern, "-", False),
            None if by_group is None else replaced(pattern, "<\\1>"),
        ]
        if found != [matched, everywhere, once, by_group]:
            wrong.append(pattern)
    assert not wrong


def test_shapes_empty_ones_too() -> None:
    for shape in ((0,), (0, 3), (), (2, 1)):
        x = np.full(shape, b"ab", object)
        assert tf.strings.regex_full_match(x, "a.").shape == shape
        changed = tf.strings.regex_replace(x, "a", "")
        assert changed.shape == shape
        assert {*np.ravel(changed.numpy()).tolist()} <= {b"b"}
    assert tf.strings.regex_replace("ab", "b", "c").numpy() == b"ac"


def test_a_pattern_that_is_no_utf_8_is_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="invalid UTF-8"):
        tf.strings.regex_full_match(["a"], b"\xff")


def test_scripts_of_unicode() -> None:
    rows = ["αβγ", "ab", "жЯ", "漢字", "かな", "α漢", ""]
    for name, matched in (("Greek", [0]), ("Han", [3]), ("Latin", [1]), ("Cyrillic", [2]), ("Hiragana", [4])):
        found = tf.strings.regex_full_match(rows, f"\\p{{{name}}}+").numpy()
        assert np.flatnonzero(found).tolist() == matched


def test_a_megabyte_takes_no_longer_than_its_length() -> None:
    text = "a" * (1 << 20)
    assert tf.strings.regex_replace(text, "(a|aa)+$b", "").numpy() == text.encode()
    assert not tf.strings.regex_full_match(text, "(((a*)*)*)*b").numpy()


def test_plain_text_is_replaced_as_re2_replaces_it() -> None:
    strings = [*STRINGS, b"aaaa", b"a\0b\0\0", "é€é".encode(), b"\xc3\xff\xc3\xa9", b"<br />x<br />"]
    for text in ("a", "aa", "\0", "é", "<br />", " ", "-", "b\0"):
        for rewrite in ("", "_", "<\\0>", "\\\\0", "a\\q"):
            for everywhere in (True, False):
                found = [tf.strings.regex_replace(strings, p, rewrite, everywhere).numpy().tolist() for p in (text, f"(?:{text})")]
                assert found[0] == found[1]


def test_a_rewriting_that_is_none_replaces_as_far_as_it_goes_or_nothing() -> None:
    for pattern in ("a", "[a]"):
        assert tf.strings.regex_replace("aa", pattern, "b\\q").numpy() == b"bb"
        assert tf.strings.regex_replace("aa", pattern, "b\\q", replace_global=False).numpy() == b"aa"
