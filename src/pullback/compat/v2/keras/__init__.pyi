"""The names of `pullback.compat.v2.keras`, written by docs/make_exports.py."""

from pullback.compat.v2.keras import initializers
from pullback.compat.v2.keras import losses
from pullback.compat.v2.keras import metrics
from pullback.compat.v2.keras import optimizers
from pullback.ir.node import Node as Operation

__all__ = [
    "Operation",
    "initializers",
    "losses",
    "metrics",
    "optimizers",
]
