"""The names of `pullback.compat.v2.keras.optimizers.schedules`, written by docs/make_exports.py."""

from pullback.train.keras_schedules import deserialize
from pullback.train.keras_schedules import serialize
from pullback.train.schedules import CosineDecay
from pullback.train.schedules import CosineDecayRestarts
from pullback.train.schedules import ExponentialDecay
from pullback.train.schedules import InverseTimeDecay
from pullback.train.schedules import LearningRateSchedule
from pullback.train.schedules import PiecewiseConstantDecay
from pullback.train.schedules import PolynomialDecay

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
