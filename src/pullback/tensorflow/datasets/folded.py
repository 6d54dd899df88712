"""Methods of datasets whose functions make datasets, or carry something from element to element."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Never, Self, overload

from ...base.dtypes import bool as bool_, string
from ...base.errors import InvalidArgumentError
from ...base.files import local_path
from ...ir.apply import convert_to_tensor
from ...ir.tensor import IntLike, Tensor, TextLike
from ...ops.constant import TensorSpec
from . import combining, folding, saved
from .batching import as_array
from .dataset import DatasetBase, DatasetSpec, count_of
from .source import Source
from .structure import Anyhow, E_co, Holds, Layout, R, S, Ts, Value, W, as_leaf, flatten, map_leaves, spec_of
from .traced import TracedFunction

if TYPE_CHECKING:
    from .methods import Dataset

_logger = logging.getLogger("pullback")


class Folded(DatasetBase[E_co]):
    """Datasets of datasets, states, and what is kept."""

    def _of_datasets(self, function: Callable[..., Any], what: str) -> TracedFunction:
        made = self._trace_function(function, what)
        if not isinstance(made.spec, DatasetSpec):
            raise TypeError(f"The `map_func` argument must return a `Dataset` object. Got {made.spec!r}.")
        return made

    @overload
    def flat_map(self: DatasetBase[Never], map_func: Anyhow[DatasetBase[R]], name: str | None = ...) -> Dataset[R]: ...
    @overload
    def flat_map(self: DatasetBase[tuple[*Ts]], map_func: Callable[[*Ts], DatasetBase[R]], name: str | None = ...) -> Dataset[R]: ...
    @overload
    def flat_map(self: DatasetBase[W], map_func: Callable[[W], DatasetBase[R]], name: str | None = ...) -> Dataset[R]: ...
    def flat_map(self, map_func: Callable[..., Any], name: str | None = None) -> Dataset[Any]:
        """The elements of the dataset that `map_func` makes of each element, one dataset after the other.

        >>> [int(i) for i in tf.data.Dataset.range(4).flat_map(tf.data.Dataset.range)]
        [0, 0, 1, 0, 1, 2]
        """
        function = self._of_datasets(map_func, "Dataset.flat_map()")
        build = lambda source, *captured: combining.flat_map(source, function, captured)
        return self._then("_FlatMapDataset", function.spec.element_spec, build, *function.captured)

    @overload
    def interleave(
        self: DatasetBase[Never], map_func: Anyhow[DatasetBase[R]], cycle_length: IntLike | None = ...,
        block_length: IntLike | None = ..., num_parallel_calls: IntLike | None = ..., deterministic: bool | None = ...,
        name: str | None = ...,
    ) -> Dataset[R]: ...  # fmt: skip
    @overload
    def interleave(
        self: DatasetBase[tuple[*Ts]], map_func: Callable[[*Ts], DatasetBase[R]], cycle_length: IntLike | None = ...,
        block_length: IntLike | None = ..., num_parallel_calls: IntLike | None = ..., deterministic: bool | None = ...,
        name: str | None = ...,
    ) -> Dataset[R]: ...  # fmt: skip
    @overload
    def interleave(
        self: DatasetBase[W], map_func: Callable[[W], DatasetBase[R]], cycle_length: IntLike | None = ...,
        block_length: IntLike | None = ..., num_parallel_calls: IntLike | None = ..., deterministic: bool | None = ...,
        name: str | None = ...,
    ) -> Dataset[R]: ...  # fmt: skip
    def interleave(
        self, map_func: Callable[..., Any], cycle_length: object = None, block_length: object = None, num_parallel_calls: object = None,
        deterministic: bool | None = None, name: str | None = None,
    ) -> Dataset[Any]:  # fmt: skip
        """The elements of the datasets that `map_func` makes, `cycle_length` of them at a time, `block_length` elements of each in turn.

        >>> dataset = tf.data.Dataset.range(1, 4).interleave(lambda i: tf.data.Dataset.from_tensors(i).repeat(3), 2, 2)
        >>> [int(i) for i in dataset]
        [1, 1, 2, 2, 1, 2, 3, 3, 3]
        """
        if block_length is None:
            block_length = 1
        if cycle_length is None:
            cycle_length = -1
        function = self._of_datasets(map_func, "Dataset.interleave()")
        kind = "_InterleaveDataset" if num_parallel_calls is None else "_ParallelInterleaveDataset"
        build = lambda source, cycle, block, *captured: combining.interleave_sources(source, int(cycle), int(block), function, captured)
        tensors = count_of(cycle_length, "cycle_length"), count_of(block_length, "block_length")
        return self._then(kind, function.spec.element_spec, build, *tensors, *function.captured)

    @overload
    def scan(
        self, initial_state: Value, scan_func: Callable[[Tensor, E_co], tuple[Value, R]], name: str | None = ...
    ) -> Dataset[R]: ...
    @overload
    def scan(self, initial_state: S, scan_func: Callable[[S, E_co], tuple[S, R]], name: str | None = ...) -> Dataset[R]: ...
    def scan(self, initial_state: object, scan_func: Callable[..., Any], name: str | None = None) -> Dataset[Any]:
        """The outputs of `scan_func(state, element)`, which gives the next state and an output.

        >>> sums = tf.data.Dataset.range(1, 5).scan(tf.constant(0, tf.int64), lambda total, i: (total + i, total + i))
        >>> [int(i) for i in sums]
        [1, 3, 6, 10]
        """
        state = map_leaves(as_leaf, initial_state)

        def make(spec: Any) -> tuple[TracedFunction, Any]:
            made = TracedFunction(scan_func, (spec, self.element_spec), "Dataset.scan()")
            if not isinstance(made.spec, tuple) or len(made.spec) != 2:
                text = "Invalid `scan_func`. `scan_func` should return a pair consisting of new state and the output value but its"
                raise TypeError(f"{text} return type is {made.spec}.")
            return made, made.spec[0]

        function = folding.trace_with_state(make, spec_of(state))
        tensors = Layout(function.spec[0]).tensors(state)
        build = lambda source, *values: folding.scan_elements(source, function, len(tensors), values)
        return self._then("_ScanDataset", function.spec[1], build, *tensors, *function.captured)

    @overload
    def reduce(self, initial_state: Value, reduce_func: Callable[[Tensor, E_co], Value], name: str | None = ...) -> Tensor: ...
    @overload
    def reduce(
        self, initial_state: tuple[Value, Value], reduce_func: Callable[[tuple[Tensor, Tensor], E_co], tuple[Value, Value]],
        name: str | None = ...,
    ) -> tuple[Tensor, Tensor]: ...  # fmt: skip
    @overload
    def reduce(self, initial_state: S, reduce_func: Callable[[S, E_co], S], name: str | None = ...) -> S: ...
    def reduce(self, initial_state: object, reduce_func: Callable[..., Any], name: str | None = None) -> Any:
        """The last state, each of which is `reduce_func(state, element)`.

        >>> tf.data.Dataset.range(5).reduce(tf.constant(0, tf.int64), lambda total, i: total + i).numpy()
        np.int64(10)
        """
        state = map_leaves(as_leaf, initial_state)

        def make(spec: Any) -> tuple[TracedFunction, Any]:
            made = TracedFunction(reduce_func, (spec, self.element_spec), "Dataset.reduce()")
            counts = len(flatten(spec)), len(made.layout.leaves)
            if counts[0] != counts[1]:
                found = f"initial_state={counts[0]}, output={counts[1]}"
                text = "The number of components of the initial state and the reduce function output does not match"
                raise InvalidArgumentError(None, None, f"{text} ({found}).")
            return made, made.spec

        function = folding.trace_with_state(make, spec_of(state))
        tensors = Layout(function.spec).tensors(state)
        evaluate = lambda source, *values: folding.reduce_elements(source, function, len(tensors), values)
        return self._evaluate_element(function.spec, evaluate, *tensors, *function.captured)

    def get_single_element(self, name: str | None = None) -> E_co:
        """The element of a dataset that has one; InvalidArgumentError where it has none or more.

        >>> tf.data.Dataset.range(3).batch(3).get_single_element().numpy().tolist()
        [0, 1, 2]
        """
        return self._evaluate_element(self.element_spec, folding.get_single)

    @overload
    def take_while(self: DatasetBase[Never], predicate: Anyhow[Holds], name: str | None = ...) -> Dataset[Any]: ...
    @overload
    def take_while(self: DatasetBase[tuple[*Ts]], predicate: Callable[[*Ts], Holds], name: str | None = ...) -> Dataset[tuple[*Ts]]: ...
    @overload
    def take_while(self: DatasetBase[W], predicate: Callable[[W], Holds], name: str | None = ...) -> Dataset[W]: ...
    def take_while(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset[Any]:
        """The elements before the first for which `predicate` does not hold.

        >>> [int(i) for i in tf.data.Dataset.range(9).take_while(lambda i: i < 2)]
        [0, 1]
        """
        function = self._trace_function(predicate, "Dataset.take_while()")
        if not isinstance(function.spec, TensorSpec) or not function.spec.is_compatible_with(TensorSpec([], bool_)):
            text = "Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor but its return type is"
            raise ValueError(f"{text} {function.spec}.")
        build = lambda source, *captured: folding.take_while(source, function, captured)
        return self._then("_TakeWhileDataset", self.element_spec, build, *function.captured)

    def cache(self, filename: TextLike = "", name: str | None = None) -> Self:
        """The elements, made once and kept when all have been: in memory, or in files whose names begin with `filename`.

        Files are used by later programs too, as long as they are there: delete them where the dataset has changed.
        Raises, while elements are made, AlreadyExistsError where another iterator writes the same files, NotFoundError where their folder
        is missing, InvalidArgumentError for files of elements of other dtypes, and UnimplementedError for datasets as elements of files.

        >>> calls = tf.Variable(0)
        >>> dataset = tf.data.Dataset.range(3).map(lambda i: calls.assign_add(1)).cache()
        >>> [int(i) for i in dataset], [int(i) for i in dataset], int(calls)
        ([1, 2, 3], [1, 2, 3], 3)
        """
        layout = self._layout

        def build(source: Source, name: Any) -> Source:
            start: bytes = as_array(name)[()]
            return saved.FileCache(source, local_path(start), layout) if start else folding.Cached(source)

        return self._then("CacheDataset", self.element_spec, build, convert_to_tensor(filename, string))

    def unique(self, name: str | None = None) -> Self:
        """Each element once, where it comes first.

        >>> [int(i) for i in tf.data.Dataset.from_tensor_slices([1, 37, 2, 37, 2, 1]).unique()]
        [1, 37, 2]
        """
        return self._then("_UniqueDataset", self.element_spec, folding.unique)

    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> Self:
        """The elements that can be made; what raises an error is left out.

        >>> dataset = tf.data.Dataset.from_tensor_slices([1.0, 0.0]).map(lambda x: tf.debugging.check_numerics(1.0 / x, "inf"))
        >>> [float(x) for x in dataset.ignore_errors()]
        [1.0]
        """
        tell = (lambda error: _logger.warning(f"Error raised with error message {error}")) if log_warning else None
        return self._then("_IgnoreErrorsDataset", self.element_spec, lambda source: folding.skip_errors(source, tell))

    def apply(self, transformation_func: Callable[[Self], R]) -> R:
        """`transformation_func` of this dataset, which gives a dataset.

        >>> len(tf.data.Dataset.range(9).apply(lambda dataset: dataset.take(2)))
        2
        """
        made = transformation_func(self)
        if not isinstance(made, DatasetBase):
            raise TypeError(f"`transformation_func` must return a `tf.data.Dataset` object. Got {type(made)}.")
        return made
