"""Object code that will be wanted: compiled on a thread of its own while the program is lowered, and while LLVM works on it.

The thread needs Python for moments between calls of LLVM, and whoever lowers meanwhile needs it all the time.  So the interpreter's lock
changes hands sooner while there is such a thread, and it keeps off the processor that it was started from: else it waits for most of what
it could have done.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from ...kernels.parallel import current_processor, keep_off, processors
from ..background import COMPILER, SWITCH_INTERVAL, Failure
from .linking import Pieces

#: Seconds after which a thread that wants the interpreter's lock gets it.
_SLICE = 5e-5

Work = Callable[[], Pieces]


class _Order:
    """Something that will be wanted, and what comes of it."""

    def __init__(self, work: Work, size: int = 0) -> None:
        self.work, self.size, self.failure, self.works = work, size, Failure(), threading.Lock()
        self.works.acquire()
        self.is_begun = False
        self.made: Pieces | None = None

    def run(self) -> None:
        """Do the work; who takes what failed, or was broken off, does it again, and gets the error."""
        try:
            self.is_begun = True
            with self.failure:
                self.made = self.work()
        finally:
            self.works.release()


class Ahead:
    """Orders by key, done one after another, the largest first; whoever wants one that has not been begun does it himself."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Have no orders and no thread."""
        self._lock = threading.Lock()
        self._waiting: dict[bytes, _Order] = {}
        self._begun: dict[bytes, _Order] = {}
        self._end()

    def _end(self) -> None:
        """Have no thread any more."""
        SWITCH_INTERVAL.give_back("ahead")
        self._thread: threading.Thread | None = None

    def accepts(self, key: bytes) -> bool:
        """Whether something may be ordered: there is a processor for it that no call needs, and it has not been ordered."""
        return processors() > 1 and not COMPILER.ends and not COMPILER.is_current() and key not in self._waiting and key not in self._begun

    def order(self, key: bytes, work: Work, size: int = 0) -> None:
        """Have something made that is accepted; size: how much work it is, beside others."""
        with self._lock:
            if not self.accepts(key):
                return
            self._waiting[key] = _Order(work, size)
            if self._thread is not None:
                return
            SWITCH_INTERVAL.shorten("ahead", _SLICE)
            self._thread = thread = threading.Thread(target=self._work, args=(current_processor(),), name="pullback-ahead", daemon=True)
        try:
            thread.start()  # without the lock, which it would wait for
        except RuntimeError:  # the system gives no more threads: whoever wants it makes it
            with self._lock:
                self._end()

    def take(self, key: bytes) -> Pieces | None:
        """What was made under a key, once; None where nothing was ordered, has been begun, or came of it."""
        with self._lock:
            self._waiting.pop(key, None)
            order = self._begun.pop(key, None)
        if order is None or not order.is_begun:  # Ctrl-C may have come before
            return None
        order.works.acquire()
        return order.made

    def help(self) -> None:
        """Do, on this thread too, what has not been begun."""
        while (order := self._next()) is not None:
            order.run()

    def _work(self, started_on: int | None) -> None:
        keep_off(started_on)
        while (order := self._next(ends=True)) is not None:
            order.run()

    def _next(self, ends: bool = False) -> _Order | None:
        """The largest order that has not been begun; ends: whether the thread ends where there is none."""
        with self._lock:
            if self._waiting and not COMPILER.ends:
                key = max(self._waiting, key=lambda key: self._waiting[key].size)
                self._begun[key] = order = self._waiting.pop(key)
                order.is_begun = ends  # the thread is not broken off between here and the work
                return order
            if ends:
                self._end()
            return None


AHEAD = Ahead()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=AHEAD.forget)
