"""Work that makes many objects and no garbage in cycles, done without the garbage collector looking at them all."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

#: How many objects a program may have frozen that did not do so itself: Python 3.12 begins with some hundred.
_OF_PYTHON = 1000 if sys.version_info[:2] == (3, 12) else 0


class _Settled:
    #: How many modules there were when all objects were last taken for old ones.
    modules = 0


@contextmanager
def pause_collection() -> Iterator[None]:
    """No collections of garbage while the block runs: tracing and compiling a function would cause some, for 10 to 30 ms each.

    Whether the collector is enabled is the program's own: what it says about that in the block holds in the block and after it.

    >>> import gc
    >>> with pause_collection():
    ...     gc.get_threshold()[0], gc.isenabled()
    (0, True)
    >>> gc.get_threshold()[0] > 0
    True
    """
    first, *others = gc.get_threshold()
    if first == 0:
        yield
        return
    after = (first, *others)
    try:
        gc.set_threshold(0, *others)
        yield
    finally:
        try:  # Ctrl-C may come between any two of these lines
            if gc.isenabled():
                _settle()
            now, *others = gc.get_threshold()
            after = (now or first, *others)
        finally:
            gc.set_threshold(*after)


def _settle() -> None:
    """Where modules have come, have the collector take all objects for old ones without looking at them.

    Modules live as long as the process.  The collector would go through theirs, and then, as they are many, through all objects that there
    are, in the next call of the user's.  Garbage among them is found when it next looks at the old ones, which is why other objects alone
    are no reason to do this.  Who has frozen objects himself keeps them so.
    """
    if len(sys.modules) != _Settled.modules and gc.get_freeze_count() <= _OF_PYTHON:
        _Settled.modules = len(sys.modules)
        try:
            gc.freeze()
        finally:
            gc.unfreeze()
