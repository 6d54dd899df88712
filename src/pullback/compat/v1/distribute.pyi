"""The names of `pullback.compat.v1.distribute`, written by docs/make_exports.py."""

from pullback.train.distribute import ReduceOp
from pullback.train.distribute import ReplicaContext
from pullback.train.distribute import Strategy
from pullback.train.distribute import StrategyExtended
from pullback.train.distribute import get_replica_context
from pullback.train.distribute import get_strategy
from pullback.train.distribute import has_strategy
from pullback.train.distribute import in_cross_replica_context
from pullback.train.distribute_inputs import InputContext
from pullback.train.strategies import MirroredStrategy
from pullback.train.strategies import OneDeviceStrategy

__all__ = [
    "InputContext",
    "MirroredStrategy",
    "OneDeviceStrategy",
    "ReduceOp",
    "ReplicaContext",
    "Strategy",
    "StrategyExtended",
    "get_replica_context",
    "get_strategy",
    "has_strategy",
    "in_cross_replica_context",
]
