"""The names of `pullback.compat.v2.distribute`, written by docs/make_exports.py."""

from pullback.compat.v2.distribute import experimental as experimental
from pullback.train.communication import HierarchicalCopyAllReduce as HierarchicalCopyAllReduce
from pullback.train.communication import NcclAllReduce as NcclAllReduce
from pullback.train.communication import ReductionToOneDevice as ReductionToOneDevice
from pullback.train.distribute import ReduceOp as ReduceOp
from pullback.train.distribute import ReplicaContext as ReplicaContext
from pullback.train.distribute import Strategy as Strategy
from pullback.train.distribute import StrategyExtended as StrategyExtended
from pullback.train.distribute import get_replica_context as get_replica_context
from pullback.train.distribute import get_strategy as get_strategy
from pullback.train.distribute import has_strategy as has_strategy
from pullback.train.distribute import in_cross_replica_context as in_cross_replica_context
from pullback.train.distribute_inputs import DistributedDataset as DistributedDataset
from pullback.train.distribute_inputs import DistributedIterator as DistributedIterator
from pullback.train.distribute_inputs import InputContext as InputContext
from pullback.train.distribute_inputs import RunOptions as RunOptions
from pullback.train.replica_values import DistributedValues as DistributedValues
from pullback.train.strategies import MirroredStrategy as MirroredStrategy
from pullback.train.strategies import MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
from pullback.train.strategies import OneDeviceStrategy as OneDeviceStrategy
from pullback.train.strategies import ParameterServerStrategy as ParameterServerStrategy
from pullback.train.strategies import TPUStrategy as TPUStrategy

__all__ = [
    "DistributedDataset",
    "DistributedIterator",
    "DistributedValues",
    "HierarchicalCopyAllReduce",
    "InputContext",
    "MirroredStrategy",
    "MultiWorkerMirroredStrategy",
    "NcclAllReduce",
    "OneDeviceStrategy",
    "ParameterServerStrategy",
    "ReduceOp",
    "ReductionToOneDevice",
    "ReplicaContext",
    "RunOptions",
    "Strategy",
    "StrategyExtended",
    "TPUStrategy",
    "experimental",
    "get_replica_context",
    "get_strategy",
    "has_strategy",
    "in_cross_replica_context",
]
