"""`tf.data.Dataset`: what programs call on a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..base.counterparts import known_as
from ..base.dtypes import bool as bool_
from ..base.dtypes import int64
from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.context import current
from ..ops.constant import TensorSpec
from ..ops.random.seed import get_seed
from . import mapping, sequence, shuffling, threads
from .batching import Batcher, batched, batched_spec
from .creation import Created
from .dataset import DatasetSpec
from .structure import arguments, map_leaves
from .traced import TracedFunction

#: A size that is chosen for the machine, where an argument allows it.
AUTOTUNE = export(v2="data.AUTOTUNE")(-1)


def _count(value: Any, name: str) -> Any:
    return convert_to_tensor(value, int64, name=name)


@export(v2="data.Dataset")
@known_as("data.ops.dataset_ops.DatasetV2")
class Dataset(Created):
    """Elements that can be gone through again and again, and what can be made of them.

    >>> import pullback as tf
    >>> dataset = tf.data.Dataset.range(10).filter(lambda i: i % 2 == 0).map(lambda i: i * i).batch(3)
    >>> [batch.numpy().tolist() for batch in dataset]
    [[0, 4, 16], [36, 64]]
    """

    @property
    def _builtins(self) -> dict[str, Callable[..., Any]]:  # type: ignore[override]  # of this very dataset
        return {"enumerate": Dataset.enumerate, "zip": lambda *datasets: self.zip(datasets), "len": Dataset.cardinality}

    def as_numpy_iterator(self) -> Iterator[Any]:
        """The elements as NumPy arrays (strings as bytes), nested as they are.

        >>> import pullback as tf
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

    def map(
        self, map_func: Callable[..., Any], num_parallel_calls: Any = None, deterministic: bool | None = None,
        synchronous: bool | None = None, use_unbounded_threadpool: bool = False, name: str | None = None,
    ) -> Any:  # fmt: skip
        """The dataset of `map_func` of each element; a tuple is given as several arguments.

        The function is traced once, as `tf.function` does, AutoGraph included.  It may return any nest of tensors, ragged and sparse
        ones, datasets and None.  num_parallel_calls: how many elements may be worked on at once (`tf.data.AUTOTUNE`); they keep their
        order.

        >>> import pullback as tf
        >>> dataset = tf.data.Dataset.from_tensor_slices(([1, 2], [10, 20])).map(lambda x, y: {"sum": x + y})
        >>> [int(element["sum"]) for element in dataset]
        [11, 22]
        """
        function = self._traced(map_func, "Dataset.map()")
        kind = "_MapDataset" if num_parallel_calls is None else "_ParallelMapDataset"
        build = lambda source, *captured: mapping.mapped(source, function, captured)
        return self._then(kind, function.spec, build, *function.captured)

    def _traced(self, function: Callable[..., Any], what: str) -> TracedFunction:
        return TracedFunction(function, arguments(self.element_spec), what)

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Any:
        """The elements for which `predicate`, which gives a boolean scalar, holds.

        >>> import pullback as tf
        >>> [int(i) for i in tf.data.Dataset.range(5).filter(lambda i: i > 2)]
        [3, 4]
        """
        function = self._traced(predicate, "Dataset.filter()")
        if not isinstance(function.spec, TensorSpec) or not function.spec.is_compatible_with(TensorSpec([], bool_)):
            raise ValueError(
                f"Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor, but its return type is {function.spec}."
            )
        build = lambda source, *captured: mapping.filtered(source, function, captured)
        return self._then("_FilterDataset", self.element_spec, build, *function.captured)

    def enumerate(self, start: Any = 0, name: str | None = None) -> Any:
        """The elements, each after its number.

        >>> import pullback as tf
        >>> [(int(i), s.numpy()) for i, s in tf.data.Dataset.from_tensor_slices(["a", "b"]).enumerate(5)]
        [(5, b'a'), (6, b'b')]
        """
        spec = (TensorSpec([], int64), self.element_spec)
        return self._then("_ZipDataset", spec, lambda source, first: sequence.numbered(source, int(first)), _count(start, "start"))

    # ---- which elements, in which order

    def take(self, count: Any, name: str | None = None) -> Any:
        """The first `count` elements; all for -1.

        >>> import pullback as tf
        >>> len(tf.data.Dataset.range(10).take(3))
        3
        """
        return self._then("_TakeDataset", self.element_spec, lambda source, n: sequence.first(source, int(n)), _count(count, "count"))

    def skip(self, count: Any, name: str | None = None) -> Any:
        """All but the first `count` elements; none for -1.

        >>> import pullback as tf
        >>> [int(i) for i in tf.data.Dataset.range(5).skip(3)]
        [3, 4]
        """
        build = lambda source, n: sequence.without_first(source, int(n))
        return self._then("_SkipDataset", self.element_spec, build, _count(count, "count"))

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Any:
        """Every `num_shards`-th element, from number `index` on.

        >>> import pullback as tf
        >>> [int(i) for i in tf.data.Dataset.range(7).shard(3, 1)]
        [1, 4]
        """
        build = lambda source, number, i: sequence.shard(source, int(number), int(i))
        return self._then("_ShardDataset", self.element_spec, build, _count(num_shards, "num_shards"), _count(index, "index"))

    def repeat(self, count: Any = None, name: str | None = None) -> Any:
        """The elements `count` times over; without end for None and -1.

        >>> import pullback as tf
        >>> [int(i) for i in tf.data.Dataset.range(2).repeat(2)]
        [0, 1, 0, 1]
        """
        build = lambda source, n: shuffling.repeat(source, int(n), sequence.repeated(source, int(n)))
        return self._then("_RepeatDataset", self.element_spec, build, _count(-1 if count is None else count, "count"))

    def concatenate(self, dataset: Any, name: str | None = None) -> Any:
        """The elements of this dataset, then those of another.

        >>> import pullback as tf
        >>> [int(i) for i in tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(5, 7))]
        [0, 1, 5, 6]
        """
        specs = zip(self._layout.leaves, dataset._layout.leaves, strict=False)
        common = [mine.most_specific_common_supertype([theirs]) for mine, theirs in specs]
        if None in common or len(dataset._layout.leaves) != len(common):
            raise TypeError(f"Incompatible dataset elements:\n  {self.element_spec} vs.   {dataset.element_spec}")
        rest = iter(common)
        spec = map_leaves(lambda _: next(rest), self.element_spec)
        return self._built("_ConcatenateDataset", spec, sequence.joined, (), (self, dataset))

    def shuffle(self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: bool | None = None, name: str | None = None) -> Any:
        """The elements in random order: each is drawn from a buffer of the next `buffer_size` (`UNKNOWN_CARDINALITY`: of all).

        The order is TensorFlow's for the same `seed` and `tf.random.set_seed`.  reshuffle_each_iteration: whether each iteration has an
        order of its own, as it does by default.

        >>> import pullback as tf
        >>> [int(i) for i in tf.data.Dataset.range(6).shuffle(6, seed=1, reshuffle_each_iteration=False)]
        [3, 5, 0, 4, 1, 2]
        """
        seeds = get_seed(seed)
        again = reshuffle_each_iteration is None or bool(reshuffle_each_iteration)
        build = lambda source, size, *pair: shuffling.Shuffled(source, int(size), int(pair[0]), int(pair[1]), again)
        tensors = [_count(s or 0, name) for s, name in zip(seeds, ("seed", "seed2"), strict=True)]
        return self._then("_ShuffleDataset", self.element_spec, build, _count(buffer_size, "buffer_size"), *tensors)

    # ---- together

    def batch(
        self, batch_size: Any, drop_remainder: Any = False, num_parallel_calls: Any = None, deterministic: bool | None = None,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """Batches of `batch_size` elements, stacked along a new first axis.  drop_remainder: leave a last one that is smaller out.

        Elements of unequal shapes raise InvalidArgumentError; `padded_batch` and `ragged_batch` take those.

        >>> import pullback as tf
        >>> [b.numpy().tolist() for b in tf.data.Dataset.range(5).batch(2)]
        [[0, 1], [2, 3], [4]]
        """
        size = _count(batch_size, "batch_size")
        drops = bool(drop_remainder)
        known = size.constant
        spec = batched_spec(self.element_spec, int(known) if drops and known is not None else None)
        batcher = Batcher(self._layout)
        build = lambda source, n: batched(source, int(n), drops, batcher)
        return self._then("_BatchDataset" if num_parallel_calls is None else "_ParallelBatchDataset", spec, build, size)

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Any:
        """The elements, up to `buffer_size` of which a thread makes ahead.

        >>> import pullback as tf
        >>> [int(i) for i in tf.data.Dataset.range(3).prefetch(tf.data.AUTOTUNE)]
        [0, 1, 2]
        """
        return self._then("_PrefetchDataset", self.element_spec, _prefetched, _count(buffer_size, "buffer_size"))


def _prefetched(source: Any, room: Any) -> Any:
    if room < -1:
        raise InvalidArgumentError(None, None, "buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning")
    return threads.prefetched(source, _AHEAD if room == -1 else int(room)) if room else source


_AHEAD = 4


def _as_numpy(value: Any) -> Any:
    return value.numpy() if hasattr(value, "numpy") else value


DatasetSpec.maker = Dataset
__all__ = ["AUTOTUNE", "Dataset"]
