"""The names of `pullback.compat.v1.lookup`, written by docs/make_exports.py."""

from pullback.compat.v1.lookup import experimental
from pullback.tensorflow.lookup import KeyValueTensorInitializer
from pullback.tensorflow.lookup import TextFileIndex
from pullback.tensorflow.lookup import TextFileInitializer

__all__ = [
    "KeyValueTensorInitializer",
    "TextFileIndex",
    "TextFileInitializer",
    "experimental",
]
