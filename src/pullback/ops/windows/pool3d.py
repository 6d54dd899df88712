"""Pooling of volumes: the maximum or the mean of windows on three axes, and the gradients as operations of their own.

As in TensorFlow, `MaxPool3DGrad` gives a window's gradient to every point that holds the maximum, unlike `MaxPoolGrad`, and
`MaxPool3DGradGrad` takes the first such point alone; where maxima are unique they are each other's transposes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import FLOATING, REAL
from ...base.errors import UnimplementedError
from ...ir.apply import ShapeError
from ...ir.op import Op, Traits, define
from ...ir.tensor import Dims, TensorType
from ...kernels import blocked
from ..array.basic import shape_of, zeros_of
from ..array.type_rules import Array, apply_gate, check_lengths, merge_dims, shape_in
from ..batching import fold_rows
from ..vmap_rules import nn as rows_nn
from . import pool_kernels as kernels, pool_lowering
from .conv3d import check_steps, check_words, require_rank
from .layout import axis_window, channels, window_count
from .pool import require_points
from .windows import Window, offsets, pad_windows, unpad_windows


def _check(dims: Dims, ksize: Sequence[int], strides: Sequence[int], padding: str, data_format: str) -> None:
    check_words(padding, data_format)
    require_rank(dims, 5, "tensor_in")
    if len(ksize) != 5:
        text = f"Pool3D ops require the ksize attribute to contain 5 values, but got: {len(ksize)}"
        raise ShapeError(text, text)
    check_steps(strides, 5, "Stride")


def _pooled_dims(dims: Dims, ksize: Any, strides: Any, padding: str, data_format: str) -> Dims:
    _check(dims, ksize, strides, padding, data_format)
    dims = (None,) * 5 if dims is None else dims
    kept = (0, channels(data_format))  # a kernel refuses a window or a stride along these
    each = enumerate(zip(dims, ksize, strides, strict=True))
    return tuple(n if axis in kept or k == s == 1 else window_count(n, k, s, 1, padding) for axis, (n, k, s) in each)


def _windows(shape: tuple[int, ...], ksize: Any, strides: Any, padding: str, data_format: str) -> list[Window]:
    """For kernels: the window on each of the five axes."""
    _check(shape, ksize, strides, padding, data_format)
    require_points(ksize)
    for axis, what in ((0, "batch"), (channels(data_format), "depth")):
        if ksize[axis] != 1 or strides[axis] != 1:
            raise UnimplementedError(None, None, f"Pooling is not yet supported on the {what} dimension.")
    return [axis_window(n, k, s, 1, padding) for n, k, s in zip(shape, ksize, strides, strict=True)]


def _require_pooled(found: Array, windows: Sequence[Window], name: str) -> None:
    expected = tuple(w.out for w in windows)
    if found.shape != expected:
        text = f"{name} must have the shape of the pooled input, {list(expected)}, got {list(found.shape)}"
        raise ShapeError(text, text)


def _max_type(input: Any, *, ksize: Any, strides: Any, padding: str, data_format: str = "NDHWC") -> TensorType:
    return TensorType(_pooled_dims(input.dims, ksize, strides, padding, data_format), input.dtype)


def _max_grad_type(
    orig_input: Any, orig_output: Any, grad: Any, *, ksize: Any, strides: Any, padding: str, data_format: str = "NDHWC"
) -> TensorType:
    _check(orig_input.dims, ksize, strides, padding, data_format)
    merge_dims(orig_output.dims, grad.dims, "grad must have the shape of the output")
    return TensorType(orig_input.dims, grad.dtype)


def _max_grad(orig_input: Array, orig_output: Array, grad: Array, **attrs: Any) -> Array:
    windows = _windows(orig_input.shape, **attrs)
    _require_pooled(orig_output, windows, "orig_output")
    _require_pooled(grad, windows, "grad")
    wide = pad_windows(orig_input, windows, kernels.lowest_value(orig_input.dtype))
    back = np.zeros(wide.shape, grad.dtype)
    for at in offsets(windows):
        back[at] += apply_gate(grad, kernels.holds(wide[at], orig_output))
    return unpad_windows(back, windows)


def _max_grad_grad_type(
    orig_input: Any, orig_output: Any, grad: Any, *, ksize: Any, strides: Any, padding: str, data_format: str = "NDHWC"
) -> TensorType:
    _check(orig_input.dims, ksize, strides, padding, data_format)
    merge_dims(orig_input.dims, grad.dims, "grad must have the shape of the input")
    return TensorType(orig_output.dims, orig_output.dtype)


def _max_grad_grad(orig_input: Array, orig_output: Array, grad: Array, **attrs: Any) -> Array:
    windows = _windows(orig_input.shape, **attrs)
    _require_pooled(orig_output, windows, "orig_output")
    if grad.shape != orig_input.shape:
        text = f"grad must have the shape of the input, {list(orig_input.shape)}, got {list(grad.shape)}"
        raise ShapeError(text, text)
    return kernels.max_pool_grad_grad(orig_input, orig_output, grad, windows)


MAX_POOL3D: Op = define(
    "MaxPool3D",
    "input",
    _max_type,
    blocked.allow_native(lambda input, **attrs: kernels.max_pool(input, _windows(input.shape, **attrs))),
    {"input": lambda g, input, output, attrs: MAX_POOL3D_GRAD(input, output, g, **attrs)},
    outputs="output",
    dtypes=FLOATING,
    batch=fold_rows("input"),
    lower=pool_lowering.max_pool, traits=Traits(opens_scope=True),
)
MAX_POOL3D_GRAD: Op = define(
    "MaxPool3DGrad",
    "orig_input:TInput orig_output:TInput grad:T=float32",
    _max_grad_type,
    blocked.allow_native(_max_grad),
    {
        "orig_input": lambda orig_input_type: zeros_of(orig_input_type),
        "orig_output": lambda orig_output_type: zeros_of(orig_output_type),
        "grad": lambda g, orig_input, orig_output, attrs: MAX_POOL3D_GRAD_GRAD(orig_input, orig_output, g, **attrs),
    },
    outputs="output",
    dtypes={"T": FLOATING, "TInput": FLOATING},
    batch=fold_rows("orig_input", "orig_output", "grad"),
    lower=pool_lowering.max_pool3d_grad,
)
MAX_POOL3D_GRAD_GRAD: Op = define(
    "MaxPool3DGradGrad",
    "orig_input orig_output grad",
    _max_grad_grad_type,
    blocked.allow_native(_max_grad_grad),
    {
        "orig_input": lambda orig_input_type: zeros_of(orig_input_type),
        "orig_output": lambda orig_output_type: zeros_of(orig_output_type),
        "grad": lambda g, orig_input, orig_output, attrs: MAX_POOL3D_GRAD(orig_input, orig_output, g, **attrs),
    },
    outputs="output",
    dtypes=REAL,
    batch=fold_rows("orig_input", "orig_output", "grad"),
    lower=pool_lowering.max_pool_grad_grad,
)


def _avg_grad_type(orig_input_shape: Any, grad: Any, *, ksize: Any, strides: Any, padding: str, data_format: str = "NDHWC") -> TensorType:
    check_words(padding, data_format)
    check_lengths("AvgPool3DGrad", 5, ksize=ksize, strides=strides)
    return TensorType(shape_in(orig_input_shape, 5), grad.dtype)


def _avg_grad(orig_input_shape: Array, grad: Array, **attrs: Any) -> Array:
    shape = tuple(int(n) for n in orig_input_shape)
    windows = _windows(shape, **attrs)
    _require_pooled(grad, windows, "grad")
    return kernels.avg_pool_grad(shape, grad, windows)


AVG_POOL3D: Op = define(
    "AvgPool3D",
    "input",
    _max_type,
    blocked.allow_native(lambda input, **attrs: kernels.avg_pool(input, _windows(input.shape, **attrs))),
    {"input": lambda g, input_type, attrs: AVG_POOL3D_GRAD(shape_of(input_type), g, **attrs)},
    outputs="output",
    dtypes=FLOATING,
    batch=fold_rows("input"),
    lower=pool_lowering.avg_pool, traits=Traits(opens_scope=True),
)
AVG_POOL3D_GRAD: Op = define(
    "AvgPool3DGrad",
    "orig_input_shape:int32 grad",
    _avg_grad_type,
    blocked.allow_native(_avg_grad, blocked.LARGE),
    {"grad": lambda g, attrs: AVG_POOL3D(g, **attrs)},
    outputs="output",
    dtypes=FLOATING,
    batch=rows_nn.average_pool_grad,
    lower=pool_lowering.avg_pool_grad,
)
