"""Threads that work ahead: `prefetch`, and functions called side by side.

A thread holds its queue and what it works on, not who takes from it: whoever drops the iterator closes the queue, and the thread ends at
its next step.  What a thread raises, whoever takes gets in its place, with the lines where it came up.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from threading import Condition, Lock, Thread
from time import perf_counter
from typing import Any

from .source import Source
from .structure import Element

#: Seconds that are more than handing an element from one thread to another takes.
_HANDING_ON = 5e-4


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


def _work(queue: _Ahead, elements: Iterator[Element]) -> None:
    try:
        for element in elements:
            if not queue.put(element):
                return
    except Exception as error:  # noqa: BLE001  # whoever takes gets it
        queue.put(None, error)
    finally:
        queue.end()


def prefetch_elements(source: Source, room: int) -> Source:
    """The elements, up to `room` of which a thread makes before they are asked for."""
    if source.size in (0, 1):
        return source
    return Source(lambda run, coming: _take_elements(coming, room), source.size, source)


def prefetch_if_slow(source: Source, room: int) -> Source:
    """The same, by a thread that is started when an element has taken longer than handing one from thread to thread."""
    return Source(lambda run, coming: _hand_over_if_slow(coming, room), source.size, source)


def _hand_over_if_slow(elements: Iterator[Element], room: int) -> Iterator[Element]:
    start = float("inf")  # the first has what is done once
    for element in elements:
        took = perf_counter() - start
        yield element
        if took > _HANDING_ON:
            yield from _take_elements(elements, room)
            return
        start = perf_counter()


def _take_elements(elements: Iterator[Element], room: int) -> Iterator[Element]:
    queue = _Ahead(room)
    Thread(target=_work, args=(queue, elements), name="pullback prefetch", daemon=True).start()
    try:
        while (found := queue.take()) is not None:
            element, error = found
            if error is not None:
                try:
                    raise error
                finally:
                    del error, found  # its traceback has this frame
            yield element
    finally:
        queue.close()


class _Pool:
    """Threads that call a function of elements; the answers are taken in the order of the elements."""

    def __init__(self, call: Callable[[Element], Element], width: int) -> None:
        self.call, self.width = call, width
        self.changed = Condition()
        self.waiting: deque[_Task] = deque()
        self.threads = 0
        self.closed = False

    def add(self, element: Element) -> _Task:
        """Have the function called on an element."""
        task = _Task(element)
        with self.changed:
            self.waiting.append(task)
            if self.threads < self.width:
                self.threads += 1
                Thread(target=_work_on, args=(self,), name="pullback map", daemon=True).start()
            self.changed.notify()
        return task

    def close(self) -> None:
        """End the threads."""
        with self.changed:
            self.closed = True
            self.waiting.clear()
            self.changed.notify_all()


class _Task:
    """A call: its element, and what came of it."""

    __slots__ = ("answer", "done", "element", "error")

    def __init__(self, element: Element) -> None:
        self.element = element
        self.done = Lock()
        self.done.acquire()
        self.answer: Element = ()
        self.error: BaseException | None = None

    def result(self) -> Element:
        """Wait for the answer."""
        with self.done:
            error, self.error = self.error, None
            if error is not None:
                try:
                    raise error
                finally:
                    del error  # its traceback has this frame
            return self.answer


def _work_on(pool: _Pool) -> None:
    while True:
        with pool.changed:
            while not pool.waiting and not pool.closed:
                pool.changed.wait()
            if pool.closed:
                return
            task = pool.waiting.popleft()
        try:
            task.answer = pool.call(task.element)
        except Exception as error:  # noqa: BLE001  # whoever takes gets it
            task.error = error
        task.done.release()
        del task  # or a thread that waits would keep an error, whose traceback has who ends the thread


class side_by_side:  # an iterator, as `map`
    """The function of each element, up to `width` of which are called at once; an error does not end it.

    where_it_pays: whether no thread is started before a call has taken longer than handing it to one.
    """

    def __init__(self, call: Callable[[Element], Element], elements: Iterator[Element], width: int, where_it_pays: bool = False) -> None:
        self._elements, self._pool = iter(elements), _Pool(call, width)
        self._tasks: deque[_Task] = deque()
        self._is_alone = where_it_pays
        self._is_first = True

    def __iter__(self) -> Iterator[Element]:
        return self

    def _call_here(self, element: Element) -> Element:
        start = perf_counter()
        try:
            return self._pool.call(element)
        finally:
            self._is_alone = self._is_first or perf_counter() - start < _HANDING_ON
            self._is_first = False

    def __next__(self) -> Element:
        if self._is_alone:
            return self._call_here(next(self._elements))
        while len(self._tasks) < 2 * self._pool.width:
            element = next(self._elements, None)
            if element is None:
                break
            self._tasks.append(self._pool.add(element))
        if not self._tasks:
            self._pool.close()
            raise StopIteration
        return self._tasks.popleft().result()

    def __del__(self) -> None:
        self._pool.close()


def processors() -> int:
    """How many threads may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
