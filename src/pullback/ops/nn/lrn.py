"""Local response normalisation over neighbouring channels.

The sum over neighbours is a product with a banded matrix of ones, so the gradient is three ordinary operations and has gradients itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import bfloat16, float16, float32
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.op import Op, define
from ...ir.tensor import NumberLike, Tensor, TensorType
from ...kernels import blocked
from ..array.basic import fill, reshape, shape_of
from ..array.join import stack
from ..array.type_rules import Array, invalid_argument, require_rank
from ..batching import fold_rows
from ..linalg.bands import BAND_PART
from ..linalg.products import matmul
from ..lowering import norm as native_norm
from ..math.arithmetic import minimum


def _band(channels: int, radius: int, dtype: Any) -> Array:
    at = np.arange(channels)
    band: Array = (np.abs(at[:, None] - at) <= radius).astype(dtype)
    return band


def _type(input: Any, *, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5) -> TensorType:
    check_radius(depth_radius)
    require_rank(input, 4, f"in must be 4-dimensional: {show(input.dims)}")
    return TensorType((None,) * 4 if input.dims is None else input.dims, input.dtype)


def check_radius(depth_radius: int) -> None:
    """Refuse a radius that is below zero or beyond 32 bits."""
    if not 0 <= depth_radius < 2**31:
        text = f"depth_radius = {depth_radius} {'larger than int max' if depth_radius > 0 else 'is negative'}"
        raise ShapeError(text, text)


def _lrn(input: Array, *, depth_radius: int, bias: float, alpha: float, beta: float) -> Array:
    check_radius(depth_radius)
    if input.ndim != 4:
        raise invalid_argument(f"in must be 4-dimensional: {show(input.shape)}")
    x = input.astype(np.float32)
    sums = np.square(x) @ _band(input.shape[3], depth_radius, np.float32)
    out: Array = (x * np.power(np.float32(bias) + np.float32(alpha) * sums, np.float32(-beta))).astype(input.dtype)
    return out


def neighbours_of(x: Tensor, radius: int) -> Callable[[Any], Any]:
    """Of tensors like x, the sums over the channels that are no further than `radius` away."""
    channels = shape_of(x)[3]
    ones = fill(stack([channels, channels]), convert_to_tensor(1.0, x.dtype))
    reach = minimum(radius, channels)
    band = BAND_PART.call(ones, reach, reach)
    return lambda t: reshape(matmul(reshape(t, stack([-1, channels])), band), shape_of(x))


def _pull_back(g: Any, input: Any, depth_radius: int, bias: float, alpha: float, beta: float) -> Any:
    neighbours = neighbours_of(input, depth_radius)
    level = bias + alpha * neighbours(input * input)
    scale = level ** (-beta)
    return g * scale - (2.0 * alpha * beta) * input * neighbours(g * input * scale / level)


LRN: Op = define(
    "LRN",
    "input:T=float32",
    _type,
    blocked.allow_native(_lrn),
    {"input": _pull_back},
    gradient_names="LRNGrad",
    dtypes={float16, bfloat16, float32},
    batch=fold_rows("input"),
    lower=native_norm.lrn,
    tolerance=tolerance.SUMS_SOON,
)


@export("nn.local_response_normalization", "nn.lrn")
def local_response_normalization(
    input: NumberLike, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5, name: str | None = None
) -> Tensor:
    """input / (bias + alpha * s) ** beta, s the sum of the squares of the channels up to `depth_radius` away (Krizhevsky et al., 2012).

    input: [batch, height, width, channels], float16, bfloat16 or float32.  Raises InvalidArgumentError (in graphs ValueError) for
    another rank.

    >>> tf.nn.local_response_normalization(tf.ones([1, 1, 1, 3]), 1).numpy().ravel().round(3).tolist()
    [0.5770000219345093, 0.5, 0.5770000219345093]
    """
    return LRN(input, depth_radius=depth_radius, bias=bias, alpha=alpha, beta=beta, name=name)
