"""Keras's metrics of overlap (IoU), of precision and recall together (F), and of explained variance (R2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtypes import float32, int32
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ops.array.basic import broadcast_to, ones_of, reshape, shape_of
from ..ops.array.gather import gather
from ..ops.array.shape import size
from ..ops.array.where import where
from ..ops.linalg.diag import diag_part
from ..ops.math.arithmetic import abs as absolute
from ..ops.math.arithmetic import square
from ..ops.math.cast import cast
from ..ops.math.compare import greater, greater_equal, less, logical_and, not_equal
from ..ops.math.division import divide
from ..ops.reduce.reductions import reduce_max, reduce_mean, reduce_sum
from ..ops.search.counting import confusion_matrix
from ..ops.search.sort import argmax
from .losses_keras import EPSILON, same_rank
from .metrics_keras import Metric


@export(v2="keras.metrics.IoU")
class IoU(Metric):
    """The mean of intersection over union of some classes.

    target_class_ids: those classes.  ignore_class: labels of that class do not count.  sparse_y_true, sparse_y_pred: whether labels and
    predictions are classes by number, else the largest along `axis` tells.  Raises ValueError for a class out of range.

    >>> import pullback as tf
    >>> round(float(tf.metrics.IoU(num_classes=3, target_class_ids=[0, 2])([0, 0, 1, 2], [0, 1, 1, 2])), 4)
    0.75
    """

    def __init__(
        self,
        num_classes: int,
        target_class_ids: Sequence[int],
        name: str | None = None,
        dtype: Any = None,
        ignore_class: int | None = None,
        sparse_y_true: bool = True,
        sparse_y_pred: bool = True,
        axis: int = -1,
    ) -> None:
        super().__init__(int32 if dtype is None else dtype, name)
        if max(target_class_ids) >= num_classes:
            raise ValueError(f"Target class id {max(target_class_ids)} is out of range, which is [0, {num_classes}).")
        self.num_classes, self.target_class_ids, self.ignore_class = num_classes, list(target_class_ids), ignore_class
        self.sparse_y_true, self.sparse_y_pred, self.axis = sparse_y_true, sparse_y_pred, axis
        self.total_cm = self.add_variable((num_classes, num_classes), name="total_confusion_matrix")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and predictions."""
        y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
        y_true = y_true if self.sparse_y_true else argmax(y_true, self.axis)
        y_pred = y_pred if self.sparse_y_pred else argmax(y_pred, self.axis)
        labels, found = (cast(reshape(y, [-1]), int32) for y in (y_true, y_pred))
        weights = cast(convert_to_tensor(1 if sample_weight is None else sample_weight), self._dtype)
        weights = broadcast_to(weights if weights.dims == () else reshape(weights, [-1]), shape_of(labels))
        counts = logical_and(
            logical_and(greater_equal(labels, 0), less(labels, self.num_classes)),
            logical_and(greater_equal(found, 0), less(found, self.num_classes)),
        )
        if self.ignore_class is not None:
            counts = logical_and(counts, not_equal(labels, self.ignore_class))
        labels, found, weights = (where(counts, t, t - t) for t in (labels, found, weights))
        self.total_cm.assign_add(confusion_matrix(labels, found, self.num_classes, weights, self._dtype))

    def result(self) -> Any:
        matrix = convert_to_tensor(self.total_cm)
        hits = diag_part(matrix)
        union = cast(gather(reduce_sum(matrix, 0) + reduce_sum(matrix, 1) - hits, self.target_class_ids), float32)
        seen = greater(union, 1e-9)
        overlap = divide(cast(gather(hits, self.target_class_ids), float32), union + EPSILON)
        return divide(reduce_sum(where(seen, overlap, 0.0 * overlap)), reduce_sum(cast(seen, float32)) + EPSILON)


@export(v2="keras.metrics.MeanIoU")
class MeanIoU(IoU):
    """The mean of intersection over union of all classes.

    >>> import pullback as tf
    >>> round(float(tf.metrics.MeanIoU(num_classes=3)([0, 0, 1, 2], [0, 1, 1, 2])), 4)
    0.6667
    """

    def __init__(
        self,
        num_classes: int,
        name: str | None = None,
        dtype: Any = None,
        ignore_class: int | None = None,
        sparse_y_true: bool = True,
        sparse_y_pred: bool = True,
        axis: int = -1,
    ) -> None:
        super().__init__(num_classes, range(num_classes), name, dtype, ignore_class, sparse_y_true, sparse_y_pred, axis)


@export(v2="keras.metrics.OneHotIoU")
class OneHotIoU(IoU):
    """`IoU` of labels that are one-hot.

    >>> import pullback as tf
    >>> y_true, y_pred = tf.constant([[1, 0], [0, 1], [0, 1]]), tf.constant([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    >>> round(float(tf.metrics.OneHotIoU(num_classes=2, target_class_ids=[0])(y_true, y_pred)), 4)
    0.5
    """

    def __init__(
        self,
        num_classes: int,
        target_class_ids: Sequence[int],
        name: str | None = None,
        dtype: Any = None,
        ignore_class: int | None = None,
        sparse_y_pred: bool = False,
        axis: int = -1,
    ) -> None:
        super().__init__(num_classes, target_class_ids, name, dtype, ignore_class, False, sparse_y_pred, axis)


@export(v2="keras.metrics.OneHotMeanIoU")
class OneHotMeanIoU(MeanIoU):
    """`MeanIoU` of labels that are one-hot.

    >>> import pullback as tf
    >>> y_true, y_pred = tf.constant([[1, 0], [0, 1], [0, 1]]), tf.constant([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    >>> round(float(tf.metrics.OneHotMeanIoU(num_classes=2)(y_true, y_pred)), 4)
    0.5
    """

    def __init__(
        self,
        num_classes: int,
        name: str | None = None,
        dtype: Any = None,
        ignore_class: int | None = None,
        sparse_y_pred: bool = False,
        axis: int = -1,
    ) -> None:
        super().__init__(num_classes, name, dtype, ignore_class, False, sparse_y_pred, axis)


@export(v2="keras.metrics.BinaryIoU")
class BinaryIoU(IoU):
    """`IoU` of labels 0 and 1 and scores, which are 1 from a threshold on.

    >>> import pullback as tf
    >>> round(float(tf.metrics.BinaryIoU(target_class_ids=[1], threshold=0.5)([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1])), 4)
    0.3333
    """

    def __init__(
        self, target_class_ids: Sequence[int] = (0, 1), threshold: float = 0.5, name: str | None = None, dtype: Any = None
    ) -> None:
        super().__init__(2, target_class_ids, name, dtype)
        self.threshold = threshold

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        above = greater_equal(cast(convert_to_tensor(y_pred), float32), self.threshold)
        super().update_state(y_true, cast(above, int32), sample_weight)


@export(v2="keras.metrics.FBetaScore")
class FBetaScore(Metric):
    """(1 + beta**2) * precision * recall / (beta**2 * precision + recall), of labels [batch, classes] of 0 and 1.

    average: "micro" counts all classes together, "macro" takes the mean over classes, "weighted" by their labels; None gives one number for
    each.  threshold: what a score must exceed; the largest of an example when None.  Raises ValueError for other arguments.

    >>> import pullback as tf
    >>> tf.metrics.FBetaScore(beta=2.0, threshold=0.5)([[1.0, 0.0], [0.0, 1.0]], [[0.9, 0.8], [0.1, 0.7]]).numpy().round(4)
    array([1.    , 0.8333], dtype=float32)
    """

    def __init__(
        self,
        average: str | None = None,
        beta: float = 1.0,
        threshold: float | None = None,
        name: str = "fbeta_score",
        dtype: Any = None,
    ) -> None:
        super().__init__(dtype, name)
        if average not in (None, "micro", "macro", "weighted"):
            raise ValueError(
                "Invalid `average` argument value. Expected one of: {None, 'micro', 'macro', 'weighted'}. " f"Received: average={average}"
            )
        if beta <= 0.0:
            raise ValueError(f"Invalid `beta` argument value. It should be > 0. Received: beta={beta}")
        if threshold is not None and not 0.0 < threshold <= 1.0:
            raise ValueError(f"Invalid `threshold` argument value. It should verify 0 < threshold <= 1. Received: threshold={threshold}")
        self.average, self.beta, self.threshold = average, beta, threshold
        self._sums: dict[str, Any] = {}

    def _made(self, y_true: Any, y_pred: Any) -> dict[str, Any]:
        if not self._sums:
            for y in (y_true, y_pred):
                if y.dims is None or len(y.dims) != 2 or y.dims[1] is None:
                    raise ValueError(f"FBetaScore expects 2D inputs with shape (batch_size, output_dim). Received: {y.shape}")
            shape = () if self.average == "micro" else (y_pred.dims[1],)
            for name in ("true_positives", "false_positives", "false_negatives", "intermediate_weights"):
                self._sums[name] = self.add_variable(shape, name=name)
        return self._sums

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and scores."""
        y_true, y_pred = (cast(convert_to_tensor(y), self._dtype) for y in (y_true, y_pred))
        sums = self._made(y_true, y_pred)
        if self.threshold is None:
            chosen = logical_and(greater_equal(y_pred, reduce_max(y_pred, -1, keepdims=True)), greater(absolute(y_pred), 1e-9))
        else:
            chosen = greater(y_pred, self.threshold)
        found = cast(chosen, self._dtype)
        weights = 1.0 if sample_weight is None else cast(convert_to_tensor(sample_weight), self._dtype)[:, None]
        axis = None if self.average == "micro" else 0
        sums["true_positives"].assign_add(reduce_sum(found * y_true * weights, axis))
        sums["false_positives"].assign_add(reduce_sum(found * (1.0 - y_true) * weights, axis))
        sums["false_negatives"].assign_add(reduce_sum((1.0 - found) * y_true * weights, axis))
        sums["intermediate_weights"].assign_add(reduce_sum(y_true * weights, axis))

    def result(self) -> Any:
        if not self._sums:
            raise ValueError(f"{type(self).__name__} has seen no batch yet: call update_state first")
        hits, wrong, missed, labels = (convert_to_tensor(v) for v in self._sums.values())
        precision, recall = hits / (hits + wrong + EPSILON), hits / (hits + missed + EPSILON)
        score = precision * recall / (self.beta**2 * precision + recall + EPSILON) * (1.0 + self.beta**2)
        if self.average == "weighted":
            return reduce_sum(score * (labels / (reduce_sum(labels) + EPSILON)))
        return score if self.average is None else reduce_mean(score)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "average": self.average, "beta": self.beta, "threshold": self.threshold}


@export(v2="keras.metrics.F1Score")
class F1Score(FBetaScore):
    """`FBetaScore` with beta 1: the harmonic mean of precision and recall.

    >>> import pullback as tf
    >>> tf.metrics.F1Score(threshold=0.5)([[1.0, 0.0], [0.0, 1.0]], [[0.9, 0.8], [0.1, 0.7]]).numpy().round(4)
    array([1.    , 0.6667], dtype=float32)
    """

    def __init__(self, average: str | None = None, threshold: float | None = None, name: str = "f1_score", dtype: Any = None) -> None:
        super().__init__(average, 1.0, threshold, name, dtype)

    def get_config(self) -> dict[str, Any]:
        return {k: v for k, v in super().get_config().items() if k != "beta"}


@export(v2="keras.metrics.R2Score")
class R2Score(Metric):
    """Which part of the variance of labels [batch, outputs] predictions explain.

    class_aggregation: "uniform_average" and "variance_weighted_average" give one number for all outputs, None one for each.
    num_regressors: how many numbers predictions are made of, for the adjusted score; 0 for the plain one.

    >>> import pullback as tf
    >>> round(float(tf.metrics.R2Score()([[1.0], [2.0], [3.0]], [[1.0], [2.0], [4.0]])), 4)
    0.5
    """

    def __init__(
        self,
        class_aggregation: str | None = "uniform_average",
        num_regressors: int = 0,
        name: str = "r2_score",
        dtype: Any = None,
    ) -> None:
        super().__init__(dtype, name)
        known = (None, "uniform_average", "variance_weighted_average")
        if class_aggregation not in known:
            raise ValueError(
                f"Invalid value for argument `class_aggregation`. Expected one of {known}. Received: class_aggregation={class_aggregation}"
            )
        if num_regressors < 0:
            raise ValueError(
                f"Invalid value for argument `num_regressors`. Expected a value >= 0. Received: num_regressors={num_regressors}"
            )
        self.class_aggregation, self.num_regressors = class_aggregation, num_regressors
        self.num_samples = self.add_variable((), name="num_samples")
        self._sums: dict[str, Any] = {}

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and predictions."""
        y_true, y_pred = same_rank(*(cast(convert_to_tensor(y), self._dtype) for y in (y_true, y_pred)))
        if not self._sums:
            for y in (y_true, y_pred):
                if y.dims is None or len(y.dims) != 2 or y.dims[1] is None:
                    raise ValueError(f"R2Score expects 2D inputs with shape (batch_size, output_dim). Received: {y.shape}")
            for name in ("squared_sum", "sum", "residual", "count"):
                self._sums[name] = self.add_variable((y_pred.dims[1],), name=name)
        weights = ones_of(y_true)
        if sample_weight is not None:
            given = cast(convert_to_tensor(sample_weight), self._dtype)
            weights = weights * (given[:, None] if len(given.dims or ()) == 1 else given)
        self._sums["sum"].assign_add(reduce_sum(y_true * weights, 0))
        self._sums["squared_sum"].assign_add(reduce_sum(square(y_true) * weights, 0))
        self._sums["residual"].assign_add(reduce_sum(square(y_true - y_pred) * weights, 0))
        self._sums["count"].assign_add(reduce_sum(weights, 0))
        self.num_samples.assign_add(cast(size(y_true), self._dtype))

    def result(self) -> Any:
        if not self._sums:
            raise ValueError("R2Score has seen no batch yet: call update_state first")
        squares, total, residual, count = (convert_to_tensor(v) for v in self._sums.values())
        variance = squares - total * (total / count)
        scores = 1.0 - residual / variance
        scores = where(greater(absolute(scores), np.float32(np.finfo(np.float32).max)), 0.0 * variance, scores)
        found = scores
        if self.class_aggregation == "uniform_average":
            found = reduce_mean(scores)
        elif self.class_aggregation == "variance_weighted_average":
            found = reduce_sum(variance * scores) / reduce_sum(variance)
        free = convert_to_tensor(self.num_samples) - 1.0 - float(self.num_regressors)
        if self.num_regressors == 0:
            return found
        adjusted = 1.0 - (1.0 - found) * (convert_to_tensor(self.num_samples) - 1.0) / free
        return where(greater(free, 0.0), adjusted, found)
