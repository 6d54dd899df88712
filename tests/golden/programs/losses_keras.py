"""Keras's losses as functions and as objects, with gradients, weights and reductions; and TensorFlow 1's loss of pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"
TRUE = np.float32([[0.1, 0.7, 0.2], [0.4, 0.0, 0.6]])
PRED = np.float32([[0.3, 0.5, 0.2], [0.2, 0.2, 0.6]])
BITS = np.float32([[0, 1, 1], [1, 0, 0]])
LOGITS = np.float32([[0.4, -1.5, 2.0], [-0.3, 0.8, 1.1]])
CLASSES = np.int32([1, 2])
UNIT = np.float32([[0.6, 0.8], [0.8, 0.6], [1.0, 0.0], [0.0, 1.0]])


def _with_gradient(tf: Any, loss: Callable[..., Any], y_true: Any, y_pred: Any) -> Callable[[], list[Any]]:
    def answer() -> list[Any]:
        x = tf.constant(y_pred)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = loss(tf.constant(y_true), x)
        return [y, tape.gradient(y, x)]

    return answer


def _table(losses: Any) -> dict[str, tuple[Callable[..., Any], Any, Any]]:
    return {
        "mse": (losses.mse, TRUE, PRED),
        "mae": (losses.mae, TRUE, PRED),
        "mape": (losses.mape, TRUE, PRED),
        "msle": (losses.msle, TRUE, PRED),
        "mse, an axis of 1": (losses.mse, TRUE[:, 0], PRED[:, :1]),
        "cosine_similarity": (losses.cosine_similarity, TRUE, PRED),
        "cosine_similarity, axis 0": (lambda a, b: losses.cosine_similarity(a, b, axis=0), TRUE, PRED),
        "huber": (lambda a, b: losses.huber(a, b, 0.15), TRUE, PRED),
        "logcosh": (losses.logcosh, TRUE, PRED),
        "kld": (losses.kld, TRUE, PRED),
        "poisson": (losses.poisson, TRUE, PRED),
        "hinge": (losses.hinge, BITS, LOGITS),
        "hinge, signs": (losses.hinge, 2 * BITS - 1, LOGITS),
        "squared_hinge": (losses.squared_hinge, BITS, LOGITS),
        "categorical_hinge": (losses.categorical_hinge, BITS, LOGITS),
        "categorical_crossentropy": (losses.categorical_crossentropy, TRUE, PRED),
        "categorical_crossentropy, logits": (
            lambda a, b: losses.categorical_crossentropy(a, b, from_logits=True, label_smoothing=0.1),
            TRUE,
            LOGITS,
        ),
        "categorical_focal_crossentropy": (losses.categorical_focal_crossentropy, TRUE, PRED),
        "categorical_focal_crossentropy, logits": (
            lambda a, b: losses.categorical_focal_crossentropy(a, b, 0.4, 1.5, True, 0.1),
            TRUE,
            LOGITS,
        ),
        "sparse_categorical_crossentropy": (losses.sparse_categorical_crossentropy, CLASSES, PRED),
        "sparse_categorical_crossentropy, logits, ignored": (
            lambda a, b: losses.sparse_categorical_crossentropy(a, b, True, ignore_class=1),
            CLASSES[:, None],
            LOGITS,
        ),
        "binary_crossentropy": (losses.binary_crossentropy, BITS, PRED),
        "binary_crossentropy, logits, smoothed, axis 0": (lambda a, b: losses.binary_crossentropy(a, b, True, 0.2, 0), BITS, LOGITS),
        "binary_focal_crossentropy": (losses.binary_focal_crossentropy, BITS, PRED),
        "binary_focal_crossentropy, balanced": (
            lambda a, b: losses.binary_focal_crossentropy(a, b, True, 0.3, 1.5, True, 0.1),
            BITS,
            LOGITS,
        ),
        "ctc": (losses.ctc, np.int32([[1, 2, 0], [1, 0, 0]]), np.sin(np.arange(24, dtype=np.float32)).reshape(2, 4, 3)),
        "dice": (losses.dice, BITS, PRED),
        "dice, axis": (lambda a, b: losses.dice(a, b, axis=1), BITS, PRED),
        "tversky": (lambda a, b: losses.tversky(a, b, 0.3, 0.6), BITS, PRED),
        "circle": (losses.circle, np.int32([0, 0, 1, 1]), UNIT),
        "categorical_generalized_cross_entropy": (lambda a, b: losses.categorical_generalized_cross_entropy(a, b, 0.4), CLASSES, PRED),
    }


def functions(tf: Any) -> Answers:
    return {name: _with_gradient(tf, *row) for name, row in _table(tf.losses).items()}


def objects(tf: Any) -> Answers:
    made = {
        "MeanSquaredError": (TRUE, PRED),
        "MeanAbsoluteError": (TRUE, PRED),
        "MeanAbsolutePercentageError": (TRUE, PRED),
        "MeanSquaredLogarithmicError": (TRUE, PRED),
        "LogCosh": (TRUE, PRED),
        "KLDivergence": (TRUE, PRED),
        "Poisson": (TRUE, PRED),
        "Hinge": (BITS, LOGITS),
        "SquaredHinge": (BITS, LOGITS),
        "CategoricalHinge": (BITS, LOGITS),
        "CosineSimilarity": (TRUE, PRED),
        "Huber": (TRUE, PRED),
        "BinaryCrossentropy": (BITS, PRED),
        "BinaryFocalCrossentropy": (BITS, PRED),
        "CategoricalCrossentropy": (TRUE, PRED),
        "CategoricalFocalCrossentropy": (TRUE, PRED),
        "SparseCategoricalCrossentropy": (CLASSES, PRED),
        "Dice": (BITS, PRED),
        "Tversky": (BITS, PRED),
        "Circle": (np.int32([0, 0, 1, 1]), UNIT),
        "CategoricalGeneralizedCrossEntropy": (CLASSES, PRED),
        "CTC": (np.int32([[1, 2, 0], [1, 0, 0]]), np.sin(np.arange(24, dtype=np.float32)).reshape(2, 4, 3)),
    }
    plain = {name: _with_gradient(tf, lambda a, b, n=name: getattr(tf.losses, n)()(a, b), *pair) for name, pair in made.items()}
    names = {f"{name}'s name": lambda n=name: getattr(tf.losses, n)().name for name in made}
    return plain | names


def reductions(tf: Any) -> Answers:
    weights = np.float32([2.0, 0.5])
    kinds = ("sum_over_batch_size", "sum", "mean", "mean_with_sample_weight", "none", None)
    plain = {f"{kind}": lambda k=kind: tf.losses.MeanSquaredError(k)(TRUE, PRED) for kind in kinds}
    weighted = {f"{kind}, weights": lambda k=kind: tf.losses.MeanSquaredError(k)(TRUE, PRED, weights) for kind in kinds}
    ignored = {
        f"{kind}, a class ignored": lambda k=kind: tf.losses.SparseCategoricalCrossentropy(ignore_class=1, reduction=k)(CLASSES, PRED)
        for kind in ("sum_over_batch_size", "sum", "none")
    }
    return plain | weighted | ignored | {
        "weights with an axis": lambda: tf.losses.MeanSquaredError()(TRUE, PRED, weights[:, None]),
        "integers": lambda: tf.losses.MeanSquaredError()(np.int32([[1, 2]]), np.int32([[3, 5]])),
        "float64": lambda: tf.losses.MeanSquaredError(dtype="float64")(TRUE, PRED),
        "an unknown one": raises(lambda: tf.losses.MeanSquaredError(reduction="middle"), "reduction"),
    }


def names(tf: Any) -> Answers:
    losses = tf.losses
    return {
        "a function": lambda: losses.get("mse") is losses.mse,
        "a class": lambda: type(losses.get("Huber")).__name__,
        "none": lambda: losses.get(None),
        "a configuration": lambda: losses.deserialize({"class_name": "Huber", "config": {"delta": 2.0}})([0.0], [3.0]),
        "an unknown one": raises(lambda: losses.get("nothing"), "nothing"),
        "an own loss": lambda: type("Own", (losses.Loss,), {"call": lambda self, a, b: tf.abs(a - b)})()(TRUE, PRED),
        "shapes that differ": raises(lambda: losses.categorical_crossentropy(TRUE, PRED[:, :2])),
        "q": raises(lambda: losses.CategoricalGeneralizedCrossEntropy(1.5), "(0, 1)"),
    }


def pairs(tf: Any) -> Answers:
    loss = tf.compat.v1.losses.mean_pairwise_squared_error
    return {
        "plain": _with_gradient(tf, loss, TRUE, PRED),
        "weights": _with_gradient(tf, lambda a, b: loss(a, b, np.float32([[0.5], [2.0]])), TRUE, PRED),
        "no weight": _with_gradient(tf, lambda a, b: loss(a, b, 0.0), TRUE, PRED),
        "three axes": _with_gradient(tf, loss, np.sin(np.arange(12.0)).reshape(2, 3, 2), np.cos(np.arange(12.0)).reshape(2, 3, 2)),
        "shapes that differ": raises(lambda: loss(TRUE, PRED[:, :2])),
    }
