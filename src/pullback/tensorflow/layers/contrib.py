"""The part of `tf.contrib.layers` that outlived it in programs: Xavier's initializer, regularizers, `fully_connected`."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from ...api.default import get_default_graph
from ...api.names import GraphKeys
from ...api.variable_scope import get_variable, variable_scope
from ...base.dtypes import float32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor
from ...nn.initializers import VarianceScaling, Zeros
from ...ops.linalg.products import matmul
from ...ops.math.arithmetic import square
from ...ops.math.magnitude import abs as absolute
from ...ops.math.sums import add_n
from ...ops.nn.activations import relu
from ...ops.nn.bias import bias_add
from ...ops.reduce.reductions import reduce_sum
from . import functions

Regularizer = Callable[[Any], Any]


def variance_scaling_initializer(
    factor: float = 2.0, mode: str = "FAN_IN", uniform: bool = False, seed: Any = None, dtype: Any = float32
) -> VarianceScaling:
    """An initializer whose draws have the variance factor / n, n being the number of inputs, of outputs, or their mean.

    Args:
        factor: see above; 2 suits relu (He et al., 2015).
        mode: "FAN_IN", "FAN_OUT" or "FAN_AVG".
        uniform: draw from a uniform distribution; else from a normal one cut off at two deviations.
        seed: see `tf.set_random_seed`.
        dtype: floating.

    Raises:
        ValueError: another mode.
    """
    modes = {"FAN_IN": "fan_in", "FAN_OUT": "fan_out", "FAN_AVG": "fan_avg"}
    if mode not in modes:
        raise ValueError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")
    distribution = "uniform" if uniform else "truncated_normal"
    return VarianceScaling(factor, modes[mode], distribution, seed, dtype)


@export(v1=("contrib.layers.xavier_initializer", "contrib.layers.xavier_initializer_conv2d"))
def xavier_initializer(uniform: bool = True, seed: Any = None, dtype: Any = float32) -> VarianceScaling:
    """Xavier's initializer (Glorot and Bengio, 2010): draws with the variance 2 / (inputs + outputs).

    >>> import pullback
    >>> tf = pullback.compat.v1
    >>> with tf.Graph().as_default(), tf.Session() as sess:
    ...     w = tf.get_variable("w", [300, 300], initializer=tf.contrib.layers.xavier_initializer(seed=1))
    ...     sess.run(tf.global_variables_initializer())
    ...     print(abs(sess.run(w)).max() <= 0.1)
    True
    """
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


@export(v1="contrib.layers.l1_regularizer")
def l1_regularizer(scale: float, scope: str | None = None) -> Regularizer:
    """A function that gives scale * sum(|weights|).

    Raises:
        ValueError: `scale` is not a number of at least 0.

    >>> import pullback as tf
    >>> float(tf.compat.v1.contrib.layers.l1_regularizer(0.5)(tf.constant([3.0, -4.0])))
    3.5
    """
    return _regularizer(scale, lambda weights: reduce_sum(absolute(weights)) * scale)


@export(v1="contrib.layers.l2_regularizer")
def l2_regularizer(scale: float, scope: str | None = None) -> Regularizer:
    """A function that gives scale * sum(weights ** 2) / 2.

    Raises:
        ValueError: `scale` is not a number of at least 0.

    >>> import pullback as tf
    >>> float(tf.compat.v1.contrib.layers.l2_regularizer(0.1)(tf.constant([3.0, 4.0])))
    1.25
    """
    return _regularizer(scale, lambda weights: reduce_sum(square(weights)) * (scale / 2))


def _regularizer(scale: Any, loss: Regularizer) -> Regularizer:
    if isinstance(scale, bool) or not isinstance(scale, numbers.Real) or scale < 0:
        raise ValueError(f"scale must be a number of at least 0, not {scale!r}")
    return (lambda weights: None) if scale == 0 else lambda weights: loss(convert_to_tensor(weights))


@export(v1="contrib.layers.apply_regularization")
def apply_regularization(regularizer: Regularizer, weights_list: Any = None) -> Tensor:
    """The sum of a regularizer's losses of the weights (of `GraphKeys.WEIGHTS` when None), which joins `GraphKeys.REGULARIZATION_LOSSES`.

    Raises:
        ValueError: there are no weights.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as sess:
    ...     total = tf.contrib.layers.apply_regularization(tf.contrib.layers.l2_regularizer(1.0), [tf.constant([3.0, 4.0])])
    ...     print(sess.run(total), tf.losses.get_regularization_losses() == [total])
    12.5 True
    """
    graph = get_default_graph()
    weights = graph.get_collection(GraphKeys.WEIGHTS) if weights_list is None else list(weights_list)
    if not weights:
        raise ValueError("No weights to regularize.")
    losses = [loss for loss in map(regularizer, weights) if loss is not None]
    total = add_n(losses) if losses else convert_to_tensor(0.0)
    graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
    return total


@export(v1="contrib.layers.fully_connected")
def fully_connected(
    inputs: Any,
    num_outputs: int,
    activation_fn: Callable[[Any], Any] | None = relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Any = None,
    weights_regularizer: Regularizer | None = None,
    biases_initializer: Any = Zeros,
    biases_regularizer: Regularizer | None = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: str | None = None,
) -> Tensor:
    """activation_fn(inputs . weights + biases) for inputs [batch, n], n known.

    Args:
        num_outputs: the size of the result's last axis.
        activation_fn: relu; nothing when None.
        normalizer_fn, normalizer_params: applied in place of the biases.
        weights_initializer: Xavier's when None.
        biases_initializer: None for no biases.
        weights_regularizer, biases_regularizer: losses added to `GraphKeys.REGULARIZATION_LOSSES`.
        reuse, scope: whether and from where to share the variables "weights" and "biases"; "fully_connected" made unique when None.
        variables_collections, outputs_collections: collections to add to.
        trainable: whether optimizers change the variables.

    Raises:
        ValueError: the inputs are not a matrix whose second dimension is known.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as sess:
    ...     y = tf.contrib.layers.fully_connected(tf.ones([2, 3]), 4, weights_initializer=tf.ones_initializer(), scope="out")
    ...     sess.run(tf.global_variables_initializer())
    ...     print(sess.run(y).tolist(), [v.name for v in tf.trainable_variables()])
    [[3.0, 3.0, 3.0, 3.0], [3.0, 3.0, 3.0, 3.0]] ['out/weights:0', 'out/biases:0']
    """
    with variable_scope(scope, default_name="fully_connected", reuse=reuse):
        x = convert_to_tensor(inputs)
        if x.shape.ndims != 2 or x.shape.as_list()[1] is None:
            raise ValueError(f"fully_connected takes a matrix whose second dimension is known, not the shape {x.shape}")
        dtype = x.dtype.base_dtype
        collections = None if variables_collections is None else [GraphKeys.GLOBAL_VARIABLES, *variables_collections]
        first = xavier_initializer() if weights_initializer is None else weights_initializer
        shape = [x.shape.as_list()[1], num_outputs]
        weights = get_variable("weights", shape, dtype, first, weights_regularizer, trainable, collections)
        y = matmul(x, weights)
        if normalizer_fn is not None:
            y = normalizer_fn(y, **(normalizer_params or {}))
        elif biases_initializer is not None:
            y = bias_add(y, get_variable("biases", [num_outputs], dtype, biases_initializer, biases_regularizer, trainable, collections))
        result = y if activation_fn is None else activation_fn(y)
        if outputs_collections is not None:
            names = [outputs_collections] if isinstance(outputs_collections, str) else outputs_collections
            get_default_graph().add_to_collections(names, result)
        return result


@export(v1="contrib.layers.flatten")
def flatten(inputs: Any, outputs_collections: Any = None, scope: str | None = None) -> Tensor:
    """All axes but the first as one.

    >>> import pullback as tf
    >>> tf.compat.v1.contrib.layers.flatten(tf.ones([2, 3, 4])).shape
    TensorShape([2, 12])
    """
    result = functions.flatten(inputs, name=scope)
    if outputs_collections is not None:
        names = [outputs_collections] if isinstance(outputs_collections, str) else outputs_collections
        get_default_graph().add_to_collections(names, result)
    return result
