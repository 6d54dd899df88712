"""Threads that work ahead: `prefetch`, and functions called side by side.

A thread holds its queue and what it works on, not who takes from it: whoever drops the iterator closes the queue, and the thread ends at
its next step.  What a thread raises, whoever takes gets in its place, with the lines where it came up.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from threading import Condition, Thread
from typing import Any

from .source import Pass, Source
from .structure import Element


class _Ahead:
    """A queue between a thread that works ahead and who takes."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.changed = Condition()
        self.ready: deque[tuple[Any, BaseException | None]] = deque()
        self.closed = self.ended = False

    def put(self, value: Any, error: BaseException | None = None) -> bool:
        """Wait for room and put a value in; False when nobody takes any more."""
        with self.changed:
            while len(self.ready) >= self.room and not self.closed:
                self.changed.wait()
            if self.closed:
                return False
            self.ready.append((value, error))
            self.changed.notify_all()
            return True

    def end(self) -> None:
        """Nothing more comes."""
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def close(self) -> None:
        """Nobody takes any more."""
        with self.changed:
            self.closed = True
            self.ready.clear()
            self.changed.notify_all()

    def take(self) -> tuple[Any, BaseException | None] | None:
        """Wait for a value; None at the end."""
        with self.changed:
            while not self.ready and not self.ended:
                self.changed.wait()
            if not self.ready:
                return None
            found = self.ready.popleft()
            self.changed.notify_all()
            return found


def _work(queue: _Ahead, elements: Callable[[], Iterator[Element]]) -> None:
    try:
        for element in elements():
            if not queue.put(element):
                return
    except Exception as error:  # noqa: BLE001  # whoever takes gets it
        queue.put(None, error)
    finally:
        queue.end()


def prefetched(source: Source, room: int) -> Source:
    """The elements, up to `room` of which a thread makes before they are asked for."""
    return Source(lambda run: _taken(source, run, room), source.size)


def _taken(source: Source, run: Pass, room: int) -> Iterator[Element]:
    queue = _Ahead(room)
    Thread(target=_work, args=(queue, lambda: source.elements(run)), name="pullback prefetch", daemon=True).start()
    try:
        while (found := queue.take()) is not None:
            element, error = found
            if error is not None:
                raise error
            yield element
    finally:
        queue.close()


def processors() -> int:
    """How many threads may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


__all__ = ["prefetched", "processors"]
