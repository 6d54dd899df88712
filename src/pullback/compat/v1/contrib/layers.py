"""The names of `tf.compat.v1.contrib.layers`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....interop.contrib_layers import (
        apply_regularization,
        flatten,
        fully_connected,
        l1_regularizer,
        l2_regularizer,
        xavier_initializer,
        xavier_initializer_conv2d,
    )
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

__getattr__ = _missing("tf1.contrib.layers", __all__, __name__)
