"""The names of `tf.keras`."""

from ....api.names import device, name_scope
from ....api.variable import Variable
from ....interop.names import missing as _missing
from ....ir.node import Node as Operation
from ....train.optimizer import Optimizer
from . import activations, initializers, optimizers

__all__ = [
    "Operation",
    "Optimizer",
    "Variable",
    "activations",
    "device",
    "initializers",
    "name_scope",
    "optimizers",
]

__getattr__ = _missing("tf.keras", __all__)
