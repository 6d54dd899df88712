"""The names of `tf.keras.optimizers.schedules`."""

from .....interop.names import missing as _missing
from .....train.keras_schedules import deserialize, serialize

__all__ = [
    "deserialize",
    "serialize",
]

__getattr__ = _missing("tf.keras.optimizers.schedules", __all__)
