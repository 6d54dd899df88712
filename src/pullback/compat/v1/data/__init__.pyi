"""The names of `pullback.compat.v1.data`, written by docs/make_exports.py."""

from pullback.compat.v1.data import experimental as experimental
from pullback.tensorflow.datasets.dataset import DatasetSpec as DatasetSpec
from pullback.tensorflow.datasets.described import get_output_classes as get_output_classes
from pullback.tensorflow.datasets.described import get_output_shapes as get_output_shapes
from pullback.tensorflow.datasets.described import get_output_types as get_output_types
from pullback.tensorflow.datasets.methods import AUTOTUNE as AUTOTUNE
from pullback.tensorflow.datasets.options import Options as Options
from pullback.tensorflow.datasets.options import ThreadingOptions as ThreadingOptions
from pullback.tensorflow.datasets.readers import FixedLengthRecordDatasetV1 as FixedLengthRecordDataset
from pullback.tensorflow.datasets.readers import TFRecordDatasetV1 as TFRecordDataset
from pullback.tensorflow.datasets.readers import TextLineDatasetV1 as TextLineDataset
from pullback.tensorflow.datasets.source import INFINITE as INFINITE_CARDINALITY
from pullback.tensorflow.datasets.source import UNKNOWN as UNKNOWN_CARDINALITY
from pullback.tensorflow.datasets.v1 import DatasetV1 as Dataset
from pullback.tensorflow.datasets.v1 import IteratorV1 as Iterator
from pullback.tensorflow.datasets.v1 import make_initializable_iterator as make_initializable_iterator
from pullback.tensorflow.datasets.v1 import make_one_shot_iterator as make_one_shot_iterator

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
