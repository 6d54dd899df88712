"""The names of `tf.train`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...train.averages import ExponentialMovingAverage
    from ...train.checkpoint import Checkpoint, CheckpointManager
    from ...train.checkpoint_state import get_checkpoint_state
    from ...train.checkpoint_views import CheckpointOptions, CheckpointView, TrackableView, checkpoints_iterator
    from ...train.coordinator import Coordinator
    from ...train.files import latest_checkpoint, list_variables, load_checkpoint, load_variable
    from . import train_experimental as experimental

__all__ = [
    "Checkpoint",
    "CheckpointManager",
    "CheckpointOptions",
    "CheckpointView",
    "Coordinator",
    "ExponentialMovingAverage",
    "TrackableView",
    "checkpoints_iterator",
    "experimental",
    "get_checkpoint_state",
    "latest_checkpoint",
    "list_variables",
    "load_checkpoint",
    "load_variable",
]

__getattr__ = _missing("tf.train", __all__, __name__)
