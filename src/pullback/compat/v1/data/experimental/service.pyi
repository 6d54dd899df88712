"""The names of `pullback.compat.v1.data.experimental.service`, written by docs/make_exports.py."""

from pullback.tensorflow.datasets.service import DispatchServer as DispatchServer
from pullback.tensorflow.datasets.service import DispatcherConfig as DispatcherConfig
from pullback.tensorflow.datasets.service import ShardingPolicy as ShardingPolicy
from pullback.tensorflow.datasets.service import WorkerConfig as WorkerConfig
from pullback.tensorflow.datasets.service import WorkerServer as WorkerServer
from pullback.tensorflow.datasets.service import distribute as distribute
from pullback.tensorflow.datasets.service import from_dataset_id as from_dataset_id
from pullback.tensorflow.datasets.service import register_dataset as register_dataset

__all__ = [
    "DispatchServer",
    "DispatcherConfig",
    "ShardingPolicy",
    "WorkerConfig",
    "WorkerServer",
    "distribute",
    "from_dataset_id",
    "register_dataset",
]
