"""Cases: activations and the gradient operations behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

NAN_INF = np.array([-np.inf, -1e30, -0.0, 0.0, 1e30, np.inf, np.nan], np.float32)
STEPS = np.array([-100, -30, -6, -1, 0, 1, 3, 6, 7, 30, 100], np.float32)
Unary = Callable[[Any, Any], Any]


def relu(tf: Any, x: Any) -> Any:
    return tf.nn.relu(x)


def relu6(tf: Any, x: Any) -> Any:
    return tf.nn.relu6(x)


def elu(tf: Any, x: Any) -> Any:
    return tf.nn.elu(x)


def selu(tf: Any, x: Any) -> Any:
    return tf.nn.selu(x)


def leaky_relu(tf: Any, x: Any) -> Any:
    return tf.nn.leaky_relu(x)


def softplus(tf: Any, x: Any) -> Any:
    return tf.nn.softplus(x)


def softsign(tf: Any, x: Any) -> Any:
    return tf.nn.softsign(x)


def gelu(tf: Any, x: Any) -> Any:
    return tf.nn.gelu(x)


def silu(tf: Any, x: Any) -> Any:
    return tf.nn.silu(x)


KINKED: dict[str, Unary] = {"Relu": relu, "Relu6": relu6, "Elu": elu, "Selu": selu, "LeakyRelu": leaky_relu}
SMOOTH: dict[str, Unary] = {"Softplus": softplus, "Softsign": softsign, "nn.gelu": gelu, "nn.silu": silu}
HALVES_LOOSE = {"nn.gelu", "nn.silu"}  # several halves are rounded on the way


def away_from_zero(*shape: int, dtype: str = "float32", seed: int = 0) -> np.ndarray[Any, Any]:
    x = floats(*shape, low=0.2, high=2.0, dtype=dtype, seed=seed)
    return np.where(floats(*shape, seed=seed + 50) > 0, x, -x).astype(x.dtype)


def common(op: str, f: Unary, numbers: Callable[..., Any]) -> list[Case]:
    loose = {"rtol": 4e-2} if op in HALVES_LOOSE else {"rtol": 1e-2}
    return [
        case(op, "float32 matrix", f, numbers(3, 4)),
        case(op, "float64 cube", f, numbers(2, 3, 2, dtype="float64")),
        case(op, "float32 scalar", f, numbers(seed=3)),
        case(op, "empty", f, numbers(0, 3), smooth=False),
        case(op, "float16", f, numbers(5, dtype="float16"), smooth=False, **loose),
        case(op, "bfloat16", f, numbers(5, dtype="bfloat16"), smooth=False, **loose),
        case(op, "steps with every corner", f, STEPS, smooth=False),
        case(op, "infinities and nan", f, NAN_INF, smooth=False),
    ]


CASES: list[Case] = [
    *(c for op, f in KINKED.items() for c in common(op, f, away_from_zero)),
    *(c for op, f in SMOOTH.items() for c in common(op, f, floats)),
    case("Relu", "int32", relu, ints(5, low=-4, high=4), smooth=False),
    case("Relu", "int64", relu, ints(2, 2, low=-4, high=4, dtype="int64"), smooth=False),
    case("Relu", "uint8", relu, ints(4, dtype="uint8"), smooth=False),
    case("Relu6", "int32", relu6, ints(6, low=-4, high=12), smooth=False),
    case("LeakyRelu", "alpha", lambda tf, x: tf.nn.leaky_relu(x, alpha=0.01), away_from_zero(4)),
    case("LeakyRelu", "alpha above one", lambda tf, x: tf.nn.leaky_relu(x, 1.5), away_from_zero(4, seed=2)),
    case("LeakyRelu", "negative alpha", lambda tf, x: tf.nn.leaky_relu(x, -0.5), away_from_zero(4, seed=2)),
    case("LeakyRelu", "int32", lambda tf, x: tf.nn.leaky_relu(x), ints(5, low=-40, high=40), smooth=False),
    case("Relu", "name", lambda tf, x: tf.nn.relu(x, name="active"), away_from_zero(3)),
    case("Relu", "from a list", lambda tf, x: tf.nn.relu([x, -x]), away_from_zero(3)),
    case("nn.gelu", "approximate", lambda tf, x: tf.nn.gelu(x, approximate=True), floats(3, 4)),
    case("nn.gelu", "approximate float64", lambda tf, x: tf.nn.gelu(x, True), floats(5, dtype="float64")),
    case("nn.silu", "beta", lambda tf, x: tf.nn.silu(x, beta=1.7), floats(3, 4)),
    case("nn.silu", "beta tensor", lambda tf, x, b: tf.nn.silu(x, b), floats(3, 4), floats(low=0.5, seed=4)),
    case("nn.swish", "float32", lambda tf, x: tf.nn.swish(x), floats(3, 4)),
    case("nn.crelu", "last axis", lambda tf, x: tf.nn.crelu(x), away_from_zero(3, 4)),
    case("nn.crelu", "first axis", lambda tf, x: tf.nn.crelu(x, axis=0), away_from_zero(3, 4)),
    case("nn.tanh", "float32", lambda tf, x: tf.nn.tanh(x), floats(3)),
    case("nn.sigmoid", "float32", lambda tf, x: tf.nn.sigmoid(x), floats(3)),
    case(
        "nn.relu_layer",
        "float32",
        lambda tf, x, w, b: tf.nn.relu_layer(x, w, b),
        floats(2, 3),
        floats(3, 4, seed=1),
        floats(4, seed=2),
        face="v1",
    ),
    case(
        "nn.xw_plus_b",
        "float32",
        lambda tf, x, w, b: tf.nn.xw_plus_b(x, w, b),
        floats(2, 3),
        floats(3, 4, seed=1),
        floats(4, seed=2),
        face="v1",
    ),
]

GRADIENTS: dict[str, tuple[str, bool]] = {
    "ReluGrad": ("features", True),
    "Relu6Grad": ("features", True),
    "EluGrad": ("outputs", True),
    "SeluGrad": ("outputs", True),
    "LeakyReluGrad": ("features", True),
    "SoftplusGrad": ("features", False),
}


def gradient_of(op: str, second: str, **attributes: Any) -> Callable[..., Any]:
    return lambda tf, g, x: getattr(tf.raw_ops, op)(gradients=g, **{second: x}, **attributes)


for op, (second, kinked) in GRADIENTS.items():
    numbers = away_from_zero if kinked else floats
    CASES += [
        case(op, "float32", gradient_of(op, second), floats(3, 4, seed=5), numbers(3, 4)),
        case(op, "float64", gradient_of(op, second), floats(6, seed=5, dtype="float64"), numbers(6, dtype="float64")),
        case(op, "scalar", gradient_of(op, second), floats(seed=5), numbers(seed=1)),
        case(op, "steps", gradient_of(op, second), floats(11, seed=5), STEPS, smooth=False),
    ]
CASES += [
    case("LeakyReluGrad", "alpha", gradient_of("LeakyReluGrad", "features", alpha=0.4), floats(4, seed=5), away_from_zero(4)),
    case(
        "SoftsignGrad",
        "float32",
        lambda tf, g, x: tf.stop_gradient(tf.raw_ops.SoftsignGrad(gradients=g, features=x)),
        floats(4, seed=5),
        floats(4),
        smooth=False,
    ),
]


def twice(f: Unary) -> Unary:
    """The sum of squares of the first gradient, so that the golden gradient is of second order."""

    def second(tf: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(tf, x)
        return tape.gradient(y, x) * x

    return second


CASES += [
    case(op, "second order", twice(f), away_from_zero(5, dtype="float64", seed=8))
    for op, f in {**KINKED, **SMOOTH}.items()
    if op != "Softsign"
]

ERRORS: list[ErrorCase] = [
    error("Relu: a string", lambda tf, x: tf.nn.relu(x), np.array([b"a"], object)),
    error("Relu: complex", lambda tf, x: tf.nn.relu(x), floats(2, dtype="complex64")),
    error("Elu: int32", lambda tf, x: tf.nn.elu(x), ints(3)),
    error("Elu: int32", lambda tf, x: tf.nn.elu(x), ints(3), mode="graph"),
    error("Softplus: int32", lambda tf, x: tf.nn.softplus(x), ints(3)),
    error("Selu: bool", lambda tf, x: tf.nn.selu(x), np.array([True])),
    error("gelu: int32", lambda tf, x: tf.nn.gelu(x), ints(3)),
    error(
        "ReluGrad: sizes differ",
        lambda tf, g, x: tf.raw_ops.ReluGrad(gradients=g, features=x),
        floats(3),
        floats(4),
    ),
    error(
        "ReluGrad: dtypes differ",
        lambda tf, g, x: tf.raw_ops.ReluGrad(gradients=g, features=x),
        floats(3),
        floats(3, dtype="float64"),
    ),
]
