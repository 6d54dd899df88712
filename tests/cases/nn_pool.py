"""Cases: pooling and the gradient operations behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

X = floats(2, 5, 4, 3, dtype="float64")
TIED = np.array([1, 2, 2, 1, 2, 2, 0, 0, 0], np.float32).reshape(1, 3, 3, 1)
WINDOWS: list[tuple[Any, Any]] = [(2, 2), (2, 1), ([3, 2], [1, 2]), ([1, 2, 3, 1], [1, 3, 1, 1])]


def maximum(size: Any, strides: Any, padding: Any = "VALID", **options: Any) -> Callable[..., Any]:
    return lambda tf, x: tf.nn.max_pool2d(x, size, strides, padding, **options)


def average(size: Any, strides: Any, padding: Any = "VALID", **options: Any) -> Callable[..., Any]:
    return lambda tf, x: tf.nn.avg_pool2d(x, size, strides, padding, **options)


CASES: list[Case] = []
for op, pool in (("MaxPool", maximum), ("AvgPool", average)):
    short = op[:3].lower()
    CASES += [
        *(
            case(op, f"{padding} {size} by {strides}", pool(size, strides, padding), X)
            for padding in ("VALID", "SAME")
            for size, strides in WINDOWS
        ),
        case(op, "whole image", pool([5, 4], 1), X),
        case(op, "empty batch", pool(2, 2), floats(0, 4, 4, 1), smooth=False),
        case(op, "float32", pool(2, 2), floats(1, 4, 4, 2)),
        case(op, "float16", pool(2, 1), floats(1, 3, 3, 1, dtype="float16"), smooth=False, rtol=1e-2),  # halves
        case(op, "bfloat16", pool(2, 1), floats(1, 3, 3, 1, dtype="bfloat16"), smooth=False, rtol=4e-2),  # eight bits
        case(op, "ties", pool(2, 1), TIED, smooth=False),
        case(
            op,
            "channels first",
            lambda tf, x, p=pool: tf.stop_gradient(p(2, 1, "SAME", data_format="NCHW")(tf, x)),
            floats(2, 3, 4, 4),
            smooth=False,
        ),
        case(op, "any rank", lambda tf, x, n=f"{short}_pool": getattr(tf.nn, n)(x, 2, 2, "SAME"), X),
        case(
            op,
            "one axis, strides over the batch",
            lambda tf, x, n=f"{short}_pool1d": getattr(tf.nn, n)(x, [1, 2, 1], [2, 2, 1], "VALID"),
            floats(2, 5, 3),
        ),
        case(op, "one axis", lambda tf, x, n=f"{short}_pool1d": getattr(tf.nn, n)(x, 2, 1, "SAME"), floats(2, 5, 3)),
        case(op, "version 1", lambda tf, x, n=f"{short}_pool": getattr(tf.nn, n)(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), X, face="v1"),
        case(
            op,
            "version 1 named",
            lambda tf, x, n=f"{short}_pool": getattr(tf.nn, n)(value=x, ksize=[1, 2, 2, 1], strides=[1, 1, 1, 1], padding="VALID"),
            X,
            face="v1",
        ),
    ]
CASES += [
    case("MaxPool", "explicit padding", maximum(2, 1, [[0, 0], [1, 0], [0, 1], [0, 0]]), X),
    case("MaxPool", "window larger, SAME", maximum(7, 1, "SAME"), X),
    case("AvgPool", "strides over channels", average([1, 2, 2, 1], [1, 2, 2, 2]), floats(2, 5, 4, 4, dtype="float64")),
    # TensorFlow's gradient counts the points of these windows wrongly.
    case("AvgPool", "window larger, SAME", lambda tf, x: tf.stop_gradient(average(7, 1, "SAME")(tf, x)), X, smooth=False),
    case("MaxPool", "by name", lambda tf, x: tf.nn.pool(x, [2, 2], "MAX", strides=[2, 1], padding="SAME"), X),
    case("AvgPool", "by name", lambda tf, x: tf.nn.pool(x, [2, 2], "AVG"), X),
    case("MaxPool", "int32", maximum(2, 1), ints(1, 3, 3, 1), smooth=False),
    case("MaxPool", "negative numbers padded", maximum(3, 1, "SAME"), floats(1, 3, 3, 1, low=-9, high=-1, dtype="float64")),
    case(
        "MaxPool", "over channels", lambda tf, x: tf.stop_gradient(tf.nn.max_pool(x, [1, 1, 1, 3], [1, 1, 1, 3], "VALID")), X, smooth=False
    ),
    case("MaxPool", "nan and infinity", maximum(2, 1), np.array([-np.inf, 1, np.inf, 2], np.float32).reshape(1, 2, 2, 1), smooth=False),
]


def max_grad(op: str, size: list[int], strides: list[int], padding: str) -> Callable[..., Any]:
    """The maxima are constants here: a difference quotient in them says nothing."""

    def call(tf: Any, x: Any, g: Any) -> Any:
        x = tf.stop_gradient(x)
        y = tf.nn.max_pool2d(x, size, strides, padding)
        return getattr(tf.raw_ops, op)(orig_input=x, orig_output=y, grad=g, ksize=size, strides=strides, padding=padding)

    return call


TWO, ONE = [1, 2, 2, 1], [1, 1, 1, 1]
CASES += [
    case("MaxPoolGrad", "VALID", max_grad("MaxPoolGrad", TWO, TWO, "VALID"), X, floats(2, 2, 2, 3, dtype="float64")),
    case("MaxPoolGrad", "SAME overlapping", max_grad("MaxPoolGrad", TWO, ONE, "SAME"), X, floats(2, 5, 4, 3, dtype="float64")),
    case("MaxPoolGrad", "ties", max_grad("MaxPoolGrad", TWO, ONE, "VALID"), TIED, floats(1, 2, 2, 1), smooth=False),
    case("MaxPoolGradGrad", "VALID", max_grad("MaxPoolGradGrad", TWO, TWO, "VALID"), X, floats(2, 5, 4, 3, dtype="float64", seed=1)),
    case(
        "MaxPoolGradGrad", "SAME overlapping", max_grad("MaxPoolGradGrad", TWO, ONE, "SAME"), X, floats(2, 5, 4, 3, dtype="float64", seed=1)
    ),
    case(
        "AvgPoolGrad",
        "VALID",
        lambda tf, g: tf.raw_ops.AvgPoolGrad(orig_input_shape=[2, 5, 4, 3], grad=g, ksize=TWO, strides=TWO, padding="VALID"),
        floats(2, 2, 2, 3, dtype="float64"),
    ),
    case(
        "AvgPoolGrad",
        "SAME overlapping",
        lambda tf, g: tf.raw_ops.AvgPoolGrad(orig_input_shape=[2, 5, 4, 3], grad=g, ksize=[1, 3, 2, 1], strides=ONE, padding="SAME"),
        floats(2, 5, 4, 3, dtype="float64"),
    ),
]


def second_order(pool: Callable[..., Any]) -> Callable[..., Any]:
    def call(tf: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = pool(2, 1, "SAME")(tf, x) ** 3
        return tape.gradient(y, x)

    return call


CASES += [case("MaxPool", "second order", second_order(maximum), X), case("AvgPool", "second order", second_order(average), X)]

ERRORS: list[ErrorCase] = [
    error("MaxPool: rank 2", maximum(2, 2), floats(4, 4)),
    error("MaxPool: rank 3", maximum(2, 2), floats(4, 4, 1), mode="graph"),
    error("AvgPool: rank 3", average(2, 2), floats(4, 4, 1), mode="graph"),
    error("MaxPool: window larger than the image", maximum(6, 1), floats(1, 4, 4, 1), mode="graph"),
    error("AvgPool: window larger than the image", average(6, 1), floats(1, 4, 4, 1), mode="graph"),
    error("MaxPool: stride zero", maximum(2, 0), floats(1, 4, 4, 1)),
    error("MaxPool: window zero", maximum(0, 1), floats(1, 4, 4, 1)),
    error("MaxPool: unknown padding", maximum(2, 2, "HALF"), floats(1, 4, 4, 1)),
    error("AvgPool: int32", average(2, 2), ints(1, 4, 4, 1)),
    error("AvgPool: int32", average(2, 2), ints(1, 4, 4, 1), mode="graph"),
    error("pool: unknown name", lambda tf, x: tf.nn.pool(x, [2, 2], "MIN"), floats(1, 4, 4, 1)),
    error("max_pool2d: three sizes", maximum([2, 2, 2], 2), floats(1, 4, 4, 1)),
    error("MaxPool: window in the batch", maximum([2, 1, 1, 1], 1), floats(2, 4, 4, 1)),
    error("MaxPool: strides over images", maximum(1, [2, 1, 1, 1]), floats(2, 4, 4, 1)),
    error("AvgPool: strides over images", average(1, [2, 1, 1, 1]), floats(2, 4, 4, 1)),
    error("AvgPool: windows over images and channels", average([1, 2, 2, 2], [1, 2, 2, 2]), floats(2, 4, 4, 2)),
    error("max_pool1d: window in the batch", lambda tf, x: tf.nn.max_pool1d(x, [2, 1, 1], 1, "VALID"), floats(2, 4, 1)),
]
