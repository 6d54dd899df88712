"""The names of `pullback.compat.v2.lookup`, written by docs/make_exports.py."""

from pullback.compat.v2.lookup import experimental
from pullback.ops.lookup import KeyValueTensorInitializer
from pullback.ops.lookup import StaticHashTable
from pullback.ops.lookup import StaticVocabularyTable
from pullback.ops.lookup import TextFileIndex
from pullback.ops.lookup import TextFileInitializer

__all__ = [
    "KeyValueTensorInitializer",
    "StaticHashTable",
    "StaticVocabularyTable",
    "TextFileIndex",
    "TextFileInitializer",
    "experimental",
]
