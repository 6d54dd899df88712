"""The names of `pullback.distribute`, written by docs/make_exports.py."""

from pullback.engine.xla.client import xla_devices
from pullback.ops.collective.buckets import Compression
from pullback.ops.collective.buckets import sum_in_blocks
from pullback.ops.collective.functions import all_gather
from pullback.ops.collective.functions import all_reduce
from pullback.ops.collective.functions import all_to_all
from pullback.ops.collective.functions import broadcast
from pullback.ops.collective.functions import init
from pullback.ops.collective.functions import local_rank
from pullback.ops.collective.functions import rank
from pullback.ops.collective.functions import reduce
from pullback.ops.collective.functions import reduce_scatter
from pullback.ops.collective.functions import set_timeout
from pullback.ops.collective.functions import size
from pullback.ops.collective.sharding import shard
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
from pullback.train.horovod import Average
from pullback.train.horovod import DistributedGradientTape
from pullback.train.horovod import DistributedOptimizer
from pullback.train.horovod import Sum
from pullback.train.horovod import broadcast_variables
from pullback.train.strategies import MirroredStrategy
from pullback.train.strategies import MultiWorkerMirroredStrategy
from pullback.train.strategies import OneDeviceStrategy
from pullback.train.strategies import ParameterServerStrategy
from pullback.train.strategies import TPUStrategy

__all__ = [
    "Average",
    "Compression",
    "DistributedDataset",
    "DistributedGradientTape",
    "DistributedIterator",
    "DistributedOptimizer",
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
    "Sum",
    "TPUStrategy",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "broadcast",
    "broadcast_variables",
    "get_replica_context",
    "get_strategy",
    "has_strategy",
    "in_cross_replica_context",
    "init",
    "local_rank",
    "rank",
    "reduce",
    "reduce_scatter",
    "set_timeout",
    "shard",
    "size",
    "sum_in_blocks",
    "xla_devices",
]
