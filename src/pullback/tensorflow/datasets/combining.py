"""Sources made of several others that functions or numbers choose: `flat_map`, `interleave`, `sample_from_datasets`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...base.errors import InvalidArgumentError
from .shuffling import StreamOfSeeds, numbers
from .source import INFINITE, UNKNOWN, Pass, Source
from .structure import Element
from .traced import TracedFunction


def flat_map(source: Source, function: TracedFunction, captured: Sequence[Any]) -> Source:
    """The elements of the dataset that the function makes of each element."""

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        call = function.bind_captures(run, captured)
        inner = run.inside()
        for element in coming:
            yield from call(element)[0].elements(inner)

    return Source(elements, UNKNOWN, source)


def interleave_sources(source: Source, cycle: int, block: int, function: TracedFunction, captured: Sequence[Any]) -> Source:
    """The same, of `cycle` datasets at a time, `block` elements of each in turn."""
    if block <= 0:
        raise InvalidArgumentError(None, None, "`block_length` must be > 0")
    if cycle <= 0 and cycle != -1:
        raise InvalidArgumentError(None, None, "`cycle_length` must be > 0")
    width = cycle if cycle > 0 else os.cpu_count() or 1

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        call = function.bind_captures(run, captured)
        inner = run.inside()
        open_ones: list[Iterator[Element] | None] = [None] * width
        place, taken, ended = 0, 0, False
        while not ended or any(one is not None for one in open_ones):
            current = open_ones[place]
            if current is None and not ended:
                element = next(coming, None)
                if element is None:
                    ended = True
                    continue
                current = open_ones[place] = iter(call(element)[0].elements(inner))
            if current is not None:
                found = next(current, None)
                if found is not None:
                    yield found
                    taken += 1
                    if taken < block:
                        continue
                else:
                    open_ones[place] = None
            place, taken = (place + 1) % width, 0

    return Source(elements, UNKNOWN, source)


def random_numbers(seed: int, seed2: int, again: bool) -> Source:
    """Random 32-bit numbers without end; again: others in each iteration."""
    seeds = StreamOfSeeds(seed, seed2, again)

    def elements(run: Pass) -> Iterator[Element]:
        return ((np.asarray(np.int64(number)),) for number in numbers(*run.draw(seeds)))

    return Source(elements, INFINITE)


def choose_elements(choices: Source, sources: Sequence[Source], stops: bool) -> Source:
    """The next element of the source that the next choice names; stops: where that has none left, else it is passed over."""

    def elements(run: Pass, choices: Iterator[Element], *coming: Iterator[Element]) -> Iterator[Element]:
        open_ones: list[Iterator[Element] | None] = list(coming)
        left = len(open_ones)
        for choice in choices:
            place = int(choice[0])
            if not 0 <= place < len(open_ones):
                text = f"Selector index out of range: {place} >= {len(open_ones)}"
                raise InvalidArgumentError(None, None, text)
            current = open_ones[place]
            if current is None:
                continue
            found = next(current, None)
            if found is not None:
                yield found
                continue
            open_ones[place], left = None, left - 1
            if stops or not left:
                return

    return Source(elements, UNKNOWN, choices, *sources)
