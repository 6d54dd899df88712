"""Where datasets come from: tensors, numbers, Python generators, other datasets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.dtypes import as_dtype, int64
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeTensor
from ..ops.constant import TensorSpec
from . import sequence
from .batching import as_array
from .dataset import DatasetBase
from .generators import generated, signature_of
from .source import INFINITE, Source
from .structure import Layout, as_leaf, flatten, map_leaves, spec_of


class Created(DatasetBase):
    """The functions of `tf.data.Dataset` that make datasets."""

    @classmethod
    def from_tensors(cls, tensors: Any, name: str | None = None) -> Any:
        """A dataset of one element.

        >>> import pullback as tf
        >>> tf.data.Dataset.from_tensors(([1, 2], "a")).element_spec
        (TensorSpec(shape=(2,), dtype=tf.int32, name=None), TensorSpec(shape=(), dtype=tf.string, name=None))
        """
        structure = map_leaves(as_leaf, tensors)
        spec = spec_of(structure)
        return cls._built("_TensorDataset", spec, lambda *values: sequence.one(values), Layout(spec).tensors(structure))

    @classmethod
    def from_tensor_slices(cls, tensors: Any, name: str | None = None) -> Any:
        """A dataset of the rows of tensors, of a nest of them all of which have as many.

        >>> import pullback as tf
        >>> dataset = tf.data.Dataset.from_tensor_slices({"x": [[1.0, 2.0], [3.0, 4.0]], "y": [0, 1]})
        >>> next(iter(dataset))["x"].numpy().tolist()
        [1.0, 2.0]
        """
        structure = map_leaves(as_leaf, tensors)
        leaves = flatten(structure)
        if any(isinstance(leaf, CompositeTensor) for leaf in leaves):
            return cls.from_tensors(structure).unbatch()
        shapes = [leaf.shape for leaf in leaves]
        if any(shape.rank == 0 for shape in shapes):
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        count = shapes[0][:1]
        for shape in shapes[1:]:
            if not count.is_compatible_with(shape[:1]):
                raise ValueError(f"Dimensions {count[0]} and {shape[0]} are not compatible")
        spec = map_leaves(lambda leaf: TensorSpec(leaf.shape[1:], leaf.dtype), structure)
        return cls._built("_TensorSliceDataset", spec, _sliced, leaves)

    @classmethod
    def range(cls, *args: Any, output_type: Any = int64, name: str | None = None, **options: Any) -> Any:
        """A dataset of numbers: `range(stop)`, `range(start, stop)` or `range(start, stop, step)`.

        >>> import pullback as tf
        >>> [int(i) for i in tf.data.Dataset.range(5, 0, -2)]
        [5, 3, 1]
        """
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid `args`. The length of `args` should be between 1 and 3 but was {len(args)}.")
        dtype = as_dtype(output_type)
        start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1) if len(args) == 2 else args
        bounds = [convert_to_tensor(bound, int64) for bound in (start, stop, step)]
        build = lambda first, last, by: sequence.count_up(int(first), int(last), int(by), dtype.numpy)
        return cls._built("_RangeDataset", TensorSpec([], dtype), build, bounds)

    @classmethod
    def from_generator(
        cls, generator: Callable[..., Any], output_types: Any = None, output_shapes: Any = None, args: Any = None,
        output_signature: Any = None, name: str | None = None,
    ) -> Any:  # fmt: skip
        """A dataset of what a Python generator yields; `generator` is called (with `args`, as arrays) at each iteration.

        output_signature: the specs of the elements.  output_types, output_shapes: the older way to say that.
        Elements of another structure, dtype or shape raise InvalidArgumentError; so do the ValueErrors and TypeErrors of the generator.

        >>> import pullback as tf
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
        return cls._built("_FlatMapDataset", spec, lambda *values: generated(generator, spec, [v[()] for v in values]), tensors)

    @classmethod
    def zip(cls, *args: Any, datasets: Any = None, name: str | None = None) -> Any:
        """A dataset of elements of several, side by side, nested as the arguments are; as long as the shortest.

        >>> import pullback as tf
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
        return cls._built("_ZipDataset", spec, lambda *sources: sequence.zipped(sources), (), parts)


def _sliced(*columns: Any) -> Source:
    arrays = [as_array(column) for column in columns]
    if not arrays:
        return Source(lambda run: iter(()), INFINITE)
    counts = {len(array) for array in arrays}
    if len(counts) > 1:
        raise ValueError(f"All components must have the same size in the 0th dimension, they have {sorted(counts)}")
    return sequence.rows(arrays, counts.pop())


__all__ = ["Created"]
