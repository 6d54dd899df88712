"""The names of `pullback.compat.v2.lookup.experimental`, written by docs/make_exports.py."""

from pullback.tensorflow.lookup import DenseHashTable as DenseHashTable
from pullback.tensorflow.lookup import MutableHashTable as MutableHashTable

__all__ = [
    "DenseHashTable",
    "MutableHashTable",
]
