"""Sources that gather elements, or take them apart: padded batches, windows, groups, rows."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...base.errors import DataLossError, InvalidArgumentError
from .batching import as_array, batch_elements
from .sequence import scalar
from .source import UNKNOWN, Pass, Source
from .structure import Element
from .traced import Call, TracedFunction

Array = np.ndarray[Any, Any]


def list_source(elements: Sequence[Element]) -> Source:
    """Elements that are there already."""
    return Source(lambda run: iter(elements), len(elements))


# ---- padded batches


def pad_component(parts: Sequence[Any], sizes: Sequence[int], filler: object) -> Array:
    """One component of several elements, each padded to `sizes` (-1: that of the largest)."""
    arrays = [as_array(part) for part in parts]
    for array in arrays:
        if array.ndim != len(sizes):
            text = "All elements in a batch must have the same rank as the padded shape for component"
            raise InvalidArgumentError(None, None, f"{text}: expected rank {len(sizes)} got element with rank {array.ndim}")
    whole = [max(column) if size < 0 else size for size, *column in zip(sizes, *(array.shape for array in arrays), strict=True)]
    if any(n > m for array in arrays for n, m in zip(array.shape, whole, strict=True)):
        raise DataLossError(None, None, "Attempted to pad to a smaller size than the input element.")
    out = np.full((len(arrays), *whole), filler, arrays[0].dtype)
    for i, array in enumerate(arrays):
        out[i : i + 1][(slice(None), *[slice(n) for n in array.shape])] = array
    return out


def pad_batches(source: Source, size: int, drops: bool, shapes: Sequence[Sequence[int]], fillers: Sequence[Any]) -> Source:
    """Batches of elements that are padded to the same shapes."""

    def batch(elements: Sequence[Element]) -> Element:
        columns = zip(*elements, strict=True)
        return tuple([pad_component(column, *how) for column, *how in zip(columns, shapes, fillers, strict=True)])

    return batch_elements(source, size, drops, batch)


def sparse_batch(elements: Sequence[Element], sizes: Sequence[int]) -> Element:
    """Arrays as the parts of one sparse tensor, whose rows have `sizes` (-1: that of the largest)."""
    arrays = [as_array(element[0]) for element in elements]
    if any(array.ndim != len(sizes) for array in arrays):
        raise InvalidArgumentError(None, None, f"Dataset elements must have rank {len(sizes)}, as row_shape has")
    whole = [max(column) if size < 0 else size for size, *column in zip(sizes, *(array.shape for array in arrays), strict=True)]
    if any(n > m for array in arrays for n, m in zip(array.shape, whole, strict=True)):
        raise DataLossError(None, None, f"Dataset element has a shape larger than row_shape, {list(sizes)}")
    places = [np.insert(np.indices(array.shape).reshape(array.ndim, -1).T, 0, i, axis=1) for i, array in enumerate(arrays)]
    shape = np.array([len(arrays), *whole], np.int64)
    return np.concatenate(places).astype(np.int64), np.concatenate([array.reshape(-1) for array in arrays]), shape


# ---- rows


def unbatch_elements(source: Source, count: int | None, rows: Callable[[Element], Iterator[Element]]) -> Source:
    """The rows of each element, `count` where that is known."""
    size = source.size if source.size < 0 else UNKNOWN if count is None else source.size * count
    return Source(lambda run, coming: itertools.chain.from_iterable(map(rows, coming)), size, source)


def rows_of_arrays(element: Element) -> Iterator[Element]:
    """The rows of the arrays in an element."""
    arrays = [as_array(value) for value in element]
    for i, array in enumerate(arrays):
        if len(array) != len(arrays[0]):
            text = "Input element must have the same batch size in each component. Component 0 had size"
            raise InvalidArgumentError(None, None, f"{text} {len(arrays[0])} but component {i} had size, {len(array)}.")
    return zip(*(array if array.ndim > 1 else map(scalar, array) for array in arrays), strict=True)


# ---- windows


def windows(source: Source, size: int, shift: int, stride: int, drops: bool, leaves: Callable[[Element], list[Element]]) -> Source:
    """Each `size` elements, `stride` apart, as datasets, one for each leaf; the next window begins `shift` elements later."""
    for name, value in (("size", size), ("shift", shift), ("stride", stride)):
        if value <= 0:
            raise InvalidArgumentError(None, None, f"Window {name} must be greater than zero.")
    reach = (size - 1) * stride + 1
    number = source.size
    if number >= 0:
        number = max(0, (number - reach) // shift + 1) if drops else -(-number // shift)

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        held: deque[Element] = deque()
        skipped = 0
        while True:
            for element in itertools.islice(coming, skipped):
                del element
            held.extend(itertools.islice(coming, reach - len(held)))
            if not held or (drops and len(held) < reach):
                return
            parts = [leaves(element) for element in itertools.islice(held, 0, None, stride)]
            yield tuple([list_source(column) for column in zip(*parts, strict=True)])
            skipped = max(0, shift - len(held))
            for _ in range(min(shift, len(held))):
                held.popleft()

    return Source(elements, number, source)


# ---- groups


def group_elements(
    source: Source, key: tuple[TracedFunction, Sequence[Any]], reduce: tuple[TracedFunction, Sequence[Any]],
    size: tuple[TracedFunction, Sequence[Any]],
) -> Source:  # fmt: skip
    """What `reduce` makes of each group of elements with the same key, once there are as many as `size` says; of the rest at the end."""

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        key_of, reduced, size_of = (function.bind_captures(run, captured) for function, captured in (key, reduce, size))
        groups: dict[int, list[Element]] = {}
        sizes: dict[int, int] = {}
        for element in coming:
            number = int(key_of(element)[0])
            group = groups.setdefault(number, [])
            group.append(element)
            if number not in sizes:
                sizes[number] = int(size_of((np.int64(number),))[0])
                if sizes[number] <= 0:
                    raise InvalidArgumentError(None, None, f"Window size must be greater than zero, but got {sizes[number]}.")
            if len(group) == sizes[number]:
                yield from _reduce_group(reduced, number, groups.pop(number), run)
        for number in sorted(groups):
            yield from _reduce_group(reduced, number, groups[number], run)

    return Source(elements, UNKNOWN, source)


def reduce_by_key(
    source: Source, key: tuple[TracedFunction, Sequence[Any]], init: tuple[TracedFunction, Sequence[Any]],
    reduce: tuple[TracedFunction, Sequence[Any]], finalize: tuple[TracedFunction, Sequence[Any]],
) -> Source:  # fmt: skip
    """What `finalize` makes of the last state of each key, the keys in order."""

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        key_of, begin, step, end = (function.bind_captures(run, captured) for function, captured in (key, init, reduce, finalize))
        states: dict[int, Element] = {}
        for element in coming:
            number = int(key_of(element)[0])
            if number not in states:
                states[number] = tuple(begin((np.asarray(np.int64(number)),)))
            states[number] = tuple(step((*states[number], *element)))
        return (tuple(end(states[number])) for number in sorted(states))

    return Source(elements, UNKNOWN, source)


def _reduce_group(reduced: Call, number: int, group: list[Element], run: Pass) -> Iterator[Element]:
    (made,) = reduced((np.asarray(np.int64(number)), list_source(group)))
    return made.elements(run.inside())
