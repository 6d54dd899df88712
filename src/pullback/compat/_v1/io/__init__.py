"""The names of `tf.compat.v1.io`."""

from ....interop.names import missing as _missing
from . import gfile

__all__ = [
    "gfile",
]

__getattr__ = _missing("tf1.io", __all__)
