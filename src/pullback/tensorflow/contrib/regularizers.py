"""Initializers and regularizers of `tf.contrib.layers`."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...api.default import get_default_graph
from ...api.initializers import VarianceScaling
from ...api.names import GraphKeys
from ...base.dtypes import float32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import DTypeLike, IntLike, Tensor
from ...ops.math.arithmetic import square
from ...ops.math.magnitude import abs as absolute
from ...ops.math.sums import add_n
from ...ops.reduce.reductions import reduce_sum

Regularizer = Callable[[Any], Any]

#: contrib takes 1.3 for what cutting a normal distribution off takes of its variance; the other initializers its inverse to all digits.
_CUT_OFF = 1.3 * 0.87962566103423978**2


@export(v1=("contrib.layers.variance_scaling_initializer", "contrib.slim.variance_scaling_initializer"))
def variance_scaling_initializer(
    factor: float = 2.0, mode: str = "FAN_IN", uniform: bool = False, seed: IntLike | None = None, dtype: DTypeLike = float32
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

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     w = sess.run(tf1.contrib.layers.variance_scaling_initializer()([400, 300]))
    ...     print(w.std().round(3), (2.0 / 400) ** 0.5)
    0.071 0.07071067811865475
    """
    modes = {"FAN_IN": "fan_in", "FAN_OUT": "fan_out", "FAN_AVG": "fan_avg"}
    if mode not in modes:
        raise ValueError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")
    distribution = "uniform" if uniform else "truncated_normal"
    if not uniform:
        factor *= _CUT_OFF
    return VarianceScaling(factor, modes[mode], distribution, seed, dtype)


@export(
    v1=(
        "contrib.layers.xavier_initializer", "contrib.layers.xavier_initializer_conv2d",
        "contrib.slim.xavier_initializer", "contrib.slim.xavier_initializer_conv2d",
    )
)  # fmt: skip
def xavier_initializer(uniform: bool = True, seed: IntLike | None = None, dtype: DTypeLike = float32) -> VarianceScaling:
    """Xavier's initializer (Glorot and Bengio, 2010): draws with the variance 2 / (inputs + outputs).

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     w = tf1.get_variable("w", [300, 300], initializer=tf1.contrib.layers.xavier_initializer(seed=1))
    ...     sess.run(tf1.global_variables_initializer())
    ...     print(abs(sess.run(w)).max() <= 0.1)
    True
    """
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


@export(v1=("contrib.layers.l1_regularizer", "contrib.slim.l1_regularizer"))
def l1_regularizer(scale: float, scope: str | None = None) -> Regularizer:
    """A function that gives scale * sum(|weights|).

    Raises:
        ValueError: `scale` is not a number of at least 0.

    >>> float(tf.compat.v1.contrib.layers.l1_regularizer(0.5)(tf.constant([3.0, -4.0])))
    3.5
    """
    return _regularizer(scale, lambda weights: reduce_sum(absolute(weights)) * scale)


@export(v1=("contrib.layers.l2_regularizer", "contrib.slim.l2_regularizer"))
def l2_regularizer(scale: float, scope: str | None = None) -> Regularizer:
    """A function that gives scale * sum(weights ** 2) / 2.

    Raises:
        ValueError: `scale` is not a number of at least 0.

    >>> float(tf.compat.v1.contrib.layers.l2_regularizer(0.1)(tf.constant([3.0, 4.0])))
    1.25
    """
    return _regularizer(scale, lambda weights: reduce_sum(square(weights)) * (scale / 2))


@export(v1=("contrib.layers.l1_l2_regularizer", "contrib.slim.l1_l2_regularizer"))
def l1_l2_regularizer(scale_l1: float = 1.0, scale_l2: float = 1.0, scope: str | None = None) -> Regularizer:
    """The sum of `l1_regularizer` and `l2_regularizer`.

    >>> float(tf.compat.v1.contrib.layers.l1_l2_regularizer(0.5, 0.1)(tf.constant([3.0, -4.0])))
    4.75
    """
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)])


@export(v1="contrib.layers.sum_regularizer")
def sum_regularizer(regularizer_list: Sequence[Regularizer | None], scope: str | None = None) -> Regularizer:
    """The sum of several regularizers, of which those that are None count nothing.

    >>> layers = tf.compat.v1.contrib.layers
    >>> float(layers.sum_regularizer([layers.l1_regularizer(1.0), None, layers.l2_regularizer(2.0)])(tf.constant([3.0])))
    12.0
    """
    parts = [part for part in regularizer_list if part is not None]

    def total(weights: Any) -> Any:
        losses = [loss for part in parts if (loss := part(weights)) is not None]
        return add_n(losses) if losses else None

    return total


def _regularizer(scale: Any, loss: Regularizer) -> Regularizer:
    if isinstance(scale, bool) or not isinstance(scale, numbers.Real) or scale < 0:
        raise ValueError(f"scale must be a number of at least 0, not {scale!r}")
    return (lambda weights: None) if scale == 0 else lambda weights: loss(convert_to_tensor(weights))


@export(v1=("contrib.layers.apply_regularization", "contrib.slim.apply_regularization"))
def apply_regularization(regularizer: Regularizer, weights_list: Iterable[Any] | None = None) -> Tensor:
    """The sum of a regularizer's losses of the weights (of `GraphKeys.WEIGHTS` when None), which joins `GraphKeys.REGULARIZATION_LOSSES`.

    Raises:
        ValueError: there are no weights.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     total = tf1.contrib.layers.apply_regularization(tf1.contrib.layers.l2_regularizer(1.0), [tf1.constant([3.0, 4.0])])
    ...     print(sess.run(total), tf1.losses.get_regularization_losses() == [total])
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
