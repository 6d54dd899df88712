"""The gradient of batch normalisation as an operation, and the older versions of both.

`FusedBatchNormGrad` computes, with c = x - mean, r = (variance + epsilon)**-0.5, n = c r and E the mean over all but the channels,

    x_backprop = scale r (g - E g - n E(g n)),   scale_backprop = sum(g n),   offset_backprop = sum(g),

or scale r g where the statistics are given and not computed (`is_training=False`).  Its own rule differentiates that, mean and variance
being functions of x, in ordinary operations, so that any order exists.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import NUMERIC, bfloat16, float16, float32
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ...kernels import blocked
from ..array.basic import ONES_LIKE
from ..array.type_rules import Array, invalid_argument, merge_dims, require_equal, require_rank
from ..lowering import norm as native_norm
from ..math.functions import rsqrt
from ..primitives.cast import cast
from ..reduce.reductions import mean_of, reduce_mean, reduce_sum
from ..vmap_rules import nn as rows_nn
from ..windows.layout import channels
from .batch_norm import batch_norm_back, batch_norm_kernel, batch_norm_type, count_channels, fill_channels, other_axes

if TYPE_CHECKING:
    from ..vmap_rules.base import Rows

_NARROW = {"T": {float16, bfloat16, float32}, "U": {float32}}


# ---------------------------------------------------------------------- versions of the forward operation


@wraps(batch_norm_kernel)
def _v1_kernel(*arrays: Array, **attrs: Any) -> tuple[Array, ...]:
    return batch_norm_kernel(*arrays, **attrs)[:5]


def _v1_type(*types: Any, **attrs: Any) -> tuple[TensorType, ...]:
    return batch_norm_type(*types, **attrs)[:5]


def _define_v1(name: str, vectors: str, dtypes: Any) -> Op:
    """FusedBatchNorm as it was before its third version, with an output less."""
    inputs = " ".join(f"{v}{vectors}" for v in ("scale", "offset", "mean", "variance"))
    return define(
        name,
        f"x {inputs}",
        _v1_type,
        blocked.allow_native(_v1_kernel),
        {("x", "scale", "offset"): batch_norm_back},
        outputs="y batch_mean batch_variance reserve_space_1 reserve_space_2",
        dtypes=dtypes,
        batch=rows_nn.batch_norm,
        lower=native_norm.batch_norm(5),
        tolerance=tolerance.SUMS_SOON,
    )


FUSED_BATCH_NORM_V1 = _define_v1("FusedBatchNorm", "", {float32})
FUSED_BATCH_NORM_V2 = _define_v1("FusedBatchNormV2", ":U", _NARROW)


# ---------------------------------------------------------------------- the gradient


def _grad_type(
    y_backprop: Any,
    x: Any,
    scale: Any,
    reserve_space_1: Any,
    reserve_space_2: Any,
    *unused: Any,
    data_format: str = "NHWC",
    **_: Any,
) -> tuple[TensorType, ...]:
    rank = len(data_format)
    of_y, of_x = (
        require_rank(t, rank, f"{name} must be {rank}-dimensional{show(t.dims)}") for t, name in ((y_backprop, "y_backprop"), (x, "input"))
    )
    channel = channels(data_format)
    require_equal(of_y[channel], of_x[channel], "x and y_backprop must have the same shape")
    vectors = {"scale": scale, "reserve_space_1": reserve_space_1, "reserve_space_2": reserve_space_2}
    count = count_channels(of_y[channel] if of_x[channel] is None else of_x[channel], vectors)
    dims = tuple(n if m is None else m for m, n in zip(of_y, of_x, strict=True))
    vector, nothing = TensorType((count,), scale.dtype), TensorType((0,), scale.dtype)
    return TensorType(fill_channels(dims, channel, count), x.dtype), vector, vector, nothing, nothing


def _grad(
    y_backprop: Array,
    x: Array,
    scale: Array,
    reserve_space_1: Array,
    reserve_space_2: Array,
    *unused: Array,
    epsilon: float = 0.0001,
    data_format: str = "NHWC",
    is_training: bool = True,
) -> tuple[Array, ...]:
    channel = channels(data_format)
    if x.ndim != len(data_format) or x.shape != y_backprop.shape:
        raise invalid_argument(
            f"x and y_backprop must have the same shape of rank {len(data_format)}: {show(x.shape)} vs. {show(y_backprop.shape)}"
        )
    for vector, name in ((scale, "scale"), (reserve_space_1, "reserve_space_1"), (reserve_space_2, "reserve_space_2")):
        if vector.shape != (x.shape[channel],):
            raise invalid_argument(f"{name} must have one element for each of {x.shape[channel]} channels, got {show(vector.shape)}")
    axes = tuple(i for i in range(x.ndim) if i != channel)
    shape = (-1, *(1,) * (x.ndim - 2)) if channel == 1 else (-1,)
    g = y_backprop.astype(scale.dtype, copy=False)
    inverse = 1 / np.sqrt(reserve_space_2 + scale.dtype.type(epsilon))
    normal = (x.astype(scale.dtype, copy=False) - reserve_space_1.reshape(shape)) * inverse.reshape(shape)
    product = g * normal
    d_scale, d_offset = product.sum(axis=axes), g.sum(axis=axes)
    d_x = g
    if is_training:
        d_x = g - mean_of(g, axes).reshape(shape) - normal * mean_of(product, axes).reshape(shape)
    nothing = np.zeros(0, scale.dtype)
    return (d_x * (scale * inverse).reshape(shape)).astype(x.dtype, copy=False), d_scale, d_offset, nothing, nothing


def _grad_back(
    g_x_backprop: Any,
    g_scale_backprop: Any,
    g_offset_backprop: Any,
    y_backprop: Any,
    x: Any,
    scale: Any,
    reserve_space_1: Any,
    reserve_space_2: Any,
    epsilon: float,
    data_format: str,
    is_training: bool,
) -> tuple[Any, Any, Any]:
    """The cotangents of y_backprop, x and scale; L below is the inner product of outputs and cotangents."""
    axes, spread = other_axes(data_format)
    a, g, wide = (cast(t, scale.dtype) if t.dtype != scale.dtype else t for t in (g_x_backprop, y_backprop, x))
    b, d = g_scale_backprop, g_offset_backprop
    mean = reduce_mean(wide, axes) if is_training else reserve_space_1
    away = wide - spread(mean)
    variance = reduce_mean(away * away, axes) if is_training else reserve_space_2
    inverse = rsqrt(variance + epsilon)
    normal, factor = away * spread(inverse), spread(scale * inverse)
    if not is_training:
        d_g = a * factor + normal * spread(b) + spread(d)
        found = d_g, g * spread(b * inverse), reduce_sum(a * g, axes) * inverse
    else:
        mean_a, mean_g = reduce_mean(a, axes), reduce_mean(g, axes)
        a_normal, g_normal = reduce_mean(a * normal, axes), reduce_mean(g * normal, axes)
        d_g = factor * (a - spread(mean_a) - normal * spread(a_normal)) + normal * spread(b) + spread(d)
        both = reduce_mean(a * g, axes) - mean_a * mean_g - a_normal * g_normal  # L = N scale inverse both + b sum(g n) + d sum(g)
        d_normal = g * spread(b) - factor * (a * spread(g_normal) + g * spread(a_normal))
        centred = d_normal - spread(reduce_mean(d_normal, axes)) - normal * spread(reduce_mean(d_normal * normal, axes))
        d_x = spread(inverse) * centred - normal * spread(scale * inverse * inverse * both)
        count = reduce_sum(ONES_LIKE.call(g), axes)
        found = d_g, d_x, both * inverse * count
    d_g, d_x, d_scale = found
    narrow = y_backprop.dtype != scale.dtype
    return (cast(d_g, y_backprop.dtype) if narrow else d_g), (cast(d_x, x.dtype) if narrow else d_x), d_scale


def _grad_rows(rows: Rows, y_backprop: Any, x: Any, *vectors: Any, data_format: str, **attrs: Any) -> Any:
    """Channels of all rows stand side by side."""
    at = channels(data_format)
    given = [rows.merge(v, 0) for v in vectors[:3]]
    size = None if rows.node.outputs[0].dims is None else rows.node.outputs[0].dims[at]
    found = rows.op(rows.merge(y_backprop, at), rows.merge(x, at), *given, *vectors[3:], data_format=data_format, **attrs)
    d_x, d_scale, d_offset = rows.unmerge(found[0], at, size), rows.unmerge(found[1], 0, size), rows.unmerge(found[2], 0, size)
    return d_x, d_scale, d_offset, rows.stack(found[3]), rows.stack(found[4])


def _gradient(name: str, inputs: str, last: int, dtypes: Any) -> Op:
    return define(
        name,
        f"y_backprop x {inputs}",
        _grad_type,
        blocked.allow_native(_grad),
        {("y_backprop", "x", "scale"): _grad_back},
        outputs=f"x_backprop scale_backprop offset_backprop reserve_space_{last} reserve_space_{last + 1}",
        dtypes=dtypes,
        batch=_grad_rows,
        lower=native_norm.batch_norm_grad,
        tolerance=tolerance.SUMS_SOON,
    )


FUSED_BATCH_NORM_GRAD_V1 = _gradient("FusedBatchNormGrad", "scale reserve_space_1 reserve_space_2", 3, {float32})
FUSED_BATCH_NORM_GRAD_V2 = _gradient("FusedBatchNormGradV2", "scale:float32 reserve_space_1:U reserve_space_2:U", 3, _NARROW)
FUSED_BATCH_NORM_GRAD = _gradient("FusedBatchNormGradV3", "scale:float32 reserve_space_1:U reserve_space_2:U reserve_space_3:U", 4, _NARROW)


# ---------------------------------------------------------------------- what TensorFlow had first


def _global_type(t: Any, m: Any, v: Any, beta: Any, gamma: Any, *, variance_epsilon: float, scale_after_normalization: bool) -> TensorType:
    dims = require_rank(t, 4, f"input must be 4-dimensional: {show(t.dims)}")
    for vector, name in ((m, "mean"), (v, "variance"), (beta, "beta"), (gamma, "gamma")):
        require_rank(vector, 1, f"{name} must be 1-dimensional: {show(vector.dims)}")
        if vector.dims is not None and None not in (dims[3], vector.dims[0]) and dims[3] != vector.dims[0]:
            text = f"{name} must have one element for each channel: {show(vector.dims)} vs. {show(t.dims)}"
            raise ShapeError(text, text)
    return TensorType(dims, t.dtype)


def _global(t: Array, m: Array, v: Array, beta: Array, gamma: Array, *, variance_epsilon: float, scale_after_normalization: bool) -> Array:
    if t.ndim != 4 or any(vector.shape != t.shape[3:] for vector in (m, v, beta, gamma)):
        raise ValueError("images, and vectors with one number for each channel")  # the type rule finds the words
    factor = 1 / np.sqrt(v + v.dtype.type(variance_epsilon))
    found: Array = (t - m) * (factor * gamma if scale_after_normalization else factor) + beta
    return found.astype(t.dtype, copy=False)


def _global_back(g: Any, t: Any, m: Any, v: Any, gamma: Any, variance_epsilon: float, scale_after_normalization: bool) -> tuple[Any, ...]:
    """The cotangents of t, m, v, beta and gamma."""
    inverse = rsqrt(v + variance_epsilon)
    axes, away = [0, 1, 2], t - m
    along, total = reduce_sum(g * away, axes), reduce_sum(g, axes)
    factor = inverse * gamma if scale_after_normalization else inverse
    d_gamma = along * inverse if scale_after_normalization else 0.0 * gamma
    return g * factor, -total * factor, -0.5 * along * factor * inverse * inverse, total, d_gamma


def _global_grad(
    t: Array, m: Array, v: Array, gamma: Array, backprop: Array, *, variance_epsilon: float, scale_after_normalization: bool
) -> tuple[Array, ...]:
    if t.ndim != 4 or backprop.shape != t.shape or any(vector.shape != t.shape[3:] for vector in (m, v, gamma)):
        raise ValueError("images, and vectors with one number for each channel")  # the type rule finds the words
    inverse = 1 / np.sqrt(v + v.dtype.type(variance_epsilon))
    along, total = (backprop * (t - m)).sum(axis=(0, 1, 2)), backprop.sum(axis=(0, 1, 2))
    factor = inverse * gamma if scale_after_normalization else inverse
    d_gamma = along * inverse if scale_after_normalization else np.zeros_like(gamma)
    found = backprop * factor, -total * factor, along * factor * inverse * inverse / -2, total, d_gamma
    return tuple(np.asarray(f, t.dtype) for f in found)


def _global_grad_back(
    g_dx: Any,
    g_dm: Any,
    g_dv: Any,
    g_db: Any,
    g_dg: Any,
    t: Any,
    m: Any,
    v: Any,
    gamma: Any,
    backprop: Any,
    variance_epsilon: float,
    scale_after_normalization: bool,
) -> tuple[Any, ...]:
    """The cotangents of t, m, v, gamma and backprop."""
    axes, away = [0, 1, 2], t - m
    inverse = rsqrt(v + variance_epsilon)
    scale, by_gamma = (gamma, g_dg) if scale_after_normalization else (ONES_LIKE.call(gamma), 0.0 * g_dg)
    factor = inverse * scale
    along, total, paired = reduce_sum(backprop * away, axes), reduce_sum(backprop, axes), reduce_sum(g_dx * backprop, axes)
    curve = by_gamma * inverse - 0.5 * g_dv * factor * inverse * inverse  # what stands before the sum of backprop * away
    d_inverse = scale * (paired - g_dm * total) - 1.5 * g_dv * along * scale * inverse * inverse + by_gamma * along
    d_gamma = inverse * (paired - g_dm * total - 0.5 * g_dv * along * inverse * inverse)
    d_backprop = g_dx * factor - g_dm * factor + g_db + curve * away
    d_v = -0.5 * inverse * inverse * inverse * d_inverse
    return backprop * curve, -total * curve, d_v, d_gamma if scale_after_normalization else 0.0 * d_gamma, d_backprop


def _global_grad_type(
    t: Any, m: Any, v: Any, gamma: Any, backprop: Any, *, variance_epsilon: float, scale_after_normalization: bool
) -> tuple[TensorType, ...]:
    merge_dims(t.dims, backprop.dims, "backprop must have the shape of the input")
    image = _global_type(t, m, v, gamma, gamma, variance_epsilon=variance_epsilon, scale_after_normalization=scale_after_normalization)
    vector = TensorType(gamma.dims or (None,), t.dtype)
    return image, vector, vector, vector, vector


BATCH_NORM_GLOBAL: Op = define(
    "BatchNormWithGlobalNormalization",
    "t m v beta gamma",
    _global_type,
    _global,
    {("t", "m", "v", "beta", "gamma"): _global_back},
    outputs="result",
    dtypes=NUMERIC,
    batch=rows_nn.batch_norm_v1,
)
BATCH_NORM_GLOBAL_GRAD: Op = define(
    "BatchNormWithGlobalNormalizationGrad",
    "t m v gamma backprop",
    _global_grad_type,
    _global_grad,
    {("t", "m", "v", "gamma", "backprop"): _global_grad_back},
    outputs="dx dm dv db dg",
    dtypes=NUMERIC,
    batch=rows_nn.batch_norm_v1,
)
