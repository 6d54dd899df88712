"""Cases: maxima with their places, pools with windows as inputs, fractional pools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

X = floats(2, 5, 4, 3, dtype="float64")
TIED = np.array([1, 2, 2, 1, 2, 2, 0, 0, 0], np.float32).reshape(1, 3, 3, 1)
TWO = [1, 2, 2, 1]


def argmax(size: Any = 2, strides: Any = 2, padding: str = "SAME", **options: Any) -> Callable[..., Any]:
    return lambda tf, x: tuple(tf.nn.max_pool_with_argmax(x, size, strides, padding, **options))


def argmax_grad(op: str, **options: Any) -> Callable[..., Any]:
    def call(tf: Any, x: Any, g: Any) -> Any:
        x = tf.stop_gradient(x)
        places = tf.nn.max_pool_with_argmax(x, 2, 2, "SAME", **options)[1]
        found = getattr(tf.raw_ops, op)(input=x, grad=g, argmax=places, ksize=TWO, strides=TWO, padding="SAME", **options)
        return tf.stop_gradient(found)  # TensorFlow cannot go on from here

    return call


def by_inputs(padding: str, size: Any = (1, 2, 2, 1)) -> Callable[..., Any]:
    return lambda tf, x: tf.raw_ops.MaxPoolV2(input=x, ksize=list(size), strides=[1, 2, 1, 1], padding=padding)


def grad_by_inputs(op: str) -> Callable[..., Any]:
    def call(tf: Any, x: Any, g: Any) -> Any:
        x = tf.stop_gradient(x)
        y = tf.nn.max_pool2d(x, 2, 2, "SAME")
        return getattr(tf.raw_ops, op)(orig_input=x, orig_output=y, grad=g, ksize=TWO, strides=TWO, padding="SAME")

    return call


def fractional(kind: str, ratio: Any = (1.0, 1.44, 1.73, 1.0), **options: Any) -> Callable[..., Any]:
    ratio = list(ratio) if isinstance(ratio, tuple) else ratio if kind == "max" else [1.0, ratio, ratio, 1.0]
    options = {"seed": 3, **options}
    return lambda tf, x: outputs(tf, getattr(tf.nn, f"fractional_{kind}_pool")(x, ratio, **options))


def outputs(tf: Any, found: Any) -> Any:
    """The images and the borders, these without their static sizes: TensorFlow's are too small by one."""
    return found[0], *(tf.boolean_mask(borders, borders >= 0) for borders in found[1:])


SQUARE = floats(1, 7, 9, 2)


def twice(tf: Any, x: Any) -> Any:
    """Gradients to be differentiated once more; of the first operation TensorFlow has no kernel, and no such derivatives of the others."""
    places = tf.nn.max_pool_with_argmax(x, 2, 2, "SAME")[1]
    seen = tf.raw_ops.MaxPoolGradGradWithArgmax(input=x, grad=x, argmax=places, ksize=TWO, strides=TWO, padding="SAME")
    with tf.GradientTape() as tape:
        tape.watch(x)
        largest = tf.nn.fractional_max_pool(x, 1.6, overlapping=True, seed=3)[0]
        mean = tf.nn.fractional_avg_pool(x, [1.0, 1.6, 1.6, 1.0], overlapping=True, seed=3)[0]
        y = tf.reduce_sum(largest**2) + tf.reduce_sum(mean**3)
    return seen, tape.gradient(y, x)


CASES: list[Case] = [
    case("MaxPoolWithArgmax", "SAME", argmax(), X),
    case("MaxPoolWithArgmax", "overlapping", argmax([3, 2], 1), X),
    case(
        "MaxPoolWithArgmax",
        "VALID, int32, counted over the batch",
        argmax(2, 1, "VALID", output_dtype="int32", include_batch_in_index=True),
        X,
    ),
    case("MaxPoolGradGradWithArgmax", "second order", twice, floats(1, 5, 6, 1)),
    case("MaxPoolWithArgmax", "ties", argmax(2, 1), TIED, smooth=False),
    case("MaxPoolWithArgmax", "int64", argmax(), ints(1, 3, 3, 2, dtype="int64"), smooth=False),
    case("MaxPoolWithArgmax", "empty batch", argmax(), floats(0, 4, 4, 1), smooth=False, beyond=True),
    case("MaxPoolWithArgmax", "bfloat16", argmax(), floats(1, 3, 3, 1, dtype="bfloat16"), smooth=False),
    case(
        "MaxPoolWithArgmax",
        "version 1",
        lambda tf, x: tuple(tf.nn.max_pool_with_argmax(x, TWO, TWO, "SAME", Targmax=tf.int32)),
        X,
        face="v1",
    ),
    case(
        "MaxPoolGradWithArgmax",
        "SAME",
        argmax_grad("MaxPoolGradWithArgmax"),
        X,
        floats(2, 3, 2, 3, seed=1, dtype="float64"),
        smooth=False,
    ),
    case(
        "MaxPoolGradWithArgmax",
        "counted over the batch",
        argmax_grad("MaxPoolGradWithArgmax", include_batch_in_index=True),
        X,
        floats(2, 3, 2, 3, seed=1, dtype="float64"),
        smooth=False,
    ),
    case("MaxPoolV2", "SAME", by_inputs("SAME"), X),
    case("MaxPoolV2", "VALID", by_inputs("VALID", (1, 3, 2, 1)), X),
    case(
        "MaxPoolV2",
        "windows of channels",
        lambda tf, x: tf.raw_ops.MaxPoolV2(input=tf.stop_gradient(x), ksize=[1, 1, 1, 3], strides=[1, 1, 1, 3], padding="VALID"),
        X,
        smooth=False,
    ),
    case("MaxPoolV2", "int32", by_inputs("VALID"), ints(1, 3, 3, 1), smooth=False),
    case("MaxPoolGradV2", "SAME", grad_by_inputs("MaxPoolGradV2"), X, floats(2, 3, 2, 3, seed=1, dtype="float64")),
    case("MaxPoolGradGradV2", "SAME", grad_by_inputs("MaxPoolGradGradV2"), X, floats(2, 5, 4, 3, seed=1, dtype="float64")),
]
for kind in ("max", "avg"):
    op = f"Fractional{kind.title()}Pool"
    CASES += [
        *(
            case(
                op,
                f"pseudo_random {pseudo}, overlapping {overlapping}",
                fractional(kind, pseudo_random=pseudo, overlapping=overlapping),
                SQUARE,
            )
            for pseudo in (False, True)
            for overlapping in (False, True)
        ),
        case(op, "one ratio, float64", fractional(kind, 1.5, seed=9), floats(2, 5, 6, 1, dtype="float64")),
        case(op, "sizes that divide", fractional(kind, (1.0, 2.0, 3.0, 1.0), seed=5, overlapping=True), floats(1, 4, 6, 1)),
        case(op, "ratio 1", fractional(kind, 1.0, overlapping=True), floats(1, 2, 3, 1), beyond=kind == "max"),
        case(op, "int32", fractional(kind, 1.6), ints(1, 5, 5, 1, low=-9, high=9), smooth=False),
        case(op, "ties", fractional(kind, 1.6, overlapping=True), np.zeros((1, 5, 5, 1), np.float32), smooth=False),
        case(
            op,
            "version 1",
            lambda tf, x, k=kind: outputs(
                tf, getattr(tf.nn, f"fractional_{k}_pool")(x, [1.0, 1.4, 1.7, 1.0], deterministic=True, seed=3, seed2=5)
            ),
            SQUARE,
            face="v1",
        ),
    ]
CASES += [
    case(
        "FractionalMaxPoolGrad",
        "raw",
        lambda tf, x, g: tf.raw_ops.FractionalMaxPoolGrad(
            orig_input=tf.stop_gradient(x),
            orig_output=tf.stop_gradient(tf.nn.max_pool2d(x, 2, 2, "VALID")),
            out_backprop=tf.stop_gradient(g),
            row_pooling_sequence=tf.constant([0, 2, 4], tf.int64),
            col_pooling_sequence=tf.constant([0, 2, 4], tf.int64),
        ),
        floats(1, 4, 4, 1),
        floats(1, 2, 2, 1),
        smooth=False,
    ),
    case(
        "FractionalAvgPoolGrad",
        "raw",
        lambda tf, g: tf.raw_ops.FractionalAvgPoolGrad(
            orig_input_tensor_shape=tf.constant([1, 4, 5, 1], tf.int64),
            out_backprop=tf.stop_gradient(g),
            row_pooling_sequence=tf.constant([0, 1, 4], tf.int64),
            col_pooling_sequence=tf.constant([0, 2, 5], tf.int64),
            overlapping=True,
        ),
        floats(1, 2, 2, 1),
        smooth=False,
    ),
]

ERRORS: list[ErrorCase] = [
    error("MaxPoolWithArgmax: rank 3", argmax(), floats(3, 3, 1)),
    error("MaxPoolWithArgmax: rank 3", argmax(), floats(3, 3, 1), mode="graph"),
    error("max_pool_with_argmax: channels first", argmax(data_format="NCHW"), floats(1, 1, 3, 3)),
    error("MaxPoolWithArgmax: unknown padding", argmax(padding="HALF"), floats(1, 3, 3, 1)),
    error("MaxPoolV2: windows over images and channels", by_inputs("VALID", (1, 2, 2, 3)), floats(1, 3, 3, 3)),
    error("MaxPoolV2: rank 3", by_inputs("SAME"), floats(3, 3, 1)),
    error("FractionalMaxPool: rank 3", fractional("max"), floats(3, 3, 1)),
    error("fractional_max_pool: ratio below 1", fractional("max", 0.5), SQUARE),
    error("fractional_avg_pool: ratio of the batch", fractional("avg", (2.0, 1.0, 1.0, 1.0)), SQUARE),
    error("FractionalAvgPool: ratio beyond the size", fractional("avg", 8.0), SQUARE),
    error(
        "FractionalMaxPool: seeds, but not deterministic",
        lambda tf, x: tf.raw_ops.FractionalMaxPool(value=x, pooling_ratio=[1.0, 1.5, 1.5, 1.0], seed=1, seed2=2),
        SQUARE,
    ),
]
