"""The names of `tf.compat.v1.layers`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...interop.layers import average_pooling2d, batch_normalization, conv2d, conv2d_transpose, dense, dropout, flatten, max_pooling2d

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

__getattr__ = _missing("tf1.layers", __all__, __name__)
