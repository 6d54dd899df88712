"""The operations on datasets and iterators, which functions and graphs run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any

import numpy as np

from ..base.dtypes import DType, int64, resource, variant
from ..base.dtypes import bool as bool_
from ..base.errors import FailedPreconditionError, InvalidArgumentError, OutOfRangeError
from ..ir.apply import Site, wrap
from ..ir.op import define
from ..ir.tensor import Dims, TensorType
from ..ops.batching import once
from ..ops.queues.operations import shared
from .source import Pass, Source
from .structure import Element

Builder = Callable[..., Source]


class IteratorState:
    """An iterator where it runs: an iteration over a source, once it has been started."""

    tensor_dtype = resource
    dtype: DType = resource
    dims: Dims = None

    def __init__(self, name: str, source: Source | None = None) -> None:
        self.name = name
        self._lock = RLock()
        self._next: Callable[[], Element] | None = None
        self._ahead: list[Element] = []
        if source is not None:
            self.start(source)

    def start(self, source: Source) -> None:
        """Begin at the beginning."""
        with self._lock:
            self._ahead = []
            self._next = iter(source.elements(Pass())).__next__

    def take(self) -> Element | None:
        """The next element; None at the end."""
        with self._lock:
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

    def has_next(self) -> bool:
        """Whether there is another element, which is kept until it is taken."""
        with self._lock:
            found = self.take()
            if found is not None:
                self._ahead.append(found)
            return found is not None


class OptionalValue:
    """An element, or none."""

    tensor_dtype = variant
    dtype: DType = variant
    dims: Dims = ()

    def __init__(self, element: Element | None) -> None:
        self.element = element

    def get(self) -> Element:
        """The element; an InvalidArgumentError where there is none."""
        if self.element is None:
            raise InvalidArgumentError(None, None, "The given optional does not have a value.")
        return self.element


def _handle(**_: Any) -> TensorType:
    return TensorType((), resource)


def _types(output_types: Sequence[DType], output_shapes: Sequence[Dims]) -> tuple[TensorType, ...]:
    return tuple(TensorType(dims, dtype) for dtype, dims in zip(output_types, output_shapes, strict=True))


def arrays(element: Element) -> list[Any]:
    """The raw values as operations hand them on."""
    return [wrap(value).value if isinstance(value, (np.generic, bytes)) else value for value in element]


def _get_next(iterator: IteratorState, *, site: Site, output_types: Any, output_shapes: Any) -> list[Any]:
    element = iterator.take()
    if element is None:
        raise OutOfRangeError(None, None, "End of sequence")
    return arrays(element)


def _iterator_type(*, shared_name: str = "", container: str = "", output_types: Any, output_shapes: Any) -> TensorType:
    return TensorType((), resource)


def _iterator(*, site: Site, shared_name: str = "", container: str = "", output_types: Any, output_shapes: Any) -> IteratorState:
    return shared(site, shared_name, IteratorState)


_ONCE: dict[str, Any] = {"stateful": True, "effects": True, "batch": once}
BUILD_DATASET = define(
    "BuildDataset", "*inputs:any", lambda inputs, *, build, kind: TensorType((), variant),
    lambda inputs, *, site, build, kind: build(*inputs), {}, outputs="handle", stateful=True, batch=once,
)  # fmt: skip
ITERATOR = define("IteratorV2", "", _iterator_type, _iterator, {}, outputs="handle", stateful=True, batch=once)
ANONYMOUS_ITERATOR = define(
    "AnonymousIteratorV3", "dataset:variant", lambda dataset: TensorType((), resource),
    lambda dataset, *, site: IteratorState("anonymous", dataset), {}, outputs="handle", **_ONCE,
)  # fmt: skip
MAKE_ITERATOR = define(
    "MakeIterator", "dataset:variant iterator:R", lambda dataset, iterator: (),
    lambda dataset, iterator, *, site: iterator.start(dataset), {}, outputs="", **_ONCE,
)  # fmt: skip
HAS_NEXT = define(
    "IteratorHasNext", "iterator:R", lambda iterator: TensorType((), bool_),
    lambda iterator, *, site: np.asarray(iterator.has_next()), {}, outputs="has_next", **_ONCE,
)  # fmt: skip
GET_NEXT = define(
    "IteratorGetNext", "iterator:R", lambda iterator, *, output_types, output_shapes: _types(output_types, output_shapes),
    _get_next, {}, outputs="*components", **_ONCE,
)  # fmt: skip
GET_NEXT_AS_OPTIONAL = define(
    "IteratorGetNextAsOptional", "iterator:R", lambda iterator, *, output_types, output_shapes: TensorType((), variant),
    lambda iterator, *, site, output_types, output_shapes: OptionalValue(iterator.take()), {}, outputs="optional", **_ONCE,
)  # fmt: skip
CARDINALITY = define(
    "DatasetCardinality", "input_dataset:variant", lambda input_dataset: TensorType((), int64),
    lambda input_dataset, *, site: np.int64(input_dataset.size), {}, outputs="cardinality", stateful=True, batch=once,
)  # fmt: skip
