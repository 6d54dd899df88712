"""The names of `tf.config.threading`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....base.parallelism import (
        get_inter_op_parallelism_threads,
        get_intra_op_parallelism_threads,
        set_inter_op_parallelism_threads,
        set_intra_op_parallelism_threads,
    )

__all__ = [
    "get_inter_op_parallelism_threads",
    "get_intra_op_parallelism_threads",
    "set_inter_op_parallelism_threads",
    "set_intra_op_parallelism_threads",
]

__getattr__ = _missing("tf.config.threading", __all__, __name__)
