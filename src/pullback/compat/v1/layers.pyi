"""The names of `pullback.compat.v1.layers`, written by docs/make_exports.py."""

from pullback.tensorflow.layers.functions import average_pooling2d
from pullback.tensorflow.layers.functions import batch_normalization
from pullback.tensorflow.layers.functions import conv2d
from pullback.tensorflow.layers.functions import conv2d_transpose
from pullback.tensorflow.layers.functions import dense
from pullback.tensorflow.layers.functions import dropout
from pullback.tensorflow.layers.functions import flatten
from pullback.tensorflow.layers.functions import max_pooling2d

__all__ = [
    "average_pooling2d",
    "batch_normalization",
    "conv2d",
    "conv2d_transpose",
    "dense",
    "dropout",
    "flatten",
    "max_pooling2d",
]
