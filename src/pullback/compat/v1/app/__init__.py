"""The names of `tf.compat.v1.app`."""

from ....interop.flags import run
from ....interop.names import missing as _missing
from . import flags

__all__ = [
    "flags",
    "run",
]

__getattr__ = _missing("tf1.app", __all__)
