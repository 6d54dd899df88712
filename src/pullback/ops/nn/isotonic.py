"""Isotonic regression: the non-increasing sequence nearest to a given one, by pooling adjacent violators.

The answer is the mean over each of some segments, so its gradient is the mean of the cotangent over the same segments.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import REAL, DType, bfloat16, float16, float32, float64, int8, int16, int32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.op import Op, define
from ...ir.tensor import NumberLike, TensorType
from ...kernels.loops import f64, native_or_python
from ..array.basic import ONES_LIKE, TRANSPOSE, reshape, shape_of
from ..array.create import RANGE
from ..array.gather import gather
from ..array.join import stack
from ..array.type_rules import Array, invalid_argument
from ..batching import stack_rows
from ..math.division import DIV_NO_NAN
from ..primitives.cast import CAST
from ..segment.dense import unsorted_segment_sum

_OUTPUTS = {float32: float32, float16: float16, bfloat16: bfloat16, int8: float32, int16: float32}


def _type(input: Any, *, output_dtype: DType = float32) -> tuple[TensorType, TensorType]:
    return TensorType(input.dims, output_dtype), TensorType(input.dims, int32)


def pool_segments(means: Any, segments: Any, x: Any, sums: Any, averages: Any, begins: Any, rows: int, length: int) -> int:
    """For each row the means of its segments and their numbers; sums, averages, begins: room for the segments of a row."""
    for i in range(rows):
        known = 0
        row = i * length
        for j in range(length):
            total = f64(x[row + j])
            mean = total
            begin = j
            while known > 0 and averages[known - 1] < mean:
                known -= 1
                total = total + sums[known]
                begin = begins[known]
                mean = total / (j + 1 - begin)
            sums[known] = total
            averages[known] = mean
            begins[known] = begin
            known += 1
        begins[known] = length
        for k in range(known):
            for j in range(begins[k], begins[k + 1]):
                means[row + j] = averages[k]
                segments[row + j] = k
    return 0


def _kernel(input: Array, *, output_dtype: DType) -> tuple[Array, Array]:
    x = np.ascontiguousarray(input if input.dtype.char in "fd" else input.astype(np.float64)).reshape(input.shape)
    length = x.shape[-1] if x.ndim else 1
    means, segments = np.empty(x.shape, x.dtype), np.empty(x.shape, np.int32)
    room = np.empty(length), np.empty(length), np.empty(length + 1, np.int64)
    given = means.reshape(-1), segments.reshape(-1), x.reshape(-1), *room
    native_or_python(pool_segments, x.size)(*given, x.size // max(length, 1), length)
    return means.astype(output_dtype.numpy_dtype, copy=False), segments


def _pull_back(g_output: Any, segments: Any, input_type: Any) -> Any:
    """The mean of the cotangent over each segment."""
    sizes = shape_of(segments)
    scalar = isinstance(sizes, np.ndarray) and not len(sizes)
    flat = reshape(segments, [1, 1] if scalar else stack([-1, sizes[-1]]))
    whole = shape_of(flat)
    offsets = RANGE(0, whole[0], 1)
    numbers = reshape(flat + reshape(offsets, [-1, 1]) * whole[1], [-1])
    count = whole[0] * whole[1]
    g = reshape(g_output, [-1])
    total = unsorted_segment_sum(g, numbers, count)
    points = unsorted_segment_sum(ONES_LIKE(g), numbers, count)
    mean = gather(DIV_NO_NAN(total, points), numbers, axis=0)
    shaped = reshape(mean, shape_of(segments))
    return shaped if input_type.dtype == g_output.dtype else CAST(shaped, DstT=input_type.dtype)


ISOTONIC: Op = define(
    "IsotonicRegression",
    "input",
    _type,
    _kernel,
    {"input": _pull_back},
    outputs="output segments",
    dtypes=REAL,
    batch=stack_rows("input"),
)


class IsotonicRegression(NamedTuple):
    """What `isotonic_regression` returns."""

    output: Any
    segments: Any


@export(v2="nn.isotonic_regression")
def isotonic_regression(inputs: NumberLike, decreasing: bool = True, axis: int = -1) -> IsotonicRegression:
    """The non-increasing sequence along `axis` that is nearest to `inputs` in squared distance (Best and Chakravarti, 1990).

    inputs: real, any shape.  decreasing: False for a non-decreasing sequence.  Returns (output, segments): output has the dtype of inputs,
    float32 for int8 and int16, float64 for other integers; segments numbers the runs of equal output along the axis.

    >>> output, segments = tf.nn.isotonic_regression(tf.constant([3.0, 1.0, 2.0, 0.0]))
    >>> output.numpy().tolist(), segments.numpy().tolist()
    ([3.0, 1.5, 1.5, 0.0], [0, 1, 1, 2])
    """
    x = convert_to_tensor(inputs)
    dtype = _OUTPUTS.get(x.dtype, float64)
    perm = None
    if x.dims and not -len(x.dims) <= axis < len(x.dims):
        raise invalid_argument(f"`axis` must be in the range [{-len(x.dims)}, {len(x.dims)}), got {axis}")
    if x.dims and axis % len(x.dims) != len(x.dims) - 1:
        perm = np.arange(len(x.dims), dtype=np.int32)
        perm[[axis, -1]] = perm[[-1, axis]]
        x = TRANSPOSE(x, perm)
    output, segments = ISOTONIC(x if decreasing else -x, output_dtype=dtype)
    output = output if decreasing else -output
    if perm is None:
        return IsotonicRegression(output, segments)
    return IsotonicRegression(TRANSPOSE(output, perm), TRANSPOSE(segments, perm))
