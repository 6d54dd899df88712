"""The names of `pullback.compat.v1.lookup`, written by docs/make_exports.py."""

from pullback.compat.v1.lookup import experimental
from pullback.ops.lookup import KeyValueTensorInitializer
from pullback.ops.lookup import TextFileIndex
from pullback.ops.lookup import TextFileInitializer

__all__ = [
    "KeyValueTensorInitializer",
    "TextFileIndex",
    "TextFileInitializer",
    "experimental",
]
