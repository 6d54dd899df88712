"""The names of `tf.summary.experimental`."""

from ....interop.event_files import get_step, set_step
from ....interop.names import missing as _missing

__all__ = [
    "get_step",
    "set_step",
]

__getattr__ = _missing("tf.summary.experimental", __all__)
