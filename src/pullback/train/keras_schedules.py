"""TensorFlow 2's names: `tf.keras.optimizers.schedules`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.export import export
from .schedules import (
    CosineDecay,
    CosineDecayRestarts,
    ExponentialDecay,
    InverseTimeDecay,
    LearningRateSchedule,
    PiecewiseConstantDecay,
    PolynomialDecay,
)

_KINDS = (CosineDecay, CosineDecayRestarts, ExponentialDecay, InverseTimeDecay, PiecewiseConstantDecay, PolynomialDecay)
_BY_NAME: dict[str, type[LearningRateSchedule]] = {kind.__name__: kind for kind in _KINDS}


@export(v2="keras.optimizers.schedules.serialize")
def serialize(learning_rate_schedule: LearningRateSchedule) -> dict[str, Any]:
    """The class and arguments of a schedule, for `deserialize`.

    >>> import pullback as tf
    >>> tf.optimizers.schedules.serialize(tf.optimizers.schedules.ExponentialDecay(0.1, 100, 0.5))["class_name"]
    'ExponentialDecay'
    """
    return {"class_name": type(learning_rate_schedule).__name__, "config": learning_rate_schedule.get_config()}


@export(v2="keras.optimizers.schedules.deserialize")
def deserialize(config: Mapping[str, Any], custom_objects: Mapping[str, Any] | None = None) -> Any:
    """A schedule from what `serialize` gave. Raises ValueError for an unknown class.

    >>> import pullback as tf
    >>> made = tf.optimizers.schedules.serialize(tf.optimizers.schedules.ExponentialDecay(0.1, 100, 0.5))
    >>> round(float(tf.optimizers.schedules.deserialize(made)(200)), 4)
    0.025
    """
    name = config["class_name"]
    kind = (custom_objects or {}).get(name) or _BY_NAME.get(name)
    if kind is None:
        raise ValueError(f"Could not locate class '{name}'. Pullback's schedules are {sorted(_BY_NAME)}")
    return kind.from_config(dict(config["config"]))


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
