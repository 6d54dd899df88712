"""Cases for element-wise functions of one tensor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

inf, nan = np.inf, np.nan
REAL = ("float16", "bfloat16", "float64")
WIDE = ("float64",)
HALF = ("float16", "float64")
COMPLEX = ("complex64", "complex128")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
EVERYWHERE = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, inf, -inf, nan)


def via(path: str) -> Callable[..., Any]:
    """A case's `f` that calls the public function at `path` with the inputs in order."""
    names = path.split(".")

    def call(tf: Any, *tensors: Any) -> Any:
        found = tf
        for name in names:
            found = getattr(found, name)
        return found(*tensors)

    return call


@dataclass(frozen=True)
class Unary:
    """One function, the interval its smooth cases are drawn from, what it accepts and the points worth a look."""

    op: str
    path: str
    low: float = -1.5
    high: float = 1.5
    dtypes: tuple[str, ...] = REAL + COMPLEX
    points: tuple[float, ...] = EVERYWHERE
    smooth: bool = True
    rtol: dict[str, float] = field(default_factory=dict)

    def cases(self) -> Iterator[Case]:
        f, low, high = via(self.path), self.low, self.high

        def made(label: str, x: Any, *, smooth: bool) -> Case:
            return case(self.op, label, f, x, smooth=smooth and self.smooth, rtol=self.rtol.get(str(x.dtype)))

        yield made("vector", floats(4, low=low, high=high, seed=1), smooth=True)
        yield made("scalar", floats(low=low, high=high, seed=2), smooth=True)
        yield made("rank three", floats(2, 1, 3, low=low, high=high, seed=3), smooth=True)
        yield made("empty", floats(0, 2), smooth=False)
        yield made("special points", np.array(self.points, np.float32), smooth=False)
        yield made("special points float64", np.array(self.points, np.float64), smooth=False)
        for dtype in self.dtypes:
            if dtype.startswith("complex"):
                yield made(dtype, floats(4, low=0.2, high=1.3, dtype=dtype, seed=4), smooth=True)
                yield made(f"{dtype} left half plane", floats(2, 2, low=-1.4, high=-0.3, dtype=dtype, seed=5), smooth=True)
            elif "int" in dtype:
                yield made(dtype, ints(5, low=0 if dtype.startswith("u") else -5, high=6, dtype=dtype, seed=6), smooth=False)
            else:
                yield made(dtype, floats(2, 3, low=low, high=high, dtype=dtype, seed=7), smooth=True)


FUNCTIONS = (
    Unary("Abs", "abs", low=0.3, high=2.0, dtypes=REAL + SIGNED),
    Unary("Neg", "negative", dtypes=REAL + COMPLEX + SIGNED),
    Unary("Sign", "sign", dtypes=REAL + SIGNED, smooth=False),
    Unary("Square", "square", dtypes=REAL + COMPLEX + SIGNED + UNSIGNED),
    Unary("Sqrt", "sqrt", low=0.2, high=3.0),
    Unary("Rsqrt", "math.rsqrt", low=0.2, high=3.0),
    Unary("Reciprocal", "math.reciprocal", low=0.3, high=3.0),
    Unary("Exp", "exp", points=(*EVERYWHERE, 90.0, -90.0)),
    Unary("Expm1", "math.expm1", points=(*EVERYWHERE, 1e-6, 90.0)),
    Unary("Log", "math.log", low=0.2, high=3.0),
    Unary("Log1p", "math.log1p", low=-0.8, high=2.0, points=(*EVERYWHERE, 1e-6)),
    Unary("Sin", "sin"),
    Unary("Cos", "cos"),
    Unary("Tan", "tan", low=-1.2, high=1.2),
    Unary("Asin", "asin", low=-0.8, high=0.8),
    Unary("Acos", "acos", low=-0.8, high=0.8),
    Unary("Atan", "atan"),
    Unary("Sinh", "sinh"),
    Unary("Cosh", "cosh"),
    Unary("Tanh", "tanh", points=(*EVERYWHERE, 30.0, -30.0)),
    Unary("Asinh", "asinh"),
    Unary("Acosh", "acosh", low=1.2, high=3.0),
    Unary("Atanh", "atanh", low=-0.8, high=0.8),
    Unary("Sigmoid", "sigmoid", points=(*EVERYWHERE, 100.0, -100.0)),
    Unary("Floor", "floor", low=-4.0, high=4.0, dtypes=REAL, smooth=False),
    Unary("Ceil", "math.ceil", low=-4.0, high=4.0, dtypes=REAL, smooth=False),
    Unary("Round", "round", low=-4.0, high=4.0, dtypes=REAL, points=(*EVERYWHERE, 1.5, -0.5, 2.5), smooth=False),
    Unary("Rint", "math.rint", low=-4.0, high=4.0, dtypes=REAL, points=(*EVERYWHERE, 1.5, -0.5, 2.5), smooth=False),
    Unary("IsNan", "math.is_nan", dtypes=REAL, smooth=False),
    Unary("IsInf", "math.is_inf", dtypes=REAL, smooth=False),
    Unary("IsFinite", "math.is_finite", dtypes=REAL, smooth=False),
)


def derivative(function: Callable[..., Any]) -> Callable[..., Any]:
    """`f(tf, x, dy)`: the gradient of `function(tf, x)` for the cotangent `dy`.  Its own gradients are then second derivatives."""

    def f(tf: Any, x: Any, dy: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(tf, x)
        return tape.gradient(y, x, output_gradients=dy)

    return f


def fused_gradients() -> Iterator[Case]:
    for op, function, low in (
        ("TanhGrad", "tanh", -1.0),
        ("SigmoidGrad", "sigmoid", -1.0),
        ("SqrtGrad", "sqrt", 0.3),
        ("RsqrtGrad", "math.rsqrt", 0.3),
        ("ReciprocalGrad", "math.reciprocal", 0.3),
    ):
        f = derivative(via(function))
        yield case(op, "vector", f, floats(3, low=low, high=2.0, seed=8), floats(3, seed=9))
        yield case(op, "matrix float64", f, floats(2, 2, low=low, high=2.0, dtype="float64", seed=8), floats(2, 2, dtype="float64", seed=9))
        yield case(op, "scalar", f, floats(low=low, high=2.0, seed=10), floats(seed=11))
        yield case(op, "empty", f, floats(0), floats(0), smooth=False)
        yield case(op, "float16", f, floats(3, low=low, high=2.0, dtype="float16", seed=8), floats(3, dtype="float16", seed=9))
        yield case(op, "bfloat16", f, floats(3, low=low, high=2.0, dtype="bfloat16", seed=8), floats(3, dtype="bfloat16", seed=9))
        yield case(op, "zero", f, [0.0, 0.0, 4.0], [0.0, 1.0, 0.0], smooth=False)


def helpers() -> Iterator[Case]:
    yield case("Neg", "operator", lambda tf, x: -x, floats(3))
    yield case("Abs", "operator", lambda tf, x: abs(x), floats(3, low=0.2))
    yield case("Abs", "kink", via("abs"), [0.0, -1.0, 1.0], smooth=False)
    yield case("AddV2", "round leaves integers", lambda tf, x: tf.round(x) + 0, ints(3), smooth=False)
    yield case("Softplus", "log_sigmoid", via("math.log_sigmoid"), floats(2, 3, low=-3.0, high=3.0))
    yield case("Softplus", "log_sigmoid float64", via("math.log_sigmoid"), floats(3, low=-3.0, high=3.0, dtype="float64"))
    yield case("Softplus", "log_sigmoid far out", via("math.log_sigmoid"), [-200.0, -20.0, 0.0, 20.0, 200.0], smooth=False)
    yield case("DivNoNan", "reciprocal_no_nan", via("math.reciprocal_no_nan"), [0.0, 1.0, -2.0], smooth=False)
    yield case("DivNoNan", "reciprocal_no_nan smooth", via("math.reciprocal_no_nan"), floats(3, low=0.4))
    yield case("DivNoNan", "reciprocal_no_nan complex", via("math.reciprocal_no_nan"), floats(3, low=0.4, dtype="complex64"))
    yield case("Sqrt", "NaN-safe by where", lambda tf, x: tf.where(x > 0.0, tf.sqrt(x), 0.0), [0.0, 4.0, -1.0], smooth=False)
    yield case("Sin", "removable singularity", lambda tf, x: tf.sin(x) / x, [0.0, 1.0], smooth=False)
    for op, function in (
        ("Sin", via("sin")),
        ("Cos", via("cos")),
        ("Exp", lambda tf, x: tf.exp(x * x)),
        ("Log", via("math.log")),
        ("Atan", via("atan")),
        ("Tan", via("tan")),
        ("Abs", lambda tf, x: x * tf.abs(x)),
        ("Square", lambda tf, x: tf.square(tf.square(x))),
    ):
        yield case(op, "second order", derivative(function), floats(3, low=0.3, high=1.2), floats(3, seed=1))


CASES: list[Case] = [made for function in FUNCTIONS for made in function.cases()] + [*fused_gradients(), *helpers()]

ERRORS: list[ErrorCase] = [
    *(error("Sin: integers", via("sin"), ints(2), mode=mode) for mode in ("eager", "graph")),
    *(error("Sqrt: integers", via("sqrt"), ints(2), mode=mode) for mode in ("eager", "graph")),
    *(error("Exp: bool", via("exp"), np.array([True]), mode=mode) for mode in ("eager", "graph")),
    *(error("Neg: unsigned", via("negative"), ints(2, dtype="uint8"), mode=mode) for mode in ("eager", "graph")),
    *(error("Floor: complex", via("floor"), floats(2, dtype="complex64"), mode=mode) for mode in ("eager", "graph")),
    *(error("Abs: string", via("abs"), np.array([b"a"], object), mode=mode) for mode in ("eager", "graph")),
    *(error("IsNan: integers", via("math.is_nan"), ints(2), mode=mode) for mode in ("eager", "graph")),
    *(error("Sin: None", lambda tf: tf.sin(None), mode=mode) for mode in ("eager", "graph")),
    *(error("Square: ragged list", lambda tf: tf.square([[1.0, 2.0], [3.0]]), mode=mode) for mode in ("eager", "graph")),
]
