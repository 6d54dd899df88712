"""The names of `pullback.compat.v2.distribute`, written by docs/make_exports.py."""

from pullback.train.distribute import ReduceOp
from pullback.train.distribute import ReplicaContext
from pullback.train.distribute import Strategy
from pullback.train.distribute import StrategyExtended
from pullback.train.distribute import get_replica_context
from pullback.train.distribute import get_strategy
from pullback.train.distribute import has_strategy
from pullback.train.distribute import in_cross_replica_context
from pullback.train.distribute_inputs import DistributedDataset
from pullback.train.distribute_inputs import DistributedIterator
from pullback.train.distribute_inputs import DistributedValues
from pullback.train.distribute_inputs import InputContext
from pullback.train.strategies import MirroredStrategy
from pullback.train.strategies import MultiWorkerMirroredStrategy
from pullback.train.strategies import OneDeviceStrategy
from pullback.train.strategies import ParameterServerStrategy
from pullback.train.strategies import TPUStrategy

__all__ = [
    "DistributedDataset",
    "DistributedIterator",
    "DistributedValues",
    "InputContext",
    "MirroredStrategy",
    "MultiWorkerMirroredStrategy",
    "OneDeviceStrategy",
    "ParameterServerStrategy",
    "ReduceOp",
    "ReplicaContext",
    "Strategy",
    "StrategyExtended",
    "TPUStrategy",
    "get_replica_context",
    "get_strategy",
    "has_strategy",
    "in_cross_replica_context",
]
