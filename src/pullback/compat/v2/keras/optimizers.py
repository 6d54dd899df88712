"""The names of `tf.keras.optimizers`."""

from ....interop.names import missing as _missing
from ....train.optimizer import Optimizer

__all__ = [
    "Optimizer",
]

__getattr__ = _missing("tf.keras.optimizers", __all__)
