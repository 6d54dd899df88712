"""The names of `tf.compat.v1.strings`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...compat.legacy.strings import length, reduce_join, split, substr, to_hash_bucket, to_number
    from ...ops.ragged.strings import (
        bytes_split,
        ngrams,
        unicode_decode,
        unicode_decode_with_offsets,
        unicode_encode,
        unicode_split,
        unicode_split_with_offsets,
    )
    from ...ops.string.format import format
    from ...ops.string.hash import to_hash_bucket_fast, to_hash_bucket_strong
    from ...ops.string.join import join, unsorted_segment_join
    from ...ops.string.numbers import as_string
    from ...ops.string.parts import lower, strip, upper
    from ...ops.string.regex import regex_full_match, regex_replace
    from ...ops.string.script import unicode_script
    from ...ops.string.unicode import unicode_transcode

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

__getattr__ = _missing("tf1.strings", __all__, __name__)
