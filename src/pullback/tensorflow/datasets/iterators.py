"""Iterators over datasets, eagerly and in functions: `iter(dataset)`, `get_next`."""

from __future__ import annotations

import json
from abc import ABCMeta
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Generic, Self

from ...base.counterparts import name_class
from ...base.dtypes import resource
from ...base.errors import OutOfRangeError
from ...base.export import export
from ...control.cond import cond
from ...ir.composite import CompositeTensor
from ...ir.context import current
from ...ir.tensor import HandleTensor
from ...ir.tracebacks import trims_errors
from ...ir.type_spec import describe
from ...trace.autograph_kinds import GraphLoops
from ...train.trackable import PythonState
from .described import Described
from .element_spec import ElementSpec
from .operations import ANONYMOUS_ITERATOR, GET_NEXT, GET_NEXT_AS_OPTIONAL, HAS_NEXT, IteratorState
from .optional import Optional
from .structure import E_co, Layout

#: How often an iterator gives the next element to a function that AutoGraph does not rewrite: more is a loop without an end.
_MOST_TAKEN = 32


@export(v2="data.Iterator")
class IteratorBase(Described, GraphLoops, Generic[E_co], metaclass=ABCMeta):  # as TensorFlow's
    """What goes through the elements of a dataset: `next`, `get_next` and `for`.

    >>> iterator = iter(tf.data.Dataset.range(2))
    >>> isinstance(iterator, tf.data.Iterator), next(iterator).numpy(), iterator.get_next().numpy()
    (True, np.int64(0), np.int64(1))
    """

    _layout: Layout
    _resource: Any

    @property
    def element_spec(self) -> Any:
        """The specs of the tensors in an element, nested as they are."""
        return self._layout.spec

    def get_next(self, name: str | None = None) -> E_co:
        """The next element; OutOfRangeError where there is none."""
        return self._layout.pack(GET_NEXT(self._resource, **self._layout.attributes, name=name))

    def get_next_as_optional(self) -> Optional[E_co]:
        """The next element, or none where there is none."""
        return Optional(GET_NEXT_AS_OPTIONAL(self._resource, **self._layout.attributes), self._layout.spec)

    def _graph_loop(self) -> tuple[Callable[[], Any], Callable[[], Any]]:
        return lambda: HAS_NEXT(self._resource), self.get_next

    def _next_or(self, *default: Any) -> Any:
        """`next(iterator)` or `next(iterator, default)` in a function."""
        return cond(HAS_NEXT(self._resource), self.get_next, lambda: default[0]) if default else self.get_next()

    _builtins: ClassVar[dict[str, Callable[..., Any]]] = {"next": _next_or}


@name_class("data.ops.iterator_ops.OwnedIterator")
class OwnedIterator(IteratorBase[E_co], CompositeTensor, PythonState):
    """The iterator that `iter(dataset)` gives.

    A checkpoint keeps its place.  A restored one begins anew with the seeds it had and makes what it had given once more, functions and
    all, to go on behind it.

    >>> import tempfile, pullback as tf
    >>> iterator = iter(tf.data.Dataset.range(5).shuffle(5))
    >>> before = [int(next(iterator)) for _ in range(2)]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(place=iterator).save(folder + "/c")
    ...     rest = [int(i) for i in iterator]
    ...     _ = tf.train.Checkpoint(place=iterator).restore(path)
    >>> [int(i) for i in iterator] == rest
    True
    """

    _counts_as_tensor = False
    _taken_in_graphs = 0

    def __init__(self, dataset: Any = None, element_spec: Any = None, resource: Any = None) -> None:
        self._layout = Layout(element_spec) if dataset is None else dataset._layout
        self._resource = ANONYMOUS_ITERATOR(dataset._variant_tensor) if resource is None else resource

    def __iter__(self) -> Self:
        return self

    @trims_errors
    def __next__(self) -> E_co:
        state = self._eager_state()
        if state is None:
            self._taken_in_graphs += 1
            if self._taken_in_graphs > _MOST_TAKEN:
                raise ValueError(
                    f"More than {_MOST_TAKEN} times next(iterator) in a graph. `for element in iterator` needs AutoGraph: leave "
                    "`autograph=True`, and keep the function's source where Python finds it"
                )
            return self.get_next()
        element = state.take()
        if element is None:
            raise StopIteration
        return self._layout.eager(element)

    def next(self) -> E_co:
        """`next(iterator)`."""
        return next(self)

    def get_next(self, name: str | None = None) -> E_co:
        """The next element; OutOfRangeError where there is none."""
        state = self._eager_state()
        if state is not None:
            element = state.take()
            if element is None:
                raise OutOfRangeError(None, None, "End of sequence [Op:IteratorGetNext] name: ")
            return self._layout.eager(element)
        return super().get_next(name)

    def _eager_state(self) -> IteratorState | None:
        """The iterator itself, where operations run at once."""
        resource: Any = self._resource
        return resource.value if isinstance(resource, HandleTensor) and current().graph is None else None

    # ---- in a checkpoint

    def serialize(self) -> str:
        """Its place, as text."""
        return json.dumps(self._resource.value.save_state())

    def deserialize(self, string_value: Any) -> None:
        """Go to a place."""
        count, drawn = json.loads(string_value)
        self._resource.value.restore(count, [tuple(place) for place in drawn])

    # ---- as an argument of a function

    def _components(self) -> list[Any]:
        return [self._resource]

    def _from_components(self, parts: Sequence[Any]) -> OwnedIterator[E_co]:
        return OwnedIterator(element_spec=self._layout.spec, resource=parts[0])

    @property
    def _form(self) -> Any:
        return self._layout.key

    @property
    def _type_spec(self) -> IteratorSpec:
        return IteratorSpec(self._layout.spec)


@export(v2="data.IteratorSpec")
class IteratorSpec(ElementSpec):
    """The spec of an iterator over elements of a spec.

    >>> iterator = iter(tf.data.Dataset.range(3))
    >>> first = tf.function(lambda it: it.get_next(), input_signature=[tf.data.IteratorSpec(tf.TensorSpec([], tf.int64))])
    >>> first(iterator).numpy(), first(iterator).numpy()
    (np.int64(0), np.int64(1))
    """

    _holder = resource

    @property
    def value_type(self) -> type[OwnedIterator]:
        """The class of what it describes."""
        return OwnedIterator

    def _from_components(self, parts: Sequence[Any]) -> OwnedIterator:
        return OwnedIterator(element_spec=self._element_spec, resource=parts[0])


describe([OwnedIterator], lambda iterator: iterator._type_spec)
