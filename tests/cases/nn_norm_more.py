"""Cases: gradients of normalisation as operations, older versions, isotonic regression, averaged losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

X, G, SCALE, OFFSET = floats(2, 3, 2, 3), floats(2, 3, 2, 3, seed=1), floats(3, low=0.5, seed=2), floats(3, seed=3)
MEAN, VARIANCE = floats(3, seed=4), floats(3, low=0.5, seed=5)
SINGLE = {"rtol": 1e-4}  # sums in another order
NOTHING = np.zeros(0, np.float32)


def norm(version: str, *, training: bool = True, **options: Any) -> Callable[..., Any]:
    def call(tf: Any, x: Any, scale: Any, offset: Any) -> Any:
        mean, variance = (NOTHING, NOTHING) if training else (MEAN, VARIANCE)
        op = getattr(tf.raw_ops, f"FusedBatchNorm{version}")
        return op(x=x, scale=scale, offset=offset, mean=mean, variance=variance, is_training=training, epsilon=0.01, **options)[0]

    return call


def norm_grad(version: str, *, training: bool = True, **options: Any) -> Callable[..., Any]:
    def call(tf: Any, g: Any, x: Any, scale: Any) -> Any:
        axes = [0, 1, 2] if len(x.shape) == 4 else [0, 1, 2, 3]
        mean, variance = tf.nn.moments(tf.stop_gradient(x), axes) if training else (MEAN, VARIANCE)
        rest = {"reserve_space_3": NOTHING} if version == "V3" else {}
        op = getattr(tf.raw_ops, f"FusedBatchNormGrad{version}")
        given = {"y_backprop": g, "x": x, "scale": scale, "reserve_space_1": mean, "reserve_space_2": variance, **rest}
        return tuple(op(**given, is_training=training, epsilon=0.01, **options)[:3])

    return call


def constant_x(call: Callable[..., Any]) -> Callable[..., Any]:
    """The mean and variance that the gradient is given do not move with x: differences in x say something else."""
    return lambda tf, g, scale: call(tf, g, tf.constant(X), scale)


CASES: list[Case] = []
for version in ("", "V2", "V3"):
    op, grad = f"FusedBatchNorm{version}", f"FusedBatchNormGrad{version}"
    CASES += [
        case(op, "raw", norm(version), X, SCALE, OFFSET, **SINGLE),
        case(op, "raw, statistics given", norm(version, training=False), X, SCALE, OFFSET, **SINGLE),
        case(grad, "raw", norm_grad(version), G, X, SCALE, smooth=False, **SINGLE),
        case(grad, "raw, x constant", constant_x(norm_grad(version)), G, SCALE, **SINGLE),
        case(grad, "raw, statistics given", norm_grad(version, training=False), G, X, SCALE, **SINGLE),
    ]
CASES += [
    case("FusedBatchNormV3", "volumes", norm("V3", data_format="NDHWC"), floats(2, 2, 2, 2, 3), SCALE, OFFSET, **SINGLE),
    case(
        "FusedBatchNormV3",
        "volumes, channels first, statistics given",
        norm("V3", data_format="NCDHW", training=False),
        floats(2, 3, 1, 2, 2),
        SCALE,
        OFFSET,
        **SINGLE,
    ),
    case(
        "FusedBatchNormGradV3",
        "volumes",
        norm_grad("V3", data_format="NDHWC"),
        floats(2, 2, 2, 2, 3),
        floats(2, 2, 2, 2, 3, seed=1),
        SCALE,
        smooth=False,
        **SINGLE,
    ),
    case(
        "FusedBatchNormGradV3",
        "channels first, statistics given",
        norm_grad("V3", data_format="NCHW", training=False),
        floats(2, 3, 2, 2),
        floats(2, 3, 2, 2, seed=1),
        SCALE,
        **SINGLE,
    ),
    case(
        "FusedBatchNormGradV3",
        "float16",
        norm_grad("V3", training=False),
        floats(1, 2, 2, 3, dtype="float16"),
        floats(1, 2, 2, 3, dtype="float16", seed=1),
        SCALE,
        smooth=False,
        rtol=1e-2,
    ),  # halves
    case(
        "FusedBatchNormV3",
        "fused_batch_norm of volumes",
        lambda tf, x, s, o: tf.nn.fused_batch_norm(x, s, o, data_format="NDHWC")[0],
        floats(2, 2, 2, 2, 3),
        SCALE,
        OFFSET,
        face="v1",
        **SINGLE,
    ),
    *(
        case(
            "BatchNormWithGlobalNormalization",
            f"scaled {scaled}",
            lambda tf, *v, s=scaled: tf.raw_ops.BatchNormWithGlobalNormalization(
                **dict(zip(("t", "m", "v", "beta", "gamma"), v, strict=True)), variance_epsilon=0.01, scale_after_normalization=s
            ),
            X,
            MEAN,
            VARIANCE,
            OFFSET,
            SCALE,
        )
        for scaled in (True, False)
    ),
    case(
        "BatchNormWithGlobalNormalizationGrad",
        "raw",
        lambda tf, *v: tuple(
            tf.stop_gradient(t)
            for t in tf.raw_ops.BatchNormWithGlobalNormalizationGrad(
                **dict(zip(("t", "m", "v", "gamma", "backprop"), v, strict=True)), variance_epsilon=0.01, scale_after_normalization=True
            )
        ),
        X,
        MEAN,
        VARIANCE,
        SCALE,
        G,
        smooth=False,
    ),
    case("BiasAddV1", "images", lambda tf, x, b: tf.raw_ops.BiasAddV1(value=x, bias=b), X, OFFSET),
    case("BiasAddV1", "int32", lambda tf, x, b: tf.raw_ops.BiasAddV1(value=x, bias=b), ints(2, 3), ints(3, seed=1), smooth=False),
    case("TopK", "raw", lambda tf, x: tf.raw_ops.TopK(input=x, k=2)[0], floats(2, 4)),
    case("InTopK", "raw", lambda tf, x, t: tf.raw_ops.InTopK(predictions=x, targets=t, k=2), floats(3, 4), ints(3, high=4), smooth=False),
    *(
        case(
            "LRNGrad",
            f"radius {radius}, beta {beta}",
            lambda tf, g, x, r=radius, b=beta: tf.stop_gradient(
                tf.raw_ops.LRNGrad(
                    input_grads=g,
                    input_image=x,
                    output_image=tf.nn.lrn(x, r, 1.5, 0.3, b),
                    depth_radius=r,
                    bias=1.5,
                    alpha=0.3,
                    beta=b,
                )
            ),
            floats(2, 1, 2, 5),
            floats(2, 1, 2, 5, seed=1),
            smooth=False,
        )
        for radius, beta in ((1, 0.5), (2, 0.75))
    ),
    case("IsotonicRegression", "rows", lambda tf, x: tf.nn.isotonic_regression(x)[0], floats(3, 6, dtype="float64")),
    case("IsotonicRegression", "segments", lambda tf, x: tf.nn.isotonic_regression(x)[1], floats(3, 6), smooth=False),
    case("IsotonicRegression", "rising", lambda tf, x: tf.nn.isotonic_regression(x, decreasing=False)[0], floats(2, 5, dtype="float64")),
    case("IsotonicRegression", "columns", lambda tf, x: tf.nn.isotonic_regression(x, axis=0)[0], floats(5, 3, dtype="float64")),
    case(
        "IsotonicRegression",
        "rank 3",
        lambda tf, x: tf.nn.isotonic_regression(x, axis=1)[0],
        floats(2, 4, 2, dtype="float64"),
        beyond=True,
    ),
    case(
        "IsotonicRegression",
        "one row",
        lambda tf, x: tf.stop_gradient(tf.nn.isotonic_regression(x)[0]),  # TensorFlow's gradient of a vector has another shape
        floats(5),
        smooth=False,
    ),
    case(
        "IsotonicRegression",
        "ties",
        lambda tf, x: tuple(tf.nn.isotonic_regression(x)),
        np.float32([[2, 2, 1, 1, 0], [3, 1, 2, 5, 4], [1, 1, 1, 1, 1]]),
        smooth=False,
    ),
    case("IsotonicRegression", "int32", lambda tf, x: tf.nn.isotonic_regression(x)[0], ints(2, 5), smooth=False),
    case("IsotonicRegression", "int8", lambda tf, x: tf.nn.isotonic_regression(x)[0], ints(2, 5, dtype="int8"), smooth=False),
    case(
        "IsotonicRegression",
        "empty",
        lambda tf, x: tf.stop_gradient(tf.raw_ops.IsotonicRegression(input=x)[0]),
        np.zeros((0, 3), np.float32),
        smooth=False,
    ),
    case("DivNoNan", "compute_average_loss", lambda tf, x: tf.nn.compute_average_loss(x), floats(4)),
    case(
        "DivNoNan",
        "compute_average_loss, weights, batch size",
        lambda tf, x, w: tf.nn.compute_average_loss(x, w, 7),
        floats(4, 2),
        floats(4, seed=1),
        smooth=False,
    ),  # weights are applied in single precision
    case("DivNoNan", "compute_average_loss of nothing", lambda tf, x: tf.nn.compute_average_loss(x), floats(0), smooth=False),
    case("RealDiv", "scale_regularization_loss", lambda tf, x: tf.nn.scale_regularization_loss(x), floats(4, dtype="float64")),
]



ERRORS: list[ErrorCase] = [
    error("FusedBatchNormGradV3: rank 2", norm_grad("V3", training=False), G[0, 0], X[0, 0], SCALE),
    error("FusedBatchNormGradV3: shapes differ", norm_grad("V3", training=False), G[:1], X, SCALE),
    error("BiasAddV1: rank 1", lambda tf, x: tf.raw_ops.BiasAddV1(value=x, bias=x), OFFSET),
    error(
        "LRNGrad: shapes differ", lambda tf, g, x: tf.raw_ops.LRNGrad(input_grads=g, input_image=x, output_image=x), floats(1, 1, 1, 2), X
    ),
    error("compute_average_loss: a scalar", lambda tf, x: tf.nn.compute_average_loss(x), floats()),
]
