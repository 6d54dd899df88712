"""The names of `pullback.compat`, written by docs/make_exports.py."""

from pullback.compat import v1 as v1
from pullback.compat import v2 as v2
from pullback.interop.text import as_bytes as as_bytes
from pullback.interop.text import as_str_any as as_str_any
from pullback.interop.text import as_text as as_str
from pullback.interop.text import as_text as as_text
from pullback.interop.text import bytes_or_text_types as bytes_or_text_types
from pullback.interop.text import complex_types as complex_types
from pullback.interop.text import dimension_at_index as dimension_at_index
from pullback.interop.text import dimension_value as dimension_value
from pullback.interop.text import integral_types as integral_types
from pullback.interop.text import path_to_str as path_to_str
from pullback.interop.text import real_types as real_types

__all__ = [
    "as_bytes",
    "as_str",
    "as_str_any",
    "as_text",
    "bytes_or_text_types",
    "complex_types",
    "dimension_at_index",
    "dimension_value",
    "integral_types",
    "path_to_str",
    "real_types",
    "v1",
    "v2",
]
