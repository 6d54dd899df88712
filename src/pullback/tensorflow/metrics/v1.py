"""TensorFlow 1's metrics (`tf.metrics`) that are means: numbers over all batches seen so far.

Each makes local variables that hold sums, and returns a value computed from them and an operation that adds a batch to them (and gives
the value afterwards).  A metric is here what it adds up and how its value follows from the sums; `stream_value` does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...api.variable_scope import variable_scope
from ...base.dtypes import float32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import NumberLike, Tensor
from ...ops.array.basic import ones_of
from ...ops.array.shape import size
from ...ops.array.where import where
from ...ops.math.arithmetic import multiply, square, subtract
from ...ops.math.division import divide
from ...ops.math.functions import sqrt
from ...ops.math.magnitude import abs as absolute
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal, less
from ...ops.reduce.reductions import reduce_sum
from .v1_sums import Value, fit_weights, match_shapes, ratio, refuse_eager, squeeze_last, stream_value


def _spread(weights: Any, values: Any) -> Any:
    return multiply(cast(weights, float32), ones_of(cast(values, float32)))


@export(v1="metrics.mean")
def mean(
    values: NumberLike,
    weights: NumberLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean of `values`, each counted `weights` times.

    weights: broadcast against values.  Returns (value, update_op), as every metric; `tf.local_variables_initializer` begins anew.
    Raises RuntimeError outside graphs.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     value, update = tf1.metrics.mean([1.0, 2.0, 6.0])
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).item(), session.run(value).item()
    (3.0, 3.0)
    """
    return _mean(values, weights, metrics_collections, updates_collections, name, "mean")


def _mean(values: Any, weights: Any, metrics: Any, updates: Any, name: str | None, kind: str, last: Value = ratio) -> Any:
    refuse_eager(kind)
    with variable_scope(name, default_name=kind):
        values = cast(convert_to_tensor(values), float32)
        count = cast(size(values), float32)
        if weights is not None:
            spread = _spread(fit_weights(weights, values), values)
            values, count = multiply(values, spread), reduce_sum(spread)
        return stream_value({"total": reduce_sum(values), "count": count}, last, metrics, updates)


@export(v1="metrics.mean_tensor")
def mean_tensor(
    values: NumberLike,
    weights: NumberLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean of each element of `values` over all batches, which have one shape.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     value, update = tf1.metrics.mean_tensor(tf1.constant([1.0, 2.0]))
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).tolist()
    [1.0, 2.0]
    """
    refuse_eager("mean_tensor")
    with variable_scope(name, default_name="mean"):
        values = cast(convert_to_tensor(values), float32)
        count = ones_of(values)
        if weights is not None:
            spread = _spread(fit_weights(weights, values), values)
            values, count = multiply(values, spread), spread
        return stream_value({"total_tensor": values, "count_tensor": count}, ratio, metrics_collections, updates_collections)


@export(v1="metrics.accuracy")
def accuracy(
    labels: Any,
    predictions: Any,
    weights: NumberLike | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """How often `predictions` are equal to `labels`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.accuracy([1, 0, 1, 1], [1, 0, 0, 1])
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).item()
    0.75
    """
    refuse_eager("accuracy")
    labels, predictions, weights = match_shapes(labels, predictions, weights)
    right = equal(cast(predictions, labels.dtype), labels)
    return _mean(right, weights, metrics_collections, updates_collections, name or "accuracy", "accuracy")


def _errors(kind: str, measure: Value) -> Callable[..., Any]:
    """A metric that is the mean of a measure of labels and predictions."""

    def metric(
        labels: Any,
        predictions: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Any:
        refuse_eager(kind)
        labels, predictions, weights = match_shapes(labels, predictions, weights)
        return _mean(measure(labels, predictions), weights, metrics_collections, updates_collections, name or kind, kind)

    metric.__name__ = metric.__qualname__ = kind
    return metric


mean_absolute_error = _errors("mean_absolute_error", lambda labels, predictions: absolute(subtract(predictions, labels)))
export(v1="metrics.mean_absolute_error")(mean_absolute_error)
mean_absolute_error.__doc__ = """The mean of |predictions - labels|.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.mean_absolute_error([1.0, 2.0], [1.0, 5.0])
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).item()
    1.5
"""
mean_squared_error = _errors("mean_squared_error", lambda labels, predictions: square(subtract(labels, predictions)))
export(v1="metrics.mean_squared_error")(mean_squared_error)
mean_squared_error.__doc__ = """The mean of (labels - predictions)**2.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.mean_squared_error([1.0, 2.0], [1.0, 5.0])
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).item()
    4.5
"""


@export(v1="metrics.root_mean_squared_error")
def root_mean_squared_error(
    labels: NumberLike,
    predictions: NumberLike,
    weights: NumberLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The square root of the mean of (labels - predictions)**2.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.root_mean_squared_error([0.0, 0.0], [3.0, 3.0])
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).item()
    3.0
    """
    kind = "root_mean_squared_error"
    refuse_eager(kind)
    labels, predictions, weights = match_shapes(labels, predictions, weights)
    squares = square(subtract(labels, predictions))
    return _mean(
        squares,
        weights,
        metrics_collections,
        updates_collections,
        name or kind,
        kind,
        lambda total, count, name: sqrt(ratio(total, count), name),
    )


@export(v1="metrics.mean_relative_error")
def mean_relative_error(
    labels: Any,
    predictions: Any,
    normalizer: Any,
    weights: NumberLike | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean of |labels - predictions| / normalizer, 0 where the normalizer is 0.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.mean_relative_error([1.0, 2.0], [2.0, 4.0], normalizer=[2.0, 0.0])
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).item()
    0.25
    """
    kind = "mean_relative_error"
    refuse_eager(kind)
    labels, predictions, weights = match_shapes(labels, predictions, weights)
    predictions, normalizer = squeeze_last(predictions, normalizer)
    away = divide(absolute(labels - predictions), normalizer)
    errors = where(equal(normalizer, 0.0), 0.0 * ones_of(away), away)
    return _mean(errors, weights, metrics_collections, updates_collections, name or kind, kind)


@export(v1="metrics.mean_cosine_distance")
def mean_cosine_distance(
    labels: NumberLike,
    predictions: NumberLike,
    dim: int,
    weights: NumberLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """1 minus the mean of the inner products of labels and predictions along `dim`; both are taken to be of length 1.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.mean_cosine_distance([[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], dim=1)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).item()
    0.5
    """
    kind = "mean_cosine_distance"
    refuse_eager(kind)
    labels, predictions, weights = match_shapes(labels, predictions, weights)
    products = reduce_sum(multiply(predictions, labels), [dim], keepdims=True)
    return _mean(
        products,
        weights,
        metrics_collections,
        updates_collections,
        name or kind,
        kind,
        lambda total, count, name: subtract(1.0, ratio(total, count), name),
    )


@export(v1="metrics.percentage_below")
def percentage_below(
    values: NumberLike,
    threshold: NumberLike,
    weights: NumberLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Which part of `values` is less than `threshold`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.percentage_below([0.1, 0.2, 0.3, 0.9], threshold=0.5)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).item()
    0.75
    """
    refuse_eager("percentage_below")
    below = less(convert_to_tensor(values), threshold)
    return _mean(below, weights, metrics_collections, updates_collections, name or "percentage_below_threshold", "percentage_below")
