"""Sources that order elements: ranges, repetitions, parts, datasets side by side and one after the other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...base.errors import InvalidArgumentError
from ...ir.strings import wrap_string
from .source import INFINITE, UNKNOWN, Pass, Source
from .structure import Element


def make_empty() -> Source:
    """No elements."""
    return Source(lambda run: iter(()), 0)


def count_up(start: int, stop: int, step: int, dtype: np.dtype[Any]) -> Source:
    """The numbers of a range."""
    if step == 0:
        raise InvalidArgumentError(None, None, "step must be a non-zero integer.")
    numbers = range(start, stop, step)
    make = dtype.type
    return Source(lambda run: ((np.asarray(make(i)),) for i in numbers), len(numbers))


def count_on(start: int, step: int, dtype: np.dtype[Any]) -> Source:
    """Numbers without end."""
    make = dtype.type
    return Source(lambda run: ((np.asarray(make(i)),) for i in itertools.count(start, step)), INFINITE)


def make_single(element: Element) -> Source:
    """An element."""
    return Source(lambda run: iter((element,)), 1)


def scalar(value: Any) -> Any:
    """A number or a string as an array."""
    return np.asarray(wrap_string(value))


def rows(columns: Sequence[Any], count: int) -> Source:
    """The rows of arrays."""
    if len(columns) == 1 and columns[0].ndim > 1:
        (column,) = columns
        return Source(lambda run: ((row,) for row in column), count)

    def elements(run: Pass) -> Iterator[Element]:
        return zip(*(column if column.ndim > 1 else map(scalar, column) for column in columns), strict=True)

    return Source(elements, count)


def repeat_elements(source: Source, count: int) -> Source:
    """The elements `count` times; below 0, without end."""
    if count in (0, 1):
        return source if count else make_empty()
    size = source.size * count if source.size >= 0 else source.size
    if count < 0:
        size = 0 if source.size == 0 else INFINITE

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        for _ in itertools.repeat(None) if count < 0 else range(count):
            empty = True
            for element in coming:
                empty = False
                yield element
            if count < 0 and empty:
                return
            coming = source.elements(run)  # after the last, too: TensorFlow draws seeds once more

    return Source(elements, size, source)


def take_first(source: Source, count: int) -> Source:
    """The first `count` elements; below 0, all."""
    if count < 0:
        return source
    size = source.size if source.size == UNKNOWN or 0 <= source.size < count else count
    if count == 0:
        return Source(lambda run: iter(()), size)
    return Source(lambda run, coming: itertools.islice(coming, count), size, source)


def skip_first(source: Source, count: int) -> Source:
    """All but the first `count` elements; below 0, none."""
    if count < 0:
        return make_empty()
    size = max(0, source.size - count) if source.size >= 0 else source.size
    return Source(lambda run, coming: itertools.islice(coming, count, None), size, source)


def join_sources(source: Source, other: Source) -> Source:
    """The elements of two sources, one after the other."""
    sizes = source.size, other.size
    size = INFINITE if INFINITE in sizes else UNKNOWN if UNKNOWN in sizes else sum(sizes)

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        yield from coming
        yield from other.elements(run)

    return Source(elements, size, source)


def zip_sources(sources: Sequence[Source]) -> Source:
    """One element of each source, side by side, as long as all have one."""
    sizes = [source.size for source in sources]
    finite = [size for size in sizes if size >= 0]
    size = UNKNOWN if UNKNOWN in sizes else min(finite) if finite else INFINITE
    join = itertools.chain.from_iterable

    def elements(run: Pass, *coming: Iterator[Element]) -> Iterator[Element]:
        return (tuple(join(parts)) for parts in zip(*coming, strict=False))

    return Source(elements, 0 if 0 in sizes and UNKNOWN not in sizes else size, *sources)


def number_elements(source: Source, start: int) -> Source:
    """The elements, each with its number before it."""

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        return ((np.asarray(np.int64(i)), *element) for i, element in enumerate(coming, start))

    return Source(elements, source.size, source)


def shard(source: Source, number: int, index: int) -> Source:
    """Every `number`-th element, from `index` on."""
    if number <= 0:
        raise InvalidArgumentError(None, None, f"Number of shards must be greater than zero (currently num_shards = {number}).")
    if not 0 <= index < number:
        raise InvalidArgumentError(None, None, f"Index must be between 0 and {number - 1} (currently index = {index}).")
    size = source.size // number + (index < source.size % number) if source.size >= 0 else source.size
    return Source(lambda run, coming: itertools.islice(coming, index, None, number), size, source)
