"""Sources that call the program's functions: `map`, `filter`, Python generators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...base.errors import InvalidArgumentError, OutOfRangeError
from .source import UNKNOWN, Pass, Source
from .structure import Element
from .threads import side_by_side
from .traced import Call, TracedFunction


def map_elements(
    source: Source, function: TracedFunction, captured: Sequence[Any], parallel: int = 0, where_it_pays: bool = False
) -> Source:
    """The function of each element; parallel: how many threads call it, 0 for none; where_it_pays: or none, where it takes no time."""

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        call = _wrap_call(function.bind_captures(run, captured))
        if parallel:
            return side_by_side(call, coming, parallel, where_it_pays)
        return map(call, coming)  # an error does not end it

    return Source(elements, source.size, source)


def _wrap_call(call: Call) -> Callable[[Element], Element]:
    def call_element(element: Element) -> Element:
        try:
            return tuple(call(element))
        except OutOfRangeError as error:  # which would end the dataset
            raise InvalidArgumentError(None, None, f"Function invocation produced OutOfRangeError: {error}") from error

    return call_element


def filter_elements(source: Source, function: TracedFunction, captured: Sequence[Any]) -> Source:
    """The elements for which the function holds."""

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        call = function.bind_captures(run, captured)
        return filter(lambda element: bool(call(element)[0]), coming)

    return Source(elements, UNKNOWN, source)
