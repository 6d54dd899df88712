"""The names of `tf.keras.optimizers`."""

from .....interop.names import missing as _missing
from .....train.optimizer import Optimizer
from . import schedules

__all__ = [
    "Optimizer",
    "schedules",
]

__getattr__ = _missing("tf.keras.optimizers", __all__)
