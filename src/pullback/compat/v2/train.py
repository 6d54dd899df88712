"""The names of `tf.train`."""

from ...interop.names import missing as _missing
from ...train.averages import ExponentialMovingAverage
from ...train.checkpoint import Checkpoint, CheckpointManager

__all__ = [
    "Checkpoint",
    "CheckpointManager",
    "ExponentialMovingAverage",
]

__getattr__ = _missing("tf.train", __all__)
