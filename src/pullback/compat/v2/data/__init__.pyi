"""The names of `pullback.compat.v2.data`, written by docs/make_exports.py."""

from pullback.compat.v2.data import experimental
from pullback.tensorflow.datasets.dataset import DatasetSpec
from pullback.tensorflow.datasets.iterators import IteratorBase as Iterator
from pullback.tensorflow.datasets.iterators import IteratorSpec
from pullback.tensorflow.datasets.methods import AUTOTUNE
from pullback.tensorflow.datasets.methods import Dataset
from pullback.tensorflow.datasets.options import Options
from pullback.tensorflow.datasets.options import ThreadingOptions
from pullback.tensorflow.datasets.readers import FixedLengthRecordDataset
from pullback.tensorflow.datasets.readers import TFRecordDataset
from pullback.tensorflow.datasets.readers import TextLineDataset
from pullback.tensorflow.datasets.source import INFINITE as INFINITE_CARDINALITY
from pullback.tensorflow.datasets.source import UNKNOWN as UNKNOWN_CARDINALITY

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
