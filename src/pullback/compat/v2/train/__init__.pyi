"""The names of `pullback.compat.v2.train`, written by docs/make_exports.py."""

from pullback.compat.v2.train import experimental
from pullback.tensorflow.datasets.messages import BytesList
from pullback.tensorflow.datasets.messages import Example
from pullback.tensorflow.datasets.messages import Feature
from pullback.tensorflow.datasets.messages import FeatureList
from pullback.tensorflow.datasets.messages import FeatureLists
from pullback.tensorflow.datasets.messages import Features
from pullback.tensorflow.datasets.messages import FloatList
from pullback.tensorflow.datasets.messages import Int64List
from pullback.tensorflow.datasets.messages import SequenceExample
from pullback.train.averages import ExponentialMovingAverage
from pullback.train.checkpoint import Checkpoint
from pullback.train.checkpoint import CheckpointManager
from pullback.train.checkpoint_state import get_checkpoint_state
from pullback.train.checkpoint_views import CheckpointOptions
from pullback.train.checkpoint_views import CheckpointView
from pullback.train.checkpoint_views import TrackableView
from pullback.train.checkpoint_views import checkpoints_iterator
from pullback.train.coordinator import Coordinator
from pullback.train.files import latest_checkpoint
from pullback.train.files import list_variables
from pullback.train.files import load_checkpoint
from pullback.train.files import load_variable

__all__ = [
    "BytesList",
    "Checkpoint",
    "CheckpointManager",
    "CheckpointOptions",
    "CheckpointView",
    "Coordinator",
    "Example",
    "ExponentialMovingAverage",
    "Feature",
    "FeatureList",
    "FeatureLists",
    "Features",
    "FloatList",
    "Int64List",
    "SequenceExample",
    "TrackableView",
    "checkpoints_iterator",
    "experimental",
    "get_checkpoint_state",
    "latest_checkpoint",
    "list_variables",
    "load_checkpoint",
    "load_variable",
]
