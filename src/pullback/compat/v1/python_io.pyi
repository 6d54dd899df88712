"""The names of `pullback.compat.v1.python_io`, written by docs/make_exports.py."""

from pullback.tensorflow.datasets.records import TFRecordCompressionType
from pullback.tensorflow.datasets.records import TFRecordOptions
from pullback.tensorflow.datasets.records import TFRecordWriter
from pullback.tensorflow.datasets.records import tf_record_iterator

__all__ = [
    "TFRecordCompressionType",
    "TFRecordOptions",
    "TFRecordWriter",
    "tf_record_iterator",
]
