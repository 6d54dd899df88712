"""`tf.data.Dataset`: what programs call on a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Never, Self, overload

from ...base.counterparts import name_class
from ...base.dtypes import bool as bool_, int64
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.context import current
from ...ir.tensor import IntLike, NumberLike, Tensor, TensorLike
from ...ops.constant import TensorSpec, constant
from ...ops.effects.operations import Assert
from ...ops.primitives.compare import logical_and, logical_or
from ...ops.random.seed import get_seed
from . import mapping, sequence, shuffling, threads
from .batching import batch_elements, batched_spec, batcher
from .creation import Created
from .dataset import DatasetBase, DatasetSpec, common_spec, count_of
from .folded import Folded
from .gathered import Gathered
from .options import Options, apply_fusing
from .resampling import resample
from .structure import Anyhow, E_co, Holds, R, Ts, Value, W, map_leaves

#: A size that is chosen for the machine, where an argument allows it.
AUTOTUNE = export("data.AUTOTUNE", "data.experimental.AUTOTUNE")(-1)


@export(v2="data.Dataset")
@name_class("data.ops.dataset_ops.DatasetV2")
class Dataset(Created[E_co], Gathered[E_co], Folded[E_co]):
    """Elements that can be gone through again and again, and what can be made of them.

    >>> dataset = tf.data.Dataset.range(10).filter(lambda i: i % 2 == 0).map(lambda i: i * i).batch(3)
    >>> [batch.numpy().tolist() for batch in dataset]
    [[0, 4, 16], [36, 64]]
    """

    @classmethod
    def _family(cls) -> type[Dataset[Any]]:
        return Dataset

    @property
    def _builtins(self) -> dict[str, Callable[..., Any]]:  # type: ignore[override]  # of this very dataset
        found = constant(False), constant(True)
        return {
            "enumerate": Dataset.enumerate, "zip": lambda *datasets: self.zip(datasets), "len": _length,
            "map": lambda function, dataset: dataset.map(function), "filter": lambda function, dataset: dataset.filter(function),
            "any": lambda dataset: dataset.reduce(found[0], logical_or), "all": lambda dataset: dataset.reduce(found[1], logical_and),
        }  # fmt: skip

    def as_numpy_iterator(self) -> Iterator[Any]:
        """The elements as NumPy arrays (strings as bytes), nested as they are.

        >>> list(tf.data.Dataset.from_tensor_slices([1.0, 2.0]).as_numpy_iterator())
        [np.float32(1.0), np.float32(2.0)]
        """
        if current().graph is not None:
            raise RuntimeError("`tf.data.Dataset.as_numpy_iterator()` is only supported in eager mode.")
        for leaf in self._layout.leaves:
            if isinstance(leaf, DatasetSpec):
                text = "`tf.data.Dataset.as_numpy_iterator()` is not supported for datasets that produce values of type"
                raise TypeError(f"{text} {leaf.value_type}")
        layout = self._layout
        return (map_leaves(_as_numpy, layout.eager(element)) for element in self._elements())

    # ---- each element by itself

    @overload
    def map(  # type: ignore[overload-overlap]  # nothing is known of the elements
        self: Dataset[Never], map_func: Anyhow[R], num_parallel_calls: object = ..., deterministic: bool | None = ...,
        synchronous: bool | None = ..., use_unbounded_threadpool: bool = ..., name: str | None = ...,
    ) -> Dataset[R]: ...  # fmt: skip
    @overload
    def map(
        self: Dataset[tuple[*Ts]], map_func: Callable[[*Ts], Value], num_parallel_calls: object = ..., deterministic: bool | None = ...,
        synchronous: bool | None = ..., use_unbounded_threadpool: bool = ..., name: str | None = ...,
    ) -> Dataset[Tensor]: ...  # fmt: skip
    @overload
    def map(
        self: Dataset[tuple[*Ts]], map_func: Callable[[*Ts], R], num_parallel_calls: object = ..., deterministic: bool | None = ...,
        synchronous: bool | None = ..., use_unbounded_threadpool: bool = ..., name: str | None = ...,
    ) -> Dataset[R]: ...  # fmt: skip
    @overload
    def map(
        self: Dataset[W], map_func: Callable[[W], Value], num_parallel_calls: object = ..., deterministic: bool | None = ...,
        synchronous: bool | None = ..., use_unbounded_threadpool: bool = ..., name: str | None = ...,
    ) -> Dataset[Tensor]: ...  # fmt: skip
    @overload
    def map(
        self: Dataset[W], map_func: Callable[[W], R], num_parallel_calls: object = ..., deterministic: bool | None = ...,
        synchronous: bool | None = ..., use_unbounded_threadpool: bool = ..., name: str | None = ...,
    ) -> Dataset[R]: ...  # fmt: skip
    def map(
        self, map_func: Callable[..., Any], num_parallel_calls: Any = None, deterministic: bool | None = None,
        synchronous: bool | None = None, use_unbounded_threadpool: bool = False, name: str | None = None,
    ) -> Dataset[Any]:  # fmt: skip
        """The dataset of `map_func` of each element; a tuple is given as several arguments.

        The function is traced once, as `tf.function` does, AutoGraph included.  It may return any nest of tensors, ragged and sparse
        ones, datasets and None.  num_parallel_calls: how many elements may be worked on at once (`tf.data.AUTOTUNE`); they keep their
        order.

        >>> dataset = tf.data.Dataset.from_tensor_slices(([1, 2], [10, 20])).map(lambda x, y: {"sum": x + y})
        >>> [int(element["sum"]) for element in dataset]
        [11, 22]
        """
        function = self._trace_function(map_func, "Dataset.map()")
        if num_parallel_calls is None:
            build = lambda source, *captured: mapping.map_elements(source, function, captured)
            return self._then("_MapDataset", function.spec, build, *function.captured)
        side_by_side = lambda source, n, *captured: mapping.map_elements(source, function, captured, _width(int(n)), int(n) == AUTOTUNE)
        width = count_of(num_parallel_calls, "num_parallel_calls")
        return self._then("_ParallelMapDataset", function.spec, side_by_side, width, *function.captured)

    @overload
    def filter(self: Dataset[Never], predicate: Anyhow[Holds], name: str | None = ...) -> Dataset[Any]: ...
    @overload
    def filter(self: Dataset[tuple[*Ts]], predicate: Callable[[*Ts], Holds], name: str | None = ...) -> Dataset[tuple[*Ts]]: ...
    @overload
    def filter(self: Dataset[W], predicate: Callable[[W], Holds], name: str | None = ...) -> Dataset[W]: ...
    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset[Any]:
        """The elements for which `predicate`, which gives a boolean scalar, holds.

        >>> [int(i) for i in tf.data.Dataset.range(5).filter(lambda i: i > 2)]
        [3, 4]
        """
        function = self._trace_function(predicate, "Dataset.filter()")
        if not isinstance(function.spec, TensorSpec) or not function.spec.is_compatible_with(TensorSpec([], bool_)):
            raise ValueError(
                f"Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor, but its return type is {function.spec}."
            )
        build = lambda source, *captured: mapping.filter_elements(source, function, captured)
        return self._then("_FilterDataset", self.element_spec, build, *function.captured)

    def enumerate(self, start: IntLike = 0, name: str | None = None) -> Dataset[tuple[Tensor, E_co]]:
        """The elements, each after its number.

        >>> [(int(i), s.numpy()) for i, s in tf.data.Dataset.from_tensor_slices(["a", "b"]).enumerate(5)]
        [(5, b'a'), (6, b'b')]
        """
        spec = (TensorSpec([], int64), self.element_spec)
        return self._then("_ZipDataset", spec, lambda source, first: sequence.number_elements(source, int(first)), count_of(start, "start"))

    # ---- which elements, in which order

    def take(self, count: IntLike, name: str | None = None) -> Self:
        """The first `count` elements; all for -1.

        >>> len(tf.data.Dataset.range(10).take(3))
        3
        """
        return self._then(
            "_TakeDataset", self.element_spec, lambda source, n: sequence.take_first(source, int(n)), count_of(count, "count")
        )

    def skip(self, count: IntLike, name: str | None = None) -> Self:
        """All but the first `count` elements; none for -1.

        >>> [int(i) for i in tf.data.Dataset.range(5).skip(3)]
        [3, 4]
        """
        build = lambda source, n: sequence.skip_first(source, int(n))
        return self._then("_SkipDataset", self.element_spec, build, count_of(count, "count"))

    def shard(self, num_shards: object, index: object, name: str | None = None) -> Self:
        """Every `num_shards`-th element, from number `index` on.

        >>> [int(i) for i in tf.data.Dataset.range(7).shard(3, 1)]
        [1, 4]
        """
        build = lambda source, number, i: sequence.shard(source, int(number), int(i))
        return self._then("_ShardDataset", self.element_spec, build, count_of(num_shards, "num_shards"), count_of(index, "index"))

    def repeat(self, count: IntLike | None = None, name: str | None = None) -> Self:
        """The elements `count` times over; without end for None and -1.

        >>> [int(i) for i in tf.data.Dataset.range(2).repeat(2)]
        [0, 1, 0, 1]
        """
        build = lambda source, n: shuffling.repeat(source, int(n), sequence.repeat_elements(source, int(n)))
        return self._then("_RepeatDataset", self.element_spec, build, count_of(-1 if count is None else count, "count"))

    def concatenate(self, dataset: DatasetBase[R], name: str | None = None) -> Dataset[E_co | R]:
        """The elements of this dataset, then those of another.

        >>> [int(i) for i in tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(5, 7))]
        [0, 1, 5, 6]
        """
        refusal = f"Incompatible dataset elements:\n  {self.element_spec} vs.   {dataset.element_spec}"
        spec = common_spec(self.element_spec, dataset.element_spec, refusal)
        return self._build("_ConcatenateDataset", spec, sequence.join_sources, (), (self, dataset))

    def shuffle(
        self, buffer_size: IntLike, seed: TensorLike | None = None, reshuffle_each_iteration: bool | None = None, name: str | None = None
    ) -> Self:
        """The elements in random order: each is drawn from a buffer of the next `buffer_size` (`UNKNOWN_CARDINALITY`: of all).

        The order is TensorFlow's for the same `seed` and `tf.random.set_seed`.  reshuffle_each_iteration: whether each iteration has an
        order of its own, as it does by default.

        >>> tf.random.set_seed(1)
        >>> [int(i) for i in tf.data.Dataset.range(6).shuffle(6, seed=1, reshuffle_each_iteration=False)]
        [0, 4, 5, 1, 2, 3]
        """
        seeds = get_seed(seed)
        again = reshuffle_each_iteration is None or bool(reshuffle_each_iteration)
        build = lambda source, size, *pair: shuffling.Shuffled(source, int(size), int(pair[0]), int(pair[1]), again)
        tensors = [count_of(s or 0, name) for s, name in zip(seeds, ("seed", "seed2"), strict=True)]
        return self._then("_ShuffleDataset", self.element_spec, build, count_of(buffer_size, "buffer_size"), *tensors)

    # ---- how it goes

    def rejection_resample(
        self, class_func: Anyhow[NumberLike], target_dist: NumberLike, initial_dist: NumberLike | None = None,
        seed: IntLike | None = None, name: str | None = None,
    ) -> Dataset[tuple[Tensor, E_co]]:  # fmt: skip
        """Pairs of a class and an element, the classes as often as `target_dist` says; some elements are left out, some come twice.

        class_func: the class of an element, an integer below the length of `target_dist`.  initial_dist: how often the classes come in
        this dataset; where it is not given, that is estimated from the elements.

        >>> dataset = tf.data.Dataset.range(1000).rejection_resample(lambda i: tf.cast(i % 10 == 0, tf.int32), [0.5, 0.5], seed=1)
        >>> classes = [int(number) for number, element in dataset]
        >>> 0.3 < sum(classes) / len(classes) < 0.6
        True
        """
        return resample(self, class_func, target_dist, initial_dist, seed)

    def options(self) -> Options:
        """The options of this dataset and of all that it is made of."""
        found = Options()
        for _, dataset in reversed(list(self._ancestry(0))):
            if dataset._own_options is not None:
                found = found.merge(dataset._own_options)
        return found

    def with_options(self, options: Options, name: str | None = None) -> Self:
        """The same elements, gone through as `options` say.

        >>> options = tf.data.Options()
        >>> options.deterministic = False
        >>> tf.data.Dataset.range(3).with_options(options).options().deterministic
        False
        """
        fuses = options.experimental_optimization.fuses_shuffles()
        made = self._then("_OptionsDataset", self.element_spec, lambda source: apply_fusing(source, fuses))
        made._own_options = options
        return made

    # ---- together

    def batch(
        self, batch_size: IntLike, drop_remainder: object = False, num_parallel_calls: object = None, deterministic: bool | None = None,
        name: str | None = None,
    ) -> Self:  # fmt: skip
        """Batches of `batch_size` elements, stacked along a new first axis.  drop_remainder: leave a last one that is smaller out.

        Elements of unequal shapes raise InvalidArgumentError; `padded_batch` and `ragged_batch` take those.

        >>> [b.numpy().tolist() for b in tf.data.Dataset.range(5).batch(2)]
        [[0, 1], [2, 3], [4]]
        """
        size = count_of(batch_size, "batch_size")
        drops = bool(drop_remainder)
        known = size.constant
        spec = batched_spec(self.element_spec, int(known) if drops and known is not None else None)
        batch = batcher(self._layout)
        build = lambda source, n: batch_elements(source, int(n), drops, batch)
        return self._then("_BatchDataset" if num_parallel_calls is None else "_ParallelBatchDataset", spec, build, size)

    def prefetch(self, buffer_size: IntLike, name: str | None = None) -> Self:
        """The elements, up to `buffer_size` of which a thread makes ahead.

        >>> [int(i) for i in tf.data.Dataset.range(3).prefetch(tf.data.AUTOTUNE)]
        [0, 1, 2]
        """
        return self._then("_PrefetchDataset", self.element_spec, _prefetch, count_of(buffer_size, "buffer_size"))


def _length(dataset: Dataset[Any]) -> Any:
    """`len(dataset)` in a function."""
    size = dataset.cardinality()
    Assert(size >= 0, ["the length of a dataset that is infinite or of unknown size:", size])
    return size


def _prefetch(source: Any, room: Any) -> Any:
    if room < -1:
        raise InvalidArgumentError(None, None, "buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning")
    if room == AUTOTUNE:
        return threads.prefetch_if_slow(source, _AHEAD)
    return threads.prefetch_elements(source, int(room)) if room else source


_AHEAD = 4


def _width(parallel: int) -> int:
    """How many threads call a function."""
    if parallel < 1 and parallel != AUTOTUNE:
        raise InvalidArgumentError(None, None, "num_parallel_calls must be greater than zero.")
    return threads.processors() if parallel == AUTOTUNE else parallel


def _as_numpy(value: Any) -> Any:
    return value.numpy() if hasattr(value, "numpy") else value


DatasetSpec.maker = Dataset
