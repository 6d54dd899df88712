"""`tf.data.experimental`: older names of methods, as functions for `Dataset.apply`, and questions about datasets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...base.dtypes import int64
from ...base.errors import FailedPreconditionError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import DTypeLike, IntLike, ShapeLike, Tensor, TensorLike
from ...ops.constant import TensorSpec
from .dataset import DatasetBase, count_of
from .grouping import reduce_by_key
from .iterators import IteratorBase
from .methods import AUTOTUNE, Dataset
from .optional import Optional
from .source import INFINITE, Pass, Source
from .structure import Element, R, arguments
from .traced import TracedFunction

Transformation = Callable[[Any], Any]


# ---- questions


@export("data.experimental.cardinality")
def cardinality(dataset: DatasetBase) -> Tensor:
    """How many elements a dataset has, as `Dataset.cardinality`.

    >>> int(tf.data.experimental.cardinality(tf.data.Dataset.range(3)))
    3
    """
    return dataset.cardinality()


@export("data.experimental.get_single_element")
def get_single_element(dataset: Dataset[R]) -> R:
    """The element of a dataset that has one, as `Dataset.get_single_element`.

    >>> int(tf.data.experimental.get_single_element(tf.data.Dataset.range(4, 5)))
    4
    """
    return dataset.get_single_element()


@export("data.experimental.get_structure")
def get_structure(dataset_or_iterator: object) -> Any:
    """The spec of the elements of a dataset or an iterator; a TypeError for anything else.

    >>> tf.data.experimental.get_structure(tf.data.Dataset.range(3))
    TensorSpec(shape=(), dtype=tf.int64, name=None)
    """
    if not isinstance(dataset_or_iterator, (DatasetBase, IteratorBase)):
        text = "Invalid `dataset_or_iterator`. `dataset_or_iterator` must be a `tf.data.Dataset` or `tf.data.Iterator` object, but got"
        raise TypeError(f"{text} {type(dataset_or_iterator)}.")
    return dataset_or_iterator.element_spec


@export("data.experimental.get_next_as_optional")
def get_next_as_optional(iterator: IteratorBase[R]) -> Optional[R]:
    """The next element of an iterator, or none where there is none.

    >>> iterator = iter(tf.data.Dataset.range(1))
    >>> [bool(tf.data.experimental.get_next_as_optional(iterator).has_value()) for _ in range(2)]
    [True, False]
    """
    return iterator.get_next_as_optional()


@export("data.experimental.assert_cardinality")
def assert_cardinality(expected_cardinality: object) -> Transformation:
    """For `Dataset.apply`: says how many elements there are; FailedPreconditionError, at the end, where there are others.

    >>> dataset = tf.data.Dataset.range(5).filter(lambda i: i > 1).apply(tf.data.experimental.assert_cardinality(3))
    >>> len(dataset)
    3
    """

    def transformation(dataset: DatasetBase) -> Any:
        count = count_of(expected_cardinality, "expected_cardinality")
        return dataset._then("_AssertCardinalityDataset", dataset.element_spec, lambda source, n: _check_count(source, int(n)), count)

    return transformation


def _check_count(source: Source, count: int) -> Source:
    def count_error(found: str) -> FailedPreconditionError:
        wanted = "an infinite number of elements" if count == INFINITE else f"{count} elements"
        return FailedPreconditionError(None, None, f"Input dataset was expected to contain {wanted} but contained {found}.")

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        number = 0
        for element in coming:
            number += 1
            if number > count >= 0:
                raise count_error(f"at least {number} elements")
            yield element
        if number != count:
            raise count_error(f"only {number} elements")

    return Source(elements, count, source)


# ---- datasets


@export("data.experimental.from_list")
def from_list(elements: Sequence[Any], name: str | None = None) -> Dataset:
    """A dataset of the elements of a list, nested alike.

    >>> [(int(a), s.numpy()) for a, s in tf.data.experimental.from_list([(1, "a"), (2, "b")])]
    [(1, b'a'), (2, b'b')]
    """
    if not elements:
        raise ValueError(
            "Invalid `elements`. `elements` should not be empty. If you want an empty dataset, use `tf.data.Dataset.range(0)`."
        )
    made = Dataset.from_tensors(elements[0])
    for element in elements[1:]:
        made = made.concatenate(Dataset.from_tensors(element))
    return made


@export("data.experimental.Counter")
def Counter(start: TensorLike = 0, step: IntLike | None = 1, dtype: DTypeLike = "int64") -> Dataset[Tensor]:
    """`Dataset.counter`.

    >>> [int(i) for i in tf.data.experimental.Counter(3).take(2)]
    [3, 4]
    """
    return Dataset.counter(start, step, dtype)


@export("data.experimental.RandomDataset")
class RandomDataset(Dataset[Tensor]):
    """`Dataset.random`.

    >>> tf.data.experimental.RandomDataset(seed=4).element_spec
    TensorSpec(shape=(), dtype=tf.int64, name=None)
    """

    def __new__(cls, seed: Any = None, rerandomize_each_iteration: bool | None = None, name: str | None = None) -> Any:
        """The dataset."""
        return Dataset.random(seed, rerandomize_each_iteration, name)


@export("data.experimental.sample_from_datasets")
def sample_from_datasets(
    datasets: Sequence[Dataset[R]], weights: TensorLike | None = None, seed: IntLike | None = None, stop_on_empty_dataset: bool = False
) -> Dataset[R]:
    """`Dataset.sample_from_datasets`.

    >>> len(list(tf.data.experimental.sample_from_datasets([tf.data.Dataset.range(3), tf.data.Dataset.range(4)])))
    7
    """
    return Dataset.sample_from_datasets(datasets, weights, seed, stop_on_empty_dataset)


@export("data.experimental.choose_from_datasets")
def choose_from_datasets(
    datasets: Sequence[DatasetBase[R]], choice_dataset: DatasetBase[Tensor], stop_on_empty_dataset: bool = False
) -> Dataset[R]:
    """`Dataset.choose_from_datasets`.

    >>> ones, choices = tf.data.Dataset.from_tensors(1), tf.data.Dataset.range(1)
    >>> [int(i) for i in tf.data.experimental.choose_from_datasets([ones], choices)]
    [1]
    """
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


# ---- for `Dataset.apply`


@export("data.experimental.bucket_by_sequence_length")
def bucket_by_sequence_length(
    element_length_func: Callable[..., Any], bucket_boundaries: Sequence[int], bucket_batch_sizes: Sequence[int],
    padded_shapes: object = None, padding_values: object = None, pad_to_bucket_boundary: bool = False, no_padding: bool = False,
    drop_remainder: bool = False,
) -> Transformation:  # fmt: skip
    """For `Dataset.apply`: `Dataset.bucket_by_sequence_length`.

    >>> words = tf.data.Dataset.from_tensor_slices([1, 3]).map(lambda n: tf.fill([n], n))
    >>> length = lambda word: tf.shape(word)[0]
    >>> len(list(words.apply(tf.data.experimental.bucket_by_sequence_length(length, [2], [1, 1]))))
    2
    """
    given = padded_shapes, padding_values, pad_to_bucket_boundary, no_padding, drop_remainder
    return lambda dataset: dataset.bucket_by_sequence_length(element_length_func, bucket_boundaries, bucket_batch_sizes, *given)


@export("data.experimental.dense_to_ragged_batch")
def dense_to_ragged_batch(batch_size: IntLike, drop_remainder: bool = False, row_splits_dtype: DTypeLike = "int64") -> Transformation:
    """For `Dataset.apply`: `Dataset.ragged_batch`.

    >>> rows = tf.data.Dataset.range(1, 3).map(lambda n: tf.fill([n], n))
    >>> [batch.to_list() for batch in rows.apply(tf.data.experimental.dense_to_ragged_batch(2))]
    [[[1], [2, 2]]]
    """
    return lambda dataset: dataset.ragged_batch(batch_size, drop_remainder, row_splits_dtype)


@export("data.experimental.enumerate_dataset")
def enumerate_dataset(start: TensorLike = 0) -> Transformation:
    """For `Dataset.apply`: `Dataset.enumerate`.

    >>> [int(i) for i, _ in tf.data.Dataset.range(2).apply(tf.data.experimental.enumerate_dataset(5))]
    [5, 6]
    """
    return lambda dataset: dataset.enumerate(start)


@export("data.experimental.group_by_window")
def group_by_window(
    key_func: Callable[..., Any], reduce_func: Callable[..., Any], window_size: object = None,
    window_size_func: Callable[..., Any] | None = None,
) -> Transformation:  # fmt: skip
    """For `Dataset.apply`: `Dataset.group_by_window`.

    >>> group = tf.data.experimental.group_by_window(lambda i: i % 2, lambda key, group: group.batch(9), 2)
    >>> [g.numpy().tolist() for g in tf.data.Dataset.range(4).apply(group)]
    [[0, 2], [1, 3]]
    """
    return lambda dataset: dataset.group_by_window(key_func, reduce_func, window_size, window_size_func)


@export("data.experimental.dense_to_sparse_batch")
def dense_to_sparse_batch(batch_size: IntLike, row_shape: ShapeLike) -> Transformation:
    """For `Dataset.apply`: `Dataset.sparse_batch`.

    >>> rows = tf.data.Dataset.range(1, 3).map(lambda n: tf.fill([n], n))
    >>> [tf.sparse.to_dense(b).numpy().tolist() for b in rows.apply(tf.data.experimental.dense_to_sparse_batch(2, [2]))]
    [[[1, 0], [2, 2]]]
    """
    return lambda dataset: dataset.sparse_batch(batch_size, row_shape)


@export("data.experimental.Reducer")
class Reducer:
    """How the elements of one key become one: a state from the key, the next from a state and an element, the result from the last state.

    >>> count = tf.data.experimental.Reducer(lambda key: 0, lambda state, element: state + 1, lambda state: state)
    >>> odd_or_even = tf.data.experimental.group_by_reducer(lambda i: i % 2, count)
    >>> [int(n) for n in tf.data.Dataset.range(5).apply(odd_or_even)]
    [3, 2]
    """

    def __init__(self, init_func: Callable[..., Any], reduce_func: Callable[..., Any], finalize_func: Callable[..., Any]) -> None:
        self.init_func, self.reduce_func, self.finalize_func = init_func, reduce_func, finalize_func


@export("data.experimental.group_by_reducer")
def group_by_reducer(key_func: Callable[..., Any], reducer: Reducer) -> Transformation:
    """For `Dataset.apply`: what a `Reducer` makes of the elements of each key (an int64 scalar of an element), the keys in order.

    >>> total = tf.data.experimental.Reducer(lambda key: key * 0, lambda total, i: total + i, lambda total: total)
    >>> [int(n) for n in tf.data.Dataset.range(5).apply(tf.data.experimental.group_by_reducer(lambda i: i % 2, total))]
    [6, 4]
    """
    what = "tf.data.experimental.group_by_reducer()"

    def transformation(dataset: Any) -> Any:
        key = dataset._trace_function(lambda *element: convert_to_tensor(key_func(*element), int64), what)
        init = TracedFunction(reducer.init_func, (TensorSpec([], int64),), what)
        reduce = TracedFunction(reducer.reduce_func, (init.spec, dataset.element_spec), what)
        if reduce.spec != init.spec:
            raise TypeError(f"The element types for the new state must match the initial state. Expected {init.spec}; got {reduce.spec}.")
        finalize = TracedFunction(reducer.finalize_func, arguments(init.spec), what)
        functions = key, init, reduce, finalize

        def build(source: Source, *captured: Any) -> Source:
            rest = iter(captured)
            return reduce_by_key(source, *[(f, [next(rest) for _ in f.captured]) for f in functions])

        return dataset._then("_GroupByReducerDataset", finalize.spec, build, *[t for f in functions for t in f.captured])

    return transformation


@export("data.experimental.ignore_errors")
def ignore_errors(log_warning: bool = False) -> Transformation:
    """For `Dataset.apply`: `Dataset.ignore_errors`.

    >>> len(list(tf.data.Dataset.range(2).apply(tf.data.experimental.ignore_errors())))
    2
    """
    return lambda dataset: dataset.ignore_errors(log_warning)


@export("data.experimental.map_and_batch")
def map_and_batch(
    map_func: Callable[..., Any], batch_size: IntLike, num_parallel_batches: object = None, drop_remainder: object = False,
    num_parallel_calls: object = None,
) -> Transformation:  # fmt: skip
    """For `Dataset.apply`: `Dataset.map`, then `Dataset.batch`.

    >>> [b.numpy().tolist() for b in tf.data.Dataset.range(2).apply(tf.data.experimental.map_and_batch(lambda i: i + 1, 2))]
    [[1, 2]]
    """
    parallel = num_parallel_calls if num_parallel_batches is None else AUTOTUNE
    return lambda dataset: dataset.map(map_func, parallel).batch(batch_size, drop_remainder)


@export("data.experimental.parallel_interleave")
def parallel_interleave(
    map_func: Callable[..., Any], cycle_length: object, block_length: object = 1, sloppy: bool = False,
    buffer_output_elements: object = None, prefetch_input_elements: object = None,
) -> Transformation:  # fmt: skip
    """For `Dataset.apply`: `Dataset.interleave`.

    >>> pairs = tf.data.experimental.parallel_interleave(lambda i: tf.data.Dataset.from_tensors(i).repeat(2), 2)
    >>> [int(i) for i in tf.data.Dataset.range(2).apply(pairs)]
    [0, 1, 0, 1]
    """
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length, AUTOTUNE)


@export("data.experimental.prefetch_to_device")
def prefetch_to_device(device: object, buffer_size: IntLike | None = None) -> Transformation:
    """For `Dataset.apply`: `Dataset.prefetch`; there is one device.

    >>> len(tf.data.Dataset.range(2).apply(tf.data.experimental.prefetch_to_device("/cpu:0")))
    2
    """
    return lambda dataset: dataset.prefetch(AUTOTUNE if buffer_size is None else buffer_size)


@export("data.experimental.copy_to_device")
def copy_to_device(target_device: object, source_device: object = "/cpu:0") -> Transformation:
    """For `Dataset.apply`: the dataset itself; there is one device.

    >>> len(tf.data.Dataset.range(2).apply(tf.data.experimental.copy_to_device("/cpu:0")))
    2
    """
    return lambda dataset: dataset


@export("data.experimental.rejection_resample")
def rejection_resample(
    class_func: Callable[..., TensorLike], target_dist: TensorLike, initial_dist: TensorLike | None = None, seed: IntLike | None = None
) -> Transformation:
    """For `Dataset.apply`: `Dataset.rejection_resample`.

    >>> halves = tf.data.experimental.rejection_resample(lambda i: tf.cast(i % 2, tf.int32), [0.5, 0.5], [0.5, 0.5])
    >>> [(int(number), int(i)) for number, i in tf.data.Dataset.range(3).apply(halves)]
    [(0, 0), (1, 1), (0, 2)]
    """
    return lambda dataset: dataset.rejection_resample(class_func, target_dist, initial_dist, seed)


@export("data.experimental.scan")
def scan(initial_state: object, scan_func: Callable[..., Any]) -> Transformation:
    """For `Dataset.apply`: `Dataset.scan`.

    >>> counted = tf.data.experimental.scan(0, lambda n, i: (n + 1, n))
    >>> [int(n) for n in tf.data.Dataset.range(5, 7).apply(counted)]
    [0, 1]
    """
    return lambda dataset: dataset.scan(initial_state, scan_func)


@export("data.experimental.shuffle_and_repeat")
def shuffle_and_repeat(buffer_size: IntLike, count: IntLike | None = None, seed: IntLike | None = None) -> Transformation:
    """For `Dataset.apply`: `Dataset.shuffle`, then `Dataset.repeat`.

    >>> len(tf.data.Dataset.range(3).apply(tf.data.experimental.shuffle_and_repeat(3, 2)))
    6
    """
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


@export("data.experimental.take_while")
def take_while(predicate: Callable[..., Any]) -> Transformation:
    """For `Dataset.apply`: `Dataset.take_while`.

    >>> [int(i) for i in tf.data.Dataset.range(9).apply(tf.data.experimental.take_while(lambda i: i < 2))]
    [0, 1]
    """
    return lambda dataset: dataset.take_while(predicate)


@export("data.experimental.unbatch")
def unbatch() -> Transformation:
    """For `Dataset.apply`: `Dataset.unbatch`.

    >>> [int(i) for i in tf.data.Dataset.range(2).batch(2).apply(tf.data.experimental.unbatch())]
    [0, 1]
    """
    return lambda dataset: dataset.unbatch()


@export("data.experimental.unique")
def unique() -> Transformation:
    """For `Dataset.apply`: `Dataset.unique`.

    >>> [int(i) for i in tf.data.Dataset.range(2).repeat(2).apply(tf.data.experimental.unique())]
    [0, 1]
    """
    return lambda dataset: dataset.unique()


# ---- folders


@export("data.experimental.save")
def save(
    dataset: Dataset, path: Any, compression: str | None = None, shard_func: Callable[..., Any] | None = None, checkpoint_args: Any = None
) -> None:
    """`Dataset.save`.

    >>> path = getfixture("tmp_path") / "numbers"
    >>> tf.data.experimental.save(tf.data.Dataset.range(2), path)
    >>> [int(i) for i in tf.data.experimental.load(path)]
    [0, 1]
    """
    dataset.save(path, compression, shard_func, checkpoint_args)


@export("data.experimental.load")
def load(path: Any, element_spec: Any = None, compression: str | None = None, reader_func: Callable[..., Any] | None = None) -> Dataset:
    """`Dataset.load`.

    >>> path = getfixture("tmp_path") / "words"
    >>> tf.data.Dataset.from_tensors("a").save(path)
    >>> [word.numpy() for word in tf.data.experimental.load(path)]
    [b'a']
    """
    return Dataset.load(path, element_spec, compression, reader_func)
