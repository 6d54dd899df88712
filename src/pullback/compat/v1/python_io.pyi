"""The names of `pullback.compat.v1.python_io`, written by docs/make_exports.py."""

from pullback.tensorflow.datasets.records import TFRecordCompressionType as TFRecordCompressionType
from pullback.tensorflow.datasets.records import TFRecordOptions as TFRecordOptions
from pullback.tensorflow.datasets.records import TFRecordWriter as TFRecordWriter
from pullback.tensorflow.datasets.records import tf_record_iterator as tf_record_iterator

__all__ = [
    "TFRecordCompressionType",
    "TFRecordOptions",
    "TFRecordWriter",
    "tf_record_iterator",
]
