"""The names of `pullback.compat.v1.lookup`, written by docs/make_exports.py."""

from pullback.compat.v1.lookup import experimental as experimental
from pullback.tensorflow.lookup import KeyValueTensorInitializer as KeyValueTensorInitializer
from pullback.tensorflow.lookup import StaticHashTableV1 as StaticHashTable
from pullback.tensorflow.lookup import StaticVocabularyTableV1 as StaticVocabularyTable
from pullback.tensorflow.lookup import TextFileIndex as TextFileIndex
from pullback.tensorflow.lookup import TextFileInitializer as TextFileInitializer

__all__ = [
    "KeyValueTensorInitializer",
    "StaticHashTable",
    "StaticVocabularyTable",
    "TextFileIndex",
    "TextFileInitializer",
    "experimental",
]
