"""Reductions of ragged tensors: along rows, across them, and along several axes, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import int32
from ...ir.op import OPS
from ...ops.array.basic import ONES_LIKE, reshape
from ...ops.array.create import RANGE
from ...ops.array.gather import gather
from ...ops.array.identity import stop_gradient
from ...ops.array.type_rules import invalid_argument
from ...ops.linalg.products import matmul as plain_matmul
from ...ops.math.arithmetic import ADD, maximum, square, subtract
from ...ops.math.division import realdiv, truediv
from ...ops.math.functions import exp, log, sqrt
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import greater, logical_not
from ...ops.reduce.reductions import MAX
from ...ops.reduce.scan import cumsum as plain_cumsum
from ...ops.segment.dense import unsorted_segment_max
from .array import expand_dims
from .partitions import axis_of
from .tensor import RaggedTensor, splits_of_lengths

if TYPE_CHECKING:
    from ...ir.tensor import IntLike, NumberLike, TensorLike

_DENSE = {"UnsortedSegmentSum": "Sum", "UnsortedSegmentProd": "Prod", "UnsortedSegmentMax": "Max", "UnsortedSegmentMin": "Min"}


def segments(op: str | Callable[..., Any], data: Any, ids: Any, count: Any) -> Any:
    """The rows of a tensor or ragged tensor reduced by the segment of each; ragged rows are as long as the longest of a segment."""
    if isinstance(ids, RaggedTensor):
        data, ids = data.flat_values, ids.flat_values
    if not isinstance(data, RaggedTensor):
        return (op if callable(op) else OPS[op].call)(data, ids, count)
    longest = unsorted_segment_max(data.row_lengths(), ids, count)
    splits = splits_of_lengths(maximum(longest, np.array(0, longest.dtype.numpy_dtype)))
    base = gather(gather(splits, cast(ids, splits.dtype), axis=0), data.value_rowids(), axis=0)
    found = segments(op, data.values, base + columns_of(data), splits[-1])
    return RaggedTensor(found, splits, internal=True)


def columns_of(x: RaggedTensor) -> Any:
    """The place of each item in its row."""
    dtype = x.row_splits.dtype.numpy_dtype
    numbers = RANGE.call(np.array(0, dtype), x.row_splits[-1], np.array(1, dtype))
    return numbers - gather(x.row_starts(), x.value_rowids(), axis=0)


def _reduce_along(op: str, x: Any, axis: int, keepdims: bool) -> Any:
    if not isinstance(x, RaggedTensor):
        return OPS[_DENSE[op]].call(x, [axis], keep_dims=keepdims)
    if axis > 1:
        return x.with_values(_reduce_along(op, x.values, axis - 1, keepdims))
    if axis == 1:
        found = segments(op, x.values, x.value_rowids(), x.nrows())
    else:
        longest = MAX.call(x.row_lengths(), [0])
        found = segments(op, x.values, columns_of(x), maximum(longest, np.array(0, longest.dtype.numpy_dtype)))
    return expand_dims(found, axis) if keepdims else found


def _reduce(op: str, x: RaggedTensor, axis: Any, keepdims: bool) -> Any:
    rank = x.shape.rank
    if axis is None:
        flat = x.flat_values
        found = OPS[_DENSE[op]].call(reshape(flat, [-1]), [0])
        return reshape(found, [1] * (rank or 0)) if keepdims else found
    known = np.ravel(axis.constant if hasattr(axis, "constant") else axis)
    found = x
    for one in sorted({axis_of(int(a), rank) for a in known}, reverse=True):
        found = _reduce_along(op, found, one, keepdims)
    return found


def _reduction(op: str) -> Callable[..., Any]:
    def reduce_ragged(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
        return _reduce(op, input_tensor, axis, bool(keepdims))

    return reduce_ragged


def reduce_mean(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """`tf.reduce_mean` of a ragged tensor: nan for rows without items."""
    total = _reduce("UnsortedSegmentSum", input_tensor, axis, bool(keepdims))
    ones = input_tensor.with_flat_values(ONES_LIKE.call(input_tensor.flat_values))
    number = _reduce("UnsortedSegmentSum", ones, axis, bool(keepdims))
    if isinstance(total, RaggedTensor):
        return total.with_flat_values(truediv(total.flat_values, number.flat_values))
    return truediv(total, number)


def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """`tf.math.reduce_variance` of a ragged tensor; not below 0.  Raises ValueError for complex numbers."""
    if input_tensor.dtype.is_complex:
        raise ValueError("reduce_variance is not supported for RaggedTensors with complex dtypes.")
    mean = reduce_mean(input_tensor, axis, keepdims)
    return maximum(reduce_mean(square(input_tensor), axis, keepdims) - square(mean), cast(0, mean.dtype))


def reduce_std(input_tensor: TensorLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Any:
    """`tf.math.reduce_std` of a ragged tensor."""
    return sqrt(reduce_variance(input_tensor, axis, keepdims))


def reduce_any(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """`tf.reduce_any` of a ragged tensor."""
    flags = input_tensor.with_flat_values(cast(input_tensor.flat_values, int32))
    return greater(_reduce("UnsortedSegmentSum", flags, axis, bool(keepdims)), np.int32(0))


def reduce_all(input_tensor: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Any:
    """`tf.reduce_all` of a ragged tensor."""
    return logical_not(reduce_any(logical_not(input_tensor), axis, keepdims))


def reduce_logsumexp(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """`tf.reduce_logsumexp` of a ragged tensor: -inf for rows without items."""
    greatest: Any = stop_gradient(_reduce("UnsortedSegmentMax", input_tensor, axis, True))
    shares: Any = exp(subtract(input_tensor, greatest))
    total = log(_reduce("UnsortedSegmentSum", shares, axis, bool(keepdims)))
    again = greatest if keepdims else stop_gradient(_reduce("UnsortedSegmentMax", input_tensor, axis, False))
    return ADD.call(total, again)


def softmax(logits: Any, axis: Any = None, name: str | None = None) -> Any:
    """`tf.nn.softmax` of a ragged tensor, along its last axis by default."""
    at = -1 if axis is None else axis
    greatest: Any = stop_gradient(_reduce("UnsortedSegmentMax", logits, at, True))
    shares: Any = exp(subtract(logits, greatest))
    return realdiv(shares, _reduce("UnsortedSegmentSum", shares, at, True))


def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> RaggedTensor:
    """`tf.cumsum` of a ragged tensor with one ragged axis, or along an axis under all ragged ones."""
    at = axis_of(int(axis), x.shape.rank)
    if at > x.ragged_rank:
        return x.with_flat_values(plain_cumsum(x.flat_values, at - x.ragged_rank, exclusive, reverse))
    if x.ragged_rank > 1:
        raise ValueError("tf.cumsum along a ragged axis takes ragged tensors with one ragged axis")
    if at == 1 and reverse:
        return x[:, ::-1].with_values(cumsum(x[:, ::-1], 1, exclusive).values)[:, ::-1]
    whole = plain_cumsum(x.to_tensor(), at, exclusive, reverse)
    return x.with_values(_take_rows(whole, x))


def _take_rows(whole: Any, x: RaggedTensor) -> Any:
    """The items of a padded tensor that has the rows of `x`."""
    items = RaggedTensor.from_tensor(whole, lengths=x.row_lengths(), row_splits_dtype=x.row_splits.dtype).values
    count = x.values.dims[0] if x.values.dims else None
    if count is not None and items.dims is not None and items.dims[0] is None:
        items.set_shape((count, *items.dims[1:]))
    return items


def matmul(a: Any, b: Any, *args: Any, **options: Any) -> Any:
    """`tf.matmul` of batches of matrices whose number of rows differs: ragged in the first axis of `a`'s matrices only."""
    ragged = a if isinstance(a, RaggedTensor) else None
    fits = ragged is not None and ragged.shape.rank == 3 and ragged.ragged_rank == 1 and not any(args)
    if not fits or any(v for k, v in options.items() if k != "name"):
        raise invalid_argument(
            "The matrices in `a` and `b` may not be ragged in their innermost dimension: tf.matmul takes a ragged `a` of shape "
            "[batch, (rows), inner] and a tensor `b`, without transposes"
        )
    if isinstance(b, RaggedTensor):
        b = b.to_tensor(shape=[None, a.flat_values.dims[-1], None])
    return a.with_values(_take_rows(plain_matmul(a.to_tensor(), b), a))


def _segment_reduction(op: str) -> Callable[..., Any]:
    def reduce_segments(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        return segments(op, data, segment_ids, num_segments)

    return reduce_segments


RaggedTensor.functions.update({f"reduce_{name[15:].lower()}": _reduction(name) for name in _DENSE})
RaggedTensor.functions.update({f"unsorted_segment_{name[15:].lower()}": _segment_reduction(name) for name in _DENSE})
RaggedTensor.functions.update(
    reduce_mean=reduce_mean, reduce_variance=reduce_variance, reduce_std=reduce_std, reduce_any=reduce_any, reduce_all=reduce_all,
    reduce_logsumexp=reduce_logsumexp, softmax=softmax, cumsum=cumsum, segments=segments,
)  # fmt: skip
