"""The names of `tf.compat.v1.layers`."""

from ...interop.layers import average_pooling2d, batch_normalization, conv2d, conv2d_transpose, dense, dropout, flatten, max_pooling2d
from ...interop.names import missing as _missing

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

__getattr__ = _missing("tf1.layers", __all__)
