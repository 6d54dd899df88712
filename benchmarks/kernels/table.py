"""What is measured: one call of each operation on about a million numbers, the same for both libraries.

A row's name is the operation's and, behind a comma, what kind of call it is.  A row is a function without arguments, made when its
tensors are; a group is a function of the library that gives its rows, so that a library which lacks one name loses one group and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

Rows = Iterator[tuple[str, Callable[[], Any]]]
N, SIDE = 1_000_000, 1000


def numbers(*shape: int, seed: int = 0, dtype: str = "float32") -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def inside(low: float, high: float, *shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).uniform(low, high, shape).astype("float32")


def integers(high: int, *shape: int, seed: int = 0, dtype: str = "int32") -> Any:
    return np.random.default_rng(seed).integers(0, high, shape).astype(dtype)


def tensors(tf: Any, **arrays: Any) -> Any:
    return SimpleNamespace(**{name: tf.constant(array) for name, array in arrays.items()})


def unary(tf: Any) -> Rows:
    t = tensors(
        tf,
        x=numbers(N),
        p=inside(0.1, 4, N),
        u=inside(-0.95, 0.95, N),
        b=numbers(N) > 0,
        i=integers(1000, N),
        c=numbers(N) + 1j * numbers(N, seed=1),
    )
    m = tf.math
    anywhere = {
        "Abs": m.abs,
        "Atan": m.atan,
        "Asinh": m.asinh,
        "Ceil": m.ceil,
        "Cos": m.cos,
        "Cosh": m.cosh,
        "Elu": tf.nn.elu,
        "Erf": m.erf,
        "Erfc": m.erfc,
        "Exp": m.exp,
        "Expm1": m.expm1,
        "Floor": m.floor,
        "IsFinite": m.is_finite,
        "IsInf": m.is_inf,
        "IsNan": m.is_nan,
        "LeakyRelu": tf.nn.leaky_relu,
        "Neg": m.negative,
        "Relu": tf.nn.relu,
        "Relu6": tf.nn.relu6,
        "Rint": m.rint,
        "Round": m.round,
        "Selu": tf.nn.selu,
        "Sigmoid": m.sigmoid,
        "Sign": m.sign,
        "Sin": m.sin,
        "Sinh": m.sinh,
        "Softplus": m.softplus,
        "Softsign": m.softsign,
        "Square": m.square,
        "Tan": m.tan,
        "Tanh": m.tanh,
        "ZerosLike": tf.zeros_like,
        "OnesLike": tf.ones_like,
    }
    for name, function in anywhere.items():
        yield name, partial(function, t.x)
    positive = {
        "Digamma": m.digamma,
        "Lgamma": m.lgamma,
        "Log": m.log,
        "Log1p": m.log1p,
        "Reciprocal": m.reciprocal,
        "Rsqrt": m.rsqrt,
        "Sqrt": m.sqrt,
    }
    for name, function in positive.items():
        yield name, partial(function, t.p)
    for name, function in {"Acos": m.acos, "Asin": m.asin, "Atanh": m.atanh, "Erfinv": m.erfinv, "Ndtri": m.ndtri}.items():
        yield name, partial(function, t.u)
    yield "Acosh", lambda: m.acosh(t.p + 1.0)
    yield "LogicalNot", lambda: m.logical_not(t.b)
    yield "Invert", lambda: tf.bitwise.invert(t.i)
    yield "Conj", lambda: m.conj(t.c)
    yield "Real", lambda: m.real(t.c)
    yield "Imag", lambda: m.imag(t.c)
    yield "Angle", lambda: m.angle(t.c)
    yield "ComplexAbs", lambda: m.abs(t.c)
    yield "Exp, complex64", lambda: m.exp(t.c)
    yield "Neg, int32", lambda: m.negative(t.i)


def binary(tf: Any) -> Rows:
    t = tensors(
        tf,
        x=numbers(N),
        y=numbers(N, seed=1),
        p=inside(0.1, 4, N),
        q=inside(0.1, 4, N, seed=2),
        i=integers(1000, N),
        j=integers(999, N, seed=1) + np.int32(1),
        a=numbers(N) > 0,
        b=numbers(N, seed=1) > 0,
        c=(numbers(N) + 1j * numbers(N, seed=1)),
        sq=numbers(SIDE, SIDE),
        row=numbers(SIDE),
        col=numbers(SIDE, 1),
        h=numbers(N, dtype="float16"),
    )
    m = tf.math
    for name, function in {
        "AddV2": m.add,
        "Sub": m.subtract,
        "Mul": m.multiply,
        "RealDiv": m.divide,
        "Maximum": m.maximum,
        "Minimum": m.minimum,
        "SquaredDifference": m.squared_difference,
        "DivNoNan": m.divide_no_nan,
        "MulNoNan": m.multiply_no_nan,
        "FloorDiv": m.floordiv,
        "FloorMod": m.floormod,
        "Atan2": m.atan2,
        "Equal": m.equal,
        "NotEqual": m.not_equal,
        "Less": m.less,
        "GreaterEqual": m.greater_equal,
        "NextAfter": m.nextafter,
    }.items():
        yield name, partial(function, t.x, t.y)
    for name, function in {
        "Pow": m.pow,
        "Xdivy": m.xdivy,
        "Xlogy": m.xlogy,
        "Xlog1py": m.xlog1py,
        "Igamma": m.igamma,
        "Igammac": m.igammac,
    }.items():
        yield name, partial(function, t.p, t.q)
    yield "Zeta", lambda: m.zeta(t.p + 1.0, t.q)
    yield "Polygamma", lambda: m.polygamma(tf.ones_like(t.p), t.q)
    yield "Betainc", lambda: m.betainc(t.p, t.q, m.sigmoid(t.x))
    yield "AddV2, row", lambda: m.add(t.sq, t.row)
    yield "AddV2, column", lambda: m.add(t.sq, t.col)
    yield "Mul, scalar", lambda: m.multiply(t.x, 2.0)
    yield "Pow, square", lambda: m.pow(t.x, 2.0)
    yield "Pow, cube", lambda: m.pow(t.x, 3.0)
    yield "Mul, complex64", lambda: m.multiply(t.c, t.c)
    yield "AddV2, float16", lambda: m.add(t.h, t.h)
    yield "AddV2, int32", lambda: m.add(t.i, t.j)
    yield "Mul, int32", lambda: m.multiply(t.i, t.j)
    yield "FloorDiv, int32", lambda: m.floordiv(t.i, t.j)
    yield "FloorMod, int32", lambda: m.floormod(t.i, t.j)
    yield "TruncateDiv, int32", lambda: tf.truncatediv(t.i, t.j)
    yield "Less, int32", lambda: m.less(t.i, t.j)
    yield "BitwiseAnd", lambda: tf.bitwise.bitwise_and(t.i, t.j)
    yield "LeftShift", lambda: tf.bitwise.left_shift(t.i, tf.bitwise.bitwise_and(t.j, 7))
    yield "LogicalAnd", lambda: m.logical_and(t.a, t.b)
    yield "Complex", lambda: tf.complex(t.x, t.y)
    yield "SelectV2", lambda: tf.where(t.a, t.x, t.y)
    yield "SelectV2, scalar", lambda: tf.where(t.a, t.x, 0.0)
    yield "AddN", lambda: m.add_n([t.x, t.y, t.p])
    yield "ClipByValue", lambda: tf.clip_by_value(t.x, -1.0, 1.0)
    yield "BiasAdd", lambda: tf.nn.bias_add(t.sq, t.row)
    yield "L2Loss", lambda: tf.nn.l2_loss(t.x)


def gradients_of_units(tf: Any) -> Rows:
    t = tensors(tf, x=numbers(N), g=numbers(N, seed=1), y=inside(0.05, 0.95, N))
    raw = tf.raw_ops
    for name in ("SigmoidGrad", "TanhGrad", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad"):
        yield name, partial(getattr(raw, name), y=t.y, dy=t.g)
    for name in ("ReluGrad", "Relu6Grad", "LeakyReluGrad", "SoftplusGrad", "SoftsignGrad"):
        yield name, partial(getattr(raw, name), gradients=t.g, features=t.x)
    for name in ("EluGrad", "SeluGrad"):
        yield name, partial(getattr(raw, name), gradients=t.g, outputs=t.x)


def casts(tf: Any) -> Rows:
    t = tensors(tf, x=numbers(N), d=numbers(N, dtype="float64"), i=integers(1000, N), b=numbers(N) > 0, h=numbers(N, dtype="float16"))
    z = tf.cast(t.x, tf.bfloat16)
    for label, source, target in (
        ("float32 to float64", t.x, tf.float64),
        ("float64 to float32", t.d, tf.float32),
        ("float32 to int32", t.x, tf.int32),
        ("int32 to float32", t.i, tf.float32),
        ("bool to float32", t.b, tf.float32),
        ("float32 to bool", t.x, tf.bool),
        ("float16 to float32", t.h, tf.float32),
        ("float32 to float16", t.x, tf.float16),
        ("float32 to bfloat16", t.x, tf.bfloat16),
        ("bfloat16 to float32", z, tf.float32),
        ("float32 to complex64", t.x, tf.complex64),
        ("int32 to int64", t.i, tf.int64),
    ):
        yield f"Cast, {label}", partial(tf.cast, source, target)
    yield "Bitcast", lambda: tf.bitcast(t.x, tf.int32)


def reductions(tf: Any) -> Rows:
    t = tensors(
        tf,
        x=numbers(SIDE, SIDE),
        k=numbers(100, 100, 100),
        i=integers(1000, SIDE, SIDE),
        b=numbers(SIDE, SIDE) > 0,
        d=numbers(SIDE, SIDE, dtype="float64"),
        w=inside(0.9, 1.1, SIDE, SIDE),
    )
    for label, axis in (("all", None), ("rows", 1), ("columns", 0)):
        for name, function in {
            "Sum": tf.reduce_sum,
            "Mean": tf.reduce_mean,
            "Max": tf.reduce_max,
            "Min": tf.reduce_min,
            "EuclideanNorm": tf.math.reduce_euclidean_norm,
            "logsumexp": tf.reduce_logsumexp,
            "variance": tf.math.reduce_variance,
        }.items():
            yield f"{name}, {label}", partial(function, t.x, axis)
        yield f"Prod, {label}", partial(tf.reduce_prod, t.w, axis)
        yield f"Sum, {label}, float64", partial(tf.reduce_sum, t.d, axis)
        yield f"Sum, {label}, int32", partial(tf.reduce_sum, t.i, axis)
        yield f"Any, {label}", partial(tf.reduce_any, t.b, axis)
        yield f"All, {label}", partial(tf.reduce_all, t.b, axis)
    for label, axis in (("rows", 1), ("columns", 0)):
        yield f"ArgMax, {label}", partial(tf.argmax, t.x, axis)
        yield f"ArgMin, {label}", partial(tf.argmin, t.x, axis)
    for axes in ([0], [1], [2], [0, 1], [1, 2], [0, 2]):
        yield f"Sum, axes {axes} of 3", partial(tf.reduce_sum, t.k, axes)
        yield f"Max, axes {axes} of 3", partial(tf.reduce_max, t.k, axes)


def scans(tf: Any) -> Rows:
    t = tensors(tf, x=numbers(SIDE, SIDE), v=numbers(N), w=inside(0.9, 1.1, SIDE, SIDE))
    for axis in (0, 1):
        yield f"Cumsum, axis {axis}", partial(tf.cumsum, t.x, axis)
        yield f"Cumprod, axis {axis}", partial(tf.math.cumprod, t.w, axis)
        yield f"CumulativeLogsumexp, axis {axis}", partial(tf.math.cumulative_logsumexp, t.x, axis)
    yield "Cumsum, vector", lambda: tf.cumsum(t.v)
    yield "Cumsum, reverse exclusive", lambda: tf.cumsum(t.x, 1, exclusive=True, reverse=True)
