"""`tf.layers`: TensorFlow 1's layers as functions, but for convolutions and pools.

A layer makes its variables in a variable scope of its own ("dense", then "dense_1"; "kernel", "bias" in it), so that
`tf.variable_scope(..., reuse=True)` and the layer's `name` and `reuse` share them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from ...api.default import get_default_graph
from ...api.initializers import Ones, Zeros
from ...api.names import GraphKeys, name_scope
from ...api.variable_scope import VariableScope, get_variable, variable_scope
from ...base.dtypes import DType
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import executing_eagerly
from ...ir.tensor import IntLike, NumberLike, ShapeLike, Tensor, TensorLike
from ...nn import dropout as dropping, normalization
from ...ops.array.basic import reshape
from ...ops.array.shape import ensure_shape, shape, size as elements
from ...ops.array.transpose import transpose
from ...ops.array.where import where
from ...ops.linalg.products import matmul, tensordot
from ...ops.nn.bias import bias_add
from ...ops.primitives.cast import cast

_LAYOUTS = {
    "channels_last": {1: "NWC", 2: "NHWC", 3: "NDHWC"},
    "channels_first": {1: "NCW", 2: "NCHW", 3: "NCDHW"},
}


@contextmanager
def enter_layer(name: str | VariableScope | None, kind: str, reuse: bool | None) -> Iterator[None]:
    """The variable scope of a layer; one that a layer object has entered before keeps its name."""
    if isinstance(name, VariableScope):
        block = nullcontext() if executing_eagerly() else name_scope(name.original_name_scope)
        with variable_scope(name, reuse=reuse, auxiliary_name_scope=False), block:
            yield
    else:
        with variable_scope(name, default_name=kind, reuse=reuse):
            yield


def make_bias(
    wanted: bool, size: int, dtype: DType, initializer: Callable[..., Any] | TensorLike | None, regularizer: Callable[[Any], Any] | None,
    trainable: bool, constraint: Callable[..., Any] | None,
) -> Any:  # fmt: skip
    """A layer's variable "bias", one number for each of its channels; None where none is wanted."""
    return get_variable("bias", [size], dtype, initializer, regularizer, trainable, constraint=constraint) if wanted else None


def finish_layer(
    y: Tensor,
    bias: NumberLike | None,
    layout: str | None,
    activation: Callable[[Any], Any] | None,
    regularizer: Callable[[Any], Any] | None,
) -> Any:
    """What a layer gives: its product and the bias through the activation, whose loss for each example joins the graph's."""
    if bias is not None:
        y = bias_add(y, bias, data_format=layout)
    if activation is not None:
        y = activation(y)
    if regularizer is not None:
        with name_scope("ActivityRegularizer"):
            loss = convert_to_tensor(regularizer(y))
            loss = loss / cast(shape(y)[0], loss.dtype)
        get_default_graph().add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
    return y


def known_size(inputs: Tensor, axis: int, layer: str) -> int:
    """The size of an axis of the inputs. ValueError where it is not known."""
    size = inputs.shape.as_list()[axis]
    if size is None:
        raise ValueError(f"The last dimension of the inputs to `{layer}` should be defined. Found `None` in shape {inputs.shape}.")
    return int(size)


def layout_of(axes: int, data_format: str) -> str:
    """TensorFlow's word for the order of axes that a layer's `data_format` names."""
    if data_format not in _LAYOUTS:
        raise ValueError(f'The `data_format` argument must be one of "channels_first", "channels_last". Received: {data_format}')
    return _LAYOUTS[data_format][axes]


@export(v1="layers.dense")
def dense(
    inputs: NumberLike,
    units: int,
    activation: Callable[[Any], Any] | None = None,
    use_bias: bool = True,
    kernel_initializer: Callable[..., Any] | None = None,
    bias_initializer: Callable[..., Any] | None = Zeros,
    kernel_regularizer: Callable[[Any], Any] | None = None,
    bias_regularizer: Callable[[Any], Any] | None = None,
    activity_regularizer: Callable[[Any], Any] | None = None,
    kernel_constraint: Callable[[Any], Any] | None = None,
    bias_constraint: Callable[[Any], Any] | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """activation(inputs . kernel + bias) along the last axis.

    Args:
        inputs: floating [..., n], n known.
        units: the size of the result's last axis.
        activation: what the result goes through; nothing when None.
        use_bias: whether there is a bias.
        kernel_initializer, bias_initializer: what makes the first values; None is the variable scope's, else glorot uniform.
        kernel_regularizer, bias_regularizer, activity_regularizer: losses added to `GraphKeys.REGULARIZATION_LOSSES`.
        kernel_constraint, bias_constraint: applied after an optimizer's update.
        trainable: whether optimizers change the variables.
        name: the layer's scope; "dense" made unique when None.
        reuse: whether to use the variables that are there.

    Raises:
        ValueError: the last dimension is not known.

    >>> with tf1.Graph().as_default():
    ...     y = tf1.layers.dense(tf1.placeholder(tf1.float32, [None, 3]), 2, activation=tf1.nn.relu)
    ...     print(y, [v.name for v in tf1.trainable_variables()])
    Tensor("dense/Relu:0", shape=(None, 2), dtype=float32) ['dense/kernel:0', 'dense/bias:0']
    """
    with enter_layer(name, "dense", reuse):
        x = convert_to_tensor(inputs)
        dtype = x.dtype.base_dtype
        wanted = [known_size(x, -1, "Dense"), units]
        kernel = get_variable("kernel", wanted, dtype, kernel_initializer, kernel_regularizer, trainable, constraint=kernel_constraint)
        bias = make_bias(use_bias, units, dtype, bias_initializer, bias_regularizer, trainable, bias_constraint)
        rank: Any = x.shape.ndims
        y = matmul(x, kernel) if rank == 2 else tensordot(x, kernel, [[rank - 1], [0]])
        return finish_layer(y, bias, None, activation, activity_regularizer)


@export(v1="layers.flatten")
def flatten(inputs: NumberLike, name: str | None = None, data_format: str = "channels_last") -> Tensor:
    """All axes but the first as one.

    Args:
        inputs: of known rank; a scalar for each of the batch becomes [batch, 1].
        name: the layer's scope.
        data_format: "channels_first" moves axis 1 to the end before.

    >>> with tf1.Graph().as_default():
    ...     print(tf1.layers.flatten(tf1.placeholder(tf1.float32, [None, 8, 8, 3])).shape)
    (None, 192)
    """
    layout = layout_of(2, data_format)
    with enter_layer(name, "flatten", None):
        x = convert_to_tensor(inputs)
        rank: Any = x.shape.ndims
        if layout == "NCHW" and rank is not None and rank > 2:
            x = transpose(x, [0, *range(2, rank), 1])
        sizes: Any = x.shape.as_list()[1:]
        if None not in sizes:
            batch = x.shape.as_list()[0]
            return reshape(x, [-1 if batch is None else batch, math.prod(sizes)])
        return reshape(x, [shape(x)[0], -1])


def _as_scalar(training: Any) -> Any:
    """`training`, known to be scalar where it is a placeholder without a shape, so that the layer's result keeps its static shape."""
    return training if isinstance(training, (bool, int)) else ensure_shape(training, [])


@export(v1="layers.dropout")
def dropout(
    inputs: NumberLike,
    rate: NumberLike = 0.5,
    noise_shape: ShapeLike | None = None,
    seed: IntLike | None = None,
    training: Any = False,
    name: str | None = None,
) -> Tensor:
    """Each element zero with probability `rate`, else divided by 1 - rate, while training; `inputs` itself otherwise.

    Args:
        inputs: floating.
        rate: a number in [0, 1).
        noise_shape: the shape in which to draw, broadcast.
        seed: see `tf.set_random_seed`.
        training: a bool, or a bool scalar tensor.
        name: the layer's scope.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     training = tf1.placeholder_with_default(False, [])
    ...     y = tf1.layers.dropout(tf1.ones([4]), rate=0.5, training=training)
    ...     print(sess.run(y), set(sess.run(y, {training: True})) <= {0.0, 2.0})
    [1. 1. 1. 1.] True
    """
    with enter_layer(name, "dropout", None):
        x = convert_to_tensor(inputs)
        training = _as_scalar(training)
        if isinstance(training, (bool, int)):
            return dropping.dropout(x, rate, noise_shape, seed) if training else x
        return where(training, dropping.dropout(x, rate, noise_shape, seed), x)


@export(v1="layers.batch_normalization")
def batch_normalization(
    inputs: NumberLike,
    axis: int = -1,
    momentum: float = 0.99,
    epsilon: float = 1e-3,
    center: bool = True,
    scale: bool = True,
    beta_initializer: Callable[..., Any] | TensorLike | None = Zeros,
    gamma_initializer: Callable[..., Any] | TensorLike | None = Ones,
    moving_mean_initializer: Callable[..., Any] | TensorLike | None = Zeros,
    moving_variance_initializer: Callable[..., Any] | TensorLike | None = Ones,
    beta_regularizer: Callable[[Any], Any] | None = None,
    gamma_regularizer: Callable[[Any], Any] | None = None,
    beta_constraint: Callable[[Any], Any] | None = None,
    gamma_constraint: Callable[[Any], Any] | None = None,
    training: Any = False,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
    renorm: bool = False,
    renorm_clipping: object = None,
    renorm_momentum: float = 0.99,
    fused: bool | None = None,
    virtual_batch_size: int | None = None,
    adjustment: object = None,
) -> Tensor:
    """Batch normalisation (Ioffe and Szegedy, 2015) along one axis.

    While training the batch's mean and variance are used, and the operations that move the averages are in
    `GraphKeys.UPDATE_OPS`, for the program to run with its training step; otherwise the averages are used.  Nothing moves the averages
    where `trainable` is False.

    Args:
        inputs: floating, the size of `axis` known.
        axis: the axis that keeps a mean of its own for each element.
        momentum: how much of the moving averages stays at an update.
        epsilon: added to the variance.
        center, scale: whether there is a beta to add, a gamma to multiply by.
        training: a bool, or a bool scalar tensor.
        fused: whether the variance that is averaged is the unbiased one; None says so for rank 4.
        the rest: as `dense`.

    Raises:
        NotImplementedError: `renorm`, `virtual_batch_size` or `adjustment` is asked for.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     y = tf1.layers.batch_normalization(tf1.constant([[1.0], [3.0]]), training=True)
    ...     sess.run(tf1.global_variables_initializer())
    ...     print(sess.run(y).round(2).tolist(), len(tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)))
    [[-1.0], [1.0]] 2
    """
    if renorm or virtual_batch_size is not None or adjustment is not None:
        raise NotImplementedError("batch_normalization: renorm, virtual_batch_size and adjustment are not in Pullback")
    with enter_layer(name, "batch_normalization", reuse):
        x = convert_to_tensor(inputs)
        training = _as_scalar(training)
        rank: Any = x.shape.ndims
        at = axis % rank
        size, dtype = known_size(x, at, "BatchNormalization"), x.dtype.base_dtype
        gamma = beta = None
        if scale:
            gamma = get_variable("gamma", [size], dtype, gamma_initializer, gamma_regularizer, trainable, constraint=gamma_constraint)
        if center:
            beta = get_variable("beta", [size], dtype, beta_initializer, beta_regularizer, trainable, constraint=beta_constraint)
        moving_mean = get_variable("moving_mean", [size], dtype, moving_mean_initializer, trainable=False)
        moving_variance = get_variable("moving_variance", [size], dtype, moving_variance_initializer, trainable=False)
        mean, variance = moving_mean.value(), moving_variance.value()
        if not isinstance(training, (bool, int)) or training:
            others = [i for i in range(rank) if i != at]
            batch_mean, batch_variance = normalization.moments(x, others)
            unbiased = batch_variance
            if (rank == 4) if fused is None else fused:
                count = cast(elements(x), dtype) / size
                unbiased = batch_variance * (count / (count - 1.0))
            rate = 1.0 - momentum if isinstance(training, (bool, int)) else where(training, cast(1.0 - momentum, dtype), cast(0.0, dtype))
            for average, fresh in ((moving_mean, batch_mean), (moving_variance, unbiased)) if trainable else ():
                update = average.assign_sub((average - fresh) * rate, name="AssignMovingAvg")
                if not executing_eagerly():
                    get_default_graph().add_to_collection(GraphKeys.UPDATE_OPS, update.op)
            if isinstance(training, (bool, int)):
                mean, variance = batch_mean, batch_variance
            else:
                mean, variance = where(training, batch_mean, mean), where(training, batch_variance, variance)

        def align_axis(v: Any) -> Any:
            return v if v is None or at == rank - 1 else reshape(v, [size if i == at else 1 for i in range(rank)])

        return normalization.batch_normalization(x, align_axis(mean), align_axis(variance), align_axis(beta), align_axis(gamma), epsilon)
