"""`tf.train.Coordinator`: several threads that stop together, and whose first exception is raised where they are joined."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
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

    def join(self, threads: Iterable[Any] | None = None, stop_grace_period_secs: float = 120, ignore_live_threads: bool = False) -> None:
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


@export(v1="train.LooperThread")
class LooperThread(threading.Thread):
    """A thread that calls `target(*args, **kwargs)`, or its own `run_loop`, again and again until its coordinator is asked to stop.

    coord: the coordinator, which also hears of an exception.  timer_interval_secs: from one call to the next; None for no pause.  Raises
    ValueError for what is no coordinator, or arguments without a target.

    >>> coordinator = tf1.train.Coordinator()
    >>> thread = tf1.train.LooperThread.loop(coordinator, 0.01, coordinator.request_stop)
    >>> coordinator.join()
    """

    def __init__(
        self, coord: Coordinator, timer_interval_secs: float | None, target: Callable[..., Any] | None = None,
        args: Iterable[Any] | None = None, kwargs: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        if target is None and (args or kwargs):
            raise ValueError("'args' and 'kwargs' argument require that you also pass 'target'")
        super().__init__(daemon=True)
        self._coordinator, self._interval = coord, timer_interval_secs
        self._call, self._given, self._named = target, tuple(args or ()), dict(kwargs or {})
        coord.register_thread(self)

    @staticmethod
    def loop(
        coord: Coordinator, timer_interval_secs: float | None, target: Callable[..., Any], args: Iterable[Any] | None = None,
        kwargs: Mapping[str, Any] | None = None,
    ) -> LooperThread:  # fmt: skip
        """A thread that was started."""
        thread = LooperThread(coord, timer_interval_secs, target, args, kwargs)
        thread.start()
        return thread

    def run(self) -> None:
        """What the thread does."""
        with self._coordinator.stop_on_exception():
            self.start_loop()
            due = time.monotonic()
            while not self._coordinator.wait_for_stop(0.0 if self._interval is None else max(0.0, due - time.monotonic())):
                due += self._interval or 0.0
                self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Called when the thread starts."""

    def stop_loop(self) -> None:
        """Called when it stops."""

    def run_loop(self) -> None:
        """Called each time."""
        if self._call is not None:
            self._call(*self._given, **self._named)
