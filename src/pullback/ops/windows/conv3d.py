"""Convolutions of volumes: `Conv3D` and its two gradients.

As in two dimensions the three are one trilinear form read in three ways, each differentiated by the other two.  The kernels are those
of images (`nn_conv_kernels`), which take any number of spatial axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base import tolerance
from ...base.dtypes import FLOATING, INDEX
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, Traits, define
from ...ir.tensor import Dims, TensorType
from ...kernels import blocked
from ..array.basic import shape_of
from ..array.type_rules import Array, check_lengths, check_one_of, invalid_argument, shape_in
from ..vmap_rules import nn as rows_nn
from . import conv_kernels as kernels, conv_lowering
from .conv import compute_widened, require_output
from .layout import axis_window, channels, channels_back, channels_last, spatial_positions, window_count
from .windows import Window

LAYOUTS_3D = ("NDHWC", "NCDHW")
_ONES = (1, 1, 1, 1, 1)


def require_rank(dims: Dims, rank: int, what: str) -> None:
    """Refuse what has another number of axes."""
    if dims is not None and len(dims) != rank:
        raise ShapeError(f"Shape must be rank {rank} but is rank {len(dims)}", f"{what} must be {rank}-dimensional: {show(dims)}")


def check_steps(steps: Sequence[int], rank: int, what: str) -> None:
    """Refuse a list of another length and steps that are not positive."""
    if len(steps) != rank:
        text = f"{what}s must have one entry for each of the {rank} dimensions, got {list(steps)}"
        raise ShapeError(text, text)
    for step in steps:
        if step <= 0:
            raise ShapeError(f"{what} must be > 0, but got {step}", f"{what} must be > 0, but got {step}")


def _check_depths(depth: int | None, w: Dims) -> None:
    if depth is None or w is None or w[-2] is None:
        return
    if not w[-2] or depth % w[-2]:
        raise ShapeError(
            f"Depth of input ({depth}) is not a multiple of input depth of filter ({w[-2]})",
            f"Input depth must be evenly divisible by filter depth: {depth} vs {w[-2]}",
        )
    groups = depth // w[-2]
    if groups and w[-1] is not None and w[-1] % groups:
        text = f"output depth must be evenly divisible by number of groups: {w[-1]} vs {groups}"
        raise ShapeError(f"Depth of output ({w[-1]}) is not a multiple of the number of groups ({groups})", text)


def check_words(padding: str, data_format: str) -> None:
    """Refuse unknown paddings and layouts of volumes."""
    check_one_of(padding, ("SAME", "VALID"), "padding")
    check_one_of(data_format, LAYOUTS_3D, "data_format")


def _output_dims(x: Dims, w: Dims, strides: Any, padding: str, data_format: str, dilations: Any, strict: bool = True) -> Dims:
    check_words(padding, data_format)
    check_steps(strides, 5, "Stride")
    check_steps(dilations, 5, "Dilation rate")
    require_rank(x, 5, "input")
    require_rank(w, 5, "filter")
    x = (None,) * 5 if x is None else x
    w = (None,) * 5 if w is None else w
    _check_depths(x[channels(data_format)], w)
    axes = spatial_positions(data_format)
    sizes = [(x[axis], size, strides[axis], dilations[axis]) for size, axis in zip(w, axes, strict=False)]
    counts = [window_count(*each, padding, strict=strict) for each in sizes]
    return (x[0], w[4], *counts) if data_format == "NCDHW" else (x[0], *counts, w[4])


def _windows(x: Sequence[int], w: Sequence[int], strides: Any, padding: str, data_format: str, dilations: Any) -> tuple[list[Window], Dims]:
    """For kernels: the windows, and the shape of the convolution's output."""
    out = _output_dims(tuple(x), tuple(w), strides, padding, data_format, dilations, strict=False)
    channel = channels(data_format)
    for steps, what in ((strides, "strides"), (dilations, "dilations")):
        if steps[0] != 1 or steps[channel] != 1:
            raise invalid_argument(f"Current implementation does not yet support {what} in the batch and depth dimensions.")
    axes = spatial_positions(data_format)
    return [axis_window(x[axis], size, strides[axis], dilations[axis], padding) for size, axis in zip(w, axes, strict=False)], out


def _forward_type(input: Any, filter: Any, *, strides: Any, padding: str, data_format: str = "NDHWC", dilations: Any = _ONES) -> TensorType:
    return TensorType(_output_dims(input.dims, filter.dims, strides, padding, data_format, dilations), input.dtype)


def _forward(input: Array, filter: Array, *, data_format: str, **attrs: Any) -> Array:
    windows, _ = _windows(input.shape, filter.shape, data_format=data_format, **attrs)
    found = compute_widened(lambda x, w: kernels.conv(x, w, windows), channels_last(input, data_format), filter)
    return channels_back(found, data_format)


def _input_type(
    input_sizes: Any,
    filter: Any,
    out_backprop: Any,
    *,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    dilations: Any = _ONES,
) -> TensorType:
    check_words(padding, data_format)
    check_lengths("Conv3DBackpropInputV2", 5, strides=strides)
    return TensorType(shape_in(input_sizes, 5), out_backprop.dtype)


def _input(input_sizes: Array, filter: Array, out_backprop: Array, *, data_format: str, **attrs: Any) -> Array:
    shape = tuple(int(n) for n in input_sizes)
    require_rank(shape, 5, "input_sizes")
    windows, out = _windows(shape, filter.shape, data_format=data_format, **attrs)
    require_output(out_backprop, out)
    last = (shape[0], *(shape[i] for i in spatial_positions(data_format)), shape[channels(data_format)])
    found = compute_widened(lambda w, g: kernels.conv_input(last, w, g, windows), filter, channels_last(out_backprop, data_format))
    return channels_back(found, data_format)


def _filter_type(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    *,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    dilations: Any = _ONES,
) -> TensorType:
    check_words(padding, data_format)
    check_lengths("Conv3DBackpropFilterV2", 5, strides=strides)
    return TensorType(shape_in(filter_sizes, 5), input.dtype)


def _filter(input: Array, filter_sizes: Array, out_backprop: Array, *, data_format: str, **attrs: Any) -> Array:
    shape = tuple(int(n) for n in filter_sizes)
    require_rank(shape, 5, "filter_sizes")
    windows, out = _windows(input.shape, shape, data_format=data_format, **attrs)
    require_output(out_backprop, out)
    x, g = channels_last(input, data_format), channels_last(out_backprop, data_format)
    return compute_widened(lambda x, g: kernels.conv_filter(x, shape, g, windows), x, g)


CONV3D: Op = define(
    "Conv3D",
    "input filter",
    _forward_type,
    blocked.allow_native(_forward, kernels.NATIVE),
    {
        "input": lambda g, input_type, filter, attrs: CONV3D_INPUT(shape_of(input_type), filter, g, **attrs),
        "filter": lambda g, input, filter_type, attrs: CONV3D_FILTER(input, shape_of(filter_type), g, **attrs),
    },
    outputs="output",
    dtypes=FLOATING,
    batch=rows_nn.convolution(4),
    lower=conv_lowering.FULL[0],
    tolerance=tolerance.PRODUCTS,
    traits=Traits(by_rows=True, multiplies=True),
)
CONV3D_INPUT: Op = define(
    "Conv3DBackpropInputV2",
    "input_sizes:Tshape filter out_backprop",
    _input_type,
    blocked.allow_native(_input, kernels.NATIVE),
    {
        "filter": lambda g, filter_type, out_backprop, attrs: CONV3D_FILTER(g, shape_of(filter_type), out_backprop, **attrs),
        "out_backprop": lambda g, filter, attrs: CONV3D(g, filter, **attrs),
    },
    outputs="output",
    dtypes={"T": FLOATING, "Tshape": INDEX},
    batch=rows_nn.convolution_to_input(4),
    lower=conv_lowering.FULL[1],
    tolerance=tolerance.PRODUCTS,
)
CONV3D_FILTER: Op = define(
    "Conv3DBackpropFilterV2",
    "input filter_sizes:int32 out_backprop",
    _filter_type,
    blocked.allow_native(_filter, kernels.NATIVE),
    {
        "input": lambda g, input_type, out_backprop, attrs: CONV3D_INPUT(shape_of(input_type), g, out_backprop, **attrs),
        "out_backprop": lambda g, input, attrs: CONV3D(input, g, **attrs),
    },
    outputs="output",
    dtypes={"T": FLOATING},
    batch=rows_nn.convolution_to_filter(4),
    lower=conv_lowering.FULL[2],
    tolerance=tolerance.PRODUCTS,
)
