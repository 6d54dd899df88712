"""The names of `tf.keras`."""

from ...interop.names import missing as _missing
from ...ir.node import Node as Operation

__all__ = [
    "Operation",
]

__getattr__ = _missing("tf.keras", __all__)
