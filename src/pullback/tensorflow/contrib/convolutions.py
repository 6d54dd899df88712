"""Convolutions and pools of `tf.contrib.layers` and `slim`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from ...api.initializers import Zeros
from ...api.names import name_scope
from ...api.variable_scope import VariableScope, variable_scope
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import IntLike, Tensor, TensorLike
from ...nn import convolution as products, pooling
from ...ops.nn.activations import relu
from ..layers.convolutions import numbers_of, spread, transposed_shape
from .arg_scope import add_arg_scope
from .collections import channels_of, collect_named_outputs, make_variable
from .dense import Function, add_biases, finish
from .regularizers import Regularizer, xavier_initializer

_LAYOUTS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def _repeat_value(value: Any, count: int) -> list[int]:
    found = [value] * count if isinstance(value, int) else list(value)
    if len(found) == 1:
        found *= count
    if len(found) != count:
        raise ValueError(f"an integer, or {count} of them, must be given for a convolution along {count} axes, not {value}")
    return found


@export(v1=("contrib.layers.convolution", "contrib.slim.convolution"))
@add_arg_scope
def convolution(
    inputs: TensorLike,
    num_outputs: int,
    kernel_size: IntLike,
    stride: IntLike = 1,
    padding: str = "SAME",
    data_format: str | None = None,
    rate: IntLike = 1,
    activation_fn: Function = relu,
    normalizer_fn: Function = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Callable[..., Any] | None = None,
    weights_regularizer: Regularizer | None = None,
    biases_initializer: Callable[..., Any] | None = Zeros,
    biases_regularizer: Regularizer | None = None,
    reuse: bool | None = None,
    variables_collections: Iterable[Hashable] | None = None,
    outputs_collections: Sequence[str] | str | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
    conv_dims: int | None = None,
) -> Tensor:
    """activation_fn(a convolution of the inputs with weights + biases), along one, two or three axes.

    Args:
        inputs: of rank 3, 4 or 5, whose number of channels is known.
        num_outputs: the number of channels of the result.
        kernel_size, stride, rate: an integer, or one for each axis; of `stride` and `rate` one must be 1.
        padding: "SAME" or "VALID".
        data_format: such as "NHWC" (channels last, when None) or "NCHW".
        conv_dims: the number of axes, where the rank shall be held against it.
        the rest: as `fully_connected`; the default scope is "Conv".

    Raises:
        ValueError: another rank, padding or layout; `stride` and `rate` both above 1; the channels are not known.

    >>> with tf1.Graph().as_default():
    ...     y = tf1.contrib.layers.convolution(tf1.zeros([1, 8, 8, 3]), 4, [3, 3], stride=2)
    ...     y.shape, [v.name for v in tf1.trainable_variables()]
    (TensorShape([1, 4, 4, 4]), ['Conv/weights:0', 'Conv/biases:0'])
    """
    with variable_scope(scope, default_name="Conv", reuse=reuse) as entered:
        x = convert_to_tensor(inputs)
        axes = None if x.shape.ndims is None else x.shape.ndims - 2
        if axes not in _LAYOUTS or conv_dims not in (None, axes):
            wanted = "3, 4 or 5" if conv_dims is None else conv_dims + 2
            raise ValueError(f"Convolution expects input with rank {wanted}, got {x.shape.ndims}")
        layout = data_format or _LAYOUTS[axes][0]
        (_, channels), dtype = channels_of(x, layout, _LAYOUTS[axes]), x.dtype.base_dtype
        shape = [*_repeat_value(kernel_size, axes), channels, num_outputs]
        first = weights_initializer or xavier_initializer()
        weights = make_variable("weights", shape, dtype, first, weights_regularizer, trainable, variables_collections)
        steps, rates = _repeat_value(stride, axes), _repeat_value(rate, axes)
        if max(steps) > 1 and max(rates) > 1:
            raise ValueError(f"stride > 1 not supported in conjunction with rate > 1: {stride}, {rate}")
        y = products.convolution(x, weights, steps, padding.upper(), layout, rates)
        biases = normalizer_fn, biases_initializer, biases_regularizer, trainable, variables_collections
        y = add_biases(y, num_outputs, layout, *biases)
        return finish(y, activation_fn, normalizer_fn, normalizer_params, outputs_collections, entered.name)


@export(v1=("contrib.layers.conv1d", "contrib.layers.convolution1d", "contrib.slim.conv1d", "contrib.slim.convolution1d"))
@add_arg_scope
def convolution1d(inputs: TensorLike, num_outputs: int, kernel_size: IntLike, *args: Any, **kwargs: Any) -> Tensor:
    """`convolution` of inputs of rank 3.

    >>> with tf1.Graph().as_default():
    ...     tf1.contrib.layers.conv1d(tf1.zeros([1, 8, 3]), 4, 3).shape
    TensorShape([1, 8, 4])
    """
    return convolution(inputs, num_outputs, kernel_size, *args, **{"conv_dims": 1, **kwargs})


@export(v1=("contrib.layers.conv2d", "contrib.layers.convolution2d", "contrib.slim.conv2d", "contrib.slim.convolution2d"))
@add_arg_scope
def convolution2d(inputs: TensorLike, num_outputs: int, kernel_size: IntLike, *args: Any, **kwargs: Any) -> Tensor:
    """`convolution` of inputs of rank 4.

    >>> with tf1.Graph().as_default():
    ...     tf1.contrib.layers.conv2d(tf1.zeros([1, 8, 8, 3]), 4, [3, 3], padding="VALID").shape
    TensorShape([1, 6, 6, 4])
    """
    return convolution(inputs, num_outputs, kernel_size, *args, **{"conv_dims": 2, **kwargs})


@export(v1=("contrib.layers.conv3d", "contrib.layers.convolution3d", "contrib.slim.conv3d", "contrib.slim.convolution3d"))
@add_arg_scope
def convolution3d(inputs: TensorLike, num_outputs: int, kernel_size: IntLike, *args: Any, **kwargs: Any) -> Tensor:
    """`convolution` of inputs of rank 5.

    >>> with tf1.Graph().as_default():
    ...     tf1.contrib.layers.conv3d(tf1.zeros([1, 4, 4, 4, 3]), 2, 3).shape
    TensorShape([1, 4, 4, 4, 2])
    """
    return convolution(inputs, num_outputs, kernel_size, *args, **{"conv_dims": 3, **kwargs})


@export(
    v1=(
        "contrib.layers.conv2d_transpose", "contrib.layers.convolution2d_transpose",
        "contrib.slim.conv2d_transpose", "contrib.slim.convolution2d_transpose",
    )
)  # fmt: skip
@add_arg_scope
def convolution2d_transpose(
    inputs: TensorLike,
    num_outputs: int,
    kernel_size: IntLike,
    stride: IntLike = 1,
    padding: str = "SAME",
    data_format: str = "NHWC",
    activation_fn: Function = relu,
    normalizer_fn: Function = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Callable[..., Any] | None = None,
    weights_regularizer: Regularizer | None = None,
    biases_initializer: Callable[..., Any] | None = Zeros,
    biases_regularizer: Regularizer | None = None,
    reuse: bool | None = None,
    variables_collections: Iterable[Hashable] | None = None,
    outputs_collections: Sequence[str] | str | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
) -> Tensor:
    """The transpose of `convolution2d`, which makes images `stride` times as large.

    >>> with tf1.Graph().as_default():
    ...     tf1.contrib.layers.conv2d_transpose(tf1.zeros([1, 4, 4, 3]), 2, 3, stride=2).shape
    TensorShape([1, 8, 8, 2])
    """
    with variable_scope(scope, default_name="Conv2d_transpose", reuse=reuse) as entered:
        x = convert_to_tensor(inputs)
        dtype, size, step = x.dtype.base_dtype, numbers_of(kernel_size, 2, "kernel_size"), numbers_of(stride, 2, "stride")
        shape, first = [*size, num_outputs, channels_of(x, data_format)[1]], weights_initializer or xavier_initializer()
        weights = make_variable("weights", shape, dtype, first, weights_regularizer, trainable, variables_collections)
        target = transposed_shape(x, data_format, size, step, padding, num_outputs)
        y = products.conv2d_transpose(x, weights, target, step, padding.upper(), data_format)
        biases = normalizer_fn, biases_initializer, biases_regularizer, trainable, variables_collections
        y = add_biases(y, num_outputs, data_format, *biases)
        return finish(y, activation_fn, normalizer_fn, normalizer_params, outputs_collections, entered.name)


@export(
    v1=(
        "contrib.layers.separable_conv2d", "contrib.layers.separable_convolution2d",
        "contrib.slim.separable_conv2d", "contrib.slim.separable_convolution2d",
    )
)  # fmt: skip
@add_arg_scope
def separable_convolution2d(
    inputs: TensorLike,
    num_outputs: int | None,
    kernel_size: IntLike,
    depth_multiplier: int = 1,
    stride: IntLike = 1,
    padding: str = "SAME",
    data_format: str = "NHWC",
    rate: IntLike = 1,
    activation_fn: Function = relu,
    normalizer_fn: Function = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Callable[..., Any] | None = None,
    pointwise_initializer: Callable[..., Any] | TensorLike | None = None,
    weights_regularizer: Regularizer | None = None,
    biases_initializer: Callable[..., Any] | None = Zeros,
    biases_regularizer: Regularizer | None = None,
    reuse: bool | None = None,
    variables_collections: Iterable[Hashable] | None = None,
    outputs_collections: Sequence[str] | str | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
) -> Tensor:
    """A convolution of each channel by itself, then one over the channels; only the first where `num_outputs` is None.

    >>> with tf1.Graph().as_default():
    ...     y = tf1.contrib.layers.separable_conv2d(tf1.zeros([1, 4, 4, 3]), 2, 3, depth_multiplier=2)
    ...     y.shape, [v.name for v in tf1.trainable_variables()][:2]
    (TensorShape([1, 4, 4, 2]), ['SeparableConv2d/depthwise_weights:0', 'SeparableConv2d/pointwise_weights:0'])
    """
    with variable_scope(scope, default_name="SeparableConv2d", reuse=reuse) as entered:
        x = convert_to_tensor(inputs)
        (_, channels), dtype = channels_of(x, data_format), x.dtype.base_dtype
        first = weights_initializer or xavier_initializer()
        step, rates = spread(numbers_of(stride, 2, "stride"), data_format), numbers_of(rate, 2, "rate")
        shape = [*numbers_of(kernel_size, 2, "kernel_size"), channels, depth_multiplier]
        options: tuple[Any, ...] = weights_regularizer, trainable, variables_collections
        depthwise = make_variable("depthwise_weights", shape, dtype, first, *options)
        if num_outputs is None:
            y, size = products.depthwise_conv2d(x, depthwise, step, padding.upper(), data_format, rates), channels * depth_multiplier
        else:
            shape, size = [1, 1, channels * depth_multiplier, num_outputs], num_outputs
            pointwise = make_variable("pointwise_weights", shape, dtype, pointwise_initializer or first, *options)
            y = products.separable_conv2d(x, depthwise, pointwise, step, padding.upper(), data_format, rates)
        biases = normalizer_fn, biases_initializer, biases_regularizer, trainable, variables_collections
        y = add_biases(y, size, data_format, *biases)
        return finish(y, activation_fn, normalizer_fn, normalizer_params, outputs_collections, entered.name)


@export(v1=("contrib.layers.max_pool2d", "contrib.slim.max_pool2d"))
@add_arg_scope
def max_pool2d(
    inputs: TensorLike,
    kernel_size: IntLike,
    stride: IntLike = 2,
    padding: str = "VALID",
    data_format: str = "NHWC",
    outputs_collections: Sequence[str] | str | None = None,
    scope: Any = None,
) -> Tensor:
    """The largest value of each window of height and width.

    >>> tf.compat.v1.contrib.layers.max_pool2d(tf.reshape(tf.range(16.0), [1, 4, 4, 1]), 2).numpy().ravel().tolist()
    [5.0, 7.0, 13.0, 15.0]
    """
    return _pool(pooling.max_pool2d, "MaxPool2D", inputs, kernel_size, stride, padding, data_format, outputs_collections, scope)


@export(v1=("contrib.layers.avg_pool2d", "contrib.slim.avg_pool2d"))
@add_arg_scope
def avg_pool2d(
    inputs: TensorLike,
    kernel_size: IntLike,
    stride: IntLike = 2,
    padding: str = "VALID",
    data_format: str = "NHWC",
    outputs_collections: Sequence[str] | str | None = None,
    scope: Any = None,
) -> Tensor:
    """The mean of each window of height and width.

    >>> tf.compat.v1.contrib.layers.avg_pool2d(tf.reshape(tf.range(16.0), [1, 4, 4, 1]), 2).numpy().ravel().tolist()
    [2.5, 4.5, 10.5, 12.5]
    """
    return _pool(pooling.avg_pool2d, "AvgPool2D", inputs, kernel_size, stride, padding, data_format, outputs_collections, scope)


def _pool(
    pool: Any, name: str, inputs: Any, size: Any, stride: Any, padding: str, layout: str, collections: Any, scope: str | None
) -> Any:
    with name_scope(scope, name) as alias:
        found = pool(inputs, numbers_of(size, 2, "kernel_size"), numbers_of(stride, 2, "stride"), padding.upper(), layout)
        return collect_named_outputs(collections, alias, found)
