"""The names of `pullback.compat.v1.data`, written by docs/make_exports.py."""

from pullback.compat.v1.data import experimental
from pullback.datasets.dataset import DatasetSpec
from pullback.datasets.methods import AUTOTUNE
from pullback.datasets.options import Options
from pullback.datasets.options import ThreadingOptions
from pullback.datasets.readers import FixedLengthRecordDatasetV1 as FixedLengthRecordDataset
from pullback.datasets.readers import TFRecordDatasetV1 as TFRecordDataset
from pullback.datasets.readers import TextLineDatasetV1 as TextLineDataset
from pullback.datasets.source import INFINITE as INFINITE_CARDINALITY
from pullback.datasets.source import UNKNOWN as UNKNOWN_CARDINALITY
from pullback.datasets.v1 import DatasetV1 as Dataset
from pullback.datasets.v1 import IteratorV1 as Iterator
from pullback.datasets.v1 import get_output_classes
from pullback.datasets.v1 import get_output_shapes
from pullback.datasets.v1 import get_output_types
from pullback.datasets.v1 import make_initializable_iterator
from pullback.datasets.v1 import make_one_shot_iterator

__all__ = [
    "AUTOTUNE",
    "Dataset",
    "DatasetSpec",
    "FixedLengthRecordDataset",
    "INFINITE_CARDINALITY",
    "Iterator",
    "Options",
    "TFRecordDataset",
    "TextLineDataset",
    "ThreadingOptions",
    "UNKNOWN_CARDINALITY",
    "experimental",
    "get_output_classes",
    "get_output_shapes",
    "get_output_types",
    "make_initializable_iterator",
    "make_one_shot_iterator",
]
