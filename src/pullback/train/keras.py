"""TensorFlow 2's names: `tf.keras.optimizers` (which is also `tf.optimizers`), with its module `schedules`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from ..base.export import export
from . import keras_schedules as schedules
from .keras_optimizer import Optimizer
from .keras_optimizers import SGD, Adadelta, Adagrad, Adam, Ftrl, RMSprop
from .schedules import LearningRateSchedule

_BY_NAME: dict[str, Any] = {kind.__name__.lower(): kind for kind in (SGD, Adadelta, Adagrad, Adam, Ftrl, RMSprop)}
#: Those that load when first asked for.
_LATE = {
    **dict.fromkeys(("Adafactor", "AdamW", "Adamax", "Lamb", "Lion", "Nadam"), "keras_optimizers_more"),
    **dict.fromkeys(("Muon", "ScheduleFreeAdamW"), "keras_optimizers_newer"),
}


def _named(name: str) -> Any:
    """The class of a name, in any case; None for no optimizer's."""
    late = next((kind for kind in _LATE if kind.lower() == name.lower()), None)
    if late is not None:
        return getattr(importlib.import_module(f"{__package__}.{_LATE[late]}"), late)
    return _BY_NAME.get(name.lower())


@export(v2="keras.optimizers.serialize")
def serialize(optimizer: Optimizer) -> dict[str, Any]:
    """The class and arguments of an optimizer, for `deserialize`.

    >>> import pullback as tf
    >>> tf.optimizers.serialize(tf.optimizers.SGD(0.5))["class_name"]
    'SGD'
    """
    return {"class_name": type(optimizer).__name__, "config": optimizer.get_config()}


@export(v2="keras.optimizers.deserialize")
def deserialize(config: Mapping[str, Any], custom_objects: Mapping[str, Any] | None = None) -> Any:
    """An optimizer from what `serialize` gave.

    Args:
        config: a dict with `class_name` and `config`. custom_objects: further classes by name.

    Raises:
        ValueError: an unknown class.

    >>> import pullback as tf
    >>> optimizer = tf.optimizers.deserialize({"class_name": "SGD", "config": {"learning_rate": 0.5}})
    >>> float(optimizer.learning_rate)
    0.5
    """
    name = config["class_name"]
    kind = (custom_objects or {}).get(name) or _named(str(name))
    if kind is None:
        known = sorted([*_LATE, *(k.__name__ for k in _BY_NAME.values())])
        raise ValueError(f"Could not locate class '{name}'. Pullback's optimizers are {known}")
    return kind.from_config(dict(config.get("config", {})))


@export(v2="keras.optimizers.get")
def get(identifier: Any) -> Any:
    """An optimizer from its name, from what `serialize` gave, or from itself.

    Raises:
        ValueError: it is none of these.

    >>> import pullback as tf
    >>> type(tf.keras.optimizers.get("rmsprop")).__name__
    'RMSprop'
    """
    if identifier is None or isinstance(identifier, Optimizer):
        return identifier
    if isinstance(identifier, Mapping):
        return deserialize(identifier)
    if isinstance(identifier, str) and (kind := _named(identifier)) is not None:
        return kind()
    raise ValueError(f"Could not interpret optimizer identifier: {identifier}")


__all__ = [
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "Ftrl",
    "LearningRateSchedule",
    "Optimizer",
    "RMSprop",
    "deserialize",
    "get",
    "schedules",
    "serialize",
]
