"""Keras's metrics as functions and as objects over two batches, with weights and without."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"
TRUE = [np.float32([[0.1, 0.7, 0.2], [0.4, 0.0, 0.6]]), np.float32([[0.3, 0.3, 0.4], [0.9, 0.1, 0.0]])]
PRED = [np.float32([[0.3, 0.5, 0.2], [0.2, 0.2, 0.6]]), np.float32([[0.1, 0.8, 0.1], [0.5, 0.25, 0.25]])]
BITS = [np.float32([[0, 1, 1], [1, 0, 0]]), np.float32([[1, 1, 0], [0, 0, 1]])]
CLASSES = [np.int32([1, 2]), np.int32([0, 2])]
FOUND = [np.int32([1, 1]), np.int32([0, 2])]
WEIGHTS = [np.float32([2.0, 0.5]), np.float32([1.0, 3.0])]


def functions(tf: Any) -> Answers:
    m = tf.metrics
    return {
        "binary_accuracy": lambda: m.binary_accuracy(BITS[0], PRED[0]),
        "binary_accuracy, threshold": lambda: m.binary_accuracy(BITS[0], PRED[0], 0.25),
        "categorical_accuracy": lambda: m.categorical_accuracy(TRUE[0], PRED[0]),
        "sparse_categorical_accuracy": lambda: m.sparse_categorical_accuracy(CLASSES[0], PRED[0]),
        "sparse_categorical_accuracy, an axis of 1": lambda: m.sparse_categorical_accuracy(CLASSES[0][:, None], PRED[0]),
        "top_k_categorical_accuracy": lambda: m.top_k_categorical_accuracy(TRUE[1], PRED[1], 2),
        "sparse_top_k_categorical_accuracy": lambda: m.sparse_top_k_categorical_accuracy(CLASSES[1], PRED[1], 1),
        "sparse_top_k, sorted": lambda: m.sparse_top_k_categorical_accuracy(CLASSES[0], np.int32([[1, 0], [0, 1]]), 1, True),
        "pearson_correlation": lambda: m.pearson_correlation(TRUE[0], PRED[0]),
        "concordance_correlation": lambda: m.concordance_correlation(TRUE[0], PRED[0]),
        "mse": lambda: m.mse(TRUE[0], PRED[0]),
    }


def _over(make: Callable[[], Any], *batches: list[Any]) -> Callable[[], list[Any]]:
    """The result after each batch, and after beginning anew."""

    def answer() -> list[Any]:
        metric, found = make(), []
        for batch in zip(*batches, strict=True):
            metric.update_state(*batch)
            found.append(np.array(metric.result().numpy()))  # a copy: the result may be the variable itself
        metric.reset_state()
        metric.update_state(*(batch[1] for batch in batches))
        return [re.sub(r"_\d+$", "", metric.name), *found, metric.result().numpy()]  # names are numbered through a whole program

    return answer


def means(tf: Any) -> Answers:
    m = tf.metrics
    pairs: dict[str, tuple[Callable[[], Any], Any, Any]] = {
        "Accuracy": (m.Accuracy, CLASSES, FOUND),
        "BinaryAccuracy": (m.BinaryAccuracy, BITS, PRED),
        "CategoricalAccuracy": (m.CategoricalAccuracy, TRUE, PRED),
        "SparseCategoricalAccuracy": (m.SparseCategoricalAccuracy, CLASSES, PRED),
        "TopKCategoricalAccuracy": (lambda: m.TopKCategoricalAccuracy(2), TRUE, PRED),
        "SparseTopKCategoricalAccuracy": (lambda: m.SparseTopKCategoricalAccuracy(2), CLASSES, PRED),
        "MeanSquaredError": (m.MeanSquaredError, TRUE, PRED),
        "MeanAbsoluteError": (m.MeanAbsoluteError, TRUE, PRED),
        "MeanAbsolutePercentageError": (m.MeanAbsolutePercentageError, TRUE, PRED),
        "MeanSquaredLogarithmicError": (m.MeanSquaredLogarithmicError, TRUE, PRED),
        "RootMeanSquaredError": (m.RootMeanSquaredError, TRUE, PRED),
        "LogCoshError": (m.LogCoshError, TRUE, PRED),
        "KLDivergence": (m.KLDivergence, TRUE, PRED),
        "Poisson": (m.Poisson, TRUE, PRED),
        "Hinge": (m.Hinge, BITS, PRED),
        "SquaredHinge": (m.SquaredHinge, BITS, PRED),
        "CategoricalHinge": (m.CategoricalHinge, BITS, PRED),
        "CosineSimilarity": (m.CosineSimilarity, TRUE, PRED),
        "BinaryCrossentropy": (m.BinaryCrossentropy, BITS, PRED),
        "CategoricalCrossentropy": (lambda: m.CategoricalCrossentropy(label_smoothing=0.1), TRUE, PRED),
        "SparseCategoricalCrossentropy": (m.SparseCategoricalCrossentropy, CLASSES, PRED),
        "SparseCategoricalCrossentropy, ignored": (lambda: m.SparseCategoricalCrossentropy(ignore_class=2), CLASSES, PRED),
        "PearsonCorrelation": (m.PearsonCorrelation, TRUE, PRED),
        "ConcordanceCorrelation": (m.ConcordanceCorrelation, TRUE, PRED),
        "MeanMetricWrapper": (lambda: m.MeanMetricWrapper(lambda a, b: tf.abs(a - b), name="own"), TRUE, PRED),
    }
    plain = {name: _over(*row) for name, row in pairs.items()}
    weighted = {f"{name}, weights": _over(*row, WEIGHTS) for name, row in pairs.items()}
    return plain | weighted | {
        "Mean": _over(m.Mean, TRUE),
        "Mean, weights": _over(m.Mean, TRUE, WEIGHTS),
        "Mean, numbers": _over(m.Mean, [1.0, 4.0]),
        "Sum": _over(m.Sum, TRUE),
        "Sum, weights": _over(m.Sum, TRUE, WEIGHTS),
    }


def confusion(tf: Any) -> Answers:
    m = tf.metrics
    rows: dict[str, Callable[[], Any]] = {
        "TruePositives": m.TruePositives,
        "TrueNegatives": m.TrueNegatives,
        "FalsePositives": lambda: m.FalsePositives([0.1, 0.22, 0.6]),
        "FalseNegatives": lambda: m.FalseNegatives(0.22),
        "Precision": m.Precision,
        "Precision, thresholds": lambda: m.Precision([0.1, 0.22]),
        "Precision, top_k": lambda: m.Precision(top_k=2),
        "Recall": lambda: m.Recall(0.22),
        "Recall, a class": lambda: m.Recall(class_id=1),
        "AUC": m.AUC,
        "AUC, PR": lambda: m.AUC(curve="PR"),
        "AUC, minoring": lambda: m.AUC(20, summation_method="minoring"),
        "AUC, PR majoring": lambda: m.AUC(20, "PR", "majoring"),
        "AUC, thresholds": lambda: m.AUC(thresholds=[0.5, 0.22]),
        "AUC, logits": lambda: m.AUC(from_logits=True),
        "AUC, labels": lambda: m.AUC(multi_label=True, num_labels=3),
        "AUC, labels weighted": lambda: m.AUC(multi_label=True, num_labels=3, label_weights=[1.0, 0.5, 2.0]),
        "SensitivityAtSpecificity": lambda: m.SensitivityAtSpecificity(0.4),
        "SpecificityAtSensitivity": lambda: m.SpecificityAtSensitivity(0.4),
        "PrecisionAtRecall": lambda: m.PrecisionAtRecall(0.5, num_thresholds=20),
        "RecallAtPrecision": lambda: m.RecallAtPrecision(0.6),
    }
    plain = {name: _over(make, BITS, PRED) for name, make in rows.items()}
    some = ("TruePositives", "Precision", "Recall", "AUC", "AUC, labels")
    return plain | {f"{name}, weights": _over(rows[name], BITS, PRED, WEIGHTS) for name in some}


def scores(tf: Any) -> Answers:
    m = tf.metrics
    whole = [np.int32([1, 2]), np.int32([3, 1])]
    return {
        "IoU": _over(lambda: m.IoU(3, [0, 2]), CLASSES, FOUND),
        "IoU, weights": _over(lambda: m.IoU(3, [0, 1]), CLASSES, FOUND, whole),
        "MeanIoU": _over(lambda: m.MeanIoU(3), CLASSES, FOUND),
        "MeanIoU, ignored": _over(lambda: m.MeanIoU(3, ignore_class=2), CLASSES, FOUND),
        "OneHotIoU": _over(lambda: m.OneHotIoU(3, [1]), TRUE, PRED),
        "OneHotMeanIoU": _over(lambda: m.OneHotMeanIoU(3), TRUE, PRED),
        "BinaryIoU": _over(lambda: m.BinaryIoU([0, 1], 0.3), BITS, PRED),
        "F1Score": _over(m.F1Score, BITS, PRED),
        "F1Score, threshold, micro": _over(lambda: m.F1Score("micro", 0.22), BITS, PRED),
        "FBetaScore, macro": _over(lambda: m.FBetaScore("macro", 2.0, 0.22), BITS, PRED),
        "FBetaScore, weighted": _over(lambda: m.FBetaScore("weighted", 0.5, 0.22), BITS, PRED, WEIGHTS),
        "R2Score": _over(m.R2Score, TRUE, PRED),
        "R2Score, each": _over(lambda: m.R2Score(None), TRUE, PRED),
        "R2Score, by variance, weights": _over(lambda: m.R2Score("variance_weighted_average"), TRUE, PRED, WEIGHTS),
        "R2Score, adjusted": _over(lambda: m.R2Score(num_regressors=2), TRUE, PRED),
    }


def names(tf: Any) -> Answers:
    m = tf.metrics
    return {
        "a class": lambda: type(m.get("AUC")).__name__,
        "a configuration": lambda: m.deserialize({"class_name": "Mean", "config": {"name": "own"}}).name,
        "called": lambda: m.Mean()(TRUE[0]),
        "an unknown one": raises(lambda: m.get("nothing"), "nothing"),
        "a threshold of 2": raises(lambda: m.Precision(2.0), "[0, 1]"),
        "an unknown curve": raises(lambda: m.AUC(curve="XY"), "curve"),
        "an unknown average": raises(lambda: m.F1Score("most"), "average"),
        "a class out of range": raises(lambda: m.IoU(2, [2]), "out of range"),
        "a specificity of 2": raises(lambda: m.SensitivityAtSpecificity(2.0), "[0, 1]"),
    }
