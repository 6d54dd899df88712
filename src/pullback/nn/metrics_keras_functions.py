"""Keras's metrics as functions: a number for each example."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import bool as boolean
from ..base.dtypes import float32, int32, int64
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ops.array.basic import reshape, shape_of
from ..ops.array.shape import squeeze
from ..ops.math.arithmetic import maximum, square
from ..ops.math.cast import cast
from ..ops.math.compare import equal, greater
from ..ops.reduce.composed import reduce_std, reduce_variance
from ..ops.reduce.reductions import reduce_any, reduce_mean, reduce_sum
from ..ops.search.sort import argmax, in_top_k
from .losses_keras import (
    EPSILON,
    KLD,
    MAE,
    MAPE,
    MSE,
    MSLE,
    binary_crossentropy,
    binary_focal_crossentropy,
    categorical_crossentropy,
    categorical_focal_crossentropy,
    categorical_hinge,
    hinge,
    huber,
    kld,
    kullback_leibler_divergence,
    logcosh,
    mae,
    mape,
    mse,
    msle,
    poisson,
    same_rank,
    sparse_categorical_crossentropy,
    squared_hinge,
)


def accuracy(y_true: Any, y_pred: Any) -> Any:
    """1 where y_true and y_pred are equal, else 0."""
    y_pred = convert_to_tensor(y_pred)
    y_true, y_pred = same_rank(cast(convert_to_tensor(y_true), y_pred.dtype), y_pred)
    return cast(equal(y_true, y_pred), float32)


@export(v2="keras.metrics.binary_accuracy")
def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Any:
    """1 where y_pred exceeds the threshold and the label is 1, or does not and the label is 0; else 0.

    >>> import pullback as tf
    >>> tf.metrics.binary_accuracy([[1.0, 0.0]], [[0.9, 0.6]]).numpy().tolist()
    [[1.0, 0.0]]
    """
    y_true, y_pred = same_rank(convert_to_tensor(y_true), convert_to_tensor(y_pred))
    y_pred = cast(y_pred, float32) if y_pred.dtype is boolean else y_pred
    return cast(equal(y_true, cast(greater(y_pred, cast(threshold, y_pred.dtype)), y_true.dtype)), float32)


@export(v2="keras.metrics.categorical_accuracy")
def categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """1 where the largest of y_pred stands where the largest of y_true does, along the last axis.

    >>> import pullback as tf
    >>> tf.metrics.categorical_accuracy([[0.0, 1.0], [1.0, 0.0]], [[0.25, 0.75], [0.25, 0.75]]).numpy()
    array([1., 0.], dtype=float32)
    """
    y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    return cast(equal(*(cast(argmax(y, -1), y_pred.dtype) for y in (y_true, y_pred))), float32)


@export(v2="keras.metrics.sparse_categorical_accuracy")
def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """1 where the largest of y_pred stands at the class y_true.

    >>> import pullback as tf
    >>> tf.metrics.sparse_categorical_accuracy([1, 0], [[0.25, 0.75], [0.25, 0.75]]).numpy()
    array([1., 0.], dtype=float32)
    """
    y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    if y_true.dims is not None and y_pred.dims is not None and len(y_true.dims) == len(y_pred.dims) and y_true.dims[-1] == 1:
        y_true = squeeze(y_true, [-1])
    return cast(equal(cast(y_true, int64), argmax(y_pred, -1)), float32)


@export(v2="keras.metrics.top_k_categorical_accuracy")
def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Any:
    """1 where the largest of y_true stands among the k largest of y_pred, along the last axis.

    >>> import pullback as tf
    >>> tf.metrics.top_k_categorical_accuracy([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], [[0.1, 0.7, 0.2], [0.1, 0.7, 0.2]], k=2).numpy()
    array([1., 0.], dtype=float32)
    """
    return sparse_top_k_categorical_accuracy(argmax(convert_to_tensor(y_true), -1), y_pred, k)


@export(v2="keras.metrics.sparse_top_k_categorical_accuracy")
def sparse_top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5, from_sorted_ids: bool = False) -> Any:
    """1 where the class y_true is among the k largest of y_pred; y_pred may be classes, the best first, when `from_sorted_ids`.

    >>> import pullback as tf
    >>> tf.metrics.sparse_top_k_categorical_accuracy([2, 0], [[0.1, 0.7, 0.2], [0.1, 0.7, 0.2]], k=2).numpy()
    array([1., 0.], dtype=float32)
    """
    y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    flat = reshape(y_pred, [-1, shape_of(y_pred)[-1]])
    labels = reshape(y_true, [-1])
    if from_sorted_ids:
        found = reduce_any(equal(cast(labels, flat.dtype)[:, None], flat[:, :k]), 1)
    else:
        found = in_top_k(cast(labels, int32), cast(flat, float32), k)
    return reshape(cast(found, float32), shape_of(y_true))


@export(v2="keras.metrics.pearson_correlation")
def pearson_correlation(y_true: Any, y_pred: Any, axis: int = -1) -> Any:
    """The correlation of y_true and y_pred along `axis`.

    >>> import pullback as tf
    >>> tf.metrics.pearson_correlation([[1.0, 2.0, 3.0]], [[30.0, 20.0, 10.0]]).numpy().round(4)
    array([-1.], dtype=float32)
    """
    y_true, y_pred = _floats(y_true, y_pred)
    a, b = (y - reduce_mean(y, axis, keepdims=True) for y in (y_true, y_pred))
    return reduce_mean((a / reduce_std(a, axis, keepdims=True)) * (b / reduce_std(b, axis, keepdims=True)), axis)


@export(v2="keras.metrics.concordance_correlation")
def concordance_correlation(y_true: Any, y_pred: Any, axis: int = -1) -> Any:
    """Lin's concordance correlation of y_true and y_pred along `axis`.

    >>> import pullback as tf
    >>> tf.metrics.concordance_correlation([[1.0, 2.0, 3.0]], [[2.0, 3.0, 4.0]]).numpy().round(4)
    array([0.5714], dtype=float32)
    """
    y_true, y_pred = _floats(y_true, y_pred)
    means = [reduce_mean(y, axis, keepdims=True) for y in (y_true, y_pred)]
    spread = [reduce_variance(y - m, axis, keepdims=True) for y, m in zip((y_true, y_pred), means, strict=True)]
    together = (y_true - means[1]) * (y_pred - means[1])
    return reduce_mean(2.0 * together / (spread[0] + spread[1] + square(means[0] - means[1]) + EPSILON), axis)


def _floats(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    y_pred = convert_to_tensor(y_pred)
    return same_rank(cast(convert_to_tensor(y_true), y_pred.dtype), y_pred)


def cosine(y_true: Any, y_pred: Any, axis: int = -1) -> Any:
    """The cosine of the angle between y_true and y_pred along `axis`."""
    y_true, y_pred = _floats(y_true, y_pred)
    lengths = [maximum(reduce_sum(square(y), axis, keepdims=True), np.float32(EPSILON**2)) ** 0.5 for y in (y_true, y_pred)]
    return reduce_sum((y_true / lengths[0]) * (y_pred / lengths[1]), axis)


__all__ = [
    "KLD",
    "MAE",
    "MAPE",
    "MSE",
    "MSLE",
    "accuracy",
    "binary_accuracy",
    "binary_crossentropy",
    "binary_focal_crossentropy",
    "categorical_accuracy",
    "categorical_crossentropy",
    "categorical_focal_crossentropy",
    "categorical_hinge",
    "concordance_correlation",
    "cosine",
    "hinge",
    "huber",
    "kld",
    "kullback_leibler_divergence",
    "logcosh",
    "mae",
    "mape",
    "mse",
    "msle",
    "pearson_correlation",
    "poisson",
    "sparse_categorical_accuracy",
    "sparse_categorical_crossentropy",
    "sparse_top_k_categorical_accuracy",
    "squared_hinge",
    "top_k_categorical_accuracy",
]
