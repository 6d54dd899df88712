"""TensorFlow 1's metrics (`tf.metrics`): numbers over all batches seen so far.

Each makes local variables that hold sums, and returns a value computed from them and an operation that adds a batch to them (and gives
the value afterwards).  A metric is here what it adds up and how its value follows from the sums; `_streamed` does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..api.names import GraphKeys
from ..api.variable import Variable
from ..api.variable_scope import variable_scope
from ..base.dtypes import bool as boolean
from ..base.dtypes import float32, float64, int64
from ..ir.apply import convert_to_tensor
from ..ir.context import current, executing_eagerly
from ..ops.array_basic import ones_of, reshape
from ..ops.array_create import zeros
from ..ops.array_gather import scatter_nd
from ..ops.array_shape import expand_dims, size, squeeze
from ..ops.cast import cast
from ..ops.compare import equal, greater, less, logical_and, logical_not, not_equal
from ..ops.counting import confusion_matrix
from ..ops.linalg_diag import diag_part
from ..ops.math import abs as absolute
from ..ops.math import maximum, multiply, square, subtract
from ..ops.math_division import divide, divide_no_nan
from ..ops.math_functions import sqrt
from ..ops.reduce import reduce_mean, reduce_sum
from ..ops.where import where

Value = Callable[..., Any]


def refuse_eager(name: str) -> None:
    if executing_eagerly():
        raise RuntimeError(f"tf.metrics.{name} is not supported when eager execution is enabled.")


def metric_variable(shape: Any, dtype: Any, name: str) -> Variable:
    """A local variable of zeros that holds a sum."""
    kept = [GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES]
    return Variable(lambda: zeros(shape, dtype), trainable=False, collections=kept, name=name)


def collect(collections: Any, value: Any) -> None:
    """Put a value into the graph's collections, where there are any to put it in."""
    graph = current().graph
    for key in collections or ():
        if graph is not None:
            graph.add_to_collection(key, value)


def streamed(added: Mapping[str, Any], value: Value, metrics_collections: Any, updates_collections: Any) -> tuple[Any, Any]:
    """The value over all batches and the operation that adds one: `value` of variables that sum up what is `added`."""
    sums = {name: metric_variable(part.shape.as_list(), part.dtype, name) for name, part in added.items()}
    now = value(*(convert_to_tensor(total) for total in sums.values()))
    updated = value(*(convert_to_tensor(total.assign_add(added[name])) for name, total in sums.items()))
    collect(metrics_collections, now)
    collect(updates_collections, updated)
    return now, updated


def squeezed(a: Any, b: Any) -> tuple[Any, Any]:
    """Two tensors of which the one of rank one more loses a last axis of size 1."""
    a, b = convert_to_tensor(a), convert_to_tensor(b)
    if a.dims is not None and b.dims is not None:
        if len(a.dims) == len(b.dims) + 1 and a.dims[-1] in (1, None):
            a = squeeze(a, [-1])
        elif len(b.dims) == len(a.dims) + 1 and b.dims[-1] in (1, None):
            b = squeeze(b, [-1])
    return a, b


def matched(labels: Any, predictions: Any, weights: Any) -> tuple[Any, Any, Any]:
    labels, predictions = squeezed(labels, predictions)
    if not labels.shape.is_compatible_with(predictions.shape):
        raise ValueError(f"Shapes {predictions.shape} and {labels.shape} are incompatible")
    return labels, predictions, _fitted(weights, predictions)


def _fitted(weights: Any, values: Any) -> Any:
    """Weights with an axis more or less where `values` have that; refused where they do not broadcast."""
    if weights is None:
        return None
    weights = convert_to_tensor(weights)
    if weights.dims is None or values.dims is None or not weights.dims:
        return weights
    if len(weights.dims) == len(values.dims) + 1:
        weights = squeeze(weights, [-1])
    elif len(weights.dims) + 1 == len(values.dims):
        weights = expand_dims(weights, -1)
    pairs = list(zip(weights.dims, values.dims, strict=False))
    if len(weights.dims) != len(values.dims) or any(m not in (1, n) and None not in (m, n) for m, n in pairs):
        raise ValueError(f"weights can not be broadcast to values. values.shape={values.shape}. weights.shape={weights.shape}.")
    return weights


def _spread(weights: Any, values: Any) -> Any:
    return multiply(cast(weights, float32), ones_of(cast(values, float32)))


def _ratio(total: Any, count: Any) -> Any:
    return divide_no_nan(total, maximum(count, 0.0))


def mean(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None
) -> Any:
    """The mean of `values`, each counted `weights` times.

    weights: broadcast against values.  Returns (value, update_op), as every metric; `tf.local_variables_initializer` begins anew.
    Raises RuntimeError outside graphs.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     value, update = tf.metrics.mean([1.0, 2.0, 6.0])
    ...     session.run(tf.local_variables_initializer())
    ...     session.run(update).item(), session.run(value).item()
    (3.0, 3.0)
    """
    return _mean(values, weights, metrics_collections, updates_collections, name, "mean")


def _mean(values: Any, weights: Any, metrics: Any, updates: Any, name: str | None, kind: str, last: Value = _ratio) -> Any:
    refuse_eager(kind)
    with variable_scope(name, default_name=kind):
        values = cast(convert_to_tensor(values), float32)
        count = cast(size(values), float32)
        if weights is not None:
            spread = _spread(_fitted(weights, values), values)
            values, count = multiply(values, spread), reduce_sum(spread)
        return streamed({"total": reduce_sum(values), "count": count}, last, metrics, updates)


def mean_tensor(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None
) -> Any:
    """The mean of each element of `values` over all batches, which have one shape."""
    refuse_eager("mean_tensor")
    with variable_scope(name, default_name="mean"):
        values = cast(convert_to_tensor(values), float32)
        count = ones_of(values)
        if weights is not None:
            spread = _spread(_fitted(weights, values), values)
            values, count = multiply(values, spread), spread
        return streamed({"total_tensor": values, "count_tensor": count}, _ratio, metrics_collections, updates_collections)


def accuracy(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """How often `predictions` are equal to `labels`."""
    refuse_eager("accuracy")
    labels, predictions, weights = matched(labels, predictions, weights)
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
        labels, predictions, weights = matched(labels, predictions, weights)
        return _mean(measure(labels, predictions), weights, metrics_collections, updates_collections, name or kind, kind)

    metric.__name__ = metric.__qualname__ = kind
    return metric


mean_absolute_error = _errors("mean_absolute_error", lambda labels, predictions: absolute(subtract(predictions, labels)))
mean_absolute_error.__doc__ = "The mean of |predictions - labels|."
mean_squared_error = _errors("mean_squared_error", lambda labels, predictions: square(subtract(labels, predictions)))
mean_squared_error.__doc__ = "The mean of (labels - predictions)**2."


def root_mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """The square root of the mean of (labels - predictions)**2."""
    kind = "root_mean_squared_error"
    refuse_eager(kind)
    labels, predictions, weights = matched(labels, predictions, weights)
    squares = square(subtract(labels, predictions))
    return _mean(
        squares, weights, metrics_collections, updates_collections, name or kind, kind, lambda total, count: sqrt(_ratio(total, count))
    )


def mean_relative_error(
    labels: Any,
    predictions: Any,
    normalizer: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """The mean of |labels - predictions| / normalizer, 0 where the normalizer is 0."""
    kind = "mean_relative_error"
    refuse_eager(kind)
    labels, predictions, weights = matched(labels, predictions, weights)
    predictions, normalizer = squeezed(predictions, normalizer)
    away = divide(absolute(labels - predictions), normalizer)
    errors = where(equal(normalizer, 0.0), 0.0 * ones_of(away), away)
    return _mean(errors, weights, metrics_collections, updates_collections, name or kind, kind)


def mean_cosine_distance(
    labels: Any,
    predictions: Any,
    dim: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """1 minus the mean of the inner products of labels and predictions along `dim`; both are taken to be of length 1."""
    kind = "mean_cosine_distance"
    refuse_eager(kind)
    labels, predictions, weights = matched(labels, predictions, weights)
    products = reduce_sum(multiply(predictions, labels), [dim], keepdims=True)
    return _mean(
        products, weights, metrics_collections, updates_collections, name or kind, kind, lambda total, count: 1.0 - _ratio(total, count)
    )


def percentage_below(
    values: Any,
    threshold: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Which part of `values` is less than `threshold`."""
    refuse_eager("percentage_below")
    below = less(convert_to_tensor(values), threshold)
    return _mean(below, weights, metrics_collections, updates_collections, name or "percentage_below_threshold", "percentage_below")


# ---------------------------------------------------------------------- counts of a yes or no

_WHICH = {
    "true_positives": (True, True),
    "false_positives": (False, True),
    "true_negatives": (False, False),
    "false_negatives": (True, False),
}


def _counted(which: str, labels: Any, predictions: Any, weights: Any) -> Any:
    """How many examples have this label and this prediction, both truth values."""
    label, prediction = _WHICH[which]
    found = logical_and(labels if label else logical_not(labels), predictions if prediction else logical_not(predictions))
    counts = cast(found, float32)
    return reduce_sum(counts if weights is None else multiply(counts, cast(weights, float32)))


def _truths(labels: Any, predictions: Any, weights: Any) -> tuple[Any, Any, Any]:
    return matched(cast(convert_to_tensor(labels), boolean), cast(convert_to_tensor(predictions), boolean), weights)


def _count(which: str) -> Callable[..., Any]:
    def metric(
        labels: Any,
        predictions: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Any:
        refuse_eager(which)
        with variable_scope(name, default_name=which):
            count = _counted(which, *_truths(labels, predictions, weights))
            return streamed({"count": count}, lambda total: total, metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = which
    metric.__doc__ = f"The number of {which.replace('_', ' ')}; labels and predictions are taken as truth values."
    return metric


true_positives, false_positives = _count("true_positives"), _count("false_positives")
true_negatives, false_negatives = _count("true_negatives"), _count("false_negatives")


def _share(kind: str, other: str, meaning: str) -> Callable[..., Any]:
    """True positives over themselves and `other`."""

    def metric(
        labels: Any,
        predictions: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Any:
        refuse_eager(kind)
        with variable_scope(name, default_name=kind):
            given = _truths(labels, predictions, weights)
            added = {f"{which}/count": _counted(which, *given) for which in ("true_positives", other)}
            return streamed(added, lambda hits, misses: divide_no_nan(hits, hits + misses), metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = kind
    metric.__doc__ = f"{meaning}, 0 where there are none."
    return metric


precision = _share("precision", "false_positives", "Which part of the positive predictions is right")
recall = _share("recall", "false_negatives", "Which part of the positive labels is found")


# ---------------------------------------------------------------------- classes


def mean_iou(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """The mean over classes of intersection over union; update_op gives the confusion matrix.

    labels, predictions: integers below num_classes, of one shape.
    """
    refuse_eager("mean_iou")
    with variable_scope(name, default_name="mean_iou"):
        labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
        if not labels.shape.is_compatible_with(predictions.shape):
            raise ValueError(f"Shapes {predictions.shape} and {labels.shape} are incompatible")
        flat = [None if t is None else reshape(convert_to_tensor(t), [-1]) for t in (labels, predictions, weights)]
        now = confusion_matrix(cast(flat[0], int64), cast(flat[1], int64), num_classes, flat[2], float64)
        total = metric_variable([num_classes, num_classes], float64, "total_confusion_matrix")
        value = _intersection_over_union(convert_to_tensor(total))
        update = convert_to_tensor(total.assign_add(now))
        collect(metrics_collections, value)
        collect(updates_collections, update)
        return value, update


def _intersection_over_union(matrix: Any) -> Any:
    hits = cast(diag_part(matrix), float32)
    union = cast(reduce_sum(matrix, 0), float32) + cast(reduce_sum(matrix, 1), float32) - hits
    seen = reduce_sum(cast(not_equal(union, 0.0), float32))
    return divide_no_nan(reduce_sum(divide(hits, where(greater(union, 0.0), union, ones_of(union)))), seen)


def mean_per_class_accuracy(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """The mean over classes of how often predictions are right; update_op gives that of each class."""
    refuse_eager("mean_per_class_accuracy")
    with variable_scope(name, default_name="mean_accuracy"):
        labels = reshape(cast(convert_to_tensor(labels), int64), [-1])
        predictions = reshape(convert_to_tensor(predictions), [-1])
        each = ones_of(cast(labels, float32))
        if weights is not None:
            each = multiply(each, cast(reshape(convert_to_tensor(weights), [-1]), float32))
        right = multiply(cast(equal(cast(predictions, int64), labels), float32), each)
        sums = {name: scatter_nd(labels[:, None], part, [num_classes]) for name, part in (("total", each), ("count", right))}
        variables = {name: metric_variable([num_classes], float32, name) for name in sums}
        value = reduce_mean(_ratio(*(convert_to_tensor(variables[name]) for name in ("count", "total"))))
        updated = {name: convert_to_tensor(variables[name].assign_add(part)) for name, part in sums.items()}
        update = _ratio(updated["count"], updated["total"])
        collect(metrics_collections, value)
        collect(updates_collections, update)
        return value, update


__all__ = [
    "accuracy",
    "false_negatives",
    "false_positives",
    "mean",
    "mean_absolute_error",
    "mean_cosine_distance",
    "mean_iou",
    "mean_per_class_accuracy",
    "mean_relative_error",
    "mean_squared_error",
    "mean_tensor",
    "percentage_below",
    "precision",
    "recall",
    "root_mean_squared_error",
    "true_negatives",
    "true_positives",
]
