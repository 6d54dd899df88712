"""The names of `tf.compat.v1.contrib`."""

from ....interop.names import missing as _missing
from . import layers, opt

__all__ = [
    "layers",
    "opt",
]

__getattr__ = _missing("tf1.contrib", __all__)
