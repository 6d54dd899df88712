"""The gradient of local response normalisation as an operation, with a rule of its own.

With B the banded matrix of ones, l = bias + alpha B x**2 and h = l**(-beta - 1), the gradient for a cotangent g is

    l h g - 2 alpha beta x B(g x h)

(`output_image`, which TensorFlow's kernel reads to save a power, is x l h and tells nothing new).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import bfloat16, float16, float32
from ...base.shapes import show
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ..array.type_rules import Array, invalid_argument, merge_dims, require_rank
from ..batching import fold_rows
from ..lowering import norm as native_norm
from .lrn import neighbours_of


def _type(input_grads: Any, input_image: Any, output_image: Any, **_: Any) -> TensorType:
    for t, name in ((input_grads, "input_grads"), (input_image, "input_image"), (output_image, "output_image")):
        require_rank(t, 4, f"{name} must be 4-dimensional: {show(t.dims)}")
    dims = merge_dims(input_grads.dims, input_image.dims, "input_grads must have the shape of input_image")
    return TensorType(merge_dims(dims, output_image.dims, "output_image must have the shape of input_image"), input_image.dtype)


def _kernel(
    input_grads: Array, input_image: Array, output_image: Array, *,
    depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
) -> Array:  # fmt: skip
    if input_image.ndim != 4 or not input_grads.shape == input_image.shape == output_image.shape:
        raise invalid_argument("input_grads, input_image, and out_image should have the same shape")
    x, g = input_image.astype(np.float32), input_grads.astype(np.float32)
    at = np.arange(x.shape[3])
    band = (np.abs(at[:, None] - at) <= depth_radius).astype(np.float32)
    level = np.float32(bias) + np.float32(alpha) * (np.square(x) @ band)
    power = np.power(level, np.float32(-beta - 1))
    found: Array = level * power * g - np.float32(2 * alpha * beta) * x * ((g * x * power) @ band)
    return found.astype(input_image.dtype)


def _pull_back(
    g: Any, input_grads: Any, input_image: Any, depth_radius: int, bias: float, alpha: float, beta: float
) -> tuple[Any, Any]:
    """The cotangents of input_grads and input_image; output_image counts as constant."""
    x = input_image
    neighbours = neighbours_of(x, depth_radius)
    level = bias + alpha * neighbours(x * x)
    power = level ** (-beta - 1.0)
    spread = neighbours(g * x)  # so that <g, x B(g' x h)> is <g' x h, spread>
    d_grads = level * power * g - (2.0 * alpha * beta) * x * power * spread
    d_level = -beta * power * g * input_grads + (2.0 * alpha * beta * (beta + 1.0)) * spread * input_grads * x * power / level
    shared = g * neighbours(input_grads * x * power) + spread * input_grads * power
    return d_grads, 2.0 * alpha * (x * neighbours(d_level) - beta * shared)


LRN_GRAD: Op = define(
    "LRNGrad",
    "input_grads:T=float32 input_image output_image",
    _type,
    _kernel,
    {("input_grads", "input_image"): _pull_back},
    outputs="output",
    dtypes={float16, bfloat16, float32},
    batch=fold_rows("input_grads", "input_image", "output_image"),
    lower=native_norm.lrn_grad,
)
