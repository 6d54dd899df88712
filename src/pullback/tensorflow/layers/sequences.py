"""`tf.layers.conv1d` and its pools, `conv3d` and `separable_conv2d`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...api.variable_scope import get_variable
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor
from ...nn import convolution, pooling
from ...nn.initializers import Zeros
from ...ops.nn.bias import bias_add
from .functions import enter_layer, finish_layer, known_size, pair_of, spread

_LAYOUTS = {1: {"channels_last": "NWC", "channels_first": "NCW"}, 3: {"channels_last": "NDHWC", "channels_first": "NCDHW"}}
Function = Callable[[Any], Any] | None


def _layout(axes: int, data_format: str) -> str:
    if data_format not in _LAYOUTS[axes]:
        raise ValueError(f'The `data_format` argument must be one of "channels_first", "channels_last". Received: {data_format}')
    return _LAYOUTS[axes][data_format]


def _numbers(value: Any, count: int, name: str) -> list[int]:
    found = [value] * count if isinstance(value, int) else [int(n) for n in value]
    if len(found) != count:
        raise ValueError(f"The `{name}` argument must be a tuple of {count} integers. Received: {value}")
    return found


def _convolve(
    axes: int, inputs: Any, filters: int, kernel_size: Any, strides: Any, padding: str, data_format: str, dilation_rate: Any,
    activation: Function, use_bias: bool, kernel_initializer: Any, bias_initializer: Any, kernel_regularizer: Function,
    bias_regularizer: Function, activity_regularizer: Function, kernel_constraint: Function, bias_constraint: Function, trainable: bool,
    name: Any, reuse: bool | None,
) -> Any:  # fmt: skip
    layout = _layout(axes, data_format)
    with enter_layer(name, f"conv{axes}d", reuse):
        x = convert_to_tensor(inputs)
        dtype, channels = x.dtype.base_dtype, known_size(x, layout.index("C"), f"Conv{axes}D")
        shape = [*_numbers(kernel_size, axes, "kernel_size"), channels, filters]
        kernel = get_variable("kernel", shape, dtype, kernel_initializer, kernel_regularizer, trainable, constraint=kernel_constraint)
        steps, rates = _numbers(strides, axes, "strides"), _numbers(dilation_rate, axes, "dilation_rate")
        y = convolution.convolution(x, kernel, steps, padding.upper(), layout, rates)
        if use_bias:
            bias = get_variable("bias", [filters], dtype, bias_initializer, bias_regularizer, trainable, constraint=bias_constraint)
            y = bias_add(y, bias, data_format=layout)
        return finish_layer(y, activation, activity_regularizer)


@export(v1="layers.conv1d")
def conv1d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = 1,
    activation: Function = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = Zeros,
    kernel_regularizer: Function = None,
    bias_regularizer: Function = None,
    activity_regularizer: Function = None,
    kernel_constraint: Function = None,
    bias_constraint: Function = None,
    trainable: bool = True,
    name: Any = None,
    reuse: bool | None = None,
) -> Tensor:
    """Convolution of sequences [batch, steps, channels]: the result has `filters` channels; arguments as `conv2d`.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     y = tf.layers.conv1d(tf.zeros([2, 8, 3]), filters=4, kernel_size=3)
    ...     print(y.shape, [v.shape for v in tf.trainable_variables()])
    (2, 6, 4) [TensorShape([3, 3, 4]), TensorShape([4])]
    """
    return _convolve(
        1, inputs, filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, kernel_initializer,
        bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, trainable, name,
        reuse,
    )  # fmt: skip


@export(v1="layers.conv3d")
def conv3d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = (1, 1, 1),
    activation: Function = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = Zeros,
    kernel_regularizer: Function = None,
    bias_regularizer: Function = None,
    activity_regularizer: Function = None,
    kernel_constraint: Function = None,
    bias_constraint: Function = None,
    trainable: bool = True,
    name: Any = None,
    reuse: bool | None = None,
) -> Tensor:
    """Convolution of volumes [batch, depth, height, width, channels]; arguments as `conv2d`.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.layers.conv3d(tf.zeros([2, 4, 4, 4, 3]), filters=2, kernel_size=3).shape
    TensorShape([2, 2, 2, 2, 2])
    """
    return _convolve(
        3, inputs, filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, kernel_initializer,
        bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, trainable, name,
        reuse,
    )  # fmt: skip


@export(v1="layers.separable_conv2d")
def separable_conv2d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = (1, 1),
    depth_multiplier: int = 1,
    activation: Function = None,
    use_bias: bool = True,
    depthwise_initializer: Any = None,
    pointwise_initializer: Any = None,
    bias_initializer: Any = Zeros,
    depthwise_regularizer: Function = None,
    pointwise_regularizer: Function = None,
    bias_regularizer: Function = None,
    activity_regularizer: Function = None,
    depthwise_constraint: Function = None,
    pointwise_constraint: Function = None,
    bias_constraint: Function = None,
    trainable: bool = True,
    name: Any = None,
    reuse: bool | None = None,
) -> Tensor:
    """A convolution of each channel by itself, into `depth_multiplier` channels, then one over the channels.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     y = tf.layers.separable_conv2d(tf.zeros([2, 8, 8, 3]), filters=4, kernel_size=3)
    ...     print(y.shape, [v.op.name for v in tf.trainable_variables()][0])
    (2, 6, 6, 4) separable_conv2d/depthwise_kernel
    """
    layout = {"channels_last": "NHWC", "channels_first": "NCHW"}.get(data_format, "")
    if not layout:
        raise ValueError(f'The `data_format` argument must be one of "channels_first", "channels_last". Received: {data_format}')
    with enter_layer(name, "separable_conv2d", reuse):
        x = convert_to_tensor(inputs)
        dtype, channels = x.dtype.base_dtype, known_size(x, layout.index("C"), "SeparableConv2D")
        shape = [*pair_of(kernel_size, "kernel_size"), channels, depth_multiplier]
        args = depthwise_initializer, depthwise_regularizer, trainable
        depthwise = get_variable("depthwise_kernel", shape, dtype, *args, constraint=depthwise_constraint)
        args = pointwise_initializer, pointwise_regularizer, trainable
        shape = [1, 1, channels * depth_multiplier, filters]
        pointwise = get_variable("pointwise_kernel", shape, dtype, *args, constraint=pointwise_constraint)
        steps, rates = spread(pair_of(strides, "strides"), layout), list(pair_of(dilation_rate, "dilation_rate"))
        y = convolution.separable_conv2d(x, depthwise, pointwise, steps, padding.upper(), layout, rates)
        if use_bias:
            bias = get_variable("bias", [filters], dtype, bias_initializer, bias_regularizer, trainable, constraint=bias_constraint)
            y = bias_add(y, bias, data_format=layout)
        found: Tensor = finish_layer(y, activation, activity_regularizer)
        return found


@export(v1="layers.max_pooling1d")
def max_pooling1d(
    inputs: Any, pool_size: Any, strides: Any, padding: str = "valid", data_format: str = "channels_last", name: Any = None
) -> Tensor:
    """The largest value of each window of steps.

    >>> import pullback as tf
    >>> tf.compat.v1.layers.max_pooling1d([[[1.0], [3.0], [2.0], [0.0]]], 2, 2).numpy().ravel().tolist()
    [3.0, 2.0]
    """
    return _pool(pooling.max_pool1d, "max_pooling1d", inputs, pool_size, strides, padding, data_format, name)


@export(v1="layers.average_pooling1d")
def average_pooling1d(
    inputs: Any, pool_size: Any, strides: Any, padding: str = "valid", data_format: str = "channels_last", name: Any = None
) -> Tensor:
    """The mean of each window of steps.

    >>> import pullback as tf
    >>> tf.compat.v1.layers.average_pooling1d([[[1.0], [3.0], [2.0], [0.0]]], 2, 2).numpy().ravel().tolist()
    [2.0, 1.0]
    """
    return _pool(pooling.avg_pool1d, "average_pooling1d", inputs, pool_size, strides, padding, data_format, name)


def _pool(pool: Any, kind: str, inputs: Any, size: Any, strides: Any, padding: str, data_format: str, name: Any) -> Any:
    layout = _layout(1, data_format)
    with enter_layer(name, kind, None):
        window, step = _numbers(size, 1, "pool_size"), _numbers(strides, 1, "strides")
        return pool(convert_to_tensor(inputs), window, step, padding.upper(), layout)


__all__ = ["average_pooling1d", "conv1d", "conv3d", "max_pooling1d", "separable_conv2d"]
