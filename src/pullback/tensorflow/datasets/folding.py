"""Sources that carry something from element to element: `scan`, `cache`, `unique`, `take_while`; and `reduce`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import Any

from ...base.errors import InvalidArgumentError, OpError
from ...ir.type_spec import TypeSpec
from .batching import as_array
from .source import INFINITE, UNKNOWN, Pass, Source
from .structure import Element, flatten, map_leaves
from .traced import TracedFunction


def scan_elements(source: Source, function: TracedFunction, count: int, values: Sequence[Any]) -> Source:
    """The outputs of a function of a state, `count` tensors, and an element, which gives a state and an output."""
    initial, captured = tuple(values[:count]), values[count:]

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        call = function.bind_captures(run, captured)
        state = initial
        for element in coming:
            found = tuple(call((*state, *element)))
            state = found[:count]
            yield found[count:]

    return Source(elements, source.size, source)


def reduce_elements(source: Source, function: TracedFunction, count: int, values: Sequence[Any]) -> Element:
    """The last state, each of which the function makes of the one before and an element."""
    run = Pass()
    call, state = function.bind_captures(run, values[count:]), tuple(values[:count])
    for element in source.elements(run):
        state = tuple(call((*state, *element)))
    return state


def trace_with_state(make: Callable[[Any], tuple[TracedFunction, Any]], state: object) -> TracedFunction:
    """The function traced for a state whose spec all states have; its sizes become unknown where they change.

    make: traces it for the spec of a state, and says the spec of the state that it returns.
    """
    while True:
        function, after = make(state)
        wider = _join_state(state, after)
        if wider == state:
            return function
        state = wider


def _join_state(before: Any, after: Any) -> Any:
    one, other = flatten(before), flatten(after)
    if len(one) != len(other):
        raise TypeError(f"The element types for the new state must match the initial state. Expected {before}; got {after}.")
    made = iter([_widen_spec(a, b) for a, b in zip(one, other, strict=True)])
    return map_leaves(lambda _: next(made), before)


def _widen_spec(a: TypeSpec, b: TypeSpec) -> TypeSpec:
    if type(a) is not type(b) or getattr(a, "dtype", None) != getattr(b, "dtype", None):
        raise TypeError(f"The element types for the new state must match the initial state. Expected {a}; got {b}.")
    found: TypeSpec | None = a.most_specific_common_supertype([b])
    if found is None:
        raise TypeError(f"The element classes for the new state must match the initial state. Expected {a}; got {b}.")
    return found


def take_while(source: Source, function: TracedFunction, captured: Sequence[Any]) -> Source:
    """The elements before the first for which the function does not hold."""

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        call = function.bind_captures(run, captured)
        return itertools.takewhile(lambda element: bool(call(element)[0]), coming)

    return Source(elements, UNKNOWN, source)


class Cached(Source):
    """Elements that are kept once all have been made."""

    def __init__(self, source: Source) -> None:
        super().__init__(self._keep, source.size, source)
        self._kept: list[Element] | None = None
        self._lock = Lock()

    def elements(self, run: Pass) -> Iterator[Element]:
        """An iterator over what is kept, or over the source."""
        return super().elements(run) if self._kept is None else iter(self._kept)

    def _keep(self, run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        found = []
        for element in coming:
            found.append(element)
            yield element
        with self._lock:
            self._kept = found


def unique(source: Source) -> Source:
    """Each element once."""

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        seen = set()
        for element in coming:
            key = tuple([(array.shape, array.tobytes() if array.dtype != object else array[()]) for array in map(as_array, element)])
            if key not in seen:
                seen.add(key)
                yield element

    return Source(elements, UNKNOWN, source)


def skip_errors(source: Source, tell: Callable[[OpError], None] | None) -> Source:
    """The elements that can be made."""

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        while True:
            try:
                element = next(coming, None)
            except OpError as error:
                if tell is not None:
                    tell(error)
                continue
            if element is None:
                return
            yield element

    return Source(elements, source.size if source.size in (0, INFINITE) else UNKNOWN, source)


def get_single(source: Source) -> Element:
    """The element of a source that has one; an InvalidArgumentError where it has none or more."""
    coming = iter(source.elements(Pass()))
    found = next(coming, None)
    if found is None:
        raise InvalidArgumentError(None, None, "Dataset was empty.")
    if next(coming, None) is not None:
        raise InvalidArgumentError(None, None, "Dataset had more than one element.")
    return found
