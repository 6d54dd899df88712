"""The names of `pullback.compat.v1.contrib.lookup`, written by docs/make_exports.py."""

from pullback.tensorflow.lookup import KeyValueTensorInitializer as KeyValueTensorInitializer
from pullback.tensorflow.lookup import MutableHashTable as MutableHashTable
from pullback.tensorflow.lookup import StaticHashTableV1 as HashTable
from pullback.tensorflow.lookup import TextFileIndex as TextFileIndex
from pullback.tensorflow.lookup import TextFileInitializer as TextFileInitializer
from pullback.tensorflow.lookup_words import FastHashSpec as FastHashSpec
from pullback.tensorflow.lookup_words import HasherSpec as HasherSpec
from pullback.tensorflow.lookup_words import StrongHashSpec as StrongHashSpec
from pullback.tensorflow.lookup_words import index_table_from_file as index_table_from_file
from pullback.tensorflow.lookup_words import index_table_from_tensor as index_table_from_tensor
from pullback.tensorflow.lookup_words import index_to_string_table_from_file as index_to_string_table_from_file
from pullback.tensorflow.lookup_words import index_to_string_table_from_tensor as index_to_string_table_from_tensor

__all__ = [
    "FastHashSpec",
    "HashTable",
    "HasherSpec",
    "KeyValueTensorInitializer",
    "MutableHashTable",
    "StrongHashSpec",
    "TextFileIndex",
    "TextFileInitializer",
    "index_table_from_file",
    "index_table_from_tensor",
    "index_to_string_table_from_file",
    "index_to_string_table_from_tensor",
]
