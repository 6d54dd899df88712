"""The names of `pullback.compat.v1.contrib.training`, written by docs/make_exports.py."""

from pullback.tensorflow.contrib.composition import create_train_op as create_train_op
from pullback.tensorflow.contrib.hparams import HParams as HParams

__all__ = [
    "HParams",
    "create_train_op",
]
