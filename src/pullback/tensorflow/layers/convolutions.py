"""The convolutions and pools of `tf.layers`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...api.initializers import Zeros
from ...api.variable_scope import get_variable
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import IntLike, Tensor, TensorLike
from ...nn import convolution, pooling
from ...ops.array.join import stack
from ...ops.array.shape import shape
from .functions import enter_layer, finish_layer, known_size, layout_of, make_bias

Function = Callable[[Any], Any] | None


def numbers_of(value: Any, count: int, name: str) -> list[int]:
    """An argument with a number for each axis, as an integer or several."""
    found = [value] * count if isinstance(value, int) else [int(n) for n in value]
    if len(found) != count:
        raise ValueError(f"The `{name}` argument must be an integer or a tuple of {count} integers. Received: {value}")
    return found


def spread(pair: list[int], layout: str) -> list[int]:
    """A pair for height and width, as four numbers in the order of a layout."""
    return [1, *pair, 1] if layout == "NHWC" else [1, 1, *pair]


def _convolve(
    axes: int, inputs: TensorLike, filters: int, kernel_size: Any, strides: IntLike, padding: str, data_format: str, dilation_rate: Any,
    activation: Function, use_bias: bool, kernel_initializer: Any, bias_initializer: Any, kernel_regularizer: Function,
    bias_regularizer: Function, activity_regularizer: Function, kernel_constraint: Function, bias_constraint: Function, trainable: bool,
    name: Any, reuse: bool | None,
) -> Any:  # fmt: skip
    layout = layout_of(axes, data_format)
    with enter_layer(name, f"conv{axes}d", reuse):
        x = convert_to_tensor(inputs)
        dtype, channels = x.dtype.base_dtype, known_size(x, layout.index("C"), f"Conv{axes}D")
        shape = [*numbers_of(kernel_size, axes, "kernel_size"), channels, filters]
        kernel = get_variable("kernel", shape, dtype, kernel_initializer, kernel_regularizer, trainable, constraint=kernel_constraint)
        bias = make_bias(use_bias, filters, dtype, bias_initializer, bias_regularizer, trainable, bias_constraint)
        steps, rates = numbers_of(strides, axes, "strides"), numbers_of(dilation_rate, axes, "dilation_rate")
        product = convolution.conv2d if axes == 2 else convolution.convolution
        y = product(x, kernel, steps, padding.upper(), layout, rates)
        return finish_layer(y, bias, layout, activation, activity_regularizer)


@export(v1="layers.conv1d")
def conv1d(
    inputs: TensorLike,
    filters: int,
    kernel_size: IntLike,
    strides: IntLike = 1,
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: IntLike = 1,
    activation: Function = None,
    use_bias: bool = True,
    kernel_initializer: Callable[..., Any] | None = None,
    bias_initializer: Callable[..., Any] | None = Zeros,
    kernel_regularizer: Function = None,
    bias_regularizer: Function = None,
    activity_regularizer: Function = None,
    kernel_constraint: Function = None,
    bias_constraint: Function = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """Convolution of sequences [batch, steps, channels]: the result has `filters` channels; arguments as `conv2d`.

    >>> with tf1.Graph().as_default():
    ...     y = tf1.layers.conv1d(tf1.zeros([2, 8, 3]), filters=4, kernel_size=3)
    ...     print(y.shape, [v.shape for v in tf1.trainable_variables()])
    (2, 6, 4) [TensorShape([3, 3, 4]), TensorShape([4])]
    """
    return _convolve(
        1, inputs, filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, kernel_initializer,
        bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, trainable, name,
        reuse,
    )  # fmt: skip


@export(v1="layers.conv2d")
def conv2d(
    inputs: TensorLike,
    filters: int,
    kernel_size: IntLike,
    strides: IntLike = (1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: IntLike = (1, 1),
    activation: Function = None,
    use_bias: bool = True,
    kernel_initializer: Callable[..., Any] | None = None,
    bias_initializer: Callable[..., Any] | None = Zeros,
    kernel_regularizer: Function = None,
    bias_regularizer: Function = None,
    activity_regularizer: Function = None,
    kernel_constraint: Function = None,
    bias_constraint: Function = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """Two-dimensional convolution: the result has `filters` channels.

    Args:
        inputs: [batch, height, width, channels], channels known; [batch, channels, height, width] for "channels_first".
        filters: how many.
        kernel_size, strides, dilation_rate: an integer or two.
        padding: "valid" or "same".
        data_format: "channels_last" or "channels_first".
        activation, use_bias and what follows: as `dense`.

    Raises:
        ValueError: the number of channels is not known, or an argument is not one of those.

    >>> with tf1.Graph().as_default():
    ...     y = tf1.layers.conv2d(tf1.placeholder(tf1.float32, [None, 8, 8, 3]), filters=4, kernel_size=3)
    ...     print(y.shape, [v.shape for v in tf1.trainable_variables()])
    (None, 6, 6, 4) [TensorShape([3, 3, 3, 4]), TensorShape([4])]
    """
    return _convolve(
        2, inputs, filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, kernel_initializer,
        bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, trainable, name,
        reuse,
    )  # fmt: skip


@export(v1="layers.conv3d")
def conv3d(
    inputs: TensorLike,
    filters: int,
    kernel_size: IntLike,
    strides: IntLike = (1, 1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: IntLike = (1, 1, 1),
    activation: Function = None,
    use_bias: bool = True,
    kernel_initializer: Callable[..., Any] | None = None,
    bias_initializer: Callable[..., Any] | None = Zeros,
    kernel_regularizer: Function = None,
    bias_regularizer: Function = None,
    activity_regularizer: Function = None,
    kernel_constraint: Function = None,
    bias_constraint: Function = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """Convolution of volumes [batch, depth, height, width, channels]; arguments as `conv2d`.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.conv3d(tf1.zeros([2, 4, 4, 4, 3]), filters=2, kernel_size=3).shape
    TensorShape([2, 2, 2, 2, 2])
    """
    return _convolve(
        3, inputs, filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, kernel_initializer,
        bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, trainable, name,
        reuse,
    )  # fmt: skip


@export(v1="layers.conv2d_transpose")
def conv2d_transpose(
    inputs: TensorLike,
    filters: int,
    kernel_size: IntLike,
    strides: IntLike = (1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    activation: Function = None,
    use_bias: bool = True,
    kernel_initializer: Callable[..., Any] | None = None,
    bias_initializer: Callable[..., Any] | None = Zeros,
    kernel_regularizer: Function = None,
    bias_regularizer: Function = None,
    activity_regularizer: Function = None,
    kernel_constraint: Function = None,
    bias_constraint: Function = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """The transpose of a two-dimensional convolution, which makes images larger: `strides` times, and for "valid" by what a kernel
    reaches beyond.

    Args:
        the same as those of `conv2d`; the kernel has the shape [height, width, filters, channels].

    Raises:
        ValueError: the number of channels is not known, or an argument is none that it may be.

    >>> with tf1.Graph().as_default():
    ...     print(tf1.layers.conv2d_transpose(tf1.placeholder(tf1.float32, [5, 8, 8, 3]), filters=4, kernel_size=3, strides=2).shape)
    (5, 17, 17, 4)
    """
    layout = layout_of(2, data_format)
    with enter_layer(name, "conv2d_transpose", reuse):
        x = convert_to_tensor(inputs)
        dtype = x.dtype.base_dtype
        channels = known_size(x, layout.index("C"), "Conv2DTranspose")
        size, step = numbers_of(kernel_size, 2, "kernel_size"), numbers_of(strides, 2, "strides")
        wanted = [*size, filters, channels]
        kernel = get_variable("kernel", wanted, dtype, kernel_initializer, kernel_regularizer, trainable, constraint=kernel_constraint)
        bias = make_bias(use_bias, filters, dtype, bias_initializer, bias_regularizer, trainable, bias_constraint)
        target = transposed_shape(x, layout, size, step, padding, filters)
        y = convolution.conv2d_transpose(x, kernel, target, step, padding.upper(), layout)
        return finish_layer(y, bias, layout, activation, activity_regularizer)


def transposed_shape(x: Tensor, layout: str, size: list[int], step: list[int], padding: str, filters: int) -> Tensor:
    """The shape of the result of a transposed convolution of images."""
    known: Any = x.shape.as_list()
    sizes = shape(x)
    grown: list[Any] = []
    for at, k, s in zip((layout.index("H"), layout.index("W")), size, step, strict=True):
        beyond = max(k - s, 0) if padding.lower() == "valid" else 0
        grown.append((sizes[at] if known[at] is None else known[at]) * s + beyond)
    batch = sizes[0] if known[0] is None else known[0]
    return stack([batch, *grown, filters] if layout == "NHWC" else [batch, filters, *grown])


@export(v1="layers.separable_conv2d")
def separable_conv2d(
    inputs: TensorLike,
    filters: int,
    kernel_size: IntLike,
    strides: IntLike = (1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: IntLike = (1, 1),
    depth_multiplier: int = 1,
    activation: Function = None,
    use_bias: bool = True,
    depthwise_initializer: Any = None,
    pointwise_initializer: Any = None,
    bias_initializer: Callable[..., Any] | None = Zeros,
    depthwise_regularizer: Function = None,
    pointwise_regularizer: Function = None,
    bias_regularizer: Function = None,
    activity_regularizer: Function = None,
    depthwise_constraint: Function = None,
    pointwise_constraint: Function = None,
    bias_constraint: Function = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """A convolution of each channel by itself, into `depth_multiplier` channels, then one over the channels.

    >>> with tf1.Graph().as_default():
    ...     y = tf1.layers.separable_conv2d(tf1.zeros([2, 8, 8, 3]), filters=4, kernel_size=3)
    ...     print(y.shape, [v.op.name for v in tf1.trainable_variables()][0])
    (2, 6, 6, 4) separable_conv2d/depthwise_kernel
    """
    layout = layout_of(2, data_format)
    with enter_layer(name, "separable_conv2d", reuse):
        x = convert_to_tensor(inputs)
        dtype, channels = x.dtype.base_dtype, known_size(x, layout.index("C"), "SeparableConv2D")
        shape = [*numbers_of(kernel_size, 2, "kernel_size"), channels, depth_multiplier]
        args = depthwise_initializer, depthwise_regularizer, trainable
        depthwise = get_variable("depthwise_kernel", shape, dtype, *args, constraint=depthwise_constraint)
        args = pointwise_initializer, pointwise_regularizer, trainable
        shape = [1, 1, channels * depth_multiplier, filters]
        pointwise = get_variable("pointwise_kernel", shape, dtype, *args, constraint=pointwise_constraint)
        bias = make_bias(use_bias, filters, dtype, bias_initializer, bias_regularizer, trainable, bias_constraint)
        steps, rates = spread(numbers_of(strides, 2, "strides"), layout), numbers_of(dilation_rate, 2, "dilation_rate")
        y = convolution.separable_conv2d(x, depthwise, pointwise, steps, padding.upper(), layout, rates)
        return finish_layer(y, bias, layout, activation, activity_regularizer)


@export(v1="layers.max_pooling1d")
def max_pooling1d(
    inputs: TensorLike,
    pool_size: IntLike,
    strides: IntLike,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: str | None = None,
) -> Tensor:
    """The largest value of each window of steps.

    >>> tf.compat.v1.layers.max_pooling1d([[[1.0], [3.0], [2.0], [0.0]]], 2, 2).numpy().ravel().tolist()
    [3.0, 2.0]
    """
    return _pool(1, pooling.max_pool1d, "max_pooling1d", inputs, pool_size, strides, padding, data_format, name)


@export(v1="layers.average_pooling1d")
def average_pooling1d(
    inputs: TensorLike,
    pool_size: IntLike,
    strides: IntLike,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: str | None = None,
) -> Tensor:
    """The mean of each window of steps.

    >>> tf.compat.v1.layers.average_pooling1d([[[1.0], [3.0], [2.0], [0.0]]], 2, 2).numpy().ravel().tolist()
    [2.0, 1.0]
    """
    return _pool(1, pooling.avg_pool1d, "average_pooling1d", inputs, pool_size, strides, padding, data_format, name)


@export(v1="layers.max_pooling2d")
def max_pooling2d(
    inputs: TensorLike,
    pool_size: IntLike,
    strides: IntLike,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: str | None = None,
) -> Tensor:
    """The largest value of each window of height and width.

    Args:
        inputs: [batch, height, width, channels]; [batch, channels, height, width] for "channels_first".
        pool_size, strides: an integer or two.
        padding: "valid" or "same".
        data_format: "channels_last" or "channels_first".
        name: the layer's scope.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     image = tf1.reshape(tf1.range(16.0), [1, 4, 4, 1])
    ...     print(sess.run(tf1.layers.max_pooling2d(image, pool_size=2, strides=2)).ravel())
    [ 5.  7. 13. 15.]
    """
    return _pool(2, pooling.max_pool2d, "max_pooling2d", inputs, pool_size, strides, padding, data_format, name, "MaxPool")


@export(v1="layers.average_pooling2d")
def average_pooling2d(
    inputs: TensorLike,
    pool_size: IntLike,
    strides: IntLike,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: str | None = None,
) -> Tensor:
    """The mean of each window of height and width; arguments as `max_pooling2d`.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     image = tf1.reshape(tf1.range(16.0), [1, 4, 4, 1])
    ...     print(sess.run(tf1.layers.average_pooling2d(image, pool_size=2, strides=2)).ravel())
    [ 2.5  4.5 10.5 12.5]
    """
    return _pool(2, pooling.avg_pool2d, "average_pooling2d", inputs, pool_size, strides, padding, data_format, name, "AvgPool")


def _pool(
    axes: int,
    pool: Callable[..., Any],
    kind: str,
    inputs: TensorLike,
    size: TensorLike,
    strides: IntLike,
    padding: str,
    data_format: str,
    name: Any,
    node: str | None = None,
) -> Any:
    layout = layout_of(axes, data_format)
    with enter_layer(name, kind, None):
        window, step = numbers_of(size, axes, "pool_size"), numbers_of(strides, axes, "strides")
        return pool(convert_to_tensor(inputs), window, step, padding.upper(), layout, node)
