"""How many threads programs run on: `tf.config.threading`.

The number changes how long a program takes and never what it gives: work is cut into blocks by its size alone.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from typing import Any

_MOST = 1024
_asked = {"intra": 0, "inter": 0}
_listeners: list[Callable[[], None]] = []


def get_intra_op_parallelism_threads() -> int:
    """The number of threads that was set for the inside of programs; 0 says that it is chosen for the machine.

    >>> get_intra_op_parallelism_threads()
    0
    """
    return _asked["intra"]


def set_intra_op_parallelism_threads(num_threads: int | None) -> None:
    """Set the number of threads that native programs run on.

    TensorFlow takes this before the first operation only; here it may change at any time.

    Args:
        num_threads: the number of threads.  0 or None: the environment's PULLBACK_NUM_THREADS or OMP_NUM_THREADS, or else as many as
            there are processors for this process.

    Raises:
        TypeError: not an integer.
    """
    _asked["intra"] = _integer(num_threads)
    for listener in _listeners:
        listener()


def get_inter_op_parallelism_threads() -> int:
    """The number of threads that was set for operations that do not depend on each other."""
    return _asked["inter"]


def set_inter_op_parallelism_threads(num_threads: int | None) -> None:
    """Taken, and of no effect: the operations of a program run one after the other, each on all threads.

    Args:
        num_threads: the number of threads, or None.

    Raises:
        TypeError: not an integer.
    """
    _asked["inter"] = _integer(num_threads)


def _integer(number: Any) -> int:
    if number is None:
        return 0
    if isinstance(number, bool):
        raise TypeError("Expected an int, got a boolean.")
    return operator.index(number)


def processors() -> int:
    """How many processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count() -> int:
    """The number of threads that programs run on now, at least 1.

    Raises:
        ValueError: the environment's PULLBACK_NUM_THREADS is not a number.
    """
    return max(1, min(_asked["intra"] if _asked["intra"] > 0 else _default(), _MOST))


def _default() -> int:
    ours = os.environ.get("PULLBACK_NUM_THREADS", "").strip()
    if ours:
        if not ours.isdecimal():
            raise ValueError(f"PULLBACK_NUM_THREADS is {ours!r}; it must be a number of threads.")
        return int(ours) or processors()
    # OpenMP allows a list, one number for each level of nesting.
    theirs = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return (int(theirs) if theirs.isdecimal() else 0) or processors()


def on_change(listener: Callable[[], None]) -> None:
    """Have `listener` called whenever the number of threads is set."""
    _listeners.append(listener)
