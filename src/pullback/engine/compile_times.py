"""Where the time of compiling goes, and a line on the terminal when it takes long."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..base.lazy_import import LazyModule
from .background import COMPILER

if TYPE_CHECKING:
    from ..base import progress
else:
    progress = LazyModule("pullback.base.progress")

Seconds = dict[str, float]


class _Clock(threading.local):
    seconds: Seconds | None = None
    #: When compiling began, what is compiled, and whether the terminal has been told.
    begun = 0.0
    what = ""
    is_told = False


_clock = _Clock()


@contextmanager
def stage(name: str, expected: float = 0.0) -> Iterator[None]:
    """A part of compiling; of two that have the same name the times are added up, and one inside another counts for both.

    expected: the seconds that it will take, where that can be said.
    """
    COMPILER.pause()
    seconds, start = _clock.seconds, time.perf_counter()
    if seconds is not None:
        _tell(start - _clock.begun, expected)
    try:
        yield
    finally:
        if seconds is not None:
            seconds[name] = seconds.get(name, 0.0) + time.perf_counter() - start


@contextmanager
def time_stages(what: str) -> Iterator[Seconds]:
    """The seconds of each stage of a block that compiles `what`."""
    before = _clock.seconds, _clock.begun, _clock.what, _clock.is_told
    _clock.seconds, _clock.begun, _clock.what, _clock.is_told = {}, time.perf_counter(), what, False
    try:
        yield _clock.seconds
    finally:
        _clock.seconds, _clock.begun, _clock.what, _clock.is_told = before


def _tell(passed: float, expected: float) -> None:
    """A line on the terminal, once, for what takes or will take long; no thread waits to write it."""
    if not _clock.is_told and passed + expected >= progress.PATIENCE:
        _clock.is_told = True
        if not progress.is_watched():
            return
        estimate = f", about {passed + expected:.0f} s" if expected else ""
        print(f"pullback: compiling {_clock.what}{estimate} ...", file=sys.stderr, flush=True)
