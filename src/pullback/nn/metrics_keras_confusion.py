"""Keras's metrics of right and wrong positives and negatives: counts, precision, recall, the area under a curve and points of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.dtypes import bool as boolean
from ..base.dtypes import float32
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ops.array.basic import ones_of, reshape, shape_of
from ..ops.array.create import one_hot
from ..ops.array.where import where
from ..ops.math.arithmetic import maximum, minimum
from ..ops.math.cast import cast
from ..ops.math.clip import clip_by_value
from ..ops.math.compare import greater, greater_equal, logical_and, logical_not
from ..ops.math.division import divide_no_nan
from ..ops.math.functions import log, sigmoid
from ..ops.reduce.reductions import reduce_max, reduce_mean, reduce_sum
from ..ops.search.sort import top_k as best
from .losses_keras import EPSILON, same_rank
from .metrics_keras import Metric

_NEVER = -1e10  # a score below all others
COUNTS = ("true_positives", "true_negatives", "false_positives", "false_negatives")


def _thresholds(given: Any, default: float) -> list[float]:
    found = [float(t) for t in np.ravel(default if given is None else given)]
    if given is not None and any(t < 0 or t > 1 for t in found):
        raise ValueError(f"Argument `thresholds` must be a value or list of values in [0, 1]. Received: {given}")
    return found


def _selected(y_true: Any, y_pred: Any, top_k: int | None, class_id: int | None) -> tuple[Any, Any]:
    """Labels and scores, those beyond the k best put below all others, of one class where it is named."""
    if top_k is not None:
        chosen = reduce_sum(one_hot(best(y_pred, top_k)[1], shape_of(y_pred)[-1], dtype=y_pred.dtype), -2)
        y_pred = where(greater(chosen, 0.0), y_pred, ones_of(y_pred) * _NEVER)
    if class_id is not None:
        y_true, y_pred = y_true[..., class_id], y_pred[..., class_id]
    return y_true, y_pred


class _Confusion(Metric):
    """A metric that counts, for each threshold, what is right and wrong."""

    def __init__(
        self, counted: Sequence[str], thresholds: Sequence[float], name: str | None, dtype: Any, columns: int | None = None
    ) -> None:
        super().__init__(dtype, name)
        self._points = list(thresholds)
        self._columns = columns
        even = np.linspace(0.0, 1.0, len(self._points))
        self._buckets = len(even) >= 3 and np.allclose(self._points, even, atol=EPSILON)  # Keras sorts scores into them
        shape = (len(self._points),) if columns is None else (len(self._points), columns)
        self._counts = {count: self.add_variable(shape, name=count) for count in counted}

    def _add(
        self, y_true: Any, y_pred: Any, sample_weight: Any, top_k: int | None = None, class_id: int | None = None, label_weights: Any = None
    ) -> None:
        y_true, y_pred = (cast(convert_to_tensor(y), self._dtype) for y in (y_true, y_pred))
        y_true, y_pred = same_rank(y_true, y_pred)
        y_true, y_pred = _selected(y_true, y_pred, top_k, class_id)
        y_pred = clip_by_value(y_pred, 0.0, 1.0) if self._buckets else y_pred
        weights = None
        if sample_weight is not None:
            weights, like = same_rank(cast(convert_to_tensor(sample_weight), self._dtype), y_pred)
            if weights.dims is not None and like.dims is not None and len(weights.dims) + 1 == len(like.dims):
                weights = weights[..., None]
            weights = weights * ones_of(y_pred)
        if label_weights is not None:
            weights = cast(label_weights, self._dtype) * (ones_of(y_pred) if weights is None else weights)
        last = [-1] if self._columns is None else [-1, self._columns]
        label, score = cast(reshape(y_true, last), boolean), reshape(y_pred, last)
        points = np.asarray(self._points, score.dtype.numpy).reshape(-1, *(1,) * len(last))
        positive = greater(score[None], points)
        for count, variable in self._counts.items():
            right, sign = count.split("_")
            predicted = positive if sign == "positives" else logical_not(positive)
            truth = label if (right == "true") == (sign == "positives") else logical_not(label)
            found = cast(logical_and(predicted, truth[None]), self._dtype)
            variable.assign_add(reduce_sum(found if weights is None else found * reshape(weights, last)[None], 1))

    def _count(self, name: str) -> Any:
        return convert_to_tensor(self._counts[name])


def _single(values: Any, points: Sequence[float]) -> Any:
    return values[0] if len(points) == 1 else values


class _Count(_Confusion):
    counted = ""

    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None:
        super().__init__([self.counted], _thresholds(thresholds, 0.5), name, dtype)
        self.init_thresholds = thresholds

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and scores."""
        self._add(y_true, y_pred, sample_weight)

    def result(self) -> Any:
        return _single(self._count(self.counted), self._points)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "thresholds": self.init_thresholds}


@export(v2="keras.metrics.TruePositives")
class TruePositives(_Count):
    """How many labels of 1 have a score above the threshold.

    >>> import pullback as tf
    >>> tf.metrics.TruePositives(thresholds=[0.1, 0.5])([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1]).numpy()
    array([2., 1.], dtype=float32)
    """

    counted = "true_positives"


@export(v2="keras.metrics.TrueNegatives")
class TrueNegatives(_Count):
    """How many labels of 0 have no score above the threshold.

    >>> import pullback as tf
    >>> float(tf.metrics.TrueNegatives()([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1]))
    1.0
    """

    counted = "true_negatives"


@export(v2="keras.metrics.FalsePositives")
class FalsePositives(_Count):
    """How many labels of 0 have a score above the threshold.

    >>> import pullback as tf
    >>> float(tf.metrics.FalsePositives(thresholds=0.85)([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1]))
    0.0
    """

    counted = "false_positives"


@export(v2="keras.metrics.FalseNegatives")
class FalseNegatives(_Count):
    """How many labels of 1 have no score above the threshold.

    >>> import pullback as tf
    >>> float(tf.metrics.FalseNegatives()([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1]))
    1.0
    """

    counted = "false_negatives"


class _Share(_Confusion):
    other = ""

    def __init__(
        self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None, name: str | None = None, dtype: Any = None
    ) -> None:
        points = _thresholds(thresholds, _NEVER if top_k is not None else 0.5)
        super().__init__(["true_positives", self.other], points, name, dtype)
        self.top_k, self.class_id, self.init_thresholds = top_k, class_id, thresholds

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and scores."""
        self._add(y_true, y_pred, sample_weight, self.top_k, self.class_id)

    def result(self) -> Any:
        hits = self._count("true_positives")
        return _single(divide_no_nan(hits, hits + self._count(self.other)), self._points)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "thresholds": self.init_thresholds, "top_k": self.top_k, "class_id": self.class_id}


@export(v2="keras.metrics.Precision")
class Precision(_Share):
    """Which part of the scores above the threshold (or of the `top_k` best) has the label 1.

    >>> import pullback as tf
    >>> float(tf.metrics.Precision()([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1]))
    0.5
    """

    other = "false_positives"


@export(v2="keras.metrics.Recall")
class Recall(_Share):
    """Which part of the labels of 1 has a score above the threshold (or among the `top_k` best).

    >>> import pullback as tf
    >>> float(tf.metrics.Recall(thresholds=0.1)([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1]))
    1.0
    """

    other = "false_negatives"


def _even(count: int) -> list[float]:
    return [(i + 1) / (count - 1) for i in range(count - 2)]


class _AtPoint(_Confusion):
    """The best of one share among the thresholds where another is large enough."""

    def __init__(self, value: float, what: str, num_thresholds: int, class_id: int | None, name: str | None, dtype: Any) -> None:
        if value < 0 or value > 1:
            raise ValueError(f"Argument `{what}` must be in the range [0, 1]. Received: {what}={value}")
        if num_thresholds <= 0:
            raise ValueError(f"Argument `num_thresholds` must be an integer > 0. Received: num_thresholds={num_thresholds}")
        super().__init__(COUNTS, [0.5] if num_thresholds == 1 else [0.0, *_even(num_thresholds), 1.0], name, dtype)
        self.value, self._what, self.num_thresholds, self.class_id = value, what, num_thresholds, class_id

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and scores."""
        self._add(y_true, y_pred, sample_weight, None, self.class_id)

    def _part(self, right: str, wrong: str) -> Any:
        return divide_no_nan(self._count(right), self._count(right) + self._count(wrong))

    def _largest(self, bound: Any, wanted: Any) -> Any:
        return maximum(reduce_max(where(greater_equal(bound, self.value), wanted, 0.0 * wanted)), 0.0)

    def _recall(self) -> Any:
        return self._part("true_positives", "false_negatives")

    def _specificity(self) -> Any:
        return self._part("true_negatives", "false_positives")

    def _precision(self) -> Any:
        return self._part("true_positives", "false_positives")

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_thresholds": self.num_thresholds, "class_id": self.class_id, self._what: self.value}


@export(v2="keras.metrics.SensitivityAtSpecificity")
class SensitivityAtSpecificity(_AtPoint):
    """The largest recall among thresholds whose specificity is at least a given one.

    >>> import pullback as tf
    >>> float(tf.metrics.SensitivityAtSpecificity(specificity=0.9)([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1]))
    0.5
    """

    def __init__(
        self, specificity: float, num_thresholds: int = 200, class_id: int | None = None, name: str | None = None, dtype: Any = None
    ) -> None:
        super().__init__(specificity, "specificity", num_thresholds, class_id, name, dtype)

    def result(self) -> Any:
        return self._largest(self._specificity(), self._recall())


@export(v2="keras.metrics.SpecificityAtSensitivity")
class SpecificityAtSensitivity(_AtPoint):
    """The largest specificity among thresholds whose recall is at least a given one.

    >>> import pullback as tf
    >>> float(tf.metrics.SpecificityAtSensitivity(sensitivity=0.9)([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1]))
    0.5
    """

    def __init__(
        self, sensitivity: float, num_thresholds: int = 200, class_id: int | None = None, name: str | None = None, dtype: Any = None
    ) -> None:
        super().__init__(sensitivity, "sensitivity", num_thresholds, class_id, name, dtype)

    def result(self) -> Any:
        return self._largest(self._recall(), self._specificity())


@export(v2="keras.metrics.PrecisionAtRecall")
class PrecisionAtRecall(_AtPoint):
    """The largest precision among thresholds whose recall is at least a given one.

    >>> import pullback as tf
    >>> float(tf.metrics.PrecisionAtRecall(recall=0.5)([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1]))
    1.0
    """

    def __init__(
        self, recall: float, num_thresholds: int = 200, class_id: int | None = None, name: str | None = None, dtype: Any = None
    ) -> None:
        super().__init__(recall, "recall", num_thresholds, class_id, name, dtype)

    def result(self) -> Any:
        return self._largest(self._recall(), self._precision())


@export(v2="keras.metrics.RecallAtPrecision")
class RecallAtPrecision(_AtPoint):
    """The largest recall among thresholds whose precision is at least a given one.

    >>> import pullback as tf
    >>> float(tf.metrics.RecallAtPrecision(precision=0.8)([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1]))
    0.5
    """

    def __init__(
        self, precision: float, num_thresholds: int = 200, class_id: int | None = None, name: str | None = None, dtype: Any = None
    ) -> None:
        super().__init__(precision, "precision", num_thresholds, class_id, name, dtype)

    def result(self) -> Any:
        return self._largest(self._precision(), self._recall())


@export(v2="keras.metrics.AUC")
class AUC(_Confusion):
    """The area under the ROC or the precision-recall curve ("PR"), by sums over thresholds.

    summation_method: "interpolation", "minoring" or "majoring".  thresholds: instead of `num_thresholds` even ones.  multi_label: one
    area for each column of labels, whose mean, weighted by label_weights, is the result; num_labels: how many columns, then needed.
    from_logits: scores go through a sigmoid first.

    >>> import pullback as tf
    >>> tf.metrics.AUC()([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]).numpy().round(2).item()
    0.75
    """

    def __init__(
        self,
        num_thresholds: int = 200,
        curve: str = "ROC",
        summation_method: str = "interpolation",
        name: str | None = None,
        dtype: Any = None,
        thresholds: Any = None,
        multi_label: bool = False,
        num_labels: int | None = None,
        label_weights: Any = None,
        from_logits: bool = False,
    ) -> None:
        if curve not in ("ROC", "PR"):
            raise ValueError(f'Invalid AUC curve value: "{curve}". Expected values are ["PR", "ROC"]')
        if summation_method not in ("interpolation", "minoring", "majoring"):
            raise ValueError(
                f'Invalid AUC summation method value: "{summation_method}". Expected values are ["interpolation", "majoring", "minoring"]'
            )
        if thresholds is None and num_thresholds <= 1:
            raise ValueError(f"Argument `num_thresholds` must be an integer > 1. Received: num_thresholds={num_thresholds}")
        if num_labels and not multi_label:
            raise ValueError("`num_labels` is needed only when `multi_label` is True.")
        if multi_label and not num_labels:
            raise ValueError("AUC: give `num_labels` when `multi_label` is True: Pullback makes the variables at once")
        inner = _even(num_thresholds) if thresholds is None else sorted(thresholds)
        super().__init__(COUNTS, [0.0 - EPSILON, *inner, 1.0 + EPSILON], name, dtype, num_labels if multi_label else None)
        self.curve, self.summation_method, self.multi_label = curve, summation_method, multi_label
        self.label_weights = None if label_weights is None else convert_to_tensor(np.asarray(label_weights, np.float32))
        self._from_logits = from_logits

    @property
    def thresholds(self) -> list[float]:
        """The thresholds, the two outside [0, 1] included."""
        return list(self._points)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and scores."""
        scores = sigmoid(cast(convert_to_tensor(y_pred), float32)) if self._from_logits else y_pred
        self._add(y_true, scores, sample_weight, label_weights=None if self.multi_label else self.label_weights)

    def result(self) -> Any:
        tp, tn, fp, fn = (self._count(count) for count in COUNTS)
        if self.curve == "PR" and self.summation_method == "interpolation":
            return self._mean(_interpolated(tp, fp, fn))
        recall = divide_no_nan(tp, tp + fn)
        x, y = (divide_no_nan(fp, fp + tn), recall) if self.curve == "ROC" else (recall, divide_no_nan(tp, tp + fp))
        heights: dict[str, Callable[[Any, Any], Any]] = {"interpolation": _middle, "minoring": minimum, "majoring": maximum}
        return self._mean((x[:-1] - x[1:]) * heights[self.summation_method](y[:-1], y[1:]))

    def _mean(self, parts: Any) -> Any:
        if not self.multi_label:
            return reduce_sum(parts)
        areas = reduce_sum(parts, 0)
        if self.label_weights is None:
            return reduce_mean(areas)
        return divide_no_nan(reduce_sum(areas * self.label_weights), reduce_sum(self.label_weights))


def _middle(a: Any, b: Any) -> Any:
    return (a + b) / 2.0


def _interpolated(tp: Any, fp: Any, fn: Any) -> Any:
    """What each interval adds to the area under a precision-recall curve whose points are joined as counts are, linearly."""
    steps, all_positive = tp[:-1] - tp[1:], tp + fp
    slope = divide_no_nan(steps, maximum(all_positive[:-1] - all_positive[1:], 0.0))
    intercept = tp[1:] - slope * all_positive[1:]
    both = logical_and(greater(all_positive[:-1], 0.0), greater(all_positive[1:], 0.0))
    ratio = where(both, divide_no_nan(all_positive[:-1], maximum(all_positive[1:], 0.0)), ones_of(all_positive[1:]))
    return divide_no_nan(slope * (steps + intercept * log(ratio)), maximum(tp[1:] + fn[1:], 0.0))
