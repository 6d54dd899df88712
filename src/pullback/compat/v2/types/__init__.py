"""The names of `tf.types`."""

from ....interop.names import missing as _missing
from . import experimental

__all__ = ["experimental"]

__getattr__ = _missing("tf.types", __all__)
