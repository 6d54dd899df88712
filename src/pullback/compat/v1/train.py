"""The names of `tf.compat.v1.train`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...train.averages import ExponentialMovingAverage
    from ...train.checkpoint import Checkpoint, CheckpointManager
    from ...train.checkpoint_state import get_checkpoint_state, update_checkpoint_state
    from ...train.checkpoint_views import CheckpointOptions, checkpoints_iterator, get_checkpoint_mtimes
    from ...train.coordinator import Coordinator
    from ...train.files import CheckpointReader as NewCheckpointReader
    from ...train.files import checkpoint_exists, latest_checkpoint, list_variables, load_checkpoint, load_variable, remove_checkpoint
    from ...train.global_step import assert_global_step, create_global_step, get_global_step, get_or_create_global_step, global_step
    from ...train.initial_values import init_from_checkpoint
    from ...train.noisy_decay import noisy_linear_cosine_decay
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
    from ...train.optimizers_proximal import AdagradDAOptimizer, ProximalAdagradOptimizer, ProximalGradientDescentOptimizer
    from ...train.saver import Saver
    from ...train.schedules import (
        cosine_decay,
        cosine_decay_restarts,
        exponential_decay,
        inverse_time_decay,
        linear_cosine_decay,
        natural_exp_decay,
        piecewise_constant,
        piecewise_constant_decay,
        polynomial_decay,
    )
    from ..v2 import train_experimental as experimental

__all__ = [
    "AdadeltaOptimizer",
    "AdagradDAOptimizer",
    "AdagradOptimizer",
    "AdamOptimizer",
    "Checkpoint",
    "CheckpointManager",
    "CheckpointOptions",
    "Coordinator",
    "ExponentialMovingAverage",
    "FtrlOptimizer",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "NewCheckpointReader",
    "Optimizer",
    "ProximalAdagradOptimizer",
    "ProximalGradientDescentOptimizer",
    "RMSPropOptimizer",
    "Saver",
    "assert_global_step",
    "checkpoint_exists",
    "checkpoints_iterator",
    "cosine_decay",
    "cosine_decay_restarts",
    "create_global_step",
    "experimental",
    "exponential_decay",
    "get_checkpoint_mtimes",
    "get_checkpoint_state",
    "get_global_step",
    "get_or_create_global_step",
    "global_step",
    "init_from_checkpoint",
    "inverse_time_decay",
    "latest_checkpoint",
    "linear_cosine_decay",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "natural_exp_decay",
    "noisy_linear_cosine_decay",
    "piecewise_constant",
    "piecewise_constant_decay",
    "polynomial_decay",
    "remove_checkpoint",
    "update_checkpoint_state",
]

__getattr__ = _missing("tf1.train", __all__, __name__)
