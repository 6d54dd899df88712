"""Cases: biases, moments, normalisation, L2 losses, dropout and embeddings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints


def bias(layout: str | None = None) -> Callable[..., Any]:
    return lambda tf, x, b: tf.nn.bias_add(x, b, data_format=layout)


def bias_grad(layout: str) -> Callable[..., Any]:
    return lambda tf, g: tf.raw_ops.BiasAddGrad(out_backprop=g, data_format=layout)


CASES: list[Case] = [
    case("BiasAdd", "matrix", bias(), floats(3, 4), floats(4, seed=1)),
    case("BiasAdd", "float64 cube", bias(), floats(2, 3, 4, dtype="float64"), floats(4, seed=1, dtype="float64")),
    case("BiasAdd", "NHWC", bias("NHWC"), floats(1, 2, 3, 2), floats(2, seed=1)),
    case("BiasAdd", "NCHW", bias("NCHW"), floats(1, 2, 3, 2), floats(2, seed=1)),
    case("BiasAdd", "NC", bias("N...C"), floats(2, 3, 2), floats(2, seed=1)),
    case("BiasAdd", "NC first", bias("NC..."), floats(2, 3, 2), floats(3, seed=1)),
    case("BiasAdd", "empty batch", bias(), floats(0, 4), floats(4), smooth=False),
    case(
        "BiasAdd", "float16", bias(), floats(2, 3, dtype="float16"), floats(3, seed=1, dtype="float16"), smooth=False, rtol=1e-2
    ),  # halves
    case("BiasAdd", "int32", bias(), ints(2, 3), ints(3, seed=1), smooth=False),
    case("BiasAdd", "complex", bias(), floats(2, 3, dtype="complex64"), floats(3, seed=1, dtype="complex64")),
    case("BiasAdd", "version 1", lambda tf, x, b: tf.nn.bias_add(x, b), floats(2, 3), floats(3, seed=1), face="v1"),
    case("BiasAddGrad", "NHWC", bias_grad("NHWC"), floats(2, 3, 2)),
    case("BiasAddGrad", "NCHW", bias_grad("NCHW"), floats(2, 3, 2, 2)),
    case("BiasAddGrad", "float64 matrix", bias_grad("NHWC"), floats(3, 2, dtype="float64")),
    case("BiasAddGrad", "NCHW of rank 3", bias_grad("NCHW"), floats(2, 3, 2)),
]


def l2_loss(tf: Any, x: Any) -> Any:
    return tf.nn.l2_loss(x)


CASES += [
    case("L2Loss", "matrix", l2_loss, floats(3, 4)),
    case("L2Loss", "float64 scalar", l2_loss, floats(dtype="float64")),
    case("L2Loss", "empty", l2_loss, floats(0), smooth=False),
    case("L2Loss", "float16", l2_loss, floats(4, dtype="float16"), smooth=False, rtol=1e-2),  # halves are summed
    case("L2Loss", "bfloat16", l2_loss, floats(4, dtype="bfloat16"), smooth=False, rtol=4e-2),  # eight bits are summed
]


def normalized(**options: Any) -> Callable[..., Any]:
    return lambda tf, x: tf.nn.l2_normalize(x, **options)


UNIT = "nn.l2_normalize"
CASES += [
    case(UNIT, "all", normalized(), floats(3, 4)),
    case(UNIT, "axis 1", normalized(axis=1), floats(3, 4)),
    case(UNIT, "two axes float64", normalized(axis=[0, 2]), floats(2, 3, 2, dtype="float64")),
    case(UNIT, "at zero", normalized(axis=-1), np.array([[0, 0], [1e-8, 0], [3, 4]], np.float32), smooth=False),
    case(UNIT, "epsilon", normalized(axis=0, epsilon=10.0), floats(3)),
    case(UNIT, "complex", normalized(), floats(3, dtype="complex64"), smooth=False),
    case(UNIT, "math alias", lambda tf, x: tf.math.l2_normalize(x, 0), floats(3)),
    case(UNIT, "version 1 dim", lambda tf, x: tf.nn.l2_normalize(x, dim=1), floats(3, 2), face="v1"),
    case("nn.zero_fraction", "floats", lambda tf, x: tf.nn.zero_fraction(x), np.array([0, 1, 0, 2, 0], np.float32), smooth=False),
    case("nn.zero_fraction", "integers", lambda tf, x: tf.math.zero_fraction(x), ints(2, 5, high=2), smooth=False),
]


def moments(axes: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf, x: list(tf.nn.moments(x, axes, **options))


def weighted(axes: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf, x, w: list(tf.nn.weighted_moments(x, axes, w, **options))


CASES += [
    case("nn.moments", "axis 0", moments([0]), floats(4, 3)),
    case("nn.moments", "integer axis", moments(1), floats(2, 3)),
    case("nn.moments", "kept", moments([0, 2], keepdims=True), floats(2, 3, 2, dtype="float64")),
    case("nn.moments", "negative axis", moments([-1]), floats(2, 3)),
    case("nn.moments", "float16", moments([0]), floats(4, dtype="float16"), smooth=False, rtol=1e-2),  # halves
    case("nn.moments", "constant", moments([0]), np.full(4, 3, np.float32), smooth=False),
    case("nn.moments", "shift argument", lambda tf, x: list(tf.nn.moments(x, [0], shift=None, keepdims=False)), floats(4, 2)),
    case("nn.moments", "version 1 keep_dims", lambda tf, x: list(tf.nn.moments(x, [0], keep_dims=True)), floats(4, 2), face="v1"),
    case("nn.weighted_moments", "axis 0", weighted([0]), floats(4, 3), floats(4, 3, low=0.2, seed=1)),
    case("nn.weighted_moments", "broadcast weights", weighted([0, 1]), floats(4, 3), floats(4, 1, low=0.2, seed=1)),
    case("nn.weighted_moments", "kept", weighted([1], keepdims=True), floats(2, 3), floats(2, 3, low=0.2, seed=1)),
    case("nn.sufficient_statistics", "axis 0", lambda tf, x: list(tf.nn.sufficient_statistics(x, [0]))[:3], floats(4, 3)),
    case(
        "nn.normalize_moments",
        "float32",
        lambda tf, c, m, v: list(tf.nn.normalize_moments(c, m, v, None)),
        np.array(4, np.float32),
        floats(3),
        floats(3, low=5, high=9, seed=1),
    ),
]


def batch_norm(tf: Any, x: Any, mean: Any, variance: Any, offset: Any, scale: Any) -> Any:
    return tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3)


POSITIVE = floats(3, low=0.5, high=2, seed=1)
CASES += [
    case("nn.batch_normalization", "all", batch_norm, floats(4, 3), floats(3, seed=2), POSITIVE, floats(3, seed=3), floats(3, seed=4)),
    case(
        "nn.batch_normalization",
        "no offset",
        lambda tf, x, m, v, s: tf.nn.batch_normalization(x, m, v, None, s, 1e-3),
        floats(4, 3),
        floats(3, seed=2),
        POSITIVE,
        floats(3, seed=4),
    ),
    case(
        "nn.batch_normalization",
        "bare",
        lambda tf, x, m, v: tf.nn.batch_normalization(x, m, v, None, None, variance_epsilon=0.1),
        floats(4, 3),
        floats(3, seed=2),
        POSITIVE,
    ),
    case(
        "nn.batch_normalization",
        "with moments",
        lambda tf, x: tf.nn.batch_normalization(x, *tf.nn.moments(x, [0]), None, None, 1e-3),
        floats(4, 3, dtype="float64"),
    ),
]


def fused(layout: str = "NHWC", training: bool = True, **options: Any) -> Callable[..., Any]:
    """The normalised images; TensorFlow passes no gradient through the statistics."""

    def call(tf: Any, x: Any, scale: Any, offset: Any, *rest: Any) -> Any:
        outputs = tf.nn.fused_batch_norm(x, scale, offset, *rest, epsilon=0.01, data_format=layout, is_training=training, **options)
        return outputs[0] if training and not rest else [outputs[0], *map(tf.stop_gradient, outputs[1:])]

    return call


def statistics(tf: Any, x: Any, scale: Any, offset: Any) -> Any:
    return [tf.stop_gradient(t) for t in tf.nn.fused_batch_norm(x, scale, offset)[1:]]


FUSED = "FusedBatchNormV3"
IMAGES, TWO = floats(2, 2, 3, 2), (floats(2, seed=1), floats(2, seed=2))
MOVING = (floats(2, seed=3), floats(2, low=0.5, seed=4))
CHANNELS_FIRST = (floats(2, 2, 3, 2), floats(2, seed=1), floats(2, seed=2))
CASES += [
    case(FUSED, "training", fused(), IMAGES, *TWO, face="v1"),
    case(FUSED, "training NCHW", fused("NCHW"), *CHANNELS_FIRST, face="v1"),
    case(FUSED, "statistics", statistics, IMAGES, *TWO, face="v1", smooth=False),
    case(FUSED, "inference", fused(training=False), IMAGES, *TWO, *MOVING, face="v1", smooth=False),
    case(FUSED, "moving average", fused(exponential_avg_factor=0.3), IMAGES, *TWO, *MOVING, face="v1", smooth=False),
]

CHANNELS = floats(1, 2, 2, 6, seed=6)
CASES += [
    case("LRN", "defaults", lambda tf, x: tf.nn.local_response_normalization(x), CHANNELS, rtol=1e-4),  # powers in single precision
    case("LRN", "options", lambda tf, x: tf.nn.lrn(x, depth_radius=1, bias=2.0, alpha=0.3, beta=0.75), CHANNELS, rtol=1e-4),  # the same
    case("LRN", "float16", lambda tf, x: tf.nn.lrn(x, 2), CHANNELS.astype(np.float16), smooth=False, rtol=2e-2),  # halves
    case(
        "nn.batch_norm_with_global_normalization",
        "scaled",
        lambda tf, x, m, v, b, s: tf.nn.batch_norm_with_global_normalization(x, m, v, b, s, 0.01, True),
        floats(2, 3),
        floats(3, seed=1),
        floats(3, low=0.5, seed=2),
        floats(3, seed=3),
        floats(3, seed=4),
    ),
]


def dropped(**options: Any) -> Callable[..., Any]:
    def call(tf: Any, x: Any) -> Any:
        tf.random.set_seed(11)
        return tf.nn.dropout(x, **options)

    return call


DROP = "nn.dropout"
CASES += [
    case(DROP, "rate", dropped(rate=0.4, seed=3), floats(4, 5)),
    case(DROP, "rate zero", dropped(rate=0, seed=3), floats(3)),
    case(DROP, "rate zero float", dropped(rate=0.0, seed=3), floats(3)),
    case(DROP, "float64", dropped(rate=0.25, seed=4), floats(8, dtype="float64")),
    case(DROP, "float16", dropped(rate=0.25, seed=4), floats(8, dtype="float16"), smooth=False, rtol=1e-2),  # halves
    case(DROP, "noise shape", dropped(rate=0.5, noise_shape=[4, 1], seed=5), floats(4, 3)),
    case(DROP, "noise shape with a free size", dropped(rate=0.5, noise_shape=[None, 1], seed=5), floats(4, 3)),
    case(DROP, "stateless", lambda tf, x: tf.nn.experimental.stateless_dropout(x, 0.4, seed=[1, 2]), floats(4, 5)),
]


def lookup(**options: Any) -> Callable[..., Any]:
    return lambda tf, p, i: tf.nn.embedding_lookup(p, i, **options)


EMBED = "nn.embedding_lookup"
CASES += [
    case(EMBED, "vector of ids", lookup(), floats(5, 3), np.array([0, 3, 3])),
    case(EMBED, "matrix of ids", lookup(), floats(5, 2), ints(2, 3, high=5, dtype="int64")),
    case(EMBED, "scalar id", lookup(), floats(5, 2), np.array(4)),
    case(EMBED, "max_norm", lookup(max_norm=1.0), floats(5, 3), np.array([0, 3, 3])),
    case(EMBED, "one shard", lambda tf, p, i: tf.nn.embedding_lookup([p], i), floats(5, 3), np.array([0, 3, 3])),
    case(
        EMBED,
        "two shards mod",
        lambda tf, p, q, i: tf.nn.embedding_lookup([p, q], i),
        floats(3, 2),
        floats(2, 2, seed=1),
        np.array([4, 0, 1, 1]),
        face="v1",
    ),
    case(
        EMBED,
        "two shards div",
        lambda tf, p, q, i: tf.nn.embedding_lookup([p, q], i, partition_strategy="div"),
        floats(3, 2),
        floats(2, 2, seed=1),
        np.array([4, 0, 2, 2]),
        face="v1",
    ),
]

ERRORS: list[ErrorCase] = [
    error("BiasAdd: sizes differ", bias(), floats(3, 4), floats(3)),
    error("BiasAdd: sizes differ", bias(), floats(3, 4), floats(3), mode="graph"),
    error("BiasAdd: bias of rank 2", bias(), floats(3, 4), floats(1, 4)),
    error("BiasAdd: bias of rank 2", bias(), floats(3, 4), floats(1, 4), mode="graph"),
    error("BiasAdd: a vector", bias(), floats(4), floats(4)),
    error("BiasAdd: a vector", bias(), floats(4), floats(4), mode="graph"),
    error("bias_add: unknown layout", bias("HWC"), floats(3, 4), floats(4)),
    error("BiasAdd: dtypes differ", bias(), floats(3, 4), floats(4, dtype="float64")),
    error("L2Loss: int32", l2_loss, ints(3)),
    error("dropout: rate of one", dropped(rate=1.0), floats(3)),
    error("dropout: negative rate", dropped(rate=-0.1), floats(3)),
    error("dropout: integers", dropped(rate=0.5), ints(3)),
    error("dropout: noise shape does not broadcast", dropped(rate=0.5, noise_shape=[3, 2]), floats(4, 3)),
    error("embedding_lookup: id out of range", lookup(), floats(5, 3), np.array([5])),
    error("embedding_lookup: no params", lambda tf, i: tf.nn.embedding_lookup(None, i), np.array([5])),
    error("embedding_lookup: float ids", lookup(), floats(5, 3), floats(2)),
    error("dropout: keep_prob above one", lambda tf, x: tf.nn.dropout(x, keep_prob=1.5), floats(3), face="v1"),
    error("LRN: rank 2", lambda tf, x: tf.nn.lrn(x), floats(2, 2)),
    error("LRN: float64", lambda tf, x: tf.nn.lrn(x), floats(1, 1, 1, 2, dtype="float64")),
    error("FusedBatchNormV3: rank 2", fused(), floats(2, 2), floats(2), floats(2), face="v1"),
]
