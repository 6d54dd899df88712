"""`tf.train.Coordinator`: several threads that stop together, and whose first exception is raised where they are joined."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from ..base.errors import OutOfRangeError
from ..base.export import export

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None]


@export("train.Coordinator")
class Coordinator:
    """Lets threads ask each other to stop.

    Args:
        clean_stop_exception_types: exceptions that stop the threads without being raised by `join`; `OutOfRangeError` when None.

    >>> import pullback
    >>> coordinator = pullback.compat.v1.train.Coordinator()
    >>> def work():
    ...     while not coordinator.should_stop():
    ...         coordinator.request_stop()
    >>> thread = threading.Thread(target=work)
    >>> thread.start()
    >>> coordinator.join([thread])
    >>> coordinator.should_stop()
    True
    """

    def __init__(self, clean_stop_exception_types: tuple[type[BaseException], ...] | None = None) -> None:
        self._clean = (OutOfRangeError,) if clean_stop_exception_types is None else tuple(clean_stop_exception_types)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._raised: BaseException | None = None
        self._threads: set[threading.Thread] = set()
        self._joined = False

    def request_stop(self, ex: BaseException | ExceptionInfo | None = None) -> None:
        """Ask all threads to stop.

        Args:
            ex: an exception, or what `sys.exc_info()` gives, for `join` to raise; only the first is kept.
        """
        error = ex[1] if isinstance(ex, tuple) else ex
        with self._lock:
            if error is not None and not isinstance(error, self._clean) and self._raised is None and not self._joined:
                self._raised = error
            self._stop.set()

    def should_stop(self) -> bool:
        """Whether a stop was asked for."""
        return self._stop.is_set()

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Wait until a stop is asked for, `timeout` seconds at most; whether one was."""
        return self._stop.wait(timeout)

    def clear_stop(self) -> None:
        """Start afresh, as if nobody had asked to stop."""
        with self._lock:
            self._joined, self._raised = False, None
            self._stop.clear()

    @contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """Turn an exception of the block into a request to stop."""
        try:
            yield
        except BaseException:  # noqa: BLE001  # whatever it is, `join` raises it
            self.request_stop(sys.exc_info())  # type: ignore[arg-type]  # there is an exception here

    def register_thread(self, thread: threading.Thread) -> None:
        """Let `join` wait for this thread too."""
        with self._lock:
            self._threads.add(thread)

    def join(
        self, threads: Iterable[Any] | None = None, stop_grace_period_secs: float = 120, ignore_live_threads: bool = False
    ) -> None:
        """Wait for the threads to end, and raise what the first of them reported.

        Args:
            threads: threads besides the registered ones.
            stop_grace_period_secs: how long they may go on after a stop was asked for.
            ignore_live_threads: whether those that go on longer are left alone.

        Raises:
            RuntimeError: threads went on for longer.
        """
        waiting = [*self._threads, *(t for t in threads or () if t not in self._threads)]
        while any(t.is_alive() for t in waiting) and not self._stop.wait(0.01):
            pass
        deadline = time.monotonic() + stop_grace_period_secs
        for thread in waiting:
            thread.join(max(0.0, deadline - time.monotonic()))
        with self._lock:
            self._joined = True
            self._threads.clear()
            raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        alive = [t.name for t in waiting if t.is_alive()]
        if alive and not ignore_live_threads:
            raise RuntimeError(f"Coordinator stopped with threads still running: {' '.join(alive)}")

    @property
    def joined(self) -> bool:
        """Whether `join` has ended."""
        return self._joined

    def raise_requested_exception(self) -> None:
        """Raise what a thread reported, if any did."""
        with self._lock:
            raised = self._raised
        if raised is not None:
            raise raised
