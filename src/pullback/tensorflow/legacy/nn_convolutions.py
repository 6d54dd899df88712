"""Convolutions of `tf.nn` as TensorFlow 1 has them: other argument orders, and arguments with two names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.export import export
from ...base.renamed_arguments import resolve_renamed
from ...base.shapes import TensorShape
from ...ir.attributes import as_flag
from ...ir.tensor import IntLike, NumberLike, Padding, ShapeLike, Tensor
from ...nn import convolution as convolutions
from ...ops.windows.conv import CONV2D_FILTER, CONV2D_INPUT
from ...ops.windows.layout import expand_steps, padding_of

_ONES = [1, 1, 1, 1]


@export(v1="nn.conv2d")
def conv2d(
    input: NumberLike,
    filter: NumberLike | None = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = _ONES,
    name: str | None = None,
    filters: NumberLike | None = None,
) -> Tensor:
    """`tf.nn.conv2d` of TensorFlow 2, whose `filters` is called `filter` here; `use_cudnn_on_gpu` says nothing on a CPU.

    >>> image, filter = tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1])
    >>> tf.compat.v1.nn.conv2d(image, filter=filter, strides=[1, 1, 1, 1], padding="VALID").numpy()[0, ..., 0].tolist()
    [[4.0, 4.0], [4.0, 4.0]]
    """
    filters = resolve_renamed("filters", filters, "filter", filter)
    as_flag("use_cudnn_on_gpu", use_cudnn_on_gpu)
    return convolutions.conv2d(input, filters, strides, padding, data_format, dilations, name)


@export(v1="nn.conv2d_transpose")
def conv2d_transpose(
    value: Any = None,
    filter: NumberLike | None = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    name: str | None = None,
    input: NumberLike | None = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """`tf.nn.conv2d_transpose` of TensorFlow 2, with `value` for `input` and `filter` for `filters`.

    >>> value, filter = tf.ones([1, 2, 2, 1]), tf.ones([2, 2, 1, 1])
    >>> tf.compat.v1.nn.conv2d_transpose(value, filter, [1, 3, 3, 1], strides=1, padding="VALID").numpy()[0, ..., 0].tolist()
    [[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]
    """
    value, filters = resolve_renamed("input", input, "value", value), resolve_renamed("filters", filters, "filter", filter)
    return convolutions.conv2d_transpose(value, filters, output_shape, strides, padding, data_format, dilations, name)


@export(v1="nn.conv2d_backprop_input")
def conv2d_backprop_input(
    input_sizes: ShapeLike,
    filter: NumberLike | None = None,
    out_backprop: NumberLike | None = None,
    strides: IntLike | None = None,
    padding: Padding | None = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: IntLike = _ONES,
    name: str | None = None,
    filters: NumberLike | None = None,
) -> Tensor:
    """The gradient of `conv2d` with respect to an input of `input_sizes`, for the gradient `out_backprop` of its output.

    >>> g = tf.ones([1, 2, 2, 1])
    >>> tf.compat.v1.nn.conv2d_backprop_input([1, 3, 3, 1], tf.ones([2, 2, 1, 1]), g, [1, 1, 1, 1], "VALID").numpy()[0, ..., 0].tolist()
    [[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]
    """
    as_flag("use_cudnn_on_gpu", use_cudnn_on_gpu)
    return CONV2D_INPUT(
        input_sizes,
        resolve_renamed("filters", filters, "filter", filter),
        out_backprop,
        **_options(strides, padding, data_format, dilations),
        name=name,
    )


@export(v1="nn.conv2d_backprop_filter")
def conv2d_backprop_filter(
    input: NumberLike,
    filter_sizes: IntLike,
    out_backprop: NumberLike,
    strides: IntLike,
    padding: Padding,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: IntLike = _ONES,
    name: str | None = None,
) -> Tensor:
    """The gradient of `conv2d` with respect to filters of `filter_sizes`, for the gradient `out_backprop` of its output.

    >>> image, g = tf.reshape(tf.range(9.0), [1, 3, 3, 1]), tf.ones([1, 2, 2, 1])
    >>> tf.compat.v1.nn.conv2d_backprop_filter(image, [2, 2, 1, 1], g, [1, 1, 1, 1], "VALID").numpy()[..., 0, 0].tolist()
    [[8.0, 12.0], [20.0, 24.0]]
    """
    as_flag("use_cudnn_on_gpu", use_cudnn_on_gpu)
    return CONV2D_FILTER(input, filter_sizes, out_backprop, **_options(strides, padding, data_format, dilations), name=name)


def _options(strides: Any, padding: Any, data_format: str, dilations: Any) -> dict[str, Any]:
    word, explicit = padding_of(padding)
    channel = 1 if data_format.startswith("NC") else 3
    return {
        "strides": expand_steps(strides, 2, channel, "strides"),
        "padding": word,
        "explicit_paddings": explicit,
        "data_format": data_format,
        "dilations": expand_steps(dilations, 2, channel, "dilations"),
    }


@export(v1="nn.depthwise_conv2d")
def depthwise_conv2d(
    input: NumberLike,
    filter: NumberLike,
    strides: IntLike,
    padding: Padding,
    rate: NumberLike | None = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: IntLike | None = None,
) -> Tensor:
    """`tf.nn.depthwise_conv2d` of TensorFlow 2, with `rate` for `dilations`.

    >>> image, filter = tf.ones([1, 3, 3, 2]), tf.ones([2, 2, 2, 1])
    >>> tf.compat.v1.nn.depthwise_conv2d(image, filter, [1, 1, 1, 1], "VALID", rate=[2, 2]).numpy().tolist()
    [[[[4.0, 4.0]]]]
    """
    return convolutions.depthwise_conv2d(
        input, filter, strides, padding, data_format, resolve_renamed("dilations", dilations, "rate", rate), name
    )


@export(v1="nn.depthwise_conv2d_native")
def depthwise_conv2d_native(
    input: NumberLike,
    filter: NumberLike,
    strides: IntLike,
    padding: Padding,
    data_format: str = "NHWC",
    dilations: IntLike = _ONES,
    name: str | None = None,
) -> Tensor:
    """`depthwise_conv2d` with one dilation for each dimension.

    >>> image, filter = tf.ones([1, 3, 3, 2]), tf.ones([2, 2, 2, 3])
    >>> tf.compat.v1.nn.depthwise_conv2d_native(image, filter, [1, 1, 1, 1], "VALID").shape
    TensorShape([1, 2, 2, 6])
    """
    return convolutions.depthwise_conv2d(input, filter, strides, padding, data_format, dilations, name)


@export(v1="nn.separable_conv2d")
def separable_conv2d(
    input: NumberLike,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: IntLike,
    padding: Padding,
    rate: NumberLike | None = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: IntLike | None = None,
) -> Tensor:
    """`tf.nn.separable_conv2d` of TensorFlow 2, with `rate` for `dilations`.

    >>> image, depthwise, pointwise = tf.ones([1, 3, 3, 2]), tf.ones([2, 2, 2, 1]), tf.ones([1, 1, 2, 4])
    >>> tf.compat.v1.nn.separable_conv2d(image, depthwise, pointwise, [1, 1, 1, 1], "VALID").shape
    TensorShape([1, 2, 2, 4])
    """
    rates = resolve_renamed("dilations", dilations, "rate", rate)
    return convolutions.separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, data_format, rates, name)


@export(v1="nn.conv1d")
def conv1d(
    value: Any = None,
    filters: Any = None,
    stride: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: Any = None,
    data_format: Any = None,
    name: str | None = None,
    input: Any = None,
    dilations: Any = None,
) -> Tensor:
    """`tf.nn.conv1d` of TensorFlow 2, with `value` for `input`.

    >>> tf.compat.v1.nn.conv1d([[[1.0], [2.0], [4.0]]], [[[1.0]], [[-1.0]]], stride=1, padding="VALID").numpy().ravel()
    array([-1., -2.], dtype=float32)
    """
    if use_cudnn_on_gpu is not None:
        as_flag("use_cudnn_on_gpu", use_cudnn_on_gpu)
    return convolutions.conv1d(resolve_renamed("input", input, "value", value), filters, stride, padding, data_format, dilations, name)


@export(v1="nn.convolution")
def convolution(
    input: NumberLike,
    filter: NumberLike,
    padding: Padding,
    strides: IntLike | None = None,
    dilation_rate: IntLike | None = None,
    name: str | None = None,
    data_format: str | None = None,
    filters: NumberLike | None = None,
    dilations: IntLike | None = None,
) -> Tensor:
    """`tf.nn.convolution` of TensorFlow 2, with `filter` for `filters` and `dilation_rate` for `dilations`.

    >>> signal = [[[1.0], [2.0], [4.0]]]
    >>> tf.compat.v1.nn.convolution(signal, filter=[[[1.0]], [[-1.0]]], padding="VALID", dilation_rate=[2]).numpy().ravel()
    array([-3.], dtype=float32)
    """
    rates = resolve_renamed("dilations", dilations, "dilation_rate", dilation_rate)
    return convolutions.convolution(
        input, resolve_renamed("filters", filters, "filter", filter), strides, padding, data_format, rates, name
    )


class Convolution:
    """`tensorflow.python.ops.nn_ops.Convolution`: a convolution of what is known of its shapes, to be called with tensors.

    >>> from pullback.base.shapes import TensorShape
    >>> filters = [[[1.0]], [[-1.0]]]
    >>> Convolution(TensorShape([1, 3, 1]), TensorShape([2, 1, 1]), "VALID")([[[1.0], [2.0], [4.0]]], filters).numpy().ravel()
    array([-1., -2.], dtype=float32)
    """

    def __init__(
        self, input_shape: TensorShape, filter_shape: TensorShape, padding: Padding, strides: IntLike | None = None,
        dilation_rate: IntLike | None = None, name: str | None = None, data_format: str | None = None, num_spatial_dims: int | None = None,
    ) -> None:  # fmt: skip
        if num_spatial_dims is None:
            if filter_shape.rank is None:
                raise ValueError("`num_spatial_dims` must be given where the rank of the filter is not known")
            num_spatial_dims = filter_shape.rank - 2
        rank = input_shape.rank
        if rank is not None and rank < num_spatial_dims + 2:
            raise ValueError(
                f"`input.shape.rank` must be >= than `num_spatial_dims + 2`. Received: input.shape={input_shape} of rank {rank} and "
                f"num_spatial_dims={num_spatial_dims}"
            )
        self.input_shape, self.filter_shape, self.name, self.data_format = input_shape, filter_shape, name, data_format
        self.padding, self.num_spatial_dims = padding, num_spatial_dims
        self.num_batch_dims = 1 if rank is None else rank - num_spatial_dims - 1
        self.strides, self.dilation_rate = (
            np.broadcast_to(np.asarray(1 if n is None else n, np.int32), [num_spatial_dims]) for n in (strides, dilation_rate)
        )
        self._check_channels()
        if (self.strides > 1).any() and (self.dilation_rate > 1).any():
            raise ValueError(
                f"`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: strides={self.strides} and "
                f"dilation_rate={self.dilation_rate}"
            )

    def _check_channels(self) -> None:
        if self.input_shape.rank is None or self.filter_shape.rank is None:
            return
        first = self.data_format is not None and self.data_format.startswith("NC")
        channels = self.input_shape[self.num_batch_dims if first else -1]
        taken = self.filter_shape[self.num_spatial_dims]
        if channels is not None and taken and channels % taken:
            raise ValueError(
                "The number of input channels is not divisible by the corresponding number of output filters. Received: "
                f"input.shape={self.input_shape} with {channels} channels and filters.shape={self.filter_shape} that take {taken}."
            )

    def __call__(self, inp: NumberLike, filter: NumberLike) -> Tensor:
        """The convolution of `inp` with `filter`."""
        strides, rates = self.strides.tolist(), self.dilation_rate.tolist()
        return convolutions.convolution(inp, filter, strides, self.padding, self.data_format, rates, self.name)
