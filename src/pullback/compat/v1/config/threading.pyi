"""The names of `pullback.compat.v1.config.threading`, written by docs/make_exports.py."""

from pullback.kernels.parallelism import get_inter_op_parallelism_threads as get_inter_op_parallelism_threads
from pullback.kernels.parallelism import get_intra_op_parallelism_threads as get_intra_op_parallelism_threads
from pullback.kernels.parallelism import set_inter_op_parallelism_threads as set_inter_op_parallelism_threads
from pullback.kernels.parallelism import set_intra_op_parallelism_threads as set_intra_op_parallelism_threads

__all__ = [
    "get_inter_op_parallelism_threads",
    "get_intra_op_parallelism_threads",
    "set_inter_op_parallelism_threads",
    "set_intra_op_parallelism_threads",
]
