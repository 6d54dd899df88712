"""Cases for complex numbers.  A gradient is the conjugate of the holomorphic derivative, as TensorFlow has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints
from .math import COMPLEX, derivative, via

POINT = np.complex64(1 + 2j)
EDGES = np.array([0, 1, -1, 1j, -1j, 1 + 1j, -1 - 1j], np.complex64)


def parts() -> Iterator[Case]:
    for op, path in (("Real", "math.real"), ("Imag", "math.imag"), ("Conj", "math.conj"), ("Angle", "math.angle"), ("ComplexAbs", "abs")):
        f = via(path)
        for dtype in COMPLEX:
            yield case(op, dtype, f, floats(2, 3, dtype=dtype))
        yield case(op, "scalar", f, POINT)
        yield case(op, "empty", f, floats(0, 2, dtype="complex64"), smooth=False)
        yield case(op, "special points", f, EDGES, smooth=False)
        yield case(op, "composed", lambda tf, z, f=f: f(tf, tf.exp(z * z)), floats(3, low=0.2, high=0.8, dtype="complex64"))
        yield case(op, "second order", _second(f), floats(2, low=0.3, dtype="complex64"), floats(2, seed=1))
    yield case("AddV2", "real of a real tensor", lambda tf, x: tf.math.real(x) + 1.0, floats(3))
    yield case("AddV2", "imag of a real tensor", lambda tf, x: tf.math.imag(x) + x, floats(3))
    yield case("AddV2", "conj of a real tensor", lambda tf, x: tf.math.conj(x) + 1.0, floats(3))
    yield case("Select", "angle of a real tensor", via("math.angle"), [1.0, -1.0, 0.0], smooth=False)
    yield case("DivNoNan", "sign of complex numbers", via("sign"), EDGES, smooth=False)


def _second(f: Callable[..., Any]) -> Callable[..., Any]:
    """The second derivative through a part of a holomorphic function, with a cotangent of the part's own dtype."""

    def second(tf: Any, z: Any, dy: Any) -> Any:
        def function(tf: Any, z: Any) -> Any:
            return f(tf, tf.sin(z) * z)

        is_conj = f(tf, z).dtype == z.dtype
        return derivative(function)(tf, z, tf.cast(dy, z.dtype) if is_conj else dy)

    return second


def construction() -> Iterator[Case]:
    f = via("complex")
    for dtype in ("float32", "float64"):
        yield case("Complex", dtype, f, floats(2, 3, dtype=dtype), floats(2, 3, dtype=dtype, seed=1))
    yield case("Complex", "broadcast", f, floats(2, 1), floats(3, seed=1))
    yield case("Complex", "scalars", f, 1.0, 2.0)
    yield case("Complex", "empty", f, floats(0), floats(0), smooth=False)
    yield case("Complex", "of functions", lambda tf, x, y: tf.complex(tf.sin(x), y * x), floats(3), floats(3, seed=1))
    yield case("Complex", "there and back", lambda tf, x, y: tf.math.imag(tf.square(tf.complex(x, y))), floats(3), floats(3, seed=1))


def holomorphic() -> Iterator[Case]:
    """The table of functions at 1+2j that everybody checks the convention with."""
    for op, label, f in (
        ("Mul", "z times z", lambda tf, z: z * z),
        ("ComplexAbs", "abs at a point", lambda tf, z: tf.abs(z)),
        ("Real", "real of exp", lambda tf, z: tf.math.real(tf.exp(z))),
        ("ComplexAbs", "squared modulus", lambda tf, z: tf.abs(z) ** 2),
        ("Mul", "z times its conjugate", lambda tf, z: tf.math.real(z * tf.math.conj(z))),
        ("RealDiv", "one over z", lambda tf, z: 1.0 / z),
        ("Log", "log at a point", lambda tf, z: tf.math.log(z)),
        ("Sqrt", "sqrt at a point", lambda tf, z: tf.sqrt(z)),
        ("Sin", "sin at a point", lambda tf, z: tf.sin(z)),
        ("Pow", "complex power at a point", lambda tf, z: tf.pow(z, 2.0 - 1.0j)),
        ("Tanh", "tanh at a point", lambda tf, z: tf.tanh(z)),
        ("Sigmoid", "sigmoid at a point", lambda tf, z: tf.sigmoid(z)),
        ("Mul", "not holomorphic", lambda tf, z: tf.math.conj(z) * tf.sin(z)),
    ):
        yield case(op, label, f, POINT)
    yield case("Mul", "complex broadcast", via("multiply"), floats(2, 3, dtype="complex64"), floats(3, dtype="complex64", seed=1))
    yield case("Cast", "real to complex and back", lambda tf, x: tf.math.imag(tf.cast(x, tf.complex64) * (2.0 + 3.0j)), floats(3))


CASES: list[Case] = [*parts(), *construction(), *holomorphic()]


def _both(label: str, f: Callable[..., Any], *inputs: Any) -> Iterator[ErrorCase]:
    yield error(label, f, *inputs, mode="eager")
    yield error(label, f, *inputs, mode="graph")


ERRORS: list[ErrorCase] = [
    *_both("Complex: dtypes differ", via("complex"), floats(2), floats(2, dtype="float64")),
    *_both("Complex: integers", via("complex"), ints(2), ints(2)),
    *_both("Complex: shapes", via("complex"), floats(2), floats(3)),
    *_both("Conj: string", via("math.conj"), np.array([b"a"], object)),
    *_both("Real: string", via("math.real"), np.array([b"a"], object)),
    *_both("Mul: complex with real", via("multiply"), floats(2, dtype="complex64"), floats(2)),
]
