"""TensorFlow 1's metrics of the k best classes: precision, recall and average precision at k.

Labels are sets of classes, [..., number of labels], padded with -1, or one class each, or a `SparseTensor` of such.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...api.names import name_scope
from ...base.dtypes import float64, int64
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import NumberLike, Tensor
from ...ops.array.basic import shape_of
from ...ops.array.create import range as range_
from ...ops.array.shape import expand_dims, size
from ...ops.array.where import where
from ...ops.math.arithmetic import minimum, multiply
from ...ops.math.division import divide, divide_no_nan
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal, greater_equal, less, logical_and, logical_not
from ...ops.reduce.reductions import reduce_any, reduce_sum
from ...ops.reduce.scan import cumsum
from ...ops.search.sort import top_k
from ...ops.sparse.functions import to_dense
from ...ops.sparse.tensor import SparseTensor
from .v1_sums import refuse_eager, stream_value


def _sets(labels: Any, predictions: Any) -> tuple[Any, Any]:
    """Labels and predicted classes as int64, labels with an axis for those of one example."""
    predictions = cast(convert_to_tensor(predictions), int64)
    labels = to_dense(labels, default_value=-1) if isinstance(labels, SparseTensor) else convert_to_tensor(labels)
    labels = cast(labels, int64)
    if labels.dims is not None and predictions.dims is not None:
        if len(predictions.dims) == len(labels.dims) + 1:
            labels = expand_dims(labels, -1)
        elif len(predictions.dims) != len(labels.dims):
            raise ValueError(f"Unexpected labels shape {labels.shape} for predictions shape {predictions.shape}.")
    return labels, predictions


def _are_among(values: Any, others: Any) -> Any:
    """For each element of the last axis, whether it is among `others`."""
    return reduce_any(equal(values[..., :, None], others[..., None, :]), -1)


def _are_first(values: Any) -> Any:
    """For each element of the last axis, whether none before it is equal."""
    at = range_(0, shape_of(values)[-1])
    before = less(at[None, :], at[:, None])
    return logical_not(reduce_any(logical_and(equal(values[..., :, None], values[..., None, :]), before), -1))


def _number(chosen: Any, weights: Any) -> Any:
    counts = reduce_sum(cast(chosen, float64), -1)
    return reduce_sum(counts if weights is None else multiply(counts, cast(convert_to_tensor(weights), float64)))


def _name(kind: str, k: int | None, class_id: int | None) -> str:
    found = f"{kind}_at_{k}" if k is not None else f"{kind}_at_k"
    return found if class_id is None else f"{found}_class{class_id}"


def _stream_at_top(
    kind: str, other: str, labels: Any, predictions_idx: Any, k: int | None, class_id: int | None, weights: Any, rest: tuple[Any, Any, Any]
) -> Any:
    metrics_collections, updates_collections, name = rest
    with name_scope(name or _name(kind, k, class_id)) as scope:
        labels, predicted = _sets(labels, predictions_idx)
        hits, misses = _are_among(predicted, labels), logical_not(_are_among(predicted, labels))
        if other == "false_negative":
            misses = logical_and(logical_not(_are_among(labels, predicted)), _are_first(labels))
        else:
            misses = logical_and(misses, _are_first(predicted))
        hits = logical_and(hits, _are_first(predicted))
        if class_id is not None:
            hits = logical_and(hits, equal(predicted, np.int64(class_id)))
            misses = logical_and(misses, equal(labels if other == "false_negative" else predicted, np.int64(class_id)))
        added = {
            _name("true_positive", k, class_id): _number(hits, weights),
            _name(other, k, class_id): _number(misses, weights),
        }
        return stream_value(added, lambda a, b, name: divide(a, a + b, name), metrics_collections, updates_collections, (scope, "update"))


@export(v1="metrics.precision_at_top_k")
def precision_at_top_k(
    labels: NumberLike,
    predictions_idx: NumberLike,
    k: int | None = None,
    class_id: int | None = None,
    weights: NumberLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Which part of the predicted classes `predictions_idx` [..., k] is among the labels; of class `class_id` only, if given.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.precision_at_top_k(tf1.constant([[1], [2]], tf1.int64), tf1.constant([[0, 1], [0, 1]], tf1.int64), k=2)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).item()
    0.25
    """
    refuse_eager("precision_at_top_k")
    rest = (metrics_collections, updates_collections, name)
    return _stream_at_top("precision", "false_positive", labels, predictions_idx, k, class_id, weights, rest)


@export(v1="metrics.precision_at_k")
def precision_at_k(
    labels: NumberLike,
    predictions: NumberLike,
    k: int,
    class_id: int | None = None,
    weights: NumberLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Which part of the k classes with the largest `predictions` [..., classes] is among the labels.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.precision_at_k(tf1.constant([[1], [2]], tf1.int64), [[0.6, 0.3, 0.1], [0.6, 0.3, 0.1]], 2)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).item()
    0.25
    """
    refuse_eager("sparse_precision_at_k")
    best = top_k(predictions, k)[1]
    return precision_at_top_k(labels, best, k, class_id, weights, metrics_collections, updates_collections, name)


@export(v1="metrics.sparse_precision_at_k")
def sparse_precision_at_k(
    labels: NumberLike,
    predictions: NumberLike,
    k: int,
    class_id: int | None = None,
    weights: NumberLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`precision_at_k` under its older name.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.sparse_precision_at_k(tf1.constant([[1], [2]], tf1.int64), [[0.6, 0.3, 0.1], [0.6, 0.3, 0.1]], 2)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).item()
    0.25
    """
    return precision_at_k(labels, predictions, k, class_id, weights, metrics_collections, updates_collections, name)


@export(v1="metrics.recall_at_top_k")
def recall_at_top_k(
    labels: NumberLike,
    predictions_idx: NumberLike,
    k: int | None = None,
    class_id: int | None = None,
    weights: NumberLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Which part of the labels is among the predicted classes `predictions_idx` [..., k]; of class `class_id` only, if given.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.recall_at_top_k(tf1.constant([[1], [2]], tf1.int64), tf1.constant([[0, 1], [0, 1]], tf1.int64), k=2)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).item()
    0.5
    """
    refuse_eager("recall_at_top_k")
    rest = (metrics_collections, updates_collections, name)
    return _stream_at_top("recall", "false_negative", labels, predictions_idx, k, class_id, weights, rest)


@export(v1="metrics.recall_at_k")
def recall_at_k(
    labels: NumberLike,
    predictions: NumberLike,
    k: int,
    class_id: int | None = None,
    weights: NumberLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Which part of the labels is among the k classes with the largest `predictions` [..., classes].

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.recall_at_k(tf1.constant([[1], [2]], tf1.int64), [[0.6, 0.3, 0.1], [0.6, 0.3, 0.1]], 2)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).item()
    0.5
    """
    refuse_eager("recall_at_k")
    best = top_k(predictions, k)[1]
    return recall_at_top_k(labels, best, k, class_id, weights, metrics_collections, updates_collections, name)


@export(v1="metrics.average_precision_at_k")
def average_precision_at_k(
    labels: NumberLike,
    predictions: NumberLike,
    k: int,
    weights: NumberLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean over examples of the average precision of the k classes with the largest `predictions`.

    That is the sum of the precisions at each relevant place, over the number of labels or k, whichever is less.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.average_precision_at_k(tf1.constant([[1]], tf1.int64), [[0.6, 0.3, 0.1]], 2)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).item()
    0.5
    """
    refuse_eager("sparse_average_precision_at_k")
    if k < 1:
        raise ValueError(f"Invalid k={k}. `k` should be >= 1.")
    with name_scope(name or _name("average_precision", k, None)) as scope:
        predictions = convert_to_tensor(predictions)
        classes = cast(shape_of(predictions)[-1], int64)
        labels, best = _sets(labels, top_k(predictions, k)[1])
        labels = where(greater_equal(labels, classes), np.int64(-1), labels)
        relevant = cast(_are_among(best, labels), float64)
        precisions = divide(cumsum(relevant, -1), cast(range_(1, k + 1), float64))
        possible = minimum(reduce_sum(cast(greater_equal(labels, np.int64(0)), int64), -1), np.int64(k))
        average = divide(reduce_sum(multiply(precisions, relevant), -1), cast(possible, float64))
        count = cast(size(average), float64)
        if weights is not None:
            each = multiply(cast(convert_to_tensor(weights), float64), cast(equal(average, average), float64))
            average, count = multiply(average, each), reduce_sum(each)
        added = {"max_1": count, "total": reduce_sum(average)}
        mean = lambda most, total, name: divide_no_nan(total, most, name)
        return stream_value(added, mean, metrics_collections, updates_collections, ("mean", scope))


@export(v1="metrics.sparse_average_precision_at_k")
def sparse_average_precision_at_k(
    labels: NumberLike,
    predictions: NumberLike,
    k: int,
    weights: NumberLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`average_precision_at_k` under its older name.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.sparse_average_precision_at_k(tf1.constant([[1]], tf1.int64), [[0.6, 0.3, 0.1]], 2)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).item()
    0.5
    """
    return average_precision_at_k(labels, predictions, k, weights, metrics_collections, updates_collections, name)
