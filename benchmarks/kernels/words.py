"""What is measured, continued: strings, a hundred thousand of them, and summaries."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .table import Rows, integers, numbers

COUNT = 100_000
LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz ABCDEF,"))


def texts(count: int = COUNT, low: int = 4, high: int = 24, seed: int = 0) -> Any:
    """Strings of letters, blanks and commas."""
    lengths = low + integers(high - low, count, seed=seed)
    whole = "".join(LETTERS[integers(len(LETTERS), int(lengths.sum()), seed=seed + 1)])
    ends = np.cumsum(lengths)
    return [whole[a:b].encode() for a, b in zip(ends - lengths, ends, strict=True)]


def plain(tf: Any) -> Rows:
    x, y = tf.constant(texts()), tf.constant(texts(seed=5))
    raw = tf.raw_ops
    for name in ("StringLength", "StringLower", "StringUpper", "StringStrip"):
        yield name, partial(getattr(raw, name), input=x)
    yield "StringLength, UTF-8", partial(raw.StringLength, input=x, unit="UTF8_CHAR")
    yield "StringLower, UTF-8", partial(raw.StringLower, input=x, encoding="utf-8")
    yield "Substr", partial(raw.Substr, input=x, pos=1, len=3)
    yield "Substr, UTF-8", partial(raw.Substr, input=x, pos=1, len=3, unit="UTF8_CHAR")
    yield "StringJoin", partial(raw.StringJoin, inputs=[x, y], separator="-")
    table = tf.reshape(x, [1000, 100])
    yield "ReduceJoin", partial(raw.ReduceJoin, inputs=table, reduction_indices=[1], separator="-")
    of = tf.constant(integers(1000, COUNT))
    yield "UnsortedSegmentJoin", partial(raw.UnsortedSegmentJoin, inputs=x, segment_ids=of, num_segments=1000, separator="-")
    yield "StringSplitV2", partial(raw.StringSplitV2, input=x, sep=" ")
    yield "StringSplitV2, blanks", partial(raw.StringSplitV2, input=x, sep="")
    yield "StringSplit", partial(raw.StringSplit, input=x, delimiter=" ")
    splits = tf.constant(np.arange(0, COUNT + 1, 10))
    pads: dict[str, Any] = {"left_pad": "", "right_pad": "", "pad_width": 0, "preserve_short_sequences": False}
    grams: dict[str, Any] = {"data": x, "data_splits": splits, "separator": " ", "ngram_widths": [2], **pads}
    yield "StringNGrams", partial(raw.StringNGrams, **grams)
    yield "Equal, strings", partial(tf.equal, x, y)
    yield "Add, strings", partial(raw.Add, x=x, y=y)
    yield "GatherV2, strings", partial(tf.gather, x, tf.constant(integers(COUNT, COUNT)))


def hashed(tf: Any) -> Rows:
    x, raw = tf.constant(texts()), tf.raw_ops
    yield "StringToHashBucket", partial(raw.StringToHashBucket, string_tensor=x, num_buckets=1000)
    yield "StringToHashBucketFast", partial(raw.StringToHashBucketFast, input=x, num_buckets=1000)
    yield "StringToHashBucketStrong", partial(raw.StringToHashBucketStrong, input=x, num_buckets=1000, key=[1, 2])
    yield "Fingerprint", partial(raw.Fingerprint, data=x, method="farmhash64")
    yield "Fingerprint, numbers", partial(raw.Fingerprint, data=tf.constant(numbers(1000, 1000)), method="farmhash64")


def numerals(tf: Any) -> Rows:
    raw = tf.raw_ops
    f, i = tf.constant(numbers(COUNT)), tf.constant(integers(1_000_000, COUNT))
    yield "AsString, int32", partial(raw.AsString, input=i)
    yield "AsString, float32", partial(raw.AsString, input=f)
    yield "AsString, precision", partial(raw.AsString, input=f, precision=3)
    for label, of in (("int32", i), ("float32", f)):
        yield f"StringToNumber, {label}", partial(raw.StringToNumber, string_tensor=tf.strings.as_string(of), out_type=of.dtype)


def coded(tf: Any) -> Rows:
    words = texts()
    x, raw = tf.constant(words), tf.raw_ops
    accents = tf.constant([f"é{word.decode()}ж" for word in words])
    yield "EncodeBase64", partial(raw.EncodeBase64, input=x)
    yield "DecodeBase64", partial(raw.DecodeBase64, input=raw.EncodeBase64(input=x))
    same = tf.constant([bytes(8 * [k % 251]) for k in range(COUNT)])
    yield "DecodeRaw", partial(raw.DecodeRaw, bytes=same, out_type=tf.float32)
    yield "DecodePaddedRaw", partial(raw.DecodePaddedRaw, input_bytes=x, fixed_length=16, out_type=tf.int32)
    for label, of in (("ASCII", x), ("accents", accents)):
        yield f"UnicodeDecode, {label}", partial(raw.UnicodeDecode, input=of, input_encoding="UTF-8")
        yield f"UnicodeDecodeWithOffsets, {label}", partial(raw.UnicodeDecodeWithOffsets, input=of, input_encoding="UTF-8")
        yield f"UnicodeTranscode, {label}", partial(raw.UnicodeTranscode, input=of, input_encoding="UTF-8", output_encoding="UTF-16-BE")
    points, splits = raw.UnicodeDecode(input=accents, input_encoding="UTF-8")[::-1]
    yield "UnicodeEncode", partial(raw.UnicodeEncode, input_values=points, input_splits=splits, output_encoding="UTF-8")
    yield "UnicodeScript", partial(raw.UnicodeScript, input=points)


def patterns(tf: Any) -> Rows:
    x, raw = tf.constant(texts()), tf.raw_ops
    yield "RegexReplace", partial(raw.RegexReplace, input=x, pattern="[aeiou]+", rewrite="_")
    yield "StaticRegexReplace", partial(raw.StaticRegexReplace, input=x, pattern=" ", rewrite="")
    yield "RegexFullMatch", partial(raw.RegexFullMatch, input=x, pattern="[a-m].*[n-z]")
    yield "StaticRegexFullMatch", partial(raw.StaticRegexFullMatch, input=x, pattern="[a-m].*[n-z]")
    yield "StringFormat", partial(raw.StringFormat, inputs=[tf.constant(numbers(100))], template="%s", placeholder="%s")


def distances(tf: Any) -> Rows:
    """Two thousand pairs of sequences of twenty words."""
    raw, rows, length = tf.raw_ops, 2000, 20
    at = tf.constant(np.stack(np.meshgrid(np.arange(rows), np.arange(length), indexing="ij"), -1).reshape(-1, 2))
    shape = tf.constant([rows, length], tf.int64)
    one, two = (tf.constant(integers(5, rows * length, seed=seed)) for seed in (0, 1))
    first: dict[str, Any] = {"hypothesis_indices": at, "hypothesis_values": one, "hypothesis_shape": shape}
    second: dict[str, Any] = {"truth_indices": at, "truth_values": two, "truth_shape": shape}
    yield "EditDistance", partial(raw.EditDistance, **first, **second)


def summaries(tf: Any) -> Rows:
    raw, x = tf.raw_ops, tf.constant(numbers(1_000_000))
    yield "ScalarSummary", partial(raw.ScalarSummary, tags="loss", values=1.0)
    yield "HistogramSummary", partial(raw.HistogramSummary, tag="weights", values=x)
    yield "AudioSummaryV2", partial(raw.AudioSummaryV2, tag="voice", tensor=tf.reshape(x, [1, -1]), sample_rate=8000.0)
    parts = [raw.ScalarSummary(tags=f"loss{k}", values=1.0) for k in range(3)]
    yield "MergeSummary", partial(raw.MergeSummary, inputs=parts)
