"""The names of `pullback.distribute`, written by docs/make_exports.py."""

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

__all__ = [
    "all_gather",
    "all_reduce",
    "all_to_all",
    "broadcast",
    "init",
    "local_rank",
    "rank",
    "reduce",
    "reduce_scatter",
    "set_timeout",
    "size",
]
from pullback.compat.v2 import distribute
from pullback.compat.v2.distribute import *

__all__ += distribute.__all__
