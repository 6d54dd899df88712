"""Convolutions of images: `Conv2D`, its two gradients, and the same three with one filter for each channel.

The three are one trilinear form read in three ways, so each is differentiated by the other two and any order of derivative exists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import FLOATING, int32
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, Traits, define
from ...ir.tensor import Dims, TensorType
from ...kernels import blocked
from ..array.basic import shape_of
from ..array.type_rules import Array, invalid_argument, match_dims, shape_in
from ..math.arithmetic import FACTORS
from ..vmap_rules import nn as rows_nn
from . import conv_kernels as kernels, conv_lowering
from .layout import (
    channels,
    channels_back,
    channels_last,
    check_attributes,
    check_margins,
    check_words,
    image_windows,
    margins,
    require_rank_4,
    require_spatial,
    spatial_positions,
    window_count,
)
from .windows import Window

_ONES = (1, 1, 1, 1)
Hw = tuple[Window, Window]


def _arrange_dims(data_format: str, batch: int | None, hw: Sequence[int | None], depth: int | None) -> Dims:
    return (batch, depth, *hw) if data_format == "NCHW" else (batch, *hw, depth)


class _Kind:
    """Full or depthwise: what the filter's last axis means, and the kernels."""

    def __init__(self, depthwise: bool) -> None:
        self.depthwise = depthwise
        self.forward = kernels.depthwise if depthwise else kernels.conv
        self.to_input = kernels.depthwise_input if depthwise else kernels.conv_input
        self.to_filter = kernels.depthwise_filter if depthwise else kernels.conv_filter
        self.lower = conv_lowering.DEPTHWISE if depthwise else conv_lowering.FULL

    def output_depth(self, filter_dims: Dims) -> int | None:
        """The number of output channels."""
        if filter_dims is None:
            return None
        if self.depthwise:
            return None if None in filter_dims[2:] else filter_dims[2] * filter_dims[3]  # type: ignore[operator]  # known, as just seen
        return filter_dims[3]

    def check_depth(self, depth: int | None, filter_dims: Dims) -> None:
        """Refuse a filter that does not fit the input's channels."""
        taken = None if filter_dims is None else filter_dims[2]
        if depth is None or taken is None:
            return
        if self.depthwise and depth != taken:
            raise ShapeError(
                f"Dimensions must be equal, but are {depth} and {taken}", f"input and filter must have the same depth: {depth} vs {taken}"
            )
        if not taken or not depth or depth % taken:
            raise ShapeError(
                f"Depth of input ({depth}) is not a multiple of input depth of filter ({taken})",
                f"input depth must be evenly divisible by filter depth: {depth} vs {taken}",
            )
        if not self.depthwise and filter_dims is not None and filter_dims[3] is not None and filter_dims[3] % (depth // taken):
            groups = depth // taken
            text = f"output depth must be evenly divisible by number of groups: {filter_dims[3]} vs {groups}"
            raise ShapeError(f"Depth of output ({filter_dims[3]}) is not a multiple of the number of groups ({groups})", text)


def _output_dims(
    kind: _Kind, x: Dims, w: Dims, strides: Any, padding: str, explicit_paddings: Any, data_format: str, dilations: Any, strict: bool = True
) -> Dims:
    """The dims of a convolution's output; refuses what does not fit.  strict: as in `window_count`."""
    check_attributes(strides, padding, data_format, dilations)
    check_margins(explicit_paddings, data_format)
    require_rank_4(x, "convolution input")
    require_rank_4(w, "filter")
    x = (None,) * 4 if x is None else x
    kind.check_depth(x[channels(data_format)], w)
    sizes = (None, None) if w is None else w[:2]
    hw = [
        window_count(x[axis], size, strides[axis], dilations[axis], padding, margins(explicit_paddings, axis), strict=strict)
        for size, axis in zip(sizes, spatial_positions(data_format), strict=True)
    ]
    return _arrange_dims(data_format, x[0], hw, kind.output_depth(w))


def _prepare_windows(
    kind: _Kind, x: Dims, w: Dims, strides: Any, padding: str, explicit_paddings: Any, data_format: str, dilations: Any
) -> tuple[Hw, Dims]:
    """For kernels: the windows, and the shape of the convolution's output."""
    out = _output_dims(kind, x, w, strides, padding, explicit_paddings, data_format, dilations, strict=False)
    require_spatial(strides, data_format, "strides", kind.depthwise)
    require_spatial(dilations, data_format, "dilations")
    assert x is not None and w is not None
    sizes = [x[axis] for axis in spatial_positions(data_format)]
    return image_windows(sizes, w[:2], strides, padding, explicit_paddings, data_format, dilations), out  # type: ignore[arg-type]  # arrays' sizes


def compute_widened(kernel: Callable[[Array, Array], Array], a: Array, b: Array) -> Array:
    """Run a kernel in at least single precision and round once at the end."""
    if a.dtype.itemsize < 4:
        return kernel(a.astype(np.float32), b.astype(np.float32)).astype(a.dtype)
    return kernel(a, b)


def require_output(g: Array, out: Dims) -> None:
    """A ShapeError where a gradient has not the shape of the output that it is for."""
    if g.shape != out:
        text = f"the convolution of these sizes has output {show(out)}, the gradient given for it is {show(g.shape)}"
        raise ShapeError(text, text)


class _Form:
    """The trilinear form of one kind of convolution: its three operations and how each differentiates into the others."""

    def __init__(self, kind: _Kind, forward: str, to_input: str, to_filter: str, dtypes: Any) -> None:
        self.kind = kind
        each = blocked.allow_native if kind.depthwise else partial(blocked.allow_native, least=kernels.NATIVE)
        grouped = 2 if kind.depthwise else 3  # the axis of a filter along which filters of several groups stand
        traits = Traits(multiplies=True, raw_hints={} if kind.depthwise else {"use_cudnn_on_gpu": True})
        self.forward: Op = define(
            forward,
            "input filter",
            self.forward_type,
            each(self.forward_kernel),
            {
                "input": lambda g, input_type, filter, attrs: self.to_input(shape_of(input_type), filter, g, **attrs),
                "filter": lambda g, input, filter_type, attrs: self.to_filter(input, shape_of(filter_type), g, **attrs),
            },
            dtypes=dtypes,
            batch=rows_nn.convolution(grouped),
            lower=self.kind.lower[0],
            tolerance=tolerance.EXACT if kind.depthwise else tolerance.PRODUCTS,
            traits=traits._replace(by_rows=True, remedies=FACTORS),
        )
        self.to_input: Op = define(
            to_input,
            "input_sizes:int32 filter out_backprop",
            self.to_input_type,
            each(self.to_input_kernel),
            {
                "filter": lambda g, filter_type, out_backprop, attrs: self.to_filter(g, shape_of(filter_type), out_backprop, **attrs),
                "out_backprop": lambda g, filter, attrs: self.forward(g, filter, **attrs),
            },
            dtypes=dtypes,
            batch=rows_nn.convolution_to_input(grouped),
            lower=self.kind.lower[1],
            tolerance=tolerance.EXACT if kind.depthwise else tolerance.PRODUCTS,
            traits=traits,
        )
        self.to_filter: Op = define(
            to_filter,
            "input filter_sizes:int32 out_backprop",
            self.to_filter_type,
            each(self.to_filter_kernel),
            {
                "input": lambda g, input_type, out_backprop, attrs: self.to_input(shape_of(input_type), g, out_backprop, **attrs),
                "out_backprop": lambda g, input, attrs: self.forward(input, g, **attrs),
            },
            dtypes=dtypes,
            batch=rows_nn.convolution_to_filter(grouped),
            lower=self.kind.lower[2],
            tolerance=tolerance.SUMS_SOON if kind.depthwise else tolerance.PRODUCTS,
            traits=traits,
        )

    def forward_type(
        self,
        input: Any,
        filter: Any,
        *,
        strides: Any,
        padding: str,
        explicit_paddings: Any = (),
        data_format: str = "NHWC",
        dilations: Any = _ONES,
    ) -> TensorType:
        return TensorType(
            _output_dims(self.kind, input.dims, filter.dims, strides, padding, explicit_paddings, data_format, dilations), input.dtype
        )

    def forward_kernel(self, input: Array, filter: Array, *, data_format: str, **attrs: Any) -> Array:
        hw, _ = _prepare_windows(self.kind, input.shape, filter.shape, data_format=data_format, **attrs)
        out = compute_widened(lambda x, w: self.kind.forward(x, w, hw), channels_last(input, data_format), filter)
        return channels_back(out, data_format)

    def to_input_type(
        self,
        input_sizes: Any,
        filter: Any,
        out_backprop: Any,
        *,
        strides: Any,
        padding: str,
        explicit_paddings: Any = (),
        data_format: str = "NHWC",
        dilations: Any = _ONES,
    ) -> TensorType:
        check_words(padding, data_format)
        dims = shape_in(input_sizes, 4) or ()
        if self.kind.depthwise:  # TensorFlow looks at the sizes alone
            return TensorType(dims, out_backprop.dtype)
        output = "batch depth _ _" if data_format == "NCHW" else "batch _ _ depth"
        batch = match_dims(f"batch, _ _ _ depth, {output}", TensorType(dims[:1], int32), filter, out_backprop)["batch"]
        return TensorType((batch, *dims[1:]), out_backprop.dtype)

    def to_input_kernel(self, input_sizes: Array, filter: Array, out_backprop: Array, *, data_format: str, **attrs: Any) -> Array:
        shape = tuple(int(n) for n in input_sizes)
        hw, out = _prepare_windows(self.kind, shape, filter.shape, data_format=data_format, **attrs)
        require_output(out_backprop, out)
        last = tuple(shape[i] for i in (0, *spatial_positions(data_format), channels(data_format)))
        dx = compute_widened(lambda w, g: self.kind.to_input(last, w, g, hw), filter, channels_last(out_backprop, data_format))
        return channels_back(dx, data_format)

    def to_filter_type(
        self,
        input: Any,
        filter_sizes: Any,
        out_backprop: Any,
        *,
        strides: Any,
        padding: str,
        explicit_paddings: Any = (),
        data_format: str = "NHWC",
        dilations: Any = _ONES,
    ) -> TensorType:
        check_words(padding, data_format)
        return TensorType(shape_in(filter_sizes, 4), input.dtype)

    def to_filter_kernel(self, input: Array, filter_sizes: Array, out_backprop: Array, *, data_format: str, **attrs: Any) -> Array:
        shape = tuple(int(n) for n in filter_sizes)
        for n in shape:
            if n < 0:
                raise invalid_argument(f"Dimension {n} must be >= 0")
        hw, out = _prepare_windows(self.kind, input.shape, shape, data_format=data_format, **attrs)
        require_output(out_backprop, out)
        x, g = channels_last(input, data_format), channels_last(out_backprop, data_format)
        return compute_widened(lambda x, g: self.kind.to_filter(x, shape, g, hw), x, g)


_CONV = _Form(_Kind(False), "Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter", FLOATING | {int32})
_DEPTHWISE = _Form(
    _Kind(True), "DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter", FLOATING
)
CONV2D, CONV2D_INPUT, CONV2D_FILTER = _CONV.forward, _CONV.to_input, _CONV.to_filter
DEPTHWISE, DEPTHWISE_INPUT, DEPTHWISE_FILTER = _DEPTHWISE.forward, _DEPTHWISE.to_input, _DEPTHWISE.to_filter
