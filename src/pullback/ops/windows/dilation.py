"""Dilation, the maximum of a window plus a filter, and its gradients, which give each output's to the point that was the maximum.

Which point that is stays constant, so the gradients are linear in what they are given, and their adjoint is the tangent of the dilation
(`Dilation2DTangent`, an operation of our own): any order of derivative exists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from ...base import tolerance
from ...base.dtypes import REAL
from ...base.errors import UnimplementedError
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.attributes import as_word
from ...ir.context import scope
from ...ir.op import Op, define
from ...ir.tensor import Dims, IntLike, NumberLike, Tensor, TensorType
from ...kernels import blocked
from ..array.basic import zeros_of
from ..array.order import reverse
from ..array.type_rules import Array, check_one_of, merge_dims
from ..batching import Batched, fold_rows
from ..math.arithmetic import negative
from . import places_lowering
from .layout import axis_window, window_count
from .windows import Window, offsets

if TYPE_CHECKING:
    from ..vmap_rules.base import Rows

_ONE = Window(1, 1, 1, 0, 0, 1)


def _check(input: Dims, filter: Dims, strides: Any, rates: Any, padding: str) -> None:
    check_one_of(padding, ("SAME", "VALID"), "padding")
    for dims, rank, name in ((input, 4, "input"), (filter, 3, "filter")):
        if dims is not None and len(dims) != rank:
            raise ShapeError(f"Shape must be rank {rank} but is rank {len(dims)}", f"{name} must be {rank}-dimensional: {show(dims)}")
    if input is not None and filter is not None and None not in (input[3], filter[2]) and input[3] != filter[2]:
        text = f"input and filter must have the same depth: {input[3]} vs {filter[2]}"
        raise ShapeError(f"Dimensions must be equal, but are {input[3]} and {filter[2]}", text)
    for name, steps in (("Stride", strides), ("Rate", rates)):
        if len(steps) != 4 or min(steps[1:3]) <= 0:
            text = f"{name}s must be 4 positive numbers, got {list(steps)}"
            raise ShapeError(text, text)


def _dims(input: Any, filter: Any, strides: Any, rates: Any, padding: str) -> Dims:
    x, w = input.dims, filter.dims
    _check(x, w, strides, rates, padding)
    x, w = (None,) * 4 if x is None else x, (None,) * 3 if w is None else w
    height, width = (window_count(x[i], w[i - 1], strides[i], rates[i], padding, strict=False) for i in (1, 2))
    return (x[0], height, width, w[2] if x[3] is None else x[3])


def _windows(input: Array, filter: Array, strides: Any, rates: Any, padding: str) -> tuple[Window, Window]:
    _check(input.shape, filter.shape, strides, rates, padding)
    for name, steps in (("Stride", strides), ("Rate", rates)):
        if steps[0] != 1 or steps[3] != 1:
            raise UnimplementedError(None, None, f"{name} is only supported across spatial dimensions.")
    height, width = (axis_window(input.shape[i], filter.shape[i - 1], strides[i], rates[i], padding) for i in (1, 2))
    return height, width


def _lowest_value(dtype: Any) -> Any:
    """Below which nothing lies: what the maximum of no number is."""
    return np.iinfo(dtype).min if dtype.kind in "iu" else ml_dtypes.finfo(dtype).min


def _pad_around(x: Array, windows: tuple[Window, Window], value: Any) -> Array:
    """Images with the margins of the windows, which hold `value`."""
    height, width = windows
    wide = np.full((len(x), x.shape[1] + height.before + height.after, x.shape[2] + width.before + width.after, x.shape[3]), value, x.dtype)
    _inner(wide, x.shape, windows)[...] = x
    return wide


def _inner(wide: Array, shape: tuple[int, ...], windows: tuple[Window, Window]) -> Array:
    height, width = windows
    return wide[:, height.before : height.before + shape[1], width.before : width.before + shape[2]]


def _scan(input: Array, filter: Array, windows: tuple[Window, Window]) -> tuple[Array, Array]:
    """The maxima, and the number of the first point of the window that is each; a point beyond the image is none."""
    height, width = windows
    if input.dtype.kind not in "iu":
        return _scan_floats(input, filter, windows)
    there = _pad_around(np.ones(input.shape, np.bool_), windows, False)
    wide = _pad_around(input, windows, 0)
    best = np.full((len(input), height.out, width.out, input.shape[3]), _lowest_value(input.dtype), input.dtype)
    at = np.zeros(best.shape, np.int32)
    points = filter.reshape(-1, filter.shape[2])
    for k, (rows, columns) in enumerate(offsets(windows)):
        value = wide[:, rows, columns] + points[k]
        better = (value > best) & there[:, rows, columns]
        np.copyto(best, value, where=better)
        np.copyto(at, k, where=better)
    return best, at


def _maxima(input: Array, filter: Array, windows: tuple[Window, Window]) -> Array:
    """The maxima of floating images; NaN is none."""
    height, width = windows
    wide = _pad_around(input, windows, -np.inf)
    best = np.full((len(input), height.out, width.out, input.shape[3]), _lowest_value(input.dtype), input.dtype)
    points = filter.reshape(-1, filter.shape[2])
    for k, (rows, columns) in enumerate(offsets(windows)):
        np.fmax(best, wide[:, rows, columns] + points[k], out=best)
    return best


def _scan_floats(input: Array, filter: Array, windows: tuple[Window, Window]) -> tuple[Array, Array]:
    """`_scan`: the first point that equals the maximum is the one with most points after it, a small whole number."""
    best = _maxima(input, filter, windows)
    wide = _pad_around(input, windows, -np.inf)
    points = filter.reshape(-1, filter.shape[2])
    kind = np.uint8 if len(points) < 256 else np.uint32
    after = np.zeros(best.shape, kind)
    for k, (rows, columns) in enumerate(offsets(windows)):
        equal = wide[:, rows, columns] + points[k] == best
        np.maximum(after, equal.view(np.uint8) * kind(len(points) - k), out=after)
    at: Array = len(points) - after.astype(np.int32)
    return best, np.where(after == 0, np.int32(0), at)  # where nothing is a number, the first


def _dilation(input: Array, filter: Array, *, strides: Any, rates: Any, padding: str) -> Array:
    windows = _windows(input, filter, strides, rates, padding)
    if input.dtype.kind in "iu":
        return _scan(input, filter, windows)[0]
    return _maxima(input, filter, windows)


def _prepare_windows(
    input: Array, filter: Array, g: Array | None, strides: Any, rates: Any, padding: str
) -> tuple[Array, tuple[Window, Window]]:
    windows = _windows(input, filter, strides, rates, padding)
    best, at = _scan(input, filter, windows)
    if g is not None and g.shape != best.shape:
        raise ValueError(f"out_backprop must have the shape of the dilation, {show(best.shape)}, not {show(g.shape)}")
    return at, windows


def _to_input(input: Array, filter: Array, out_backprop: Array, *, strides: Any, rates: Any, padding: str) -> Array:
    at, windows = _prepare_windows(input, filter, out_backprop, strides, rates, padding)
    if input.dtype.kind in "iu":
        wide = _pad_around(np.zeros_like(input), windows, 0)
        for k, (rows, columns) in enumerate(offsets(windows)):
            wide[:, rows, columns] += np.where(at == k, out_backprop, 0).astype(input.dtype)
        return np.ascontiguousarray(_inner(wide, input.shape, windows))
    count, high, across, depth = input.shape
    height, width = windows
    row = np.arange(height.out) * height.stride - height.before
    column = np.arange(width.out) * width.stride - width.before
    corner = (np.arange(count)[:, None, None] * high + row[:, None]) * across + column
    step = np.arange(filter.shape[0])[:, None] * (height.dilation * across) + np.arange(filter.shape[1]) * width.dilation
    places = corner[..., None] * depth + np.arange(depth)
    places += (step.ravel() * depth)[at]
    np.maximum(places, 0, out=places)
    total = np.bincount(places.ravel(), out_backprop.ravel(), input.size)
    return total.reshape(input.shape).astype(input.dtype)


def _to_filter(input: Array, filter: Array, out_backprop: Array, *, strides: Any, rates: Any, padding: str) -> Array:
    at, _ = _prepare_windows(input, filter, out_backprop, strides, rates, padding)
    if input.dtype.kind in "iu":
        count = filter.shape[0] * filter.shape[1]
        sums = [np.where(at == k, out_backprop, 0).sum(axis=(0, 1, 2), dtype=input.dtype) for k in range(count)]
        return np.array(sums, input.dtype).reshape(filter.shape)
    depth = filter.shape[2]
    places = at * at.dtype.type(depth) + np.arange(depth, dtype=at.dtype)
    return np.bincount(places.ravel(), out_backprop.ravel(), filter.size).reshape(filter.shape).astype(input.dtype)


def _tangent(input: Array, filter: Array, input_tangent: Array, filter_tangent: Array, *, strides: Any, rates: Any, padding: str) -> Array:
    at, windows = _prepare_windows(input, filter, None, strides, rates, padding)
    wide = _pad_around(input_tangent, windows, 0)
    points = filter_tangent.reshape(-1, filter.shape[2])
    total = np.zeros(at.shape, input.dtype)
    for k, (rows, columns) in enumerate(offsets(windows)):
        np.copyto(total, wide[:, rows, columns] + points[k], where=at == k)
    return total


def _infer_input_grad(input: Any, filter: Any, out_backprop: Any, *, strides: Any, rates: Any, padding: str) -> TensorType:
    merge_dims(_dims(input, filter, strides, rates, padding), out_backprop.dims, "out_backprop must have the shape of the dilation")
    return TensorType(input.dims, input.dtype)


def _infer_filter_grad(input: Any, filter: Any, out_backprop: Any, *, strides: Any, rates: Any, padding: str) -> TensorType:
    merge_dims(_dims(input, filter, strides, rates, padding), out_backprop.dims, "out_backprop must have the shape of the dilation")
    return TensorType(filter.dims, filter.dtype)


def _tangent_type(
    input: Any, filter: Any, input_tangent: Any, filter_tangent: Any, *, strides: Any, rates: Any, padding: str
) -> TensorType:
    return TensorType(_dims(input, filter, strides, rates, padding), input.dtype)


def _filter_rows(rows: Rows, input: Any, filter: Any, out_backprop: Any, **attrs: Any) -> Batched:
    """Each channel has its filter: channels of all rows stand side by side."""
    found = rows.op(rows.merge(input, 3), rows.merge(filter, 2), rows.merge(out_backprop, 3), **attrs)
    dims = rows.node.outputs[0].dims
    return rows.unmerge(found, 2, None if dims is None else dims[2])


DILATION2D: Op = define(
    "Dilation2D",
    "input filter",
    lambda input, filter, *, strides, rates, padding: TensorType(_dims(input, filter, strides, rates, padding), input.dtype),
    blocked.allow_native(_dilation),
    {
        "input": lambda g, input, filter, attrs: TO_INPUT(input, filter, g, **attrs),
        "filter": lambda g, input, filter, attrs: TO_FILTER(input, filter, g, **attrs),
    },
    dtypes=REAL,
    batch=fold_rows("input"),
    lower=places_lowering.dilation,
)
TO_INPUT: Op = define(
    "Dilation2DBackpropInput",
    "input filter out_backprop",
    _infer_input_grad,
    blocked.allow_native(_to_input),
    {"out_backprop": lambda g, input, filter, attrs: TANGENT(input, filter, g, zeros_of(filter), **attrs)},
    dtypes=REAL,
    batch=fold_rows("input", "out_backprop"),
    lower=places_lowering.dilation_to_input,
    tolerance=tolerance.SUMS,
)
TO_FILTER: Op = define(
    "Dilation2DBackpropFilter",
    "input filter out_backprop",
    _infer_filter_grad,
    blocked.allow_native(_to_filter),
    {"out_backprop": lambda g, input, filter, attrs: TANGENT(input, filter, zeros_of(input), g, **attrs)},
    dtypes=REAL,
    batch=_filter_rows,
    lower=places_lowering.dilation_to_filter,
    tolerance=tolerance.SUMS,
)
TANGENT: Op = define(
    "Dilation2DTangent",
    "input filter input_tangent filter_tangent",
    _tangent_type,
    _tangent,
    {
        "input_tangent": lambda g, input, filter, attrs: TO_INPUT(input, filter, g, **attrs),
        "filter_tangent": lambda g, input, filter, attrs: TO_FILTER(input, filter, g, **attrs),
    },
    dtypes=REAL,
    batch=fold_rows("input", "input_tangent"),
    lower=places_lowering.dilation_tangent,
)


@export(v2="nn.dilation2d")
def dilation2d(
    input: NumberLike, filters: NumberLike, strides: IntLike, padding: str, data_format: str, dilations: IntLike, name: str | None = None
) -> Tensor:
    """The greyscale dilation: the maximum over a window of the image plus a filter.

    Source: Serra, "Image Analysis and Mathematical Morphology" (1982).

    input: [batch, height, width, depth], real.  filters: [rows, columns, depth].  strides, dilations: [1, rows, columns, 1].  padding:
    "SAME" or "VALID".  data_format: "NHWC".  Gradients go to the first maximum.  Raises ValueError for another data_format,
    InvalidArgumentError (in graphs ValueError) for shapes and lists that do not fit.

    >>> image = tf.reshape(tf.constant([1.0, 5.0, 2.0]), [1, 1, 3, 1])
    >>> tf.nn.dilation2d(image, tf.zeros([1, 2, 1]), [1] * 4, "VALID", "NHWC", [1] * 4).numpy().ravel().tolist()
    [5.0, 5.0]
    """
    if data_format != "NHWC":
        raise ValueError(f"`data_format` values other than 'NHWC' are not supported. Received: data_format={data_format}")
    return DILATION2D(input, filters, strides=strides, rates=dilations, padding=as_word("padding", padding).upper(), name=name)


@export(v2="nn.erosion2d")
def erosion2d(
    value: NumberLike, filters: NumberLike, strides: IntLike, padding: str, data_format: str, dilations: IntLike, name: str | None = None
) -> Tensor:
    """The greyscale erosion: the minimum over a window of the image minus the mirrored filter; what dilation is to maxima.

    value: [batch, height, width, depth], real.  filters: [rows, columns, depth].  strides, dilations: [1, rows, columns, 1].  padding:
    "SAME" or "VALID".  data_format: "NHWC".  Raises as `dilation2d`.

    >>> image = tf.reshape(tf.constant([1.0, 5.0, 2.0]), [1, 1, 3, 1])
    >>> tf.nn.erosion2d(image, tf.zeros([1, 2, 1]), [1] * 4, "VALID", "NHWC", [1] * 4).numpy().ravel().tolist()
    [1.0, 2.0]
    """
    if data_format != "NHWC":
        raise ValueError(f"`data_format` values other than 'NHWC' are not supported. Received: data_format={data_format}")
    with scope(name, "erosion2d") as full:
        opposite, mirrored, word = negative(value), reverse(filters, [0, 1]), as_word("padding", padding).upper()
        return negative(DILATION2D(opposite, mirrored, strides=strides, rates=dilations, padding=word, name=full))
