"""Losses as Keras 3 has them: one number for each example, the last axis being averaged or summed.

y_true is brought to the dtype of y_pred, and where one has an axis of size 1 more at the end, the ranks are made equal.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base.dtypes import float32, int32, int64
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ops.array.basic import ones_of, reshape, shape_of, transpose, zeros_of
from ..ops.array.create import one_hot
from ..ops.array.shape import expand_dims, squeeze
from ..ops.array.where import where
from ..ops.linalg.products import matmul
from ..ops.math.arithmetic import abs as absolute
from ..ops.math.arithmetic import maximum, square
from ..ops.math.cast import cast
from ..ops.math.clip import clip_by_value
from ..ops.math.compare import equal, less_equal, logical_and, logical_not, logical_or, not_equal
from ..ops.math.division import divide
from ..ops.math.functions import log, sigmoid
from ..ops.nn.activations import softplus
from ..ops.reduce.composed import reduce_logsumexp
from ..ops.reduce.reductions import reduce_all, reduce_max, reduce_mean, reduce_sum
from ..ops.search.composed import eye
from .activations import softmax
from .ctc import ctc_loss
from .losses import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)

EPSILON = 1e-7


def same_rank(x: Any, y: Any) -> tuple[Any, Any]:
    """Two tensors whose ranks differ by one, with an axis of size 1 at the end put in or taken out."""
    if x.dims is None or y.dims is None or len(x.dims) == len(y.dims):
        return x, y
    if len(x.dims) == len(y.dims) + 1 and x.dims[-1] == 1:
        return (x, expand_dims(y, -1)) if len(y.dims) == 1 else (squeeze(x, [-1]), y)
    if len(y.dims) == len(x.dims) + 1 and y.dims[-1] == 1:
        return (expand_dims(x, -1), y) if len(x.dims) == 1 else (x, squeeze(y, [-1]))
    return x, y


def _given(y_true: Any, y_pred: Any, ranks: bool = True) -> tuple[Any, Any]:
    y_pred = convert_to_tensor(y_pred)
    y_true = cast(convert_to_tensor(y_true), y_pred.dtype)
    return same_rank(y_true, y_pred) if ranks else (y_true, y_pred)


def _mean(x: Any, axis: int = -1) -> Any:
    """The mean along an axis, in float32 for integers and truth values."""
    return reduce_mean(x if x.dtype.is_floating else cast(x, float32), axis)


def _floating(x: Any) -> Any:
    """A tensor of at least single precision, which is what Keras promotes to beside an epsilon of its own."""
    return x if x.dtype.name in ("float32", "float64") else cast(x, float32)


def _size(x: Any) -> Any:
    """The absolute value; unsigned numbers are theirs."""
    return x if x.dtype.is_unsigned else absolute(x)


@export(v2=("keras.losses.MSE", "keras.losses.mse", "keras.metrics.MSE", "keras.metrics.mse"))
def mean_squared_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of (y_true - y_pred)**2 along the last axis.

    >>> import pullback as tf
    >>> tf.losses.mse([[0.0, 1.0]], [[1.0, 1.0]]).numpy().tolist()
    [0.5]
    """
    y_true, y_pred = _given(y_true, y_pred)
    return _mean(square(y_true - y_pred))


@export(v2=("keras.losses.MAE", "keras.losses.mae", "keras.metrics.MAE", "keras.metrics.mae"))
def mean_absolute_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of |y_true - y_pred| along the last axis.

    >>> import pullback as tf
    >>> tf.losses.mae([[0.0, 1.0]], [[3.0, 1.0]]).numpy()
    array([1.5], dtype=float32)
    """
    y_true, y_pred = _given(y_true, y_pred)
    return _mean(_size(y_true - y_pred))


@export(v2=("keras.losses.MAPE", "keras.losses.mape", "keras.metrics.MAPE", "keras.metrics.mape"))
def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Any:
    """100 times the mean of |(y_true - y_pred) / y_true| along the last axis.

    >>> import pullback as tf
    >>> tf.losses.mape([[2.0, 4.0]], [[3.0, 4.0]]).numpy()
    array([25.], dtype=float32)
    """
    y_true, y_pred = _given(y_true, y_pred)
    least = cast(EPSILON, y_true.dtype)  # nothing, in integers: Keras divides by zero then, and so does this
    return 100.0 * _mean(absolute((y_true - y_pred) / maximum(_size(y_true), least)))


@export(v2=("keras.losses.MSLE", "keras.losses.msle", "keras.metrics.MSLE", "keras.metrics.msle"))
def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of (log(y_pred + 1) - log(y_true + 1))**2 along the last axis; negative numbers count as 0.

    >>> import pullback as tf
    >>> tf.losses.msle([[0.0, 1.0]], [[1.0, 1.0]]).numpy().round(4)
    array([0.2402], dtype=float32)
    """
    y_true, y_pred = (log(maximum(_floating(y), EPSILON) + 1.0) for y in _given(y_true, y_pred))
    return reduce_mean(square(y_pred - y_true), -1)


def _unit(x: Any, axis: int) -> Any:
    length = reduce_sum(square(x), axis, keepdims=True)
    return x / maximum(length, EPSILON**2) ** 0.5


@export(v2="keras.losses.cosine_similarity")
def cosine_similarity(y_true: Any, y_pred: Any, axis: int = -1) -> Any:
    """Minus the cosine of the angle between y_true and y_pred along `axis`.

    >>> import pullback as tf
    >>> tf.losses.cosine_similarity([[1.0, 0.0], [1.0, 0.0]], [[2.0, 0.0], [-1.0, 0.0]]).numpy().round(4).tolist()
    [-1.0, 1.0]
    """
    y_true, y_pred = _given(y_true, y_pred)
    return -reduce_sum(_unit(y_true, axis) * _unit(y_pred, axis), axis)


@export(v2=("keras.losses.huber", "keras.metrics.huber"))
def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Any:
    """The mean along the last axis of Huber's loss: half the square up to an error of `delta`, linear beyond.

    >>> import pullback as tf
    >>> tf.losses.huber([[0.0], [0.0]], [[0.5], [3.0]]).numpy()
    array([0.125, 2.5  ], dtype=float32)
    """
    y_true, y_pred = _given(y_true, y_pred)
    error = y_pred - y_true
    size = _size(error)
    half, delta = cast(0.5, error.dtype), cast(delta, error.dtype)  # a half is nothing in integers, as it is in Keras
    return _mean(where(less_equal(size, delta), half * square(error), delta * size - half * square(delta)))


@export(v2=("keras.losses.logcosh", "keras.metrics.logcosh"))
def logcosh(y_true: Any, y_pred: Any) -> Any:
    """The mean of log(cosh(y_pred - y_true)) along the last axis.

    >>> import pullback as tf
    >>> tf.losses.logcosh([[0.0], [0.0]], [[0.0], [1.0]]).numpy().round(4)
    array([0.    , 0.4338], dtype=float32)
    """
    y_true, y_pred = _given(y_true, y_pred)
    error = y_pred - y_true
    return reduce_mean(error + softplus(-2.0 * error) - math.log(2.0), -1)


@export(
    v2=(
        "keras.losses.KLD",
        "keras.losses.kld",
        "keras.losses.kullback_leibler_divergence",
        "keras.metrics.KLD",
        "keras.metrics.kld",
        "keras.metrics.kullback_leibler_divergence",
    ),
)
def kullback_leibler_divergence(y_true: Any, y_pred: Any) -> Any:
    """The sum of y_true * log(y_true / y_pred) along the last axis, both kept above 1e-7 and at most 1.

    >>> import pullback as tf
    >>> tf.losses.kld([[0.5, 0.5], [0.5, 0.5]], [[0.5, 0.5], [0.25, 0.75]]).numpy().round(4)
    array([0.    , 0.1438], dtype=float32)
    """
    y_true, y_pred = (clip_by_value(y, EPSILON, 1.0) for y in _given(y_true, y_pred, ranks=False))
    return reduce_sum(y_true * log(y_true / y_pred), -1)


@export(v2=("keras.losses.poisson", "keras.metrics.poisson"))
def poisson(y_true: Any, y_pred: Any) -> Any:
    """The mean of y_pred - y_true * log(y_pred) along the last axis.

    >>> import pullback as tf
    >>> tf.losses.poisson([[2.0], [0.0]], [[1.0], [1.0]]).numpy().round(4)
    array([1., 1.], dtype=float32)
    """
    y_true, y_pred = _given(y_true, y_pred, ranks=False)
    return reduce_mean(y_pred - y_true * log(y_pred + EPSILON), -1)


def _signs(y_true: Any) -> Any:
    """Labels as -1 and 1: labels that are all 0 or 1 are brought to that."""
    binary = reduce_all(logical_or(equal(y_true, 0.0), equal(y_true, 1.0)))
    return where(binary, 2.0 * y_true - 1.0, y_true)


@export(v2=("keras.losses.hinge", "keras.metrics.hinge"))
def hinge(y_true: Any, y_pred: Any) -> Any:
    """The mean of max(1 - y_true * y_pred, 0) along the last axis, labels being -1 and 1, or 0 and 1.

    >>> import pullback as tf
    >>> tf.losses.hinge([[1.0], [-1.0]], [[0.75], [0.75]]).numpy()
    array([0.25, 1.75], dtype=float32)
    """
    y_true, y_pred = _given(y_true, y_pred, ranks=False)
    return reduce_mean(maximum(1.0 - _signs(y_true) * y_pred, 0.0), -1)


@export(v2=("keras.losses.squared_hinge", "keras.metrics.squared_hinge"))
def squared_hinge(y_true: Any, y_pred: Any) -> Any:
    """The mean of max(1 - y_true * y_pred, 0)**2 along the last axis, labels as in `hinge`.

    >>> import pullback as tf
    >>> tf.losses.squared_hinge([[1.0], [-1.0]], [[0.5], [0.5]]).numpy()
    array([0.25, 2.25], dtype=float32)
    """
    y_true, y_pred = _given(y_true, y_pred, ranks=False)
    return reduce_mean(square(maximum(1.0 - _signs(y_true) * y_pred, 0.0)), -1)


@export(v2=("keras.losses.categorical_hinge", "keras.metrics.categorical_hinge"))
def categorical_hinge(y_true: Any, y_pred: Any) -> Any:
    """max(best wrong score - score of the right class + 1, 0), labels being one-hot along the last axis.

    >>> import pullback as tf
    >>> tf.losses.categorical_hinge([[0.0, 1.0]], [[0.75, 0.25]]).numpy()
    array([1.5], dtype=float32)
    """
    y_true, y_pred = _given(y_true, y_pred, ranks=False)
    return maximum(reduce_max((1.0 - y_true) * y_pred, -1) - reduce_sum(y_true * y_pred, -1) + 1.0, 0.0)


def _no_bool(axis: Any) -> None:
    if isinstance(axis, bool):
        raise ValueError(f"`axis` must be of type `int`. Received: axis={axis} of type {type(axis)}")


def _one_shape(y_true: Any, y_pred: Any) -> None:
    if y_true.dims is not None and y_pred.dims is not None and len(y_true.dims) != len(y_pred.dims):
        raise ValueError(
            "Arguments `target` and `output` must have the same rank (ndim). "
            f"Received: target.shape={y_true.shape}, output.shape={y_pred.shape}"
        )
    if not y_true.shape.is_compatible_with(y_pred.shape):
        raise ValueError(
            f"Arguments `target` and `output` must have the same shape. Received: target.shape={y_true.shape}, output.shape={y_pred.shape}"
        )


def _smoothed_classes(y_true: Any, label_smoothing: float) -> Any:
    if not label_smoothing:
        return y_true
    classes = cast(convert_to_tensor(shape_of(y_true)[-1]), y_true.dtype)
    return y_true * (1.0 - label_smoothing) + label_smoothing / classes


def _smoothed(y_true: Any, label_smoothing: float) -> Any:
    return y_true * (1.0 - label_smoothing) + 0.5 * label_smoothing if label_smoothing else y_true


def _probabilities(y_pred: Any, axis: int) -> Any:
    return clip_by_value(y_pred / reduce_sum(y_pred, axis, keepdims=True), EPSILON, 1.0 - EPSILON)


@export(v2=("keras.losses.categorical_crossentropy", "keras.metrics.categorical_crossentropy"))
def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Any:
    """The cross-entropy of classes given as distributions (one-hot, say) along `axis`.

    y_pred: probabilities, brought to sum 1, or logits.  label_smoothing: how much of the labels is spread evenly.  Raises ValueError for
    shapes that differ.

    >>> import pullback as tf
    >>> tf.losses.categorical_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy().round(4).tolist()
    [0.6930999755859375]
    """
    _no_bool(axis)
    y_true, y_pred = _given(y_true, y_pred, ranks=False)
    y_true = _smoothed_classes(y_true, label_smoothing)
    _one_shape(y_true, y_pred)
    if from_logits:
        return softmax_cross_entropy_with_logits(y_true, y_pred, axis)
    return -reduce_sum(y_true * log(_probabilities(y_pred, axis)), axis)


@export(v2=("keras.losses.categorical_focal_crossentropy", "keras.metrics.categorical_focal_crossentropy"))
def categorical_focal_crossentropy(
    y_true: Any,
    y_pred: Any,
    alpha: float = 0.25,
    gamma: float = 2.0,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Any:
    """`categorical_crossentropy` with each class's term weighted by alpha * (1 - probability)**gamma (Lin et al., 2018).

    >>> import pullback as tf
    >>> tf.losses.categorical_focal_crossentropy([[0.0, 1.0], [0.0, 1.0]], [[0.5, 0.5], [0.1, 0.9]]).numpy().round(4)
    array([0.0433, 0.0003], dtype=float32)
    """
    _no_bool(axis)
    y_true, y_pred = _given(y_true, y_pred, ranks=False)
    y_true = _smoothed_classes(y_true, label_smoothing)
    p = _probabilities(softmax(y_pred, axis) if from_logits else y_pred, axis)
    return reduce_sum(alpha * (1.0 - p) ** gamma * -y_true * log(p), axis)


@export(v2=("keras.losses.sparse_categorical_crossentropy", "keras.metrics.sparse_categorical_crossentropy"))
def sparse_categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, ignore_class: int | None = None, axis: int = -1
) -> Any:
    """The cross-entropy of classes given by number.

    y_true: integers of y_pred's shape without the last axis (or with size 1 there).  ignore_class: examples of that class have loss 0.
    axis: the last one; a ValueError otherwise, as for shapes that do not fit.

    >>> import pullback as tf
    >>> tf.losses.sparse_categorical_crossentropy([1, -1], [[0.5, 0.5], [0.9, 0.1]], ignore_class=-1).numpy().round(4)
    array([0.6931, 0.    ], dtype=float32)
    """
    y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    if axis not in (-1, len(y_pred.dims or ()) - 1):
        raise ValueError(f"Only axis=-1 is currently supported. Received: axis={axis}")
    if y_true.dims is not None and y_pred.dims is not None and len(y_true.dims) == len(y_pred.dims) and y_true.dims[-1] == 1:
        y_true = squeeze(y_true, [-1])
    labels = cast(y_true, int64)
    if y_pred.dims is not None and not labels.shape.is_compatible_with(y_pred.dims[:-1]):
        raise ValueError(
            "Arguments `target` and `output` must have the same shape up until the last dimension: "
            f"target.shape={labels.shape}, output.shape={y_pred.shape}"
        )
    counts = None
    if ignore_class is not None:
        counts = not_equal(labels, np.int64(ignore_class))
        labels = where(counts, labels, zeros_of(labels))
        y_pred = where(expand_dims(counts, -1), y_pred, zeros_of(y_pred))
    logits = y_pred if from_logits else log(clip_by_value(y_pred, EPSILON, 1.0 - EPSILON))
    loss = sparse_softmax_cross_entropy_with_logits(labels, logits)
    return loss if counts is None else where(counts, loss, zeros_of(loss))


def _binary(y_true: Any, y_pred: Any, from_logits: bool) -> Any:
    _one_shape(y_true, y_pred)
    if from_logits:
        return sigmoid_cross_entropy_with_logits(y_true, y_pred)
    p = clip_by_value(y_pred, EPSILON, 1.0 - EPSILON)
    return -(y_true * log(p) + (1.0 - y_true) * log(1.0 - p))


@export(v2=("keras.losses.binary_crossentropy", "keras.metrics.binary_crossentropy"))
def binary_crossentropy(y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1) -> Any:
    """The mean along `axis` of the cross-entropy of labels 0 and 1.

    y_pred: probabilities or logits.  label_smoothing: labels are moved that far towards 1/2.  Raises ValueError for shapes that differ.

    >>> import pullback as tf
    >>> tf.losses.binary_crossentropy([[1.0, 0.0]], [[0.5, 0.5]]).numpy().round(4)
    array([0.6931], dtype=float32)
    """
    y_true, y_pred = _given(y_true, y_pred, ranks=False)
    return reduce_mean(_binary(_smoothed(y_true, label_smoothing), y_pred, from_logits), axis)


@export(v2=("keras.losses.binary_focal_crossentropy", "keras.metrics.binary_focal_crossentropy"))
def binary_focal_crossentropy(
    y_true: Any,
    y_pred: Any,
    apply_class_balancing: bool = False,
    alpha: float = 0.25,
    gamma: float = 2.0,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Any:
    """`binary_crossentropy` with each term weighted by (1 - probability of the label)**gamma.

    apply_class_balancing: terms are also weighted by alpha where the label is 1 and by 1 - alpha where it is 0.

    >>> import pullback as tf
    >>> tf.losses.binary_focal_crossentropy([[1.0], [1.0]], [[0.5], [0.9]], gamma=2.0).numpy().round(4)
    array([0.1733, 0.0011], dtype=float32)
    """
    y_true, y_pred = _given(y_true, y_pred, ranks=False)
    y_true = _smoothed(y_true, label_smoothing)
    y_pred = sigmoid(y_pred) if from_logits else y_pred
    right = y_true * y_pred + (1.0 - y_true) * (1.0 - y_pred)
    loss = (1.0 - right) ** gamma * _binary(y_true, y_pred, False)
    if apply_class_balancing:
        loss = (y_true * alpha + (1.0 - y_true) * (1.0 - alpha)) * loss
    return reduce_mean(loss, axis)


@export(v2="keras.losses.ctc")
def ctc(y_true: Any, y_pred: Any) -> Any:
    """The loss of connectionist temporal classification: labels [batch, length], ended by zeros, logits [batch, frames, classes].

    >>> import pullback as tf
    >>> tf.losses.ctc([[1, 2]], [[[0.0, 4.0, 0.0], [0.0, 0.0, 4.0]]]).numpy().round(4)
    array([0.072], dtype=float32)
    """
    y_true, y_pred = cast(convert_to_tensor(y_true), int32), convert_to_tensor(y_pred)
    for t, count, name in ((y_true, 2, "Targets `y_true`"), (y_pred, 3, "Logits `y_pred`")):
        if t.dims is not None and len(t.dims) != count:
            raise ValueError(f"{name} are expected to be of rank {count}. Received: shape={t.shape}")
    lengths = reduce_sum(cast(not_equal(y_true, 0), int32), -1)
    frames = ones_of(lengths) * shape_of(y_pred)[1]
    return ctc_loss(y_true, cast(y_pred, float32), lengths, frames, logits_time_major=False, blank_index=0)


@export(v2="keras.losses.dice")
def dice(y_true: Any, y_pred: Any, axis: Any = None) -> Any:
    """1 - 2 * (overlap) / (sum of both): Dice's loss, over `axis` or everything.

    >>> import pullback as tf
    >>> tf.losses.dice([[1.0, 1.0, 0.0]], [[1.0, 0.0, 0.0]]).numpy().round(4)
    np.float32(0.3333)
    """
    y_true, y_pred = _given(y_true, y_pred, ranks=False)
    both = reduce_sum(y_true, axis) + reduce_sum(y_pred, axis)
    return 1.0 - divide(2.0 * reduce_sum(y_true * y_pred, axis), both + EPSILON)


@export(v2="keras.losses.tversky")
def tversky(y_true: Any, y_pred: Any, alpha: float = 0.5, beta: float = 0.5, axis: Any = None) -> Any:
    """1 - overlap / (overlap + alpha * missed + beta * wrongly found): Tversky's loss, over `axis` or everything.

    >>> import pullback as tf
    >>> tf.losses.tversky([[1.0, 1.0, 0.0]], [[1.0, 0.0, 0.0]], alpha=1.0, beta=0.0).numpy().round(4)
    np.float32(0.5)
    """
    y_true, y_pred = _given(y_true, y_pred, ranks=False)
    overlap = reduce_sum(y_true * y_pred, axis)
    missed, wrong = reduce_sum((1.0 - y_pred) * y_true, axis), reduce_sum(y_pred * (1.0 - y_true), axis)
    return 1.0 - divide(overlap, overlap + missed * alpha + wrong * beta + EPSILON)


@export(v2="keras.losses.circle")
def circle(
    y_true: Any,
    y_pred: Any,
    ref_labels: Any = None,
    ref_embeddings: Any = None,
    remove_diagonal: bool = True,
    gamma: float = 80,
    margin: float = 0.4,
) -> Any:
    """The circle loss of embeddings (Sun et al., 2020), one number for each example.

    y_true: a class for each row of y_pred, whose rows are of length 1.  ref_labels, ref_embeddings: what rows are compared with, the rows
    themselves when None, without themselves when `remove_diagonal`.

    >>> import pullback as tf
    >>> embeddings = tf.math.l2_normalize([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]], axis=-1)
    >>> tf.losses.circle([0, 0, 1, 1], embeddings, gamma=1.0).numpy().shape
    (4,)
    """
    y_pred, labels = convert_to_tensor(y_pred), cast(convert_to_tensor(y_true), int32)
    others = y_pred if ref_embeddings is None else convert_to_tensor(ref_embeddings)
    names = labels if ref_labels is None else cast(convert_to_tensor(ref_labels), int32)
    away = maximum(1.0 - matmul(y_pred, transpose(others)), 0.0)
    alike = equal(reshape(labels, [-1, 1]), reshape(names, [1, -1]))
    unlike = logical_not(alike)
    if remove_diagonal:
        alike = logical_and(alike, not_equal(eye(shape_of(away)[0], shape_of(away)[1], dtype=int32), 1))
    positive, negative = cast(alike, away.dtype), cast(unlike, away.dtype)
    near = maximum((margin + away) * positive, 0.0) * (margin - away) * (-float(gamma))
    far = maximum((1.0 + margin - away) * negative, 0.0) * ((1.0 - margin) - away) * float(gamma)
    nothing = zeros_of(away) - math.inf
    return softplus(reduce_logsumexp(where(alike, near, nothing), 1) + reduce_logsumexp(where(unlike, far, nothing), 1))


@export(v2="keras.losses.categorical_generalized_cross_entropy")
def categorical_generalized_cross_entropy(y_true: Any, y_pred: Any, q: float) -> Any:
    """(1 - p**q) / q for the probability p of each example's class (Zhang and Sabuncu, 2018); y_true: the classes by number.

    >>> import pullback as tf
    >>> tf.losses.categorical_generalized_cross_entropy([1, 0], [[0.75, 0.25], [0.75, 0.25]], q=0.5).numpy().round(4)
    array([1.    , 0.2679], dtype=float32)
    """
    y_pred = convert_to_tensor(y_pred)
    classes = one_hot(cast(convert_to_tensor(y_true), int32), shape_of(y_pred)[-1], dtype=y_pred.dtype)
    return (1.0 - reduce_sum(y_pred * classes, -1) ** q) / q


mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kullback_leibler_divergence
