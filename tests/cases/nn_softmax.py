"""Cases: softmax, log-softmax and the cross-entropies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints


def softmax(tf: Any, x: Any) -> Any:
    return tf.nn.softmax(x)


def log_softmax(tf: Any, x: Any) -> Any:
    return tf.nn.log_softmax(x)


def along(name: str, axis: int) -> Callable[[Any, Any], Any]:
    return lambda tf, x: getattr(tf.nn, name)(x, axis=axis)


def hessian_column(f: Callable[..., Any]) -> Callable[..., Any]:
    """The gradient of `f` weighted by its argument: golden gradients of it are of second order."""

    def first(tf: Any, x: Any, *rest: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(tf, x, *rest)
        return tape.gradient(y, x) * x

    return first


EDGES = np.array([[0, 1000, -1000], [-np.inf, 0, 1], [1e30, 1e30, 0]], np.float32)

CASES: list[Case] = []
for op, name, f in (("Softmax", "softmax", softmax), ("LogSoftmax", "log_softmax", log_softmax)):
    CASES += [
        case(op, "matrix", f, floats(3, 4)),
        case(op, "vector float64", f, floats(5, dtype="float64")),
        case(op, "cube", f, floats(2, 3, 4)),
        case(op, "one class", f, floats(3, 1)),
        case(op, "first axis", along(name, 0), floats(3, 4)),
        case(op, "middle axis", along(name, 1), floats(2, 3, 4)),
        case(op, "axis -2", along(name, -2), floats(2, 3, 4, dtype="float64")),
        case(op, "axis -1", along(name, -1), floats(2, 3)),
        case(op, "empty batch", f, floats(0, 4), smooth=False),
        case(op, "float16", f, floats(2, 4, dtype="float16"), smooth=False, rtol=1e-2),  # halves are rounded on the way
        case(op, "bfloat16", f, floats(2, 4, dtype="bfloat16"), smooth=False, rtol=4e-2),  # eight bits are rounded on the way
        case(op, "large and infinite", f, EDGES, smooth=False),
        case(op, "second order", hessian_column(f), floats(2, 3, dtype="float64")),
        case(op, "version 1 dim", lambda tf, x, n=name: getattr(tf.nn, n)(x, dim=0), floats(3, 2), face="v1"),
        case(op, "version 1 axis", lambda tf, x, n=name: getattr(tf.nn, n)(x, axis=0), floats(3, 2), face="v1"),
    ]


def probabilities(*shape: int, dtype: str = "float32", seed: int = 7, axis: int = -1) -> np.ndarray[Any, Any]:
    raw = floats(*shape, low=0.1, high=1.0, seed=seed, dtype=dtype)
    return (raw / raw.sum(axis, keepdims=True)).astype(raw.dtype)


def cross_entropy(tf: Any, logits: Any, labels: Any) -> Any:
    return tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)


def constant_labels(tf: Any, logits: Any, labels: Any) -> Any:
    return tf.nn.softmax_cross_entropy_with_logits(tf.stop_gradient(labels), logits)


CE = "SoftmaxCrossEntropyWithLogits"
FIXED = probabilities(2, 3, dtype="float64")


def with_fixed_labels(tf: Any, logits: Any) -> Any:
    return tf.nn.softmax_cross_entropy_with_logits(tf.constant(FIXED), logits)


CASES += [
    case(CE, "matrix", cross_entropy, floats(3, 4), probabilities(3, 4)),
    case(CE, "float64", cross_entropy, floats(2, 5, dtype="float64"), probabilities(2, 5, dtype="float64")),
    case(CE, "vector", cross_entropy, floats(4), probabilities(4)),
    case(CE, "cube", cross_entropy, floats(2, 3, 4), probabilities(2, 3, 4)),
    case(CE, "axis 0", lambda tf, x, p: tf.nn.softmax_cross_entropy_with_logits(p, x, axis=0), floats(4, 3), probabilities(4, 3, axis=0)),
    case(
        CE,
        "axis 1 of a cube",
        lambda tf, x, p: tf.nn.softmax_cross_entropy_with_logits(p, x, 1),
        floats(2, 3, 4),
        probabilities(2, 3, 4, axis=1),
    ),
    case(CE, "unnormalised labels", cross_entropy, floats(3, 4), floats(3, 4, seed=2), smooth=False),
    case(CE, "labels stopped", constant_labels, floats(3, 4), probabilities(3, 4), smooth=False),
    case(CE, "empty batch", cross_entropy, floats(0, 4), floats(0, 4), smooth=False),
    case(CE, "large logits", cross_entropy, np.array([[1000, 0, -1000], [0, 0, 0]], np.float32), probabilities(2, 3), smooth=False),
    case(CE, "float16", cross_entropy, floats(2, 3, dtype="float16"), probabilities(2, 3, dtype="float16"), smooth=False, rtol=1e-2),
    case(
        CE,
        "second order in the logits",
        hessian_column(with_fixed_labels),
        floats(2, 3, dtype="float64"),
    ),
    case(
        CE,
        "one hot from integers",
        lambda tf, x, i: tf.nn.softmax_cross_entropy_with_logits(tf.one_hot(i, 4), x),
        floats(3, 4),
        ints(3, high=4),
    ),
    case(CE, "integer labels", cross_entropy, floats(3, 4), ints(3, 4, high=3), smooth=False),
    case(
        CE,
        "raw op, both outputs",
        lambda tf, x: list(tf.raw_ops.SoftmaxCrossEntropyWithLogits(features=x, labels=tf.constant(FIXED))),
        floats(2, 3, dtype="float64"),
    ),
    case(
        CE,
        "raw op, labels broadcast",
        lambda tf, x, p: tf.raw_ops.SoftmaxCrossEntropyWithLogits(features=x, labels=p)[0],
        floats(3, 4),
        probabilities(3, 4),
    ),
    case(
        CE,
        "version 1 keeps labels constant",
        lambda tf, x, p: tf.nn.softmax_cross_entropy_with_logits(labels=p, logits=x),
        floats(3, 4),
        probabilities(3, 4),
        smooth=False,
        face="v1",
    ),
    case(
        CE,
        "version 1 dim",
        lambda tf, x, p: tf.nn.softmax_cross_entropy_with_logits(labels=p, logits=x, dim=0),
        floats(4, 3),
        probabilities(4, 3),
        smooth=False,
        face="v1",
    ),
    case(
        CE,
        "version 1 v2",
        lambda tf, x, p: tf.nn.softmax_cross_entropy_with_logits_v2(labels=p, logits=x),
        floats(3, 4),
        probabilities(3, 4),
        face="v1",
    ),
]


def sparse(tf: Any, logits: Any, labels: Any) -> Any:
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)


SPARSE = "SparseSoftmaxCrossEntropyWithLogits"
CASES += [
    case(SPARSE, "matrix int32", sparse, floats(3, 4), ints(3, high=4)),
    case(SPARSE, "matrix int64 float64", sparse, floats(3, 4, dtype="float64"), ints(3, high=4, dtype="int64")),
    case(SPARSE, "vector", sparse, floats(4), np.array(2, np.int32)),
    case(SPARSE, "cube", sparse, floats(2, 3, 4), ints(2, 3, high=4)),
    case(SPARSE, "empty batch", sparse, floats(0, 4), ints(0), smooth=False),
    case(SPARSE, "large logits", sparse, np.array([[1000, 0, -1000]], np.float32), np.array([1]), smooth=False),
    case(SPARSE, "float16", sparse, floats(2, 3, dtype="float16"), ints(2, high=3), smooth=False, rtol=1e-2),
    case(SPARSE, "second order", hessian_column(sparse), floats(2, 3, dtype="float64"), ints(2, high=3)),
    case(
        SPARSE,
        "raw op, both outputs",
        lambda tf, x, i: list(tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=x, labels=i)),
        floats(3, 4),
        ints(3, high=4),
    ),
    case(
        SPARSE,
        "version 1",
        lambda tf, x, i: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=i, logits=x),
        floats(3, 4),
        ints(3, high=4),
        face="v1",
    ),
]


def sigmoid(tf: Any, logits: Any, labels: Any) -> Any:
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)


def weighted(tf: Any, logits: Any, labels: Any) -> Any:
    return tf.nn.weighted_cross_entropy_with_logits(labels=labels, logits=logits, pos_weight=2.5)


SIG, WEIGHTED, POISSON = "nn.sigmoid_cross_entropy_with_logits", "nn.weighted_cross_entropy_with_logits", "nn.log_poisson_loss"
BIG = np.array([-200, -20, 0, 20, 200], np.float32)
FLAGS = np.array([0, 1, 1, 0, 1], np.float32)
CASES += [
    case(SIG, "matrix", sigmoid, floats(3, 4), probabilities(3, 4)),
    case(SIG, "float64", sigmoid, floats(4, dtype="float64"), probabilities(4, dtype="float64")),
    case(SIG, "scalar", sigmoid, floats(), floats(low=0.0, high=1.0, seed=2)),
    case(SIG, "large logits", sigmoid, BIG, FLAGS, smooth=False),
    case(SIG, "at zero", sigmoid, np.zeros(2, np.float32), FLAGS[:2], smooth=False),
    case(SIG, "second order", hessian_column(sigmoid), floats(3, dtype="float64"), probabilities(3, dtype="float64")),
    case(
        SIG,
        "version 1",
        lambda tf, x, p: tf.nn.sigmoid_cross_entropy_with_logits(labels=p, logits=x),
        floats(3),
        probabilities(3),
        face="v1",
    ),
    case(WEIGHTED, "matrix", weighted, floats(3, 4), probabilities(3, 4)),
    case(WEIGHTED, "large logits", weighted, BIG, FLAGS, smooth=False),
    case(
        WEIGHTED,
        "weight tensor",
        lambda tf, x, p, w: tf.nn.weighted_cross_entropy_with_logits(p, x, w),
        floats(3, 2),
        probabilities(3, 2),
        floats(2, low=0.5, seed=9),
    ),
    case(
        WEIGHTED,
        "version 1 targets",
        lambda tf, x, p: tf.nn.weighted_cross_entropy_with_logits(targets=p, logits=x, pos_weight=0.5),
        floats(3),
        probabilities(3),
        face="v1",
    ),
    case(POISSON, "float32", lambda tf, x, t: tf.nn.log_poisson_loss(t, x), floats(4), floats(4, low=0.5, high=3, seed=1)),
    case(
        POISSON,
        "full",
        lambda tf, x, t: tf.nn.log_poisson_loss(targets=t, log_input=x, compute_full_loss=True),
        floats(4),
        np.array([0.0, 0.5, 2.0, 3.5], np.float32),
        smooth=False,
    ),
]

LOSSES = "losses."
V1: dict[str, Any] = {"face": "v1", "smooth": False}  # they compute in single precision, too coarse for differences
CASES += [
    case(
        LOSSES + "softmax",
        "mean of rows",
        lambda tf, x, p: tf.losses.softmax_cross_entropy(p, x),
        floats(3, 4),
        probabilities(3, 4),
        **V1,
    ),
    case(
        LOSSES + "sparse",
        "mean of rows",
        lambda tf, x, i: tf.losses.sparse_softmax_cross_entropy(i, x),
        floats(3, 4),
        ints(3, high=4),
        **V1,
    ),
    case(LOSSES + "sigmoid", "mean", lambda tf, x, p: tf.losses.sigmoid_cross_entropy(p, x), floats(3, 4), probabilities(3, 4), **V1),
    case(LOSSES + "mean_squared", "mean", lambda tf, x, y: tf.losses.mean_squared_error(y, x), floats(3, 4), floats(3, 4, seed=1), **V1),
    case(
        LOSSES + "mean_squared",
        "row weights",
        lambda tf, x, y: tf.losses.mean_squared_error(y, x, weights=tf.constant([[1.0], [0.0], [2.0]])),
        floats(3, 4),
        floats(3, 4, seed=1),
        **V1,
    ),
    case(
        LOSSES + "mean_squared",
        "not reduced",
        lambda tf, x, y: tf.losses.mean_squared_error(y, x, reduction=tf.losses.Reduction.NONE),
        floats(3),
        floats(3, seed=1),
        **V1,
    ),
    case(
        LOSSES + "mean_squared",
        "sum",
        lambda tf, x, y: tf.losses.mean_squared_error(y, x, reduction=tf.losses.Reduction.SUM),
        floats(3),
        floats(3, seed=1),
        **V1,
    ),
    case(LOSSES + "absolute", "mean", lambda tf, x, y: tf.losses.absolute_difference(y, x), floats(3, 4), floats(3, 4, seed=1), **V1),
    case(LOSSES + "log", "mean", lambda tf, x, y: tf.losses.log_loss(y, x), probabilities(3, 4), probabilities(3, 4, seed=1), **V1),
    case(LOSSES + "hinge", "mean", lambda tf, x, y: tf.losses.hinge_loss(y, x), floats(3, 4), np.eye(3, 4, dtype=np.float32), **V1),
    case(LOSSES + "huber", "mean", lambda tf, x, y: tf.losses.huber_loss(y, x, delta=0.7), floats(3, 4), floats(3, 4, seed=1), **V1),
    case(LOSSES + "cosine", "axis 1", lambda tf, x, y: tf.losses.cosine_distance(y, x, axis=1), floats(3, 4), floats(3, 4, seed=1), **V1),
]

ERRORS: list[ErrorCase] = [
    error("Softmax: a scalar", softmax, floats(), mode="graph"),
    error("Softmax: int32", softmax, ints(3)),
    error("Softmax: int32", softmax, ints(3), mode="graph"),
    error("Softmax: axis too large", along("softmax", 2), floats(3, 4)),
    error("Softmax: axis too large", along("softmax", 2), floats(3, 4), mode="graph"),
    error("LogSoftmax: axis too small", along("log_softmax", -3), floats(3, 4)),
    error("SoftmaxCrossEntropyWithLogits: sizes differ", cross_entropy, floats(3, 4), floats(3, 5)),
    error("SoftmaxCrossEntropyWithLogits: sizes differ", cross_entropy, floats(3, 4), floats(3, 5), mode="graph"),
    error("softmax_cross_entropy_with_logits: no labels", lambda tf, x: tf.nn.softmax_cross_entropy_with_logits(None, x), floats(3, 4)),
    error("SparseSoftmaxCrossEntropyWithLogits: ranks do not fit", sparse, floats(3, 4), ints(3, 1)),
    error("SparseSoftmaxCrossEntropyWithLogits: ranks do not fit", sparse, floats(3, 4), ints(3, 1), mode="graph"),
    error("SparseSoftmaxCrossEntropyWithLogits: sizes differ", sparse, floats(3, 4), ints(2)),
    error("SparseSoftmaxCrossEntropyWithLogits: float labels", sparse, floats(3, 4), floats(3)),
    error("SparseSoftmaxCrossEntropyWithLogits: label out of range", sparse, floats(3, 4), np.array([0, 4, 1])),
    error("SparseSoftmaxCrossEntropyWithLogits: scalar logits", sparse, floats(), ints()),
    error("sigmoid_cross_entropy_with_logits: sizes differ", sigmoid, floats(3), floats(4)),
    error("sigmoid_cross_entropy_with_logits: broadcastable sizes differ", sigmoid, floats(3, 1), floats(3)),
    error("weighted_cross_entropy_with_logits: sizes differ", weighted, floats(3), floats(4)),
    error("log_poisson_loss: sizes differ", lambda tf, x, t: tf.nn.log_poisson_loss(t, x), floats(3), floats(4)),
]
