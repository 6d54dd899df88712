"""The names of TensorFlow 1's `tf.types`."""

from ....interop.names import missing as _missing
from . import experimental

__all__ = ["experimental"]

__getattr__ = _missing("tf1.types", __all__)
