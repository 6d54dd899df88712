"""The names of `tf.keras`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

__all__ = [
    "Operation",
    "initializers",
    "losses",
    "metrics",
    "optimizers",
]

__getattr__ = _missing("tf.keras", __all__, __name__)

if TYPE_CHECKING:
    from ....ir.node import Node as Operation
    from . import initializers, losses, metrics, optimizers
