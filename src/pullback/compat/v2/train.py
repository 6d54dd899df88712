"""The names of `tf.train`."""

from ...interop.names import missing as _missing
from ...train.averages import ExponentialMovingAverage
from ...train.checkpoint import Checkpoint, CheckpointManager
from ...train.coordinator import Coordinator
from ...train.files import get_checkpoint_state, latest_checkpoint, list_variables, load_checkpoint, load_variable

__all__ = [
    "Checkpoint",
    "CheckpointManager",
    "Coordinator",
    "ExponentialMovingAverage",
    "get_checkpoint_state",
    "latest_checkpoint",
    "list_variables",
    "load_checkpoint",
    "load_variable",
]

__getattr__ = _missing("tf.train", __all__)
