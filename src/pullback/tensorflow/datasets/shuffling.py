"""`shuffle`, in TensorFlow's very order.

A buffer is kept full; each element that goes out is drawn from it by the next number of a Philox stream.  The two seeds of the stream
come, each time an iterator is made, from a stream that the seeds of the operation started, or are always these.  Before
`repeat` (see `Pass.fuses`) the buffer stays full across the ends of the repetitions, but an element goes out only when all of the
repetition before have gone, and each repetition has a stream of its own.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator

from ...base.errors import InvalidArgumentError
from ...kernels.collective.agreement import random_bits
from ...ops.random.philox import from_seeds
from .source import UNKNOWN, Pass, Source
from .structure import Element

_BLOCKS = 64  # drawn at once, so that a number costs little
_MOST_REPETITIONS = 3  # in the buffer, before another one begins


def numbers(seed: int, seed2: int) -> Iterator[int]:
    """The 32-bit numbers of a stream."""
    stream = from_seeds(seed, seed2)
    some = 1
    while True:
        yield from stream.words(4 * some).tolist()
        stream = stream.skip(some)
        some = min(2 * some, _BLOCKS)


class StreamOfSeeds:
    """Pairs of seeds for the iterators over a dataset: for two zeros, others in each program, the same on all replicas.

    again: whether each iterator has seeds of its own.
    """

    def __init__(self, seed: int, seed2: int, again: bool) -> None:
        self._again = again
        self.place = *((seed, seed2) if seed or seed2 else (random_bits(), random_bits())), 0

    @property
    def place(self) -> tuple[int, int, int]:
        """The seeds of the stream, and how many pairs were drawn."""
        return *self._pair, self._count

    @place.setter
    def place(self, place: tuple[int, int, int]) -> None:
        *_, self._count = place
        self._pair = place[:2]
        self._numbers = itertools.islice(numbers(*self._pair), 2 * self._count, None)

    def draw(self) -> tuple[int, int]:
        """The pair of the next iterator."""
        self._count += 1
        return (next(self._numbers), next(self._numbers)) if self._again else self._pair


class Shuffled(Source):
    """The elements of a source in random order.

    size: of the buffer; `UNKNOWN` for one that holds all.  again: whether each iteration has an order of its own.
    """

    def __init__(self, source: Source, size: int, seed: int, seed2: int, again: bool) -> None:
        if size < 1 and size != UNKNOWN:
            raise InvalidArgumentError(None, None, "buffer_size must be greater than zero or UNKNOWN_CARDINALITY")
        super().__init__(lambda run: self.repeat_elements(run, 1), source.size)
        self._source, self._room = source, size
        self.holds_all = size == UNKNOWN
        self._seeds = StreamOfSeeds(seed, seed2, again)

    def repeat_elements(self, run: Pass, count: int) -> Iterator[Element]:
        """The elements `count` times (below 0: without end), each time all of them, in one buffer."""
        return self._draw_elements(run, count, numbers(*run.draw(self._seeds)))

    def _draw_elements(self, run: Pass, count: int, chosen: Iterator[int]) -> Iterator[Element]:
        room, all_in = self._room, self._room == UNKNOWN
        buffer: list[Element] = []
        #: Of each repetition that has elements in the buffer: the number of the first, and of the one after the last, counted throughout.
        begun: deque[list[int]] = deque([[0, 0]])
        coming: Iterator[Element] | None = self._source.elements(run)
        left = count - 1
        while True:
            while all_in or begun[-1][1] - begun[0][0] < room:
                place = begun[-1][1]
                if (coming is None and left == 0) or (len(begun) > _MOST_REPETITIONS and place > begun[0][0]):
                    break
                if coming is None:
                    coming, left = self._source.elements(run), left - 1
                    begun.append([place, place])
                element = next(coming, None)
                if element is None:
                    coming = None
                    if place == 0:  # a dataset without elements is not asked again
                        left = 0
                    continue
                if place < room or all_in:
                    buffer.append(element)
                else:
                    buffer[place % room] = element
                begun[-1][1] = place + 1
            while begun[0][0] == begun[0][1]:
                if len(begun) == 1:
                    return
                begun.popleft()
                chosen = numbers(*run.draw(self._seeds))
            start, end = begun[0]
            whole = len(buffer) if all_in else room
            place, front = (start + next(chosen) % (end - start)) % whole, start % whole
            found, buffer[place] = buffer[place], buffer[front]
            begun[0][0] = start + 1
            yield found


def repeat(source: Source, count: int, plain: Source) -> Source:
    """`plain`, which repeats `source` `count` times; what is shuffled is shuffled across its ends where the pass says so."""
    if not isinstance(source, Shuffled) or (source.holds_all and count >= -1 and count):
        return plain

    def elements(run: Pass) -> Iterator[Element]:
        if not run.fuses:
            return plain.elements(run)
        if count < -1 or not count:
            raise InvalidArgumentError(None, None, "count must be greater than zero or equal to -1.")
        return source.repeat_elements(run, count)

    return Source(elements, plain.size)
