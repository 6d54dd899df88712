"""Work on several threads whose results do not depend on how many there are.

A kernel cuts its work into blocks by the shapes alone, and the blocks are handed out one after another to whoever is free: the
calling thread and a few helpers that sleep in between.  Blocks write to places of their own.  What runs inside them must let go of the
interpreter's lock (a library's product, a native program, NumPy on large arrays), or nothing is gained.

One piece of work is shared out at a time; a second thread that comes with blocks of its own meanwhile does them by itself.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress


def _do_nothing() -> None:
    """The share of a helper that sleeps: it keeps no array alive."""


class Helper:
    """A thread that sleeps until it is given a share of some work."""

    def __init__(self) -> None:
        self.start, self.done = threading.Lock(), threading.Lock()
        self.start.acquire()
        self.done.acquire()
        self.share: Callable[[], None] = _do_nothing
        self.error: BaseException | None = None
        self.leaves = False
        threading.Thread(target=self._serve, name="pullback-helper", daemon=True).start()

    def _serve(self) -> None:
        while True:
            self.start.acquire()
            if self.leaves:
                return
            try:
                self.share()
            except BaseException as error:  # noqa: BLE001  # handed to the thread that waits
                self.error = error
            self.done.release()

    def begin(self, share: Callable[[], None]) -> None:
        """Starts `share` on this thread."""
        self.share = share
        self.start.release()

    def leave(self) -> None:
        """Ends the thread, after the share that it is at; nobody waits for that."""
        self.leaves = True
        with suppress(RuntimeError):  # it has a share that it has not begun
            self.start.release()

    def wait(self) -> BaseException | None:
        """Waits for the end of the share, and gives what it raised."""
        self.done.acquire()
        self.share = _do_nothing
        error, self.error = self.error, None
        return error


def processors() -> int:
    """How many processors this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(os.getpid()))  # of the first thread: others may keep off some
    return os.cpu_count() or 1


def current_processor() -> int | None:
    """The number of the processor that this thread is on; None where the system does not say."""
    number: Callable[[], int] | None = getattr(ctypes.CDLL(None), "sched_getcpu", None) if sys.platform == "linux" else None
    return None if number is None else number()


def keep_off(processor: int | None) -> None:
    """Have this thread run on other processors than one, where it may.

    Linux may leave a thread on the processor of the one that started or woke it until its next tick, 4 ms later: on some virtual machines
    every second time, though another processor is idle.
    """
    others = os.sched_getaffinity(0) - {processor} if processor is not None else ()
    if others:
        with suppress(OSError):  # where the system does not let it
            os.sched_setaffinity(0, others)


def _from_environment() -> int:
    for name in ("PULLBACK_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "OMP_NUM_THREADS"):
        text = os.environ.get(name, "")
        if text.isdigit() and int(text) > 0:
            return int(text)
    return processors()


class Team:
    """The threads that share work: whoever calls, and helpers, made when they are first needed."""

    def __init__(self) -> None:
        self.size = 0
        self.forget()

    def forget(self) -> None:
        """Leaves the helpers alone for good: a forked process has none, and one that a signal cut short may still be at work."""
        self.busy = threading.Lock()
        self.helpers: list[Helper] = []

    def run(self, work: Callable[[int], None], count: int, helpers: int) -> None:
        """Calls `work` with each number below `count`, with the lock held; after an error here, Ctrl-C too, with no more of them."""
        blocks, begun, is_whole = deque(range(count)), list[Helper](), False
        errors: list[BaseException | None] = []
        try:
            while len(self.helpers) < helpers:
                self.helpers.append(Helper())
            try:
                for helper in self.helpers[:helpers]:
                    helper.begin(lambda: _take(blocks, work))
                    begun.append(helper)
                _take(blocks, work)
            finally:
                blocks.clear()
                errors += [helper.wait() for helper in begun]
            is_whole = True
        finally:
            if not is_whole:
                for helper in self.helpers:
                    helper.leave()
                self.forget()
        for error in errors:
            if error is not None:
                raise error


def _take(blocks: deque[int], work: Callable[[int], None]) -> None:
    while True:
        try:
            i = blocks.popleft()  # one queue for all: each number is handed out once
        except IndexError:
            return
        work(i)


_team = Team()


def threads() -> int:
    """How many threads a large kernel may use.

    What `set_threads` said; before that `PULLBACK_NUM_THREADS`, `TF_NUM_INTRAOP_THREADS` or `OMP_NUM_THREADS` in the environment, the
    first that is there; else the processors that this process may use.
    """
    return _team.size or set_threads(0)


def set_threads(count: int) -> int:
    """Sets how many threads a large kernel may use, and gives that back; 0 is the default of `threads`.  Results do not depend on it.

    Raises ValueError for a negative number.
    """
    if count < 0:
        raise ValueError(f"The number of threads must be at least 0. Received: {count}")
    _team.size = count or _from_environment()
    for listener in _listeners:
        listener(_team.size)
    return _team.size


_listeners: list[Callable[[int], None]] = []


def listen_for_changes(listener: Callable[[int], None]) -> None:
    """Has `listener` called with the number of threads whenever that is set."""
    _listeners.append(listener)


def run(work: Callable[[int], None], count: int) -> None:
    """Calls `work` with 0, 1, ... `count` - 1, each once, in any order, on up to `threads()` threads; raises what a call raised."""
    team = _team
    helpers = min(team.size or threads(), count) - 1
    busy = team.busy
    held: list[bool] = []
    try:
        if helpers > 0:  # in one step, which Ctrl-C comes before or after: the lock is given back
            held.extend(map(busy.acquire, (False,)))
        if True in held:
            team.run(work, count, helpers)
            return
    finally:
        if True in held:
            busy.release()
    for i in range(count):
        work(i)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_team.forget)
