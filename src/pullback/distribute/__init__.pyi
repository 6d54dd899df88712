"""The names of `pullback.distribute`, written by docs/make_exports.py."""

from pullback.compat.v2.distribute import experimental as experimental
from pullback.engine.xla.client import xla_devices as xla_devices
from pullback.ops.collective.buckets import Compression as Compression
from pullback.ops.collective.buckets import sum_in_blocks as sum_in_blocks
from pullback.ops.collective.functions import all_gather as all_gather
from pullback.ops.collective.functions import all_reduce as all_reduce
from pullback.ops.collective.functions import all_to_all as all_to_all
from pullback.ops.collective.functions import broadcast as broadcast
from pullback.ops.collective.functions import init as init
from pullback.ops.collective.functions import local_rank as local_rank
from pullback.ops.collective.functions import rank as rank
from pullback.ops.collective.functions import reduce as reduce
from pullback.ops.collective.functions import reduce_scatter as reduce_scatter
from pullback.ops.collective.functions import set_timeout as set_timeout
from pullback.ops.collective.functions import size as size
from pullback.ops.collective.sharding import shard as shard
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
from pullback.train.horovod import Average as Average
from pullback.train.horovod import DistributedGradientTape as DistributedGradientTape
from pullback.train.horovod import DistributedOptimizer as DistributedOptimizer
from pullback.train.horovod import Sum as Sum
from pullback.train.horovod import broadcast_variables as broadcast_variables
from pullback.train.replica_values import DistributedValues as DistributedValues
from pullback.train.strategies import MirroredStrategy as MirroredStrategy
from pullback.train.strategies import MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
from pullback.train.strategies import OneDeviceStrategy as OneDeviceStrategy
from pullback.train.strategies import ParameterServerStrategy as ParameterServerStrategy
from pullback.train.strategies import TPUStrategy as TPUStrategy

__all__ = [
    "Average",
    "Compression",
    "DistributedDataset",
    "DistributedGradientTape",
    "DistributedIterator",
    "DistributedOptimizer",
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
    "Sum",
    "TPUStrategy",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "broadcast",
    "broadcast_variables",
    "experimental",
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
