"""Compiling that nobody waits for: on a thread of its own, while calls go on with kernels.

The thread is there while there is work, and a moment longer: starting one takes longer than a short call.  LLVM works without the
interpreter's lock; our own passes hold it.  A call that goes on meanwhile gives the lock away at each of its kernels, and gets it back
only when its turn comes: so the turns are short, the thread rests for most of the time between them, and begins them between two calls
where it can (`breathe`).  A process that forks waits until the thread is between two stages of its work, and the child has nothing to
compile; one that ends does not wait, but for a moment.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from types import TracebackType
from typing import TypeVar

import numpy as np

from ..ir.context import BUILDING
from .llvm_loading import CODE_GENERATORS, LLVM

Job = Callable[[], None]
T = TypeVar("T")
#: Seconds after which a thread that waits for the interpreter's lock is given it.
_SLICE = 1e-4
#: Seconds of work after which the thread rests, and how many times as long it does.
_WORK, _REST = 2e-4, 3.0
#: Seconds that it waits after that for a call to end: what goes on between two calls holds up less of one than what goes on in it.
_END_OF_CALL = 2e-3
#: Seconds that the thread waits for another job.
_IDLE = 2.0
#: Seconds that the end of a process waits for LLVM, and a fork for the thread, which may itself wait for whoever forks.
_PATIENCE, _PATIENCE_OF_FORKS = 0.2, 5.0
#: What is held while the process forks, in the order in which it is taken.
_HELD = (BUILDING, *CODE_GENERATORS, LLVM)


class Failure:
    """A block whose error is kept instead of raised: on a thread of ours nobody would see it."""

    error: Exception | None = None

    def __enter__(self) -> Failure:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        self.error = error if isinstance(error, Exception) else None
        return self.error is not None


class Compiler:
    """A thread that does jobs one after another, in the order in which they come."""

    def __init__(self) -> None:
        self.ends = False
        self.forget()

    def forget(self) -> None:
        """Have no jobs and no thread."""
        self._jobs: deque[tuple[Hashable, Job]] = deque()
        #: What is waiting, being done, or has failed.
        self._keys: set[Hashable] = set()
        self._thread: threading.Thread | None = None
        #: Whether there is something that is not done.
        self._works = False
        #: The number of the thread, and its processor time when it has last rested.
        self._ident, self._rested = 0, 0.0
        #: How many wait for it, so that it does not rest.
        self._awaited = 0
        self._changed = threading.Condition()
        #: Held by a call that goes on with kernels.
        self.call = threading.Lock()
        #: Held from one stage of a job to the next.
        self._busy = threading.Lock()
        self._waits_for_pause = False
        #: Whether this thread, which forks, holds that.
        self._forking = threading.local()
        #: The interpreter's interval for its lock, and the one that it has while a job runs.
        self._intervals: tuple[float, float] | None = None

    def submit(self, key: Hashable, job: Job) -> None:
        """Have a job done, unless it has been asked for under the same key and is not done yet.

        An error that it lets through is shown as those of threads are, and the job is not done again.
        """
        with self._changed:
            if self.ends or key in self._keys:
                return
            self._keys.add(key)
            self._jobs.append((key, job))
            self._works = True
            self._changed.notify_all()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="pullback-compiler", daemon=True)
                self._thread.start()

    def has(self, key: Hashable) -> bool:
        """Whether a job has been asked for under a key and is not done yet, or has failed."""
        return key in self._keys

    def is_current(self) -> bool:
        """Whether the caller is the thread that does jobs."""
        return threading.current_thread() is self._thread

    def _work(self) -> None:
        self._ident, self._rested = threading.get_ident(), time.thread_time()
        with np.errstate(all="ignore"):
            while (given := self._next()) is not None:
                key, job = given
                failure = Failure()
                with self._busy, failure:
                    job()
                error = failure.error
                if error is None:
                    self._keys.discard(key)
                else:
                    threading.excepthook(threading.ExceptHookArgs([type(error), error, error.__traceback__, self._thread]))

    def _next(self) -> tuple[Hashable, Job] | None:
        with self._changed:
            if not self._jobs:
                self._finish()
                if not self._changed.wait_for(lambda: self._jobs, _IDLE):
                    self._thread, self._ident = None, 0
                    return None
            if _BREATHER not in sys.meta_path:
                sys.meta_path.insert(0, _BREATHER)
            self._set_interval(_SLICE)
            return self._jobs.popleft()

    def _finish(self) -> None:
        """There is nothing left to do: have the interpreter as it was."""
        self._works = False
        self._restore_interval()
        if _BREATHER in sys.meta_path:
            sys.meta_path.remove(_BREATHER)
        self._changed.notify_all()

    def _set_interval(self, seconds: float) -> None:
        self._restore_interval()
        before = sys.getswitchinterval()
        sys.setswitchinterval(min(before, seconds))
        self._intervals = before, sys.getswitchinterval()

    def _restore_interval(self) -> None:
        """Give the interpreter's lock the interval it had, unless somebody else has set it."""
        if self._intervals is not None and sys.getswitchinterval() == self._intervals[1]:
            sys.setswitchinterval(self._intervals[0])
        self._intervals = None

    def breathe(self) -> None:
        """Called often by what compiles: on the thread, let calls have the interpreter for most of the time."""
        if threading.get_ident() == self._ident and not self._awaited and (spent := time.thread_time() - self._rested) > _WORK:
            time.sleep(_REST * min(spent, 10 * _WORK))
            if self.call.acquire(timeout=_END_OF_CALL):
                self.call.release()
            self._rested = time.thread_time()

    def pause(self) -> None:
        """Called between two stages of a job: let a fork go first."""
        while self._waits_for_pause and threading.current_thread() is self._thread:
            self._busy.release()
            time.sleep(1e-4)
            self._busy.acquire()

    def wait(self) -> None:
        """Return when there is nothing left to do."""
        with self._changed:
            self._awaited += 1
            try:
                self._changed.wait_for(lambda: not self._works)
            finally:
                self._awaited -= 1

    # ---- forks and ends

    def hold(self) -> None:
        """Before a fork: wait until no lock is held by the thread, and hold those that the child will need.

        Who forks while it traces holds `BUILDING`.  A thread that waits for that makes no pause, and holds no other lock.
        """
        self._waits_for_pause = True
        self._forking.has_paused = self._busy.acquire(timeout=_PATIENCE_OF_FORKS)
        for lock in _HELD:
            lock.acquire()

    def go_on(self) -> None:
        """After a fork, in the parent."""
        for lock in reversed(_HELD):
            lock.release()
        if self._forking.has_paused:
            self._busy.release()
        self._waits_for_pause = False

    def go_on_in_child(self) -> None:
        """After a fork, in the child."""
        self._restore_interval()
        self.go_on()
        self.forget()

    def close(self) -> None:
        """At the end of the process: begin nothing any more, and give LLVM a moment to get out of what it is doing."""
        self.ends = True
        end = time.monotonic() + _PATIENCE
        for lock in (*CODE_GENERATORS, LLVM):
            lock.acquire(timeout=max(end - time.monotonic(), 0.0))


class _Breather:
    """Stands among the finders of modules: the engine's are imported one by one."""

    def find_spec(self, *_: object) -> None:
        COMPILER.breathe()


_BREATHER = _Breather()
COMPILER = Compiler()
atexit.register(COMPILER.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=COMPILER.hold, after_in_parent=COMPILER.go_on, after_in_child=COMPILER.go_on_in_child)


def interruptibly(work: Callable[[], T]) -> T:
    """What `work` gives, which holds no lock but LLVM's.

    Where this is the main thread it is done on another one, so that Ctrl-C is heard at once; what was interrupted is finished for nobody.
    """
    if threading.current_thread() is not threading.main_thread() or COMPILER.ends:
        return work()
    return begin(work)()


def begin(work: Callable[[], T]) -> Callable[[], T]:
    """Do `work` on a thread of its own; what comes back waits for it, and gives what it gives or raises its error."""
    found: list[T] = []
    failure, done = Failure(), threading.Event()

    def run() -> None:
        with failure:
            found.append(work())
        done.set()

    def wait() -> T:
        done.wait()
        if failure.error is not None:
            raise failure.error
        return found[0]

    threading.Thread(target=run, name="pullback-llvm", daemon=True).start()
    return wait


def wait_for_compiles() -> None:
    """Return when all that is being compiled is ready for the next call."""
    COMPILER.wait()
