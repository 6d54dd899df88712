"""The names of `pullback.compat.v1.contrib.layers`, written by docs/make_exports.py."""

from pullback.nn.initializers import VarianceScaling as variance_scaling_initializer
from pullback.tensorflow.layers.contrib import apply_regularization
from pullback.tensorflow.layers.contrib import flatten
from pullback.tensorflow.layers.contrib import fully_connected
from pullback.tensorflow.layers.contrib import l1_regularizer
from pullback.tensorflow.layers.contrib import l2_regularizer
from pullback.tensorflow.layers.contrib import xavier_initializer
from pullback.tensorflow.layers.contrib import xavier_initializer as xavier_initializer_conv2d

__all__ = [
    "apply_regularization",
    "flatten",
    "fully_connected",
    "l1_regularizer",
    "l2_regularizer",
    "variance_scaling_initializer",
    "xavier_initializer",
    "xavier_initializer_conv2d",
]
