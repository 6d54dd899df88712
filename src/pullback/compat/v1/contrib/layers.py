"""The names of `tf.compat.v1.contrib.layers`."""

from ....interop.contrib_layers import (
    apply_regularization,
    flatten,
    fully_connected,
    l1_regularizer,
    l2_regularizer,
    xavier_initializer,
    xavier_initializer_conv2d,
)
from ....interop.names import missing as _missing
from ....nn.initializers import VarianceScaling as variance_scaling_initializer

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

__getattr__ = _missing("tf1.contrib.layers", __all__)
