"""Compiling that nobody waits for: on a thread of its own, while calls go on with kernels.

The thread is there while there is work, and a moment longer: starting one takes longer than a short call.  LLVM works without the
interpreter's lock; our own passes hold it, and whoever wants it back from a thread that goes on waits longer than a short call takes.  So
the thread works in turns: the interpreter asks it whenever a Python function begins, in whatever module it is, whether its turn is over
(`breathe`).  A call that goes on with kernels is left alone, and at its end waits while the thread has a turn, no longer than the call
itself took.  Where no call ends for long, the thread takes short turns and rests for most of the time.  A process that forks waits until
the thread is between two stages of its work, and the child has nothing to compile; one that ends does not wait, but for a moment.
"""

from __future__ import annotations

import atexit
import itertools
import os
import sys
import threading
import time
from _thread import LockType as Lock, allocate_lock, start_new_thread
from collections import deque
from collections.abc import Callable, Hashable
from types import TracebackType
from typing import TypeVar

import numpy as np

from ..ir.context import BUILDING
from .llvm_loading import CODE_GENERATORS, LLVM, STORES

Job = Callable[[], None]
T = TypeVar("T")
#: Seconds after which a thread that waits for the interpreter's lock is given it.
_SLICE = 1e-4
#: Seconds of a turn that the thread takes, and that it waits before that for a call to give it one.
_TURN, _REST = 1e-4, 3e-4
#: The part of its time that a call gives, and the least and the most seconds of such a turn.
_GIVEN, _LEAST_TURN, _MOST_TURN = 0.5, 4e-5, 3e-4
#: Seconds that the thread waits for another job.
_IDLE = 2.0
#: Seconds that the end of a process waits for LLVM and the disk, and a fork for the thread, which may itself wait for whoever forks.
_PATIENCE, _PATIENCE_OF_FORKS = 0.2, 5.0
#: What `getswitchinterval` leaves off below a microsecond would be lost each time it is set again.
_LEFT_OFF = 1e-7
#: What is held while the process forks, in the order in which it is taken.
_HELD = (BUILDING, *CODE_GENERATORS, LLVM, STORES)


class Failure:
    """A block whose error is kept instead of raised: on a thread of ours nobody would see it."""

    error: Exception | None = None

    def __enter__(self) -> Failure:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        self.error = error if isinstance(error, Exception) else None
        return self.error is not None


class SwitchInterval:
    """How soon a thread that waits for the interpreter's lock is given it: as soon as our threads need, while there are any.

    Then it is what it was, or what somebody else has set meanwhile.
    """

    #: The interval before it was shortened, and what it was set to; None where it is not.
    _before = 0.0
    _short: float | None = None

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """In a child of a fork, where nobody needs it: have the interval that was there before."""
        self._lock = threading.Lock()
        self._needs: dict[str, float] = {}
        self._apply()

    def shorten(self, who: str, seconds: float) -> None:
        """Have it at most so long until `who` gives it back."""
        with self._lock:
            self._needs[who] = seconds
            self._apply()

    def give_back(self, who: str) -> None:
        """`who` needs it no longer."""
        with self._lock:
            self._needs.pop(who, None)
            self._apply()

    def _apply(self) -> None:
        now = sys.getswitchinterval()
        if self._short != now:
            self._before = now
        wanted = min([self._before, *self._needs.values()])
        if wanted != now:
            sys.setswitchinterval(wanted + _LEFT_OFF)
        self._short = sys.getswitchinterval() if self._needs else None


SWITCH_INTERVAL = SwitchInterval()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=SWITCH_INTERVAL.forget)


class Compiler:
    """A thread that does jobs one after another, in the order in which they come."""

    def __init__(self) -> None:
        self.ends = False
        self.forget()

    def forget(self) -> None:
        """Have no jobs and no thread."""
        #: With the moment before which each is not begun unless somebody waits for it.
        self._jobs: deque[tuple[float, Hashable, Job]] = deque()
        #: What is waiting, being done, or has failed.
        self._keys: set[Hashable] = set()
        #: The number of the thread.
        self._thread: int | None = None
        #: Whether there is something that is not done.
        self._works = False
        #: When the turn of the thread ends, and what the call waits for that gave it.
        self._until = 0.0
        self._giver: Lock | None = None
        #: Seconds that short calls have not given yet.
        self._owed = 0.0
        #: What the thread waits for, where it does, until a call gives it a turn.
        self._waits: deque[Lock] = deque()
        #: The number of the call that goes on with kernels, and of one that has gone on for a whole rest; 0 where there is none.
        self._call = self._long_call = 0
        self._numbers = itertools.count(1)
        #: How many wait for it, so that it does not rest.
        self._awaited = 0
        self._changed = threading.Condition()
        #: Held from one stage of a job to the next.
        self._busy = threading.Lock()
        self._waits_for_pause = False
        #: Whether this thread, which forks, holds that.
        self._forking = threading.local()

    def submit(self, key: Hashable, job: Job, after: float = 0.0) -> None:
        """Have a job done, unless it has been asked for under the same key and is not done yet.

        An error that it lets through is shown as those of threads are, and the job is not done again.
        after: the seconds before which it is not begun, unless somebody waits for it.
        """
        with self._changed:
            if self.ends or key in self._keys:
                return
            # in this order: whoever is interrupted in between has asked for nothing, or for a job that is done
            if self._thread is None:  # `threading` would have the call wait until it runs
                self._thread = start_new_thread(self._work, ())
            self._jobs.append((time.perf_counter() + after, key, job))
            self._keys.add(key)
            self._works = True
            self._changed.notify_all()

    def has(self, key: Hashable) -> bool:
        """Whether a job has been asked for under a key and is not done yet, or has failed."""
        return key in self._keys

    def is_current(self) -> bool:
        """Whether the caller is the thread that does jobs."""
        return threading.get_ident() == self._thread

    def _work(self) -> None:
        sys.setprofile(self.breathe)
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
                    threading.excepthook(threading.ExceptHookArgs([type(error), error, error.__traceback__, threading.current_thread()]))

    def _next(self) -> tuple[Hashable, Job] | None:
        sys.setprofile(None)  # nobody waits for what is held here while the thread has no turn
        self._end_turn()
        with self._changed:
            found = self._take_due()
            if found is None:
                self._rest()
                while (found := self._take_due()) is None:
                    soonest = min((due for due, _, _ in self._jobs), default=None)
                    if not self._changed.wait(_IDLE if soonest is None else soonest - time.perf_counter()) and soonest is None:
                        self._thread = None
                        return None
            SWITCH_INTERVAL.shorten("background", _SLICE)
        sys.setprofile(self.breathe)
        return found

    def _take_due(self) -> tuple[Hashable, Job] | None:
        """The first job that may be begun."""
        now = time.perf_counter()
        for entry in self._jobs:
            due, key, job = entry
            if due <= now or self._awaited:
                self._jobs.remove(entry)
                return key, job
        return None

    def _rest(self) -> None:
        """There is nothing to do now: have the interpreter as it was."""
        self._works = bool(self._jobs)
        SWITCH_INTERVAL.give_back("background")
        self._changed.notify_all()

    def begin_call(self) -> None:
        """A call begins that goes on with kernels, and that the thread leaves alone."""
        self._call = next(self._numbers)

    def end_call(self, seconds: float) -> None:
        """It has taken so long: the thread may have a turn."""
        self._call = 0
        if self._waits:
            self._give_turn(seconds)

    def _give_turn(self, seconds: float) -> None:
        self._owed += _GIVEN * seconds
        seconds = min(self._owed, seconds, _MOST_TURN)
        if seconds < _LEAST_TURN:
            return
        self._owed = 0.0
        try:
            waits = self._waits.pop()
        except IndexError:  # another thread's call has given it one
            return
        self._giver = giver = allocate_lock()
        giver.acquire()
        self._until = time.perf_counter() + seconds
        waits.release()
        giver.acquire(timeout=seconds)

    def _end_turn(self) -> None:
        """Let the call go on that gave the thread this turn."""
        giver, self._giver = self._giver, None
        if giver is not None:
            giver.release()

    def breathe(self, _frame: object, event: str, _argument: object) -> None:
        """What the interpreter calls around each call on the thread: if its turn is over where a function begins, wait for the next one."""
        if event != "call":  # three of four: to look at the clock for each takes as long as the work
            return
        is_welcome = self._giver is not None or self._call in (0, self._long_call)
        if self._awaited or self._waits_for_pause or (is_welcome and time.perf_counter() < self._until):
            return
        self._end_turn()
        call, turn = self._call, allocate_lock()
        turn.acquire()
        self._waits.append(turn)
        if turn.acquire(timeout=_REST):
            return
        try:
            self._waits.remove(turn)
        except ValueError:  # a call is about to give a turn, unless it is interrupted
            turn.acquire(timeout=_PATIENCE)
        else:
            self._until, self._long_call = time.perf_counter() + _TURN, call

    def pause(self) -> None:
        """Called between two stages of a job: let a fork go first."""
        while self._waits_for_pause and self.is_current():
            self._busy.release()
            time.sleep(1e-4)
            self._busy.acquire()

    def wait(self) -> None:
        """Return when there is nothing left to do."""
        with self._changed:
            self._awaited += 1
            self._changed.notify_all()
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
        self.go_on()
        self.forget()

    def close(self) -> None:
        """At the end of the process: begin nothing any more, and give LLVM and the disk a moment to get out of what they are doing."""
        self.ends = True
        end = time.monotonic() + _PATIENCE
        for lock in (*CODE_GENERATORS, LLVM, STORES):
            lock.acquire(timeout=max(end - time.monotonic(), 0.0))


COMPILER = Compiler()
atexit.register(COMPILER.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=COMPILER.hold, after_in_parent=COMPILER.go_on, after_in_child=COMPILER.go_on_in_child)


def run_interruptibly(work: Callable[[], T]) -> T:
    """What `work` gives, which holds no lock but LLVM's.

    Where this is the main thread it is done on another one, so that Ctrl-C is heard at once; what was interrupted is finished for nobody.
    """
    if threading.current_thread() is not threading.main_thread() or COMPILER.ends:
        return work()
    found: list[T] = []
    failure, works = Failure(), allocate_lock()  # Ctrl-C in the wait of an event of `threading` may come out as a RuntimeError
    works.acquire()

    def run() -> None:
        with failure:
            found.append(work())
        works.release()

    threading.Thread(target=run, name="pullback-llvm", daemon=True).start()
    works.acquire()
    if failure.error is not None:
        raise failure.error
    return found[0]


def wait_for_compiles() -> None:
    """Return when all that is being compiled is ready for the next call."""
    COMPILER.wait()
