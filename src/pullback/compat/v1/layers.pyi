"""The names of `pullback.compat.v1.layers`, written by docs/make_exports.py."""

from pullback.interop.layers import average_pooling2d
from pullback.interop.layers import batch_normalization
from pullback.interop.layers import conv2d
from pullback.interop.layers import conv2d_transpose
from pullback.interop.layers import dense
from pullback.interop.layers import dropout
from pullback.interop.layers import flatten
from pullback.interop.layers import max_pooling2d

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
