"""The operations on datasets and iterators, which functions and graphs run."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import RLock
from typing import Any

import numpy as np

from ...base.dtypes import DType, bool as bool_, int64, resource, variant
from ...base.errors import FailedPreconditionError, OpError, OutOfRangeError
from ...ir.apply import Site, wrap
from ...ir.op import define
from ...ir.tensor import Dims, TensorType
from ...ops.batching import write_once
from ...ops.state.variables import Repeating
from ...ops.tensor_list.optional import Nothing
from ...ops.tensor_list.value import ListValue
from ..queues.operations import resource_type, share_resource
from .source import Pass, Source
from .structure import Element

Builder = Callable[..., Source]
Evaluator = Callable[..., Element]


_numbers = itertools.count(1)


class IteratorState(Repeating):
    """An iterator where it runs: an iteration over a source, once it has been started."""

    tensor_dtype = resource
    dtype: DType = resource
    dims: Dims = None

    def __init__(self, name: str, source: Source | None = None) -> None:
        self.name = name
        self._lock = RLock()
        self._next: Callable[[], Element] | None = None
        self._count = 0
        self._ahead: list[Element] = []
        self._taken: list[Element] | None = None
        self._string: str | None = None
        if source is not None:
            self.start(source)

    def string(self) -> str:
        """What names it."""
        if self._string is None:
            self._string = f"{self.name or 'iterator'}/{next(_numbers)}"
        return self._string

    def start(self, source: Source) -> None:
        """Begin at the beginning."""
        with self._lock:
            self._begin(source, Pass())

    def _begin(self, source: Source, run: Pass) -> None:
        self._source, self._run, self._count, self._ahead = source, run, 0, []
        self._next = iter(source.elements(run)).__next__

    def save_state(self) -> tuple[int, list[tuple[int, int, int]]]:
        """How many elements were taken, or failed to be made, and where seeds were drawn: enough to come here again."""
        with self._lock:
            return self._count, list(self._run.drawn)

    def restore(self, count: int, drawn: Sequence[tuple[int, int, int]]) -> None:
        """Begin anew with the same seeds, and pass over what was taken."""
        with self._lock:
            self._begin(self._source, Pass(again=drawn))
            for _ in range(count):
                with suppress(OpError):
                    self.take()

    def take(self) -> Element | None:
        """The next element; None at the end."""
        with self._lock:
            self._count += 1
            found = self._draw()
            if self._taken is not None and found is not None:
                self._taken.append(found)
            return found

    def _draw(self) -> Element | None:
        if self._ahead:
            return self._ahead.pop()
        if self._next is None:
            raise FailedPreconditionError(
                None, None,
                "GetNext() failed because the iterator has not been initialized. Ensure that you have run the initializer operation "
                "for this iterator before getting the next element.",
            )  # fmt: skip
        try:
            return self._next()
        except StopIteration:
            return None

    @contextmanager
    def remembering(self) -> Iterator[None]:
        """A block in which it is remembered what was taken."""
        self._taken = []
        try:
            yield
        finally:
            self._taken = None

    @contextmanager
    def repeating(self) -> Iterator[None]:
        """A block in which what was remembered is taken again."""
        kept, taken = list(self._ahead), self._taken or []
        self._ahead, self._taken = [*kept, *reversed(taken)], None
        try:
            yield
        finally:
            self._ahead, self._taken = kept, taken

    def cancel(self, why: str) -> None:
        """End the iteration, when the session ends; one that is being waited for in another thread goes on."""
        if self._lock.acquire(blocking=False):
            self._next, self._ahead = None, []
            self._lock.release()

    def has_next(self) -> bool:
        """Whether there is another element, which is kept until it is taken."""
        with self._lock:
            found = self._draw()
            if found is not None:
                self._ahead.append(found)
            return found is not None


def _as_optional(iterator: IteratorState, *, site: Site, output_types: Any, output_shapes: Any) -> ListValue | Nothing:
    element = iterator.take()
    return Nothing() if element is None else ListValue(arrays(element))


def element_types(output_types: Sequence[DType], output_shapes: Sequence[Dims]) -> tuple[TensorType, ...]:
    """The types of the tensors in an element."""
    return tuple(TensorType(dims, dtype) for dtype, dims in zip(output_types, output_shapes, strict=True))


def arrays(element: Element) -> list[Any]:
    """The raw values as operations hand them on."""
    return [wrap(value).value if isinstance(value, (np.generic, bytes)) else value for value in element]


def _get_next(iterator: IteratorState, *, site: Site, output_types: Any, output_shapes: Any) -> list[Any]:
    element = iterator.take()
    if element is None:
        raise OutOfRangeError(None, None, "End of sequence")
    return arrays(element)


def _iterator(*, site: Site, shared_name: str = "", container: str = "", output_types: Any, output_shapes: Any) -> IteratorState:
    return share_resource(site, shared_name, IteratorState, container)


ONCE: dict[str, Any] = {"stateful": True, "effects": True, "batch": write_once}
BUILD_DATASET = define(
    "BuildDataset", "*inputs:captured", lambda inputs, *, build, kind: TensorType((), variant),
    lambda inputs, *, site, build, kind: build(*inputs), {}, outputs="handle", stateful=True, batch=write_once,
)  # fmt: skip
ITERATOR = define("IteratorV2", "", resource_type, _iterator, {}, outputs="handle", stateful=True, batch=write_once)
ANONYMOUS_ITERATOR = define(
    "AnonymousIteratorV3", "dataset:variant", resource_type,
    lambda dataset, *, site: IteratorState("anonymous", dataset), {}, outputs="handle", **ONCE,
)  # fmt: skip
MAKE_ITERATOR = define(
    "MakeIterator", "dataset:variant iterator:R", lambda dataset, iterator: (),
    lambda dataset, iterator, *, site: iterator.start(dataset), {}, outputs="", **ONCE,
)  # fmt: skip
HAS_NEXT = define(
    "IteratorHasNext", "iterator:R", lambda iterator: TensorType((), bool_),
    lambda iterator, *, site: np.asarray(iterator.has_next()), {}, outputs="has_next", **ONCE,
)  # fmt: skip
GET_NEXT = define(
    "IteratorGetNext", "iterator:R", lambda iterator, *, output_types, output_shapes: element_types(output_types, output_shapes),
    _get_next, {}, outputs="*components", **ONCE,
)  # fmt: skip
GET_NEXT_AS_OPTIONAL = define(
    "IteratorGetNextAsOptional", "iterator:R", lambda iterator, *, output_types, output_shapes: TensorType((), variant),
    _as_optional, {}, outputs="optional", **ONCE,
)  # fmt: skip
EVALUATE_DATASET = define(
    "EvaluateDataset", "*inputs:captured",
    lambda inputs, *, evaluate, output_types, output_shapes: element_types(output_types, output_shapes),
    lambda inputs, *, site, evaluate, output_types, output_shapes: arrays(evaluate(*inputs)), {}, outputs="*components", **ONCE,
)  # fmt: skip
CARDINALITY = define(
    "DatasetCardinality", "input_dataset:variant", lambda input_dataset: TensorType((), int64),
    lambda input_dataset, *, site: np.int64(input_dataset.size), {}, outputs="cardinality", stateful=True, batch=write_once,
)  # fmt: skip
