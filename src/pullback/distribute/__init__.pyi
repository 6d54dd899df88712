"""The names of `pullback.distribute`, written by docs/make_exports.py."""

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
from pullback.train.horovod import Average
from pullback.train.horovod import DistributedGradientTape
from pullback.train.horovod import DistributedOptimizer
from pullback.train.horovod import Sum
from pullback.train.horovod import broadcast_variables

__all__ = [
    "Average",
    "Compression",
    "DistributedGradientTape",
    "DistributedOptimizer",
    "Sum",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "broadcast",
    "broadcast_variables",
    "init",
    "local_rank",
    "rank",
    "reduce",
    "reduce_scatter",
    "set_timeout",
    "size",
    "sum_in_blocks",
]
from pullback.compat.v2 import distribute
from pullback.compat.v2.distribute import *

__all__ += distribute.__all__
