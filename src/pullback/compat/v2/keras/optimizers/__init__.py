"""The names of `tf.keras.optimizers`."""

from typing import TYPE_CHECKING

from .....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from .....train.keras import deserialize, get, serialize
    from .....train.keras_optimizer import Optimizer
    from .....train.keras_optimizers import SGD, Adadelta, Adagrad, Adam, Ftrl, RMSprop
    from .....train.keras_optimizers_more import Adafactor, Adamax, AdamW, Lamb, Lion, Nadam
    from .....train.keras_optimizers_newer import Muon, ScheduleFreeAdamW
    from . import schedules

__all__ = [
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Ftrl",
    "Lamb",
    "Lion",
    "Muon",
    "Nadam",
    "Optimizer",
    "RMSprop",
    "ScheduleFreeAdamW",
    "deserialize",
    "get",
    "schedules",
    "serialize",
]

__getattr__ = _missing("tf.keras.optimizers", __all__, __name__)
