"""The names of `pullback.compat.v1.strings`, written by docs/make_exports.py."""

from pullback.compat.legacy.strings import length
from pullback.compat.legacy.strings import reduce_join
from pullback.compat.legacy.strings import split
from pullback.compat.legacy.strings import substr
from pullback.compat.legacy.strings import to_hash_bucket
from pullback.compat.legacy.strings import to_number
from pullback.ops.ragged.strings import bytes_split
from pullback.ops.ragged.strings import ngrams
from pullback.ops.ragged.strings import unicode_decode
from pullback.ops.ragged.strings import unicode_decode_with_offsets
from pullback.ops.ragged.strings import unicode_encode
from pullback.ops.ragged.strings import unicode_split
from pullback.ops.ragged.strings import unicode_split_with_offsets
from pullback.ops.string.format import format
from pullback.ops.string.hash import to_hash_bucket_fast
from pullback.ops.string.hash import to_hash_bucket_strong
from pullback.ops.string.join import join
from pullback.ops.string.join import unsorted_segment_join
from pullback.ops.string.numbers import as_string
from pullback.ops.string.parts import lower
from pullback.ops.string.parts import strip
from pullback.ops.string.parts import upper
from pullback.ops.string.regex import regex_full_match
from pullback.ops.string.regex import regex_replace
from pullback.ops.string.script import unicode_script
from pullback.ops.string.unicode import unicode_transcode

__all__ = [
    "as_string",
    "bytes_split",
    "format",
    "join",
    "length",
    "lower",
    "ngrams",
    "reduce_join",
    "regex_full_match",
    "regex_replace",
    "split",
    "strip",
    "substr",
    "to_hash_bucket",
    "to_hash_bucket_fast",
    "to_hash_bucket_strong",
    "to_number",
    "unicode_decode",
    "unicode_decode_with_offsets",
    "unicode_encode",
    "unicode_script",
    "unicode_split",
    "unicode_split_with_offsets",
    "unicode_transcode",
    "unsorted_segment_join",
    "upper",
]
