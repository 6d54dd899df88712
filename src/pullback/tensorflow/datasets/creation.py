"""Where datasets come from: tensors, numbers, Python generators, other datasets."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ...base.dtypes import as_dtype, float32, float64, int64, string
from ...base.errors import InvalidArgumentError
from ...base.files import local_path
from ...ir.apply import convert_to_tensor
from ...ir.composite import CompositeTensor
from ...ir.convert import array_of
from ...ir.tensor import DTypeLike, IntLike, Tensor, TensorLike
from ...ops.array.basic import reshape
from ...ops.array.shape import expand_dims
from ...ops.constant import TensorSpec
from ...ops.math.functions import log
from ...ops.primitives.cast import cast
from ...ops.random.seed import get_seed
from ...ops.random.stateless import STATELESS_MULTINOMIAL
from . import combining, saved, sequence
from .batching import as_array
from .dataset import DatasetBase, common_spec
from .generators import generate_elements, signature_of
from .source import INFINITE, UNKNOWN, Source
from .structure import Column, E_co, K, Layout, N, Nest, R, S, Value, as_leaf, flatten, map_leaves, spec_of

if TYPE_CHECKING:
    from .methods import Dataset


class Created(DatasetBase[E_co]):
    """The functions of `tf.data.Dataset` that make datasets."""

    @overload
    @classmethod
    def from_tensors(cls, tensors: N, name: str | None = ...) -> Dataset[N]: ...
    @overload
    @classmethod
    def from_tensors(cls, tensors: tuple[Value, Value], name: str | None = ...) -> Dataset[tuple[Tensor, Tensor]]: ...
    @overload
    @classmethod
    def from_tensors(cls, tensors: tuple[Value, Value, Value], name: str | None = ...) -> Dataset[tuple[Tensor, Tensor, Tensor]]: ...
    @overload
    @classmethod
    def from_tensors(cls, tensors: tuple[Mapping[K, Value], Value], name: str | None = ...) -> Dataset[tuple[dict[K, Tensor], Tensor]]: ...
    @overload
    @classmethod
    def from_tensors(cls, tensors: Mapping[K, Value], name: str | None = ...) -> Dataset[dict[K, Tensor]]: ...
    @overload
    @classmethod
    def from_tensors(cls, tensors: Value, name: str | None = ...) -> Dataset[Tensor]: ...
    @overload
    @classmethod
    def from_tensors(cls, tensors: Nest, name: str | None = ...) -> Dataset[Any]: ...
    @classmethod
    def from_tensors(cls, tensors: object, name: str | None = None) -> Dataset[Any]:
        """A dataset of one element.

        >>> tf.data.Dataset.from_tensors(([1, 2], "a")).element_spec
        (TensorSpec(shape=(2,), dtype=tf.int32, name=None), TensorSpec(shape=(), dtype=tf.string, name=None))
        """
        structure = map_leaves(as_leaf, tensors)
        spec = spec_of(structure)
        return cls._build("_TensorDataset", spec, lambda *values: sequence.make_single(values), Layout(spec).tensors(structure))

    @overload
    @classmethod
    def from_tensor_slices(cls, tensors: N, name: str | None = ...) -> Dataset[N]: ...
    @overload
    @classmethod
    def from_tensor_slices(cls, tensors: tuple[Column, Column], name: str | None = ...) -> Dataset[tuple[Tensor, Tensor]]: ...
    @overload
    @classmethod
    def from_tensor_slices(
        cls, tensors: tuple[Column, Column, Column], name: str | None = ...
    ) -> Dataset[tuple[Tensor, Tensor, Tensor]]: ...
    @overload
    @classmethod
    def from_tensor_slices(
        cls, tensors: tuple[Mapping[K, Column], Column], name: str | None = ...
    ) -> Dataset[tuple[dict[K, Tensor], Tensor]]: ...
    @overload
    @classmethod
    def from_tensor_slices(cls, tensors: Mapping[K, Column], name: str | None = ...) -> Dataset[dict[K, Tensor]]: ...
    @overload
    @classmethod
    def from_tensor_slices(cls, tensors: Column, name: str | None = ...) -> Dataset[Tensor]: ...
    @overload
    @classmethod
    def from_tensor_slices(cls, tensors: Nest, name: str | None = ...) -> Dataset[Any]: ...
    @classmethod
    def from_tensor_slices(cls, tensors: object, name: str | None = None) -> Dataset[Any]:
        """A dataset of the rows of tensors, of a nest of them all of which have as many.

        >>> dataset = tf.data.Dataset.from_tensor_slices({"x": [[1.0, 2.0], [3.0, 4.0]], "y": [0, 1]})
        >>> next(iter(dataset))["x"].numpy().tolist()
        [1.0, 2.0]
        """
        structure = map_leaves(as_leaf, tensors)
        leaves = flatten(structure)
        if any(isinstance(leaf, CompositeTensor) for leaf in leaves):
            return cls.from_tensors(structure)._unbatch("_TensorSliceDataset")
        shapes = [leaf.shape for leaf in leaves]
        if any(shape.rank == 0 for shape in shapes):
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        count = shapes[0][:1]
        for shape in shapes[1:]:
            if not count.is_compatible_with(shape[:1]):
                raise ValueError(f"Dimensions {count[0]} and {shape[0]} are not compatible")
        spec = map_leaves(lambda leaf: TensorSpec(leaf.shape[1:], leaf.dtype), structure)
        return cls._build("_TensorSliceDataset", spec, _slice_rows, leaves)

    @classmethod
    def range(cls, *args: IntLike, output_type: DTypeLike = int64, name: str | None = None, **options: Any) -> Dataset[Tensor]:
        """A dataset of numbers: `range(stop)`, `range(start, stop)` or `range(start, stop, step)`.

        >>> [int(i) for i in tf.data.Dataset.range(5, 0, -2)]
        [5, 3, 1]
        """
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid `args`. The length of `args` should be between 1 and 3 but was {len(args)}.")
        dtype = as_dtype(output_type)
        start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1) if len(args) == 2 else args
        bounds = [convert_to_tensor(bound, int64) for bound in (start, stop, step)]
        build = lambda first, last, by: sequence.count_up(int(first), int(last), int(by), dtype.numpy_dtype)
        return cls._build("_RangeDataset", TensorSpec([], dtype), build, bounds)

    @overload
    @classmethod
    def from_generator(
        cls, generator: Callable[..., Any], *, args: Any = ..., output_signature: TensorSpec, name: str | None = ...
    ) -> Dataset[Tensor]: ...
    @overload
    @classmethod
    def from_generator(
        cls, generator: Callable[..., Any], *, args: Any = ..., output_signature: tuple[TensorSpec, TensorSpec], name: str | None = ...
    ) -> Dataset[tuple[Tensor, Tensor]]: ...
    @overload
    @classmethod
    def from_generator(
        cls, generator: Callable[..., Any], *, args: Any = ..., output_signature: tuple[TensorSpec, TensorSpec, TensorSpec],
        name: str | None = ...,
    ) -> Dataset[tuple[Tensor, Tensor, Tensor]]: ...  # fmt: skip
    @overload
    @classmethod
    def from_generator(
        cls, generator: Callable[..., Any], *, args: Any = ..., output_signature: Mapping[K, TensorSpec], name: str | None = ...
    ) -> Dataset[dict[K, Tensor]]: ...
    @overload
    @classmethod
    def from_generator(
        cls, generator: Callable[..., Any], output_types: object = ..., output_shapes: object = ..., args: Any = ...,
        output_signature: object = ..., name: str | None = ...,
    ) -> Dataset[Any]: ...  # fmt: skip
    @classmethod
    def from_generator(
        cls, generator: Callable[..., Any], output_types: object = None, output_shapes: object = None, args: Any = None,
        output_signature: object = None, name: str | None = None,
    ) -> Dataset[Any]:  # fmt: skip
        """A dataset of what a Python generator yields; `generator` is called (with `args`, as arrays) at each iteration.

        output_signature: the specs of the elements.  output_types, output_shapes: the older way to say that.
        Elements of another structure, dtype or shape raise InvalidArgumentError; so do the ValueErrors and TypeErrors of the generator.

        >>> def numbers(n):
        ...     yield from range(n)
        >>> dataset = tf.data.Dataset.from_generator(numbers, args=[3], output_signature=tf.TensorSpec([], tf.int32))
        >>> [int(i) for i in dataset]
        [0, 1, 2]
        """
        if not callable(generator):
            raise TypeError("`generator` must be a Python callable.")
        spec = signature_of(output_types, output_shapes, output_signature)
        tensors = [convert_to_tensor(arg) for arg in args or ()]
        return cls._build("_FlatMapDataset", spec, lambda *values: generate_elements(generator, spec, [v[()] for v in values]), tensors)

    def save(
        self, path: Any, compression: str | None = None, shard_func: Callable[..., Any] | None = None, checkpoint_args: Any = None
    ) -> None:
        """Write all elements into a folder, for `load`.

        compression: None, "NONE", "GZIP" or "ZLIB".  There is one file, so that `shard_func` and `checkpoint_args` are refused.

        >>> path = getfixture("tmp_path") / "numbers"
        >>> tf.data.Dataset.range(3).save(path)
        >>> [int(i) for i in tf.data.Dataset.load(path)]
        [0, 1, 2]
        """
        if shard_func is not None or checkpoint_args is not None:
            raise NotImplementedError("Dataset.save writes one file at once: it takes no `shard_func` and no `checkpoint_args`")
        saved.write(self, path, compression)

    @classmethod
    def load(
        cls, path: Any, element_spec: Any = None, compression: str | None = None, reader_func: Callable[..., Any] | None = None,
        wait: bool = False,
    ) -> Dataset[Any]:  # fmt: skip
        """The dataset that `save` wrote into a folder, with the same `compression`.

        element_spec: the specs of the elements, which the folder has too.  Raises NotFoundError where there is none, DataLossError for
        damaged files.

        >>> path = getfixture("tmp_path") / "words"
        >>> tf.data.Dataset.from_tensor_slices(["a", "b"]).save(path, compression="GZIP")
        >>> list(tf.data.Dataset.load(path, compression="GZIP").as_numpy_iterator())
        [b'a', b'b']
        """
        if reader_func is not None:
            raise NotImplementedError("Dataset.load reads one file: it takes no `reader_func`")
        spec, count = saved.read_about(path)
        spec = spec if element_spec is None else element_spec
        return cls.from_generator(lambda: saved.read(path, spec, count, compression), output_signature=spec)

    @overload
    @classmethod
    def zip(cls, first: DatasetBase[R], second: DatasetBase[S], /, *, name: str | None = ...) -> Dataset[tuple[R, S]]: ...
    @overload
    @classmethod
    def zip(
        cls, first: DatasetBase[R], second: DatasetBase[S], third: DatasetBase[K], /, *, name: str | None = ...
    ) -> Dataset[tuple[R, S, K]]: ...
    @overload
    @classmethod
    def zip(cls, datasets: tuple[DatasetBase[R], DatasetBase[S]], *, name: str | None = ...) -> Dataset[tuple[R, S]]: ...
    @overload
    @classmethod
    def zip(cls, datasets: tuple[DatasetBase[R], DatasetBase[S], DatasetBase[K]], *, name: str | None = ...) -> Dataset[tuple[R, S, K]]: ...
    @overload
    @classmethod
    def zip(cls, datasets: Mapping[K, DatasetBase[R]], *, name: str | None = ...) -> Dataset[dict[K, R]]: ...
    @overload
    @classmethod
    def zip(cls, *args: Nest, datasets: Nest = ..., name: str | None = ...) -> Dataset[Any]: ...
    @classmethod
    def zip(cls, *args: Any, datasets: Any = None, name: str | None = None) -> Dataset[Any]:
        """A dataset of elements of several, side by side, nested as the arguments are; as long as the shortest.

        >>> a, b = tf.data.Dataset.range(2), tf.data.Dataset.from_tensor_slices(["x", "y", "z"])
        >>> [(int(i), s.numpy()) for i, s in tf.data.Dataset.zip(a, b)]
        [(0, b'x'), (1, b'y')]
        """
        if not args and datasets is None:
            raise TypeError("Must pass at least one dataset to `zip`.")
        if args and datasets is not None:
            raise TypeError("Both `*args` and `datasets` cannot be set.")
        given = datasets if datasets is not None else args[0] if len(args) == 1 else args
        parts = flatten(given)
        for part in parts:
            if not isinstance(part, DatasetBase):
                text = "Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` objects"
                if isinstance(part, list):
                    raise TypeError(f"{text}. Python `list` is not supported and you should use `tuple` instead.")
                raise TypeError(f"{text} but encountered object of type {type(part)}.")
        spec = map_leaves(lambda dataset: dataset.element_spec, given)
        return cls._build("_ZipDataset", spec, lambda *sources: sequence.zip_sources(sources), (), parts)

    @classmethod
    def random(
        cls, seed: TensorLike | None = None, rerandomize_each_iteration: bool | None = None, name: str | None = None
    ) -> Dataset[Tensor]:
        """Random 32-bit numbers, int64 scalars, without end.  rerandomize_each_iteration: whether each iteration has its own.

        >>> tf.random.set_seed(1)
        >>> [int(i) for i in tf.data.Dataset.random(seed=4).take(2)]
        [3140572256, 1890473413]
        """
        again = bool(rerandomize_each_iteration)
        seeds = [convert_to_tensor(s or 0, int64) for s in get_seed(seed)]
        build = lambda one, other: combining.random_numbers(int(one), int(other), again)
        return cls._build("_RandomDataset", TensorSpec([], int64), build, seeds)

    @classmethod
    def counter(cls, start: object = 0, step: IntLike | None = 1, dtype: DTypeLike = int64, name: str | None = None) -> Dataset[Tensor]:
        """Numbers from `start` on, without end.

        >>> [int(i) for i in tf.data.Dataset.counter(5, 2).take(3)]
        [5, 7, 9]
        """
        kind = as_dtype(dtype)
        bounds = [convert_to_tensor(n, int64) for n in (start, step)]
        build = lambda first, by: sequence.count_on(int(first), int(by), kind.numpy_dtype)
        return cls._build("_ScanDataset", TensorSpec([], kind), build, bounds)

    @classmethod
    def list_files(
        cls, file_pattern: object, shuffle: bool | None = None, seed: TensorLike | None = None, name: str | None = None
    ) -> Dataset[Tensor]:
        """The names of the files that a pattern (or one of several) matches, in random order unless `shuffle=False`.

        Raises InvalidArgumentError where there is none.

        >>> tf.data.Dataset.list_files("/no/such/*.txt")
        Traceback (most recent call last):
        pullback.base.errors.InvalidArgumentError: ...No files matched pattern: /no/such/*.txt...
        """
        patterns = convert_to_tensor(file_pattern, string)
        dataset = cls._build("_TensorSliceDataset", TensorSpec([], string), _find_matching, [patterns])
        if shuffle is False:
            return dataset
        return dataset.shuffle(UNKNOWN, seed=seed)

    # ---- choosing among datasets

    @classmethod
    def sample_from_datasets(
        cls, datasets: Sequence[Dataset[R]], weights: Any = None, seed: Any = None, stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Dataset[R]:  # fmt: skip
        """The elements of several datasets, each of one drawn by `weights` (a list, a tensor, a dataset of such; else all alike).

        stop_on_empty_dataset: end where the dataset that is drawn has no more; else go on with the others.

        >>> ones, twos = (tf.data.Dataset.from_tensors(n).repeat(3) for n in (1, 2))
        >>> sorted(int(i) for i in tf.data.Dataset.sample_from_datasets([ones, twos], [0.3, 0.7], seed=1))
        [1, 1, 1, 2, 2, 2]
        """
        if not datasets:
            raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
        pairs = cls.random(seed, rerandomize_each_iteration).batch(2)
        if isinstance(weights, DatasetBase):
            draws = cls.zip((weights, pairs)).map(lambda weight, pair: _draw_choices(log(cast(weight, float64)), pair))
        else:
            logits = _logits(weights, len(datasets))
            draws = pairs.map(lambda pair: _draw_choices(logits, pair))
        if len(datasets) == 1:
            return datasets[0]
        return cls._choose_elements(draws, datasets, stop_on_empty_dataset)

    @classmethod
    def choose_from_datasets(
        cls, datasets: Sequence[DatasetBase[R]], choice_dataset: DatasetBase[Tensor], stop_on_empty_dataset: bool = True
    ) -> Dataset[R]:
        """The elements of several datasets, each of the one whose number `choice_dataset` (int64 scalars) has next.

        >>> a, b = tf.data.Dataset.from_tensor_slices(["a", "b"]), tf.data.Dataset.from_tensor_slices(["x", "y"])
        >>> [s.numpy() for s in tf.data.Dataset.choose_from_datasets([a, b], tf.data.Dataset.range(2).repeat(2))]
        [b'a', b'x', b'b', b'y']
        """
        if not datasets:
            raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
        if not isinstance(choice_dataset, DatasetBase):
            raise TypeError(f"Invalid `choice_dataset`. `choice_dataset` should be a `tf.data.Dataset` but is {type(choice_dataset)}.")
        if choice_dataset.element_spec != TensorSpec([], int64):
            text = "Invalid `choice_dataset`. Elements of `choice_dataset` must be scalar `tf.int64` tensors but are"
            raise TypeError(f"{text} {choice_dataset.element_spec}.")
        return cls._choose_elements(choice_dataset, datasets, stop_on_empty_dataset)

    @classmethod
    def _choose_elements(cls, choices: Any, datasets: Sequence[Any], stops: bool) -> Any:
        """Elements of datasets that another one chooses by their numbers."""
        common = datasets[0].element_spec
        for dataset in datasets[1:]:
            common = common_spec(common, dataset.element_spec, f"datasets have incompatible elements: {common} and {dataset.element_spec}")
        build = lambda which, *sources: combining.choose_elements(which, sources, stops)
        return cls._build("_DirectedInterleaveDataset", common, build, (), (choices, *datasets))


def _logits(weights: Any, count: int) -> Tensor:
    if weights is None:
        return convert_to_tensor(np.ones((1, count), np.float32))
    tensor = convert_to_tensor(weights)
    if tensor.dtype not in (float32, float64):
        raise TypeError(f"Invalid `weights`. `weights` type must be either `tf.float32` or `tf.float64` but is {tensor.dtype}.")
    if tensor.dims != (count,):
        raise ValueError(f"Invalid `weights`. The shape of `weights` should be compatible with `[len(datasets)]` but is {tensor.shape}.")
    return expand_dims(log(tensor), 0)


def _draw_choices(logits: Any, seed: Any) -> Tensor:
    return reshape(STATELESS_MULTINOMIAL(logits if logits.shape.rank == 2 else expand_dims(logits, 0), np.int32(1), seed), [])


def _find_matching(patterns: Any) -> Source:
    wanted = [os.fsdecode(p) for p in np.ravel(as_array(patterns)).tolist()]
    found = sorted({name for pattern in wanted for name in glob.glob(local_path(pattern))})
    if not found:
        raise InvalidArgumentError(None, None, f"No files matched pattern: {', '.join(wanted)}")
    return sequence.rows([array_of([name.encode() for name in found])], len(found))


def _slice_rows(*columns: Any) -> Source:
    arrays = [as_array(column) for column in columns]
    if not arrays:
        return Source(lambda run: iter(()), INFINITE)
    counts = {len(array) for array in arrays}
    if len(counts) > 1:
        raise ValueError(f"All components must have the same size in the 0th dimension, they have {sorted(counts)}")
    return sequence.rows(arrays, counts.pop())
