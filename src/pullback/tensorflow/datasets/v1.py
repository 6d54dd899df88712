"""TensorFlow 1's datasets and iterators, which sessions run."""

# What TensorFlow 2 says of datasets, said again of this class below.
# mypy: disable-error-code="override, no-overload-impl"

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Never, overload

import numpy as np

from ...base import nest
from ...base.counterparts import name_class
from ...base.dtypes import as_dtype, string
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.apply import Site, convert_to_tensor
from ...ir.context import current
from ...ir.op import define
from ...ir.tensor import SymbolicTensor, Tensor, TensorType
from ...ops.constant import TensorSpec
from ..queues.operations import resource_type, share_resource
from .dataset import DatasetBase
from .described import Described, get_output_shapes, get_output_types
from .iterators import IteratorBase
from .methods import Dataset
from .operations import ANONYMOUS_ITERATOR, ITERATOR, MAKE_ITERATOR, ONCE, IteratorState
from .structure import E_co, Layout, R, flatten, map_leaves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...ir.node import Node
    from ...ir.tensor import DTypeLike, IntLike, TensorLike
    from .structure import Anyhow, Column, Holds, K, Nest, S, Ts, Value, W


def _to_string(resource_handle: IteratorState, *, site: Site) -> Any:
    found = np.empty((), object)
    found[()] = resource_handle.string().encode()
    site.memory.setdefault("iterators", {})[found[()]] = resource_handle
    return found


def _from_string(string_handle: Any, *, site: Site, output_types: Any, output_shapes: Any) -> IteratorState:
    found: IteratorState | None = site.memory.get("iterators", {}).get(string_handle[()])
    if found is None:
        raise InvalidArgumentError(None, None, f"Could not find iterator for the string handle {string_handle[()]!r} in this session")
    return found


ONE_SHOT_ITERATOR = define(
    "OneShotIterator", "dataset:variant", resource_type,
    lambda dataset, *, site: share_resource(site, "", lambda name: IteratorState(name, dataset)), {}, outputs="handle", **ONCE,
)  # fmt: skip
TO_STRING = define(
    "IteratorToStringHandle", "resource_handle:R", lambda resource_handle: TensorType((), string), _to_string, {},
    outputs="string_handle", **ONCE,
)  # fmt: skip
FROM_STRING = define(
    "IteratorFromStringHandleV2", "string_handle:string", resource_type,
    _from_string, {}, outputs="resource_handle", **ONCE,
)  # fmt: skip


@export(v1="data.Dataset")
class DatasetV1(Described, Dataset[E_co]):
    """TensorFlow 1's `tf.data.Dataset`: that of TensorFlow 2, and iterators for sessions.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     following = tf1.data.Dataset.range(3).map(lambda i: i * i).make_one_shot_iterator().get_next()
    ...     [int(session.run(following)) for _ in range(3)]
    [0, 1, 4]
    """

    @classmethod
    def _family(cls) -> type[DatasetV1[Any]]:
        return DatasetV1

    @classmethod
    def _class_of(cls, kind: str) -> type[DatasetV1[Any]]:
        return DatasetV1Adapter

    if TYPE_CHECKING:  # what makes a dataset of other elements makes one of this class

        @overload
        @classmethod
        def from_tensors(cls, tensors: tuple[Value, Value], name: str | None = ...) -> DatasetV1[tuple[Tensor, Tensor]]: ...
        @overload
        @classmethod
        def from_tensors(cls, tensors: Mapping[K, Value], name: str | None = ...) -> DatasetV1[dict[K, Tensor]]: ...
        @overload
        @classmethod
        def from_tensors(cls, tensors: Value, name: str | None = ...) -> DatasetV1[Tensor]: ...
        @overload
        @classmethod
        def from_tensors(cls, tensors: Nest, name: str | None = ...) -> DatasetV1[Any]: ...
        @overload
        @classmethod
        def from_tensor_slices(cls, tensors: tuple[Column, Column], name: str | None = ...) -> DatasetV1[tuple[Tensor, Tensor]]: ...
        @overload
        @classmethod
        def from_tensor_slices(cls, tensors: Mapping[K, Column], name: str | None = ...) -> DatasetV1[dict[K, Tensor]]: ...
        @overload
        @classmethod
        def from_tensor_slices(cls, tensors: Column, name: str | None = ...) -> DatasetV1[Tensor]: ...
        @overload
        @classmethod
        def from_tensor_slices(cls, tensors: Nest, name: str | None = ...) -> DatasetV1[Any]: ...
        @classmethod
        def range(cls, *args: IntLike, output_type: DTypeLike = ..., name: str | None = ..., **options: Any) -> DatasetV1[Tensor]: ...
        @classmethod
        def from_generator(
            cls, generator: Callable[..., Any], output_types: object = ..., output_shapes: object = ..., args: Any = ...,
            output_signature: object = ..., name: str | None = ...,
        ) -> DatasetV1[Any]: ...  # fmt: skip
        @overload
        @classmethod
        def zip(cls, datasets: tuple[DatasetBase[R], DatasetBase[S]], *, name: str | None = ...) -> DatasetV1[tuple[R, S]]: ...
        @overload
        @classmethod
        def zip(cls, *args: Nest, datasets: Nest = ..., name: str | None = ...) -> DatasetV1[Any]: ...
        @overload
        def map(
            self: DatasetV1[Never], map_func: Anyhow[R],
            num_parallel_calls: object = ..., deterministic: bool | None = ..., name: str | None = ...,
        ) -> DatasetV1[R]: ...  # fmt: skip
        @overload
        def map(
            self: DatasetV1[tuple[*Ts]], map_func: Callable[[*Ts], R],
            num_parallel_calls: object = ..., deterministic: bool | None = ..., name: str | None = ...,
        ) -> DatasetV1[R]: ...  # fmt: skip
        @overload
        def map(
            self: DatasetV1[W], map_func: Callable[[W], R],
            num_parallel_calls: object = ..., deterministic: bool | None = ..., name: str | None = ...,
        ) -> DatasetV1[R]: ...  # fmt: skip
        @overload
        def filter(self: DatasetV1[Never], predicate: Anyhow[Holds], name: str | None = ...) -> DatasetV1[Any]: ...
        @overload
        def filter(self: DatasetV1[tuple[*Ts]], predicate: Callable[[*Ts], Holds], name: str | None = ...) -> DatasetV1[tuple[*Ts]]: ...
        @overload
        def filter(self: DatasetV1[W], predicate: Callable[[W], Holds], name: str | None = ...) -> DatasetV1[W]: ...
        @overload
        def flat_map(self: DatasetV1[Never], map_func: Anyhow[DatasetBase[R]], name: str | None = ...) -> DatasetV1[R]: ...
        @overload
        def flat_map(self: DatasetV1[tuple[*Ts]], map_func: Callable[[*Ts], DatasetBase[R]], name: str | None = ...) -> DatasetV1[R]: ...
        @overload
        def flat_map(self: DatasetV1[W], map_func: Callable[[W], DatasetBase[R]], name: str | None = ...) -> DatasetV1[R]: ...
        @overload
        def interleave(
            self: DatasetV1[Never], map_func: Anyhow[DatasetBase[R]],
            cycle_length: IntLike | None = ..., block_length: IntLike | None = ...,
            num_parallel_calls: object = ..., deterministic: bool | None = ..., name: str | None = ...,
        ) -> DatasetV1[R]: ...  # fmt: skip
        @overload
        def interleave(
            self: DatasetV1[tuple[*Ts]], map_func: Callable[[*Ts], DatasetBase[R]],
            cycle_length: IntLike | None = ..., block_length: IntLike | None = ...,
            num_parallel_calls: object = ..., deterministic: bool | None = ..., name: str | None = ...,
        ) -> DatasetV1[R]: ...  # fmt: skip
        @overload
        def interleave(
            self: DatasetV1[W], map_func: Callable[[W], DatasetBase[R]],
            cycle_length: IntLike | None = ..., block_length: IntLike | None = ...,
            num_parallel_calls: object = ..., deterministic: bool | None = ..., name: str | None = ...,
        ) -> DatasetV1[R]: ...  # fmt: skip
        def enumerate(self, start: IntLike = ..., name: str | None = ...) -> DatasetV1[tuple[Tensor, E_co]]: ...
        def concatenate(self, dataset: DatasetBase[R], name: str | None = ...) -> DatasetV1[E_co | R]: ...

    def make_one_shot_iterator(self) -> IteratorV1[E_co]:
        """An iterator that begins by itself, once in each session.  ValueError where the dataset reads placeholders or variables."""
        return make_one_shot_iterator(self)

    def make_initializable_iterator(self, shared_name: str | None = None) -> IteratorV1[E_co]:
        """An iterator that begins when its `initializer` is run, and again whenever it is."""
        return make_initializable_iterator(self, shared_name)

    def map_with_legacy_function(
        self, map_func: Callable[..., Any], num_parallel_calls: object = None, deterministic: bool | None = None
    ) -> Dataset[Any]:  # fmt: skip
        """`map`."""
        return self.map(map_func, num_parallel_calls, deterministic)

    def filter_with_legacy_function(self, predicate: Callable[..., Any]) -> Dataset[Any]:
        """`filter`."""
        return self.filter(predicate)


class DatasetV1Adapter(DatasetV1[E_co]):
    """The class of all that is made of TensorFlow 1's datasets, as in TensorFlow."""


@export(v1="data.Iterator")
@name_class("data.ops.iterator_ops.Iterator")
class IteratorV1(IteratorBase[E_co]):
    """An iterator whose elements a session gets.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     size = tf1.placeholder(tf1.int64, [])
    ...     iterator = tf1.data.Dataset.range(size).make_initializable_iterator()
    ...     following = iterator.get_next()
    ...     session.run(iterator.initializer, {size: 2})
    ...     [int(session.run(following)) for _ in range(2)]
    [0, 1]
    """

    def __init__(self, iterator_resource: Any, initializer: Any, output_types: Any, output_shapes: Any, output_classes: Any) -> None:
        self._resource = iterator_resource
        self._layout = Layout(_specs(output_types, output_shapes))
        self._initializer = initializer

    @classmethod
    def _of(cls, resource: Any, initializer: Any, element_spec: Any) -> IteratorV1:
        made = cls.__new__(cls)
        made._resource, made._initializer, made._layout = resource, initializer, Layout(element_spec)
        return made

    @staticmethod
    def from_structure(
        output_types: Any, output_shapes: Any = None, shared_name: str | None = None, output_classes: Any = None
    ) -> IteratorV1:
        """An iterator for any dataset of such elements, which `make_initializer` makes it go through."""
        spec = _specs(output_types, output_shapes)
        attributes = Layout(spec).attributes
        return IteratorV1._of(ITERATOR(shared_name=shared_name or "", **attributes), None, spec)

    @staticmethod
    def from_string_handle(
        string_handle: TensorLike, output_types: Any, output_shapes: Any = None, output_classes: Any = None
    ) -> IteratorV1:
        """The iterator whose `string_handle` this is; mostly a placeholder's, so that what is fed decides."""
        spec = _specs(output_types, output_shapes)
        handle = convert_to_tensor(string_handle, string)
        return IteratorV1._of(FROM_STRING(handle, **Layout(spec).attributes), None, spec)

    @property
    def initializer(self) -> Node:
        """The operation that makes the iterator begin; a ValueError for one that has none of its own."""
        if self._initializer is None:
            raise ValueError(
                "The iterator does not have an initializer. This means it was likely created using "
                "`tf.data.Dataset.make_one_shot_iterator()`. For an initializable iterator, use "
                "`tf.data.Dataset.make_initializable_iterator()` instead."
            )
        return self._initializer

    def make_initializer(self, dataset: DatasetBase[E_co], name: str | None = None) -> Node:
        """The operation that makes the iterator begin with a dataset; a TypeError for one of other elements."""
        wanted, given = flatten(self.element_spec), flatten(dataset.element_spec)
        if len(wanted) != len(given) or [getattr(s, "dtype", s) for s in wanted] != [getattr(s, "dtype", s) for s in given]:
            text = f"Expected output types {get_output_types(self)!r} but got dataset with output types {get_output_types(dataset)!r}."
            raise TypeError(text)
        if not all(one.is_compatible_with(other) for one, other in zip(wanted, given, strict=True)):
            text = f"Expected output shapes compatible with {get_output_shapes(self)!r} but got dataset with output shapes"
            raise TypeError(f"{text} {get_output_shapes(dataset)!r}.")
        return MAKE_ITERATOR(dataset._variant_tensor, self._resource, name=name or "make_initializer")

    def string_handle(self, name: str | None = None) -> Tensor:
        """What names the iterator in a session, a string scalar, to be fed where `from_string_handle` has a placeholder."""
        return TO_STRING(self._resource, name=name)


def _specs(output_types: Any, output_shapes: Any) -> Any:
    if output_shapes is None:
        return map_leaves(lambda dtype: TensorSpec(None, as_dtype(dtype)), output_types)
    shapes = nest.flatten_up_to(output_types, output_shapes)
    specs = iter([TensorSpec(shape, as_dtype(dtype)) for shape, dtype in zip(shapes, flatten(output_types), strict=True)])
    return map_leaves(lambda _: next(specs), output_types)


@export(v1="data.make_one_shot_iterator")
def make_one_shot_iterator(dataset: DatasetBase[R]) -> IteratorV1[R]:
    """An iterator that begins by itself, once in each session; eagerly, `iter(dataset)`.

    >>> int(tf.compat.v1.data.make_one_shot_iterator(tf.data.Dataset.range(3)).get_next())
    0
    """
    handle = dataset._variant_tensor
    if not isinstance(handle, SymbolicTensor):
        if current().graph is None or current().graph.captures_others:  # type: ignore[union-attr]  # there is one
            return IteratorV1._of(ANONYMOUS_ITERATOR(handle), None, dataset.element_spec)
    elif (node := _reads_from_outside(handle)) is not None:
        raise ValueError(
            f"{node} A likely cause of this error is that the dataset for which you are calling `make_one_shot_iterator()` captures a "
            "stateful object, such as a `tf.Variable` or `tf.lookup.StaticHashTable`, which is not supported. Use "
            "`make_initializable_iterator()` instead."
        )
    return IteratorV1._of(ONE_SHOT_ITERATOR(handle), None, dataset.element_spec)


def _reads_from_outside(handle: SymbolicTensor) -> str | None:
    """What a dataset reads that one run of it cannot keep."""
    seen, todo = set(), [handle.node]
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.primitive.name.startswith("Placeholder"):
            return f"Cannot capture a placeholder (name:{node.name}, type:{node.primitive.name}) by value."
        if node.primitive.name == "VarHandleOp":
            return f"Cannot capture a stateful node (name:{node.name}, type:{node.primitive.name}) by value."
        todo += [tensor.node for tensor in node.inputs]
    return None


@export(v1="data.make_initializable_iterator")
def make_initializable_iterator(dataset: DatasetBase[R], shared_name: str | None = None) -> IteratorV1[R]:
    """An iterator that begins when its `initializer` is run, and again whenever it is.  RuntimeError in eager execution.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     iterator = tf1.data.make_initializable_iterator(tf1.data.Dataset.range(3))
    ...     following = iterator.get_next()
    ...     session.run(iterator.initializer)
    ...     int(session.run(following))
    0
    """
    if current().graph is None:
        raise RuntimeError("`make_initializable_iterator()` is not supported in eager mode. Use Python-style iteration instead.")
    handle = ITERATOR(shared_name=shared_name or "", **dataset._layout.attributes)
    return IteratorV1._of(handle, MAKE_ITERATOR(dataset._variant_tensor, handle), dataset.element_spec)
