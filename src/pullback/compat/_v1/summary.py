"""The names of `tf.compat.v1.summary`."""

from ...interop.event_files import FileWriter
from ...interop.names import missing as _missing

__all__ = [
    "FileWriter",
]

__getattr__ = _missing("tf1.summary", __all__)
