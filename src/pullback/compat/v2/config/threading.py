"""The names of `tf.config.threading`."""

from ....base.parallelism import (
    get_inter_op_parallelism_threads,
    get_intra_op_parallelism_threads,
    set_inter_op_parallelism_threads,
    set_intra_op_parallelism_threads,
)
from ....interop.names import missing as _missing

__all__ = [
    "get_inter_op_parallelism_threads",
    "get_intra_op_parallelism_threads",
    "set_inter_op_parallelism_threads",
    "set_intra_op_parallelism_threads",
]

__getattr__ = _missing("tf.config.threading", __all__)
