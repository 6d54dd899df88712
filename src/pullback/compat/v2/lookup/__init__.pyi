"""The names of `pullback.compat.v2.lookup`, written by docs/make_exports.py."""

from pullback.compat.v2.lookup import experimental
from pullback.tensorflow.lookup import KeyValueTensorInitializer
from pullback.tensorflow.lookup import StaticHashTable
from pullback.tensorflow.lookup import StaticVocabularyTable
from pullback.tensorflow.lookup import TextFileIndex
from pullback.tensorflow.lookup import TextFileInitializer

__all__ = [
    "KeyValueTensorInitializer",
    "StaticHashTable",
    "StaticVocabularyTable",
    "TextFileIndex",
    "TextFileInitializer",
    "experimental",
]
