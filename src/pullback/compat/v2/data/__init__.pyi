"""The names of `pullback.compat.v2.data`, written by docs/make_exports.py."""

from pullback.compat.v2.data import experimental as experimental
from pullback.tensorflow.datasets.dataset import DatasetSpec as DatasetSpec
from pullback.tensorflow.datasets.iterators import IteratorBase as Iterator
from pullback.tensorflow.datasets.iterators import IteratorSpec as IteratorSpec
from pullback.tensorflow.datasets.methods import AUTOTUNE as AUTOTUNE
from pullback.tensorflow.datasets.methods import Dataset as Dataset
from pullback.tensorflow.datasets.options import Options as Options
from pullback.tensorflow.datasets.options import ThreadingOptions as ThreadingOptions
from pullback.tensorflow.datasets.readers import FixedLengthRecordDataset as FixedLengthRecordDataset
from pullback.tensorflow.datasets.readers import TFRecordDataset as TFRecordDataset
from pullback.tensorflow.datasets.readers import TextLineDataset as TextLineDataset
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
