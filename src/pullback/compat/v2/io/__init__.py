"""The names of `tf.io`."""

from ....interop.names import missing as _missing
from . import gfile

__all__ = [
    "gfile",
]

__getattr__ = _missing("tf.io", __all__)
