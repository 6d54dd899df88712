"""How many threads large kernels and native programs run on: `tf.config.threading`.

The number changes how long something takes and never what it gives: work is cut into blocks by its size alone.
"""

from __future__ import annotations

import operator
from typing import Any

from ..base.export import export
from . import parallel

_asked = {"intra": 0, "inter": 0}


@export("config.threading.get_intra_op_parallelism_threads")
def get_intra_op_parallelism_threads() -> int:
    """The number of threads that was set; 0 says that it is chosen for the machine.

    >>> get_intra_op_parallelism_threads()
    0
    """
    return _asked["intra"]


@export("config.threading.set_intra_op_parallelism_threads")
def set_intra_op_parallelism_threads(num_threads: int | None) -> None:
    """Set the number of threads that large kernels and native programs run on.

    TensorFlow takes this before the first operation only; here it may change at any time.

    Args:
        num_threads: the number of threads.  0 or None: the environment's PULLBACK_NUM_THREADS, TF_NUM_INTRAOP_THREADS or
            OMP_NUM_THREADS, or else as many as there are processors for this process.

    Raises:
        TypeError: not an integer.

    >>> tf.config.threading.set_intra_op_parallelism_threads(2)
    >>> tf.config.threading.get_intra_op_parallelism_threads()
    2
    >>> tf.config.threading.set_intra_op_parallelism_threads(0)  # as many as the machine has
    """
    _asked["intra"] = _integer(num_threads)
    parallel.set_threads(max(0, _asked["intra"]))


@export("config.threading.get_inter_op_parallelism_threads")
def get_inter_op_parallelism_threads() -> int:
    """The number of threads that was set for operations that do not depend on each other.

    >>> tf.config.threading.get_inter_op_parallelism_threads()
    0
    """
    return _asked["inter"]


@export("config.threading.set_inter_op_parallelism_threads")
def set_inter_op_parallelism_threads(num_threads: int | None) -> None:
    """Taken, and of no effect: the operations of a program run one after the other, each on all threads.

    Args:
        num_threads: the number of threads, or None.

    Raises:
        TypeError: not an integer.

    >>> tf.config.threading.set_inter_op_parallelism_threads(0)
    """
    _asked["inter"] = _integer(num_threads)


def _integer(number: Any) -> int:
    if number is None:
        return 0
    if isinstance(number, bool):
        raise TypeError("Expected an int, got a boolean.")
    return operator.index(number)
