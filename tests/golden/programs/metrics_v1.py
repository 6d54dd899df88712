"""TensorFlow 1's metrics: the names of their variables, and the values over two batches, for every one, with weights and without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v1"
LABELS = [np.float32([[0.1, 0.7], [0.4, 0.9], [0.0, 0.3]]), np.float32([[0.5, 0.2], [0.8, 0.8], [0.9, 0.1]])]
PREDICTIONS = [np.float32([[0.2, 0.6], [0.4, 0.1], [0.3, 0.3]]), np.float32([[0.5, 0.9], [0.7, 0.2], [0.1, 0.4]])]
WEIGHTS = [np.float32([[1.0], [0.0], [2.0]]), np.float32([[0.5], [1.0], [3.0]])]
TRUTHS = [np.int32([[1, 0], [1, 1], [0, 0]]), np.int32([[0, 1], [1, 0], [1, 1]])]
GUESSES = [np.int32([[1, 1], [0, 1], [0, 0]]), np.int32([[1, 1], [1, 0], [0, 1]])]
CLASSES = [np.int64([0, 1, 2, 2, 1]), np.int64([2, 0, 0, 1, 1])]
FOUND = [np.int64([0, 2, 2, 1, 1]), np.int64([2, 0, 1, 1, 0])]
SCORES = [np.float32([[0.1, 0.6, 0.2, 0.1], [0.4, 0.1, 0.2, 0.3]]), np.float32([[0.3, 0.1, 0.2, 0.4], [0.0, 0.5, 0.3, 0.2]])]
SETS = [np.int64([[1, 2], [3, -1]]), np.int64([[0, 3], [0, 2]])]


def _over(tf: Any, metric: Callable[..., Any], *batches: list[Any]) -> Callable[[], dict[str, Any]]:
    """The metric's variables, and its update and its value after each batch."""

    def answer() -> dict[str, Any]:
        with tf.Graph().as_default(), tf.Session() as session:
            inputs = [tf.placeholder(batch[0].dtype, batch[0].shape) for batch in batches]
            value, update = metric(*inputs)
            session.run(tf.local_variables_initializer())
            steps = []
            for k in range(2):
                added = session.run(update, dict(zip(inputs, [batch[k] for batch in batches], strict=True)))
                steps.append([added, session.run(value)])
            return {"variables": [v.name for v in tf.local_variables()], "steps": steps}

    return answer


def means(tf: Any) -> Answers:
    m = tf.metrics
    pairs: dict[str, Callable[..., Any]] = {
        "accuracy": m.accuracy,
        "mean_absolute_error": m.mean_absolute_error,
        "mean_squared_error": m.mean_squared_error,
        "root_mean_squared_error": m.root_mean_squared_error,
        "mean_relative_error": lambda a, b, w=None: m.mean_relative_error(a, b, b, w),
        "mean_cosine_distance": lambda a, b, w=None: m.mean_cosine_distance(a, b, 1, w),
    }
    answers = {name: _over(tf, f, LABELS, PREDICTIONS) for name, f in pairs.items()}
    weighted = {
        f"{name}, weights": _over(tf, f, LABELS, PREDICTIONS, WEIGHTS) for name, f in pairs.items() if name != "mean_relative_error"
    }
    return answers | weighted | {
        "mean": _over(tf, m.mean, LABELS),
        "mean, weights": _over(tf, m.mean, LABELS, WEIGHTS),
        "mean, a name": _over(tf, lambda x: m.mean(x, name="mine"), LABELS),
        "mean_tensor": _over(tf, m.mean_tensor, LABELS),
        "mean_tensor, weights": _over(tf, m.mean_tensor, LABELS, WEIGHTS),
        "percentage_below": _over(tf, lambda x: m.percentage_below(x, 0.35), LABELS),
        "an axis of 1": _over(tf, lambda a, b: m.accuracy(a, b[:, None]), CLASSES, FOUND),
    }


def counts(tf: Any) -> Answers:
    m = tf.metrics
    names = ("true_positives", "false_positives", "true_negatives", "false_negatives", "precision", "recall")
    plain = {name: _over(tf, getattr(m, name), TRUTHS, GUESSES) for name in names}
    return plain | {f"{name}, weights": _over(tf, getattr(m, name), TRUTHS, GUESSES, WEIGHTS) for name in names}


def classes(tf: Any) -> Answers:
    m = tf.metrics
    return {
        "mean_iou": _over(tf, lambda a, b: m.mean_iou(a, b, 3), CLASSES, FOUND),
        "mean_iou, a class never seen": _over(tf, lambda a, b: m.mean_iou(a, b, 5), CLASSES, FOUND),
        "mean_per_class_accuracy": _over(tf, lambda a, b: m.mean_per_class_accuracy(a, b, 3), CLASSES, FOUND),
    }


def curves(tf: Any) -> Answers:
    m, points = tf.metrics, [0.15, 0.35, 0.5]
    names = ("precision", "recall", "true_positives", "false_positives", "true_negatives", "false_negatives")
    answers = {
        f"{name}_at_thresholds": _over(tf, lambda a, b, n=name: getattr(m, f"{n}_at_thresholds")(a, b, points), TRUTHS, PREDICTIONS)
        for name in names
    }
    areas = {
        f"auc {curve} {method}": _over(
            tf, lambda a, b, c=curve, s=method: m.auc(a, b, num_thresholds=11, curve=c, summation_method=s), TRUTHS, PREDICTIONS
        )
        for curve in ("ROC", "PR")
        for method in ("trapezoidal", "careful_interpolation", "minoring", "majoring")
    }
    return answers | areas | {
        "auc, weights": _over(tf, lambda a, b, w: m.auc(a, b, w), TRUTHS, PREDICTIONS, WEIGHTS),
        "auc, thresholds": _over(tf, lambda a, b: m.auc(a, b, thresholds=[0.6, 0.2]), TRUTHS, PREDICTIONS),
        "sensitivity_at_specificity": _over(tf, lambda a, b: m.sensitivity_at_specificity(a, b, 0.6), TRUTHS, PREDICTIONS),
        "specificity_at_sensitivity": _over(tf, lambda a, b: m.specificity_at_sensitivity(a, b, 0.6), TRUTHS, PREDICTIONS),
    }


def ranks(tf: Any) -> Answers:
    m = tf.metrics
    rows = [np.float64([1.0, 2.0]), np.float64([0.5, 3.0])]
    return {
        "precision_at_k": _over(tf, lambda a, b: m.precision_at_k(a, b, 2), SETS, SCORES),
        "precision_at_k, a class": _over(tf, lambda a, b: m.precision_at_k(a, b, 3, class_id=2), SETS, SCORES),
        "precision_at_k, weights": _over(tf, lambda a, b, w: m.precision_at_k(a, b, 2, weights=w), SETS, SCORES, rows),
        "sparse_precision_at_k": _over(tf, lambda a, b: m.sparse_precision_at_k(a, b, 1), SETS, SCORES),
        "precision_at_top_k": _over(tf, m.precision_at_top_k, SETS, SETS[::-1]),
        "recall_at_k": _over(tf, lambda a, b: m.recall_at_k(a, b, 2), SETS, SCORES),
        "recall_at_k, one label each": _over(tf, lambda a, b: m.recall_at_k(a[:, 0], b, 2), SETS, SCORES),
        "recall_at_k, a class": _over(tf, lambda a, b: m.recall_at_k(a, b, 3, class_id=2), SETS, SCORES),
        "recall_at_top_k": _over(tf, m.recall_at_top_k, SETS, SETS[::-1]),
        "average_precision_at_k": _over(tf, lambda a, b: m.average_precision_at_k(a, b, 3), SETS, SCORES),
        "average_precision_at_k, weights": _over(tf, lambda a, b, w: m.average_precision_at_k(a, b, 2, w), SETS, SCORES, rows),
        "sparse_average_precision_at_k": _over(tf, lambda a, b: m.sparse_average_precision_at_k(a, b, 2), SETS, SCORES),
    }


def collections(tf: Any) -> Answers:
    value, update = tf.metrics.mean([1.0], metrics_collections=["M"], updates_collections=["U"])
    return {
        "value": lambda: tf.get_collection("M")[0] is value,
        "update": lambda: tf.get_collection("U")[0] is update,
        "variables": lambda: [v.name for v in tf.get_collection(tf.GraphKeys.METRIC_VARIABLES)],
        "not trained": lambda: len(tf.trainable_variables()) + len(tf.global_variables()),
    }


def refusals(tf: Any) -> Answers:
    x = tf.constant(LABELS[0])
    return {
        "weights that do not fit": raises(lambda: tf.metrics.mean(x, tf.ones([2, 2])), otherwise=("InvalidArgumentError",)),
        "shapes that differ": raises(lambda: tf.metrics.accuracy(x, tf.ones([5, 2]))),
        "an unknown curve": raises(lambda: tf.metrics.auc(x, x, curve="XY"), "Curve must be either ROC or PR"),
        "an unknown sum": raises(lambda: tf.metrics.auc(x, x, summation_method="exact"), "summation_method"),
        "a specificity of 2": raises(lambda: tf.metrics.sensitivity_at_specificity(x, x, 2.0), "range [0, 1]"),
        "no k": raises(lambda: tf.metrics.average_precision_at_k(tf.constant(SETS[0]), tf.constant(SCORES[0]), 0), "k"),
    }


def names_of_results(tf: Any) -> Answers:
    """What programs fetch by name."""
    m, truths, sizes = tf.metrics, tf.constant([1, 0, 1, 1]), tf.constant([0.9, 0.6, 0.8, 0.3])
    pairs: dict[str, Callable[[], Any]] = {
        "accuracy": lambda: m.accuracy(truths, truths),
        "precision": lambda: m.precision(truths, truths),
        "recall": lambda: m.recall(truths, truths, name="mine"),
        "auc": lambda: m.auc(truths, sizes),
        "mean_squared_error": lambda: m.mean_squared_error(sizes, sizes),
        "mean_absolute_error": lambda: m.mean_absolute_error(sizes, sizes),
        "percentage_below": lambda: m.percentage_below(sizes, 0.7),
        "sensitivity_at_specificity": lambda: m.sensitivity_at_specificity(truths, sizes, 0.5),
        "mean": lambda: m.mean(sizes),
        "mean_tensor": lambda: m.mean_tensor(sizes),
        "precision_at_thresholds": lambda: m.precision_at_thresholds(truths, sizes, [0.5]),
        "recall_at_thresholds": lambda: m.recall_at_thresholds(truths, sizes, [0.5]),
        "false_positives": lambda: m.false_positives(truths, truths)[:1],
        "true_positives_at_thresholds": lambda: m.true_positives_at_thresholds(truths, sizes, [0.5])[:1],
    }
    return {name: [t.name for t in pair()] for name, pair in pairs.items()}
