"""Regular expressions as automata: what RE2 matches, by each way of going along them, and in time linear in the text."""

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

import pullback as tf
from pullback.base.strings import StringArray, from_list
from pullback.compile.tiers import Settings
from pullback.ops.string import automata
from pullback.ops.string.automaton import LIMIT
from pullback.ops.string.pattern import compiled

DATA = json.loads((Path(__file__).parent / "golden" / "data" / "expressions.json").read_text(encoding="utf-8"))
STRINGS = from_list([s.encode("latin-1") for s in DATA["strings"]])
WAYS = ["native", "together", "one by one"]


@pytest.fixture
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A way of going along automata; those made so far are forgotten."""
    chosen: str = request.param
    monkeypatch.setattr(Settings, "jit", chosen == "native")
    monkeypatch.setattr(automata, "_TOGETHER", 4 if chosen == "together" else 1 << 60)
    automata.automaton.cache_clear()
    return chosen


@pytest.mark.parametrize("way", WAYS, indirect=True)
def test_expressions_match_what_tensorflow_s_match(way: str) -> None:
    wrong = []
    for pattern, matched, everywhere, once, by_group in DATA["expressions"]:
        raw = pattern.encode()
        found = automata.full_match(STRINGS, raw)
        every, first = (
            automata.replace(STRINGS, raw, [b"<", 0, b">"], True, always=True),
            automata.replace(STRINGS, raw, [b"-"], False, always=True),
        )
        assert found is not None, pattern
        assert every is not None, pattern
        assert first is not None, pattern
        wanted = [[s.encode("latin-1") for s in strings] for strings in (everywhere, once)]
        if found.tolist() != [m == 1 for m in matched] or [every.tolist(), first.tolist()] != wanted:
            wrong.append(pattern)
        if by_group is not None:
            changed = automata.replace(STRINGS, raw, [b"<", 1, b">"], True, always=True)
            assert changed is not None, pattern
            if changed.tolist() != [s.encode("latin-1") for s in by_group]:
                wrong.append(pattern)
    assert not wrong


def test_operations_give_the_same_whether_native_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """On text in UTF-8, where Python's expressions take the place of automata that are not native."""
    rng = random.Random(3)
    rows = ["".join(rng.choices("abAé1 _\n", k=rng.randint(0, 9))).encode() for _ in range(1500)]
    x = tf.constant(rows)
    for pattern, rewrite in (("[a-cé]+", "_"), ("(a)(b|é)?", "\\2\\1"), ("a*", "\\\\\\0"), ("(?m)^.", ""), ("\\b", "|"), (" ", "")):
        for everywhere in (True, False):
            answers = []
            for native in (True, False):
                monkeypatch.setattr(Settings, "jit", native)
                answers.append(tf.strings.regex_replace(x, pattern, rewrite, everywhere).numpy().tolist())
            assert answers[0] == answers[1], (pattern, everywhere)
            if "\\" not in rewrite:
                texts, count = [s.decode() for s in rows], 0 if everywhere else 1
                assert answers[0] == [re.sub(pattern, rewrite, s, count=count, flags=re.ASCII).encode() for s in texts]


@pytest.mark.parametrize("way", WAYS, indirect=True)
def test_nested_repeats_take_linear_time(way: str) -> None:
    x = from_list([b"a" * 3000, b"a" * 2999 + b"b"])
    found = automata.full_match(x, b"(((a*)*)*)*b")
    assert found is not None
    assert found.tolist() == [False, True]


def test_what_needs_too_many_states_is_left_to_python() -> None:
    pattern = b"(?:a|b)*a(?:a|b){14}"
    rng = random.Random(4)
    rows = ["".join(rng.choices("ab", k=60)).encode() for _ in range(200)]
    x = from_list(rows)
    assert LIMIT < 2**14
    assert automata.full_match(x, pattern) is None
    expected = [compiled(pattern).fullmatch(s.decode()) is not None for s in rows]
    assert any(expected)
    assert tf.strings.regex_full_match(rows, pattern).numpy().tolist() == expected


def test_results_that_grow_find_room() -> None:
    rows = [b"ab" * n for n in range(200)]
    found = automata.replace(from_list(rows), b"a|", [b"x" * 50], True, always=True)
    assert isinstance(found, StringArray)
    assert found.tolist() == [s.replace(b"a", b"x" * 50) + b"x" * 50 for s in rows]


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
        others = tf.strings.regex_full_match(rows, f"\\P{{{name}}}*").numpy()
        assert np.flatnonzero(others).tolist() == [i for i in range(7) if i not in matched and (i, name) not in ((5, "Greek"), (5, "Han"))]
    with pytest.raises(tf.errors.InvalidArgumentError, match="not supported here"):
        tf.strings.regex_full_match(rows, "\\p{Nowhere}")
