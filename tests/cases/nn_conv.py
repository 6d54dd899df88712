"""Cases: convolutions, their transposes and the gradient operations behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

SINGLE = {"rtol": 1e-4}  # sums of products in another order
X, W = floats(2, 5, 4, 3), floats(3, 2, 3, 2, seed=1)
X64, W64 = X.astype(np.float64), W.astype(np.float64)
LOPSIDED = [[0, 0], [1, 2], [0, 3], [0, 0]]
STRIDES: list[Any] = [1, 2, [2, 1], [1, 1, 2, 1]]


def conv(strides: Any = 1, padding: Any = "VALID", **options: Any) -> Callable[..., Any]:
    return lambda tf, x, w: tf.nn.conv2d(x, w, strides, padding, **options)


CASES: list[Case] = [
    *(
        case("Conv2D", f"{padding} strides {strides}", conv(strides, padding), X64, W64)
        for padding in ("VALID", "SAME")
        for strides in STRIDES
    ),
    case("Conv2D", "float32", conv(1, "SAME"), X, W, **SINGLE),
    case("Conv2D", "one pixel filter", conv(), X, floats(1, 1, 3, 4, seed=1), **SINGLE),
    case("Conv2D", "one pixel filter, stride 3", conv(3), X, floats(1, 1, 3, 4, seed=1), **SINGLE),
    case("Conv2D", "filter as large as the image", conv(), X, floats(5, 4, 3, 2, seed=1), **SINGLE),
    case(
        "Conv2D", "filter larger, SAME", conv(1, "SAME"), floats(1, 2, 2, 1, dtype="float64"), floats(5, 4, 1, 2, seed=1, dtype="float64")
    ),
    case("Conv2D", "explicit padding", conv(1, LOPSIDED), X64, W64),
    case("Conv2D", "explicit padding, strides", conv([1, 2, 3, 1], LOPSIDED), X64, W64),
    case("Conv2D", "SAME, stride beyond the filter", conv(4, "SAME"), X64, W64),
    case("Conv2D", "dilations", conv(1, "VALID", dilations=[1, 2, 2, 1]), floats(1, 6, 6, 2), floats(2, 3, 2, 2, seed=1), **SINGLE),
    case("Conv2D", "dilations SAME", conv(1, "SAME", dilations=[2, 1]), floats(1, 6, 5, 2), floats(2, 3, 2, 2, seed=1), **SINGLE),
    case("Conv2D", "groups", conv(1, "SAME"), floats(1, 4, 4, 4), floats(2, 2, 2, 6, seed=1), **SINGLE),
    case("Conv2D", "empty batch", conv(1, "SAME"), floats(0, 4, 4, 3), W, smooth=False),
    case("Conv2D", "several batch axes", conv(1, "SAME"), floats(2, 2, 3, 3, 1), floats(2, 2, 1, 2, seed=1), **SINGLE),
    case(
        "Conv2D",
        "float16",
        conv(),
        floats(1, 3, 3, 1, dtype="float16"),
        floats(2, 2, 1, 1, seed=1, dtype="float16"),
        smooth=False,
        rtol=2e-2,
    ),  # halves
    case(
        "Conv2D",
        "bfloat16",
        conv(),
        floats(1, 3, 3, 1, dtype="bfloat16"),
        floats(2, 2, 1, 1, seed=1, dtype="bfloat16"),
        smooth=False,
        rtol=5e-2,
    ),  # 8 bits
    case("Conv2D", "int32", conv(), ints(1, 3, 3, 2), ints(2, 2, 2, 1, seed=1), smooth=False),
    case("Conv2D", "channels first", conv(1, "VALID", data_format="NCHW"), floats(2, 3, 5, 4), W, **SINGLE),
    case("Conv2D", "channels first, strides, SAME", conv([1, 1, 2, 1], "SAME", data_format="NCHW"), floats(2, 3, 5, 4), W, **SINGLE),
    case("Conv2D", "positional version 1", lambda tf, x, w: tf.nn.conv2d(x, w, [1, 2, 2, 1], "SAME"), X, W, face="v1", **SINGLE),
    case(
        "Conv2D",
        "version 1 filter",
        lambda tf, x, w: tf.nn.conv2d(x, filter=w, strides=[1, 1, 1, 1], padding="VALID"),
        X,
        W,
        face="v1",
        **SINGLE,
    ),
    case(
        "Conv2D",
        "version 1 filters",
        lambda tf, x, w: tf.nn.conv2d(input=x, filters=w, strides=1, padding="VALID"),
        X,
        W,
        face="v1",
        **SINGLE,
    ),
    case("Conv2D", "convolution", lambda tf, x, w: tf.nn.convolution(x, w, padding="SAME"), X, W, **SINGLE),
    case("Conv2D", "atrous", lambda tf, x, w: tf.nn.atrous_conv2d(x, w, 2, "SAME"), X, W, **SINGLE),
]


def second_order(tf: Any, x: Any, w: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.conv2d(x, w, [1, 2], "SAME") ** 2
    gx, gw = tape.gradient(y, [x, w])
    return tf.reduce_sum(gx * gx) + tf.reduce_sum(gw * x[0, 0, 0, 0])


CASES += [case("Conv2D", "second order", second_order, X64, W64)]

INPUT, FILTER = "Conv2DBackpropInput", "Conv2DBackpropFilter"


def back_to_input(size: list[int], strides: list[int], padding: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, w, g: tf.raw_ops.Conv2DBackpropInput(
        input_sizes=size, filter=w, out_backprop=g, strides=strides, padding=padding, **options
    )


def back_to_filter(size: list[int], strides: list[int], padding: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, x, g: tf.raw_ops.Conv2DBackpropFilter(
        input=x, filter_sizes=size, out_backprop=g, strides=strides, padding=padding, **options
    )


CASES += [
    case(INPUT, "VALID", back_to_input([2, 5, 4, 3], [1, 1, 1, 1], "VALID"), W64, floats(2, 3, 3, 2, dtype="float64")),
    case(INPUT, "SAME strides", back_to_input([2, 5, 4, 3], [1, 2, 2, 1], "SAME"), W64, floats(2, 3, 2, 2, dtype="float64")),
    case(
        INPUT,
        "explicit",
        back_to_input([1, 4, 4, 1], [1, 1, 1, 1], "EXPLICIT", explicit_paddings=[0, 0, 1, 0, 0, 2, 0, 0]),
        floats(2, 2, 1, 2, dtype="float64"),
        floats(1, 4, 5, 2, dtype="float64"),
    ),
    case(INPUT, "channels first", back_to_input([2, 3, 5, 4], [1, 1, 1, 1], "VALID", data_format="NCHW"), W, floats(2, 2, 3, 3), **SINGLE),
    case(FILTER, "VALID", back_to_filter([3, 2, 3, 2], [1, 1, 1, 1], "VALID"), X64, floats(2, 3, 3, 2, dtype="float64")),
    case(FILTER, "SAME strides", back_to_filter([3, 2, 3, 2], [1, 2, 2, 1], "SAME"), X64, floats(2, 3, 2, 2, dtype="float64")),
    case(
        FILTER,
        "channels first",
        back_to_filter([3, 2, 3, 2], [1, 1, 1, 1], "VALID", data_format="NCHW"),
        floats(2, 3, 5, 4),
        floats(2, 2, 3, 3),
        **SINGLE,
    ),
]


def transposed(shape: Any, strides: Any, padding: str = "SAME", **options: Any) -> Callable[..., Any]:
    return lambda tf, x, w: tf.nn.conv2d_transpose(x, w, shape, strides, padding, **options)


CASES += [
    case(
        INPUT,
        "conv2d_transpose",
        transposed([1, 6, 6, 2], 2),
        floats(1, 3, 3, 3, dtype="float64"),
        floats(3, 3, 2, 3, seed=1, dtype="float64"),
    ),
    case(
        INPUT,
        "conv2d_transpose VALID",
        transposed([1, 5, 4, 2], [1, 1, 1, 1], "VALID"),
        floats(1, 3, 3, 3),
        floats(3, 2, 2, 3, seed=1),
        **SINGLE,
    ),
    case(
        INPUT,
        "conv2d_transpose shape tensor",
        lambda tf, x, w: tf.nn.conv2d_transpose(x, w, tf.stack([tf.shape(x)[0], 6, 6, 2]), [2, 2], "SAME"),
        floats(1, 3, 3, 3),
        floats(3, 3, 2, 3, seed=1),
        **SINGLE,
    ),
    case(
        INPUT,
        "conv2d_transpose version 1",
        lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [1, 6, 6, 2], [1, 2, 2, 1]),
        floats(1, 3, 3, 3),
        floats(3, 3, 2, 3, seed=1),
        face="v1",
        **SINGLE,
    ),
]


def depthwise(strides: Any = (1, 1, 1, 1), padding: str = "SAME", **options: Any) -> Callable[..., Any]:
    return lambda tf, x, w: tf.nn.depthwise_conv2d(x, w, strides, padding, **options)


DEPTHWISE = "DepthwiseConv2dNative"
WD = floats(3, 2, 3, 2, seed=1, dtype="float64")
CASES += [
    case(DEPTHWISE, "SAME", depthwise(), X64, WD),
    case(DEPTHWISE, "VALID strides", depthwise((1, 2, 2, 1), "VALID"), X64, WD),
    case(DEPTHWISE, "one output a channel", depthwise(), X, floats(2, 2, 3, 1, seed=1), **SINGLE),
    case(DEPTHWISE, "dilations", depthwise((1, 1, 1, 1), "SAME", dilations=[2, 2]), X64, WD),
    case(
        DEPTHWISE,
        "separable",
        lambda tf, x, w, p: tf.nn.separable_conv2d(x, w, p, [1, 1, 1, 1], "SAME"),
        X64,
        WD,
        floats(1, 1, 6, 4, seed=2, dtype="float64"),
    ),
    case(
        "DepthwiseConv2dNativeBackpropInput",
        "SAME",
        lambda tf, w, g: tf.raw_ops.DepthwiseConv2dNativeBackpropInput(
            input_sizes=[2, 5, 4, 3], filter=w, out_backprop=g, strides=[1, 1, 1, 1], padding="SAME"
        ),
        WD,
        floats(2, 5, 4, 6, dtype="float64"),
    ),
    case(
        "DepthwiseConv2dNativeBackpropFilter",
        "SAME",
        lambda tf, x, g: tf.raw_ops.DepthwiseConv2dNativeBackpropFilter(
            input=x, filter_sizes=[3, 2, 3, 2], out_backprop=g, strides=[1, 1, 1, 1], padding="SAME"
        ),
        X64,
        floats(2, 5, 4, 6, dtype="float64"),
    ),
    case("nn.conv1d", "VALID", lambda tf, x, w: tf.nn.conv1d(x, w, 1, "VALID"), floats(2, 6, 3), floats(3, 3, 2, seed=1), **SINGLE),
    case("nn.conv1d", "SAME stride", lambda tf, x, w: tf.nn.conv1d(x, w, 2, "SAME"), floats(2, 6, 3), floats(3, 3, 2, seed=1), **SINGLE),
    case(
        "nn.conv1d",
        "version 1 value",
        lambda tf, x, w: tf.nn.conv1d(value=x, filters=w, stride=2, padding="SAME"),
        floats(2, 6, 3),
        floats(3, 3, 2, seed=1),
        face="v1",
        **SINGLE,
    ),
]

ERRORS: list[ErrorCase] = [
    error("Conv2D: channels differ", conv(), X, floats(3, 2, 2, 2)),
    error("Conv2D: channels differ", conv(), X, floats(3, 2, 2, 2), mode="graph"),
    error("Conv2D: input of rank 2", conv(), floats(4, 4), W, mode="graph"),
    error("Conv2D: input of rank 3", conv(), floats(4, 4, 3), W, mode="graph"),
    error("Conv2D: filter of rank 3", conv(), X, floats(3, 2, 3), mode="graph"),
    error("Conv2D: filter larger than the image", conv(), X, floats(6, 2, 3, 2), mode="graph"),
    error("Conv2D: strides in the batch", conv([2, 1, 1, 1]), X, W),
    error("Conv2D: stride zero", conv(0), X, W),
    error("Conv2D: stride zero", conv(0), X, W, mode="graph"),
    error("conv2d: three strides", conv([1, 1, 1]), X, W),
    error("Conv2D: unknown padding", conv(1, "HALF"), X, W),
    error("Conv2D: unknown layout", conv(1, "SAME", data_format="CHWN"), X, W),
    error("Conv2D: dtypes differ", conv(), X, W64),
    error("Conv2D: a string", conv(), np.array([[b"a"]], object), W, mode="graph"),
    error(
        "Conv2DBackpropInput: sizes that do not fit",
        back_to_input([2, 9, 9, 3], [1, 1, 1, 1], "VALID"),
        W64,
        floats(2, 3, 3, 2, dtype="float64"),
    ),
    error("conv2d_transpose: channels differ", transposed([1, 6, 6, 5], 2), floats(1, 3, 3, 3), floats(3, 3, 2, 3)),
]
