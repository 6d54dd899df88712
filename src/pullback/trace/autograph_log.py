"""What AutoGraph tells of its work: nothing, unless `set_verbosity` or the environment variable AUTOGRAPH_VERBOSITY asks.

1: functions that run as they are, and why.  3: the code of rewritten functions.  It goes to the logger "pullback" as information.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from typing import Any

from ..base.export import export

log = logging.getLogger("pullback")


class _Verbosity:
    """What was asked for; `level` None: nobody asked, the environment decides."""

    level: int | None = None
    echo = hasattr(sys, "ps1")


@export("autograph.set_verbosity")
def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """How much AutoGraph logs: 0 nothing, 1 what it does not rewrite, 3 and more the rewritten code too.

    alsologtostdout: print it as well.  Without a call the environment variable AUTOGRAPH_VERBOSITY says the level.

    >>> tf.autograph.set_verbosity(1, alsologtostdout=True)
    >>> tf.autograph.set_verbosity(0)
    """
    _Verbosity.level, _Verbosity.echo = level, alsologtostdout


@export("autograph.trace")
def trace(*args: Any) -> None:
    """Print something while a function is traced, not when it runs.

    >>> @tf.function
    ... def double(x):
    ...     tf.autograph.trace("traced with", x.dtype.name)
    ...     return 2 * x
    >>> _ = double(tf.constant(1.0)), double(tf.constant(2.0))
    traced with float32
    """
    print(*args)


def tell(level: int, text: Callable[[], str]) -> None:
    """Log `text()` where as much as `level` is asked for."""
    wanted = int(os.environ.get("AUTOGRAPH_VERBOSITY", "0")) if _Verbosity.level is None else _Verbosity.level
    if wanted >= level:
        said = text()
        log.info(said)
        if _Verbosity.echo:
            print(said)
