"""The names of `tf.keras.optimizers`."""

from .....interop.names import missing as _missing
from .....train.keras import deserialize, get, serialize
from .....train.keras_optimizer import Optimizer
from .....train.keras_optimizers import SGD, Adadelta, Adagrad, Adam, Ftrl, RMSprop
from . import schedules

__all__ = [
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "Ftrl",
    "Optimizer",
    "RMSprop",
    "deserialize",
    "get",
    "schedules",
    "serialize",
]

__getattr__ = _missing("tf.keras.optimizers", __all__)
