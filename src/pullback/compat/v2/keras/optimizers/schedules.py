"""The names of `tf.keras.optimizers.schedules`."""

from typing import TYPE_CHECKING

from .....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
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

__getattr__ = _missing("tf.keras.optimizers.schedules", __all__, __name__)
