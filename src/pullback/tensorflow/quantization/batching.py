"""Batching rules of quantisation: rows with ranges of their own are slices, or channels, with ranges of their own.

Rows that share a range are one tensor.  Where ranges differ, or are found in the numbers, what has one range for all its numbers is a
vector among the slices of a matrix, and what has one for each slice has more slices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ops.array.basic import reshape
from ...ops.batching import Batched, Same, batches, next_axis
from ...ops.reduce.reductions import PROD
from ...ops.vmap_rules.base import Rows, sizes
from ...ops.vmap_rules.nn import output_dim
from .quantize import DEQUANTIZE, QUANTIZE_V2, QUANTIZED_CONCAT
from .rounding import (
    QUANTIZE_AND_DEQUANTIZE,
    QUANTIZE_AND_DEQUANTIZE_V2,
    QUANTIZE_AND_DEQUANTIZE_V3,
    QUANTIZE_AND_DEQUANTIZE_V4,
    QUANTIZE_AND_DEQUANTIZE_V4_GRAD,
)
from .simulated import FAKE_QUANT_CHANNELS_GRADIENT, FAKE_QUANT_VARS_GRADIENT

if TYPE_CHECKING:
    from ...ir.tensor import Tensor, TensorLike


def _flatten_rows(rows: Rows, tensor: Any) -> Any:
    """Each row as a vector."""
    tensor = rows.stack(tensor)
    length = PROD(rows.shape(tensor), [0], keep_dims=False)
    return reshape(tensor, rows.before(reshape(length, [1])))


def _apply_to_slices(rows: Rows, op: Any, tensors: Sequence[Any], rest: Sequence[Any], attrs: dict[str, Any]) -> list[Any]:
    """An op on rows as slices along axis 0; the first output has the shape of the tensors again."""
    found = op(*(_flatten_rows(rows, t) for t in tensors), *rest, **{**attrs, "axis": 0})
    first, *others = found if isinstance(found, (tuple, list)) else [found]
    return [reshape(first, sizes(rows.stack(tensors[0]))), *others]


def _apply_to_more_slices(rows: Rows, tensors: Sequence[Any], rest: Sequence[Any], attrs: dict[str, Any]) -> list[Any]:
    """An op on rows that have slices with ranges each, along an axis, which stand side by side."""
    axis = attrs["axis"]
    found = rows.op(*(rows.merge(t, axis) for t in tensors), *rest, **attrs)
    first, *others = found if isinstance(found, (tuple, list)) else [found]
    return [rows.unmerge(first, axis, output_dim(rows, axis)), *(rows.unfold(t, output_dim(rows, 0, i)) for i, t in enumerate(others, 1))]


@batches(QUANTIZE_AND_DEQUANTIZE)
def batch_found_range(rows: Rows, input: Tensor, *, range_given: bool, input_min: float, input_max: float, **attrs: Any) -> Batched:
    """A range that is an attribute is shared; one that is found is each row's own."""
    if range_given:
        return rows.op(input, range_given=True, input_min=input_min, input_max=input_max, **attrs)
    ends = [np.zeros((), input.dtype.numpy_dtype)] * 2
    options = {**attrs, "range_given": False, "round_mode": "HALF_TO_EVEN", "narrow_range": False}
    return _apply_to_slices(rows, QUANTIZE_AND_DEQUANTIZE_V2, [input], ends, options)[0]


@batches(QUANTIZE_AND_DEQUANTIZE_V2, QUANTIZE_AND_DEQUANTIZE_V3, QUANTIZE_AND_DEQUANTIZE_V4)
def batch_levels(rows: Rows, input: Tensor, input_min: Any, input_max: Any, *bits: Any, **attrs: Any) -> Batched:
    """To levels and back, in a range that is an input or found; bits: their number, where that is an input."""
    ends, axis, given = [input_min, input_max], attrs["axis"], attrs["range_given"]
    if rows.has(*bits):
        return NotImplemented
    if given and not rows.has(*ends):
        return rows.op(input, *ends, *bits, **{**attrs, "axis": next_axis(axis)})
    if not given:  # what the ends are does not count
        ends = [np.zeros((), input.dtype.numpy_dtype)] * 2
    if axis < 0:
        return _apply_to_slices(rows, rows.op, [input], [*(rows.all_stacked(ends) if given else ends), *bits], attrs)[0]
    return _apply_to_more_slices(rows, [input], [*(map(rows.fold, ends) if given else ends), *bits], attrs)[0]


@batches(QUANTIZE_AND_DEQUANTIZE_V4_GRAD)
def batch_levels_grad(rows: Rows, gradients: Tensor, input: Tensor, input_min: Tensor, input_max: Tensor, *, axis: int) -> Batched:
    """What passes lies in the range of its row or slice."""
    ends = [input_min, input_max]
    if axis >= 0:
        return tuple(_apply_to_more_slices(rows, [gradients, input], [*map(rows.fold, ends)], {"axis": axis}))
    if rows.has(*ends):
        return tuple(_apply_to_slices(rows, rows.op, [gradients, input], rows.all_stacked(ends), {}))
    passed, *nothing = rows.op(rows.stack(gradients), rows.stack(input), *ends, axis=axis)
    return (passed, *(Same(t) for t in nothing))


@batches(QUANTIZE_V2, DEQUANTIZE)
def batch_shared_range(rows: Rows, input: Tensor, min_range: Tensor, max_range: Tensor, *, axis: int, **attrs: Any) -> Batched:
    """To integers or from them; a range of its own for each row is one for each slice."""
    ends, options = [min_range, max_range], {**attrs, "axis": axis}
    if not rows.has(*ends):
        found = rows.op(input, *ends, **{**options, "axis": next_axis(axis)})
        return (found[0], *(Same(t) for t in found[1:])) if isinstance(found, (tuple, list)) else found
    several = len(rows.node.outputs) > 1
    if axis >= 0:
        answer = _apply_to_more_slices(rows, [input], [*map(rows.fold, ends)], options)
    else:
        answer = _apply_to_slices(rows, rows.op, [input], rows.all_stacked(ends), options)
    return tuple(answer) if several else answer[0]


@batches(QUANTIZED_CONCAT)
def concat(
    rows: Rows, concat_dim: Tensor, values: Sequence[TensorLike], input_mins: Sequence[TensorLike], input_maxes: Sequence[TensorLike]
) -> Batched:
    """Along a later axis, in the range that all rows share."""
    if rows.has(concat_dim, *input_mins, *input_maxes):
        return NotImplemented
    found, *ends = rows.op(rows.later(concat_dim), rows.all_stacked(values), list(input_mins), list(input_maxes))
    return (found, *(Same(t) for t in ends))


@batches(FAKE_QUANT_VARS_GRADIENT, FAKE_QUANT_CHANNELS_GRADIENT)
def fake_grad(rows: Rows, gradients: Tensor, inputs: Tensor, min: Tensor, max: Tensor, **attrs: Any) -> Batched:
    """The gradients for ends are sums of a row's numbers: rows, or the channels of rows, are channels."""
    op = FAKE_QUANT_CHANNELS_GRADIENT
    if rows.op is not op:
        columns = [rows.swap_axes(_flatten_rows(rows, t)) for t in (gradients, inputs)]
        passed, *sums = op(*columns, *rows.all_stacked([min, max]), **attrs)
        return (reshape(rows.swap_axes(passed), sizes(rows.stack(gradients))), *sums)
    rank = rows.rank(inputs)
    if rank is None:
        return NotImplemented
    given = [*(rows.merge(t, rank - 1) for t in (gradients, inputs)), *map(rows.fold, (min, max))]
    passed, *sums = op(*given, **attrs)
    along = rows.unmerge(passed, rank - 1, output_dim(rows, rank - 1))
    return (along, *(rows.unfold(t, output_dim(rows, 0, i)) for i, t in enumerate(sums, 1)))
