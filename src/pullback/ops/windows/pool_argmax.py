"""Maxima of windows with their places (`MaxPoolWithArgmax`), and pools whose window and strides are inputs (`MaxPoolV2`).

A place is the position of the maximum in the flattened image (height, width, channels), or in the flattened batch of images.  The
gradient gives a window's share to that place, so it and its transpose need no maxima, only places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import INDEX, REAL, DType, int64
from ...base.errors import UnimplementedError
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import Dims, TensorType
from ...kernels import blocked
from ..array.basic import zeros_of
from ..array.type_rules import Array, check_one_of, elements, invalid_argument, merge_dims
from ..batching import fold_rows
from . import places_lowering, pool_kernels as kernels, pool_lowering
from .conv3d import check_steps, require_rank
from .layout import LAYOUTS, axis_window, window_count
from .pool import max_grad_grad_type, max_grad_type, pooled_dims, windows_of
from .windows import Window, offsets, pad_windows

if TYPE_CHECKING:
    from ..vmap_rules.base import Rows


def _check(dims: Dims, ksize: Sequence[int], strides: Sequence[int], padding: str) -> None:
    check_one_of(padding, ("SAME", "VALID"), "padding")
    require_rank(dims, 4, "tensor_in")
    for steps, what in ((ksize, "Window size"), (strides, "Stride")):
        check_steps(steps, 4, what)


def _pooled_dims(dims: Dims, ksize: Sequence[int], strides: Sequence[int], padding: str) -> Dims:
    """The dims of a pool's output."""
    _check(dims, ksize, strides, padding)
    steps = zip(dims or (None,) * 4, ksize, strides, strict=True)
    return tuple(n if k == s == 1 else window_count(n, k, s, 1, padding) for n, k, s in steps)


def _windows(shape: tuple[int, ...], ksize: Sequence[int], strides: Sequence[int], padding: str) -> list[Window]:
    """For kernels: the window on each of the four axes."""
    _check(shape, ksize, strides, padding)
    if ksize[0] != 1 or strides[0] != 1:
        raise UnimplementedError(None, None, "Pooling is not yet supported on the batch dimension.")
    return [axis_window(n, int(k), int(s), 1, padding) for n, k, s in zip(shape, ksize, strides, strict=True)]


# ---------------------------------------------------------------------- places


def _argmax_type(input: Any, *, ksize: Any, strides: Any, Targmax: DType = int64, padding: str, **_: Any) -> tuple[TensorType, TensorType]:
    dims = _pooled_dims(input.dims, ksize, strides, padding)
    return TensorType(dims, input.dtype), TensorType(dims, Targmax)


def _places(shape: tuple[int, ...], include_batch: bool) -> Array:
    """The number of each point of a batch of images, in its image or in the whole batch."""
    count = math.prod(shape) if include_batch else math.prod(shape[1:])
    numbers = np.arange(count, dtype=np.int64).reshape(shape if include_batch else (1, *shape[1:]))
    return np.broadcast_to(numbers, shape)


def _argmax(
    input: Array, *, ksize: Any, strides: Any, Targmax: DType = int64, padding: str, include_batch_in_index: bool = False
) -> tuple[Array, Array]:
    windows = _windows(input.shape, ksize, strides, padding)
    if ksize[3] != 1 or strides[3] != 1:
        raise UnimplementedError(None, None, "MaxPoolWithArgmax does not support pooling over channels.")
    top = kernels.max_pool(input, windows)
    low = kernels.lowest_value(input.dtype)
    wide, points = pad_windows(input, windows, low), list(offsets(windows))
    which = np.zeros(top.shape, np.min_scalar_type(len(points)))
    for k in range(len(points) - 1, -1, -1):  # so that the first of several maxima comes last, and stays
        seen = wide[points[k]]
        np.copyto(which, which.dtype.type(k), where=(seen == top) | np.isnan(seen))  # a NaN is the largest
    place = _first_points(input.shape, windows, include_batch_in_index) + _steps_in_window(input.shape, windows)[which]
    if (lowest := top == low).any():  # the padding's number: only there may a point outside have been taken
        numbers = pad_windows(_places(input.shape, include_batch_in_index), windows, -1)
        for at in reversed(points):
            np.copyto(place, numbers[at], where=lowest & (numbers[at] >= 0))
    return top, place.astype(Targmax.numpy_dtype, copy=False)


def _first_points(shape: tuple[int, ...], windows: Sequence[Window], include_batch: bool) -> Array:
    """The number of each window's first point, were there no bounds: [batch or 1, height, width, channels]."""
    rows, columns = (np.arange(w.out, dtype=np.int64) * w.stride - w.before for w in windows[1:3])
    found = (rows[:, None] * shape[2] + columns)[..., None] * shape[3] + np.arange(shape[3])
    if not include_batch:
        return found[None]
    return found + (np.arange(shape[0], dtype=np.int64) * math.prod(shape[1:])).reshape(-1, 1, 1, 1)


def _steps_in_window(shape: tuple[int, ...], windows: Sequence[Window]) -> Array:
    """How far each point of a window is from the first, in row-major order."""
    rows, columns = (np.arange(w.size, dtype=np.int64) for w in windows[1:3])
    return ((rows[:, None] * shape[2] + columns) * shape[3]).ravel()


def _flat_places(argmax: Array, shape: tuple[int, ...], include_batch: bool) -> Array:
    """Places in the whole batch, checked."""
    image, flat = math.prod(shape[1:]), argmax.astype(np.int64)
    bound = image * shape[0] if include_batch else image
    if flat.size and (flat.min() < 0 or flat.max() >= bound):
        raise invalid_argument(f"Invalid argmax: places must lie in [0, {bound}), got {int(flat.min())} to {int(flat.max())}")
    if include_batch:
        return flat
    return flat + (np.arange(shape[0], dtype=np.int64) * image).reshape(-1, 1, 1, 1)


def _require_pooled(found: Array, windows: Sequence[Window], name: str) -> None:
    expected = tuple(w.out for w in windows)
    if found.shape != expected:
        raise invalid_argument(f"Expected {name} shape to be {show(expected)}, but got {show(found.shape)}")


def _argmax_grad(
    input: Array, grad: Array, argmax: Array, *, ksize: Any, strides: Any, padding: str, include_batch_in_index: bool = False
) -> Array:
    windows = _windows(input.shape, ksize, strides, padding)
    for found, name in ((grad, "grad"), (argmax, "argmax")):
        _require_pooled(found, windows, name)
    places = _flat_places(argmax, input.shape, include_batch_in_index).ravel()
    back = np.zeros(input.size, grad.dtype)
    np.add.at(back, places, grad.ravel())
    return back.reshape(input.shape)


def _argmax_grad_grad(
    input: Array, grad: Array, argmax: Array, *, ksize: Any, strides: Any, padding: str, include_batch_in_index: bool = False
) -> Array:
    _require_pooled(argmax, _windows(input.shape, ksize, strides, padding), "argmax")
    if grad.shape != input.shape:
        raise invalid_argument(f"Expected grad shape to be {show(input.shape)}, but got {show(grad.shape)}")
    return grad.ravel()[_flat_places(argmax, input.shape, include_batch_in_index)]


def _argmax_grad_type(input: Any, grad: Any, argmax: Any, *, ksize: Any, strides: Any, padding: str, **_: Any) -> TensorType:
    _check(input.dims, ksize, strides, padding)
    return TensorType(input.dims, input.dtype)


def _argmax_grad_grad_type(input: Any, grad: Any, argmax: Any, *, ksize: Any, strides: Any, padding: str, **_: Any) -> TensorType:
    merge_dims(input.dims, grad.dims, "grad must have the shape of the input")
    return TensorType(_pooled_dims(input.dims, ksize, strides, padding), input.dtype)


def _folded_images(*names: str) -> Callable[..., Any]:
    """Images of all rows are one batch, as long as places are counted within an image."""
    rule = fold_rows(*names)

    def images(rows: Rows, *inputs: Any, include_batch_in_index: bool, **attrs: Any) -> Any:
        if include_batch_in_index:
            return NotImplemented
        return rule(rows, *inputs, include_batch_in_index=False, **attrs)

    return images


MAX_POOL_WITH_ARGMAX: Op = define(
    "MaxPoolWithArgmax",
    "input",
    _argmax_type,
    blocked.allow_native(_argmax),
    {
        "input": lambda g_output, input, argmax, ksize, strides, padding, include_batch_in_index: MAX_POOL_GRAD_WITH_ARGMAX(
            input, g_output, argmax, ksize=ksize, strides=strides, padding=padding, include_batch_in_index=include_batch_in_index
        )
    },
    outputs="output argmax",
    dtypes=REAL,
    batch=_folded_images("input"),
    lower=places_lowering.max_pool_with_argmax,
)
MAX_POOL_GRAD_WITH_ARGMAX: Op = define(
    "MaxPoolGradWithArgmax",
    "input grad argmax:Targmax",
    _argmax_grad_type,
    blocked.allow_native(_argmax_grad),
    {
        "input": lambda input_type: zeros_of(input_type),
        "grad": lambda g, input, argmax, attrs: MAX_POOL_GRAD_GRAD_WITH_ARGMAX(input, g, argmax, **attrs),
    },
    outputs="output",
    dtypes={"T": REAL, "Targmax": INDEX},
    batch=_folded_images("input", "grad", "argmax"),
    lower=places_lowering.argmax_grad,
)
MAX_POOL_GRAD_GRAD_WITH_ARGMAX: Op = define(
    "MaxPoolGradGradWithArgmax",
    "input grad argmax:Targmax",
    _argmax_grad_grad_type,
    blocked.allow_native(_argmax_grad_grad),
    {
        "input": lambda input_type: zeros_of(input_type),
        "grad": lambda g, input, argmax, attrs: MAX_POOL_GRAD_WITH_ARGMAX(input, g, argmax, **attrs),
    },
    outputs="output",
    dtypes={"T": REAL, "Targmax": INDEX},
    batch=_folded_images("input", "grad", "argmax"),
    lower=places_lowering.argmax_grad_grad,
)

# ---------------------------------------------------------------------- window and strides as inputs


def _sizes(t: Any) -> list[int | None]:
    found = elements(t)
    if found is not None and len(found) != 4:
        text = f"Sliding window ksize and strides must specify 4 dimensions, got {len(found)}"
        raise ShapeError(text, text)
    return found or [None] * 4


def _v2_type(input: Any, ksize: Any, strides: Any, *, padding: str, data_format: str = "NHWC") -> TensorType:
    check_one_of(data_format, LAYOUTS, "data_format")
    sizes, steps = _sizes(ksize), _sizes(strides)
    if None in sizes or None in steps:
        require_rank(input.dims, 4, "tensor_in")
        check_one_of(padding, ("SAME", "VALID"), "padding")
        return TensorType((None if input.dims is None else input.dims[0], None, None, None), input.dtype)
    return TensorType(pooled_dims(input.dims, sizes, steps, padding, (), data_format), input.dtype)


def _v2(input: Array, ksize: Array, strides: Array, *, padding: str, data_format: str) -> Array:
    return kernels.max_pool(input, windows_of(input.shape, ksize.tolist(), strides.tolist(), padding, (), data_format))


def _v2_grad(
    orig_input: Array, orig_output: Array, grad: Array, ksize: Array, strides: Array, *, padding: str, data_format: str = "NHWC"
) -> Array:
    windows = windows_of(orig_input.shape, ksize.tolist(), strides.tolist(), padding, (), data_format)
    for found, name in ((orig_output, "orig_output"), (grad, "grad")):
        _require_pooled(found, windows, name)
    return kernels.max_pool_grad(orig_input, orig_output, grad, windows)


def _v2_grad_grad(
    orig_input: Array, orig_output: Array, grad: Array, ksize: Array, strides: Array, *, padding: str, data_format: str = "NHWC"
) -> Array:
    windows = windows_of(orig_input.shape, ksize.tolist(), strides.tolist(), padding, (), data_format)
    _require_pooled(orig_output, windows, "orig_output")
    if grad.shape != orig_input.shape:
        raise invalid_argument(f"Expected grad shape to be {show(orig_input.shape)}, but got {show(grad.shape)}")
    return kernels.max_pool_grad_grad(orig_input, orig_output, grad, windows)


MAX_POOL_V2: Op = define(
    "MaxPoolV2",
    "input:T=float32 ksize:int32 strides:int32",
    _v2_type,
    blocked.allow_native(_v2),
    {"input": lambda g, input, output, ksize, strides, attrs: MAX_POOL_GRAD_V2(input, output, g, ksize, strides, **attrs)},
    outputs="output",
    dtypes=REAL,
    batch=fold_rows("input"),
    lower=pool_lowering.max_pool_v2,
)
MAX_POOL_GRAD_V2: Op = define(
    "MaxPoolGradV2",
    "orig_input:T=float32 orig_output grad ksize:int32 strides:int32",
    max_grad_type,
    blocked.allow_native(_v2_grad),
    {
        "orig_input": lambda orig_input_type: zeros_of(orig_input_type),
        "orig_output": lambda orig_output_type: zeros_of(orig_output_type),
        "grad": lambda g, orig_input, orig_output, ksize, strides, attrs: MAX_POOL_GRAD_GRAD_V2(
            orig_input, orig_output, g, ksize, strides, **attrs
        ),
    },
    outputs="output",
    dtypes=REAL,
    batch=fold_rows("orig_input", "orig_output", "grad"),
    lower=pool_lowering.max_pool_grad_v2,
)
MAX_POOL_GRAD_GRAD_V2: Op = define(
    "MaxPoolGradGradV2",
    "orig_input orig_output grad ksize:int32 strides:int32",
    max_grad_grad_type,
    blocked.allow_native(_v2_grad_grad),
    {
        "orig_input": lambda orig_input_type: zeros_of(orig_input_type),
        "orig_output": lambda orig_output_type: zeros_of(orig_output_type),
        "grad": lambda g, orig_input, orig_output, ksize, strides, attrs: MAX_POOL_GRAD_V2(
            orig_input, orig_output, g, ksize, strides, **attrs
        ),
    },
    outputs="output",
    dtypes=REAL,
    batch=fold_rows("orig_input", "orig_output", "grad"),
    lower=pool_lowering.max_pool_grad_grad_v2,
)
