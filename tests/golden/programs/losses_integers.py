"""Losses and metrics of integers, truth values and mixed dtypes, as functions, as objects, and TensorFlow 1's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers

FACE = "v2"
_PAIRS = {
    "int32": (np.int32([[0, 1, 2], [-3, 0, 1]]), np.int32([[1, 1, 0], [0, 5, 1]])),
    "int64": (np.array([[0, 1], [0, 0]]), np.array([[1, 1], [0, 0]])),
    "int8 that wraps": (np.int8([[0, 1, 100], [-3, 0, 1]]), np.int8([[-100, 1, 0], [0, 5, 1]])),
    "uint8 that wraps": (np.uint8([[0, 1, 200], [3, 0, 1]]), np.uint8([[1, 1, 0], [0, 5, 1]])),
    "bool and int32": (np.array([[True, False], [False, False]]), np.int32([[1, 1], [0, 0]])),
    "float32 and int64": (np.float32([[0.5, 2.5], [1.0, 0.0]]), np.array([[1, 2], [0, 1]])),
    "int32 and float32": (np.int32([[1, 2], [0, 1]]), np.float32([[0.5, 2.5], [1.0, 0.0]])),
    "float16": (np.float16([[1, 2], [0, 1]]), np.float16([[0.5, 2.5], [1.0, 0.0]])),
    "lists": ([[0, 1], [0, 0]], [[1, 1], [0, 0]]),
    "bool": (np.array([[True, False], [False, False]]), np.array([[True, True], [False, False]])),
}


def _crossed(space: Any, names: list[str], skip: tuple[str, ...] = ()) -> Answers:
    def answer(name: str, pair: tuple[Any, Any]) -> Callable[[], Any]:
        return lambda: getattr(space, name)(*pair) if name.islower() else getattr(space, name)()(*pair)

    return {f"{name}, {kind}": answer(name, pair) for name in names for kind, pair in _PAIRS.items() if f"{name}, {kind}" not in skip}


_REFUSED = {"bool": ("mse", "mae", "mape", "huber")}


def functions(tf: Any) -> Answers:
    refused = tuple(f"{name}, bool" for name in _REFUSED["bool"])
    return _crossed(tf.losses, ["mse", "mae", "mape", "msle", "huber"], refused)


def means(tf: Any) -> Answers:
    names = ["MeanSquaredError", "MeanAbsoluteError", "MeanAbsolutePercentageError"]
    return _crossed(tf.metrics, names, tuple(f"{name}, bool" for name in names)) | _crossed(
        tf.metrics, ["MeanSquaredLogarithmicError", "RootMeanSquaredError", "BinaryAccuracy", "Accuracy", "CategoricalAccuracy"]
    )


def objects(tf: Any) -> Answers:
    return _crossed(tf.losses, ["MeanSquaredError", "MeanAbsoluteError", "Huber", "Hinge", "LogCosh", "BinaryCrossentropy", "Dice"])


def curves(tf: Any) -> Answers:
    """Scores beyond [0, 1] count as its ends, where thresholds are even."""
    labels, scores = np.array([1, 0, 1, 1, 0]), np.array([2, 0, -3, 1, 1])
    made = {
        "AUC": lambda: tf.metrics.AUC(),
        "few points": lambda: tf.metrics.AUC(num_thresholds=5, curve="PR"),
        "SensitivityAtSpecificity": lambda: tf.metrics.SensitivityAtSpecificity(0.5),
        "Precision, even": lambda: tf.metrics.Precision([0.0, 0.5, 1.0]),
        "Precision": lambda: tf.metrics.Precision(0.5),
        "TruePositives, even": lambda: tf.metrics.TruePositives([0.0, 0.5, 1.0]),
    }
    return {name: lambda m=metric: m()(labels, scores) for name, metric in made.items()}


def losses_v1(tf: Any) -> Answers:
    """TensorFlow 1's compute in float32 whatever they are given."""
    losses = tf.compat.v1.losses
    names = ["mean_squared_error", "absolute_difference", "huber_loss", "hinge_loss", "log_loss"]
    return _crossed(losses, names) | {
        "weights of integers": lambda: losses.mean_squared_error([[1, 2]], [[3, 3]], weights=[[1, 3]]),
        "a loss of integers": lambda: losses.compute_weighted_loss([1, 2, 2], weights=[1.0, 0.5, 0.5]),
    }
