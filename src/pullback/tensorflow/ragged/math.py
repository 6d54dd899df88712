"""Functions that make ragged tensors: ranges, partitions, and the numbers that name rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import INDEX, as_dtype, float32, float64, int32, int64
from ...base.export import export
from ...base.shapes import are_compatible
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.convert import is_tensor_like
from ...ir.tensor import DTypeLike, IntLike, Tensor, TensorLike
from ...ops.array.basic import reshape, shape_of
from ...ops.array.create import find_widest
from ...ops.array.gather import gather
from ...ops.array.join import CONCAT
from ...ops.array.type_rules import invalid_argument
from ...ops.primitives.cast import cast
from .convert import as_ragged
from .items import STABLE_ORDER
from .ops import FILL_ROWS, FILL_ROWS_GRAD, RANGE, ROWS, SPLITS_OF_ROWS
from .tensor import RaggedTensor


@export("ragged.range")
def range(  # TensorFlow's name
    starts: TensorLike,
    limits: TensorLike | None = None,
    deltas: Any = 1,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = int64,
) -> RaggedTensor:
    """Rows of numbers from `starts` up to, and without, `limits`, in steps of `deltas`; with one argument, from 0.

    starts, limits, deltas: scalars or vectors of one size, of one real dtype.  Raises InvalidArgumentError for a step of 0.

    >>> tf.ragged.range([3, 5], [5, 6])
    <tf.RaggedTensor [[3, 4], [5]]>
    """
    kind = as_dtype(row_splits_dtype)
    if limits is None:
        starts, limits = 0, starts
    with scope(name, "RaggedRange") as full:
        given = [convert_to_tensor(x, dtype, name=what) for x, what in ((starts, "starts"), (limits, "limits"), (deltas, "deltas"))]
        wanted = as_dtype(dtype) if dtype is not None else find_widest(given, (int32, int64, float32, float64))
        low, high, step = (cast(x, wanted) for x in given)
        splits, values = RANGE(low, high, step, Tsplits=kind, name=full or None)
        return RaggedTensor(values, splits, internal=True)


@export("ragged.row_splits_to_segment_ids")
def row_splits_to_segment_ids(splits: TensorLike, name: str | None = None, out_type: DTypeLike | None = None) -> Tensor:
    """The row of each item, for row splits.

    >>> tf.ragged.row_splits_to_segment_ids([0, 2, 2, 3]).numpy().tolist()
    [0, 0, 2]
    """
    given = splits if isinstance(splits, Tensor) else convert_to_tensor(splits, dtype_hint=int64)
    if given.dtype not in INDEX:
        raise ValueError(f"Invalid dtype for row splits: {given.dtype}")
    if given.dims is not None and len(given.dims) != 1:
        raise ValueError(f"Shape {given.shape} must have rank 1")
    if given.dims == (0,):
        raise ValueError("Invalid row_splits: []")
    kind = given.dtype if out_type is None else as_dtype(out_type)
    if kind not in INDEX:
        raise invalid_argument(f"Value for attr 'out_type' of {kind.name} is not in the list of allowed values: int32, int64")
    return cast(ROWS(given, reshape(cast(given[-1], int64), [1]), name=name), kind)


@export("ragged.segment_ids_to_row_splits")
def segment_ids_to_row_splits(
    segment_ids: TensorLike, num_segments: TensorLike | None = None, out_type: DTypeLike | None = None, name: str | None = None
) -> Tensor:
    """Row splits, for the row of each item; the numbers never fall.

    >>> tf.ragged.segment_ids_to_row_splits([0, 0, 2]).numpy().tolist()
    [0, 2, 2, 3]
    """
    typed = next((x.dtype for x in (segment_ids, num_segments) if isinstance(x, Tensor)), int64)
    given = convert_to_tensor(segment_ids, dtype_hint=None if is_tensor_like(segment_ids) else int64)
    if given.dtype not in INDEX:
        raise TypeError(
            f"Argument `tensor` (name: segment_ids) must be of type integer. Received `tensor` = {segment_ids!r} of dtype: {given.dtype!r}"
        )
    if given.dims is not None and len(given.dims) != 1:
        raise ValueError(f"Shape {given.shape} must have rank 1")
    count: Tensor | np.int64 = np.int64(-1)
    if num_segments is not None:
        segments = convert_to_tensor(num_segments, dtype_hint=int32)
        if not segments.dtype.is_integer:
            raise TypeError(
                f"Argument `tensor` (name: num_segments) must be of type integer. Received `tensor` = {num_segments!r} of dtype: "
                f"{segments.dtype!r}"
            )
        if segments.dims not in (None, ()):
            raise ValueError(f"Shape {segments.shape} must have rank 0")
        if segments.constant is not None and np.any(np.asarray(segments.constant) < 0):
            raise invalid_argument(f"num_segments must be >= 0, got {num_segments!r}")
        count = cast(segments, int64)
    wanted = as_dtype(typed if out_type is None else out_type)
    if wanted not in (int32, int64, float32, float64):
        raise invalid_argument(f"Value for attr 'T' of {wanted.name} is not in the list of allowed values: int32, int64, float, double")
    return cast(SPLITS_OF_ROWS(given, count, name=name), wanted)


@export("ragged.stack_dynamic_partitions")
def stack_dynamic_partitions(data: TensorLike, partitions: TensorLike, num_partitions: IntLike, name: str | None = None) -> RaggedTensor:
    """The items of `data` by partition, as rows: row p has the items whose number in `partitions` is p, in the order they had.

    data: a tensor or ragged tensor.  partitions: integers, whose shape begins data's.

    >>> tf.ragged.stack_dynamic_partitions(["a", "b", "c"], [1, 0, 1], 3)
    <tf.RaggedTensor [[b'b'], [b'a', b'c'], []]>
    """
    x, parts = as_ragged(data), as_ragged(partitions)
    if isinstance(parts, RaggedTensor):
        x = x.with_flat_values(x.flat_values).values if isinstance(x, RaggedTensor) else RaggedTensor.from_tensor(x).values
        return stack_dynamic_partitions(x, parts.values, num_partitions)
    if parts.dims is None:
        raise ValueError("partitions must have known rank.")
    rank = len(parts.dims)
    if not isinstance(x, RaggedTensor) and x.dims is not None and not are_compatible(x.dims[:rank], parts.dims):
        raise ValueError(f"Shapes {x.shape[:rank]} and {parts.shape} are incompatible: there is a partition for each item")
    if rank == 0:
        x, parts = RaggedTensor.functions["expand_dims"](x, 0), reshape(parts, [1])
    elif rank > 1:
        x = x.merge_dims(0, rank - 1) if isinstance(x, RaggedTensor) else reshape(x, _flat_shape(x, rank))
        parts = reshape(parts, [-1])
    numbers, count = cast(parts, int32), convert_to_tensor(num_partitions)
    count.shape.assert_has_rank(0)
    order = STABLE_ORDER.call(numbers, cast(count, int32))
    rows = gather(parts, order)
    values = RaggedTensor.functions["gather"](x, order) if isinstance(x, RaggedTensor) else gather(x, order)
    kind = x.row_splits.dtype if isinstance(x, RaggedTensor) else parts.dtype
    return RaggedTensor.from_value_rowids(values, cast(rows, kind), num_partitions, validate=False)


def _flat_shape(x: Any, rank: int) -> Any:
    sizes = shape_of(x)
    rest = sizes[rank:]
    return np.append(-1, rest) if isinstance(rest, np.ndarray) else CONCAT.call([[-1], rest], 0)


@export("ragged_fill_empty_rows")
def ragged_fill_empty_rows(
    value_rowids: TensorLike, values: TensorLike, nrows: IntLike, default_value: TensorLike, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """An item `default_value` in each row that has none.

    value_rowids: the row of each value.  nrows: the number of rows.  Returns the rows and values of all items, which rows were empty, and
    the new place of each value.

    >>> tf.ragged_fill_empty_rows(value_rowids=[0, 2], values=[5, 7], nrows=3, default_value=-1)[1].numpy().tolist()
    [5, -1, 7]
    """
    return FILL_ROWS(value_rowids, values, nrows, default_value, name=name)


@export("ragged_fill_empty_rows_grad")
def ragged_fill_empty_rows_grad(reverse_index_map: TensorLike, grad_values: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The gradients of `ragged_fill_empty_rows` with respect to the values and the default.

    >>> [g.numpy().tolist() for g in tf.ragged_fill_empty_rows_grad([0, 2], [1.0, 2.0, 4.0])]
    [[1.0, 4.0], 2.0]
    """
    places = reverse_index_map if isinstance(reverse_index_map, Tensor) else np.asarray(reverse_index_map, np.int64)
    return FILL_ROWS_GRAD(places, grad_values, name=name)
