"""How normalisations are lowered for the engine: statistics are reductions, and what reads them shares its loop with its neighbours."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .reduce import widen

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

#: Neighbourhoods of more channels than this are reductions over one more axis.
_MANY = 16


def _channels(rank: int, data_format: str) -> tuple[list[int], int]:
    """All axes but the channels', and theirs."""
    channel = 1 if data_format.startswith("NC") else rank - 1
    return [i for i in range(rank) if i != channel], channel


def _spread(builder: Builder, dims: tuple[int, ...], channel: int) -> Callable[[Any], Any]:
    """A vector with a number for each channel as a tensor of `dims`."""
    return lambda vector: builder.affine(vector, dims, ((0, ((channel, 1),)),))


def batch_norm(outputs: int) -> Callable[..., Any]:
    """FusedBatchNorm of so many outputs."""

    def lower(
        builder: Any,
        x: Any,
        scale: Any,
        offset: Any,
        mean: Any,
        variance: Any,
        *,
        epsilon: float,
        exponential_avg_factor: float,
        data_format: str,
        is_training: bool,
    ) -> Any:
        axes, channel = _channels(len(x.dims), data_format)
        if scale.dims != (x.dims[channel],) or offset.dims != scale.dims:
            raise builder.Unsupported("vectors that have not a number for each channel")
        if not x.size or (not is_training and (mean.dims != scale.dims or variance.dims != scale.dims)):
            raise builder.Unsupported("an empty batch, or statistics of other channels")
        given, spread = builder.cast(x, scale.dtype), _spread(builder, x.dims, channel)
        new_mean, new_variance = used_mean, used_variance = mean, variance
        if is_training:
            count = x.size // scale.size
            used_mean = builder.memory(builder.reduce("sum", given, axes) / float(count))
            used_variance = builder.memory(builder.reduce("sum", builder.square(given - spread(used_mean)), axes) / float(count))
            new_mean, new_variance = used_mean, used_variance * float(np.float32(count / max(count - 1, 1)))
            if exponential_avg_factor != 1.0:
                keep = np.float32(exponential_avg_factor)
                left = float(np.float32(1) - keep)
                new_mean, new_variance = (old * left + new * float(keep) for old, new in ((mean, new_mean), (variance, new_variance)))
        factor = builder.memory(scale / builder.sqrt(used_variance + float(np.float32(epsilon))))
        y = (given - spread(used_mean)) * spread(factor) + spread(offset)
        nothing = builder.broadcast(builder.number(0, scale.dtype), (0,))
        return (builder.cast(y, x.dtype), new_mean, new_variance, used_mean, used_variance, nothing)[:outputs]

    return lower


def batch_norm_grad(
    builder: Builder,
    y_backprop: IndexExpr,
    x: IndexExpr,
    scale: IndexExpr,
    mean: IndexExpr,
    variance: IndexExpr,
    *unused: Any,
    epsilon: float,
    data_format: str,
    is_training: bool,
) -> tuple[IndexExpr, ...]:
    """FusedBatchNormGrad."""
    axes, channel = _channels(len(x.dims), data_format)
    if x.dims != y_backprop.dims or any(v.dims != (x.dims[channel],) for v in (scale, mean, variance)) or not x.size:
        raise builder.Unsupported("shapes that do not fit, or an empty batch")
    spread, count = _spread(builder, x.dims, channel), float(x.size // scale.size)
    g = builder.cast(y_backprop, scale.dtype)
    inverse = 1.0 / builder.sqrt(variance + float(np.float32(epsilon)))
    normal = (builder.cast(x, scale.dtype) - spread(mean)) * spread(builder.memory(inverse))
    d_scale, d_offset = (builder.memory(builder.reduce("sum", t, axes)) for t in (g * normal, g))
    d_x = g - spread(d_offset / count) - normal * spread(d_scale / count) if is_training else g
    nothing = builder.broadcast(builder.number(0, scale.dtype), (0,))
    return builder.cast(d_x * spread(builder.memory(scale * inverse)), x.dtype), d_scale, d_offset, nothing, nothing


def _sum_around(builder: Builder, t: Any, radius: int) -> IndexExpr:
    """The sums over the channels up to `radius` away."""
    channels = t.dims[-1]
    radius = max(min(radius, channels - 1), 0)
    rows = builder.reshape(t, (math.prod(t.dims[:-1]), channels))
    beside = builder.memory(builder.pad(rows, [0, radius], (rows.dims[0], channels + 2 * radius), 0))
    if 2 * radius + 1 > _MANY:
        views = builder.affine(beside, (*rows.dims, 2 * radius + 1), ((0, ((0, 1),)), (0, ((1, 1), (2, 1)))))
        return builder.reshape(builder.reduce("sum", views, [2]), t.dims)
    sums = builder.strided(beside, [0, 0], [1, 1], rows.dims)
    for i in range(1, 2 * radius + 1):
        sums = sums + builder.strided(beside, [0, i], [1, 1], rows.dims)
    return builder.reshape(sums, t.dims)


def _level(builder: Builder, x: Any, radius: int, bias: float, alpha: float) -> IndexExpr:
    return _sum_around(builder, builder.square(x), radius) * float(np.float32(alpha)) + float(np.float32(bias))


def _power(builder: Builder, level: Any, beta: float) -> IndexExpr:
    """level ** -beta, by roots for the usual ones."""
    if beta == 0.5:
        return 1.0 / builder.sqrt(level)
    if beta == 0.75:
        root = builder.sqrt(level)
        return 1.0 / (root * builder.sqrt(root))
    return builder.pow(level, float(np.float32(-beta)))


def lrn(builder: Builder, input: IndexExpr, *, depth_radius: int, bias: float, alpha: float, beta: float) -> IndexExpr:
    """LRN: the sum of squares over neighbouring channels."""
    if len(input.dims) != 4:
        raise builder.Unsupported("a tensor that is no batch of images")
    if not input.size:
        return input
    x = widen(builder, input)
    return builder.cast(x * _power(builder, _level(builder, x, depth_radius, bias, alpha), beta), input.dtype)


def lrn_grad(
    builder: Builder,
    input_grads: IndexExpr,
    input_image: IndexExpr,
    output_image: IndexExpr,
    *,
    depth_radius: int,
    bias: float,
    alpha: float,
    beta: float,
) -> IndexExpr:
    """LRNGrad."""
    if len(input_image.dims) != 4 or input_grads.dims != input_image.dims or output_image.dims != input_image.dims:
        raise builder.Unsupported("tensors that are no batches of images of one shape")
    if not input_image.size:
        return input_image
    x, g = widen(builder, input_image), widen(builder, input_grads)
    level = builder.memory(_level(builder, x, depth_radius, bias, alpha))
    power = builder.memory(builder.pow(level, float(np.float32(-beta - 1))))
    found = level * power * g - x * _sum_around(builder, g * x * power, depth_radius) * float(np.float32(2 * alpha * beta))
    return builder.cast(found, input_image.dtype)
