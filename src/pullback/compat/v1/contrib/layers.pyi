"""The names of `pullback.compat.v1.contrib.layers`, written by docs/make_exports.py."""

from pullback.interop.contrib_layers import apply_regularization
from pullback.interop.contrib_layers import flatten
from pullback.interop.contrib_layers import fully_connected
from pullback.interop.contrib_layers import l1_regularizer
from pullback.interop.contrib_layers import l2_regularizer
from pullback.interop.contrib_layers import xavier_initializer
from pullback.interop.contrib_layers import xavier_initializer as xavier_initializer_conv2d
from pullback.nn.initializers import VarianceScaling as variance_scaling_initializer

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
