"""Cases for special functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints
from .math import HALF, REAL, WIDE, Unary, derivative, inf, nan, via

FEW = (0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 10.0, nan)
FUNCTIONS = (
    Unary("Erf", "math.erf", dtypes=REAL, points=FEW),
    Unary("Erfc", "math.erfc", dtypes=REAL, points=FEW),
    Unary("Erfinv", "math.erfinv", low=-0.8, high=0.8, dtypes=WIDE, points=(0.0, 1.0, -1.0, 0.5, 1.5, nan)),
    Unary("Ndtri", "math.ndtri", low=0.1, high=0.9, dtypes=WIDE, points=(0.0, 1.0, 0.5, 0.01, 0.999, 1.5, nan)),
    Unary("Lgamma", "math.lgamma", low=0.3, high=4.0, dtypes=HALF, points=(0.0, 1.0, 2.0, -0.5, -1.0, 10.0, inf, nan)),
    Unary("Digamma", "math.digamma", low=0.4, high=4.0, dtypes=WIDE, points=(1.0, 2.0, -0.5, 10.0, nan)),
    Unary("BesselI0", "math.bessel_i0", dtypes=HALF, points=(0.0, 1.0, -1.0, 9.0, nan)),
    Unary("BesselI0e", "math.bessel_i0e", low=0.2, high=3.0, dtypes=HALF, points=(0.0, 1.0, -1.0, 9.0, 100.0, nan)),
    Unary("BesselI1", "math.bessel_i1", dtypes=HALF, points=(1.0, -1.0, 9.0, nan)),
    Unary("BesselI1e", "math.bessel_i1e", low=0.2, high=3.0, dtypes=HALF, points=(0.0, 1.0, -1.0, 9.0, 100.0, nan)),
)


# The first arguments of zeta, polygamma and betainc have no gradient: differences are taken by the last.
def _second_alone(f: Callable[..., Any], a: Any) -> Callable[..., Any]:
    return lambda tf, x: f(tf, a, x)


def of_two() -> Iterator[Case]:
    for op, path, low in (
        ("Igamma", "math.igamma", 0.5),
        ("Igammac", "math.igammac", 0.5),
        ("Zeta", "math.zeta", 1.5),
        ("Polygamma", "math.polygamma", 1.5),
    ):
        f = via(path)

        def first(*shape: int, dtype: str = "float32", op: str = op, low: float = low) -> Any:
            if op == "Polygamma":
                return ints(*shape, low=1, high=4, dtype=dtype)
            return floats(*shape, low=low, high=low + 2.5, dtype=dtype)

        def second(*shape: int, dtype: str = "float32") -> Any:
            return floats(*shape, low=0.5, high=3.0, dtype=dtype, seed=1)

        yield case(op, "same shape", f, first(2, 2), second(2, 2), smooth=op.startswith("Igamma"))
        yield case(op, "scalars", f, first(), second(), smooth=False)
        yield case(op, "broadcast", f, first(2, 1), second(3), smooth=False)
        yield case(op, "scalar and vector", f, first(), second(3), smooth=False)
        yield case(op, "float64", f, first(3, dtype="float64"), second(3, dtype="float64"), smooth=False)
        yield case(op, "empty", f, floats(0), floats(0), smooth=False)
        yield case(op, "second argument alone", _second_alone(f, first(3)), second(3))
        yield case(op, "second argument alone float64", _second_alone(f, first(2, 1, dtype="float64")), second(3, dtype="float64"))
    yield case("Igamma", "edges", via("math.igamma"), [1.0, 2.0, 5.0, 0.5], [0.0, 50.0, 0.1, inf], smooth=False)
    yield case("Igammac", "edges", via("math.igammac"), [1.0, 2.0, 5.0, 0.5], [0.0, 50.0, 0.1, inf], smooth=False)
    yield case("Polygamma", "order zero is digamma", via("math.polygamma"), [0.0, 0.0], [0.7, 3.0], smooth=False)
    yield case("Polygamma", "not an order", via("math.polygamma"), [0.5, -1.0, 1.0], [1.0, 1.0, -1.0], smooth=False)
    yield case("Zeta", "edges", via("math.zeta"), [1.0, 2.0, 3.0, 0.5, nan], [1.0, 1.0, -1.0, 2.0, 2.0], smooth=False)


def beta() -> Iterator[Case]:
    f = via("math.betainc")
    inside = {"low": 0.1, "high": 0.9, "seed": 2}
    a, b = (floats(3, low=0.5, high=3.0, seed=seed) for seed in (0, 1))
    yield case("Betainc", "vectors", f, a, b, floats(3, **inside), smooth=False)
    yield case("Betainc", "scalars", f, 2.0, 1.5, 0.3, smooth=False)
    yield case("Betainc", "scalar parameters", f, 2.0, 1.5, floats(2, 2, **inside), smooth=False)
    yield case("Betainc", "scalar x", f, a, b, 0.4, smooth=False)
    wide = a.astype(np.float64), b.astype(np.float64), floats(3, dtype="float64", **inside)
    yield case("Betainc", "float64", f, *wide, smooth=False)
    yield case("Betainc", "last argument alone", lambda tf, x: f(tf, a, b, x), floats(3, **inside))
    yield case("Betainc", "last argument alone float64", lambda tf, x: f(tf, *wide[:2], x), wide[2])
    yield case("Betainc", "bounds", f, [1.0, 2.0, 1.0], [2.0, 1.0, 1.0], [0.0, 1.0, 0.5], smooth=False)
    for label, x in (
        ("vector", floats(3, low=0.5, high=3.0)),
        ("rows", floats(2, 3, low=0.5, high=3.0)),
        ("float64", floats(2, 3, low=0.5, high=3.0, dtype="float64")),
    ):
        yield case("Lgamma", f"lbeta of {label}", via("math.lbeta"), x)
    yield case("Lgamma", "lbeta of empty rows", via("math.lbeta"), floats(2, 0), smooth=False)
    yield case("Ndtri", "erfcinv", via("math.erfcinv"), floats(3, low=0.2, high=1.8))
    for op, path, low, high in (
        ("Erf", "math.erf", -1.0, 1.0),
        ("Lgamma", "math.lgamma", 0.5, 3.0),
        ("Erfinv", "math.erfinv", -0.7, 0.7),
        ("BesselI0", "math.bessel_i0", 0.2, 2.0),
    ):
        yield case(op, "second order", derivative(via(path)), floats(3, low=low, high=high), floats(3, seed=1))


CASES: list[Case] = [made for function in FUNCTIONS for made in function.cases()] + [*of_two(), *beta()]


def _both(label: str, f: Callable[..., Any], *inputs: Any) -> Iterator[ErrorCase]:
    yield error(label, f, *inputs, mode="eager")
    yield error(label, f, *inputs, mode="graph")


ERRORS: list[ErrorCase] = [
    *_both("Erf: integers", via("math.erf"), ints(2)),
    *_both("Erf: complex", via("math.erf"), floats(2, dtype="complex64")),
    *_both("Lgamma: integers", via("math.lgamma"), ints(2)),
    *_both("Zeta: float16", via("math.zeta"), floats(2, dtype="float16"), floats(2, dtype="float16")),
    *_both("Igamma: shapes", via("math.igamma"), floats(2, low=1.0), floats(3, low=1.0)),
    *_both("Polygamma: dtypes", via("math.polygamma"), floats(2, low=1.0), floats(2, low=1.0, dtype="float64")),
    *_both("Betainc: shapes", via("math.betainc"), floats(2, low=1.0), floats(3, low=1.0), floats(2, low=0.1, high=0.9)),
]
