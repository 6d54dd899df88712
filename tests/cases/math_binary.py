"""Cases for element-wise arithmetic of two or more tensors."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints
from .math import COMPLEX, REAL, SIGNED, UNSIGNED, derivative, inf, nan, via

INTS = SIGNED + UNSIGNED
EDGES = (0.0, -0.0, 1.0, -1.5, inf, -inf, nan)


@dataclass(frozen=True)
class Binary:
    """One function of two tensors: its two intervals and what it accepts."""

    op: str
    path: str
    x: tuple[float, float] = (-2.0, 2.0)
    y: tuple[float, float] = (-2.0, 2.0)
    dtypes: tuple[str, ...] = REAL + COMPLEX + INTS
    smooth: bool = True
    points: tuple[tuple[float, float], ...] = tuple((a, b) for a in EDGES for b in EDGES)

    def cases(self) -> Iterator[Case]:
        f = via(self.path)

        def made(label: str, x_shape: tuple[int, ...], y_shape: tuple[int, ...], dtype: str = "float32", *, smooth: bool = True) -> Case:
            x, y = (
                floats(*x_shape, low=self.x[0], high=self.x[1], dtype=dtype, seed=1),
                floats(*y_shape, low=self.y[0], high=self.y[1], dtype=dtype, seed=2),
            )
            return case(self.op, label, f, x, y, smooth=smooth and self.smooth)

        yield made("same shape", (2, 3), (2, 3))
        yield made("scalars", (), ())
        yield made("broadcast row", (2, 3), (3,))
        yield made("broadcast both ways", (2, 1), (1, 3))
        yield made("scalar against matrix", (), (2, 2))
        yield made("size one against scalar", (1,), ())
        yield made("higher rank right", (3,), (2, 1, 3))
        yield made("empty", (0, 3), (3,), smooth=False)
        points = np.array(self.points, np.float32)
        yield case(self.op, "special points", f, points[:, 0], points[:, 1], smooth=False)
        for dtype in self.dtypes:
            if "int" in dtype:
                low = 1 if dtype.startswith("u") else -6
                small = ints(4, low=1, high=4, dtype=dtype, seed=4)
                yield case(self.op, dtype, f, ints(4, low=low, high=7, dtype=dtype, seed=3), small, smooth=False)
            else:
                yield made(dtype, (2, 3), (3,), dtype)


POSITIVE = (0.3, 2.0)
FUNCTIONS = (
    Binary("AddV2", "add"),
    Binary("Sub", "subtract"),
    Binary("Mul", "multiply"),
    Binary("RealDiv", "divide", y=POSITIVE, dtypes=REAL + COMPLEX),
    Binary("DivNoNan", "math.divide_no_nan", y=POSITIVE, dtypes=REAL + COMPLEX),
    Binary("MulNoNan", "math.multiply_no_nan", dtypes=REAL),
    Binary("FloorDiv", "math.floordiv", y=POSITIVE, dtypes=REAL + INTS, smooth=False),
    Binary("FloorMod", "math.floormod", x=(0.1, 0.25), y=POSITIVE, dtypes=REAL + INTS),
    Binary("TruncateDiv", "truncatediv", y=POSITIVE, dtypes=INTS, smooth=False),
    Binary("Pow", "pow", x=POSITIVE, dtypes=REAL + COMPLEX + SIGNED),
    Binary("SquaredDifference", "math.squared_difference", dtypes=(*REAL, "int32", "int64")),
    Binary("Maximum", "maximum", x=(0.1, 1.0), y=(1.1, 2.0), dtypes=REAL + INTS),
    Binary("Minimum", "minimum", x=(0.1, 1.0), y=(1.1, 2.0), dtypes=REAL + INTS),
    Binary("Xlogy", "math.xlogy", y=POSITIVE, dtypes=REAL),
    Binary("Xlog1py", "math.xlog1py", y=POSITIVE, dtypes=REAL),
    Binary("Xdivy", "math.xdivy", y=POSITIVE, dtypes=REAL),
    Binary("Atan2", "atan2", x=POSITIVE, y=(0.4, 2.0), dtypes=REAL),
    Binary("NextAfter", "math.nextafter", dtypes=("float64",), smooth=False),
)


def operators() -> Iterator[Case]:
    """Python's operators, with a Python number or an array on either side."""
    for op, name, f, low in (
        ("AddV2", "add", operator.add, -2.0),
        ("Sub", "sub", operator.sub, -2.0),
        ("Mul", "mul", operator.mul, -2.0),
        ("RealDiv", "truediv", operator.truediv, 0.3),
        ("FloorDiv", "floordiv", operator.floordiv, 0.3),
        ("FloorMod", "mod", operator.mod, 0.3),
        ("Pow", "pow", operator.pow, 0.3),
    ):
        smooth = op not in ("FloorDiv", "FloorMod")
        yield case(op, f"operator {name}", lambda tf, x, y, f=f: f(x, y), floats(3, low=low), floats(3, low=0.3, seed=1), smooth=smooth)
        yield case(op, f"operator {name} number right", lambda tf, x, f=f: f(x, 2.5), floats(3, low=low), smooth=smooth)
        yield case(op, f"operator {name} number left", lambda tf, x, f=f: f(2.5, x), floats(3, low=0.3), smooth=smooth)
        yield case(
            op, f"operator {name} whole number right", lambda tf, x, f=f: f(x, 2), floats(3, low=low, dtype="float16"), smooth=smooth
        )
        yield case(
            op,
            f"operator {name} array left",
            lambda tf, x, f=f: f(np.array([1.0, 2.0, 3.0], np.float32), x),
            floats(3, low=0.3),
            smooth=smooth,
        )
        yield case(op, f"operator {name} list right", lambda tf, x, f=f: f(x, [1.0, 2.0, 3.0]), floats(3, low=low), smooth=smooth)
        yield case(op, f"operator {name} itself", lambda tf, x, f=f: f(x, x), floats(3, low=0.3), smooth=smooth)
        yield case(
            op,
            f"operator {name} integers",
            lambda tf, x, y, f=f: f(x, y),
            ints(4, low=1, high=9),
            ints(4, low=1, high=4, seed=1),
            smooth=False,
        )


def division() -> Iterator[Case]:
    for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
        yield case(
            "RealDiv", f"truediv of {dtype}", via("truediv"), ints(3, low=1, dtype=dtype), ints(3, low=1, dtype=dtype, seed=1), smooth=False
        )
    yield case("RealDiv", "truediv bfloat16", via("truediv"), floats(3, dtype="bfloat16"), floats(3, low=0.4, dtype="bfloat16", seed=1))
    yield case("RealDiv", "divide integers", via("divide"), ints(3, low=1), ints(3, low=1, seed=1), smooth=False)
    yield case("RealDiv", "divide number by tensor", lambda tf, x: tf.divide(1.0, x), floats(3, low=0.4))
    yield case("RealDiv", "python integers", lambda tf: tf.divide(7, 2), smooth=False)
    yield case("DivNoNan", "integers", via("math.divide_no_nan"), ints(3), np.array([0, 2, 3], np.int32), smooth=False)
    yield case("DivNoNan", "number left", lambda tf, x: tf.math.divide_no_nan(1.0, x), floats(3, low=0.4))
    signed = np.array([7, -7, 7, -7, 6, -6], np.int32), np.array([3, 3, -3, -3, 3, -3], np.int32)
    for op, path in (
        ("FloorDiv", "math.floordiv"),
        ("FloorMod", "math.floormod"),
        ("TruncateDiv", "truncatediv"),
        ("TruncateMod", "truncatemod"),
    ):
        yield case(op, "signs", via(path), *signed, smooth=False)
        yield case(op, "signs int64", via(path), *(s.astype(np.int64) for s in signed), smooth=False)
        yield case(op, "nothing over zero", via(path), np.zeros(0, np.int32), np.array(0, np.int32), smooth=False)
    for op, path in (("FloorDiv", "math.floordiv"), ("FloorMod", "math.floormod")):
        yield case(op, "signs float32", via(path), *(s.astype(np.float32) for s in signed), smooth=False)
        yield case(op, "zero divisor float32", via(path), [1.0, -1.0, 0.0], [0.0, 0.0, 0.0], smooth=False)
    yield case("FloorMod", "math.mod", via("math.mod"), floats(3, low=0.1, high=0.9), floats(3, low=1.1, high=2.0, seed=1))
    yield case("FloorMod", "wraps", via("math.floormod"), [5.3, -5.3, 5.3, -5.3], [2.0, 2.0, -2.0, -2.0])
    yield case("TruncateMod", "int32", via("truncatemod"), ints(4, low=-9), ints(4, low=1, high=4, seed=1), smooth=False)
    for name in ("float32", "float64"):
        x = np.array([5.5, -5.5, 5.5, -5.5, 0.0], name)
        no_gradient = lambda tf, x, y: tf.truncatemod(tf.stop_gradient(x), tf.stop_gradient(y))
        yield case("TruncateMod", name, no_gradient, x, np.array([2.0, 2.0, -2.0, -2.0, 3.0], name), smooth=False)
    yield case("FloorDiv", "v1 div of integers", via("div"), *signed, smooth=False, face="v1")
    yield case("RealDiv", "v1 div", via("div"), floats(3), floats(3, low=0.4, seed=1), face="v1")
    yield case("RealDiv", "v1 realdiv", via("realdiv"), floats(3), floats(3, low=0.4, seed=1), face="v1")
    yield case("FloorDiv", "v1 floor_div", via("floor_div"), ints(3), ints(3, low=1, seed=1), smooth=False, face="v1")
    yield case("FloorMod", "v1 mod", via("mod"), ints(3), ints(3, low=1, seed=1), smooth=False, face="v1")
    yield case("DivNoNan", "v1 div_no_nan", via("div_no_nan"), [1.0, 2.0], [0.0, 4.0], smooth=False, face="v1")


def _values_only(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda tf, *tensors: tf.stop_gradient(f(tf, *tensors))


def _real_part(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda tf, *tensors: tf.math.real(f(tf, *tensors))


def edges() -> Iterator[Case]:
    x, y = [0.0, 0.0, 0.0, -1.0, -2.0, -2.0, 2.0, 1.0, 0.0], [0.0, 2.0, 1.0, 2.0, 3.0, 0.5, -1.0, nan, -1.0]
    yield case("Pow", "edges", via("pow"), x, y, smooth=False)
    yield case("Pow", "square of zero", lambda tf, x: x**2, [0.0, 1.0, -1.0], smooth=False)
    yield case("Pow", "zeroth power of zero", lambda tf, x: x**0, [0.0, 1.0], smooth=False)
    yield case(
        "Pow", "complex base zero", via("pow"), np.array([0j, 1 + 1j], np.complex64), np.array([2 + 0j, 2j], np.complex64), smooth=False
    )
    yield case("Maximum", "ties", via("maximum"), [1.0, 2.0, 3.0], [1.0, 3.0, 2.0], smooth=False)
    yield case("Minimum", "ties", via("minimum"), [1.0, 2.0, 3.0], [1.0, 3.0, 2.0], smooth=False)
    yield case("Maximum", "number right", lambda tf, x: tf.maximum(x, 0.5), floats(4), smooth=False)
    yield case("Minimum", "number left", lambda tf, x: tf.minimum(1.0, x), floats(4), smooth=False)
    yield case("Atan2", "origin", via("atan2"), [0.0, 0.0, 0.0, -1.0], [0.0, 1.0, -1.0, 0.0], smooth=False)
    yield case("Atan2", "four quadrants", via("atan2"), [1.0, 1.0, -1.0, -1.0], [2.0, -2.0, 2.0, -2.0])
    yield case("Xlogy", "zero", via("math.xlogy"), [0.0, 0.0, 1.0], [0.0, 2.0, 0.5], smooth=False)
    yield case("Xlog1py", "zero", via("math.xlog1py"), [0.0, 0.0, 1.0], [-1.0, 2.0, 0.5], smooth=False)
    yield case("Xdivy", "zero", via("math.xdivy"), [0.0, 0.0, 1.0], [0.0, 2.0, 0.5], smooth=False)
    yield case("DivNoNan", "zero divisor", via("math.divide_no_nan"), [1.0, 0.0, 3.0], [0.0, 0.0, 2.0], smooth=False)
    yield case("MulNoNan", "zero times infinity", via("math.multiply_no_nan"), [inf, nan, 0.0, inf], [0.0, 0.0, nan, 2.0], smooth=False)
    for dtype in COMPLEX:  # a real cotangent: for others TensorFlow's gradient is not that of the squared modulus
        f = _real_part(via("math.squared_difference"))
        yield case("SquaredDifference", dtype, f, floats(2, 3, dtype=dtype), floats(3, dtype=dtype, seed=1))
    for op, path in (("MulNoNan", "multiply_no_nan"), ("Xlogy", "xlogy"), ("Xlog1py", "xlog1py"), ("Xdivy", "xdivy")):
        f = _values_only(via(f"math.{path}"))  # TensorFlow forgets to conjugate their gradients; tests/test_math.py has the right ones
        yield case(op, "complex64", f, floats(3, dtype="complex64"), floats(3, dtype="complex64", seed=1), smooth=False)
    yield case("Mul", "integer overflow wraps", via("multiply"), np.array([100, -100], np.int8), np.array([2, 3], np.int8), smooth=False)
    yield case("AddV2", "uint8 wraps", via("add"), np.array([250], np.uint8), np.array([10], np.uint8), smooth=False)
    yield case("Add", "numbers", lambda tf, x, y: tf.raw_ops.Add(x=x, y=y), floats(2, 3), floats(3, seed=1))
    yield case("Add", "strings", via("add"), np.array([b"ab", b"c"], object), np.array([b"d", b"e"], object), smooth=False)
    for op, f in (
        ("Mul", lambda tf, x: x * tf.sin(x)),
        ("Pow", lambda tf, x: tf.pow(x, 2.5 * x)),
        ("RealDiv", lambda tf, x: tf.sin(x) / x),
        ("SquaredDifference", lambda tf, x: tf.math.squared_difference(tf.sin(x), x)),
        ("Atan2", lambda tf, x: tf.atan2(x, tf.exp(x))),
        ("Xlogy", lambda tf, x: tf.math.xlogy(x, x)),
        ("Maximum", lambda tf, x: tf.maximum(x * x, 0.1)),
    ):
        yield case(op, "second order", derivative(f), floats(3, low=0.4), floats(3, seed=1))


def sums() -> Iterator[Case]:
    yield case("AddN", "three", lambda tf, a, b, c: tf.add_n([a, b, c]), floats(2, 2), floats(2, 2, seed=1), floats(2, 2, seed=2))
    yield case("AddN", "scalars", lambda tf, a, b: tf.add_n([a, b]), floats(), floats(seed=1))
    yield case("AddN", "the same tensor twice", lambda tf, a: tf.add_n([a, a]), floats(3))
    yield case("AddN", "accumulate_n", lambda tf, a, b: tf.math.accumulate_n([a, b]), floats(3), floats(3, seed=1))
    yield case("AddN", "empty tensors", lambda tf, a, b: tf.add_n([a, b]), floats(0, 2), floats(0, 2), smooth=False)
    for dtype in REAL + COMPLEX:
        yield case("AddN", dtype, lambda tf, a, b: tf.add_n([a, b]), floats(3, dtype=dtype), floats(3, dtype=dtype, seed=1))
    for dtype in ("int32", "int64", "uint8"):
        yield case("AddN", dtype, lambda tf, a, b: tf.add_n([a, b]), ints(3, dtype=dtype), ints(3, dtype=dtype, seed=1), smooth=False)
    yield case("Mul", "scalar_mul", lambda tf, x: tf.math.scalar_mul(3.0, x), floats(2, 3))
    yield case("Mul", "scalar_mul by a tensor", lambda tf, s, x: tf.math.scalar_mul(s, x), floats(), floats(2, 3, seed=1))
    yield case("AddV2", "polyval", lambda tf, a, b, x: tf.math.polyval([a, b, 3.0], x), floats(), floats(seed=1), floats(3, seed=2))
    yield case("Pow", "number right as function", lambda tf, x: tf.pow(x, 3.0), floats(3, low=0.2))
    yield case("AddV2", "number left as function", lambda tf, x: tf.add([1.0, 2.0, 3.0], x), floats(3))
    yield case("Mul", "through an unused operand", lambda tf, x, y: tf.multiply(x, 2.0), floats(3), floats(3, seed=1))


CASES: list[Case] = [made for function in FUNCTIONS for made in function.cases()] + [*operators(), *division(), *edges(), *sums()]


def _both(label: str, f: Callable[..., Any], *inputs: Any) -> Iterator[ErrorCase]:
    yield error(label, f, *inputs, mode="eager")
    yield error(label, f, *inputs, mode="graph")


ERRORS: list[ErrorCase] = [
    *_both("AddV2: shapes", via("add"), floats(2), floats(3)),
    *_both("Mul: shapes", via("multiply"), floats(2, 3), floats(2, 2)),
    *_both("Mul: dtypes", via("multiply"), floats(2), ints(2)),
    *_both("AddV2: dtypes", via("add"), floats(2), floats(2, dtype="float64")),
    *_both("Sub: dtypes", via("subtract"), ints(2), ints(2, dtype="int64")),
    *_both("RealDiv: dtypes", via("divide"), floats(2), ints(2)),
    *_both("Maximum: complex", via("maximum"), floats(2, dtype="complex64"), floats(2, dtype="complex64")),
    *_both("Atan2: integers", via("atan2"), ints(2), ints(2)),
    *_both("AddV2: bool", via("add"), np.array([True]), np.array([False])),
    *_both("Mul: float for an integer tensor", lambda tf, x: x * 2.5, ints(2)),
    *_both("Mul: float for an integer tensor as function", lambda tf, x: tf.multiply(x, 2.5), ints(2)),
    *_both("AddV2: None", lambda tf, x: x + None, floats(2)),
    *_both("Mul: string operand", lambda tf, x: x * "a", floats(2)),
    *_both("SquaredDifference: shapes", via("math.squared_difference"), floats(2), floats(3)),
    *_both("Pow: dtypes", via("pow"), floats(2), ints(2)),
    *_both("AddN: shapes", lambda tf, a, b: tf.add_n([a, b]), floats(2), floats(3)),
    *_both("AddN: dtypes", lambda tf, a, b: tf.add_n([a, b]), floats(2), ints(2)),
    *_both("add_n of nothing", lambda tf: tf.add_n([])),
    *_both("accumulate_n of nothing", lambda tf: tf.math.accumulate_n([])),
    *_both("accumulate_n of mixed dtypes", lambda tf, a, b: tf.math.accumulate_n([a, b]), floats(2), ints(2)),
    *_both("scalar_mul by a vector", lambda tf, s, x: tf.math.scalar_mul(s, x), floats(2), floats(2)),
    *_both("polyval of a tuple", lambda tf, x: tf.math.polyval((1.0, 2.0), x), floats(2)),
    *_both("truediv of bool", via("truediv"), np.array([True]), np.array([True])),
    *_both("divide_no_nan of mixed dtypes", via("math.divide_no_nan"), floats(2), floats(2, dtype="float64")),
    error("FloorDiv: zero divisor", via("math.floordiv"), ints(2), np.zeros(2, np.int32)),
    error("FloorMod: zero divisor", via("math.floormod"), ints(2), np.zeros(2, np.int32)),
    error("Pow: negative power of an integer", via("pow"), ints(2, low=2), np.array([-1, 2], np.int32)),
    *_both("NextAfter: float16", via("math.nextafter"), floats(2, dtype="float16"), floats(2, dtype="float16")),
]
