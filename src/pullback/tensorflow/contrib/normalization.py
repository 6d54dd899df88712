"""`batch_norm`, `layer_norm` and `instance_norm` of `tf.contrib.layers` and `slim`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from ...api.default import get_default_graph
from ...api.initializers import Ones, Zeros
from ...api.names import GraphKeys, control_dependencies
from ...api.variable_scope import VariableScope, variable_scope
from ...base.dtypes import bfloat16, float16
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import executing_eagerly
from ...ir.tensor import Tensor, TensorLike
from ...nn import normalization
from ...ops.array.basic import identity, reshape
from ...ops.array.conversion import get_static_value
from ...ops.array.shape import size as elements
from ...ops.array.where import where
from ...ops.primitives.cast import cast
from .arg_scope import add_arg_scope
from .collections import channels_of, make_variable
from .dense import Function, finish


@export(v1=("contrib.layers.batch_norm", "contrib.slim.batch_norm"))
@add_arg_scope
def batch_norm(
    inputs: TensorLike,
    decay: float = 0.999,
    center: bool = True,
    scale: bool = False,
    epsilon: float = 0.001,
    activation_fn: Function = None,
    param_initializers: dict[str, Any] | None = None,
    param_regularizers: dict[str, Any] | None = None,
    updates_collections: Any = GraphKeys.UPDATE_OPS,
    is_training: Any = True,
    reuse: bool | None = None,
    variables_collections: Iterable[Hashable] | None = None,
    outputs_collections: Iterable[Hashable] | None = None,
    trainable: bool = True,
    batch_weights: TensorLike | None = None,
    fused: bool | None = None,
    data_format: str = "NHWC",
    zero_debias_moving_mean: bool = False,
    scope: str | VariableScope | None = None,
    renorm: bool = False,
    renorm_clipping: Mapping[str, Any] | None = None,
    renorm_decay: float = 0.99,
    adjustment: Callable[..., Any] | None = None,
) -> Tensor:
    """Batch normalisation (Ioffe and Szegedy, 2015) along the channels.

    Args:
        decay: how much of the moving averages stays at an update.
        center, scale: whether there is a beta to add, a gamma to multiply by.
        param_initializers, param_regularizers: by the names beta, gamma, moving_mean, moving_variance.
        updates_collections: where the operations go that move the averages; None moves them whenever the result is computed.
        is_training: a bool, or a bool scalar tensor.  Otherwise the averages are used.
        batch_weights: how much each example counts for the batch's mean and variance.
        fused: whether the variance that is averaged is the unbiased one; None says so for images whose updates go to the usual collection.
        data_format: "NHWC" or "NCHW".

    Raises:
        NotImplementedError: `renorm`, `adjustment` or `zero_debias_moving_mean` is asked for.
        ValueError: the number of channels is not known.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     y = tf1.contrib.layers.batch_norm(tf1.constant([[1.0], [3.0]]), updates_collections=None, decay=0.5)
    ...     sess.run(tf1.global_variables_initializer())
    ...     print(sess.run(y).round(2).tolist(), [(v.name, sess.run(v).tolist()) for v in tf1.global_variables()][1])
    [[-1.0], [1.0]] ('BatchNorm/moving_mean:0', [1.0])
    """
    for name, asked in (("renorm", renorm), ("adjustment", adjustment), ("zero_debias_moving_mean", zero_debias_moving_mean)):
        if asked:
            raise NotImplementedError(f"batch_norm: {name} is not in Pullback")
    with variable_scope(scope, default_name="BatchNorm", reuse=reuse) as entered:
        x = convert_to_tensor(inputs)
        at, size = channels_of(x, data_format)
        rank: Any = x.shape.ndims
        beta, gamma = _centre_and_scale(x, [size], center, scale, param_initializers, param_regularizers, trainable, variables_collections)
        averages = []
        for name, usual in (("moving_mean", Zeros()), ("moving_variance", Ones())):
            first = (param_initializers or {}).get(name, usual)
            averages.append(make_variable(name, [size], x.dtype.base_dtype, first, None, False, variables_collections))
        by_default = rank == 4 and updates_collections == GraphKeys.UPDATE_OPS
        unbiased = batch_weights is None and (by_default if fused is None else fused and rank in (2, 4))
        training = is_training if isinstance(is_training, (bool, int)) else get_static_value(is_training)
        used = [average.value() for average in averages]
        if training is None or training:
            others = [i for i in range(rank) if i != at]
            fresh = _batch_moments(x, others, batch_weights)
            updates = _move(averages, fresh, unbiased, elements(x), decay, is_training if training is None else None)
            if not executing_eagerly():
                for update in updates if updates_collections is not None else ():
                    get_default_graph().add_to_collections(updates_collections, update.op)
            with control_dependencies(updates if updates_collections is None and not executing_eagerly() else None):
                used = [identity(new) if training else where(is_training, new, old) for new, old in zip(fresh, used, strict=True)]
        along = [-1 if i == at else 1 for i in range(rank)]
        mean, variance, offset, factor = (v if v is None or at == rank - 1 else reshape(v, along) for v in (*used, beta, gamma))
        y = normalization.batch_normalization(x, mean, variance, offset, factor, epsilon)
        y.set_shape(x.shape)
        return finish(y, activation_fn, None, None, outputs_collections, entered.name)


def _batch_moments(x: Any, axes: list[int], weights: Any) -> tuple[Any, Any]:
    if weights is None:
        return normalization.moments(x, axes)
    weights = cast(convert_to_tensor(weights), x.dtype)
    each = reshape(weights, [-1] + [1] * (x.shape.ndims - 1))
    return normalization.weighted_moments(x, axes, each)


def _move(averages: Any, fresh: Any, unbiased: bool, count: Tensor, decay: float, training: Tensor | None) -> list[Any]:
    """Move the averages towards a batch's mean and variance, where `training` is None or true."""
    mean, variance = fresh
    dtype = mean.dtype
    if unbiased:
        number = cast(count, dtype) / cast(elements(mean), dtype)
        variance = variance * (number / (number - 1.0))
    rate = 1.0 - decay if training is None else where(training, cast(1.0 - decay, dtype), cast(0.0, dtype))
    return [a.assign_sub((a - new) * rate, name="AssignMovingAvg") for a, new in zip(averages, (mean, variance), strict=True)]


def _centre_and_scale(
    x: Tensor, shape: list[Any], center: bool, scale: bool, initializers: Any, regularizers: Any, trainable: bool, collections: Any
) -> list[Any]:
    """The variables beta and gamma, each None where there is none."""
    if None in shape:
        raise ValueError(f"the sizes of the axes that are scaled must be known, not as in the shape {x.shape}")
    first, losses, found = initializers or {}, regularizers or {}, []
    for name, there, usual in (("beta", center, Zeros()), ("gamma", scale, Ones())):
        args = x.dtype.base_dtype, first.get(name, usual), losses.get(name), trainable, collections
        found.append(make_variable(name, shape, *args) if there else None)
    return found


def normalize_alone(x: Any, axes: list[int], beta: Any, gamma: Any, epsilon: float | None = None) -> Tensor:
    """Each example by its own mean and variance along some axes, times gamma, plus beta."""
    if epsilon is None:
        epsilon = 1e-3 if x.dtype in (float16, bfloat16) else 1e-12
    y = normalization.batch_normalization(x, *normalization.moments(x, axes, keepdims=True), beta, gamma, epsilon)
    y.set_shape(x.shape)
    return y


@export(v1=("contrib.layers.layer_norm", "contrib.slim.layer_norm"))
@add_arg_scope
def layer_norm(
    inputs: TensorLike,
    center: bool = True,
    scale: bool = True,
    activation_fn: Function = None,
    reuse: bool | None = None,
    variables_collections: Iterable[Hashable] | None = None,
    outputs_collections: Sequence[str] | str | None = None,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    scope: str | VariableScope | None = None,
) -> Tensor:
    """Layer normalisation (Ba et al., 2016): each example by its own mean and variance.

    Args:
        center, scale: whether there is a beta to add, a gamma to multiply by.
        begin_norm_axis: mean and variance are taken over this axis and those after it.
        begin_params_axis: beta and gamma have the sizes of this axis and those after it.

    Raises:
        ValueError: such a size is not known, or an axis is outside the rank.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     y = tf1.contrib.layers.layer_norm(tf1.constant([[1.0, 3.0]]))
    ...     sess.run(tf1.global_variables_initializer())
    ...     sess.run(y).round(4).tolist()
    [[-1.0, 1.0]]
    """
    with variable_scope(scope, default_name="LayerNorm", reuse=reuse) as entered:
        x = convert_to_tensor(inputs)
        rank = x.shape.ndims
        if rank is None:
            raise ValueError(f"Inputs {x} has undefined rank.")
        begin = begin_norm_axis % rank if begin_norm_axis < 0 else begin_norm_axis
        if begin >= rank or begin_params_axis >= rank:
            raise ValueError(f"begin_params_axis ({begin_params_axis}) and begin_norm_axis ({begin}) must be < rank(inputs) ({rank})")
        shape = x.shape.as_list()[begin_params_axis:]
        beta, gamma = _centre_and_scale(x, shape, center, scale, None, None, trainable, variables_collections)
        y = normalize_alone(x, list(range(begin, rank)), beta, gamma)
        return finish(y, activation_fn, None, None, outputs_collections, entered.name)


@export(v1=("contrib.layers.instance_norm", "contrib.slim.instance_norm"))
@add_arg_scope
def instance_norm(
    inputs: TensorLike,
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Function = None,
    param_initializers: dict[str, Any] | None = None,
    reuse: bool | None = None,
    variables_collections: Iterable[Hashable] | None = None,
    outputs_collections: Sequence[str] | str | None = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: str | VariableScope | None = None,
) -> Tensor:
    """Instance normalisation (Ulyanov et al., 2016): each channel of each example by its own mean and variance.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     y = tf1.contrib.layers.instance_norm(tf1.constant([[[1.0, 0.0], [3.0, 8.0]]]))
    ...     sess.run(tf1.global_variables_initializer())
    ...     sess.run(y).round(4).tolist()
    [[[-1.0, -1.0], [1.0, 1.0]]]
    """
    with variable_scope(scope, default_name="InstanceNorm", reuse=reuse) as entered:
        x = convert_to_tensor(inputs)
        at, size = channels_of(x, data_format)
        rank: Any = x.shape.ndims
        pair = _centre_and_scale(x, [size], center, scale, param_initializers, None, trainable, variables_collections)
        beta, gamma = [v if v is None else reshape(v, [-1 if i == at else 1 for i in range(rank)]) for v in pair]
        y = normalize_alone(x, [i for i in range(1, rank) if i != at], beta, gamma, epsilon)
        return finish(y, activation_fn, None, None, outputs_collections, entered.name)
