"""Queues of tensors that threads share: what the operations on them work on.

Who puts in waits for room and who takes out for elements, each in the order of their coming.  Of a request for several elements
each is moved as soon as it can be, so a request may be larger than the queue.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from threading import Condition
from typing import Any

import numpy as np

from ...base.dtypes import DType, resource
from ...base.errors import CancelledError, DeadlineExceededError, InvalidArgumentError, OutOfRangeError
from ...base.shapes import show as show_dims
from ...ir.tensor import Dims
from ...ops.random.philox import Philox

Array = np.ndarray[Any, Any]
Element = tuple[Array, ...]


class Shared:
    """What several threads work on, some of which wait for others."""

    tensor_dtype = resource
    dtype: DType = resource
    dims: Dims = None

    def __init__(self, name: str) -> None:
        self.name = name
        self._cancelled: str | None = None
        self._changed = Condition()

    def cancel(self, why: str) -> None:
        """End the waiting of all who wait."""
        with self._changed:
            self._cancelled = why
            self._changed.notify_all()

    def _wait(self, deadline: float | None) -> None:
        """Wait for a change; DeadlineExceededError where none comes in time, CancelledError where waiting is over."""
        if self._cancelled is not None:
            raise CancelledError(None, None, self._cancelled)
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise DeadlineExceededError(None, None, "Timed out waiting for notification")
        self._changed.wait(left)


class Queue(Shared):
    """First in, first out.

    shapes: of each component, unknown dimensions None; empty where elements may have any shape.  capacity: below 0 for no limit.
    """

    kind = "FIFOQueue"

    def __init__(self, name: str, dtypes: Sequence[DType], shapes: Sequence[Dims], capacity: int) -> None:
        super().__init__(name)
        self.dtypes, self.shapes, self.capacity = tuple(dtypes), tuple(shapes), capacity
        self.is_closed = False
        self._closes = False  # once those who wait to put in have done so
        self._givers: deque[object] = deque()
        self._takers: deque[object] = deque()
        self._elements: deque[Element] = deque()

    # ---- what kinds of queues differ in

    def _put(self, element: Element) -> None:
        self._elements.append(element)

    def _take(self) -> Element:
        return self._elements.popleft()

    def _put_back(self, elements: Sequence[Element]) -> None:
        self._elements.extendleft(reversed(elements))

    def _count(self) -> int:
        return len(self._elements)

    def _ready(self) -> int:
        """How many elements may be taken."""
        return self._count()

    def check_shape(self, shape: tuple[int, ...], place: int) -> None:
        """Refuse a component of another shape than the queue's."""
        if self.shapes and shape != self.shapes[place]:
            wanted = show_dims(self.shapes[place])
            raise InvalidArgumentError(None, None, f"Shape mismatch in tuple component {place}. Expected {wanted}, got {show_dims(shape)}")

    def stack_component(self, parts: Sequence[Array], place: int) -> Array:
        """One component of several elements."""
        return np.stack(parts) if parts else np.zeros((0, *self._fill_dims(place)), self.dtypes[place].numpy_dtype)

    def _fill_dims(self, place: int) -> tuple[int, ...]:
        return tuple(n or 0 for n in self.shapes[place] or ())

    # ---- operations

    def enqueue(self, elements: Sequence[Element], deadline: float | None = None) -> None:
        """Put elements in; CancelledError where the queue is closed, or is meanwhile with those who wait cancelled."""
        for element in elements:
            self._check(element)
        rest = deque(elements)

        def put_elements() -> bool:
            if self.is_closed or (self._closes and not rest):
                raise CancelledError(None, None, f"{self.kind} '{self.name}' is closed.")
            while rest and (self.capacity < 0 or self._count() < self.capacity):
                self._put(rest.popleft())
                self._changed.notify_all()
            return not rest

        with self._changed:
            if self._closes:
                raise CancelledError(None, None, f"{self.kind} '{self.name}' is closed.")
            try:
                self._in_turn(self._givers, put_elements, deadline)
            finally:
                self._close_if_done()

    def _close_if_done(self) -> None:
        if self._closes and not self._givers:
            self.is_closed = True
            self._changed.notify_all()

    def dequeue(self, number: int, fewer: bool = False, deadline: float | None = None) -> list[Element]:
        """Take `number` elements out, or as many as a closed queue has left where `fewer` will do; else OutOfRangeError."""
        taken: list[Element] = []

        def take() -> bool:
            while len(taken) < number and self._ready() > 0:
                if self.is_closed and not fewer and self._count() + len(taken) < number:
                    break
                taken.append(self._take())
                self._changed.notify_all()
            if len(taken) == number or (fewer and self.is_closed and taken):
                return True
            if self.is_closed:
                left = self._count() + len(taken)
                text = f"is closed and has insufficient elements (requested {number}, current size {left})"
                raise OutOfRangeError(None, None, f"{self.kind} '{self.name}' {text}")
            return False

        with self._changed:
            try:
                self._in_turn(self._takers, take, deadline)
            except BaseException:
                self._put_back(taken)
                raise
        return taken

    def close(self, cancel_pending: bool) -> None:
        """Take nothing more in: at once where those who wait to put in are cancelled, else after them."""
        with self._changed:
            self._closes = True
            self.is_closed = self.is_closed or cancel_pending or not self._givers
            self._changed.notify_all()

    def size(self) -> int:
        """The number of elements."""
        with self._changed:
            return self._count()

    def _check(self, element: Element) -> None:
        found, wanted = [v.dtype for v in element], [d.numpy_dtype for d in self.dtypes]
        if found != wanted:
            text = f"have: {', '.join(map(str, found))} expected: {', '.join(d.name for d in self.dtypes)}"
            raise InvalidArgumentError(None, None, f"Signature mismatch, {text}")
        for place, value in enumerate(element):
            self.check_shape(value.shape, place)

    @contextmanager
    def _place_in(self, line: deque[object]) -> Iterator[object]:
        place = object()
        line.append(place)
        try:
            yield place
        finally:
            line.remove(place)
            self._changed.notify_all()

    def _in_turn(self, line: deque[object], attempt: Callable[[], bool], deadline: float | None) -> None:
        """Attempt until it succeeds, after those who came before."""
        with self._place_in(line) as place:
            while line[0] is not place or not attempt():
                self._wait(deadline)


class PaddingQueue(Queue):
    """Components whose shapes are known in part: elements taken out together are filled up with zeros to the largest."""

    kind = "PaddingFIFOQueue"

    def check_shape(self, shape: tuple[int, ...], place: int) -> None:
        """Refuse a component that the queue's shape does not allow."""
        dims = self.shapes[place]
        if dims is None or len(dims) != len(shape) or any(n not in (None, m) for n, m in zip(dims, shape, strict=True)):
            text = f"Shape mismatch in tuple component {place}. Expected {show_dims(dims)}, got {show_dims(shape)}"
            raise InvalidArgumentError(None, None, text)

    def stack_component(self, parts: Sequence[Array], place: int) -> Array:
        """One component of several elements, filled up."""
        if not parts:
            return super().stack_component(parts, place)
        out = np.zeros((len(parts), *np.max([v.shape for v in parts], axis=0)), parts[0].dtype)
        if out.dtype == object:
            out[...] = b""
        for row, value in zip(out, parts, strict=True):
            row[tuple(map(slice, value.shape))] = value
        return out


class ShuffleQueue(Queue):
    """Elements come out in any order; `least` of them stay in until the queue is closed."""

    kind = "RandomShuffleQueue"

    def __init__(self, name: str, dtypes: Sequence[DType], shapes: Sequence[Dims], capacity: int, least: int, stream: Philox) -> None:
        super().__init__(name, dtypes, shapes, capacity)
        self._least = least
        self._stream, self._words = stream, deque[int]()

    def _take(self) -> Element:
        if not self._words:
            self._words.extend(self._stream.words(4).tolist())
            self._stream = self._stream.skip(1)
        at = self._words.popleft() % len(self._elements)
        found = self._elements[at]
        self._elements[at] = self._elements[-1]
        self._elements.pop()
        return found

    def _put_back(self, elements: Sequence[Element]) -> None:
        self._elements.extend(elements)

    def _ready(self) -> int:
        return self._count() - (0 if self.is_closed else self._least)


class SortedQueue(Queue):
    """The element whose first component, an int64, is least comes first."""

    kind = "PriorityQueue"

    def __init__(self, name: str, dtypes: Sequence[DType], shapes: Sequence[Dims], capacity: int) -> None:
        super().__init__(name, dtypes, shapes, capacity)
        self._heap: list[tuple[int, int, Element]] = []
        self._numbers = count()

    def _put(self, element: Element) -> None:
        heapq.heappush(self._heap, (int(element[0]), next(self._numbers), element))

    def _take(self) -> Element:
        return heapq.heappop(self._heap)[-1]

    def _put_back(self, elements: Sequence[Element]) -> None:
        for element in elements:
            self._put(element)

    def _count(self) -> int:
        return len(self._heap)
