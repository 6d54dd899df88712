"""The names of `tf.optimizers`."""

from ...interop.names import missing as _missing
from ...train.optimizer import Optimizer

__all__ = [
    "Optimizer",
]

__getattr__ = _missing("tf.optimizers", __all__)
