"""`FusedBatchNormV3`: batch normalisation of images in one operation.

As in TensorFlow only the normalised images pass gradients on, and only to images, scale and offset; the statistics are constants.  The
gradient is written in ordinary operations that start again from the input, so it is differentiable to any order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import quick
from ..base.dtypes import bfloat16, float16, float32
from ..base.shapes import show
from ..ir.op import OPS, Op, define
from ..ir.tensor import METHODS, TensorType
from . import rows_nn
from .array_basic import reshape
from .array_types import Array, invalid, require_equal, require_rank
from .nn_layout import LAYOUTS, channels
from .nn_types import one_of
from .reduce import mean_of, reduce_mean, reduce_sum


def _type(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any,
    variance: Any,
    *,
    epsilon: float = 0.0001,
    exponential_avg_factor: float = 1.0,
    data_format: str = "NHWC",
    is_training: bool = True,
) -> tuple[TensorType, ...]:
    one_of(data_format, LAYOUTS, "data_format")
    require_rank(x, 4, f"input must be 4-dimensional{show(x.dims)}")
    sizes = (None,) if x.dims is None else (x.dims[channels(data_format)],)
    for name, vector in (("scale", scale), ("offset", offset)):
        require_rank(vector, 1, f"{name} must be 1-dimensional{show(vector.dims)}")
        if vector.dims is not None:
            require_equal(
                sizes[0], vector.dims[0], f"{name} must have one element for each channel of x: {show(vector.dims)} vs. {show(x.dims)}"
            )
    return TensorType(x.dims, x.dtype), *(TensorType(sizes, scale.dtype) for _ in range(5))


def _kernel(
    x: Array,
    scale: Array,
    offset: Array,
    mean: Array,
    variance: Array,
    *,
    epsilon: float,
    exponential_avg_factor: float,
    data_format: str,
    is_training: bool,
) -> tuple[Array, ...]:
    if x.ndim != 4:
        raise invalid(f"input must be 4-dimensional{show(x.shape)}")
    channel = channels(data_format)
    if scale.shape != (x.shape[channel],) or offset.shape != scale.shape:
        raise ValueError("one scale and one offset for each channel")
    axes = tuple(i for i in range(4) if i != channel)
    wide = x.astype(scale.dtype, copy=False)
    if is_training:
        count = x.size // max(len(scale), 1)
        used_mean = mean_of(wide, axes)
        used_variance = mean_of(np.square(_each(wide, data_format, np.subtract, used_mean)), axes)
        unbiased = used_variance * scale.dtype.type(count / max(count - 1, 1))
        keep = scale.dtype.type(exponential_avg_factor)
        new_mean, new_variance = used_mean, unbiased
        if exponential_avg_factor != 1.0:
            new_mean, new_variance = (1 - keep) * mean + keep * used_mean, (1 - keep) * variance + keep * unbiased
    else:
        used_mean, used_variance, new_mean, new_variance = mean, variance, mean, variance
    factor = scale / np.sqrt(used_variance + scale.dtype.type(epsilon))
    y = _each(wide, data_format, np.subtract, used_mean)
    for combine, vector in ((np.multiply, factor), (np.add, offset)):
        y = _each(y, data_format, combine, vector)
    return y.astype(x.dtype, copy=False), new_mean, new_variance, used_mean, used_variance, np.zeros_like(used_mean)


def _each(x: Array, data_format: str, combine: np.ufunc, vector: Array) -> Array:
    """`combine(x, vector)`, with a number of the vector for each channel."""
    if data_format == "NCHW" or x.size < quick.LARGE or not x.flags.c_contiguous:
        return np.asarray(combine(x, vector.reshape((-1, 1, 1) if data_format == "NCHW" else (-1,))))
    wide, row = quick.side_by_side(x.reshape(-1, len(vector)), vector)
    return np.asarray(combine(wide, row)).reshape(x.shape)


def _back(
    g_y: Any, x: Any, scale: Any, mean: Any, variance: Any, epsilon: float, data_format: str, is_training: bool
) -> tuple[Any, Any, Any]:
    first = data_format == "NCHW"
    axes = [0, 2, 3] if first else [0, 1, 2]

    def spread(v: Any) -> Any:
        return reshape(v, [-1, 1, 1]) if first else v

    g, wide, cast = g_y, x, METHODS["cast"]
    if x.dtype != scale.dtype:
        g, wide = cast(g_y, scale.dtype), cast(x, scale.dtype)
    if is_training:
        mean = reduce_mean(wide, axes)
        away = wide - spread(mean)
        variance = reduce_mean(away * away, axes)
    else:
        away = wide - spread(mean)
    inverse = OPS["Rsqrt"].call(variance + epsilon)
    normal = away * spread(inverse)
    g_scale, g_offset = reduce_sum(g * normal, axes), reduce_sum(g, axes)
    g_x = g - spread(reduce_mean(g, axes)) - normal * spread(reduce_mean(g * normal, axes)) if is_training else g
    g_x = g_x * spread(scale * inverse)
    return (g_x if x.dtype == scale.dtype else cast(g_x, x.dtype)), g_scale, g_offset


FUSED_BATCH_NORM: Op = define(
    "FusedBatchNormV3",
    "x scale:U offset:U mean:U variance:U",
    _type,
    _kernel,
    {("x", "scale", "offset"): _back},
    outputs="y batch_mean batch_variance reserve_space_1 reserve_space_2 reserve_space_3",
    dtypes={"T": {float16, bfloat16, float32}, "U": {float32}},
    batch=rows_nn.batch_norm,
)
