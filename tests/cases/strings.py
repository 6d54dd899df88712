"""Cases: strings joined, cut, written, read, matched, hashed, split, encoded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

NAN, INF = float("nan"), float("inf")


def text(*values: Any) -> Any:
    """A vector of strings."""
    out = np.empty(len(values), object)
    out[:] = [v if isinstance(v, bytes) else v.encode() for v in values]
    return out


def of(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf, *x: getattr(tf.strings, name)(*x, *args, **options)


def io(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf, *x: getattr(tf.io, name)(*x, *args, **options)


def raw(name: str, *names: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, *x: getattr(tf.raw_ops, name)(**dict(zip(names, x, strict=True)), **options)


def written(dtype: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, x: tf.as_string(tf.cast(x, dtype), **options)


def number(dtype: str) -> Callable[..., Any]:
    return lambda tf, x: tf.strings.to_number(x, tf.as_dtype(dtype))


def bytes_as(dtype: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, x: tf.io.decode_raw(x, tf.as_dtype(dtype), **options)


def ngrams(widths: Any, pad_width: int = -1, keep: bool = False) -> Callable[..., Any]:
    return raw("StringNGrams", "data", "data_splits", separator="|", ngram_widths=widths, left_pad="L", right_pad="R", pad_width=pad_width,
               preserve_short_sequences=keep)  # fmt: skip


def many_distances(tf: Any, a: Any, b: Any) -> Any:
    """Of the sequences of 40 rows, which end where numbers below 0 begin."""
    sparse = [tf.SparseTensor(np.argwhere(x >= 0), x[x >= 0], x.shape) for x in (LENGTHS_A, LENGTHS_B)]
    return tf.cast(a[0, 0] + b[0, 0], tf.float32) + tf.edit_distance(*sparse, normalize=False)


def ending(seed: int) -> Any:
    draw = np.random.default_rng(seed)
    return np.where(np.arange(9) < draw.integers(0, 10, (40, 1)), draw.integers(0, 3, (40, 9)), -1).astype(np.int32)


LENGTHS_A, LENGTHS_B = ending(1), ending(2)


def distance(normalize: bool) -> Callable[..., Any]:
    def call(tf: Any, a: Any, b: Any) -> Any:
        sparse = [tf.SparseTensor(i, v, s) for i, v, s in (
            ([[0, 0], [0, 1], [0, 2], [1, 0], [3, 0]], a, [5, 3]), ([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0]], b, [4, 2])
        )]  # fmt: skip
        return tf.edit_distance(*sparse, normalize=normalize)

    return call


def sparse_parts(f: Callable[..., Any]) -> Callable[..., Any]:
    def call(tf: Any, *inputs: Any) -> Any:
        found = f(tf, *inputs)
        return [found.indices, found.values, found.dense_shape]

    return call


WORDS, PAIRS = text("hello", "ab", "héé", ""), np.array([[b"a", b"b", b"c"], [b"d", b"e", b"f"]], object)
SHORT = text("a b  c", " x ", "", "d")
LONG = text("", "a", "abc", "hello", "x" * 8, "x" * 17, "y" * 32, "y" * 40, "z" * 64, "z" * 65, "w" * 128, "w" * 200)
BAD = text(b"a\xffb\xc3", b"h\x00\x1f\x7f", "é€", b"")
NUMBERS = np.array([1.0, -2.5, 0.1, 1e10, 1e-10, 123456789.0, NAN, INF, -INF, 3.14159265, 0.0, -0.0], np.float64)
FORMS: tuple[dict[str, Any], ...] = (
    {}, {"precision": 2}, {"scientific": True}, {"shortest": True}, {"precision": 3, "scientific": True}, {"precision": 3,
           "shortest": True},
    {"width": 9}, {"width": 9, "fill": "0", "precision": 1}, {"width": 9, "fill": "-"}, {"width": 9, "fill": "+", "shortest": True},
    {"width": 9, "fill": " ", "precision": 1},
)  # fmt: skip
INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
REPLACED = (
    ("a*", "X"), ("(l)(l)", r"\2-\1-\0"), ("^h", "H"), ("o$", "0"), ("[[:alpha:]]", "."), (r"\pL", "."), (r"[^\W\d]", "."), (".", "."),
    ("(?i)HE|B", "x"), ("", "-"), (r"\b", "|"), ("l", r"\\"), ("l", r"\x"), ("l", r"\3"), ("l{2}", "2"), ("l{,2}", "2"), ("(?P<n>b)|h",
           r"<\1>"),
    (r"[\x61-\x{62}\-]", "."), (r"\Qll\E", "q"), ("l+?", "1"), ("[^[:lower:]]", "?"), (r"\p{Ll}\PL?", "u"), ("(?:a|h)[]a-]?", "!"),
)  # fmt: skip
MATCHED = ("a.*", ".*a", "a|ab", "(?s)a.b", "a.b", "h..", "[^a]*", r"\w+", r"\d?", "a$", "(?m)a$\nb", r"\Aab\z")

CASES: list[Case] = [
    case("StringJoin", "separator", lambda tf, x, y: tf.strings.join([x, "-", y], "+"), WORDS, WORDS),
    case("StringJoin", "scalars", lambda tf, x: tf.strings.join([x, x]), b"a"),
    case("StringJoin", "one", lambda tf, x: tf.strings.join([x]), PAIRS),
    case("StringJoin", "version 1", lambda tf, x: tf.string_join([x, "b"]), PAIRS, face="v1"),
    *(case("ReduceJoin", f"axis {axis}", of("reduce_join", axis, separator=","), PAIRS) for axis in (None, 0, 1, -1, [0, 1], [1, 0], [])),
    case("ReduceJoin", "keepdims", of("reduce_join", 0, keepdims=True), PAIRS),
    case("ReduceJoin", "a scalar", of("reduce_join"), b"abc"),
    case("ReduceJoin", "nothing", lambda tf: tf.strings.reduce_join(tf.zeros([2, 0], tf.string), 1, separator=",")),
    case("ReduceJoin", "no rows", lambda tf: tf.strings.reduce_join(tf.zeros([0, 2], tf.string), 0)),
    case("ReduceJoin", "version 1", lambda tf, x: tf.reduce_join(x, reduction_indices=1, keep_dims=True), PAIRS, face="v1"),
    case("UnsortedSegmentJoin", "rows", of("unsorted_segment_join", [1, 1], 3, ","), PAIRS),
    case("UnsortedSegmentJoin", "elements", of("unsorted_segment_join", [[0, 1, 0], [1, 0, 0]], 2), PAIRS),
    # written and read
    *(case("AsString", f"{d}, {form}", written(d, **form), NUMBERS) for d in ("float32", "float64") for form in FORMS),
    *(case("AsString", f"{d}, {form}", written(d, **form), NUMBERS[[0, 1, 2, 9]]) for d in ("float16", "bfloat16") for form in FORMS[:4]),
    *(case("AsString", d, written(d, width=4, fill="0"), ints(5, low=0, high=100)) for d in INTEGERS),
    *(case("AsString", f"signs, {f}", written("int32", width=5, fill=f), np.array([-5, 7], np.int32)) for f in ("0", "+", "-", " ", "")),
    case("AsString", "truth values", lambda tf, x: tf.as_string(x, width=7), np.array([True, False])),
    *(case("AsString", f"{d}, {form}", written(d, **form), np.array([1 + 2j, NAN])) for d in ("complex64", "complex128")
           for form in FORMS[:2]),
    case("AsString", "strings", lambda tf, x: tf.as_string(x, width=6), WORDS),
    *(case("StringToNumber", d, number(d), text("1", " 2 ", "+3", "\t7\n", "0")) for d in ("float32", "int32", "int64", "uint32",
           "uint64")),
    *(case("StringToNumber", f"{d}, floating", number(d),
           text("-1.5", "1e3", "0x10", "nan", "inf", "-Infinity", "1e400", ".5", "5.", "-0", "0x1p3", "1e-50"), smooth=False)
                  for d in ("float32",
                  "float64")),
    case("StringToNumber", "the largest", number("uint64"), text("18446744073709551615")),
    case("StringToNumber", "version 1", lambda tf, x: tf.string_to_number(x, tf.int32), text("3"), face="v1"),
    # parts
    case("Substr", "bytes", of("substr", 1, 2), WORDS[:3]),
    case("Substr", "from the end", of("substr", -2, 1), WORDS[:3]),
    case("Substr", "to the end", of("substr", 1, -1), WORDS[:3]),
    case("Substr", "at the end", of("substr", 2, 9), WORDS[:3]),
    case("Substr", "a place for each", of("substr", [0, 1, 2], [1, 1, 1]), WORDS[:3]),
    case("Substr", "broadcast", lambda tf, x, p: tf.strings.substr(x, p, p), PAIRS[:, :1], np.array([0, 1], np.int64)),
    *(case("Substr", f"characters from {at}", of("substr", at, 2, unit="UTF8_CHAR"), WORDS[:3]) for at in (1, -2, 2)),
    case("Substr", "no UTF-8", of("substr", 1, 1, unit="UTF8_CHAR"), text(b"\x80\x80a\xe2\x82\xac")),
    case("Substr", "version 1", lambda tf, x: tf.substr(x, 0, 1, unit="BYTE"), text("abc"), face="v1"),
    *(case("StringLength", unit, of("length", unit=unit), np.append(WORDS, BAD)) for unit in ("BYTE", "UTF8_CHAR")),
    case("StringLength", "version 1", lambda tf, x: tf.strings.length(x, None, "UTF8_CHAR"), WORDS, face="v1"),
    *(case(f"String{f.title()}", f"encoding '{e}'", of(f, encoding=e), text("ABéß", "Straße", "ΑΣ", b"\xffaB")) for f in ("lower", "upper")
      for e in ("", "utf-8")),
    case("StringStrip", "white space", of("strip"), text(" \t\n\r\v\fab \x00", "\x1c a\xa0", b" \x0b a\x85 ", "")),
    case("StringStrip", "version 1", lambda tf, x: tf.string_strip(x), text(" a "), face="v1"),
    # patterns
    *(case("StaticRegexReplace", f"{p} by {r}", of("regex_replace", p, r), text("hello", "baaac", "héé", "a\n", "", "a-b]")) for p,
           r in REPLACED),
    case("StaticRegexReplace", "the first only", of("regex_replace", "l", "L", replace_global=False), WORDS),
    case("RegexReplace", "tensors", of("regex_replace"), WORDS, b"l", b"L"),
    case("RegexReplace", "version 1", lambda tf, x, p: tf.regex_replace(x, p, "L"), WORDS, b"l", face="v1"),
    *(case("StaticRegexFullMatch", p, of("regex_full_match", p), text("abc", "ba", "ab", "a\nb", "héé", "a\n", "")) for p in MATCHED),
    case("RegexFullMatch", "tensors", of("regex_full_match"), WORDS, b"h.*"),
    # written into a template
    case("StringFormat", "several", lambda tf, x, y: tf.strings.format("a {} b {}", (x, y)), ints(2, 3), WORDS),
    case("StringFormat", "one", lambda tf, x: tf.strings.format("%d = t", x, placeholder="%d", summarize=1), floats(6)),
    case("StringFormat", "all", lambda tf, x: tf.strings.format("{}", x, summarize=-1), ints(12)),
    case("StringFormat", "none", lambda tf: tf.strings.format("abc", ())),
    # hashes
    *(case(op, "lengths", of(f, 2**62), LONG) for op, f in (("StringToHashBucket", "to_hash_bucket"), ("StringToHashBucketFast",
           "to_hash_bucket_fast"))),
    *(case(op, "a matrix", of(f, 7), PAIRS) for op, f in (("StringToHashBucket", "to_hash_bucket"), ("StringToHashBucketFast",
           "to_hash_bucket_fast"))),
    case("StringToHashBucketStrong", "lengths", of("to_hash_bucket_strong", 2**62, [1234567890123, 987]), LONG),
    case("StringToHashBucket", "version 1", lambda tf, x: tf.string_to_hash_bucket(x, 9), WORDS, face="v1"),
    case("StringToHashBucketFast", "version 1", lambda tf, x: tf.string_to_hash_bucket_fast(x, 9), WORDS, face="v1"),
    case("StringToHashBucketStrong", "version 1", lambda tf, x: tf.string_to_hash_bucket_strong(x, 9, [1, 2]), WORDS, face="v1"),
    case("Fingerprint", "strings", lambda tf, x: tf.fingerprint(x), LONG),
    case("Fingerprint", "rows of strings", lambda tf, x: tf.fingerprint(x), PAIRS),
    case("Fingerprint", "numbers", lambda tf, x: tf.fingerprint(x), ints(2, 3, 2)),
    case("Fingerprint", "floats", lambda tf, x: tf.fingerprint(tf.stop_gradient(x)), floats(3, 20), smooth=False),
    case("Fingerprint", "empty rows", lambda tf, x: tf.fingerprint(x), ints(2, 0)),
    # bytes
    *(case("EncodeBase64", f"pad={pad}", io("encode_base64", pad=pad), np.append(WORDS, BAD)) for pad in (True, False)),
    case("DecodeBase64", "padded or not", io("decode_base64"), text("", "YQ", "YQ==", "YWI=", "YWJj", "_-", "YR==")),
    *(case("DecodeRaw", d, bytes_as(d), text(b"\x00\x00\xc0?\x00\x00\x00@" * 2, bytes(16))) for d in (
        "float16", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "int64", "bool", "complex64", "complex128",
               "bfloat16")),
    *(case("DecodeRaw", f"{d}, big-endian", bytes_as(d, little_endian=False), text(b"?\x80\x00\x00@\x00\x00\x00" * 2)) for d in (
        "float32", "int16", "int64", "uint8", "complex64")),
    case("DecodeRaw", "empty", bytes_as("int16"), text("", "")),
    case("DecodeRaw", "no strings", lambda tf: tf.io.decode_raw(tf.zeros([0], tf.string), tf.int16)),
    case("DecodeRaw", "version 1", lambda tf, x: tf.decode_raw(x, tf.int8), text("ab"), face="v1"),
    *(case("DecodePaddedRaw", f"{d}, little_endian={e}", bytes_as(d, fixed_length=8, little_endian=e), text("ab", "abcdefghijk",
           "")) for d in (
        "uint8", "int16", "float32") for e in (True, False)),
    # apart
    *(case("StringSplitV2", f"at '{sep}', {n}", raw("StringSplitV2", "input", sep=sep, maxsplit=n), np.append(SHORT, text("a,,b", ",")))
      for sep in ("", ",", " ", ", ") for n in (-1, 0, 1)),
    case("StringSplitV2", "no strings", lambda tf: raw("StringSplitV2", "input", sep="")(tf, tf.zeros([0], tf.string))),
    *(case("StringSplit", f"at '{by}', {skip}", raw("StringSplit", "input", delimiter=by, skip_empty=skip), np.append(SHORT, text("a,b c")))
      for by in ("", " ", " ,") for skip in (True, False)),
    case("StringSplit", "version 1", sparse_parts(lambda tf, x: tf.string_split(x)), SHORT, face="v1"),
    case("StringSplitV2", "version 1", sparse_parts(lambda tf, x: tf.strings.split(x, sep=",")), text("a,b", "c"), face="v1"),
    *(case("StringNGrams", f"{w}, {p}, {k}", ngrams(w, p, k), text("a", "b", "c", "d"), np.array([0, 3, 3, 4], np.int64))
      for w, p, k in (([2], -1, False), ([1, 3], 0, False), ([2], 0, True), ([4], 1, True), ([5, 2], 1, False))),
    # other encodings
    *(case("UnicodeDecode", f"{e}, {c}", raw("UnicodeDecode", "input", input_encoding="UTF-8", errors=e, replace_control_characters=c), BAD)
      for e in ("replace", "ignore") for c in (True, False)),
    case("UnicodeDecode", "UTF-16-BE", raw("UnicodeDecode", "input", input_encoding="UTF-16-BE"), text(b"\x00a\x20\xac",
           b"\xd8\x3d\xde\x00")),
    case("UnicodeDecode", "Latin", raw("UnicodeDecode", "input", input_encoding="ISO-8859-1"), text(b"h\xe9")),
    case("UnicodeDecodeWithOffsets", "UTF-8", raw("UnicodeDecodeWithOffsets", "input", input_encoding="UTF-8", replacement_char=63), BAD),
    *(case("UnicodeEncode", f"{out}", lambda tf, x, s, out=out: tf.raw_ops.UnicodeEncode(input_values=x, input_splits=s,
           output_encoding=out),
           np.array([104, 233, 0x20AC, 0x1F600, -1, 0xD800], np.int32), np.array([0, 2, 2, 6], np.int64)) for out in ("UTF-8",
                  "UTF-16-BE", "UTF-32-BE")),
    *(case("UnicodeTranscode", f"{out}, {e}", of("unicode_transcode", "UTF-8", out, errors=e, replacement_char=63), BAD)
      for out in ("UTF-8", "UTF-16-BE", "UTF-32-BE") for e in ("replace", "ignore")),
    case("UnicodeTranscode", "control characters", of("unicode_transcode", "UTF-8", "UTF-8", replace_control_characters=True), BAD),
    # distances
    # many strings at once, and what keeps them from it
    *(case("UnicodeTranscode", f"in order, {out}", of("unicode_transcode", "UTF-8", out, replace_control_characters=True),
           text("aé", "😀b", "", "\n€")) for out in ("UTF-8", "UTF-16-BE", "UTF-32-BE")),
    case("UnicodeDecodeWithOffsets", "in order", raw("UnicodeDecodeWithOffsets", "input", input_encoding="UTF-8"), text("aé", "", "😀b")),
    case("UnicodeDecode", "a character over two strings", raw("UnicodeDecode", "input", input_encoding="UTF-8"), text(b"\xc3", b"\xa9")),
    *(case("UnicodeEncode", f"in order, {out}", raw("UnicodeEncode", "input_values", "input_splits", output_encoding=out),
           np.array([97, 0x1F600, 0xE9, 0x20AC], np.int32), np.array([0, 2, 2, 4], np.int64)) for out in ("UTF-8", "UTF-16-BE")),
    case("StaticRegexReplace", "zero bytes", of("regex_replace", "[a-z]+", "_"), text("ab\0cd", "e", "")),
    case("StaticRegexReplace", "no zero bytes", of("regex_replace", r"[ab]+\s", "\\\\"), text("ab cd a", "b\n", "", "é a ")),
    case("EditDistance", "many lengths", many_distances, LENGTHS_A, LENGTHS_B, smooth=False),
    *(case("EditDistance", f"strings, {n}", distance(n), text("a", "b", "c", "d", "e"), text("a", "c", "x", "d", "y"),
           smooth=False) for n in (True,
           False)),
    case("EditDistance", "integers", distance(True), ints(5, high=3), ints(5, high=3, seed=1), smooth=False),
]  # fmt: skip

ERRORS: list[ErrorCase] = [
    *(error("StringJoin: shapes differ", lambda tf, x, y: tf.strings.join([x, y]), text("a", "b"), text("a", "b", "c"), mode=m)
           for m in ("eager", "graph")),
    error("StringJoin: numbers", lambda tf, x: tf.strings.join([x, "a"]), ints(2)),
    error("ReduceJoin: axis out of range", of("reduce_join", 2), PAIRS),
    error("ReduceJoin: an axis twice", of("reduce_join", [0, 0]), PAIRS),
    error("UnsortedSegmentJoin: negative segment", of("unsorted_segment_join", [0, -1], 2), PAIRS),
    error("UnsortedSegmentJoin: segment out of range", of("unsorted_segment_join", [0, 2], 2), PAIRS),
    error("AsString: precision of integers", lambda tf, x: tf.as_string(x, precision=2), ints(2)),
    error("AsString: notation of integers", lambda tf, x: tf.as_string(x, scientific=True), ints(2)),
    error("AsString: precision of truth values", lambda tf, x: tf.as_string(x, precision=2), np.array([True])),
    error("AsString: both notations", lambda tf, x: tf.as_string(x, scientific=True, shortest=True), floats(2)),
    error("AsString: a long fill", lambda tf, x: tf.as_string(x, fill="ab"), floats(2)),
    error("AsString: unknown fill", lambda tf, x: tf.as_string(x, fill="x", width=4), floats(2)),
    *(error(f"StringToNumber: {s!r} as {d}", number(d), text(s)) for s, d in (
        ("", "float32"), ("abc", "float32"), ("1 2", "float64"), ("1_000", "float32"), ("1e", "float32"), (b"1\x00", "float32"),
               ("1.5", "int32"),
        ("99999999999", "int32"), ("0x10", "int64"), ("-1", "uint32"), ("-0", "uint64"), ("1_0", "int32"), ("\u0663", "int64"))),
    error("StringToNumber: int8", number("int8"), text("1")),
    error("Substr: out of range", of("substr", 3, 2), WORDS[:3]),
    error("Substr: too far from the end", of("substr", -3, 2), WORDS[:3]),
    error("Substr: characters out of range", of("substr", 2, 1, unit="UTF8_CHAR"), text("é")),
    error("Substr: shapes differ", of("substr", [0, 1], [1, 1]), WORDS[:3]),
    error("Substr: shapes of pos and len differ", of("substr", [0, 1], 1), WORDS[:2]),
    error("Substr: unknown unit", of("substr", 0, 1, unit="X"), WORDS),
    error("Substr: float position", of("substr", 0.5, 1), WORDS),
    error("StringUpper: unknown encoding", of("upper", encoding="latin"), WORDS),
    *(error(f"StaticRegexReplace: {p}", of("regex_replace", p, "x"), WORDS) for p in ("(", ")", "(?=h)", r"(l)\1", "a**", "a++", "[a",
           r"\y", "a{1001}",
                                                                                    r"\pX", "[[:foo:]]")),
    error("RegexReplace: a vector of patterns", of("regex_replace"), WORDS, text("a"), b"b"),
    error("format: another number of tensors", lambda tf, x: tf.strings.format("{}", (x, x)), ints(2)),
    error("StringToHashBucketFast: no buckets", of("to_hash_bucket_fast", 0), WORDS),
    error("StringToHashBucketStrong: a short key", of("to_hash_bucket_strong", 9, [1]), WORDS),
    error("Fingerprint: unknown method", lambda tf, x: tf.fingerprint(x, "md5"), WORDS),
    error("Fingerprint: a scalar", lambda tf, x: tf.fingerprint(x), ints()),
    *(error(f"DecodeBase64: {s}", io("decode_base64"), text(s)) for s in ("a", "+/a=", "YW Jj", "YQ=", "YW\nJj")),
    error("DecodeRaw: lengths differ", bytes_as("uint8"), text("abc", "ab")),
    error("DecodeRaw: no multiple", bytes_as("int16"), text("abc")),
    error("DecodePaddedRaw: no multiple", bytes_as("int16", fixed_length=3), text("abc")),
    error("DecodePaddedRaw: negative length", bytes_as("int16", fixed_length=-2), text("abc")),
    error("StringSplitV2: a matrix", raw("StringSplitV2", "input", sep=""), PAIRS),
    error("StringNGrams: splits out of range", ngrams([2]), text("a", "b"), np.array([0, 3], np.int64)),
    error("StringNGrams: splits out of order", ngrams([2]), text("a", "b"), np.array([0, 2, 1, 2], np.int64)),
    error("UnicodeDecode: strict", raw("UnicodeDecode", "input", input_encoding="UTF-8", errors="strict"), BAD),
    error("UnicodeDecode: unknown encoding", raw("UnicodeDecode", "input", input_encoding="latin9x"), BAD),
    error("UnicodeTranscode: strict", of("unicode_transcode", "UTF-8", "UTF-8", errors="strict"), BAD),
    error("UnicodeTranscode: unknown encoding", of("unicode_transcode", "UTF-8", "bogus"), BAD),
    error("UnicodeTranscode: replacement out of range", of("unicode_transcode", "UTF-8", "UTF-8", replacement_char=0x110000), BAD),
    error("edit_distance: a dense tensor", lambda tf, x: tf.edit_distance(x, x), ints(2)),
]  # fmt: skip
