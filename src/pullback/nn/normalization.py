"""Moments and normalisation."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..base.dtypes import bfloat16, float16, float32
from ..base.export import export
from ..base.renamed_arguments import resolve_renamed
from ..ir.apply import convert_to_tensor, tensor_with
from ..ir.context import scope
from ..ir.tensor import IntLike, NumberLike, Tensor
from ..ops.array.basic import shape_of
from ..ops.array.shape import squeeze
from ..ops.math.arithmetic import add, maximum, multiply, square, squared_difference, subtract
from ..ops.math.complex import imag, real
from ..ops.math.division import divide_no_nan
from ..ops.math.functions import reciprocal, rsqrt
from ..ops.primitives.cast import cast
from ..ops.reduce.reductions import reduce_mean, reduce_sum

_HALVES = (float16, bfloat16)


@export(v2="nn.moments")
def moments(x: Any, axes: IntLike, shift: Any = None, keepdims: bool = False, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The mean and the variance of `x` along `axes`; halves are computed in float32.

    axes: an integer or several.  shift: not used.  keepdims: keep the axes with size 1.

    >>> [t.numpy().item() for t in tf.nn.moments(tf.constant([1.0, 3.0]), axes=[0])]
    [2.0, 1.0]
    """
    with scope(name, "moments"):
        if isinstance(x, (list, tuple)):
            raise AttributeError(f"'{type(x).__name__}' object has no attribute 'dtype'")
        x = tensor_with(x, "dtype", "x")
        axes = _list_axes(axes)
        y = cast(x, float32) if x.dtype in _HALVES else x
        mean = reduce_mean(y, axes, keepdims=True, name="mean")
        variance = reduce_mean(squared_difference(y, mean), axes, keepdims=True, name="variance")
        if not keepdims:
            mean, variance = squeeze(mean, axes), squeeze(variance, axes)
        return cast(mean, x.dtype), cast(variance, x.dtype)


def _list_axes(axes: IntLike) -> Any:
    return [axes] if isinstance(axes, (int, np.integer)) else axes


@export(v2="nn.weighted_moments")
def weighted_moments(
    x: NumberLike, axes: IntLike, frequency_weights: NumberLike, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The mean and the variance of `x` along `axes`, each element counted `frequency_weights` times.

    frequency_weights: non-negative, broadcast against x; both are 0 where they sum to 0.

    >>> [t.numpy().item() for t in tf.nn.weighted_moments([1.0, 3.0], [0], [3.0, 1.0])]
    [1.5, 0.75]
    """
    with scope(name, "weighted_moments"):
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(frequency_weights, name="frequency_weights")
        narrow = x.dtype in _HALVES
        y = cast(x, float32) if narrow else x
        weights = cast(weights, y.dtype)
        axes = _list_axes(axes)
        weighted = weights * y
        total = reduce_sum(weights + (y - y), axes, keepdims=True)
        mean = divide_no_nan(reduce_sum(weighted, axes, keepdims=True), total)
        variance = divide_no_nan(reduce_sum(weights * squared_difference(y, mean), axes, keepdims=True), total)
        if not keepdims:
            mean, variance = squeeze(mean, axes), squeeze(variance, axes)
        return cast(mean, x.dtype), cast(variance, x.dtype)


@export(v2="nn.sufficient_statistics")
def sufficient_statistics(
    x: NumberLike, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """How many elements lie along `axes`, their sum, the sum of their squares, and `shift`, which was subtracted first when given.

    >>> [t.numpy().item() for t in tf.nn.sufficient_statistics(tf.constant([1.0, 3.0]), [0])[:3]]
    [2.0, 4.0, 10.0]
    """
    with scope(name, "sufficient_statistics"):
        x = convert_to_tensor(x, name="x")
        axes = sorted({operator.index(axis) for axis in axes})
        sizes = shape_of(x)
        counts: Any = 1.0
        if axes and not isinstance(sizes, np.ndarray):
            for axis in axes:
                counts = counts * cast(sizes[axis], x.dtype)
        else:
            known = [int(sizes[axis]) for axis in axes]
            counts = convert_to_tensor(np.asarray(np.prod(known), x.dtype.base_dtype.numpy_dtype))
        if shift is not None:
            shift = convert_to_tensor(shift, name="shift")
            x = subtract(x, shift)
        squares = square(x)
        total = reduce_sum(x, axes, keepdims=keepdims, name="mean_ss")
        return counts, total, reduce_sum(squares, axes, keepdims=keepdims, name="var_ss"), shift


@export("nn.normalize_moments")
def normalize_moments(
    counts: NumberLike, mean_ss: NumberLike, variance_ss: NumberLike, shift: NumberLike | None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The mean and the variance that `sufficient_statistics` speak of.

    >>> [t.numpy().item() for t in tf.nn.normalize_moments(2.0, 4.0, 10.0, None)]
    [2.0, 1.0]
    """
    with scope(name, "normalize"):
        divisor = reciprocal(counts, name="divisor")
        shifted = multiply(mean_ss, divisor, name="shifted_mean" if shift is not None else "mean")
        mean = shifted if shift is None else add(shifted, shift, name="mean")
        return mean, subtract(multiply(variance_ss, divisor), square(shifted), name="variance")


@export("nn.batch_normalization")
def batch_normalization(
    x: Any, mean: Any, variance: NumberLike, offset: Any, scale: Any, variance_epsilon: Any, name: str | None = None
) -> Tensor:
    """(x - mean) / sqrt(variance + variance_epsilon) * scale + offset (Ioffe and Szegedy, 2015), all broadcast.

    offset, scale: None for none.

    >>> tf.nn.batch_normalization(tf.constant([1.0, 3.0]), 2.0, 1.0, None, None, 0.0).numpy().tolist()
    [-1.0, 1.0]
    """
    with scope(name, "batchnorm"):
        x = tensor_with(x, "dtype")
        if variance_epsilon is None:
            raise TypeError("batch normalization: `variance_epsilon` is a number, not None")
        inverse = rsqrt(convert_to_tensor(variance) + variance_epsilon)
        if scale is not None:
            inverse = inverse * scale
        scaled = x * cast(inverse, x.dtype)
        shift = -mean * inverse if offset is None else offset - mean * inverse
        return add(scaled, cast(shift, x.dtype), "add_1")


@export("linalg.l2_normalize", "math.l2_normalize", "nn.l2_normalize")
def l2_normalize(
    x: NumberLike, axis: IntLike | None = None, epsilon: float = 1e-12, name: str | None = None, dim: IntLike | None = None
) -> Tensor:
    """x scaled to length 1 along `axis` (all axes when None): x / sqrt(max(sum(x**2), epsilon)).

    x: floating or complex.  dim: an older name of `axis`; a ValueError where both are given.

    >>> tf.nn.l2_normalize([3.0, 4.0]).numpy().round(4).tolist()
    [0.6000000238418579, 0.800000011920929]
    """
    axis = resolve_renamed("axis", axis, "dim", dim)
    with scope(name, "l2_normalize") as inner:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            sums = reduce_sum(square(real(x)) + square(imag(x)), axis, keepdims=True)
            return multiply(x, cast(rsqrt(maximum(sums, epsilon)), x.dtype), inner or None)
        return multiply(x, rsqrt(maximum(reduce_sum(square(x), axis, keepdims=True), epsilon)), inner or None)


@export(v2="nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(
    input: Any,
    mean: Any,
    variance: Any,
    beta: Any,
    gamma: Any,
    variance_epsilon: Any,
    scale_after_normalization: bool,
    name: str | None = None,
) -> Tensor:
    """`batch_normalization` with offset `beta`, and scale `gamma` where `scale_after_normalization`.

    >>> tf.nn.batch_norm_with_global_normalization(tf.constant([3.0]), [1.0], [4.0], [0.5], [2.0], 0.0, True).numpy().tolist()
    [2.5]
    """
    return batch_normalization(input, mean, variance, beta, gamma if scale_after_normalization else None, variance_epsilon, name)
