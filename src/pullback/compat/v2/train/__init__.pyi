"""The names of `pullback.compat.v2.train`, written by docs/make_exports.py."""

from pullback.compat.v2.train import experimental as experimental
from pullback.tensorflow.datasets.messages import BytesList as BytesList
from pullback.tensorflow.datasets.messages import Example as Example
from pullback.tensorflow.datasets.messages import Feature as Feature
from pullback.tensorflow.datasets.messages import FeatureList as FeatureList
from pullback.tensorflow.datasets.messages import FeatureLists as FeatureLists
from pullback.tensorflow.datasets.messages import Features as Features
from pullback.tensorflow.datasets.messages import FloatList as FloatList
from pullback.tensorflow.datasets.messages import Int64List as Int64List
from pullback.tensorflow.datasets.messages import SequenceExample as SequenceExample
from pullback.train.averages import ExponentialMovingAverage as ExponentialMovingAverage
from pullback.train.checkpoint import Checkpoint as Checkpoint
from pullback.train.checkpoint import CheckpointManager as CheckpointManager
from pullback.train.checkpoint_state import get_checkpoint_state as get_checkpoint_state
from pullback.train.checkpoint_views import CheckpointOptions as CheckpointOptions
from pullback.train.checkpoint_views import CheckpointView as CheckpointView
from pullback.train.checkpoint_views import TrackableView as TrackableView
from pullback.train.checkpoint_views import checkpoints_iterator as checkpoints_iterator
from pullback.train.coordinator import Coordinator as Coordinator
from pullback.train.files import latest_checkpoint as latest_checkpoint
from pullback.train.files import list_variables as list_variables
from pullback.train.files import load_checkpoint as load_checkpoint
from pullback.train.files import load_variable as load_variable

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
