"""Methods of datasets that gather elements, or take them apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np

from ...base.dtypes import int32, int64, string
from ...base.errors import InvalidArgumentError
from ...base.shapes import TensorShape, as_dims
from ...ir.apply import convert_to_tensor
from ...ir.composite import CompositeSpec
from ...ir.context import Context, enter_context
from ...ir.tensor import DTypeLike, IntLike, ShapeLike, Tensor
from ...ops.array.gather import gather
from ...ops.array.where import where
from ...ops.constant import TensorSpec
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import logical_and
from ...ops.reduce.reductions import reduce_min
from ...ops.sparse.tensor import SparseTensor, SparseTensorSpec
from ..ragged.classes import RaggedTensor, RaggedTensorSpec
from . import grouping
from .batching import batch_elements, batched_spec, batcher
from .dataset import DatasetBase, DatasetSpec, count_of
from .source import Source
from .structure import Anyhow, E_co, Element, Layout, R, flatten, is_structure, map_leaves
from .traced import TracedFunction

if TYPE_CHECKING:
    from .methods import Dataset


def _flatten_like(spec: Any, value: Any) -> list[Any]:
    """The parts of `value` for each leaf of a spec; one that is no structure stands for all."""
    if not is_structure(spec):
        return [value]
    if value is None or not is_structure(value):
        return [value] * len(flatten(spec))
    parts = zip(_parts(spec), _parts(value), strict=True)
    return [found for one, other in parts for found in _flatten_like(one, other)]


def _parts(structure: Any) -> list[Any]:
    return [structure[key] for key in sorted(structure)] if hasattr(structure, "keys") else list(structure)


class Gathered(DatasetBase[E_co]):
    """Batches, windows, groups and rows."""

    def padded_batch(
        self, batch_size: IntLike, padded_shapes: object = None, padding_values: Tensor | None = None, drop_remainder: object = False,
        name: str | None = None,
    ) -> Self:  # fmt: skip
        """Batches of elements whose shapes differ, each padded at the end.

        padded_shapes: nested as the elements; None or -1 for the largest size in the batch, and for sizes that are not known where none
        are given.  padding_values: what to pad with, nested as the elements; zeros and empty strings where None.
        Raises ValueError for unknown ranks; DataLossError, at iteration, for an element that is larger than its padded shape.

        >>> dataset = tf.data.Dataset.range(1, 4).map(lambda n: tf.fill([n], n))
        >>> [batch.numpy().tolist() for batch in dataset.padded_batch(2, padding_values=tf.constant(-1, tf.int64))]
        [[[1, -1], [2, 2]], [[3, 3, 3]]]
        """
        leaves = self._layout.leaves
        if not self._layout.plain:
            wrong = next(leaf for leaf in leaves if not isinstance(leaf, TensorSpec))
            text = "`padded_batch` is only supported for datasets that produce tensor elements but type of elements in the input dataset is"
            raise TypeError(f"{text} {wrong}.")
        if padded_shapes is None:
            if any(leaf.shape.rank is None for leaf in leaves):
                raise ValueError(
                    "You must provide `padded_shapes` argument because component 0 has unknown rank."
                    if len(leaves) == 1
                    else "You must provide `padded_shapes` argument because a component has unknown rank."
                )
            shapes = [leaf.shape.as_list() for leaf in leaves]
        else:
            given = padded_shapes if is_structure(self.element_spec) else _Leaf(padded_shapes)
            shapes = [_sizes(part) for part in _shapes_for(self.element_spec, given)]
        shapes = [[-1 if n is None else n for n in shape] for shape in shapes]
        for shape, leaf in zip(shapes, leaves, strict=True):
            _check_padded(shape, leaf)
        fillers = _flatten_like(self.element_spec, padding_values)
        values = [_filler(filler, leaf) for filler, leaf in zip(fillers, leaves, strict=True)]
        size, drops = count_of(batch_size, "batch_size"), bool(drop_remainder)
        count = int(size.constant) if drops and size.constant is not None else None
        specs = iter([TensorSpec([count, *(None if n < 0 else n for n in s)], leaf.dtype) for s, leaf in zip(shapes, leaves, strict=True)])
        spec = map_leaves(lambda _: next(specs), self.element_spec)
        build = lambda source, n, *fill: grouping.pad_batches(source, int(n), drops, shapes, [f[()] for f in fill])
        return self._then("_PaddedBatchDataset", spec, build, size, *values)

    def ragged_batch(
        self, batch_size: IntLike, drop_remainder: object = False, row_splits_dtype: DTypeLike = int64, name: str | None = None
    ) -> Dataset[Any]:
        """Batches of elements whose shapes differ, as ragged tensors.

        >>> dataset = tf.data.Dataset.range(1, 4).map(lambda n: tf.fill([n], n))
        >>> [batch.to_list() for batch in dataset.ragged_batch(2)]
        [[[1], [2, 2]], [[3, 3, 3]]]
        """
        made = self._each(lambda leaf: _ragged_spec(leaf, row_splits_dtype), _as_ragged)
        return made.batch(batch_size, drop_remainder)

    def sparse_batch(self, batch_size: IntLike, row_shape: ShapeLike, name: str | None = None) -> Dataset[SparseTensor]:
        """Batches of tensors whose shapes differ, as sparse tensors with all their elements.

        row_shape: the dense shape of a row, -1 or None for the largest in the batch.  DataLossError for an element that is larger.

        >>> dataset = tf.data.Dataset.range(1, 3).map(lambda n: tf.fill([n], n))
        >>> [tf.sparse.to_dense(batch).numpy().tolist() for batch in dataset.sparse_batch(2, [3])]
        [[[1, 0, 0], [2, 2, 0]]]
        """
        spec = self.element_spec
        if not isinstance(spec, TensorSpec):
            raise TypeError(f"`sparse_batch` is for datasets of tensors, not of {spec}")
        sizes = [-1 if n is None else n for n in _sizes(row_shape)]
        made = SparseTensorSpec([None, *(None if n < 0 else n for n in sizes)], spec.dtype)
        build = lambda source, n: batch_elements(source, int(n), False, lambda elements: grouping.sparse_batch(elements, sizes))
        return self._then("_DenseToSparseBatchDataset", made, build, count_of(batch_size, "batch_size"))

    def _each(self, spec_of_leaf: Callable[[Any], Any], convert: Callable[[Any, Any], Any]) -> Any:
        """Each leaf as one of another spec."""
        spec = map_leaves(spec_of_leaf, self.element_spec)
        if spec == self.element_spec:
            return self
        before, after = self._layout, Layout(spec)

        def convert_one(element: Element) -> Element:
            with enter_context(Context(None, ())):
                leaves = flatten(before.eager(element))
                values = [convert(leaf, wanted) for leaf, wanted in zip(leaves, after.leaves, strict=True)]
                tensors = [t for value, wanted in zip(values, after.leaves, strict=True) for t in wanted.to_tensors(value)]
            return tuple([tensor.value for tensor in tensors])

        return self._then("_MapDataset", spec, lambda source: Source(lambda run, coming: map(convert_one, coming), source.size, source))

    def unbatch(self, name: str | None = None) -> Self:
        """The rows of each element, one after the other.

        >>> [int(i) for i in tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]]).unbatch()]
        [1, 2, 3, 4]
        """
        return self._unbatch("_UnbatchDataset")

    def _unbatch(self, kind: str) -> Self:
        layout = self._layout
        if any(isinstance(leaf, TensorSpec) and leaf.shape.rank == 0 for leaf in layout.leaves):
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        counts = [leaf.shape[0] for leaf in layout.leaves if hasattr(leaf, "shape") and leaf.shape.rank]
        known = {count for count in counts if count is not None}
        if len(known) > 1:
            raise ValueError(
                "`unbatch()` is only supported for datasets of elements whose components have a matching leading dimension. Encountered "
                f"both {counts[0]} and {next(n for n in counts if n != counts[0])}."
            )
        spec = map_leaves(_row_spec, self.element_spec)
        rows = grouping.rows_of_arrays if layout.plain else lambda element: _rows(layout, Layout(spec), element)
        return self._then(kind, spec, lambda source: grouping.unbatch_elements(source, next(iter(known), None), rows))

    def rebatch(self, batch_size: IntLike | Sequence[int], drop_remainder: bool = False, name: str | None = None) -> Self:
        """The rows of the elements in batches of `batch_size`, or of several sizes in turn.

        >>> [b.numpy().tolist() for b in tf.data.Dataset.range(6).batch(6).rebatch([2, 1, 1])]
        [[0, 1], [2], [3], [4, 5]]
        >>> [b.numpy().tolist() for b in tf.data.Dataset.range(5).batch(2).rebatch(3)]
        [[0, 1, 2], [3, 4]]
        """
        rows = self.unbatch()
        size, drops, batch = count_of(batch_size, "batch_size"), bool(drop_remainder), batcher(rows._layout)
        if len(size.dims or ()) > 1:
            text = f"Expected `batch_sizes` to be a scalar or a vector. Received `batch_sizes` of rank {len(size.dims)}."
            raise ValueError(f"Invalid `batch_sizes`. {text}")
        leaves = rows._layout.leaves
        nothing = tuple([np.zeros((0, *(n or 0 for n in s.shape)), s.dtype.numpy_dtype) for s in leaves]) if rows._layout.plain else None
        known = set() if size.constant is None else set(np.ravel(size.constant).tolist())
        spec = batched_spec(rows.element_spec, known.pop() if drops and len(known) == 1 else None)
        build = lambda source, n: batch_elements(source, np.ravel(n).tolist(), drops, batch, nothing if n.ndim else None)
        return rows._then("_RebatchDataset", spec, build, size)

    @overload
    def window(
        self: DatasetBase[Tensor], size: IntLike, shift: IntLike | None = ..., stride: IntLike = ..., drop_remainder: object = ...,
        name: str | None = ...,
    ) -> Dataset[Dataset[Tensor]]: ...  # fmt: skip
    @overload
    def window(
        self: DatasetBase[tuple[Tensor, Tensor]], size: IntLike, shift: IntLike | None = ..., stride: IntLike = ...,
        drop_remainder: object = ..., name: str | None = ...,
    ) -> Dataset[tuple[Dataset[Tensor], Dataset[Tensor]]]: ...  # fmt: skip
    @overload
    def window(
        self, size: IntLike, shift: IntLike | None = ..., stride: IntLike = ..., drop_remainder: object = ..., name: str | None = ...
    ) -> Dataset[Any]: ...
    def window(
        self, size: IntLike, shift: IntLike | None = None, stride: IntLike = 1, drop_remainder: object = False, name: str | None = None
    ) -> Dataset[Any]:
        """Datasets of `size` elements each, `stride` apart; the next one begins `shift` (by default `size`) elements later.

        Of elements that are nested, each tensor has a dataset of its own.

        >>> [[int(i) for i in window] for window in tf.data.Dataset.range(5).window(3, shift=1, drop_remainder=True)]
        [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
        """
        layout, drops = self._layout, bool(drop_remainder)
        spec = map_leaves(DatasetSpec, self.element_spec)
        build = lambda source, n, by, every: grouping.windows(source, int(n), int(by), int(every), drops, layout.leaf_values)
        numbers = (size, size if shift is None else shift, stride)
        return self._then("_WindowDataset", spec, build, *[count_of(n, "size") for n in numbers])

    def group_by_window(
        self, key_func: Anyhow[Any], reduce_func: Callable[[Tensor, Dataset[E_co]], DatasetBase[R]],
        window_size: IntLike | None = None, window_size_func: Callable[[Tensor], Any] | None = None, name: str | None = None,
    ) -> Dataset[R]:  # fmt: skip
        """The elements of the datasets that `reduce_func(key, dataset)` makes of those with the same key.

        key_func: an int64 scalar of an element.  window_size, or window_size_func of a key: how many elements a group has at most.

        >>> groups = tf.data.Dataset.range(5).group_by_window(lambda i: i % 2, lambda key, group: group.batch(9), window_size=2)
        >>> [group.numpy().tolist() for group in groups]
        [[0, 2], [1, 3], [4]]
        """
        if (window_size is None) == (window_size_func is None):
            raise ValueError("Either the `window_size` argument or the `window_size_func` argument must be specified, and not both.")
        number = TensorSpec([], int64)
        key = self._trace_function(lambda *element: convert_to_tensor(key_func(*element), int64), "Dataset.group_by_window()")
        if key.spec != number:
            raise ValueError(
                f"Invalid `key_func`. `key_func` must return a single `tf.int64` scalar tensor but its return type is {key.spec}."
            )
        reduce = TracedFunction(reduce_func, (number, DatasetSpec(self.element_spec)), "Dataset.group_by_window()")
        if not isinstance(reduce.spec, DatasetSpec):
            raise TypeError(
                f"Invalid `reduce_func`. `reduce_func` must return a single `tf.data.Dataset` object but its return type is {reduce.spec}."
            )
        sizes: Callable[[Any], Any] = window_size_func or (lambda key: convert_to_tensor(window_size, int64))
        size = TracedFunction(lambda key: convert_to_tensor(sizes(key), int64), (number,), "Dataset.group_by_window()")
        functions = (key, reduce, size)

        def build(source: Any, *captured: Any) -> Any:
            rest = iter(captured)
            return grouping.group_elements(source, *[(f, [next(rest) for _ in f.captured]) for f in functions])

        return self._then("_GroupByWindowDataset", reduce.spec.element_spec, build, *[t for f in functions for t in f.captured])

    def bucket_by_sequence_length(
        self, element_length_func: Anyhow[Any], bucket_boundaries: Sequence[int], bucket_batch_sizes: Sequence[int],
        padded_shapes: object = None, padding_values: object = None, pad_to_bucket_boundary: bool = False, no_padding: bool = False,
        drop_remainder: bool = False, name: str | None = None,
    ) -> Dataset[E_co]:  # fmt: skip
        """Padded batches of elements of similar length.

        element_length_func: the length of an element, int32.  bucket_boundaries: the upper lengths, excluded, of all buckets but the last.
        bucket_batch_sizes: one more.  pad_to_bucket_boundary: to the longest length the bucket takes, not to that of the batch.

        >>> dataset = tf.data.Dataset.from_tensor_slices([1, 5, 2, 6]).map(lambda n: tf.fill([n], n))
        >>> [b.numpy().tolist() for b in dataset.bucket_by_sequence_length(lambda x: tf.shape(x)[0], [4], [2, 2])]
        [[[1, 0], [2, 2]], [[5, 5, 5, 5, 5, 0], [6, 6, 6, 6, 6, 6]]]
        """
        if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
            found = f"`len(bucket_batch_sizes)={len(bucket_batch_sizes)}` and `len(bucket_boundaries)={len(bucket_boundaries)}`"
            raise ValueError(f"`len(bucket_batch_sizes)` must equal `len(bucket_boundaries) + 1` but {found}.")
        largest = np.iinfo(np.int32).max
        least, most = np.array([0, *bucket_boundaries], np.int64), np.array([*bucket_boundaries, largest], np.int64)
        sizes = convert_to_tensor(np.array(bucket_batch_sizes, np.int64))

        def bucket(*element: Any) -> Any:
            length = cast(element_length_func(*element), int64)
            fits = logical_and(length >= least, length < most)
            return reduce_min(where(fits))

        def batch(key: Any, group: Any) -> Any:
            size = gather(sizes, key)
            if no_padding:
                return group.batch(size, drop_remainder=drop_remainder)
            shapes = padded_shapes if padded_shapes is not None else map_leaves(lambda leaf: leaf.shape, group.element_spec)
            if pad_to_bucket_boundary:
                return group._pad_to(size, shapes, padding_values, drop_remainder, gather(most, key) - 1, largest - 1)
            return group.padded_batch(size, shapes, padding_values, drop_remainder)

        return self.group_by_window(bucket, batch, window_size_func=lambda key: gather(sizes, key))

    def _pad_to(self, size: Any, shapes: Any, fillers: Any, drops: bool, boundary: Any, largest: int) -> Any:
        """Batches whose unknown sizes are padded to a boundary."""
        leaves = self._layout.leaves
        given = shapes if is_structure(self.element_spec) else _Leaf(shapes)
        sizes = [[-1 if n is None else n for n in _sizes(part)] for part in _shapes_for(self.element_spec, given)]
        values = [_filler(f, leaf) for f, leaf in zip(_flatten_like(self.element_spec, fillers), leaves, strict=True)]
        specs = iter([TensorSpec([None, *(None if n < 0 else n for n in s)], leaf.dtype) for s, leaf in zip(sizes, leaves, strict=True)])

        def build(source: Any, n: Any, end: Any, *fill: Any) -> Any:
            if int(end) >= largest:
                text = "When pad_to_bucket_boundary=True, elements must have length < max(bucket_boundaries)."
                raise InvalidArgumentError(None, None, text)
            whole = [[int(end) if m < 0 else m for m in one] for one in sizes]
            return grouping.pad_batches(source, int(n), drops, whole, [f[()] for f in fill])

        spec = map_leaves(lambda _: next(specs), self.element_spec)
        return self._then("_PaddedBatchDataset", spec, build, count_of(size, "batch_size"), boundary, *values)


class _Leaf:
    """One padded shape, which may be a tuple."""

    def __init__(self, shape: Any) -> None:
        self.shape = shape


def _shapes_for(spec: Any, given: Any) -> list[Any]:
    if not is_structure(spec):
        return [given.shape if isinstance(given, _Leaf) else given]
    return [found for one, other in zip(_parts(spec), _parts(given), strict=True) for found in _shapes_for(one, other)]


def _sizes(shape: Any) -> list[int | None]:
    if isinstance(shape, Tensor) and shape.constant is not None:
        shape = shape.constant.tolist()
    found = as_dims(TensorShape([None if n == -1 else n for n in shape]) if isinstance(shape, (list, tuple)) else TensorShape(shape))
    if found is None:
        raise ValueError("a padded shape must have a known rank")
    return list(found)


def _check_padded(shape: Sequence[int], leaf: TensorSpec) -> None:
    if leaf.shape.rank is not None and leaf.shape.rank != len(shape):
        raise ValueError(
            f"The padded shape {tuple(shape)} is not compatible with the shape {leaf.shape} of the corresponding input component."
        )
    for padded, size in zip(shape, leaf.shape.as_list() if leaf.shape.rank is not None else (), strict=False):
        if size is not None and 0 <= padded < size:
            raise ValueError(
                f"The padded shape {tuple(shape)} is not compatible with the shape {leaf.shape} of the corresponding input component."
            )


def _filler(value: Any, leaf: TensorSpec) -> Tensor:
    if value is None:
        return convert_to_tensor("" if leaf.dtype is string else np.zeros((), leaf.dtype.numpy_dtype))
    tensor = convert_to_tensor(value)
    if tensor.shape.rank != 0:
        raise ValueError(f"`padding_value` should be a scalar, but got {tensor.shape}.")
    if tensor.dtype is not leaf.dtype:
        if tensor.dtype is int32 and not isinstance(value, Tensor):
            return convert_to_tensor(value, leaf.dtype)
        raise TypeError(f"the padding value {value!r} has dtype {tensor.dtype.name}, the component {leaf.dtype.name}")
    return tensor


def _ragged_spec(leaf: Any, splits: Any) -> Any:
    if not isinstance(leaf, TensorSpec) or leaf.shape.rank is None or leaf.shape.is_fully_defined():
        return leaf
    uneven = max(axis for axis, size in enumerate(leaf.shape.as_list()) if size is None)
    return RaggedTensorSpec(leaf.shape, leaf.dtype, ragged_rank=uneven, row_splits_dtype=splits)


def _as_ragged(value: Any, spec: Any) -> Tensor | RaggedTensor:
    if isinstance(spec, RaggedTensorSpec) and isinstance(value, Tensor) and spec.ragged_rank:
        return RaggedTensor.from_tensor(value, ragged_rank=spec.ragged_rank, row_splits_dtype=spec.row_splits_dtype)
    return value


def _row_spec(leaf: Any) -> Any:
    return leaf._of_a_row() if isinstance(leaf, CompositeSpec) else TensorSpec(leaf.shape[1:], leaf.dtype)


def _rows(before: Layout, after: Layout, element: Element) -> Iterator[Element]:
    """The rows of an element with sparse or ragged tensors in it."""
    with enter_context(Context(None, ())):
        values = flatten(before.eager(element))
        columns = [_rows_of(value) for value in values]
        made = []
        for row in zip(*columns, strict=True):
            tensors = [t for leaf, spec in zip(row, after.leaves, strict=True) for t in spec.to_tensors(leaf)]
            made.append(tuple([tensor.value for tensor in tensors]))
    return iter(made)


def _rows_of(value: Any) -> list[Any]:
    if isinstance(value, Tensor):
        return list(value)
    functions = type(value).functions
    return [functions["element"](value, i) for i in range(int(functions["count"](value)))]
