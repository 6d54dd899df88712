"""Functions of tensors that take ragged ones too: partitions, counts, strings put together, products of matrices, means of segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import int32, int64
from ...ir.apply import convert_to_tensor
from ...ops.array.basic import ONES_LIKE, TRANSPOSE, fill, reshape, shape
from ...ops.array.gather import gather
from ...ops.array.join import concat
from ...ops.array.slice import PAD
from ...ops.array.type_rules import invalid_argument
from ...ops.effects.asserts import assert_equal, assert_less, assert_non_negative, wait_for
from ...ops.linalg.products import matmul as plain_matmul
from ...ops.math.arithmetic import maximum
from ...ops.math.division import realdiv
from ...ops.math.functions import sqrt
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal
from ...ops.reduce.reductions import MAX
from ...ops.search.partition import dynamic_partition as plain_partition
from ...ops.sparse.counting_composites import ragged_bincount
from ..strings.join import REDUCE_JOIN, UNSORTED_SEGMENT_JOIN
from .array import boolean_mask, expand_dims
from .convert import as_ragged
from .partitions import axis_of
from .reduce import columns_of, matmul as matmul_of_rows, segments
from .tensor import RaggedTensor

if TYPE_CHECKING:
    from ...ir.tensor import TensorLike


def _segment_mean(divisor: Callable[[Any], Any]) -> Callable[..., Any]:
    def reduce_segments(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        ones = data.with_flat_values(ONES_LIKE.call(data.flat_values))
        total, number = (segments("UnsortedSegmentSum", x, segment_ids, num_segments) for x in (data, ones))
        if isinstance(total, RaggedTensor):
            return total.with_flat_values(realdiv(total.flat_values, divisor(number.flat_values)))
        return realdiv(total, divisor(number))

    return reduce_segments


def dynamic_partition(data: TensorLike, partitions: TensorLike, num_partitions: int, name: str | None = None) -> list[Any]:
    """`tf.dynamic_partition` of a ragged tensor, or by ragged numbers: the rows, or the items, that have each number."""
    x, numbers = as_ragged(data), as_ragged(partitions)
    if isinstance(numbers, RaggedTensor):
        if not isinstance(x, RaggedTensor):
            raise ValueError("`partitions` may be ragged only where `data` is, with the same rows")
        x, numbers = RaggedTensor.functions["merge_dims"](x, 0, len(numbers.dims or ()) - 1), numbers.flat_values
    if not isinstance(x, RaggedTensor):
        return plain_partition(x, numbers, num_partitions)
    inside = assert_less(numbers, np.int32(num_partitions), message="partitions must be less than num_partitions")
    numbers = wait_for([assert_non_negative(numbers, message="partitions must be non-negative"), inside], numbers)
    return [boolean_mask(x, equal(numbers, np.int32(i))) for i in range(num_partitions)]


def reduce_join(inputs: Any, axis: Any = None, keepdims: bool = False, separator: str = "", name: str | None = None) -> Any:
    """`tf.strings.reduce_join` of a ragged tensor along one axis, several, or all."""
    rank = len(inputs.dims)
    if axis is None:
        found = REDUCE_JOIN.call(reshape(inputs.flat_values, [-1]), [0], keep_dims=False, separator=separator)
        return reshape(found, [1] * rank) if keepdims else found
    axes = sorted((axis_of(int(a), rank) for a in np.ravel(axis)), reverse=True)
    found = inputs
    for at in axes:
        found = _join_along(found, at, keepdims, separator)
    return found


def _join_along(x: Any, axis: int, keepdims: bool, separator: str) -> Any:
    if not isinstance(x, RaggedTensor):
        return REDUCE_JOIN.call(x, [axis], keep_dims=keepdims, separator=separator)
    if axis > 1:
        return x.with_values(_join_along(x.values, axis - 1, keepdims, separator))

    def join(strings: Any, ids: Any, count: Any) -> Any:
        return UNSORTED_SEGMENT_JOIN.call(strings, cast(ids, int32), cast(count, int32), separator=separator)

    if axis == 1:
        found = segments(join, x.values, x.value_rowids(), x.nrows())
    else:
        lengths = concat([cast(x.row_lengths(), int64), np.zeros(1, np.int64)], 0)
        found = segments(join, x.values, columns_of(x), MAX.call(lengths, [0]))
    return expand_dims(found, axis) if keepdims else found


def matmul(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, *args: Any, **options: Any) -> Any:
    """`tf.matmul` of batches of matrices of several sizes, [batch, (rows), (columns)], filled up with zeros to one size and cut again.

    Raises InvalidArgumentError where the sizes of two matrices do not go together.
    """
    if any(args) or any(v for k, v in options.items() if k != "name"):
        raise ValueError("tf.matmul of ragged tensors takes transpose_a and transpose_b alone")
    if isinstance(a, RaggedTensor) and a.shape.rank == 3 and a.ragged_rank == 1 and not (transpose_a or transpose_b):
        return matmul_of_rows(a, b, **options)
    x, x_rows, x_columns, _ = _fill_up(a, transpose_a)
    y, y_rows, y_columns, cut_columns = _fill_up(b, transpose_b)
    agree = assert_equal(x_columns, y_rows, message="the sizes of ragged matrices that are multiplied do not agree")
    size = maximum(shape(x, out_type=int32)[2], shape(y, out_type=int32)[1])
    product = plain_matmul(_widen_axis(wait_for([agree], x), 2, size), _widen_axis(y, 1, size))
    rows = RaggedTensor.from_tensor(product, lengths=x_rows)
    return RaggedTensor.from_tensor(product, lengths=(x_rows, gather(y_columns, rows.value_rowids()))) if cut_columns else rows


def _fill_up(x: Any, transposed: bool) -> tuple[Any, Any, Any, bool]:
    """A batch of matrices of one size, the rows and the columns that each had, and whether the columns differ."""
    x = as_ragged(x)
    if x.shape.rank != 3:
        raise invalid_argument(f"tf.matmul takes ragged batches of matrices, of rank 3, not of rank {x.shape.rank}")
    whole = x.to_tensor() if isinstance(x, RaggedTensor) else x
    sizes = shape(whole, out_type=int64)
    rows, columns = (fill(sizes[:1], sizes[axis]) for axis in (1, 2))
    ragged = isinstance(x, RaggedTensor)
    if ragged:
        rows = cast(x.row_lengths(), int64)
    inner = ragged and isinstance(x.values, RaggedTensor)
    if inner:
        most = segments("UnsortedSegmentMax", cast(x.values.row_lengths(), int64), x.value_rowids(), x.nrows())
        columns = maximum(most, np.int64(0))
    if transposed:
        return TRANSPOSE.call(whole, [0, 2, 1]), columns, rows, ragged
    return whole, rows, columns, inner


def _widen_axis(x: Any, axis: int, size: Any) -> Any:
    """`x` with zeros at the end of an axis, up to a size."""
    more = size - shape(x, out_type=int32)[axis]
    return PAD.call(x, convert_to_tensor([[0, more if i == axis else 0] for i in range(3)]))


RaggedTensor.functions.update(
    unsorted_segment_mean=_segment_mean(lambda n: n), unsorted_segment_sqrt_n=_segment_mean(lambda n: sqrt(n)),
    dynamic_partition=dynamic_partition, bincount=ragged_bincount, reduce_join=reduce_join, matmul=matmul,
    element=lambda x, i: x[i], count=lambda x: x.nrows(),
)  # fmt: skip
