"""The names of `tf.keras.optimizers.schedules`."""

from .....interop.names import missing as _missing
from .....train.keras_schedules import deserialize, serialize
from .....train.schedules import (
    CosineDecay,
    CosineDecayRestarts,
    ExponentialDecay,
    InverseTimeDecay,
    LearningRateSchedule,
    PiecewiseConstantDecay,
    PolynomialDecay,
)

__all__ = [
    "CosineDecay",
    "CosineDecayRestarts",
    "ExponentialDecay",
    "InverseTimeDecay",
    "LearningRateSchedule",
    "PiecewiseConstantDecay",
    "PolynomialDecay",
    "deserialize",
    "serialize",
]

__getattr__ = _missing("tf.keras.optimizers.schedules", __all__)
