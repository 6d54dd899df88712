"""The names of `pullback.compat.v2.keras.optimizers`, written by docs/make_exports.py."""

from pullback.compat.v2.keras.optimizers import schedules
from pullback.train.keras import deserialize
from pullback.train.keras import get
from pullback.train.keras import serialize
from pullback.train.keras_optimizer import Optimizer
from pullback.train.keras_optimizers import Adadelta
from pullback.train.keras_optimizers import Adagrad
from pullback.train.keras_optimizers import Adam
from pullback.train.keras_optimizers import Ftrl
from pullback.train.keras_optimizers import RMSprop
from pullback.train.keras_optimizers import SGD
from pullback.train.keras_optimizers_more import Adafactor
from pullback.train.keras_optimizers_more import AdamW
from pullback.train.keras_optimizers_more import Adamax
from pullback.train.keras_optimizers_more import Lamb
from pullback.train.keras_optimizers_more import Lion
from pullback.train.keras_optimizers_more import Nadam
from pullback.train.keras_optimizers_newer import Muon
from pullback.train.keras_optimizers_newer import ScheduleFreeAdamW

__all__ = [
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
    "SGD",
    "ScheduleFreeAdamW",
    "deserialize",
    "get",
    "schedules",
    "serialize",
]
