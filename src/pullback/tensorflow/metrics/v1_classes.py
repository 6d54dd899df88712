"""TensorFlow 1's metrics of classes: how often a yes or no is right, precision and recall, intersections, accuracies of each class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...api.variable_scope import variable_scope
from ...base.dtypes import bool as boolean, float32, float64, int64
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor, TensorLike
from ...ops.array.basic import ones_of, reshape
from ...ops.array.gather_nd import scatter_nd
from ...ops.array.where import where
from ...ops.linalg.diag import diag_part
from ...ops.math.arithmetic import multiply
from ...ops.math.division import divide, divide_no_nan
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal, greater, logical_and, logical_not, not_equal
from ...ops.reduce.reductions import reduce_mean, reduce_sum
from ...ops.search.counting import confusion_matrix
from .v1_sums import collect, match_shapes, metric_variable, ratio, read_sum, refuse_eager, stream_value

# ---------------------------------------------------------------------- counts of a yes or no

_WHICH = {
    "true_positives": (True, True),
    "false_positives": (False, True),
    "true_negatives": (False, False),
    "false_negatives": (True, False),
}


def _count_examples(which: str, labels: Any, predictions: Any, weights: Any) -> Any:
    """How many examples have this label and this prediction, both truth values."""
    label, prediction = _WHICH[which]
    found = logical_and(labels if label else logical_not(labels), predictions if prediction else logical_not(predictions))
    counts = cast(found, float32)
    return reduce_sum(counts if weights is None else multiply(counts, cast(weights, float32)))


def _truths(labels: Any, predictions: Any, weights: Any) -> tuple[Any, Any, Any]:
    return match_shapes(cast(convert_to_tensor(labels), boolean), cast(convert_to_tensor(predictions), boolean), weights)


def _count(which: str, answer: float) -> Callable[..., Any]:
    """The number of examples of a kind, and what its example answers."""

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
            count = _count_examples(which, *_truths(labels, predictions, weights))
            return stream_value({"count": count}, read_sum, metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = which
    metric.__doc__ = f"""The number of {which.replace("_", " ")}; labels and predictions are taken as truth values.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.{which}([1, 1, 1, 0, 0, 0, 0], [1, 1, 0, 1, 0, 0, 0])
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).item()
    {answer}
    """
    return metric


true_positives, false_positives = _count("true_positives", 2.0), _count("false_positives", 1.0)
export(v1="metrics.false_positives")(false_positives)
export(v1="metrics.true_positives")(true_positives)
true_negatives, false_negatives = _count("true_negatives", 3.0), _count("false_negatives", 1.0)
export(v1="metrics.false_negatives")(false_negatives)
export(v1="metrics.true_negatives")(true_negatives)


def _share(kind: str, other: str, meaning: str, answer: float) -> Callable[..., Any]:
    """True positives over themselves and `other`, and what the example answers."""

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
            added = {f"{which}/count": _count_examples(which, *given) for which in ("true_positives", other)}
            share = lambda hits, misses, name: divide_no_nan(hits, hits + misses, name)
            return stream_value(added, share, metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = kind
    metric.__doc__ = f"""{meaning}, 0 where there are none.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.{kind}([1, 1, 1, 1, 0], [1, 0, 0, 0, 1])
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).item()
    {answer}
    """
    return metric


precision = export(v1="metrics.precision")(_share("precision", "false_positives", "Which part of the positive predictions is right", 0.5))
recall = export(v1="metrics.recall")(_share("recall", "false_negatives", "Which part of the positive labels is found", 0.25))


# ---------------------------------------------------------------------- classes


@export(v1="metrics.mean_iou")
def mean_iou(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: int,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean over classes of intersection over union; update_op gives the confusion matrix.

    labels, predictions: integers below num_classes, of one shape.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     value, update = tf1.metrics.mean_iou([0, 1, 1], [0, 1, 0], 2)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).tolist(), session.run(value).item()
    ([[1.0, 0.0], [1.0, 1.0]], 0.5)
    """
    refuse_eager("mean_iou")
    with variable_scope(name, default_name="mean_iou"):
        labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
        if not labels.shape.is_compatible_with(predictions.shape):
            raise ValueError(f"Shapes {predictions.shape} and {labels.shape} are incompatible")
        flat: list[Any] = [None if t is None else reshape(convert_to_tensor(t), [-1]) for t in (labels, predictions, weights)]
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


@export(v1="metrics.mean_per_class_accuracy")
def mean_per_class_accuracy(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: int,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean over classes of how often predictions are right; update_op gives that of each class.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     value, update = tf1.metrics.mean_per_class_accuracy([0, 1, 1], [0, 1, 0], num_classes=2)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).tolist(), session.run(value).item()
    ([1.0, 0.5], 0.75)
    """
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
        count, total = (convert_to_tensor(variables[name]) for name in ("count", "total"))
        value = reduce_mean(ratio(count, total), name="mean_accuracy")
        updated = {name: convert_to_tensor(variables[name].assign_add(part)) for name, part in sums.items()}
        update = ratio(updated["count"], updated["total"], "update_op")
        collect(metrics_collections, value)
        collect(updates_collections, update)
        return value, update
