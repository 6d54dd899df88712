"""Where the time of compiling goes, and a line on the terminal when it takes long."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .background import COMPILER

#: Seconds after which a terminal is told what is being compiled.
_PATIENCE = 2.0
Seconds = dict[str, float]


class _Clock(threading.local):
    seconds: Seconds | None = None


_clock = _Clock()


@contextmanager
def stage(name: str) -> Iterator[None]:
    """A part of compiling; of two that have the same name the times are added up, and one inside another counts for both."""
    COMPILER.pause()
    seconds, start = _clock.seconds, time.perf_counter()
    try:
        yield
    finally:
        if seconds is not None:
            seconds[name] = seconds.get(name, 0.0) + time.perf_counter() - start


@contextmanager
def timed(what: str) -> Iterator[Seconds]:
    """The seconds of each stage of a block that compiles `what`."""
    before, _clock.seconds = _clock.seconds, {}
    timer = threading.Timer(_PATIENCE, _tell, [what]) if _is_told() else None
    if timer is not None:
        timer.daemon = True
        timer.start()
    try:
        yield _clock.seconds
    finally:
        _clock.seconds = before
        if timer is not None:
            timer.cancel()


def _is_told() -> bool:
    return os.environ.get("PULLBACK_PROGRESS") != "0" and sys.stderr is not None and sys.stderr.isatty()


def _tell(what: str) -> None:
    print(f"pullback: compiling {what} ...", file=sys.stderr, flush=True)


__all__ = ["Seconds", "stage", "timed"]
