"""The names of `pullback.compat.v1.contrib.slim.learning`, written by docs/make_exports.py."""

from pullback.tensorflow.contrib.composition import create_train_op as create_train_op
from pullback.tensorflow.contrib.learning import train as train
from pullback.tensorflow.contrib.learning import train_step as train_step

__all__ = [
    "create_train_op",
    "train",
    "train_step",
]
