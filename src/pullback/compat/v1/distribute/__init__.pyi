"""The names of `pullback.compat.v1.distribute`, written by docs/make_exports.py."""

from pullback.compat.v1.distribute import experimental as experimental
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
from pullback.train.distribute_inputs import InputContext as InputContext
from pullback.train.strategies import MirroredStrategy as MirroredStrategy
from pullback.train.strategies import OneDeviceStrategy as OneDeviceStrategy

__all__ = [
    "HierarchicalCopyAllReduce",
    "InputContext",
    "MirroredStrategy",
    "NcclAllReduce",
    "OneDeviceStrategy",
    "ReduceOp",
    "ReductionToOneDevice",
    "ReplicaContext",
    "Strategy",
    "StrategyExtended",
    "experimental",
    "get_replica_context",
    "get_strategy",
    "has_strategy",
    "in_cross_replica_context",
]
