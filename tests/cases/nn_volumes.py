"""Cases: convolutions and pools of volumes, the transposes of convolutions, and filters and windows with gaps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats

SINGLE = {"rtol": 1e-4}  # sums of products in another order
X, W = floats(2, 3, 4, 3, 2, dtype="float64"), floats(2, 3, 2, 2, 3, seed=1, dtype="float64")
X32, W32 = X.astype(np.float32), W.astype(np.float32)
ONE, STEPS = [1, 1, 1, 1, 1], [1, 2, 2, 1, 1]
TIED = np.array([1, 2, 2, 1, 2, 2, 0, 0, 0, 0, 0, 0], np.float32).reshape(1, 3, 2, 2, 1)


def conv(strides: Any = ONE, padding: str = "VALID", **options: Any) -> Callable[..., Any]:
    return lambda tf, x, w: tf.nn.conv3d(x, w, strides, padding, **options)



def to_input(size: Any, strides: Any, padding: str) -> Callable[..., Any]:
    return lambda tf, w, g: tf.raw_ops.Conv3DBackpropInputV2(
        input_sizes=size, filter=w, out_backprop=g, strides=strides, padding=padding
    )


def to_filter(size: Any, strides: Any, padding: str) -> Callable[..., Any]:
    return lambda tf, x, g: tf.raw_ops.Conv3DBackpropFilterV2(
        input=x, filter_sizes=size, out_backprop=g, strides=strides, padding=padding
    )


def second_order(tf: Any, x: Any, w: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.conv3d(x, w, [1, 1, 2, 1, 1], "SAME") ** 2
    gx, gw = tape.gradient(y, [x, w])
    return tf.reduce_sum(gx * gx) + tf.reduce_sum(gw)


CASES: list[Case] = [
    *(
        case("Conv3D", f"{padding} strides {strides}", conv(strides, padding), X, W)
        for padding in ("VALID", "SAME")
        for strides in (ONE, [1, 2, 1, 2, 1])
    ),
    case("Conv3D", "float32", conv(ONE, "SAME"), X32, W32, **SINGLE),
    case("Conv3D", "one point filter", conv(), X, floats(1, 1, 1, 2, 3, seed=1, dtype="float64")),
    case("Conv3D", "empty batch", conv(ONE, "SAME"), np.zeros((0, 3, 4, 3, 2), np.float32), W32, smooth=False),
    case("Conv3D", "several batch axes", conv(ONE, "SAME"), floats(2, 1, 2, 2, 2, 1), floats(2, 2, 2, 1, 2, seed=1), **SINGLE),
    case(
        "Conv3D",
        "bfloat16",
        conv(),
        floats(1, 2, 2, 2, 1, dtype="bfloat16"),
        floats(2, 2, 1, 1, 1, seed=1, dtype="bfloat16"),
        smooth=False,
        rtol=5e-2,
    ),  # 8 bits
    case(
        "Conv3D",
        "dilations",
        lambda tf, x, w: tf.nn.conv3d(x, w, ONE, "VALID", dilations=[1, 1, 2, 1, 1]),
        floats(1, 3, 4, 3, 2),
        floats(2, 2, 2, 2, 1, seed=1),
        **SINGLE,
    ),
    case("Conv3D", "channels first", conv(ONE, "VALID", data_format="NCDHW"), floats(1, 2, 3, 4, 3), W32, **SINGLE),
    case("Conv3D", "convolution", lambda tf, x, w: tf.nn.convolution(x, w, [1, 2, 1], "SAME", "NDHWC"), X, W),
    case("Conv3D", "version 1", lambda tf, x, w: tf.nn.conv3d(x, filter=w, strides=ONE, padding="VALID"), X, W, face="v1"),
    case("Conv3D", "second order", second_order, X, W),
    case("Conv3DBackpropInputV2", "SAME strides", to_input([2, 3, 4, 3, 2], STEPS, "SAME"), W, floats(2, 2, 2, 3, 3, dtype="float64")),
    case("Conv3DBackpropInputV2", "VALID", to_input([2, 3, 4, 3, 2], ONE, "VALID"), W, floats(2, 2, 2, 2, 3, dtype="float64")),
    case("Conv3DBackpropFilterV2", "SAME strides", to_filter([2, 3, 2, 2, 3], STEPS, "SAME"), X, floats(2, 2, 2, 3, 3, dtype="float64")),
    case(
        "Conv3DBackpropInputV2",
        "transpose",
        lambda tf, x, w: tf.nn.conv3d_transpose(x, w, [1, 4, 4, 4, 2], 2),
        floats(1, 2, 2, 2, 3, dtype="float64"),
        floats(2, 2, 2, 2, 3, seed=1, dtype="float64"),
    ),
    case(
        "Conv3DBackpropInputV2",
        "transpose of version 1",
        lambda tf, x, w: tf.nn.conv3d_transpose(x, w, [1, 4, 4, 4, 2], [1, 2, 2, 2, 1]),
        floats(1, 2, 2, 2, 3, dtype="float64"),
        floats(2, 2, 2, 2, 3, seed=1, dtype="float64"),
        face="v1",
    ),
    case(
        "Conv2DBackpropInput",
        "one axis",
        lambda tf, x, w: tf.nn.conv1d_transpose(x, w, [2, 6, 2], 2),
        floats(2, 3, 3, dtype="float64"),
        floats(3, 2, 3, seed=1, dtype="float64"),
    ),
    case(
        "Conv2DBackpropInput",
        "one axis by a tensor, VALID",
        lambda tf, x, w: tf.nn.conv1d_transpose(x, w, tf.constant([2, 5, 2]), 1, "VALID"),
        floats(2, 3, 3, dtype="float64"),
        floats(3, 2, 3, seed=1, dtype="float64"),
    ),
    case(
        "Conv2DBackpropInput",
        "any rank",
        lambda tf, x, w: tf.nn.conv_transpose(x, w, [2, 4, 6, 2], 2),
        floats(2, 2, 3, 3, dtype="float64"),
        floats(3, 2, 2, 3, seed=1, dtype="float64"),
    ),
    *(
        case(
            "Conv2DBackpropInput",
            f"gaps, {padding}",
            lambda tf, x, w, p=padding, n=n: tf.nn.atrous_conv2d_transpose(x, w, [1, n, n, 2], 2, p),
            floats(1, 3, 3, 3, dtype="float64"),
            floats(2, 2, 2, 3, seed=1, dtype="float64"),
        )
        for padding, n in (("SAME", 3), ("VALID", 5))
    ),
    case(
        "DepthwiseConv2dNativeBackpropInput",
        "by name",
        lambda tf, w, g: tf.nn.depthwise_conv2d_backprop_input([1, 3, 3, 2], w, g, [1, 1, 1, 1], "SAME"),
        floats(2, 2, 2, 1, dtype="float64"),
        floats(1, 3, 3, 2, dtype="float64"),
    ),
    case(
        "DepthwiseConv2dNativeBackpropFilter",
        "by name",
        lambda tf, x, g: tf.nn.depthwise_conv2d_backprop_filter(x, [2, 2, 2, 1], g, [1, 1, 1, 1], "SAME"),
        floats(1, 3, 3, 2, dtype="float64"),
        floats(1, 3, 3, 2, seed=1, dtype="float64"),
    ),
    *(
        case(
            "SpaceToBatchND",
            f"with_space_to_batch, {padding}, axes {axes}",
            lambda tf, x, w, p=padding, a=axes: tf.nn.with_space_to_batch(
                x, [2, 3], p, lambda y, n, word: tf.nn.conv2d(y, w, 1, word), filter_shape=[2, 2], spatial_dims=a
            ),
            floats(1, 5, 6, 2, dtype="float64"),
            floats(2, 2, 2, 1, seed=1, dtype="float64"),
        )
        for padding in ("SAME", "VALID")
        for axes in (None, [1, 2])
    ),
    *(
        case(
            f"{kind.title()}Pool",
            f"gaps, {size}",
            lambda tf, x, k=kind, s=size, d=rate: tf.nn.pool(x, s, k, dilations=d),
            x,
        )
        for kind in ("MAX", "AVG")
        for x, size, rate in ((floats(1, 5, 4, 2), [2, 2], [2, 1]), (floats(1, 6, 2), [2], [3]))
    ),
]


def pool(kind: str, size: Any, strides: Any, padding: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, x: getattr(tf.nn, f"{kind}_pool3d")(x, size, strides, padding, **options)


def pooled_twice(kind: str) -> Callable[..., Any]:
    def call(tf: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = getattr(tf.nn, f"{kind}_pool3d")(x, 2, 1, "SAME") ** 3
        return tape.gradient(y, x)

    return call


for kind, op in (("max", "MaxPool3D"), ("avg", "AvgPool3D")):
    CASES += [
        *(
            case(op, f"{padding} {size} by {strides}", pool(kind, size, strides, padding), X32)
            for padding in ("VALID", "SAME")
            for size, strides in ((2, 2), ([2, 3, 1], [1, 2, 1]), ([1, 2, 2, 2, 1], ONE))
        ),
        case(op, "bfloat16", pool(kind, 2, 1, "VALID"), floats(1, 2, 2, 3, 1, dtype="bfloat16"), smooth=False, rtol=4e-2),  # 8 bits
        case(op, "float16", pool(kind, 2, 1, "VALID"), floats(1, 2, 2, 3, 1, dtype="float16"), smooth=False, rtol=1e-2),  # halves
        case(op, "empty batch", pool(kind, 2, 1, "SAME"), np.zeros((0, 2, 2, 2, 1), np.float32), smooth=False),
        case(op, "ties", pool(kind, 2, 1, "SAME"), TIED, smooth=False),
        case(op, "channels first", pool(kind, 2, 1, "SAME", data_format="NCDHW"), floats(1, 2, 2, 3, 3)),
        case(op, "any rank", lambda tf, x, n=f"{kind}_pool": getattr(tf.nn, n)(x, 2, 2, "SAME", "NDHWC"), X32),
        case(op, "by name", lambda tf, x, k=kind: tf.nn.pool(x, [2, 2, 2], k.upper(), padding="SAME"), X32),
        case(op, "second order", pooled_twice(kind), X32, **SINGLE),
    ]


def max_grad(op: str, padding: str) -> Callable[..., Any]:
    """The maxima are constants here: a difference quotient in them says nothing."""

    def call(tf: Any, x: Any, g: Any) -> Any:
        x = tf.stop_gradient(x)
        y = tf.nn.max_pool3d(x, 2, 1, padding)
        attrs = {"ksize": [1, 2, 2, 2, 1], "strides": ONE, "padding": padding}
        return getattr(tf.raw_ops, op)(orig_input=x, orig_output=y, grad=g, **attrs)

    return call


CASES += [
    case("MaxPool3DGrad", "SAME", max_grad("MaxPool3DGrad", "SAME"), X32, floats(2, 3, 4, 3, 2, seed=1)),
    case("MaxPool3DGrad", "ties", max_grad("MaxPool3DGrad", "SAME"), TIED, floats(1, 3, 2, 2, 1, seed=1), smooth=False),
    case("MaxPool3DGradGrad", "VALID", max_grad("MaxPool3DGradGrad", "VALID"), X32, floats(2, 3, 4, 3, 2, seed=1)),
    case("MaxPool3DGradGrad", "ties", max_grad("MaxPool3DGradGrad", "SAME"), TIED, floats(1, 3, 2, 2, 1, seed=1), smooth=False),
    case(
        "AvgPool3DGrad",
        "SAME",
        lambda tf, g: tf.raw_ops.AvgPool3DGrad(
            orig_input_shape=[1, 3, 3, 2, 1], grad=g, ksize=[1, 2, 2, 2, 1], strides=[1, 2, 1, 1, 1], padding="SAME"
        ),
        floats(1, 2, 3, 2, 1),
    ),
]

ERRORS: list[ErrorCase] = [
    error("Conv3D: rank 4", conv(), floats(2, 2, 2, 2), floats(1, 1, 1, 2, 1)),
    error("Conv3D: rank 4", conv(), floats(2, 2, 2, 2), floats(1, 1, 1, 2, 1), mode="graph"),
    error("Conv3D: depths differ", conv(), X32, floats(1, 1, 1, 3, 1)),
    error("Conv3D: depths differ", conv(), X32, floats(1, 1, 1, 3, 1), mode="graph"),
    error("Conv3D: stride zero", conv([1, 0, 1, 1, 1]), X32, W32),
    error("Conv3D: strides over images", conv([2, 1, 1, 1, 1]), X32, W32),
    error("Conv3D: filter larger than the volume", conv(), floats(1, 1, 2, 2, 2), W32, mode="graph"),
    error("Conv3D: unknown padding", conv(ONE, "HALF"), X32, W32),
    error("conv3d: a number for strides", conv(1), X32, W32),
    error("Conv3D: int32", conv(), X32.astype(np.int32), W32.astype(np.int32)),
    error("conv_transpose: length 2", lambda tf, x, w: tf.nn.conv_transpose(x, w, [2, 2], 1), X32, W32),
    error("atrous_conv2d_transpose: rate 0", lambda tf, x, w: tf.nn.atrous_conv2d_transpose(x, w, [1, 2, 2, 1], 0, "SAME"), X32[0], W32[0]),
    error("MaxPool3D: rank 4", pool("max", 2, 2, "SAME"), floats(2, 2, 2, 2)),
    error("AvgPool3D: rank 4", pool("avg", 2, 2, "SAME"), floats(2, 2, 2, 2), mode="graph"),
    error("MaxPool3D: window larger than the volume", pool("max", 4, 1, "VALID"), X32, mode="graph"),
    error("MaxPool3D: window over images", pool("max", [2, 1, 1, 1, 1], 1, "SAME"), X32),
    error("MaxPool3D: stride zero", pool("max", 2, 0, "SAME"), X32),
    error("max_pool3d: two sizes", pool("max", [2, 2], 1, "SAME"), X32),
    error("pool: SAME with gaps", lambda tf, x: tf.nn.pool(x, [2, 2], "MAX", padding="SAME", dilations=[2, 2]), X32[0]),
    error("pool: strides with gaps", lambda tf, x: tf.nn.pool(x, [2, 2], "MAX", strides=[2, 2], dilations=[2, 2]), X32[0]),
    error("pool: strides beyond the window", lambda tf, x: tf.nn.pool(x, [2, 2], "MAX", strides=[3, 2]), X32[0]),
]
