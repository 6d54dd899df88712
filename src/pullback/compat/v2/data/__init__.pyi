"""The names of `pullback.compat.v2.data`, written by docs/make_exports.py."""

from pullback.compat.v2.data import experimental
from pullback.datasets.dataset import DatasetSpec
from pullback.datasets.iterators import IteratorBase as Iterator
from pullback.datasets.iterators import IteratorSpec
from pullback.datasets.methods import AUTOTUNE
from pullback.datasets.methods import Dataset
from pullback.datasets.options import Options
from pullback.datasets.options import ThreadingOptions
from pullback.datasets.readers import FixedLengthRecordDataset
from pullback.datasets.readers import TFRecordDataset
from pullback.datasets.readers import TextLineDataset
from pullback.datasets.source import INFINITE as INFINITE_CARDINALITY
from pullback.datasets.source import UNKNOWN as UNKNOWN_CARDINALITY

__all__ = [
    "AUTOTUNE",
    "Dataset",
    "DatasetSpec",
    "FixedLengthRecordDataset",
    "INFINITE_CARDINALITY",
    "Iterator",
    "IteratorSpec",
    "Options",
    "TFRecordDataset",
    "TextLineDataset",
    "ThreadingOptions",
    "UNKNOWN_CARDINALITY",
    "experimental",
]
