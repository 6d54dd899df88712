"""Cases: strings taken apart into ragged tensors, and functions of strings on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints
from .strings import BAD, PAIRS, SHORT, WORDS, text

SENTENCES = np.array([[b"a b", b"c"], [b"", b" d  e f"]], object)


def parts(found: Any) -> Any:
    """The flat values and row splits of a ragged tensor, the parts of a sparse one."""
    if isinstance(found, tuple):
        return [parts(x) for x in found]
    if hasattr(found, "nested_row_splits"):
        return [found.flat_values, *found.nested_row_splits]
    return [found.indices, found.values, found.dense_shape] if hasattr(found, "dense_shape") else found


def of(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf, x: parts(getattr(tf.strings, name)(x, *args, **options))


def rows(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f` of a ragged tensor of strings or numbers: rows of two, none, and the rest."""
    return lambda tf, x: parts(f(tf, tf.RaggedTensor.from_row_splits(x, [0, 2, 2, x.shape[0] or 4], validate=False)))


CASES: list[Case] = [
    *(case("strings.split", f"at {sep!r}, {n}", of("split", sep, n), np.append(SHORT, text("a,,b", ","))) for sep in (None, ",",
           " ") for n in (-1, 1)),
    case("strings.split", "a scalar", of("split"), b"a b"),
    case("strings.split", "a matrix", of("split"), SENTENCES),
    case("strings.split", "ragged", rows(lambda tf, x: tf.strings.split(x)), text("a b", "c", " d", "e f g")),
    case("strings.split", "version 1", lambda tf, x: parts(tf.strings.split(x, result_type="RaggedTensor")), SHORT, face="v1"),
    case("strings.split", "version 1, a matrix", lambda tf, x: parts(tf.strings.split(x)), SENTENCES, face="v1"),
    case("string_split", "version 1, ragged", lambda tf, x: parts(tf.string_split(x, result_type="RaggedTensor")), SHORT, face="v1"),
    case("RaggedText", "text", rows(lambda tf, x: tf.strings.format("a {} b", x)), text("a b", "c", "d", "")),
    case("RaggedText", "numbers, summarized", rows(lambda tf, x: tf.strings.format("{} of 2", x, summarize=1)), floats(4)),
    case("RaggedText", "booleans", rows(lambda tf, x: tf.strings.format("{}", x)), np.array([True, False, True])),
    *(case("strings.bytes_split", label, of("bytes_split"), x) for label, x in (("a vector", WORDS), ("a scalar", b"abc"), ("a matrix",
           PAIRS))),
    *(case(f"strings.{f}", label, of(f, "UTF-8"), x) for f in (
        "unicode_decode", "unicode_decode_with_offsets", "unicode_split", "unicode_split_with_offsets")
      for label, x in (("a vector", WORDS), ("a scalar", "hé€".encode()), ("a matrix", SENTENCES), ("what is no text", BAD))),
    case("strings.unicode_decode", "left out", of("unicode_decode", "UTF-8", "ignore"), BAD),
    case("strings.unicode_split", "replaced", of("unicode_split", "UTF-8", replacement_char=63), BAD),
    case("strings.unicode_decode", "ragged", rows(lambda tf, x: tf.strings.unicode_decode(x, "UTF-8")), text("ab", "é", "c", "")),
    *(case("strings.unicode_encode", label, of("unicode_encode", "UTF-16-BE"), x) for label, x in (
        ("a vector", np.array([104, 233], np.int32)), ("a matrix", np.array([[104, 233], [97, -1]], np.int32)),
        ("more dimensions", np.array([[[104, 233]], [[97, 98]]], np.int32)))),
    case("strings.unicode_encode", "ragged", rows(lambda tf, x: tf.strings.unicode_encode(x, "UTF-8")), np.array([104, 233, 97, 98],
           np.int32)),
    case("UnicodeScript", "points", of("unicode_script"), np.array([65, 0x391, 0x20AC, -1, 0x110000, 0x4E00, 32, 0x1F600, 0x10FFFF, 0],
           np.int32)),
    case("UnicodeScript", "characters", lambda tf, x: parts(tf.strings.unicode_script(tf.strings.unicode_decode(x, "UTF-8"))),
           text("aЖ", "あ漢")),
    *(case("strings.ngrams", f"{w}, {options}, {list(x.shape)}", of("ngrams", w, **options), x) for w, options, x in (
        (2, {}, WORDS), ((1, 2), {"separator": "|"}, WORDS), (3, {"pad_values": ("L", "R")}, WORDS[:2]), (2, {}, PAIRS),
        ((1, 3), {"pad_values": "#", "padding_width": 1}, WORDS[:2]), (3, {"preserve_short_sequences": True}, WORDS[:2]), (3, {},
               WORDS[:1]))),
    case("strings.ngrams", "ragged", rows(lambda tf, x: tf.strings.ngrams(x, 2, pad_values="#")), text("a", "b", "c", "d")),
    *(case(f"strings.{f}", "ragged", rows(lambda tf, x, f=f, a=a: getattr(tf.strings, f)(x, *a)), text("ab", "é", "c", "")) for f, a in (
        ("lower", ()), ("upper", ()), ("strip", ()), ("length", ()), ("regex_replace", ("a", "x")), ("regex_full_match", ("a.*",)),
        ("to_hash_bucket_fast", (9,)), ("substr", (0, 1)), ("unicode_transcode", ("UTF-8", "UTF-16-BE")))),
    case("StringJoin", "ragged", rows(lambda tf, x: tf.strings.join([x, "-", x], ".")), text("ab", "é", "c", "")),
    case("AsString", "ragged", rows(lambda tf, x: tf.as_string(x)), ints(4)),
]  # fmt: skip

ERRORS: list[ErrorCase] = [
    error("strings.unicode_decode: strict", of("unicode_decode", "UTF-8", "strict"), BAD),
    error("strings.unicode_decode: unknown encoding", of("unicode_decode", "latin9x"), WORDS),
    error("strings.unicode_encode: a scalar", of("unicode_encode", "UTF-8"), np.int32(4)),
    error("strings.unicode_encode: strict", of("unicode_encode", "UTF-8", "strict"), np.array([0x110000], np.int32)),
    error("strings.unicode_encode: unknown encoding", of("unicode_encode", "latin1"), np.array([104], np.int32)),
    error("strings.ngrams: no width", of("ngrams", 0), WORDS),
    error("strings.ngrams: a scalar", of("ngrams", 2), b"a"),
    error("strings.ngrams: padding of numbers", of("ngrams", 2, pad_values=3), WORDS),
    error("strings.ngrams: width without padding", of("ngrams", 2, padding_width=1), WORDS),
    error("strings.split: numbers", of("split"), floats(2)),
    error("string_split: kind of result", lambda tf, x: tf.string_split(x, result_type="Tensor"), WORDS, face="v1"),
]  # fmt: skip
