"""`FusedBatchNormV3`: batch normalisation of images in one operation.

As in TensorFlow only the normalised images pass gradients on, and only to images, scale and offset; the statistics are constants.  The
gradient is written in ordinary operations that start again from the input, so it is differentiable to any order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import bfloat16, float16, float32
from ...base.shapes import show
from ...ir.op import Op, define
from ...ir.tensor import Dims, Tensor, TensorType
from ...kernels import blocked
from ..array.basic import reshape
from ..array.identity import stop_gradient
from ..array.type_rules import Array, check_one_of, invalid_argument, require_equal, require_rank
from ..lowering import norm as native_norm
from ..math.functions import rsqrt
from ..primitives.cast import cast
from ..reduce.reductions import mean_of, reduce_mean, reduce_sum
from ..vmap_rules import nn as rows_nn
from ..windows.layout import LAYOUTS, channels


def fill_channels(dims: tuple[int | None, ...], channel: int, count: int | None) -> Dims:
    """`dims` with the number of channels that vectors of statistics tell."""
    return (*dims[:channel], count if dims[channel] is None else dims[channel], *dims[channel + 1 :])


def other_axes(data_format: str) -> tuple[list[int], Callable[[Any], Any]]:
    """The axes that statistics are taken over, and what makes a vector with a number for each channel broadcast."""
    rank, channel = len(data_format), channels(data_format)
    ones = [1] * (rank - 2)
    return [i for i in range(rank) if i != channel], (lambda v: reshape(v, [-1, *ones])) if channel == 1 else (lambda v: v)


def batch_norm_type(
    x: Tensor,
    scale: Tensor,
    offset: Tensor,
    mean: Tensor,
    variance: Tensor,
    *,
    exponential_avg_factor: float = 1.0,
    data_format: str = "NHWC",
    is_training: bool = True,
    **_: Any,
) -> tuple[TensorType, ...]:
    """The types of y and of the statistics; errors for ranks and lengths that do not fit."""
    check_one_of(data_format, (*LAYOUTS, "NDHWC", "NCDHW"), "data_format")
    dims = require_rank(x, len(data_format), f"input must be {len(data_format)}-dimensional{show(x.dims)}")
    channel = channels(data_format)
    vectors = {"scale": scale, "offset": offset}
    if not is_training or exponential_avg_factor != 1.0:  # else the statistics are not read
        vectors |= {"mean": mean, "variance": variance}
    count = count_channels(dims[channel], vectors)
    statistics = [TensorType((count,), scale.dtype)] * 4
    return TensorType(fill_channels(dims, channel, count), x.dtype), *statistics, TensorType((0,), scale.dtype)


def count_channels(count: int | None, vectors: dict[str, Any]) -> int | None:
    """The number of channels; refuses what is no vector with an element for each."""
    for name, vector in vectors.items():
        (size,) = require_rank(vector, 1, f"{name} must be 1-dimensional{show(vector.dims)}")
        require_equal(count, size, f"{name} must have one element for each of {count} channels: {show(vector.dims)}")
        count = size if count is None else count
    return count


def batch_norm_kernel(
    x: Array,
    scale: Array,
    offset: Array,
    mean: Array,
    variance: Array,
    *,
    epsilon: float = 0.0001,
    exponential_avg_factor: float = 1.0,
    data_format: str = "NHWC",
    is_training: bool = True,
) -> tuple[Array, ...]:
    """y and the statistics, in NumPy."""
    check_one_of(data_format, (*LAYOUTS, "NDHWC", "NCDHW"), "data_format")
    if x.ndim != len(data_format):
        raise invalid_argument(f"input must be {len(data_format)}-dimensional{show(x.shape)}")
    channel = channels(data_format)
    if scale.shape != (x.shape[channel],) or offset.shape != scale.shape:
        raise ValueError("one scale and one offset for each channel")
    axes = tuple(i for i in range(x.ndim) if i != channel)
    wide = x.astype(scale.dtype, copy=False)
    if not is_training and not mean.shape == variance.shape == scale.shape:
        raise invalid_argument(f"estimated mean and variance must have the shape of scale: {show(mean.shape)}, {show(variance.shape)}")
    if is_training:
        count = x.size // max(len(scale), 1)
        used_mean = mean_of(wide, axes)
        used_variance = mean_of(np.square(_combine_channels(wide, data_format, np.subtract, used_mean)), axes)
        unbiased = used_variance * scale.dtype.type(count / max(count - 1, 1))
        keep = scale.dtype.type(exponential_avg_factor)
        new_mean, new_variance = used_mean, unbiased
        if exponential_avg_factor != 1.0:
            new_mean, new_variance = (1 - keep) * mean + keep * used_mean, (1 - keep) * variance + keep * unbiased
    else:
        used_mean, used_variance, new_mean, new_variance = mean, variance, mean, variance
    factor = scale / np.sqrt(used_variance + scale.dtype.type(epsilon))
    y = _combine_channels(wide, data_format, np.subtract, used_mean)
    for combine, vector in ((np.multiply, factor), (np.add, offset)):
        y = _combine_channels(y, data_format, combine, vector)
    return y.astype(x.dtype, copy=False), new_mean, new_variance, used_mean, used_variance, np.zeros(0, scale.dtype)


def _combine_channels(x: Array, data_format: str, combine: np.ufunc, vector: Array) -> Array:
    """`combine(x, vector)`, with a number of the vector for each channel."""
    first = data_format.startswith("NC")
    if first or x.size < blocked.LARGE or not x.flags.c_contiguous:
        return np.asarray(combine(x, vector.reshape(-1, *(1,) * (x.ndim - 2)) if first else vector))
    wide, row = blocked.join_rows(x.reshape(-1, len(vector)), vector)
    return np.asarray(combine(wide, row)).reshape(x.shape)


def batch_norm_back(
    g_y: Tensor, x: Tensor, scale: Tensor, mean: Tensor, variance: Tensor, epsilon: float, data_format: str, is_training: bool
) -> tuple[Any, Any, Any]:
    """The gradients of x, scale and offset."""
    axes, spread = other_axes(data_format)

    g, wide = g_y, x
    if x.dtype != scale.dtype:
        g, wide = cast(g_y, scale.dtype), cast(x, scale.dtype)
    if is_training:
        mean = reduce_mean(wide, axes)
        away = wide - spread(mean)
        variance = reduce_mean(away * away, axes)
    else:
        mean, variance = stop_gradient(mean), stop_gradient(variance)  # constants, to the second order as to the first
        away = wide - spread(mean)
    inverse = rsqrt(variance + epsilon)
    normal = away * spread(inverse)
    g_scale, g_offset = reduce_sum(g * normal, axes), reduce_sum(g, axes)
    g_x = g - spread(reduce_mean(g, axes)) - normal * spread(reduce_mean(g * normal, axes)) if is_training else g
    g_x = g_x * spread(scale * inverse)
    return (g_x if x.dtype == scale.dtype else cast(g_x, x.dtype)), g_scale, g_offset


FUSED_BATCH_NORM: Op = define(
    "FusedBatchNormV3",
    "x scale:U offset:U mean:U variance:U",
    batch_norm_type,
    blocked.allow_native(batch_norm_kernel),
    {("x", "scale", "offset"): batch_norm_back},
    outputs="y batch_mean batch_variance reserve_space_1 reserve_space_2 reserve_space_3",
    dtypes={"T": {float16, bfloat16, float32}, "U": {float32}},
    batch=rows_nn.batch_norm,
    lower=native_norm.batch_norm(6),
    tolerance=tolerance.SUMS_SOON,
)
