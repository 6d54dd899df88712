"""Transposes of convolutions in one dimension, in any, and with gaps; gradients of depthwise convolutions."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.context import scope
from ..ir.tensor import IntLike, NumberLike, Padding, ShapeLike, Tensor
from ..ops.array.join import concat
from ..ops.array.shape import expand_dims, squeeze
from ..ops.windows.conv import CONV2D_INPUT, DEPTHWISE_FILTER, DEPTHWISE_INPUT
from ..ops.windows.layout import expand_steps, padding_of
from .convolution import conv2d_transpose
from .layout import as_sizes, layout_of
from .volumes import conv3d_transpose

_ONES = [1, 1, 1, 1]


@export("nn.conv1d_transpose")
def conv1d_transpose(
    input: NumberLike,
    filters: NumberLike,
    output_shape: Any,
    strides: IntLike,
    padding: str = "SAME",
    data_format: str | None = "NWC",
    dilations: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv1d`, which with these arguments takes sequences of `output_shape` to `input`.

    input: [batch, width, channels], channels first when data_format is "NCW".  filters: [width, out channels, channels].
    output_shape: all three sizes, or a tensor of them.  Raises ValueError for another layout.

    >>> tf.nn.conv1d_transpose(tf.ones([1, 2, 1]), tf.ones([2, 1, 1]), [1, 4, 1], 2).numpy().ravel().tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    with scope(name, "conv1d_transpose") as full:
        layout = "NWC" if data_format is None else data_format
        if layout not in ("NWC", "NCW"):
            raise ValueError(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
        axis, channel = (2, 1) if layout == "NCW" else (1, 2)
        sizes = output_shape if isinstance(output_shape, Tensor) else list(output_shape)
        images, kernels = expand_dims(convert_to_tensor(input), axis), expand_dims(convert_to_tensor(filters), 0)
        out = CONV2D_INPUT(
            as_sizes(concat([sizes[:axis], [1], sizes[axis:]], 0)),
            kernels,
            images,
            strides=_insert_height(expand_steps(strides, 1, channel, "stride"), axis),
            padding=padding,
            explicit_paddings=[],
            data_format="NCHW" if layout == "NCW" else "NHWC",
            dilations=_insert_height(expand_steps(dilations, 1, channel, "dilations"), axis),
            name=full or None,
        )
        return squeeze(out, [axis])


def _insert_height(numbers: list[int], axis: int) -> list[int]:
    return [*numbers[:axis], 1, *numbers[axis:]]


@export("nn.conv_transpose")
def conv_transpose(
    input: NumberLike,
    filters: NumberLike,
    output_shape: ShapeLike,
    strides: IntLike,
    padding: str = "SAME",
    data_format: str | None = None,
    dilations: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """`conv1d_transpose`, `conv2d_transpose` or `conv3d_transpose`, by the length of `output_shape`.

    >>> tf.nn.conv_transpose(tf.ones([1, 2, 1]), tf.ones([2, 1, 1]), [1, 4, 1], 2).shape
    TensorShape([1, 4, 1])
    """
    with scope(name, "conv_transpose") as full:
        if isinstance(output_shape, Tensor):
            count = output_shape.shape[0]
        elif hasattr(output_shape, "__len__"):
            count = len(output_shape)
        else:
            raise ValueError(f"`output_shape` must be a tensor or sized collection. Received: output_shape={output_shape}")
        by_length: dict[Any, tuple[Any, str]] = {
            3: (conv1d_transpose, "NWC"),
            4: (conv2d_transpose, "NHWC"),
            5: (conv3d_transpose, "NDHWC"),
        }
        if count is None:
            raise TypeError(f"`output_shape` must be of a length that is known. Received: output_shape={output_shape}")
        if count not in by_length:
            raise ValueError(f"`output_shape` must be of length 3, 4 or 5. Received: output_shape={output_shape} of length {count}.")
        op, layout = by_length[count]
        return op(input, filters, output_shape, strides, padding, layout_of(data_format, layout), dilations, full or None)


@export("nn.atrous_conv2d_transpose")
def atrous_conv2d_transpose(
    value: NumberLike, filters: NumberLike, output_shape: Any, rate: int, padding: str, name: str | None = None
) -> Tensor:
    """The transpose of `atrous_conv2d`: of a convolution with filters whose points lie `rate` apart.

    value: [batch, height, width, channels].  filters: [height, width, out channels, channels].  Raises ValueError for a rate below one
    and for channels that do not fit.

    >>> tf.nn.atrous_conv2d_transpose(tf.ones([1, 1, 1, 1]), tf.ones([2, 2, 1, 1]), [1, 3, 3, 1], 2, "VALID")[0, :, :, 0].numpy().tolist()
    [[1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 1.0]]
    """
    value, filters = convert_to_tensor(value, name="value"), convert_to_tensor(filters, name="filters")
    rate = operator.index(rate) if hasattr(rate, "__index__") else rate
    if rate < 1:
        raise ValueError(f"`rate` cannot be less than one. Received: rate={rate}")
    if rate > 1 and isinstance(rate, float):
        raise InvalidArgumentError(None, None, f"Value for attr 'Tpaddings' of float is not in the list of allowed values: rate={rate}")
    if padding not in ("VALID", "SAME"):
        raise ValueError(f"`padding` must be either 'VALID' or 'SAME'. Received: padding={padding}")
    if value.dims is not None and filters.dims is not None and None not in (value.dims[3], filters.dims[3]):
        if value.dims[3] != filters.dims[3]:
            raise ValueError(
                "`value` channel count must be compatible with `filters` input channel count. "
                f"Received: value.shape={value.shape} and filters.shape={filters.shape}."
            )
    if not isinstance(output_shape, Tensor) and np.shape(output_shape) != (4,):
        raise ValueError(f"`output_shape` must have shape (4,). Received: output_shape={output_shape}")
    return conv2d_transpose(value, filters, output_shape, 1, padding, "NHWC", rate, name=name or "atrous_conv2d_transpose")


@export("nn.depthwise_conv2d_backprop_input", v1="nn.depthwise_conv2d_native_backprop_input")
def depthwise_conv2d_backprop_input(
    input_sizes: ShapeLike,
    filter: NumberLike,
    out_backprop: NumberLike,
    strides: IntLike,
    padding: Padding,
    data_format: str = "NHWC",
    dilations: IntLike = _ONES,
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` with respect to an input of `input_sizes`, for the gradient `out_backprop` of its output.

    >>> g, w = tf.ones([1, 1, 1, 1]), tf.ones([2, 2, 1, 1])
    >>> tf.nn.depthwise_conv2d_backprop_input([1, 2, 2, 1], w, g, [1, 1, 1, 1], "VALID").numpy().ravel().tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return DEPTHWISE_INPUT(input_sizes, filter, out_backprop, **_depthwise(strides, padding, data_format, dilations), name=name)


@export("nn.depthwise_conv2d_backprop_filter", v1="nn.depthwise_conv2d_native_backprop_filter")
def depthwise_conv2d_backprop_filter(
    input: NumberLike,
    filter_sizes: ShapeLike,
    out_backprop: NumberLike,
    strides: IntLike,
    padding: Padding,
    data_format: str = "NHWC",
    dilations: IntLike = _ONES,
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` with respect to filters of `filter_sizes`, for the gradient `out_backprop` of its output.

    >>> x, g = tf.ones([1, 2, 2, 1]), tf.ones([1, 1, 1, 1])
    >>> tf.nn.depthwise_conv2d_backprop_filter(x, [2, 2, 1, 1], g, [1, 1, 1, 1], "VALID").numpy().ravel().tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return DEPTHWISE_FILTER(input, filter_sizes, out_backprop, **_depthwise(strides, padding, data_format, dilations), name=name)


def _depthwise(strides: Any, padding: Any, data_format: str, dilations: Any) -> dict[str, Any]:
    word, explicit = padding_of(padding)
    options = {"strides": strides, "padding": word, "explicit_paddings": explicit}
    return {**options, "data_format": data_format, "dilations": dilations}
