"""The names of `pullback.compat.v2.strings`, written by docs/make_exports.py."""

from pullback.tensorflow.ragged.strings import bytes_split as bytes_split
from pullback.tensorflow.ragged.strings import ngrams as ngrams
from pullback.tensorflow.ragged.strings import split as split
from pullback.tensorflow.ragged.strings import unicode_decode as unicode_decode
from pullback.tensorflow.ragged.strings import unicode_decode_with_offsets as unicode_decode_with_offsets
from pullback.tensorflow.ragged.strings import unicode_encode as unicode_encode
from pullback.tensorflow.ragged.strings import unicode_split as unicode_split
from pullback.tensorflow.ragged.strings import unicode_split_with_offsets as unicode_split_with_offsets
from pullback.tensorflow.strings.format import format as format
from pullback.tensorflow.strings.hash import to_hash_bucket as to_hash_bucket
from pullback.tensorflow.strings.hash import to_hash_bucket_fast as to_hash_bucket_fast
from pullback.tensorflow.strings.hash import to_hash_bucket_strong as to_hash_bucket_strong
from pullback.tensorflow.strings.join import join as join
from pullback.tensorflow.strings.join import reduce_join as reduce_join
from pullback.tensorflow.strings.join import unsorted_segment_join as unsorted_segment_join
from pullback.tensorflow.strings.numbers import as_string as as_string
from pullback.tensorflow.strings.numbers import to_number as to_number
from pullback.tensorflow.strings.regex import regex_full_match as regex_full_match
from pullback.tensorflow.strings.regex import regex_replace as regex_replace
from pullback.tensorflow.strings.script import unicode_script as unicode_script
from pullback.tensorflow.strings.substrings import length as length
from pullback.tensorflow.strings.substrings import lower as lower
from pullback.tensorflow.strings.substrings import strip as strip
from pullback.tensorflow.strings.substrings import substr as substr
from pullback.tensorflow.strings.substrings import upper as upper
from pullback.tensorflow.strings.unicode import unicode_transcode as unicode_transcode

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
