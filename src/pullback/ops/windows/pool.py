"""Pooling: the maximum or the mean of windows, and the gradients as operations of their own.

`MaxPoolGrad` gives each window's gradient to its first maximum; it is linear in that gradient, with `MaxPoolGradGrad` for transpose.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from ...base.dtypes import FLOATING, REAL
from ...base.errors import UnimplementedError
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, Traits, define
from ...ir.tensor import Dims, Tensor, TensorType
from ...kernels import blocked
from ..array.basic import shape_of, zeros_of
from ..array.type_rules import Array, check_lengths, invalid_argument, match_dims, merge_dims, shape_in
from ..batching import fold_rows
from ..vmap_rules import nn as rows_nn
from . import pool_kernels as kernels, pool_loops, pool_lowering
from .layout import axis_window, channels, check_margins, check_words, margins, window_count
from .windows import Window


def _check(dims: Dims, ksize: Any, strides: Any, padding: str, data_format: str) -> None:
    check_words(padding, data_format)
    if dims is not None and len(dims) != 4:
        raise ShapeError(f"Shape must be rank 4 but is rank {len(dims)}", f"Input must be 4 or 5-dimensional, got {show(dims)}")
    for step in strides[1:]:
        if step <= 0:
            raise ShapeError(f"Stride must be > 0, but got {step}", f"Stride must be > 0, but got {step}")


def require_points(ksize: Sequence[int]) -> None:
    """Refuse, in a kernel, windows that see nothing: TensorFlow builds graphs of them."""
    if min(ksize, default=1) <= 0:
        raise invalid_argument(f"Sliding window ksize must be positive. The specified or inferred ksize is: {','.join(map(str, ksize))}")


def pooled_dims(dims: Dims, ksize: Any, strides: Any, padding: str, explicit_paddings: Any, data_format: str) -> Dims:
    """The dims of a pool's output."""
    _check(dims, ksize, strides, padding, data_format)
    check_margins(explicit_paddings, data_format)
    dims = (None,) * 4 if dims is None else dims
    strides = _strides_that_count(ksize, strides, data_format)
    inner = [*zip(dims, ksize, strides, strict=True)][1:]
    counts = [window_count(n, k, s, 1, padding, margins(explicit_paddings, axis)) for axis, (n, k, s) in enumerate(inner, 1)]
    return (dims[0], *(n if k == s == 1 else count for (n, k, s), count in zip(inner, counts, strict=True)))


def _strides_that_count(ksize: Any, strides: Any, data_format: str) -> list[int]:
    """The strides, but 1 for windows of one channel: TensorFlow's kernels give every channel then."""
    return [1 if axis == channels(data_format) and k == 1 else s for axis, (k, s) in enumerate(zip(ksize, strides, strict=True))]


def windows_of(
    shape: tuple[int, ...], ksize: Any, strides: Any, padding: str, explicit_paddings: Any, data_format: str
) -> tuple[Window, ...]:  # fmt: skip
    """For kernels: the window on each of the four axes."""
    return _find_windows(shape, tuple(ksize), tuple(strides), padding, tuple(explicit_paddings), data_format)


@lru_cache(maxsize=256)
def _find_windows(
    shape: tuple[int, ...], ksize: tuple[int, ...], strides: tuple[int, ...], padding: str, explicit_paddings: tuple[int, ...],
    data_format: str,
) -> tuple[Window, ...]:  # fmt: skip
    _check(shape, ksize, strides, padding, data_format)
    check_margins(explicit_paddings, data_format)
    require_points(ksize)
    if ksize[0] != 1 or strides[0] != 1:
        raise UnimplementedError(None, None, "Pooling is not yet supported on the batch dimension.")
    _check_depth(shape, ksize, strides, channels(data_format))
    _check_paddings(ksize, explicit_paddings, channels(data_format))
    steps = zip(shape, ksize, _strides_that_count(ksize, strides, data_format), strict=True)
    return tuple([axis_window(n, k, s, 1, padding, margins(explicit_paddings, axis)) for axis, (n, k, s) in enumerate(steps)])


def _check_depth(shape: tuple[int, ...], ksize: Any, strides: Any, depth: int) -> None:
    """Refuse, in a kernel, windows over channels that do not part them evenly, or that reach over an image too."""
    window, text = ksize[depth], ""
    if window == 1:
        return
    if math.prod(ksize) != window:
        text = "MaxPooling supports exactly one of pooling across depth or pooling across width/height."
    elif shape[depth] % window:
        text = "Depthwise max pooling requires the depth window to evenly divide the input depth"
    elif strides[depth] != window:
        text = "Depthwise max pooling requires the depth window to equal the depth stride"
    if text:
        raise UnimplementedError(None, None, f"{text}: input {show(shape)}, ksize {show(tuple(ksize))}, strides {show(tuple(strides))}")


def _check_paddings(ksize: Any, explicit_paddings: Any, depth: int) -> None:
    """Refuse windows that would see nothing but padding."""
    spatial = [axis for axis in (1, 2, 3) if axis != depth]
    for axis, names in zip(spatial, (("Top", "Bottom"), ("Left", "Right")), strict=True):
        for name, margin in zip(names, margins(explicit_paddings, axis), strict=True):
            if margin >= ksize[axis]:
                raise invalid_argument(f"{name} padding {margin} needs to be smaller than the window size {ksize[axis]}")


def _max_type(input: Any, *, ksize: Any, strides: Any, padding: str, explicit_paddings: Any = (), data_format: str = "NHWC") -> TensorType:
    return TensorType(pooled_dims(input.dims, ksize, strides, padding, explicit_paddings, data_format), input.dtype)


def max_grad_type(orig_input: Tensor, orig_output: Tensor, grad: Tensor, *sizes: Tensor, **attributes: Any) -> TensorType:
    """The type of the gradient of a pool of maxima; sizes: window and strides, where they are inputs."""
    check_lengths("MaxPoolGrad", 4, **{name: attributes[name] for name in ("ksize", "strides") if name in attributes})
    match_dims("_ _ _ _", orig_input)
    return TensorType(orig_input.dims, orig_input.dtype)


def max_grad_grad_type(orig_input: Tensor, orig_output: Tensor, grad: Tensor, *sizes: Tensor, **_: Any) -> TensorType:
    """The type of the gradient of that gradient."""
    merge_dims(orig_input.dims, grad.dims, "grad must have the shape of the input")
    return TensorType(orig_output.dims, orig_output.dtype)


def _define_pooling(pool: Callable[[Array, Sequence[Window]], Array], mean: bool) -> Callable[..., Array]:
    """A kernel: loops where windows overlap and there is code for them, else a native program or NumPy."""

    def pool_plain(x: Array, **attrs: Any) -> Array:
        return pool(x, windows_of(x.shape, **{"explicit_paddings": (), **attrs}))

    def kernel(x: Array, **attrs: Any) -> Array:
        if x.size < blocked.SHARED:
            return pool_plain(x, **attrs)
        found = None
        if max(attrs["strides"]) == 1:
            found = pool_loops.pool_natively(x, windows_of(x.shape, **{"explicit_paddings": (), **attrs}), mean)
        return blocked.try_natively(kernel, pool_plain, (x,), attrs) if found is None else found

    return kernel


def _max_grad(
    orig_input: Array, orig_output: Array, grad: Array, *,
    ksize: Any, strides: Any, padding: str, explicit_paddings: Any = (), data_format: str = "NHWC",
) -> Array:  # fmt: skip
    windows = windows_of(orig_input.shape, ksize, strides, padding, explicit_paddings, data_format)
    if grad.shape != orig_output.shape or grad.shape != tuple(w.out for w in windows):
        raise ValueError("grad, and the output, must have the shape of the pooled input")
    return kernels.max_pool_grad(orig_input, orig_output, grad, windows)


def _max_grad_grad(
    orig_input: Array, orig_output: Array, grad: Array, *,
    ksize: Any, strides: Any, padding: str, explicit_paddings: Any = (), data_format: str = "NHWC",
) -> Array:  # fmt: skip
    windows = windows_of(orig_input.shape, ksize, strides, padding, explicit_paddings, data_format)
    if grad.shape != orig_input.shape or orig_output.shape != tuple(w.out for w in windows):
        raise ValueError("grad must have the shape of the input, and the output that of the pooled input")
    return kernels.max_pool_grad_grad(orig_input, orig_output, grad, windows)


MAX_POOL: Op = define(
    "MaxPool",
    "input:T=float32",
    _max_type,
    _define_pooling(kernels.max_pool, mean=False),
    {"input": lambda g, input, out, attrs: MAX_POOL_GRAD(input, out, g, **attrs)},
    dtypes=REAL,
    batch=fold_rows("input"),
    lower=pool_lowering.max_pool,
    traits=Traits(by_rows=True, chooses="the maxima were among", opens_scope=True),
)
MAX_POOL_GRAD: Op = define(
    "MaxPoolGrad",
    "orig_input:T=float32 orig_output grad",
    max_grad_type,
    blocked.allow_native(_max_grad),
    {
        "orig_input": lambda orig_input_type: zeros_of(orig_input_type),
        "orig_output": lambda orig_output_type: zeros_of(orig_output_type),
        "grad": lambda g, orig_input, orig_output, attrs: MAX_POOL_GRAD_GRAD(orig_input, orig_output, g, **attrs),
    },
    dtypes=REAL,
    batch=fold_rows("orig_input", "orig_output", "grad"),
    lower=pool_lowering.max_pool_grad,
)
MAX_POOL_GRAD_GRAD: Op = define(
    "MaxPoolGradGrad",
    "orig_input orig_output grad",
    max_grad_grad_type,
    blocked.allow_native(_max_grad_grad),
    {
        "orig_input": lambda orig_input_type: zeros_of(orig_input_type),
        "orig_output": lambda orig_output_type: zeros_of(orig_output_type),
        "grad": lambda g, orig_input, orig_output, attrs: MAX_POOL_GRAD(orig_input, orig_output, g, **attrs),
    },
    dtypes=REAL,
    batch=fold_rows("orig_input", "orig_output", "grad"),
    lower=pool_lowering.max_pool_grad_grad,
    traits=Traits(internal=("explicit_paddings",)),
)


def _avg_type(value: Any, *, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC") -> TensorType:
    return TensorType(pooled_dims(value.dims, ksize, strides, padding, (), data_format), value.dtype)


def _avg_grad_type(orig_input_shape: Any, grad: Any, *, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC") -> TensorType:
    check_words(padding, data_format)
    check_lengths("AvgPoolGrad", 4, ksize=ksize, strides=strides)
    return TensorType(shape_in(orig_input_shape, 4), grad.dtype)


def _avg_grad(orig_input_shape: Array, grad: Array, **attrs: Any) -> Array:
    shape = tuple(int(n) for n in orig_input_shape)
    windows = windows_of(shape, explicit_paddings=(), **attrs)
    if grad.shape != tuple(w.out for w in windows):
        raise ValueError("grad must have the shape of the pooled input")
    return kernels.avg_pool_grad(shape, grad, windows)


AVG_POOL: Op = define(
    "AvgPool",
    "value",
    _avg_type,
    _define_pooling(kernels.avg_pool, mean=True),
    {"value": lambda g, value_type, attrs: AVG_POOL_GRAD(shape_of(value_type), g, **attrs)},
    dtypes=FLOATING,
    batch=fold_rows("value"),
    lower=pool_lowering.avg_pool,
    traits=Traits(by_rows=True, opens_scope=True),
)
AVG_POOL_GRAD: Op = define(
    "AvgPoolGrad",
    "orig_input_shape:int32 grad",
    _avg_grad_type,
    blocked.allow_native(_avg_grad, blocked.LARGE),
    {"grad": lambda g, attrs: AVG_POOL(g, **attrs)},
    dtypes=FLOATING,
    batch=rows_nn.average_pool_grad,
    lower=pool_lowering.avg_pool_grad,
)
