"""The names of `pullback.compat.v2.nest`, written by docs/make_exports.py."""

from pullback.interop.nest import assert_same_structure as assert_same_structure
from pullback.interop.nest import flatten as flatten
from pullback.interop.nest import is_nested as is_nested
from pullback.interop.nest import map_structure as map_structure
from pullback.interop.nest import pack_sequence_as as pack_sequence_as

__all__ = [
    "assert_same_structure",
    "flatten",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
]
