"""TensorFlow 1's metrics over thresholds: the area under a curve, precision and recall, and what depends on a chosen point of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...api.names import control_dependencies
from ...api.variable_scope import variable_scope
from ...base.dtypes import bool as boolean, float32, int32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor, TensorLike
from ...ops.array.basic import ones_of, reshape
from ...ops.array.where import where
from ...ops.effects.asserts import assert_greater_equal, assert_less_equal
from ...ops.math.arithmetic import maximum, minimum, multiply
from ...ops.math.division import divide, divide_no_nan
from ...ops.math.functions import log
from ...ops.math.magnitude import abs as absolute
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal, greater, logical_and, logical_not
from ...ops.reduce.reductions import reduce_min, reduce_sum
from ...ops.reduce.scan import cumsum
from ...ops.search.sort import argmax, argmin
from .v1_sums import match_shapes, read_sum, refuse_eager, stream_value

_EPSILON = 1e-7
_COUNTS = {"tp": "true_positives", "fn": "false_negatives", "tn": "true_negatives", "fp": "false_positives"}


def _even_thresholds(count: int, last: float = 1.0 + _EPSILON) -> list[float]:
    """Thresholds that divide [0, 1] evenly, the first and the last of them outside."""
    return [0.0 - _EPSILON, *((i + 1) / (count - 1) for i in range(count - 2)), last]


def _count_at_thresholds(labels: Any, predictions: Any, thresholds: Sequence[float], weights: Any, which: Sequence[str]) -> dict[str, Any]:
    """For each threshold, how often a label is (t.., f..) and a prediction exceeds it (..p) or not (..n)."""
    predictions = convert_to_tensor(predictions)
    bounds = [
        assert_greater_equal(predictions, cast(0.0, predictions.dtype), message="predictions must be in [0, 1]"),
        assert_less_equal(predictions, cast(1.0, predictions.dtype), message="predictions must be in [0, 1]"),
    ]
    with control_dependencies([b for b in bounds if b is not None]):
        labels, predictions, weights = match_shapes(cast(convert_to_tensor(labels), boolean), cast(predictions, float32), weights)
    positive = greater(reshape(predictions, [1, -1]), np.asarray(thresholds, np.float32)[:, None])
    label = reshape(labels, [1, -1])
    each = None
    if weights is not None:
        each = reshape(multiply(cast(weights, float32), ones_of(predictions)), [1, -1])
    pairs = {
        "tp": lambda: logical_and(label, positive),
        "fn": lambda: logical_and(label, logical_not(positive)),
        "tn": lambda: logical_and(logical_not(label), logical_not(positive)),
        "fp": lambda: logical_and(logical_not(label), positive),
    }
    counts = {key: cast(pairs[key](), float32) for key in which}
    return {_COUNTS[key]: reduce_sum(found if each is None else multiply(found, each), 1) for key, found in counts.items()}


def _metric(
    kind: str, arguments: tuple[Any, Any, Any, Any, Any, Any], thresholds: Sequence[float], which: Sequence[str], value: Callable[..., Any]
) -> Any:
    labels, predictions, weights, metrics_collections, updates_collections, name = arguments
    refuse_eager(kind)
    with variable_scope(name, default_name=kind.removesuffix("_at_thresholds") if len(which) == 1 else kind):
        added = _count_at_thresholds(labels, predictions, thresholds, weights, which)
        return stream_value(added, value, metrics_collections, updates_collections)


@export(v1="metrics.auc")
def auc(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    curve: str = "ROC",
    name: str | None = None,
    summation_method: str = "trapezoidal",
    thresholds: Sequence[float] | None = None,
) -> tuple[Tensor, Tensor]:
    """The area under the ROC or the precision-recall ("PR") curve, by sums over thresholds.

    predictions: in [0, 1].  num_thresholds: how many divide [0, 1] evenly, unless thresholds are given.  summation_method:
    "trapezoidal", "careful_interpolation" (for "PR"; Davis and Goadrich, 2006), "minoring" or "majoring".  Raises ValueError for another
    curve or method, and RuntimeError outside graphs.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.auc([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).item()
    0.75
    """
    refuse_eager("auc")
    if curve not in ("ROC", "PR"):
        raise ValueError(f"Curve must be either ROC or PR. Curve {curve} is unknown.")
    heights: dict[str, Callable[[Any, Any], Any]] = {
        "trapezoidal": lambda a, b: (a + b) / 2.0,
        "careful_interpolation": lambda a, b: (a + b) / 2.0,
        "minoring": minimum,
        "majoring": maximum,
    }
    if summation_method not in heights:
        raise ValueError(f"Invalid summation_method: {summation_method} summation_method should be one of {', '.join(heights)}.")
    inner = sorted(thresholds) if thresholds is not None else None
    points = _even_thresholds(num_thresholds) if inner is None else [0.0 - _EPSILON, *inner, 1.0 + _EPSILON]

    def area(tp: Any, fn: Any, tn: Any, fp: Any, name: str) -> Any:
        if curve == "PR" and summation_method == "careful_interpolation":
            return _interpolate_area(tp, fp, fn, name)
        little = 1e-6
        found = divide(tp + little, tp + fn + little)
        x, y = (divide(fp, fp + tn + little), found) if curve == "ROC" else (found, divide(tp + little, tp + fp + little))
        return reduce_sum(multiply(x[:-1] - x[1:], heights[summation_method](y[:-1], y[1:])), name=name)

    arguments = (labels, predictions, weights, metrics_collections, updates_collections, name)
    return _metric("auc", arguments, points, ("tp", "fn", "tn", "fp"), area)


def _interpolate_area(tp: Any, fp: Any, fn: Any, name: str) -> Any:
    """The area under a precision-recall curve whose points are joined as counts are, linearly."""
    steps, all_positive = tp[:-1] - tp[1:], tp + fp
    slope = divide_no_nan(steps, maximum(all_positive[:-1] - all_positive[1:], 0.0))
    intercept = tp[1:] - multiply(slope, all_positive[1:])
    both = logical_and(greater(all_positive[:-1], 0.0), greater(all_positive[1:], 0.0))
    ratio = where(both, divide_no_nan(all_positive[:-1], maximum(all_positive[1:], 0.0)), ones_of(all_positive[1:]))
    return reduce_sum(divide_no_nan(slope * (steps + intercept * log(ratio)), maximum(tp[1:] + fn[1:], 0.0)), name=name)


def _share_at(kind: str, other: str, meaning: str, answer: str) -> Callable[..., Any]:
    def metric(
        labels: Any,
        predictions: Any,
        thresholds: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Any:
        arguments = (labels, predictions, weights, metrics_collections, updates_collections, name)
        share = lambda tp, wrong, name: divide(tp, _EPSILON + tp + wrong, f"{kind.removesuffix('_at_thresholds')}_{name}")
        return _metric(kind, arguments, list(thresholds), ("tp", other), share)

    metric.__name__ = metric.__qualname__ = kind
    metric.__doc__ = f"""{meaning}, for each of `thresholds` that a prediction in [0, 1] must exceed.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.{kind}([True, True, False, False], [0.9, 0.2, 0.8, 0.1], thresholds=[0.05, 0.5])
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).tolist()
    {answer}
    """
    return metric


precision_at_thresholds = _share_at("precision_at_thresholds", "fp", "Which part of the positive predictions is right", "[0.5, 0.5]")
export(v1="metrics.precision_at_thresholds")(precision_at_thresholds)
recall_at_thresholds = _share_at("recall_at_thresholds", "fn", "Which part of the positive labels is found", "[1.0, 0.5]")
export(v1="metrics.recall_at_thresholds")(recall_at_thresholds)


def _count_at(kind: str, key: str, answer: str) -> Callable[..., Any]:
    def metric(
        labels: Any,
        predictions: Any,
        thresholds: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Any:
        arguments = (labels, predictions, weights, metrics_collections, updates_collections, name)
        return _metric(kind, arguments, list(thresholds), (key,), read_sum)

    metric.__name__ = metric.__qualname__ = kind
    counted = kind.removesuffix("_at_thresholds").replace("_", " ")
    metric.__doc__ = f"""The number of {counted}, for each of `thresholds` that a prediction in [0, 1] must exceed.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.{kind}([True, True, False, False], [0.9, 0.2, 0.8, 0.1], thresholds=[0.05, 0.5])
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).tolist()
    {answer}
    """
    return metric


true_positives_at_thresholds = _count_at("true_positives_at_thresholds", "tp", "[2.0, 1.0]")
export(v1="metrics.true_positives_at_thresholds")(true_positives_at_thresholds)
false_positives_at_thresholds = _count_at("false_positives_at_thresholds", "fp", "[2.0, 1.0]")
export(v1="metrics.false_positives_at_thresholds")(false_positives_at_thresholds)
true_negatives_at_thresholds = _count_at("true_negatives_at_thresholds", "tn", "[0.0, 1.0]")
export(v1="metrics.true_negatives_at_thresholds")(true_negatives_at_thresholds)
false_negatives_at_thresholds = _count_at("false_negatives_at_thresholds", "fn", "[0.0, 1.0]")
export(v1="metrics.false_negatives_at_thresholds")(false_negatives_at_thresholds)


def _check_unit_interval(name: str, value: float) -> None:
    if value < 0 or value > 1:
        raise ValueError(f"`{name}` must be in the range [0, 1]. Currently, `{name}` got {value}.")


@export(v1="metrics.sensitivity_at_specificity")
def sensitivity_at_specificity(
    labels: TensorLike,
    predictions: TensorLike,
    specificity: float,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The recall at the threshold where the part of negatives that is found is nearest to `specificity`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.sensitivity_at_specificity([True, True, False, False], [0.9, 0.2, 0.8, 0.1], specificity=0.5)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).item()
    1.0
    """
    refuse_eager("sensitivity_at_specificity")
    _check_unit_interval("specificity", specificity)

    def value(tp: Any, fn: Any, tn: Any, fp: Any, name: str) -> Any:
        at = cast(argmin(absolute(divide(tn, tn + fp + _EPSILON) - specificity), 0), int32)
        return divide(tp[at], tp[at] + fn[at] + _EPSILON, name)

    arguments = (labels, predictions, weights, metrics_collections, updates_collections, name)
    return _metric("sensitivity_at_specificity", arguments, _even_thresholds(num_thresholds), ("tp", "fn", "tn", "fp"), value)


@export(v1="metrics.specificity_at_sensitivity")
def specificity_at_sensitivity(
    labels: TensorLike,
    predictions: TensorLike,
    sensitivity: float,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Sequence[str] | str | None = None,
    updates_collections: Sequence[str] | str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The part of negatives that is found at the last threshold where the recall is nearest to `sensitivity`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     _, update = tf1.metrics.specificity_at_sensitivity([True, True, False, False], [0.9, 0.2, 0.8, 0.1], sensitivity=0.5)
    ...     session.run(tf1.local_variables_initializer())
    ...     session.run(update).round(4).item()
    1.0
    """
    refuse_eager("specificity_at_sensitivity")
    _check_unit_interval("sensitivity", sensitivity)

    def value(tp: Any, fn: Any, tn: Any, fp: Any, name: str) -> Any:
        away = absolute(divide(tp, tp + fn + _EPSILON) - sensitivity)
        at = cast(argmax(cumsum(cast(equal(away, reduce_min(away)), int32)), 0), int32)
        return divide(tn[at], tn[at] + fp[at] + _EPSILON, name)

    arguments = (labels, predictions, weights, metrics_collections, updates_collections, name)
    points = _even_thresholds(num_thresholds, 1.0 - _EPSILON)
    return _metric("specificity_at_sensitivity", arguments, points, ("tp", "fn", "tn", "fp"), value)
