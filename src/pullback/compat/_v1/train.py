"""The names of `tf.compat.v1.train`."""

from ...interop.names import missing as _missing
from ...train.global_step import assert_global_step, create_global_step, get_global_step, get_or_create_global_step, global_step
from ...train.optimizer import Optimizer
from ...train.optimizers import (
    AdadeltaOptimizer,
    AdagradOptimizer,
    AdamOptimizer,
    FtrlOptimizer,
    GradientDescentOptimizer,
    MomentumOptimizer,
    RMSPropOptimizer,
)

__all__ = [
    "AdadeltaOptimizer",
    "AdagradOptimizer",
    "AdamOptimizer",
    "FtrlOptimizer",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "Optimizer",
    "RMSPropOptimizer",
    "assert_global_step",
    "create_global_step",
    "get_global_step",
    "get_or_create_global_step",
    "global_step",
]

__getattr__ = _missing("tf1.train", __all__)
