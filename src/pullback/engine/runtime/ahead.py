"""Object code that will be wanted: compiled on a thread of its own while the program is lowered, and while LLVM works on it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from ...kernels.parallel import processors
from ..background import COMPILER, Failure
from .loaded import ObjectCode

Work = Callable[[], tuple[ObjectCode, ...]]


class _Order:
    """Something that will be wanted, and what comes of it."""

    def __init__(self, work: Work) -> None:
        self.work, self.failure, self.works = work, Failure(), threading.Lock()
        self.works.acquire()
        self.is_begun = False
        self.made: tuple[ObjectCode, ...] | None = None

    def run(self) -> None:
        """Do the work; who takes what failed, or was broken off, does it again, and gets the error."""
        try:
            self.is_begun = True
            with self.failure:
                self.made = self.work()
        finally:
            self.works.release()


class Ahead:
    """Orders by key, done one after another; whoever wants one that has not been begun does it himself."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Have no orders and no thread."""
        self._lock = threading.Lock()
        self._waiting: dict[bytes, _Order] = {}
        self._begun: dict[bytes, _Order] = {}
        self._thread: threading.Thread | None = None

    def order(self, key: bytes, work: Work) -> None:
        """Have something made, where there is a processor for it that no call needs."""
        if processors() == 1 or COMPILER.ends or COMPILER.is_current():
            return
        with self._lock:
            if key in self._waiting or key in self._begun:
                return
            self._waiting[key] = _Order(work)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="pullback-ahead", daemon=True)
                self._thread.start()

    def take(self, key: bytes) -> tuple[ObjectCode, ...] | None:
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
        while (order := self._next(-1)) is not None:
            order.run()

    def _work(self) -> None:
        while True:
            order = self._next(0)
            if order is None:
                return
            order.run()

    def _next(self, at: int) -> _Order | None:
        with self._lock:
            if self._waiting and not COMPILER.ends:
                key = list(self._waiting)[at]
                self._begun[key] = order = self._waiting.pop(key)
                return order
            if at == 0:
                self._thread = None
            return None


AHEAD = Ahead()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=AHEAD.forget)
