"""Optimizers, learning rates and checkpoints, with TensorFlow 1's names; `train.keras` has TensorFlow 2's."""

from .files import (
    CheckpointReader,
    checkpoint_exists,
    get_checkpoint_state,
    latest_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
    remove_checkpoint,
    update_checkpoint_state,
)
from .files import CheckpointReader as NewCheckpointReader
from .global_step import assert_global_step, create_global_step, get_global_step, get_or_create_global_step, global_step
from .optimizer import Optimizer
from .optimizers import (
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
    "CheckpointReader",
    "FtrlOptimizer",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "NewCheckpointReader",
    "Optimizer",
    "RMSPropOptimizer",
    "assert_global_step",
    "checkpoint_exists",
    "create_global_step",
    "get_checkpoint_state",
    "get_global_step",
    "get_or_create_global_step",
    "global_step",
    "latest_checkpoint",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "remove_checkpoint",
    "update_checkpoint_state",
]
