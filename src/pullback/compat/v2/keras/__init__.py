"""The names of `tf.keras`."""

from ....interop.names import missing as _missing
from ....ir.node import Node as Operation
from . import initializers, optimizers

__all__ = [
    "Operation",
    "initializers",
    "optimizers",
]

__getattr__ = _missing("tf.keras", __all__)
