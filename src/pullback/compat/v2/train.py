"""The names of `tf.train`."""

from ...interop.names import missing as _missing
from ...train.averages import ExponentialMovingAverage

__all__ = [
    "ExponentialMovingAverage",
]

__getattr__ = _missing("tf.train", __all__)
