"""The names of `pullback.compat.v1.examples.tutorials.mnist.input_data`, written by docs/make_exports.py."""

from pullback.tensorflow.contrib.mnist import DataSet as DataSet
from pullback.tensorflow.contrib.mnist import read_data_sets as read_data_sets

__all__ = [
    "DataSet",
    "read_data_sets",
]
